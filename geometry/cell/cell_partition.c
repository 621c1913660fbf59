#include "geometry/cell/cell_partition.h"

#include <string.h>

#include "geometry/voxel/coplanar.h"

#define FEW         24 /* fragments that are divided by their own planes; more are divided by planes between them */
#define CANDIDATES  3      /* planes compared for a division */
#define TOGETHER    1e-8   /* planes closer than this, and askew by less than ten times this, are equal */
#define SPLITS_MAX  20000u /* planes that divide one voxel, */
#define SPLITS_EACH 16u    /* and as many more for each of its triangles; */
#define DEPTH_MAX   96u    /* and that divide one piece of it */

int cell_keep_corners(struct cell_memory *memory, struct outline polygon, uint32_t *first, uint32_t *corners,
                      struct failure *failure)
{
    CELL_ROOM(memory->corner, memory->corner_room, memory->corners + polygon.corners);
    *first = (uint32_t)memory->corners;
    *corners = polygon.corners;
    memcpy(memory->corner[memory->corners], polygon.corner, polygon.corners * sizeof polygon.corner[0]);
    memory->corners += polygon.corners;
    return 0;
}

static int add_fragment(struct cell_memory *memory, size_t wall, const struct convex *polygon, bool rim,
                        struct failure *failure)
{
    struct fragment fragment = {.wall = (uint32_t)wall, .rim = rim};
    CELL_ROOM(memory->fragment, memory->fragment_room, memory->fragments + 1);
    TRY(cell_keep_corners(memory, convex_outline(polygon), &fragment.first, &fragment.corners, failure));
    memory->fragment[memory->fragments++] = fragment;
    memory->rims += rim;
    return 0;
}

/* The part of a polygon at heights between `low` and `high` above the plane; false if empty. */
static bool has_between(const struct plane *plane, double low, double high, struct outline polygon)
{
    struct plane limit[2] = {*plane, *plane};
    limit[0].offset += low;
    limit[1].offset += high;
    return convex_sides(&limit[0], polygon) != CONVEX_BELOW &&
           convex_sides(&limit[1], polygon) != CONVEX_ABOVE;
}

static void corners_of(const int64_t node[3], const struct snapped_triangle *triangle, double corner[3][3])
{
    for (int i = 0; i < 9; i++)
        corner[i / 3][i % 3] =
            (double)(triangle->corner[i / 3][i % 3] - node[i % 3] * LATTICE_SUBSTEPS) / LATTICE_SUBSTEPS;
}

static bool is_corner(const int32_t corner[3], const struct snapped_triangle *triangle)
{
    for (int i = 0; i < 3; i++)
        if (memcmp(corner, triangle->corner[i], sizeof triangle->corner[i]) == 0)
            return true;
    return false;
}

/* Keep the part within a crack of the plane, on both sides. */
static void keep_near(struct convex *polygon, const struct plane *plane)
{
    struct plane limit = *plane;
    limit.offset = plane->offset + CELL_CRACK;
    if (polygon->corners > 0)
        (void)convex_keep(polygon, &limit, CONVEX_BELOW);
    limit.offset = plane->offset - CELL_CRACK;
    if (polygon->corners > 0)
        (void)convex_keep(polygon, &limit, CONVEX_ABOVE);
}

/* True if another wall is, or may be, within a crack of the strip beside a rim. */
static bool is_near(const int64_t node[3], const struct cell_wall *other,
                    const struct snapped_triangle *triangle, const struct cell_wall *wall, int edge,
                    const struct plane along[2], const struct convex *strip)
{
    double corner[3][3];
    corners_of(node, triangle, corner);
    const struct outline outline = convex_outline(strip), sheet = {(const double(*)[3])corner, 3};
    bool near = has_between(&other->plane, -CELL_CRACK, CELL_CRACK, outline);
    for (int i = 0; i < 3 && near; i++)
        near = has_between(&other->edge[i], -CELL_CRACK, 1e9, outline);
    return near && has_between(&wall->plane, -CELL_CRACK, CELL_CRACK, sheet) &&
           has_between(&wall->edge[edge], -2 * CELL_CRACK, CELL_CRACK, sheet) &&
           has_between(&along[0], -CELL_CRACK, 1e9, sheet) && has_between(&along[1], -1e9, CELL_CRACK, sheet);
}

