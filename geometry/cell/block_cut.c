#include "geometry/cell/block_cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/array_room.h"
#include "geometry/base/vector.h"
#include "geometry/cell/cell_plane.h"

#define VOLUME_LEAST   1e-9  /* h^3 */
#define THIN_LEAST     1e-6  /* h^2: hidden area of a body that ends in the voxel */
#define PATCH_LEAST    1e-12 /* h^2: of a patch that contains the axis */
#define PATCHES_PAIRED 64
#define SAME_CORNER    1e-9 /* h */
#define POCKET_NODES   8    /* nodes of a pocket; the window reaches that far */
#define MIDDLE_NEAR    1e-9 /* h: closer places are equal */
#define SHEET_LEAVES   (2.0 / 3)

static const char purpose[] = "the pieces of voxels at walls";

void block_cut_free(struct block_cut *cut)
{
    free(cut->part);
    free(cut->pair);
    free(cut->triangle);
    free(cut->shape);
    free(cut->polygon);
    free(cut->corner);
    cell_parts_free(&cut->last);
    *cut = (struct block_cut){0};
}

struct gathering {
    struct block_cut *cut;
    const struct snapped_triangle *snapped;
    uint32_t triangle;
    struct failure *failure;
};

static int gather_voxel(void *context, const int32_t place[3])
{
    const struct gathering *gathering = context;
    struct block_cut *cut = gathering->cut;
    const int64_t node[3] = {place[0], place[1], place[2]};
    int at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = place[axis] - 8 * cut->window.place[axis];
    if (!cell_meets(node, &gathering->snapped[gathering->triangle]))
        return 0;
    struct voxel_triangle *grown =
        array_room(cut->pair, &cut->pair_room, cut->pairs + 1, sizeof *grown, purpose, gathering->failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    cut->pair = grown;
    cut->pair[cut->pairs++] =
        (struct voxel_triangle){(uint16_t)(block_cut_voxel(cut, at) - cut->voxel), gathering->triangle};
    return 0;
}

/** Gather the triangles of one block of the window, in its voxels that belong to the cut. */
static int gather_block(const struct cell_field *field, struct block_cut *cut, int number,
                        struct failure *failure)
{
    struct cube_range range = {.log2 = 10, .shift = VOXEL_SHIFT};
    const size_t bin = cut->window.bin[number];
    if (bin == SIZE_MAX)
        return 0;
    for (int axis = 0, step = 1; axis < 3; axis++, step *= 3) {
        const int behind = number / step % 3 == 2;
        range.first[axis] = 8 * (cut->window.place[axis] + behind);
        range.last[axis] = range.first[axis] + (behind ? 0 : 7);
    }
    /* Ribbons come last. */
    for (size_t i = field->bins.first[bin];
         i < field->bins.first[bin + 1] && field->bins.triangle[i] < field->room->walls->triangle_count;
         i++) {
        struct gathering gathering = {cut, field->room->snapped, field->bins.triangle[i], failure};
        TRY(triangle_cubes(&field->room->snapped[gathering.triangle], &range, gather_voxel, &gathering));
    }
    return 0;
}

int block_cut_start(const struct cell_field *field, const int32_t place[3], bool behind,
                    struct block_cut *cut, struct failure *failure)
{
    const size_t voxels = CUT_SIDE * CUT_SIDE * CUT_SIDE;
    cell_window_look(field, place, &cut->window);
    memset(cut->voxel, 0, sizeof cut->voxel);
    cut->parts = cut->polygons = cut->corners = cut->pairs = 0;
    TRY(gather_block(field, cut, CELL_WINDOW_MIDDLE, failure));
    for (int axis = 0, step = 1; axis < 3 && behind; axis++, step *= 3)
        TRY(gather_block(field, cut, CELL_WINDOW_MIDDLE + step, failure));
    uint32_t *grown =
        array_room(cut->triangle, &cut->triangle_room, cut->pairs + 1, sizeof *grown, purpose, failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    cut->triangle = grown;
    /* By voxel; triangles of a voxel come from one block and stay rising. */
    memset(cut->first_triangle, 0, sizeof cut->first_triangle);
    for (size_t i = 0; i < cut->pairs; i++)
        cut->first_triangle[cut->pair[i].voxel + 1]++;
    for (size_t v = 0; v < voxels; v++)
        cut->first_triangle[v + 1] += cut->first_triangle[v];
    for (size_t i = 0; i < cut->pairs; i++)
        cut->triangle[cut->first_triangle[cut->pair[i].voxel]++] = cut->pair[i].triangle;
    memmove(cut->first_triangle + 1, cut->first_triangle, voxels * sizeof *cut->first_triangle);
    cut->first_triangle[0] = 0;
    return 0;
}

/** A patch as met by lines along an axis. */
struct met_patch {
    double area, middle[3]; /* projected; the middle is known along axes outside the patch */
    double normal[3];       /* out of the wall into the part, of any length */
    bool known[3];
};

static void project_patch(const struct snapped_triangle *snapped, const struct cell_patch *patch, int axis,
                          struct met_patch *out)
{
    const int32_t(*corner)[3] = snapped[patch->triangle].corner;
    out->area = patch->projected[axis];
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        const int64_t normal =
            ((int64_t)corner[1][u] - corner[0][u]) * ((int64_t)corner[2][v] - corner[0][v]) -
            ((int64_t)corner[1][v] - corner[0][v]) * ((int64_t)corner[2][u] - corner[0][u]);
        out->normal[k] = patch->back ? -(double)normal : (double)normal;
        out->known[k] = patch->projected[k] > PATCH_LEAST;
        out->middle[k] = out->known[k] ? patch->moment[k] / patch->projected[k] : 0;
    }
}

/** Position of the plane of a patch along the axis, on the line through a point across it. */
static double depth_of(const struct met_patch *patch, int axis, const double at[3])
{
    double depth = patch->middle[axis];
    for (int k = 0; k < 3; k++)
        if (k != axis && patch->known[k])
            depth -= patch->normal[k] / patch->normal[axis] * (at[k] - patch->middle[k]);
    return depth;
}

/** How far lines along the axis run in air between the two patches; where negative, in a body; 0 between the
 * two sides of a sheet. */
static double air_between(const struct met_patch *up, const struct met_patch *down, int axis)
{
    double at[3];
    for (int k = 0; k < 3; k++)
        at[k] = up->known[k] && down->known[k] ? (up->middle[k] + down->middle[k]) / 2
                                               : up->middle[k] + down->middle[k];
    return depth_of(down, axis, at) - depth_of(up, axis, at);
}

/** Share of an opening that a body with an edge in the voxel leaves, as thick as that along the axis, where
 * lines leave `open` of it (air_cells.h). */
static double share_left(double open, double thickness)
{
    const double narrow = open / SHEET_LEAVES + thickness * (1 - open);
    return open > SHEET_LEAVES ? open : narrow > 0 ? larger(open, open / narrow) : SHEET_LEAVES;
}

/** Subtract, from the openings of a part, what bodies ending in the voxel hide along every axis: the share of
 * double crossings without air between. */
static void take_thin_bodies(const struct snapped_triangle *snapped, const struct cell_parts *parts,
                             const struct cell_part *part, float factor[DIRECTIONS])
{
    const struct cell_patch *patch = parts->patch + part->first_patch;
    for (int axis = 0; axis < 3; axis++) {
        double area = 0, moment = 0, body = 0, air = 0, thickness = 0;
        const double *face = &part->face[2 * axis];
        factor[2 * axis] = factor[2 * axis + 1] = 1;
        for (uint32_t i = 0; i < part->patches; i++) {
            area += patch[i].projected[axis];
            moment += patch[i].moment[axis];
        }
        double hidden = (area - fabs(face[1] - face[0])) / 2;
        if (!(hidden > THIN_LEAST))
            continue;
        const uint32_t step = 1 + part->patches / PATCHES_PAIRED; /* of very many patches a sample suffices */
        for (uint32_t i = 0; i < part->patches; i += step) {
            struct met_patch up, down;
            project_patch(snapped, &patch[i], axis, &up);
            if (up.area <= PATCH_LEAST || up.normal[axis] <= 0)
                continue;
            for (uint32_t k = 0; k < part->patches; k += step) {
                project_patch(snapped, &patch[k], axis, &down);
                if (!(down.area > PATCH_LEAST && down.normal[axis] < 0))
                    continue;
                const double between = air_between(&up, &down, axis);
                *(between > MIDDLE_NEAR ? &air : &body) += up.area * down.area;
                thickness -= smaller(between, 0) * up.area * down.area;
            }
        }
        if (!(body > 0))
            continue;
        hidden *= body / (body + air);
        const int side = moment / area >= -MIDDLE_NEAR;
        if (face[side] > 0)
            factor[2 * axis + side] = (float)share_left(larger(1 - hidden / face[side], 0), thickness / body);
    }
}

/** True if the node is in a pocket that no flood can enter: at most POCKET_NODES nodes joined by uncut links,
 * all in voxels with triangles. Pockets occur in sharp corners and between the skins of a wall. */
static bool is_in_pocket(const struct cell_field *field, const struct cell_window *window, const int at[3])
{
    const struct cut_field *links = field->flood->field;
    int member[POCKET_NODES][3], count = 1;
    memcpy(member[0], at, sizeof member[0]);
    for (int m = 0; m < count; m++) {
        int64_t node[3];
        cell_window_node(window, member[m], node);
        if (!lattice_has(&links->lattice, node))
            return false;
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            int next[3] = {member[m][0], member[m][1], member[m][2]}, known = 0;
            next[direction / 2] += direction % 2 == 0 ? -1 : 1;
            while (known < count && memcmp(member[known], next, sizeof next) != 0)
                known++;
            if (known < count || cut_field_is_cut(links, node, (enum direction)direction))
                continue;
            if (count == POCKET_NODES || !cell_window_met(window, next))
                return false;
            memcpy(member[count++], next, sizeof next);
        }
    }
    return true;
}

