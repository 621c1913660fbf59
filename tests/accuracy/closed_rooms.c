#include "tests/accuracy/closed_rooms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/cell/cell_parts.h"
#include "geometry/room/voxeliser.h"
#include "rooms/shapes/room_shape.h"
#include "tests/support/holed_room.h"
#include "tests/support/solid_mesh.h"
#include "tests/support/test_support.h"

#define MATERIALS   3
#define HULL_POINTS 24
#define SHELLS      3

static void demand(int code, const char *what, const struct failure *failure)
{
    if (code == 0)
        return;
    (void)fprintf(stderr, "%s: %s\n", what, failure->sentence);
    abort();
}

/* ---- rooms -----------------------------------------------------------------------------------------------
 */

/* Lay a grid of a random offset over the mesh. */
static void lay_lattice(struct closed_room *room, double nodes, uint64_t *state)
{
    struct failure failure = {0};
    double low[3], high[3], phase[3], volume = 1;
    demand(mesh_bounds(&room->mesh, low, high, &failure), "bounds", &failure);
    for (int axis = 0; axis < 3; axis++)
        volume *= high[axis] - low[axis];
    const double spacing = cbrt(volume / nodes);
    for (int axis = 0; axis < 3; axis++)
        phase[axis] = test_uniform(state, 0, spacing);
    demand(lattice_fit(low, high, spacing, phase, &room->lattice, &failure), "lattice", &failure);
}

void closed_room_church(uint64_t seed, struct closed_room *out)
{
    const struct room_shape *const shape = room_shape_find("church");
    uint64_t state = seed;
    double value[ROOM_PARAMETERS_MAX];
    *out = (struct closed_room){0};
    do /* measures that contradict one another are drawn again */
        for (size_t i = 0; i < shape->parameter_count; i++) {
            const struct room_parameter *const of = &shape->parameter[i];
            const double chance = test_uniform(&state, 0, 1);
            if (of->words != NULL)
                value[i] = floor(chance * (of->high + 1));
            else if (i + 1 == shape->parameter_count)
                value[i] = 360 * chance;
            else
                value[i] = fmin(of->high, fmax(of->low, of->standard * (0.7 + 0.7 * chance)));
            if (of->whole)
                value[i] = floor(value[i]);
        }
    while (room_build(shape, value, &out->mesh, NULL) != 0);
    out->last = out->mesh.triangle_count;
    memcpy(out->source, out->mesh.marker[0].position, sizeof out->source);
    lay_lattice(out, 200000, &state);
}

static uint16_t random_material(const struct mesh *mesh, uint64_t *state)
{
    return (uint16_t)(test_random(state) % mesh->material_count);
}

static void name_materials(struct mesh *mesh)
{
    static const char *const name[MATERIALS] = {"a", "b", "c"};
    for (int m = 0; m < MATERIALS; m++)
        (void)solid_material(mesh, name[m]);
}

void closed_room_hull(struct mesh *mesh, const double (*point)[3], unsigned points, uint64_t *state)
{
    const uint32_t first = (uint32_t)mesh->vertex_count;
    if (mesh->material_count == 0)
        name_materials(mesh);
    for (unsigned n = 0; n < points; n++)
        (void)solid_vertex(mesh, NULL, point[n]);
    for (unsigned a = 0; a < points; a++)
        for (unsigned b = a + 1; b < points; b++)
            for (unsigned c = b + 1; c < points; c++) {
                double edge[2][3], normal[3], to[3];
                bool above = false, below = false;
                vector_subtract(point[b], point[a], edge[0]);
                vector_subtract(point[c], point[a], edge[1]);
                vector_cross(edge[0], edge[1], normal);
                for (unsigned d = 0; d < points; d++) {
                    if (d == a || d == b || d == c)
                        continue;
                    vector_subtract(point[d], point[a], to);
                    above = above || vector_dot(to, normal) > 0;
                    below = below || vector_dot(to, normal) < 0;
                }
                if (!(above && below)) /* the front looks to the others */
                    solid_triangle(mesh, first + a, first + (above ? b : c), first + (above ? c : b),
                                   random_material(mesh, state));
            }
}

