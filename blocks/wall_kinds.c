#include "blocks/wall_kinds.h"

#include <math.h>
#include <stdlib.h>

#include "blocks/cut_masses.h"
#include "geometry/voxel/voxels.h"

/* Tolerance in parts of CUT_WHOLE for products of sides, which were rounded to parts, twice for merged cells.
 */
#define PARTS_OFF 3.0
/* Relative tolerance of an entry's area, which includes factors of materials. */
#define AREA_OFF 0.06

/* For slanting walls [h]: more than flat ones have; small fragments might exceed it. */
#define REACH_MOST 0.6

#define STEPS_MOST 12 /* of distance, of either sign: more than any voxel has */
#define STEPS      (2 * STEPS_MOST + 1)

void wall_kinds_free(struct wall_kinds *kinds)
{
    free(kinds->kind);
    *kinds = (struct wall_kinds){0};
}

/* ---- distances ---- */

/* The opening towards the air along an axis with a wall at one end; 0 along others. */
static double opening_to_air(const struct cut_cell *cut, int axis)
{
    const unsigned low = cut->open[2 * axis], high = cut->open[2 * axis + 1];
    return low == 0 ? high : high == 0 ? low : 0;
}

void wall_kinds_distances(const struct cut_cell *cut, double distance[3])
{
    double side[3];
    bool along = true;
    for (int a = 0; a < 3; a++) {
        const double open = opening_to_air(cut, a);
        side[a] = open > 0 ? cut->volume / open : 1;
    }
    for (int a = 0; a < 3; a++) {
        const double across = CUT_WHOLE * side[(a + 1) % 3] * side[(a + 2) % 3];
        for (int k = 2 * a; k < 2 * a + 2; k++)
            along = along && (cut->open[k] == 0 || fabs(cut->open[k] - across) <= PARTS_OFF);
    }
    along = along && fabs(cut->volume - CUT_WHOLE * side[0] * side[1] * side[2]) <= PARTS_OFF;
    for (int a = 0; a < 3; a++)
        distance[a] = along && opening_to_air(cut, a) > 0 ? side[a] - 0.5 : NAN;
}

/* A node, those from which it may have borrowed, and one behind them. */
#define LAYERS 5

double wall_kinds_reach(const struct block_grid *grid, block_id b, unsigned slot, unsigned direction,
                        double distance)
{
    double mass[LAYERS], volume[LAYERS], across = 1;
    int layers = 0;
    while (layers < LAYERS && b != 0 && block_is_air(grid, b, slot)) {
        const bool cut = (grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1) != 0;
        const uint64_t record = cut ? block_cut_record(grid, b, slot) : 0;
        if (layers == 0 && cut)
            across = (double)grid->cut[record].open[direction] / CUT_WHOLE;
        mass[layers] = cut ? cut_mass(grid, record) : 1;
        volume[layers++] = cut ? (double)grid->cut[record].volume / CUT_WHOLE : 1;
        if (cut && grid->cut[record].open[direction] == 0)
            break;
        bool leaves;
        slot = block_slot_beside(slot, direction, &leaves);
        b = leaves ? grid->block[b].neighbour[direction] : b;
    }
    /* Mass that a whole line lent to its side, beside another wall, does not count for this wall. */
    const double whole = mass[layers - 1] / volume[layers - 1];
    double surplus = 0, sum = 0;
    for (int n = 0; n + 1 < layers; n++)
        sum += surplus += (mass[n] / whole - volume[n]) / across;
    const double q = distance * distance - 6 * sum;
    return copysign(sqrt(fabs(q)), q);
}

/* ---- slanting walls ---- */

/* The wall before a node with a record. */
struct plane {
    float normal[3];   /* into the air */
    float height;      /* of the node before it [h] */
    uint16_t sweep;    /* 0: none; 1: the node's own; n + 1: that of a neighbour with n */
    uint16_t material; /* VOXELS_NO_MATERIAL: not a flat slanting wall */
};