/** State of a part, by the centre, or by the widest opening if it leads to a voxel without triangles. */
static enum part_state state_of_part(const struct cell_field *field, const struct cell_window *window,
                                     const int at[3], const struct cut_part *part)
{
    if (part->volume < VOLUME_LEAST)
        return PART_NOT;
    if (part->holds_centre) {
        if (cell_window_air(window, at))
            return PART_AIR;
        if (!is_in_pocket(field, window, at))
            return PART_NOT;
    }
    double widest = CELL_OPENING_LEAST, open[DIRECTIONS];
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        open[direction] = part->face[direction] * (double)part->factor[direction];
        widest = widest > open[direction] ? widest : open[direction];
    }
    enum part_state state = PART_NOT;
    bool first = true;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        if (open[direction] < widest)
            continue;
        int next[3] = {at[0], at[1], at[2]};
        next[direction / 2] += direction % 2 == 0 ? -1 : 1;
        const enum part_state there = cell_window_met(window, next)   ? PART_OPEN
                                      : cell_window_air(window, next) ? PART_AIR
                                                                      : PART_NOT;
        state = first || state == there ? there : PART_OPEN;
        first = false;
    }
    return state;
}

/** Keep the polygons of the voxel that was cut last, for openings. */
static int keep_shapes(struct block_cut *cut, struct cut_voxel *voxel, struct failure *failure)
{
    const struct cell_parts *last = &cut->last;
    struct cut_part *part =
        array_room(cut->part, &cut->part_room, cut->parts + last->parts + 1, sizeof *part, purpose, failure);
    if (part == NULL)
        return FAILURE_CAPACITY;
    cut->part = part;
    struct cell_part *shape = array_room(cut->shape, &cut->shape_room, cut->parts + last->parts + 1,
                                         sizeof *shape, purpose, failure);
    if (shape == NULL)
        return FAILURE_CAPACITY;
    cut->shape = shape;
    struct cell_polygon *polygon =
        array_room(cut->polygon, &cut->polygon_room, cut->polygons + last->polygons + 1, sizeof *polygon,
                   purpose, failure);
    if (polygon == NULL)
        return FAILURE_CAPACITY;
    cut->polygon = polygon;
    double(*corner)[2] = array_room(cut->corner, &cut->corner_room, cut->corners + last->corners + 1,
                                    sizeof *corner, purpose, failure);
    if (corner == NULL)
        return FAILURE_CAPACITY;
    cut->corner = corner;
    *voxel = (struct cut_voxel){.cut = true,
                                .parts = (uint32_t)last->parts,
                                .polygons = (uint32_t)last->polygons,
                                .first_part = cut->parts,
                                .first_polygon = cut->polygons,
                                .first_corner = cut->corners};
    if (last->parts > 0)
        memcpy(shape + cut->parts, last->part, last->parts * sizeof *shape);
    if (last->polygons > 0)
        memcpy(polygon + cut->polygons, last->polygon, last->polygons * sizeof *polygon);
    if (last->corners > 0)
        memcpy(corner + cut->corners, last->corner, last->corners * sizeof *corner);
    cut->parts += last->parts;
    cut->polygons += last->polygons;
    cut->corners += last->corners;
    return 0;
}

