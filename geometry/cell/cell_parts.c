#include "geometry/cell/cell_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/cell/cell_partition.h"

#define VOLUME_LEAST 1e-15 /* of a part: smaller ones are due to rounding */
#define TINY_OPEN                                                                                            \
    0.01 /* share of the surface for bodies too small to have an opening of CELL_OPENING_LEAST */
#define MUCH_OPEN    (8 * CELL_CRACK) /* more than a crack: an opening that planes divide into narrow ones */
#define WHOLE_FACE   (1 - 1e-12)
#define SORT_BY_HAND 16

/* Pieces of the polygon for all leaves under `child` that it passes through or bounds. */
static int spread_polygon(struct cell_memory *memory, int32_t child, const struct convex *polygon,
                          uint32_t face, struct failure *failure)
{
    while (child >= 0) {
        const struct split *split = &memory->split[child];
        struct convex half[2];
        int sides = convex_split(&split->plane, convex_outline(polygon), &half[0], &half[1]);
        if (sides == (CONVEX_BELOW | CONVEX_ABOVE)) {
            TRY(spread_polygon(memory, split->child[0], &half[0], face, failure));
            return spread_polygon(memory, split->child[1], &half[1], face, failure);
        }
        if (sides == 0)
            sides = convex_main_side(&split->plane, convex_outline(polygon));
        child = split->child[sides == CONVEX_ABOVE];
    }
    CELL_ROOM(memory->piece, memory->piece_room, memory->pieces + 1);
    struct piece *piece = &memory->piece[memory->pieces++];
    piece->leaf = CELL_LEAF_OF(child);
    piece->face = face;
    return cell_keep_corners(memory, convex_outline(polygon), &piece->first, &piece->corners, failure);
}

/* A face of the voxel adds offset x area / 3 to the volume of the leaf behind it, as does every other
 * boundary: the volume is the integral of x.n / 3 over all of them. */
static void add_boundary(struct cell_memory *memory, uint32_t leaf, double offset, double area)
{
    memory->leaf[leaf].volume += offset * area / 3;
    memory->leaf[leaf].surface += area;
}