/* The convex hull of random points in a ball. */
static void add_hull(struct mesh *mesh, const struct room_pose *pose, uint64_t *state)
{
    const unsigned points = 4 + (unsigned)(test_random(state) % (HULL_POINTS - 3));
    double local[3], placed[HULL_POINTS][3];
    for (unsigned n = 0; n < points; n++) {
        do
            for (int axis = 0; axis < 3; axis++)
                local[axis] = test_uniform(state, -1, 1);
        while (vector_dot(local, local) > 1);
        room_pose_place(pose, local, placed[n]);
    }
    closed_room_hull(mesh, (const double(*)[3])placed, points, state);
}

/* A sphere of triangles whose corners are at random distances from its middle; its front inside, or outside.
 */
static void add_star(struct mesh *mesh, const struct room_pose *pose, double least, double most, int level,
                     bool inside, uint64_t *state)
{
    static const double middle[3] = {0, 0, 0};
    struct mesh sphere = {0};
    solid_icosphere(&sphere, middle, 1, level);
    const size_t first = mesh->vertex_count;
    for (size_t n = 0; n < sphere.vertex_count; n++) {
        const double radius = test_uniform(state, least, most);
        double local[3], placed[3];
        for (int axis = 0; axis < 3; axis++)
            local[axis] = radius * sphere.vertex[n][axis];
        room_pose_place(pose, local, placed);
        (void)solid_vertex(mesh, NULL, placed);
    }
    for (size_t t = 0; t < sphere.triangle_count; t++) {
        uint32_t corner[3];
        double normal[3];
        for (int i = 0; i < 3; i++)
            corner[i] = (uint32_t)first + sphere.triangle[t][i];
        mesh_normal(&sphere, t, normal);
        const bool looks_out = vector_dot(normal, sphere.vertex[sphere.triangle[t][0]]) > 0;
        solid_triangle(mesh, corner[0], corner[looks_out == inside ? 2 : 1],
                       corner[looks_out == inside ? 1 : 2], random_material(mesh, state));
    }
    mesh_free(&sphere);
}

void closed_room_body(uint64_t seed, struct closed_room *out)
{
    uint64_t state = seed;
    double centre[3] = {0}, count = 0;
    *out = (struct closed_room){0};
    name_materials(&out->mesh);
    struct room_pose pose = room_pose_random(&state);
    for (int axis = 0; axis < 3; axis++) { /* longer along one axis than along another */
        const double scale = test_uniform(&state, 1, 2);
        for (int row = 0; row < 3; row++)
            pose.rotation[row][axis] *= scale;
    }
    if (seed % 3 == 0) {
        add_hull(&out->mesh, &pose, &state);
        for (size_t n = 0; n < out->mesh.vertex_count; n++, count++)
            for (int axis = 0; axis < 3; axis++)
                centre[axis] += out->mesh.vertex[n][axis];
        for (int axis = 0; axis < 3; axis++)
            out->source[axis] = centre[axis] / count;
        out->last = out->mesh.triangle_count;
    } else if (seed % 3 == 1) {
        const double least = test_uniform(&state, 0.5, 0.95);
        add_star(&out->mesh, &pose, least, 1, (int)(test_random(&state) % 4), true, &state);
        room_pose_place(&pose, centre, out->source);
        out->last = out->mesh.triangle_count;
    } else {
        static const double radius[SHELLS + 1] = {0.97, 0.58, 0.26, 0};
        const unsigned in = (unsigned)(test_random(&state) % SHELLS); /* the source is in this one */
        for (unsigned s = 0; s < SHELLS; s++) {
            out->first = s == in ? out->mesh.triangle_count : out->first;
            add_star(&out->mesh, &pose, 0.9 * radius[s], radius[s], 1 + (int)(test_random(&state) % 2),
                     s <= in, &state);
            out->last = s <= in + 1 ? out->mesh.triangle_count : out->last;
        }
        const double along[3] = {in + 1 < SHELLS ? (0.75 * radius[in] + radius[in + 1]) / 2 : 0, 0, 0};
        room_pose_place(&pose, along, out->source);
    }
    lay_lattice(out, exp(test_uniform(&state, log(2000), log(60000))), &state);
}