/* If another wall may be within a crack of a wall's rim, the wall's plane also divides the space beside the
 * rim. If no other wall continues from there, so does the plane through the rim at right angles. */
static int add_rim(struct cell_memory *memory, const int64_t node[3], const struct snapped_triangle *snapped,
                   size_t walls, size_t number, int edge, struct failure *failure)
{
    const struct cell_wall wall = memory->wall[number];
    const struct snapped_triangle *triangle = &snapped[wall.triangle];
    const int32_t *end[2] = {triangle->corner[edge], triangle->corner[(edge + 1) % 3]};
    double corner[3][3];
    struct convex strip;
    bool goes_on = false,
         apart = false; /* a wall that continues exists; or one without a corner of the rim */
    for (size_t i = 0; i < walls && !apart; i++) {
        const struct snapped_triangle *other = &snapped[memory->wall[i].triangle];
        const int shared = is_corner(end[0], other) + is_corner(end[1], other);
        apart = shared == 0;
        goes_on = goes_on || (shared == 2 && !is_corner(triangle->corner[(edge + 2) % 3], other));
    }
    if (goes_on && !apart)
        return 0;
    convex_section(&wall.plane, &strip);
    if ((convex_sides(&wall.edge[edge], convex_outline(&strip)) & CONVEX_BELOW) == 0)
        return 0;
    keep_near(&strip, &wall.edge[edge]);
    if (!convex_keep(&strip, &wall.edge[edge], CONVEX_BELOW))
        return 0;
    /* Along the rim, and so far beyond its ends. */
    struct plane along[2];
    corners_of(node, triangle, corner);
    for (int side = 0; side < 2; side++) {
        vector_cross(wall.edge[edge].normal, wall.plane.normal, along[side].normal);
        along[side].offset =
            vector_dot(along[side].normal, corner[(edge + side) % 3]) + (2 * side - 1) * CELL_CRACK;
        if (!convex_keep(&strip, &along[side], side == 0 ? CONVEX_ABOVE : CONVEX_BELOW))
            return 0;
    }
    bool near[2] = {false, false}; /* by whether it has a corner of the rim */
    /* If the rim only passes by the voxel, walls that continue from it cannot be seen. */
    bool is_free = has_between(&wall.edge[edge], -TOGETHER, 1e9, convex_outline(&strip)) &&
                   has_between(&along[0], CELL_CRACK, 1e9, convex_outline(&strip)) &&
                   has_between(&along[1], -1e9, -CELL_CRACK, convex_outline(&strip));
    for (size_t i = 0; i < walls; i++) {
        const struct snapped_triangle *other = &snapped[memory->wall[i].triangle];
        const int shared = is_corner(end[0], other) + is_corner(end[1], other);
        if (i == number || (shared == 2 && is_corner(triangle->corner[(edge + 2) % 3], other)))
            continue;
        is_free = is_free && shared < 2;
        if (!near[shared > 0])
            near[shared > 0] = is_near(node, &memory->wall[i], other, &wall, edge, along, &strip);
    }
    if (!near[0] && !(is_free && near[1]))
        return 0;
    if (convex_area(wall.plane.normal, convex_outline(&strip)) >= CELL_AREA_LEAST)
        TRY(add_fragment(memory, number, &strip, true, failure));
    if (!is_free)
        return 0;
    const double offset = wall.edge[edge].offset;
    const struct cell_wall across = {
        .triangle = wall.triangle, .centre = (offset < 0) - (offset > 0), .plane = wall.edge[edge]};
    convex_section(&across.plane, &strip);
    keep_near(&strip, &wall.plane);
    for (int side = 0; side < 2 && strip.corners > 0; side++)
        (void)convex_keep(&strip, &along[side], side == 0 ? CONVEX_ABOVE : CONVEX_BELOW);
    if (convex_area(across.plane.normal, convex_outline(&strip)) < CELL_AREA_LEAST)
        return 0;
    CELL_ROOM(memory->wall, memory->wall_room, memory->walls + 1);
    memory->wall[memory->walls++] = across;
    return add_fragment(memory, memory->walls - 1, &strip, true, failure);
}

