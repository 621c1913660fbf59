#include "geometry/room/reached.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/air/air_hits.h"
#include "geometry/air/contact_face.h"
#include "geometry/base/vector.h"
#include "geometry/leak/room_cuts.h"
#include "geometry/voxel/clearance.h"
#include "geometry/voxel/seed_node.h"

/* Volumes of which no more than this share is left count as 0, so that no line of sight slips through the
 * common side of two triangles. */
#define GRAZE 1e-12

#define SAMPLES 4

/** The walls at the ends of links. */
struct touching {
    const struct contact_face *face; /* of every triangle */
    struct reached *reached;
    double cell; /* h^2 [m2] */
};

/** A line of sight, in sub-steps of the lattice. */
struct sight {
    const struct room_cuts *room;
    uint32_t target;
    double from[3], to[3], point[3];
    bool behind; /* the back of the target faces `from` */
    bool blocked;
};

void reached_free(struct reached *reached)
{
    free(reached->triangle);
    free(reached->material);
    *reached = (struct reached){0};
}

static void touch_triangle(uint32_t triangle, enum direction direction, void *context)
{
    struct touching *touching = context;
    if (triangle >= touching->reached->triangle_count)
        return; /* a ribbon of seal.h */
    const struct contact_face *face = &touching->face[triangle];
    touching->reached->triangle[triangle] = true;
    touching->reached->material[face->material[face->side[direction]]].touched_area +=
        face->cosine[direction / 2] * (touching->cell / VOXELS_COSINE_ONE);
}

static void corners_of(const struct room_cuts *room, uint32_t triangle, double corner[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            corner[i][axis] = room->snapped[triangle].corner[i][axis];
}

/** Sign of the volume of (u, v, w), 0 when it is no more than rounding. */
static int volume_sign(const double u[3], const double v[3], const double w[3])
{
    double sum = 0, magnitude = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        const double plus = u[next] * v[last], minus = u[last] * v[next];
        sum += w[axis] * (plus - minus);
        magnitude += fabs(w[axis]) * (fabs(plus) + fabs(minus));
    }
    return fabs(sum) <= GRAZE * magnitude ? 0 : sum > 0 ? 1 : -1;
}

/** True if the segment from `from` to `to` meets the triangle; touching along its plane does not count. */
static bool segment_meets(const double corner[3][3], const double from[3], const double to[3])
{
    double first[3], second[3], start[3], end[3], along[3], ray[3][3];
    vector_subtract(corner[1], corner[0], first);
    vector_subtract(corner[2], corner[0], second);
    vector_subtract(from, corner[0], start);
    vector_subtract(to, corner[0], end);
    const int before = volume_sign(first, second, start), after = volume_sign(first, second, end);
    if (before * after > 0 || (before == 0 && after == 0))
        return false;
    vector_subtract(to, from, along);
    for (int i = 0; i < 3; i++)
        vector_subtract(corner[i], from, ray[i]);
    bool left = false, right = false;
    for (int i = 0; i < 3; i++) {
        const int side = volume_sign(ray[i], ray[(i + 1) % 3], along);
        left = left || side > 0;
        right = right || side < 0;
    }
    return !(left && right);
}

/** True if the back of the triangle faces the point. */
static bool is_behind(const double corner[3][3], const double point[3])
{
    double first[3], second[3], from[3];
    vector_subtract(corner[1], corner[0], first);
    vector_subtract(corner[2], corner[0], second);
    vector_subtract(point, corner[0], from);
    return volume_sign(first, second, from) < 0;
}

/** If two faces coincide, the one that faces the air hides the other. */
static void block_sight(uint32_t triangle, void *context)
{
    struct sight *sight = context;
    if (sight->blocked || triangle == sight->target)
        return;
    double corner[3][3];
    corners_of(sight->room, triangle, corner);
    const bool over = sight->behind && !is_behind((const double(*)[3])corner, sight->from);
    sight->blocked = segment_meets((const double(*)[3])corner, sight->from, over ? sight->point : sight->to);
}

/** True if the point is visible from the node past all triangles but `target`. */
static bool is_seen(const struct room_cuts *room, const struct clearance *tree, uint32_t target,
                    const double point[3], const int64_t node[3])
{
    const struct lattice *lattice = &room->field.lattice;
    const double blind = REACHED_BLIND * LATTICE_SUBSTEPS;
    struct sight sight = {.room = room, .target = target};
    double back[3], low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        sight.from[axis] = (double)(node[axis] * LATTICE_SUBSTEPS);
        back[axis] = sight.from[axis] - point[axis];
    }
    const double length = vector_length(back);
    if (length <= blind)
        return true;
    vector_along(point, blind / length, back, sight.to);
    vector_along(point, -1 / length, back, sight.point); /* a sub-step beyond, so that it is met */
    double corner[3][3];
    corners_of(room, target, corner);
    sight.behind = is_behind((const double(*)[3])corner, sight.from);
    for (int axis = 0; axis < 3; axis++) {
        /* Two sub-steps more than snapping moves a corner. */
        const double least = smaller(sight.from[axis], point[axis]) - 2,
                     most = larger(sight.from[axis], point[axis]) + 2;
        low[axis] = lattice->origin[axis] + least / LATTICE_SUBSTEPS * lattice->spacing;
        high[axis] = lattice->origin[axis] + most / LATTICE_SUBSTEPS * lattice->spacing;
    }
    clearance_visit(tree, low, high, block_sight, &sight);
    return !sight.blocked;
}

