#include "blocks/cut_slivers.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/lower_bound.h"

size_t opening_sides_from(const struct opening_side *side, size_t sides, uint64_t end)
{
    size_t low = 0, high = sides;
    LOWER_BOUND(low, high, at, side[at].end < end);
    return low;
}

size_t cut_slivers_into(const struct cut_slivers *slivers, uint64_t into)
{
    size_t low = 0, high = slivers->count;
    LOWER_BOUND(low, high, at, slivers->merged[at].into < into);
    return low;
}

size_t cut_slivers_from(const struct cut_slivers *slivers, uint64_t from)
{
    size_t low = 0, high = slivers->count;
    LOWER_BOUND(low, high, at, slivers->by_from[at].from < from);
    return low;
}

const struct merged_sliver *cut_slivers_gone(const struct cut_slivers *slivers, uint64_t from)
{
    const size_t at = cut_slivers_from(slivers, from);
    return at < slivers->count && slivers->by_from[at].from == from ? &slivers->by_from[at] : NULL;
}

unsigned cut_slivers_add_areas(struct voxel_area area[VOXELS_AREAS_MAX], unsigned areas,
                               const struct voxel_area *more, unsigned count)
{
    for (unsigned m = 0; m < count; m++) {
        unsigned at = 0, largest = 0;
        if (!(more[m].area > 0))
            continue;
        while (at < areas && area[at].material < more[m].material)
            at++;
        if (at < areas && area[at].material == more[m].material) {
            area[at].area += more[m].area;
            continue;
        }
        if (areas == VOXELS_AREAS_MAX) {
            for (unsigned i = 1; i < areas; i++)
                largest = area[i].area > area[largest].area ? i : largest;
            area[largest].area += more[m].area;
            continue;
        }
        memmove(area + at + 1, area + at, (areas - at) * sizeof *area);
        area[at] = more[m];
        areas++;
    }
    return areas;
}

/* ---- slivers and their openings ------------------------------------------------------------------------ */

struct search {
    const struct voxels *voxels;
    const struct opening_side *side;
    size_t sides;
    struct cut_slivers found;
    size_t room;
};

const struct voxel_cell *cut_cell_of(const struct voxels *voxels, uint64_t end)
{
    if (end & VOXELS_PIECE)
        return &voxels->piece[end & ~VOXELS_PIECE].cell;
    const uint32_t number = voxels->block[end / BLOCK_NODES].detail;
    if (number == VOXELS_OPEN_AIR)
        return NULL;
    const struct voxel_detail *const detail = &voxels->detail[number];
    const struct voxel_cell *const cell = voxels->cell + detail->first_cell;
    size_t low = 0, high = detail->cell_count;
    LOWER_BOUND(low, high, at, cell[at].slot < end % BLOCK_NODES);
    return low < detail->cell_count && cell[low].slot == end % BLOCK_NODES ? &cell[low] : NULL;
}

uint64_t cut_end_beside(const struct voxels *voxels, uint64_t end, unsigned d)
{
    bool leaves;
    const unsigned there = block_slot_beside((unsigned)(end % BLOCK_NODES), d, &leaves);
    size_t block = end / BLOCK_NODES;
    if (leaves) {
        int32_t place[3];
        memcpy(place, voxels->block[block].place, sizeof place);
        place[d / 2] += d & 1 ? 1 : -1;
        block = voxels_find(voxels, place);
    }
    return (uint64_t)block * BLOCK_NODES + there;
}

/* Number of openings that do not round to 0. */
static unsigned count_openings(const struct search *search, uint64_t end)
{
    const struct voxel_cell *const cell = cut_cell_of(search->voxels, end);
    unsigned count = 0;
    if (cell == NULL)
        return DIRECTIONS;
    for (int d = 0; d < DIRECTIONS; d++)
        count += cut_parts(cell->open[d]) > 0;
    for (size_t s = opening_sides_from(search->side, search->sides, end);
         s < search->sides && search->side[s].end == end; s++)
        count += cut_parts(search->voxels->opening[search->side[s].opening].open) > 0;
    return count;
}