/* Area and height of a flat wall. Its area is the difference of a voxel's openings on opposite sides. Its
 * height is exact for a wall along an axis, and wrong by a few hundredths of h otherwise, with a smaller
 * effect on the result. */
static struct plane own_plane(const struct cut_cell *cut, const struct wall *entry, const struct wall *end,
                              size_t materials)
{
    struct plane plane = {.sweep = 0, .material = VOXELS_NO_MATERIAL};
    double normal[3], distance[3], size = 0, area = 0, most = 0;
    wall_kinds_distances(cut, distance);
    for (int a = 0; a < 3; a++) {
        normal[a] = ((double)cut->open[2 * a + 1] - cut->open[2 * a]) / CUT_WHOLE;
        size += normal[a] * normal[a];
    }
    size = sqrt(size);
    if (!(size > 0))
        return plane;
    for (int a = 0; a < 3; a++)
        plane.normal[a] = (float)(normal[a] / size);
    plane.height = (float)cut->volume / CUT_WHOLE - 0.5F;
    plane.sweep = 1;
    for (const struct wall *one = entry; one < end; one++) {
        area += (double)one->weight;
        if ((double)one->weight > most && one->material < materials) {
            most = (double)one->weight;
            plane.material = one->material;
        }
    }
    const bool along = !(isnan(distance[0]) && isnan(distance[1]) && isnan(distance[2]));
    if (along || fabs(area - size) > AREA_OFF * size + PARTS_OFF / CUT_WHOLE)
        plane.material = VOXELS_NO_MATERIAL;
    return plane;
}

static void own_planes(const struct block_grid *grid, size_t materials, struct plane *plane)
{
    for (block_id b = 1; b <= grid->blocks; b++)
        for (uint64_t w = grid->wall_first[b], first = w; w < grid->wall_first[b + 1]; first = w) {
            const uint64_t record = block_cut_record(grid, b, grid->wall[w].slot & WALL_SLOT);
            do
                w++;
            while (w < grid->wall_first[b + 1] && (grid->wall[w].slot & WALL_CONTINUES) != 0);
            plane[record] = own_plane(&grid->cut[record], grid->wall + first, grid->wall + w, materials);
        }
}

/* The nearest wall of a neighbour that has one since the last sweep. */
static void hand_on(const struct block_grid *grid, block_id b, unsigned slot, uint16_t sweep,
                    struct plane *plane)
{
    const uint64_t record = block_cut_record(grid, b, slot);
    struct plane *const own = &plane[record];
    for (unsigned d = 0; d < 6 && (own->sweep == 0 || own->sweep == sweep); d++) {
        bool leaves;
        const unsigned beside = block_slot_beside(slot, d, &leaves);
        const block_id other = leaves ? grid->block[b].neighbour[d] : b;
        if (other == 0 || grid->cut[record].open[d] == 0 ||
            (grid->marks[grid->block[other].tile].cut[beside >> 6] >> (beside & 63) & 1) == 0)
            continue;
        struct plane theirs = plane[block_cut_record(grid, other, beside)];
        theirs.height += d & 1 ? -theirs.normal[d / 2] : theirs.normal[d / 2];
        if (theirs.sweep != sweep - 1 || (own->sweep == sweep && own->height <= theirs.height))
            continue;
        *own = theirs;
        own->sweep = sweep;
    }
}

/* Extend planes to nodes that lent mass, which have a record and mostly no wall. */
static void hand_planes_on(const struct block_grid *grid, struct plane *plane)
{
    for (uint16_t sweep = 2; sweep <= LAYERS; sweep++)
        for (block_id b = 1; b <= grid->blocks; b++)
            for (unsigned z = 0; z < BLOCK_EDGE; z++)
                for (uint64_t left = grid->marks[grid->block[b].tile].cut[z]; left != 0; left &= left - 1)
                    hand_on(grid, b, 64 * z + (unsigned)__builtin_ctzll(left), sweep, plane);
}