/** True if the point is visible from an air node of the 4x4x4 around it. The corners of its cell come first.
 */
static bool is_near_air(const struct room_cuts *room, const struct flood *flood, const struct clearance *tree,
                        uint32_t target, const double point[3])
{
    for (int wide = 0; wide < 2; wide++)
        for (int i = 0; i < 64; i++) {
            const int offset[3] = {i % 4 - 1, i / 4 % 4 - 1, i / 16 - 1};
            int64_t node[3];
            bool cell = true;
            for (int axis = 0; axis < 3; axis++) {
                node[axis] = (int64_t)floor(point[axis] / LATTICE_SUBSTEPS) + offset[axis];
                cell = cell && (offset[axis] == 0 || offset[axis] == 1);
            }
            if (cell != (wide == 0) || !flood_is_air(flood, node))
                continue;
            if (is_seen(room, tree, target, point, node))
                return true;
        }
    return false;
}

static bool is_in_sight(const struct room_cuts *room, const struct flood *flood, const struct clearance *tree,
                        uint32_t triangle)
{
    double corner[3][3], centre[3];
    corners_of(room, triangle, corner);
    for (int axis = 0; axis < 3; axis++)
        centre[axis] = (corner[0][axis] + corner[1][axis] + corner[2][axis]) / 3;
    for (int sample = 0; sample < SAMPLES; sample++) {
        double point[3];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = sample == 0 ? centre[axis] : (centre[axis] + corner[sample - 1][axis]) / 2;
        if (is_near_air(room, flood, tree, triangle, point))
            return true;
    }
    return false;
}

/** Flood from the positions; a flood that escapes is repeated within the box. */
static int flood_positions(const struct room_cuts *room, const double (*position)[3], size_t count,
                           struct flood *flood, struct reached *reached, struct failure *failure)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        TRY(flood_start(&room->field, room->open || attempt > 0, flood, failure));
        reached->leaks = attempt > 0;
        reached->air_nodes = 0;
        for (size_t i = 0; i < count && !flood->escaped; i++) {
            int64_t corner[8][3];
            uint64_t added = 0;
            if (seed_corners(&room->field, room->walls, room->snapped, position[i], corner) == 0)
                return failure_set(
                    failure, FAILURE_INPUT,
                    "the position (%g, %g, %g) m is in a wall or outside the model, so that it "
                    "has no air: move it into the room",
                    position[i][0], position[i][1], position[i][2]);
            TRY(flood_from(flood, corner[0], &added, failure));
            reached->air_nodes += added;
        }
        if (!flood->escaped)
            return 0;
        flood_free(flood);
    }
    return 0;
}

static double triangle_area(const struct mesh *mesh, size_t triangle)
{
    double normal[3];
    mesh_normal(mesh, triangle, normal);
    return vector_length(normal) / 2;
}

static void sum_materials(const struct mesh *mesh, struct reached *reached)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        struct reached_material *material = &reached->material[mesh->triangle_material[t]];
        const double area = triangle_area(mesh, t);
        material->area += area;
        material->triangles++;
        if (reached->triangle[t]) {
            material->reached_area += area;
            material->reached_triangles++;
        }
    }
}

int reached_find(const struct mesh *mesh, const struct lattice *lattice,
                 const struct voxelise_options *options, const double (*position)[3], size_t count,
                 struct reached *out, struct failure *failure)
{
    struct room_cuts room = {0};
    struct flood flood = {0};
    struct clearance tree = {0};
    struct contact_face *face = NULL;
    struct reached reached = {.triangle_count = mesh->triangle_count, .material_count = mesh->material_count};
    int result = 0;
    reached.triangle = calloc(mesh->triangle_count + 1, sizeof *reached.triangle);
    reached.material = calloc(mesh->material_count + 1, sizeof *reached.material);
    if (reached.triangle == NULL || reached.material == NULL) {
        result = failure_memory(failure, mesh->triangle_count * sizeof *reached.triangle,
                                "the triangles that air reaches");
        goto done;
    }
    if ((result = room_cuts_make(mesh, lattice, options, position, count, &room, failure)) != 0 ||
        (result = flood_positions(&room, position, count, &flood, &reached, failure)) != 0 ||
        (result = clearance_make(room.mesh, &tree, failure)) != 0 ||
        (result = contact_faces_make(mesh, lattice, options->back_material, &face, failure)) != 0)
        goto done;
    struct touching touching = {
        .face = face, .reached = &reached, .cell = lattice->spacing * lattice->spacing};
    air_hits_visit(&flood, touch_triangle, &touching);
    const int team = options->threads > 0 ? options->threads : omp_get_max_threads();
#pragma omp parallel for num_threads(team) schedule(dynamic, 256)
    for (size_t t = 0; t < mesh->triangle_count; t++)
        if (!reached.triangle[t])
            reached.triangle[t] = is_in_sight(&room, &flood, &tree, (uint32_t)t);
    sum_materials(mesh, &reached);
    *out = reached;
    reached = (struct reached){0};
done:
    reached_free(&reached);
    free(face);
    clearance_free(&tree);
    flood_free(&flood);
    room_cuts_free(&room);
    return result;
}