/* ---- sums ------------------------------------------------------------------------------------------------
 */

/* Volume and areas [h3] [h2] of the triangles around the air, from their snapped corners. A sliver that
 * snapping turned over in its plane lies on its neighbours, and is seen as little as what it lies on. */
static void add_triangles(const struct closed_room *room, const struct snapped_triangle *snapped,
                          double *volume, double *area)
{
    *volume = 0;
    for (size_t t = room->first; t < room->last; t++) {
        double corner[3][3], edge[2][3], normal[3], drawn[3];
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++)
                corner[i][axis] = (double)snapped[t].corner[i][axis] / LATTICE_SUBSTEPS -
                                  (double)room->lattice.nodes[axis] / 2;
        vector_subtract(corner[1], corner[0], edge[0]);
        vector_subtract(corner[2], corner[0], edge[1]);
        vector_cross(edge[0], edge[1], normal);
        mesh_normal(&room->mesh, t, drawn);
        const double length = vector_length(normal);
        const bool over = vector_dot(normal, drawn) < -(1 - 1e-9) * length * vector_length(drawn);
        area[room->mesh.triangle_material[t]] += over ? -length / 2 : length / 2;
        *volume -= vector_dot(normal, corner[0]) / 6;
    }
}

static void most(double *worst, double value)
{
    if (!(value <= *worst))
        *worst = value;
}

static void add_cell(const struct voxel_cell *cell, const struct voxel_area *first, double *volume,
                     double *area, struct cell_sums *out)
{
    *volume += (double)cell->volume;
    most(&out->whole, (double)cell->volume - 1);
    for (int direction = 0; direction < DIRECTIONS; direction++)
        most(&out->whole, (double)cell->open[direction] - 1);
    for (unsigned i = 0; i < cell->areas; i++)
        area[first[i].material] += (double)first[i].area;
}

/* The parts of one voxel fill it, and those that see the fronts around the room's air are closed together: a
 * crack narrower than two sub-steps may part them. */
static int look_at_voxel(const struct closed_room *room, const int64_t node[3],
                         const struct snapped_triangle *snapped, const uint32_t *index, size_t count,
                         struct cell_parts *parts, struct cell_sums *out, struct failure *failure)
{
    double volume = 0, inside[3] = {0};
    TRY(cell_parts_cut(node, snapped, index, count, parts, failure));
    for (size_t p = 0; p < parts->parts; p++) {
        const struct cell_part *const part = &parts->part[p];
        double sum[3], seen = 0; /* of the fronts around the room's air, less all other sides */
        for (int axis = 0; axis < 3; axis++)
            sum[axis] = part->face[2 * axis + 1] - part->face[2 * axis];
        for (uint32_t i = part->first_patch; i < part->first_patch + part->patches; i++) {
            const struct cell_patch *const patch = &parts->patch[i];
            const bool front = !patch->back && patch->triangle >= room->first && patch->triangle < room->last;
            double corner[3][3], edge[2][3], normal[3];
            for (int k = 0; k < 3; k++)
                for (int axis = 0; axis < 3; axis++)
                    corner[k][axis] = snapped[patch->triangle].corner[k][axis];
            vector_subtract(corner[1], corner[0], edge[0]);
            vector_subtract(corner[2], corner[0], edge[1]);
            vector_cross(edge[0], edge[1], normal);
            for (int axis = 0; axis < 3; axis++)
                sum[axis] +=
                    (normal[axis] > 0) == patch->back ? patch->projected[axis] : -patch->projected[axis];
            seen += front ? patch->area : -patch->area;
        }
        for (int axis = 0; axis < 3; axis++) {
            most(&out->cracks, fabs(sum[axis]));
            inside[axis] += seen > 0 ? sum[axis] : 0;
        }
        volume += part->volume;
    }
    for (int axis = 0; axis < 3; axis++)
        most(&out->closed, fabs(inside[axis]));
    most(&out->parts, fabs(volume - 1));
    return 0;
}