int wall_kinds_slanting(const struct block_grid *grid, size_t materials, float *reach,
                        struct failure *failure)
{
    struct plane *const plane = calloc(grid->cuts + 1, sizeof *plane);
    double(*const sum)[2] = calloc(materials + 1, sizeof *sum); /* of area, of q times area */
    if (plane == NULL || sum == NULL) {
        free(plane);
        free(sum);
        return failure_memory(failure, (grid->cuts + 1) * sizeof *plane, "slanting walls");
    }
    own_planes(grid, materials, plane);
    hand_planes_on(grid, plane);
    for (uint64_t record = 0; record < grid->cuts; record++)
        if (plane[record].sweep > 0 && plane[record].material < materials)
            sum[plane[record].material][1] +=
                6 * (cut_mass(grid, record) - (double)grid->cut[record].volume / CUT_WHOLE) *
                (double)plane[record].height;
    for (block_id b = 1; b <= grid->blocks; b++)
        for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; w++) {
            const struct wall *const wall = &grid->wall[w];
            const struct plane *const of = &plane[block_cut_record(grid, b, wall->slot & WALL_SLOT)];
            if (wall->material >= materials || of->material >= materials)
                continue;
            sum[of->material][0] += (double)wall->weight;
            sum[of->material][1] += (double)wall->weight * (double)(of->height * of->height);
        }
    for (size_t m = 0; m < materials; m++) {
        const double q = sum[m][0] > 0 ? sum[m][1] / sum[m][0] : 0;
        reach[m] = (float)copysign(round(100 * fmin(sqrt(fabs(q)), REACH_MOST)) / 100, q);
    }
    free(plane);
    free(sum);
    return 0;
}

/* ---- entries ---- */

/* For an entry: true and effective distance of its wall. */
struct place {
    double distance, reach;
};

/* The place for the wall with this area; else the rms over all of the node's walls. */
static struct place place_of(const struct cut_cell *cut, const struct place along[3], double area)
{
    double distances = 0, reaches = 0, weights = 0;
    for (int a = 0; a < 3; a++) {
        if (isnan(along[a].distance))
            continue;
        const double face = opening_to_air(cut, a);
        if (fabs(area * CUT_WHOLE - face) <= AREA_OFF * face)
            return along[a];
        distances += face * along[a].distance * fabs(along[a].distance);
        reaches += face * along[a].reach * fabs(along[a].reach);
        weights += face;
    }
    if (!(weights > 0))
        return (struct place){NAN, NAN};
    return (struct place){copysign(sqrt(fabs(distances) / weights), distances),
                          copysign(sqrt(fabs(reaches) / weights), reaches)};
}

static long steps_of(double length)
{
    return lround(fmin(fmax(length * WALL_KIND_STEPS, -STEPS_MOST), STEPS_MOST));
}

/* Kinds as they are found. number: (materials, STEPS + 1), the last for slanting walls, 0 if there is none
 * yet. area: (kinds, STEPS), by reach. slanting: (materials), their reach. */
struct found {
    struct wall_kinds kinds;
    uint16_t *number;
    double *area;
    float *slanting;
};

static uint16_t kind_of(struct found *found, uint16_t material, struct place place, double area)
{
    const bool slants = isnan(place.distance);
    const long steps = slants ? 0 : steps_of(place.distance), reach = slants ? 0 : steps_of(place.reach);
    struct wall_kinds *kinds = &found->kinds;
    uint16_t *at = &found->number[(size_t)material * (STEPS + 1) +
                                  (slants ? (size_t)STEPS : (size_t)(steps + STEPS_MOST))];
    const bool plain = steps == 0 && !(slants && fabsf(found->slanting[material]) > 0);
    if (plain || (*at == 0 && kinds->count >= VOXELS_NO_MATERIAL))
        return material;
    if (*at == 0) {
        *at = (uint16_t)kinds->count;
        kinds->kind[kinds->count++] =
            (struct wall_kind){material, (int8_t)steps, slants ? found->slanting[material] : 0};
    }
    found->area[(size_t)*at * STEPS + (size_t)(reach + STEPS_MOST)] += area;
    return *at;
}

