#include "blocks/wall_kinds.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/voxel/voxels.h"

/* Parts of CUT_WHOLE by which products of sides may miss what was rounded to parts, merged ones twice. */
#define PARTS_OFF 3.0
/* Share by which an entry's area may miss that of its wall: factors of materials are in it. */
#define AREA_OFF 0.06

#define STEPS_MOST 12 /* of distance, of either sign: more than any voxel has */

void wall_kinds_free(struct wall_kinds *kinds)
{
    free(kinds->kind);
    *kinds = (struct wall_kinds){0};
}

/* ---- distances ---- */

/* The opening towards the air along an axis with a wall at one end; 0 along others. */
static double opening(const struct cut_cell *cut, int axis)
{
    const unsigned low = cut->open[2 * axis], high = cut->open[2 * axis + 1];
    return low == 0 ? high : high == 0 ? low : 0;
}

void wall_kinds_distances(const struct cut_cell *cut, double distance[3])
{
    double side[3];
    bool along = true;
    for (int a = 0; a < 3; a++) {
        const double open = opening(cut, a);
        side[a] = open > 0 ? cut->volume / open : 1;
    }
    for (int a = 0; a < 3; a++) {
        const double across = CUT_WHOLE * side[(a + 1) % 3] * side[(a + 2) % 3];
        for (int k = 2 * a; k < 2 * a + 2; k++)
            along = along && (cut->open[k] == 0 || fabs(cut->open[k] - across) <= PARTS_OFF);
    }
    along = along && fabs(cut->volume - CUT_WHOLE * side[0] * side[1] * side[2]) <= PARTS_OFF;
    for (int a = 0; a < 3; a++)
        distance[a] = along && opening(cut, a) > 0 ? side[a] - 0.5 : NAN;
}

/* ---- entries ---- */

/* Of the wall that has this area, else the rms over all of the node's. */
static double distance_of(const struct cut_cell *cut, const double distance[3], double area)
{
    double squares = 0, weights = 0;
    for (int a = 0; a < 3; a++) {
        if (isnan(distance[a]))
            continue;
        const double face = opening(cut, a);
        if (fabs(area * CUT_WHOLE - face) <= AREA_OFF * face)
            return distance[a];
        squares += face * distance[a] * fabs(distance[a]);
        weights += face;
    }
    return weights > 0 ? copysign(sqrt(fabs(squares) / weights), squares) : 0;
}

/* The number of a kind, made where it is new. number is (materials, 2 STEPS_MOST + 1), 0: not yet. */
static uint16_t kind_of(uint16_t material, double distance, uint16_t *number, struct wall_kinds *kinds)
{
    const long steps = lround(fmin(fmax(distance * WALL_KIND_STEPS, -STEPS_MOST), STEPS_MOST));
    uint16_t *at = &number[(size_t)material * (2 * STEPS_MOST + 1) + (size_t)(steps + STEPS_MOST)];
    if (steps == 0 || (*at == 0 && kinds->count >= VOXELS_NO_MATERIAL))
        return material;
    if (*at == 0) {
        *at = (uint16_t)kinds->count;
        kinds->kind[kinds->count++] = (struct wall_kind){material, (int8_t)steps};
    }
    return *at;
}

/* Insertion by number, with the marks of what goes on. */
static void order(struct wall *entry, uint64_t count)
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

int wall_kinds_sort(struct block_grid *grid, bool apart, size_t materials, struct wall_kinds *out,
                    struct failure *failure)
{
    const size_t most = (2 * STEPS_MOST + 1) * materials + 1;
    struct wall_kinds kinds = {materials, calloc(most, sizeof *kinds.kind)};
    uint16_t *number = calloc(most, sizeof *number);
    if (kinds.kind == NULL || number == NULL) {
        free(number);
        wall_kinds_free(&kinds);
        return failure_memory(failure, most * (sizeof *kinds.kind + sizeof *number), "kinds of walls");
    }
    for (size_t m = 0; m < materials; m++)
        kinds.kind[m].material = (uint16_t)m;
    for (block_id b = 1; b <= grid->blocks && apart; b++)
        for (uint64_t w = grid->wall_first[b], first = w; w < grid->wall_first[b + 1]; first = w) {
            const unsigned slot = grid->wall[w].slot & WALL_SLOT;
            const struct cut_cell *cut = &grid->cut[block_cut_record(grid, b, slot)];
            double distance[3];
            wall_kinds_distances(cut, distance);
            do {
                struct wall *entry = &grid->wall[w++];
                if (entry->material < materials)
                    entry->material = kind_of(
                        entry->material, distance_of(cut, distance, (double)entry->weight), number, &kinds);
            } while (w < grid->wall_first[b + 1] && (grid->wall[w].slot & WALL_CONTINUES) != 0);
            order(grid->wall + first, w - first);
        }
    free(number);
    *out = kinds;
    return 0;
}