/* The walls of the voxel by rising triangle, and their parts in it. */
static int gather_walls(struct cell_memory *memory, const int64_t node[3],
                        const struct snapped_triangle *snapped, const uint32_t *index, size_t count,
                        bool *centre_on_wall, struct failure *failure)
{
    for (size_t i = 0; i < count; i++) {
        struct cell_wall wall = {.triangle = index[i], .rank = snapped[index[i]].rank};
        if (!cell_wall_meets(node, &snapped[index[i]]) || !cell_wall_make(node, &snapped[index[i]], &wall))
            continue;
        *centre_on_wall = *centre_on_wall || (wall.before_centre && wall.centre == 0);
        size_t at = memory->walls;
        CELL_ROOM(memory->wall, memory->wall_room, memory->walls + 1);
        for (; at > 0 && memory->wall[at - 1].triangle > wall.triangle; at--)
            memory->wall[at] = memory->wall[at - 1];
        memory->wall[at] = wall;
        memory->walls++;
    }
    const size_t walls = memory->walls;
    size_t ending = 0; /* in the voxel */
    memory->rims = 0;
    for (size_t i = 0; i < walls; i++) {
        struct cell_wall *wall = &memory->wall[i];
        struct convex polygon;
        bool ends = false;
        convex_section(&wall->plane, &polygon);
        for (int edge = 0; edge < 3 && polygon.corners > 0; edge++) {
            const int sides = convex_sides(&wall->edge[edge], convex_outline(&polygon));
            ends = ends || (sides & CONVEX_BELOW) != 0;
            if (sides == (CONVEX_BELOW | CONVEX_ABOVE))
                (void)convex_keep(&polygon, &wall->edge[edge], CONVEX_ABOVE);
            else if (sides == CONVEX_BELOW)
                polygon.corners = 0;
        }
        ending += ends;
        if (convex_area(wall->plane.normal, convex_outline(&polygon)) >= CELL_AREA_LEAST)
            TRY(add_fragment(memory, i, &polygon, false, failure));
    }
    for (size_t i = 0; i < walls && walls > 1 && ending > 0; i++)
        for (int edge = 0; edge < 3; edge++)
            TRY(add_rim(memory, node, snapped, walls, i, edge, failure));
    return 0;
}

/* A plane across the middle of many fragments that leaves at most three quarters of them on either side. */
static bool plane_between(const struct cell_memory *memory, size_t first, size_t count, struct split *split)
{
    size_t best = count - count / 4;
    bool found = false;
    for (int axis = 0; axis < 3; axis++) {
        double low = 1, high = -1;
        size_t side[2] = {0, 0};
        for (size_t i = first; i < first + count; i++)
            for (uint32_t c = 0; c < memory->fragment[i].corners; c++) {
                const double at = memory->corner[memory->fragment[i].first + c][axis];
                low = smaller(low, at);
                high = larger(high, at);
            }
        const double middle = (low + high) / 2;
        struct plane plane = {.offset = middle};
        plane.normal[axis] = 1;
        for (size_t i = first; i < first + count; i++) {
            const struct fragment *fragment = &memory->fragment[i];
            const int sides = convex_sides(&plane, outline_of(memory, fragment->first, fragment->corners));
            side[0] += (sides & CONVEX_BELOW) != 0;
            side[1] += (sides & CONVEX_ABOVE) != 0;
        }
        const size_t most = side[0] > side[1] ? side[0] : side[1];
        if (most < best) {
            best = most;
            found = true;
            split->plane = plane;
            split->centre = (middle < 0) - (middle > 0);
        }
    }
    return found;
}