static int look_at_voxels(const struct closed_room *room, const struct snapped_triangle *snapped,
                          struct cell_sums *out, struct failure *failure)
{
    const size_t triangles = room->mesh.triangle_count;
    struct triangle_bins bins = {0};
    struct cell_parts parts = {0};
    uint32_t *index = malloc((triangles + 1) * sizeof *index);
    int result = index == NULL ? failure_memory(failure, triangles * sizeof *index, "a list") : 0;
    if (result == 0)
        result = triangle_bins_of(snapped, triangles, LATTICE_SUBSTEPS / 2, &bins, failure);
    for (size_t b = 0; result == 0 && b < bins.block_count; b++)
        for (int64_t slot = 0; result == 0 && slot < 512; slot++) {
            int32_t place[3];
            int64_t node[3];
            size_t count = 0;
            block_key_place(bins.key[b], place);
            for (int axis = 0; axis < 3; axis++)
                node[axis] = 8 * (int64_t)place[axis] + (slot >> 3 * axis & 7);
            for (size_t i = bins.first[b]; i < bins.first[b + 1]; i++)
                if (cell_meets(node, &snapped[bins.triangle[i]]))
                    index[count++] = bins.triangle[i];
            if (count > 0)
                result = look_at_voxel(room, node, snapped, index, count, &parts, out, failure);
        }
    triangle_bins_free(&bins);
    cell_parts_free(&parts);
    free(index);
    return result;
}

int cell_sums_make(const struct closed_room *room, int threads, struct cell_sums *out,
                   struct failure *failure)
{
    const struct mesh *const mesh = &room->mesh;
    const struct voxelise_options options = {.cells = true, .threads = threads};
    struct voxel_seed seed = {.kind = SEED_SOURCE,
                              .name = "source",
                              .position = {room->source[0], room->source[1], room->source[2]}};
    struct snapped_triangle *const snapped = malloc((mesh->triangle_count + 1) * sizeof *snapped);
    double *const area = calloc(2 * mesh->material_count + 1, sizeof *area), *const wanted_area =
                                                                                 area + mesh->material_count;
    struct voxels voxels = {0};
    double wanted, volume = 0;
    int result =
        snapped == NULL || area == NULL ? failure_memory(failure, mesh->triangle_count, "a mesh") : 0;
    *out = (struct cell_sums){0};
    if (result != 0 || (result = snap_triangles(mesh, &room->lattice, snapped, failure)) != 0 ||
        (result = voxelise(mesh, &room->lattice, &seed, 1, &options, &voxels, NULL, NULL, failure)) != 0)
        goto done;
    demand(voxels_check(&voxels, failure), "cells that cannot be", failure);
    add_triangles(room, snapped, &wanted, wanted_area);
    const struct voxel_area *next = voxels.area;
    for (size_t c = 0; c < voxels.cell_count; c++) {
        add_cell(&voxels.cell[c], next, &volume, area, out);
        next += voxels.cell[c].areas;
    }
    for (size_t p = 0; p < voxels.piece_count; p++)
        add_cell(&voxels.piece[p].cell, &voxels.area[voxels.piece[p].first_area], &volume, area, out);
    for (size_t o = 0; o < voxels.opening_count; o++)
        most(&out->whole, (double)voxels.opening[o].open - 1);
    volume += (double)(voxels.air_nodes - voxels.cell_count);
    out->cells = voxels.cell_count;
    out->pieces = voxels.piece_count;
    most(&out->volume, fabs(volume / wanted - 1));
    for (size_t m = 0; m < mesh->material_count; m++)
        if (wanted_area[m] > 0 || area[m] > 0)
            most(&out->area, fabs(area[m] / wanted_area[m] - 1));
    result = look_at_voxels(room, snapped, out, failure);
done:
    voxels_free(&voxels);
    free(snapped);
    free(area);
    return result;
}

bool cell_sums_hold(const struct cell_sums *sums, bool rims)
{
    return sums->cells > 0 && sums->volume <= (rims ? 2e-5 : 1e-5) && sums->area <= (rims ? 2e-3 : 1e-5) &&
           sums->whole <= 1e-6 && sums->parts <= 1e-6 && sums->closed <= (rims ? 2 * CELL_CRACK : 1e-6) &&
           sums->cracks <= (rims ? 4 * CELL_CRACK : 5e-3);
}