/* Order openings equally from both ends, so that chains of widest ones do not form circles. */
static bool is_wider(uint64_t from, float open, uint64_t to, float widest, uint64_t into)
{
    if (open != widest)
        return open > widest;
    const uint64_t a[2] = {from < to ? from : to, from < to ? to : from},
                   b[2] = {from < into ? from : into, from < into ? into : from};
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

/* List the node or piece if it is a sliver with at most one opening, with its widest neighbour. */
static int look_at(struct search *search, uint64_t from, const struct voxel_cell *cell,
                   const struct voxel_area *area, struct failure *failure)
{
    struct cut_slivers *const found = &search->found;
    struct merged_sliver sliver = {
        .into = UINT64_MAX, .from = from, .cell = cell, .area = area, .direction = DIRECTIONS};
    float widest = 0;
    if (cut_parts(cell->volume) > 0 || count_openings(search, from) > 1)
        return 0;
    for (unsigned d = 0; d < DIRECTIONS; d++) {
        if (!(cell->open[d] > 0))
            continue;
        const uint64_t to = cut_end_beside(search->voxels, from, d);
        if (is_wider(from, cell->open[d], to, widest, sliver.into)) {
            widest = cell->open[d];
            sliver.into = to;
            sliver.direction = (uint8_t)(d ^ 1);
        }
    }
    for (size_t s = opening_sides_from(search->side, search->sides, from);
         s < search->sides && search->side[s].end == from; s++) {
        const struct voxel_opening *const opening = &search->voxels->opening[search->side[s].opening];
        const uint64_t to = opening->end[opening->end[0] == from];
        if (is_wider(from, opening->open, to, widest, sliver.into)) {
            widest = opening->open;
            sliver.into = to;
            sliver.direction = DIRECTIONS;
        }
    }
    const bool hidden =
        (sliver.into & VOXELS_PIECE) > (from & VOXELS_PIECE) && count_openings(search, from) > 0;
    if (sliver.into == UINT64_MAX || hidden)
        return 0;
    if (found->count == search->room) {
        search->room += search->room / 2 + 64;
        struct merged_sliver *const grown = realloc(found->by_from, search->room * sizeof *grown);
        if (grown == NULL)
            return failure_memory(failure, search->room * sizeof *grown, "slivers of air");
        found->by_from = grown;
    }
    found->by_from[found->count++] = sliver;
    return 0;
}

static int look_for(struct search *search, struct failure *failure)
{
    const struct voxels *const voxels = search->voxels;
    for (size_t b = 0; b < voxels->block_count; b++) {
        if (voxels->block[b].detail == VOXELS_OPEN_AIR)
            continue;
        const struct voxel_detail *const detail = &voxels->detail[voxels->block[b].detail];
        const struct voxel_area *area = voxels->area + detail->first_area;
        const struct voxel_cell *cell = voxels->cell + detail->first_cell;
        for (uint32_t c = 0; c < detail->cell_count; area += cell->areas, c++, cell++)
            TRY(look_at(search, (uint64_t)b * BLOCK_NODES + cell->slot, cell, area, failure));
    }
    for (size_t p = 0; p < voxels->piece_count; p++)
        TRY(look_at(search, VOXELS_PIECE | p, &voxels->piece[p].cell,
                    voxels->area + voxels->piece[p].first_area, failure));
    return 0;
}

/* ---- the nodes that take them -------------------------------------------------------------------------- */

static int by_into_then_from(const void *a, const void *b)
{
    const struct merged_sliver *left = a, *right = b;
    if (left->into != right->into)
        return left->into < right->into ? -1 : 1;
    return (left->from > right->from) - (left->from < right->from);
}

static int by_from(const void *a, const void *b)
{
    const struct merged_sliver *left = a, *right = b;
    return (left->from > right->from) - (left->from < right->from);
}

/* Follow the chain of widest openings to a node that is not a sliver, or to one of the two slivers that end
 * it. */
static uint64_t end_of_chain(const struct cut_slivers *found, const struct merged_sliver *sliver)
{
    const struct merged_sliver *next = cut_slivers_gone(found, sliver->into);
    while (next != NULL && next->into != sliver->from) {
        sliver = next;
        next = cut_slivers_gone(found, sliver->into);
    }
    return next == NULL ? sliver->into : UINT64_MAX;
}

/* Remove slivers whose absorbing node has no other opening. */
static void keep_taken(const struct search *search, struct cut_slivers *found)
{
    size_t kept = 0, next;
    for (size_t s = 0; s < found->count; s = next) {
        const uint64_t into = found->merged[s].into;
        unsigned closing = 0;
        for (next = s; next < found->count && found->merged[next].into == into; next++)
            closing += count_openings(search, found->merged[next].from);
        if (into != UINT64_MAX && count_openings(search, into) > closing) {
            memmove(found->merged + kept, found->merged + s, (next - s) * sizeof *found->merged);
            kept += next - s;
        }
    }
    found->count = kept;
}

void cut_slivers_sort(struct cut_slivers *slivers)
{
    qsort(slivers->merged, slivers->count, sizeof *slivers->merged, by_into_then_from);
    if (slivers->count > 0)
        memcpy(slivers->by_from, slivers->merged, slivers->count * sizeof *slivers->merged);
    qsort(slivers->by_from, slivers->count, sizeof *slivers->by_from, by_from);
    slivers->nodes = 0;
    while (slivers->nodes < slivers->count && (slivers->by_from[slivers->nodes].from & VOXELS_PIECE) == 0)
        slivers->nodes++;
}

int cut_slivers_find(const struct voxels *voxels, const struct opening_side *side, size_t sides,
                     struct cut_slivers *out, struct failure *failure)
{
    struct search search = {.voxels = voxels, .side = side, .sides = sides};
    struct cut_slivers *const found = &search.found;
    int code = look_for(&search, failure);
    if (code != 0 || found->count == 0)
        goto done;
    found->merged = malloc(found->count * sizeof *found->merged);
    if (found->merged == NULL) {
        code = failure_memory(failure, found->count * sizeof *found->merged, "slivers of air");
        goto done;
    }
    for (size_t s = 0; s < found->count; s++) {
        struct merged_sliver *const sliver = &found->merged[s];
        *sliver = found->by_from[s];
        sliver->into = end_of_chain(found, sliver);
        if (count_openings(&search, sliver->from) == 0)
            sliver->direction = DIRECTIONS;
    }
    qsort(found->merged, found->count, sizeof *found->merged, by_into_then_from);
    keep_taken(&search, found);
    cut_slivers_sort(found);
    *out = *found;
    *found = (struct cut_slivers){0};
done:
    cut_slivers_free(found);
    return code;
}

void cut_slivers_free(struct cut_slivers *slivers)
{
    free(slivers->merged);
    free(slivers->by_from);
    *slivers = (struct cut_slivers){0};
}