/* True if faces overlap in a plane that snapping split in two. */
static bool is_overlapped(const struct plane *plane, uint32_t face, const struct cell_wall *wall,
                          struct outline polygon)
{
    return face != 0 && wall->rank.plane == face &&
           convex_reach(plane, polygon) <= COPLANAR_STEPS / LATTICE_SUBSTEPS;
}

/* Choose the plane of one of the fragments: among a few, the one that cuts fewest others and divides them
 * best. */
static void plane_of_one(const struct cell_memory *memory, size_t first, size_t count, struct split *split)
{
    const size_t candidates = count < CANDIDATES ? count : CANDIDATES;
    size_t best = first, best_cost = SIZE_MAX;
    for (size_t k = 0; k < candidates && candidates > 1; k++) {
        const size_t candidate = first + k * count / candidates;
        const struct plane *plane = &memory->wall[memory->fragment[candidate].wall].plane;
        size_t side[2] = {0, 0}, cut = 0;
        for (size_t i = first; i < first + count; i++) {
            const struct fragment *fragment = &memory->fragment[i];
            const int sides = convex_sides(plane, outline_of(memory, fragment->first, fragment->corners));
            side[0] += (sides & CONVEX_BELOW) != 0;
            side[1] += (sides & CONVEX_ABOVE) != 0;
            cut += sides == (CONVEX_BELOW | CONVEX_ABOVE);
        }
        const size_t cost = 2 * cut + (side[0] > side[1] ? side[0] : side[1]);
        if (cost < best_cost) {
            best_cost = cost;
            best = candidate;
        }
    }
    const struct cell_wall *wall = &memory->wall[memory->fragment[best].wall];
    /* Choose the largest of overlapping faces in a plane; others lie on it. */
    for (size_t i = first; i < first + count && wall->rank.plane != 0; i++) {
        const struct fragment *fragment = &memory->fragment[i];
        const struct cell_wall *other = &memory->wall[fragment->wall];
        if (!fragment->rim && compare_ranks(wall->rank, other->rank) < 0 &&
            is_overlapped(&wall->plane, wall->rank.plane, other,
                          outline_of(memory, fragment->first, fragment->corners)))
            wall = other;
    }
    split->plane = wall->plane;
    split->centre = wall->centre;
    split->face = wall->rank.plane;
}

/* True if the wall lies in the plane. Planes at a smaller angle are not distinguished where they cross: their
 * sheets would leave a gap. */
static bool lies_in(const struct split *split, const struct cell_wall *wall, struct outline polygon)
{
    const struct plane *plane = &split->plane;
    double across[3];
    if (is_overlapped(plane, split->face, wall, polygon))
        return true;
    vector_cross(plane->normal, wall->plane.normal, across);
    return vector_length(across) < 10 * TOGETHER && convex_reach(plane, polygon) <= TOGETHER;
}

/* Sort the fragments by sides of the split, cut those on both and note those that lie in it. A fragment in
 * the plane and across it is a remnant of rounding and is dropped. */
static int part_fragments(struct cell_memory *memory, size_t first, size_t count, struct split *split,
                          struct failure *failure)
{
    split->first_cover = (uint32_t)memory->covers;
    for (size_t i = first; i < first + count; i++) {
        struct fragment *fragment = &memory->fragment[i];
        const struct outline outline = outline_of(memory, fragment->first, fragment->corners);
        struct convex half[2];
        fragment->sides = convex_split(&split->plane, outline, &half[0], &half[1]);
        const struct cell_wall *wall = &memory->wall[fragment->wall];
        if (lies_in(split, wall, outline)) {
            fragment->sides = 0;
            if (fragment->rim) {
                split->rim = true;
            } else {
                CELL_ROOM(memory->cover, memory->cover_room, memory->covers + 1);
                memory->cover[memory->covers++] = fragment->wall;
            }
            if (!fragment->rim && wall->before_centre)
                split->centre = is_front(&split->plane, wall, 1) ? wall->centre : -wall->centre;
        }
        fragment->half_first[0] = fragment->half_first[1] = fragment->first;
        fragment->half_corners[0] = fragment->half_corners[1] = fragment->corners;
        if (fragment->sides == (CONVEX_BELOW | CONVEX_ABOVE)) {
            for (int side = 0; side < 2; side++)
                TRY(cell_keep_corners(memory, convex_outline(&half[side]), &fragment->half_first[side],
                                      &fragment->half_corners[side], failure));
        }
    }
    split->covers = (uint32_t)memory->covers - split->first_cover;
    return 0;
}