static void face_square(int face, struct convex *out)
{
    static const double square[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    const int axis = face / 2;
    out->corners = 4;
    for (int i = 0; i < 4; i++) {
        out->corner[i][axis] = face % 2 == 0 ? -0.5 : 0.5;
        out->corner[i][(axis + 1) % 3] = square[i][0];
        out->corner[i][(axis + 2) % 3] = square[i][1];
    }
}

/* True if a polygon is no wider than a crack from snapping at the end of a wall on another. */
static bool is_crack(const double normal[3], struct outline polygon)
{
    for (uint32_t i = 0; i < polygon.corners; i++) {
        double along[3], across[3], low = 0, high = 0;
        vector_subtract(polygon.corner[(i + 1) % polygon.corners], polygon.corner[i], along);
        vector_cross(normal, along, across);
        for (uint32_t k = 0; k < polygon.corners; k++) {
            double to[3];
            vector_subtract(polygon.corner[k], polygon.corner[i], to);
            low = smaller(low, vector_dot(across, to));
            high = larger(high, vector_dot(across, to));
        }
        if (high - low <= CELL_CRACK * vector_length(across))
            return true;
    }
    return false;
}

static int spread_faces(struct cell_memory *memory, int32_t root, struct failure *failure)
{
    for (int face = 0; face < DIRECTIONS; face++) {
        struct convex square;
        double normal[3] = {0, 0, 0};
        normal[face / 2] = 1;
        face_square(face, &square);
        TRY(spread_polygon(memory, root, &square, (uint32_t)face, failure));
        for (size_t i = memory->pieces; i-- > 0 && memory->piece[i].face == (uint32_t)face;) {
            struct piece *piece = &memory->piece[i];
            piece->area = convex_area(normal, outline_of(memory, piece->first, piece->corners));
            add_boundary(memory, piece->leaf, 0.5, piece->area);
            struct leaf *leaf = &memory->leaf[piece->leaf];
            leaf->wide = leaf->wide || !is_crack(normal, outline_of(memory, piece->first, piece->corners));
        }
    }
    return 0;
}

static int add_sight(struct cell_memory *memory, uint32_t leaf, uint32_t side, double area,
                     const double moment[3], struct failure *failure)
{
    CELL_ROOM(memory->sight, memory->sight_room, memory->sights + 1);
    struct sight *sight = &memory->sight[memory->sights++];
    *sight = (struct sight){.leaf = leaf, .side = side, .area = area};
    memcpy(sight->moment, moment, sizeof sight->moment);
    return 0;
}

/* Keep in `polygon` its part on the wall, in whose plane it lies; the rest becomes pieces. */
static int cut_off_wall(struct cell_memory *memory, const struct cell_wall *wall, struct convex *polygon,
                        bool *on_wall, struct failure *failure)
{
    *on_wall = true;
    for (int i = 0; i < 3; i++)
        *on_wall = *on_wall && convex_sides(&wall->edge[i], convex_outline(polygon)) != CONVEX_BELOW;
    for (int i = 0; i < 3 && *on_wall && polygon->corners > 0; i++) {
        struct convex half[2];
        struct piece piece = {0};
        const int sides = convex_split(&wall->edge[i], convex_outline(polygon), &half[0], &half[1]);
        if ((sides & CONVEX_BELOW) == 0)
            continue;
        if (sides == CONVEX_BELOW)
            convex_copy(&half[0], convex_outline(polygon));
        convex_copy(polygon, convex_outline(&half[1]));
        if (convex_area(wall->plane.normal, convex_outline(&half[0])) > 0) {
            CELL_ROOM(memory->piece, memory->piece_room, memory->pieces + 1);
            TRY(cell_keep_corners(memory, convex_outline(&half[0]), &piece.first, &piece.corners, failure));
            memory->piece[memory->pieces++] = piece;
        }
    }
    return 0;
}

/* True if the first of two walls in the plane of a split hides the other. The smaller face does, then the one
 * with its front visible, then the lower triangle. */
static bool comes_first(const struct cell_memory *memory, const struct split *split, uint32_t seen_from,
                        uint32_t first, uint32_t other)
{
    const struct cell_wall *a = &memory->wall[first], *b = &memory->wall[other];
    const int order = compare_ranks(a->rank, b->rank);
    const bool front[2] = {is_front(&split->plane, a, seen_from), is_front(&split->plane, b, seen_from)};
    if (order != 0)
        return order < 0;
    return front[0] != front[1] ? front[0] : first < other;
}

/* Find the walls that the leaves on either side of a piece of a split's plane see; `open` receives the rest.
 * Below the plane with sides[0], above it with sides[1], or both if the order of walls has no effect. */
static int measure_opening(struct cell_memory *memory, const struct split *split,
                           const struct convex *polygon, const uint32_t leaf[2], const bool sides[2],
                           struct opening *open, struct failure *failure)
{
    const size_t mark = memory->pieces, corners = memory->corners;
    const uint32_t seen_from = sides[1] ? 1 : 0;
    struct piece whole = {0};
    double moment[3];
    CELL_ROOM(memory->piece, memory->piece_room, memory->pieces + 1);
    TRY(cell_keep_corners(memory, convex_outline(polygon), &whole.first, &whole.corners, failure));
    memory->piece[memory->pieces++] = whole;
    uint32_t *cover = &memory->cover[split->first_cover];
    for (uint32_t i = 1; i < split->covers; i++)
        for (uint32_t k = i; k > 0 && comes_first(memory, split, seen_from, cover[k], cover[k - 1]); k--) {
            const uint32_t swap = cover[k];
            cover[k] = cover[k - 1];
            cover[k - 1] = swap;
        }
    for (uint32_t i = 0; i < split->covers; i++) {
        const uint32_t number = cover[i];
        const struct cell_wall *wall = &memory->wall[number];
        const size_t before = memory->pieces;
        size_t kept = mark;
        for (size_t at = mark; at < before; at++) {
            struct convex seen;
            bool on_wall;
            const struct piece piece = memory->piece[at];
            convex_copy(&seen, outline_of(memory, piece.first, piece.corners));
            TRY(cut_off_wall(memory, wall, &seen, &on_wall, failure));
            if (!on_wall) {
                memory->piece[kept++] = piece;
                continue;
            }
            const double area = convex_moment(wall->plane.normal, convex_outline(&seen), moment);
            for (uint32_t side = 0; side < 2 && area > 0; side++)
                if (sides[side])
                    TRY(add_sight(memory, leaf[side], 2 * number + !is_front(&split->plane, wall, side), area,
                                  moment, failure));
        }
        memmove(&memory->piece[kept], &memory->piece[before],
                (memory->pieces - before) * sizeof *memory->piece);
        memory->pieces = kept + memory->pieces - before;
    }
    open->area = open->wide = 0;
    for (size_t i = mark; i < memory->pieces; i++) {
        const struct outline rest = outline_of(memory, memory->piece[i].first, memory->piece[i].corners);
        const double area = convex_area(split->plane.normal, rest);
        open->area += area;
        open->wide += is_crack(split->plane.normal, rest) ? 0 : area;
    }
    memory->pieces = mark;
    memory->corners = corners;
    return 0;
}

/* Process a piece of a split's plane between two leaves: boundaries, visible walls, opening. */
static int join_leaves(struct cell_memory *memory, const struct split *split, const struct convex *polygon,
                       const uint32_t leaf[2], struct failure *failure)
{
    static const bool both[2] = {true, true}, below[2] = {true, false}, above[2] = {false, true};
    struct opening open = {.end = {leaf[0], leaf[1]}};
    const double area = convex_area(split->plane.normal, convex_outline(polygon));
    if (!(area > 0))
        return 0;
    add_boundary(memory, leaf[0], split->plane.offset, area);
    add_boundary(memory, leaf[1], -split->plane.offset, area);
    if (split->covers == 0) {
        open.area = area;
        open.wide = split->rim && is_crack(split->plane.normal, convex_outline(polygon)) ? 0 : area;
    } else if (split->covers == 1) {
        TRY(measure_opening(memory, split, polygon, leaf, both, &open, failure));
    } else {
        TRY(measure_opening(memory, split, polygon, leaf, below, &open, failure));
        TRY(measure_opening(memory, split, polygon, leaf, above, &open, failure));
    }
    if (open.area > 0) {
        CELL_ROOM(memory->opening, memory->opening_room, memory->openings + 1);
        memory->opening[memory->openings++] = open;
    }
    return 0;
}

/* Spread the split's plane within its piece over the leaves above, and each part of it over those below. */
static int spread_split(struct cell_memory *memory, const struct split *split, struct failure *failure)
{
    const size_t mark = memory->pieces, corners = memory->corners;
    struct convex polygon;
    convex_section(&split->plane, &polygon);
    for (const struct split *inner = split; inner->parent != CELL_NO_PARENT && polygon.corners > 0;) {
        const struct split *outer = &memory->split[inner->parent];
        (void)convex_keep(&polygon, &outer->plane, inner->side == 0 ? CONVEX_BELOW : CONVEX_ABOVE);
        inner = outer;
    }
    if (polygon.corners < 3)
        return 0;
    TRY(spread_polygon(memory, split->child[1], &polygon, 0, failure));
    const size_t above = memory->pieces;
    for (size_t i = mark; i < above; i++) {
        const uint32_t leaf = memory->piece[i].leaf;
        convex_copy(&polygon, outline_of(memory, memory->piece[i].first, memory->piece[i].corners));
        TRY(spread_polygon(memory, split->child[0], &polygon, 0, failure));
        const size_t below = memory->pieces;
        for (size_t k = above; k < below; k++) {
            const uint32_t pair[2] = {memory->piece[k].leaf, leaf};
            convex_copy(&polygon, outline_of(memory, memory->piece[k].first, memory->piece[k].corners));
            TRY(join_leaves(memory, split, &polygon, pair, failure));
        }
        memory->pieces = above;
    }
    memory->pieces = mark;
    memory->corners = corners;
    return 0;
}

static uint32_t group_of(struct cell_memory *memory, uint32_t leaf)
{
    while (memory->leaf[leaf].group != leaf) {
        const uint32_t next = memory->leaf[leaf].group;
        memory->leaf[leaf].group = memory->leaf[next].group;
        leaf = next;
    }
    return leaf;
}

static int by_ends(const void *first, const void *second)
{
    const struct opening *a = first, *b = second;
    for (int end = 0; end < 2; end++)
        if (a->end[end] != b->end[end])
            return a->end[end] < b->end[end] ? -1 : 1;
    return (a->area < b->area) - (a->area > b->area);
}

static int by_side(const void *first, const void *second)
{
    const struct sight *a = first, *b = second;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static void unite_leaves(struct leaf *low, struct leaf *high)
{
    high->group = low->group;
    low->volume += high->volume;
    low->surface += high->surface;
    low->wide = low->wide || high->wide;
}

static int by_area(const void *first, const void *second)
{
    const struct opening *a = first, *b = second;
    return a->area != b->area ? (a->area < b->area) - (a->area > b->area) : by_ends(first, second);
}

static bool is_thin(const struct leaf *leaf)
{
    return !leaf->wide && leaf->volume < CELL_CRACK * leaf->surface;
}

static bool is_thin_leaf(const struct leaf *leaf, double open)
{
    return is_thin(leaf) && open >= TINY_OPEN * leaf->surface;
}

/* Join thin leaves that have only cracks with the leaf to which they are most open. Near rims a leaf may
 * belong to the other side in the next voxel, so its areas in faces open to nothing. */
static void join_thin_leaves(struct cell_memory *memory)
{
    if (memory->openings == 0)
        return;
    for (uint32_t i = 0; i < memory->leaves; i++) {
        struct leaf *leaf = &memory->leaf[i];
        leaf->piece = group_of(memory, i);
        leaf->crumb = leaf->piece == i && is_thin(leaf);
    }
    qsort(memory->opening, memory->openings, sizeof *memory->opening, by_area);
    for (size_t i = 0; i < memory->openings; i++) {
        const struct opening *opening = &memory->opening[i];
        const uint32_t a = group_of(memory, opening->end[0]), b = group_of(memory, opening->end[1]);
        struct leaf *low = &memory->leaf[a < b ? a : b], *high = &memory->leaf[a < b ? b : a];
        if (a == b || !(is_thin_leaf(low, opening->area) || is_thin_leaf(high, opening->area)))
            continue;
        for (int end = 0; end < 2; end++) {
            struct leaf *leaf = &memory->leaf[opening->end[end]];
            leaf->shut = leaf->crumb && memory->rims > 0;
        }
        unite_leaves(low, high);
    }
}

/* Join groups of leaves with openings between them, until there are none. */
static void join_groups(struct cell_memory *memory)
{
    for (bool joined = true; joined && memory->openings > 0;) {
        size_t kept = 0;
        joined = false;
        for (size_t i = 0; i < memory->openings; i++) {
            struct opening opening = memory->opening[i];
            const uint32_t a = group_of(memory, opening.end[0]), b = group_of(memory, opening.end[1]);
            if (a == b)
                continue;
            opening.end[0] = a < b ? a : b;
            opening.end[1] = a < b ? b : a;
            memory->opening[kept++] = opening;
        }
        qsort(memory->opening, kept, sizeof *memory->opening, by_ends);
        memory->openings = 0;
        for (size_t i = 0; i < kept; i++) {
            struct opening *last = &memory->opening[memory->openings - (memory->openings > 0)];
            if (memory->openings > 0 && last->end[0] == memory->opening[i].end[0] &&
                last->end[1] == memory->opening[i].end[1]) {
                last->area += memory->opening[i].area;
                last->wide += memory->opening[i].wide;
            } else
                memory->opening[memory->openings++] = memory->opening[i];
        }
        for (size_t i = 0; i < memory->openings; i++) {
            const uint32_t a = group_of(memory, memory->opening[i].end[0]);
            const uint32_t b = group_of(memory, memory->opening[i].end[1]);
            struct leaf *low = &memory->leaf[a < b ? a : b], *high = &memory->leaf[a < b ? b : a];
            const double tiny = TINY_OPEN * smaller(low->surface, high->surface);
            if (a != b && (memory->opening[i].wide >= CELL_OPENING_LEAST ||
                           memory->opening[i].area >= (memory->rims > 0 ? MUCH_OPEN : tiny))) {
                unite_leaves(low, high);
                joined = true;
            }
        }
    }
    join_thin_leaves(memory);
}

static int make_parts(struct cell_memory *memory, struct cell_parts *out, struct failure *failure)
{
    for (uint32_t leaf = 0; leaf < memory->leaves; leaf++) {
        const double volume = memory->leaf[leaf].volume;
        if (memory->leaf[leaf].group != leaf || !(volume > VOLUME_LEAST))
            continue;
        CELL_ROOM(memory->group, memory->group_room, memory->groups + 1);
        size_t at = memory->groups++;
        for (; at > 0 && memory->leaf[memory->group[at - 1]].volume < volume; at--)
            memory->group[at] = memory->group[at - 1];
        memory->group[at] = leaf;
    }
    CELL_ROOM(out->part, out->part_room, memory->groups);
    out->parts = memory->groups;
    for (size_t i = 0; i < memory->groups; i++) {
        memory->leaf[memory->group[i]].part = (uint32_t)i;
        out->part[i] = (struct cell_part){.volume = memory->leaf[memory->group[i]].volume};
    }
    for (uint32_t leaf = 0; leaf < memory->leaves; leaf++)
        memory->leaf[leaf].part = memory->leaf[group_of(memory, leaf)].part;
    return 0;
}

static int add_polygon(struct cell_parts *out, int face, struct outline polygon, struct failure *failure)
{
    const int axis = face / 2;
    CELL_ROOM(out->polygon, out->polygon_room, out->polygons + 1);
    CELL_ROOM(out->corner, out->corner_room, out->corners + polygon.corners);
    out->polygon[out->polygons++] = (struct cell_polygon){
        .face = (uint8_t)face, .first = (uint32_t)out->corners, .corners = polygon.corners};
    for (uint32_t i = 0; i < polygon.corners; i++, out->corners++) {
        out->corner[out->corners][0] = polygon.corner[i][(axis + 1) % 3];
        out->corner[out->corners][1] = polygon.corner[i][(axis + 2) % 3];
    }
    return 0;
}

/* Areas in faces and their polygons: one if a part fills a face. */
static int make_polygons(const struct cell_memory *memory, struct cell_parts *out, struct failure *failure)
{
    for (size_t i = 0; i < memory->pieces; i++) {
        const uint32_t part = memory->leaf[memory->piece[i].leaf].part;
        if (memory->leaf[memory->leaf[memory->piece[i].leaf].piece].shut)
            memory->piece[i].area = 0;
        if (part != CELL_NO_PART)
            out->part[part].face[memory->piece[i].face] += memory->piece[i].area;
    }
    for (size_t p = 0; p < out->parts; p++) {
        struct cell_part *part = &out->part[p];
        part->first_polygon = (uint32_t)out->polygons;
        for (int face = 0; face < DIRECTIONS; face++)
            if (part->face[face] >= WHOLE_FACE) {
                struct convex square;
                part->face[face] = 1;
                face_square(face, &square);
                TRY(add_polygon(out, face, convex_outline(&square), failure));
            }
        for (size_t i = 0; i < memory->pieces; i++) {
            const struct piece *piece = &memory->piece[i];
            if (memory->leaf[piece->leaf].part == p && piece->area > 0 && part->face[piece->face] < 1)
                TRY(add_polygon(out, (int)piece->face, outline_of(memory, piece->first, piece->corners),
                                failure));
        }
        part->polygons = (uint32_t)out->polygons - part->first_polygon;
    }
    return 0;
}

static void sort_sights(struct sight *sight, size_t count)
{
    if (count > SORT_BY_HAND) {
        qsort(sight, count, sizeof *sight, by_side);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const struct sight moved = sight[i];
        size_t at = i;
        for (; at > 0 && by_side(&sight[at - 1], &moved) > 0; at--)
            sight[at] = sight[at - 1];
        sight[at] = moved;
    }
}

/* Visible areas of every side of a wall, summed by part. */
static int make_patches(struct cell_memory *memory, struct cell_parts *out, struct failure *failure)
{
    size_t kept = 0;
    for (size_t i = 0; i < memory->sights; i++) {
        struct sight sight = memory->sight[i];
        sight.part = memory->leaf[sight.leaf].part;
        sight.order = (uint32_t)i;
        if (sight.part != CELL_NO_PART)
            memory->sight[kept++] = sight;
    }
    sort_sights(memory->sight, kept);
    CELL_ROOM(out->patch, out->patch_room, kept);
    for (size_t i = 0; i < kept;) {
        const struct sight *first = &memory->sight[i];
        const struct cell_wall *wall = &memory->wall[first->side / 2];
        struct cell_part *part = &out->part[first->part];
        struct cell_patch patch = {.triangle = wall->triangle, .back = first->side % 2 != 0};
        for (; i < kept && memory->sight[i].part == first->part && memory->sight[i].side == first->side;
             i++) {
            patch.area += memory->sight[i].area;
            for (int axis = 0; axis < 3; axis++)
                patch.moment[axis] += fabs(wall->plane.normal[axis]) * memory->sight[i].moment[axis];
        }
        if (patch.area < CELL_AREA_LEAST)
            continue;
        for (int axis = 0; axis < 3; axis++)
            patch.projected[axis] = fabs(wall->plane.normal[axis]) * patch.area;
        if (part->patches++ == 0)
            part->first_patch = (uint32_t)out->patches;
        out->patch[out->patches++] = patch;
    }
    return 0;
}

int cell_parts_cut(const int64_t node[3], const struct snapped_triangle *snapped, const uint32_t *index,
                   size_t count, struct cell_parts *out, struct failure *failure)
{
    bool centre_on_wall;
    int32_t root;
    if (out->memory == NULL)
        out->memory = calloc(1, sizeof *out->memory);
    struct cell_memory *memory = out->memory;
    if (memory == NULL)
        return failure_memory(failure, sizeof *memory, CELL_PURPOSE);
    memory->pieces = memory->openings = memory->groups = 0;
    out->parts = out->patches = out->polygons = out->corners = 0;

    TRY(cell_partition_make(memory, node, snapped, index, count, &root, &centre_on_wall, failure));
    TRY(spread_faces(memory, root, failure));
    for (size_t i = 0; i < memory->splits; i++)
        TRY(spread_split(memory, &memory->split[i], failure));
    join_groups(memory);
    TRY(make_parts(memory, out, failure));
    TRY(make_polygons(memory, out, failure));
    TRY(make_patches(memory, out, failure));

    int32_t at = root;
    while (at >= 0)
        at = memory->split[at].child[memory->split[at].centre > 0];
    const uint32_t part = memory->leaf[CELL_LEAF_OF(at)].part;
    if (!centre_on_wall && part != CELL_NO_PART)
        out->part[part].holds_centre = true;
    return 0;
}

bool cell_meets(const int64_t node[3], const struct snapped_triangle *triangle)
{
    return cell_wall_meets(node, triangle);
}

void cell_parts_free(struct cell_parts *parts)
{
    struct cell_memory *memory = parts->memory;
    if (memory != NULL) {
        free(memory->wall);
        free(memory->fragment);
        free(memory->corner);
        free(memory->split);
        free(memory->leaf);
        free(memory->cover);
        free(memory->piece);
        free(memory->opening);
        free(memory->sight);
        free(memory->group);
    }
    free(memory);
    free(parts->part);
    free(parts->patch);
    free(parts->polygon);
    free(parts->corner);
    *parts = (struct cell_parts){0};
}

double cell_opening(const struct cell_parts *from, size_t a, enum direction direction,
                    const struct cell_parts *to, size_t b)
{
    if (direction % 2 == 0) /* computed from the lower voxel, so that both voxels get the same number */
        return cell_opening(to, b, direction ^ 1, from, a);
    const struct cell_part *low = &from->part[a], *high = &to->part[b];
    const int high_face = (int)direction ^ 1;
    if (low->face[direction] == 1 || high->face[high_face] == 1)
        return smaller(low->face[direction], high->face[high_face]);
    double area = 0;
    for (size_t i = low->first_polygon; i < low->first_polygon + low->polygons; i++) {
        const struct cell_polygon *first = &from->polygon[i];
        for (size_t k = high->first_polygon; k < high->first_polygon + high->polygons; k++) {
            const struct cell_polygon *second = &to->polygon[k];
            if (first->face == direction && second->face == high_face)
                area += convex_common((const double(*)[2])from->corner + first->first, first->corners,
                                      (const double(*)[2])to->corner + second->first, second->corners);
        }
    }
    return area;
}