/* The area-weighted median of a kind's reach: beside other walls lines lend to one another, and single lines
 * are not representative. */
static float median_reach(const double area[STEPS])
{
    double whole = 0, below = 0;
    int at = 0;
    for (int r = 0; r < STEPS; r++)
        whole += area[r];
    while (at + 1 < STEPS && (below += area[at]) < 0.5 * whole)
        at++;
    return (float)(at - STEPS_MOST) / WALL_KIND_STEPS;
}

/* Places of the node before each of its walls along the grid. */
static void places_of(const struct block_grid *grid, block_id b, unsigned slot, const struct cut_cell *cut,
                      struct place along[3])
{
    double distance[3];
    wall_kinds_distances(cut, distance);
    for (int a = 0; a < 3; a++) {
        const unsigned inwards = 2 * (unsigned)a + (cut->open[2 * a] == 0 ? 1 : 0);
        along[a].distance = distance[a];
        along[a].reach = isnan(distance[a]) ? NAN : wall_kinds_reach(grid, b, slot, inwards, distance[a]);
    }
}

/* Insertion by number, with the marks of continued entries. */
static void sort_walls(struct wall *entry, uint64_t count)
{
    const uint16_t slot = entry[0].slot & WALL_SLOT;
    for (uint64_t n = 1; n < count; n++)
        for (uint64_t m = n; m > 0 && entry[m].material < entry[m - 1].material; m--) {
            const struct wall swapped = entry[m];
            entry[m] = entry[m - 1];
            entry[m - 1] = swapped;
        }
    for (uint64_t n = 0; n < count; n++)
        entry[n].slot = (uint16_t)(slot | (n > 0 ? WALL_CONTINUES : 0));
}

static void sort_block(struct block_grid *grid, block_id b, size_t materials, struct found *found)
{
    for (uint64_t w = grid->wall_first[b], first = w; w < grid->wall_first[b + 1]; first = w) {
        const unsigned slot = grid->wall[w].slot & WALL_SLOT;
        const struct cut_cell *cut = &grid->cut[block_cut_record(grid, b, slot)];
        struct place along[3];
        places_of(grid, b, slot, cut, along);
        do {
            struct wall *entry = &grid->wall[w++];
            const double area = (double)entry->weight;
            if (entry->material < materials)
                entry->material = kind_of(found, entry->material, place_of(cut, along, area), area);
        } while (w < grid->wall_first[b + 1] && (grid->wall[w].slot & WALL_CONTINUES) != 0);
        sort_walls(grid->wall + first, w - first);
    }
}

int wall_kinds_sort(struct block_grid *grid, bool apart, size_t materials, struct wall_kinds *out,
                    struct failure *failure)
{
    const size_t most = (STEPS + 1) * materials + 1;
    struct found found = {.kinds = {materials, calloc(most, sizeof *found.kinds.kind)},
                          .number = calloc(most, sizeof *found.number),
                          .area = calloc(most * STEPS, sizeof *found.area),
                          .slanting = calloc(materials + 1, sizeof *found.slanting)};
    int status = 0;
    if (found.kinds.kind == NULL || found.number == NULL || found.area == NULL || found.slanting == NULL)
        status = failure_memory(failure, most * STEPS * sizeof *found.area, "kinds of walls");
    else if (apart)
        status = wall_kinds_slanting(grid, materials, found.slanting, failure);
    for (size_t m = 0; status == 0 && m < materials; m++)
        found.kinds.kind[m].material = (uint16_t)m;
    for (block_id b = 1; status == 0 && apart && b <= grid->blocks; b++)
        sort_block(grid, b, materials, &found);
    for (size_t k = materials; status == 0 && k < found.kinds.count; k++)
        if (found.kinds.kind[k].steps != 0)
            found.kinds.kind[k].reach = median_reach(found.area + k * STEPS);
    free(found.number);
    free(found.area);
    free(found.slanting);
    if (status != 0)
        wall_kinds_free(&found.kinds);
    else
        *out = found.kinds;
    return status;
}