/* If the partition had to end early, a leaf sees both sides of its remaining fragments. */
static int make_leaf(struct cell_memory *memory, size_t first, size_t count, struct failure *failure)
{
    const uint32_t leaf = (uint32_t)memory->leaves;
    CELL_ROOM(memory->leaf, memory->leaf_room, memory->leaves + 1);
    memory->leaf[memory->leaves++] = (struct leaf){.group = leaf, .part = CELL_NO_PART, .piece = leaf};
    for (size_t i = first; i < first + count; i++) {
        const struct fragment *fragment = &memory->fragment[i];
        struct sight sight = {.leaf = leaf};
        if (fragment->rim)
            continue;
        sight.area = convex_moment(memory->wall[fragment->wall].plane.normal,
                                   outline_of(memory, fragment->first, fragment->corners), sight.moment);
        CELL_ROOM(memory->sight, memory->sight_room, memory->sights + 2);
        for (uint32_t back = 0; back < 2; back++) {
            sight.side = 2 * fragment->wall + back;
            memory->sight[memory->sights++] = sight;
        }
    }
    return 0;
}

/* Divide the piece that holds the fragments until no fragment is left. */
static int divide_piece(struct cell_memory *memory, size_t first, size_t count, uint32_t parent, int side,
                        uint32_t depth, int32_t *made, struct failure *failure)
{
    if (count == 0 || depth == DEPTH_MAX || memory->splits >= SPLITS_MAX + SPLITS_EACH * memory->walls) {
        *made = CELL_LEAF(memory->leaves);
        return make_leaf(memory, first, count, failure);
    }
    struct split split = {.parent = parent, .side = side};
    const uint32_t number = (uint32_t)memory->splits;
    const size_t corners = memory->corners;
    if (count <= FEW || !plane_between(memory, first, count, &split))
        plane_of_one(memory, first, count, &split);
    TRY(part_fragments(memory, first, count, &split, failure));
    CELL_ROOM(memory->split, memory->split_room, memory->splits + 1);
    memory->split[memory->splits++] = split;
    for (int half = 0; half < 2; half++) {
        const size_t mark = memory->fragments;
        int32_t child;
        for (size_t i = first; i < first + count; i++) {
            if ((memory->fragment[i].sides & (half == 0 ? CONVEX_BELOW : CONVEX_ABOVE)) == 0)
                continue;
            CELL_ROOM(memory->fragment, memory->fragment_room, memory->fragments + 1);
            struct fragment fragment = memory->fragment[i];
            fragment.first = fragment.half_first[half];
            fragment.corners = fragment.half_corners[half];
            memory->fragment[memory->fragments++] = fragment;
        }
        TRY(divide_piece(memory, mark, memory->fragments - mark, number, half, depth + 1, &child, failure));
        memory->split[number].child[half] = child;
        memory->fragments = mark;
    }
    memory->corners = corners;
    *made = (int32_t)number;
    return 0;
}
int cell_partition_make(struct cell_memory *memory, const int64_t node[3],
                        const struct snapped_triangle *snapped, const uint32_t *index, size_t count,
                        int32_t *root, bool *centre_on_wall, struct failure *failure)
{
    memory->walls = memory->fragments = memory->corners = memory->splits = memory->leaves = 0;
    memory->covers = memory->sights = 0;
    *centre_on_wall = false;
    TRY(gather_walls(memory, node, snapped, index, count, centre_on_wall, failure));
    TRY(divide_piece(memory, 0, memory->fragments, CELL_NO_PARENT, 0, 0, root, failure));
    memory->corners = 0; /* corners of fragments are no longer needed */
    return 0;
}