int block_cut_voxel_at(const struct cell_field *field, struct block_cut *cut, const int at[3],
                       struct failure *failure)
{
    const struct snapped_triangle *snapped = field->room->snapped;
    const struct cell_window *window = &cut->window;
    struct cut_voxel *voxel = block_cut_voxel(cut, at);
    const size_t first = cut->first_triangle[voxel - cut->voxel];
    const size_t count = cut->first_triangle[voxel - cut->voxel + 1] - first;
    int64_t node[3];
    cell_window_node(window, at, node);
    const uint32_t *const triangle = cut->triangle + first;
    bool done = false;
    if (count == 1)
        TRY(cell_plane_cut(node, &snapped[*triangle], *triangle, &cut->last, &done, failure));
    if (!done)
        TRY(cell_parts_cut(node, snapped, triangle, count, &cut->last, failure));
    TRY(keep_shapes(cut, voxel, failure));
    bool open = false;
    voxel->dense = DENSE_NONE;
    for (uint32_t p = 0; p < voxel->parts; p++) {
        struct cell_part *shape = &cut->shape[voxel->first_part + p];
        struct cut_part *part = &cut->part[voxel->first_part + p];
        part->volume = shape->volume;
        part->holds_centre = shape->holds_centre;
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            int next[3] = {at[0], at[1], at[2]};
            next[direction / 2] += direction % 2 == 0 ? -1 : 1;
            part->face[direction] = shape->face[direction];
            if (!cell_window_met(window, next)) /* no triangle meets the face */
                part->face[direction] = shape->face[direction] > 0.5;
        }
        take_thin_bodies(snapped, &cut->last, shape, part->factor);
        part->state = p < PARTS_MOST ? (uint8_t)state_of_part(field, window, at, part) : PART_NOT;
        open = open || part->state == PART_OPEN;
        if (part->state == PART_AIR &&
            (voxel->dense == DENSE_NONE || (part->holds_centre && cell_window_air(window, at))))
            voxel->dense = (uint8_t)p;
    }
    if (open && !(voxel->dense < PARTS_MOST && cut->part[voxel->first_part + voxel->dense].holds_centre &&
                  cell_window_air(window, at)))
        voxel->dense = DENSE_UNKNOWN;
    return 0;
}

/** A voxel in the form that cell_opening() takes. */
static struct cell_parts shapes_of(const struct block_cut *cut, const struct cut_voxel *voxel)
{
    return (struct cell_parts){.parts = voxel->parts,
                               .polygons = voxel->polygons,
                               .part = cut->shape + voxel->first_part,
                               .polygon = cut->polygon + voxel->first_polygon,
                               .corner = cut->corner + voxel->first_corner};
}

/** Number of parts that meet a face. */
static int count_touching(const struct block_cut *cut, const struct cut_voxel *voxel,
                          enum direction direction)
{
    int count = 0;
    for (uint32_t p = 0; p < voxel->parts; p++)
        count += cut->part[voxel->first_part + p].face[direction] > CELL_OPENING_LEAST;
    return count;
}

/** The polygon of a part in a face; NULL if it has several. */
static const struct cell_polygon *find_only_polygon(const struct cell_parts *parts, size_t p,
                                                    enum direction face)
{
    const struct cell_polygon *found = NULL;
    for (uint32_t i = 0; i < parts->part[p].polygons; i++) {
        const struct cell_polygon *polygon = &parts->polygon[parts->part[p].first_polygon + i];
        if (polygon->face != face)
            continue;
        if (found != NULL)
            return NULL;
        found = polygon;
    }
    return found;
}

/** True if the two polygons are equal, their corners in any order, as most often at one flat wall. */
static bool same_polygon(const struct cell_parts *one, const struct cell_polygon *a,
                         const struct cell_parts *other, const struct cell_polygon *b)
{
    bool same = a != NULL && b != NULL && a->corners == b->corners;
    for (uint32_t i = 0; same && i < a->corners; i++) {
        uint32_t k = 0;
        while (k < b->corners &&
               !(fabs(one->corner[a->first + i][0] - other->corner[b->first + k][0]) < SAME_CORNER &&
                 fabs(one->corner[a->first + i][1] - other->corner[b->first + k][1]) < SAME_CORNER))
            k++;
        same = k < b->corners;
    }
    return same;
}

double block_cut_opening(struct block_cut *cut, const int at[3], size_t a, int axis, size_t b)
{
    int next[3] = {at[0], at[1], at[2]};
    next[axis]++;
    const struct cut_voxel *from = block_cut_voxel(cut, at), *to = block_cut_voxel(cut, next);
    const enum direction up = (enum direction)(2 * axis + 1);
    const double here = cut->part[from->first_part + a].face[up];
    const double there = cut->part[to->first_part + b].face[up ^ 1];
    if (here <= CELL_OPENING_LEAST || there <= CELL_OPENING_LEAST)
        return 0;
    if (count_touching(cut, to, up ^ 1) == 1)
        return here;
    if (count_touching(cut, from, up) == 1)
        return there;
    const struct cell_parts one = shapes_of(cut, from), other = shapes_of(cut, to);
    if (fabs(here - there) < SAME_CORNER &&
        same_polygon(&one, find_only_polygon(&one, a, up), &other, find_only_polygon(&other, b, up ^ 1)))
        return here;
    const double open = cell_opening(&one, a, up, &other, b);
    return open > CELL_OPENING_LEAST ? open : 0;
}
