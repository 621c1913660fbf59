#include "blocks/cut_slabs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THINNEST  0.2F  /* f from which a cell is kept: merging more of them increases the error */
#define TOLERANCE 1e-3F /* relative, for prisms */
#define MOST      ((float)UINT8_MAX / CUT_WHOLE)

struct slab {
    uint64_t from, into, end; /* end: last node of the chain of slabs */
    const struct voxel_cell *cell;
    const struct voxel_area *area;
    float share;       /* f */
    uint8_t direction; /* to `into` */
    bool kept;
};

/* The change of an opening. */
struct change {
    uint64_t node;
    uint64_t by[2]; /* link that causes it, the same for both ends */
    float add;
    uint8_t direction;
    bool closes;
};

struct work {
    const struct voxels *voxels;
    const struct opening_side *side;
    size_t sides;
    const struct cut_slivers *slivers;
    size_t count, room;
    struct slab *slab; /* rising in from */
    size_t changes;
    struct change *change;
    size_t openings;
    struct voxel_opening *opening;
};

static const struct voxel_cell whole_cell = {.open = {1, 1, 1, 1, 1, 1}, .volume = 1};

/* ---- which cells are slabs -------------------------------------------------------------------------------
 */

static const struct voxel_cell *cell_at(const struct work *work, uint64_t node)
{
    const struct voxel_cell *const cell = cut_cell_of(work->voxels, node);
    return cell != NULL ? cell : &whole_cell;
}

static bool is_prism(const struct voxel_cell *cell, const struct voxel_cell *inner, unsigned direction,
                     float share)
{
    bool prism = cell->volume < inner->volume && fabsf(cell->volume - share * inner->volume) <= TOLERANCE,
         has_way = false;
    for (unsigned d = 0; d < DIRECTIONS; d++)
        if (d / 2 != direction / 2) {
            prism = prism && fabsf(cell->open[d] - share * inner->open[d]) <= TOLERANCE;
            has_way = has_way || cut_parts(inner->open[d]) > 0;
        }
    return prism && has_way;
}

/* Thickness in classes, so that slabs equal up to rounding are treated alike along an edge of a room. */
static int thickness_class(float share)
{
    return (int)(share / TOLERANCE / 2 + 0.5F);
}

static bool has_pieces(const struct work *work, uint64_t node)
{
    const size_t at = opening_sides_from(work->side, work->sides, node);
    return at < work->sides && work->side[at].end == node;
}

/* Find out if a node is a slab, and of which neighbour: of two, the one towards which it is thinner. */
static bool look_at(const struct work *work, uint64_t node, const struct voxel_cell *cell, struct slab *out)
{
    int thinnest = thickness_class(THINNEST);
    bool found = false;
    for (unsigned d = 0; d < DIRECTIONS; d++) {
        if (!(cell->open[d] > 0) || cell->open[d ^ 1] > 0 || !(cell->volume < THINNEST * cell->open[d]) ||
            (found && thickness_class(cell->volume / cell->open[d]) >= thinnest))
            continue;
        const float share = cell->volume / cell->open[d];
        const uint64_t into = cut_end_beside(work->voxels, node, d);
        if (!is_prism(cell, cell_at(work, into), d, share) || cut_slivers_gone(work->slivers, into) != NULL)
            continue;
        thinnest = thickness_class(share);
        found = true;
        *out = (struct slab){
            .from = node, .into = into, .cell = cell, .share = share, .direction = (uint8_t)d, .kept = true};
    }
    return found && cut_slivers_gone(work->slivers, node) == NULL && !has_pieces(work, node);
}

static int look_for(struct work *work, struct failure *failure)
{
    const struct voxels *const voxels = work->voxels;
    for (size_t b = 0; b < voxels->block_count; b++) {
        if (voxels->block[b].detail == VOXELS_OPEN_AIR)
            continue;
        const struct voxel_detail *const detail = &voxels->detail[voxels->block[b].detail];
        const struct voxel_area *area = voxels->area + detail->first_area;
        const struct voxel_cell *cell = voxels->cell + detail->first_cell;
        for (uint32_t c = 0; c < detail->cell_count; area += cell->areas, c++, cell++) {
            struct slab found;
            if (!look_at(work, (uint64_t)b * BLOCK_NODES + cell->slot, cell, &found))
                continue;
            if (work->count == work->room) {
                work->room += work->room / 2 + 64;
                struct slab *const grown = realloc(work->slab, work->room * sizeof *grown);
                if (grown == NULL)
                    return failure_memory(failure, work->room * sizeof *grown, "slabs of air");
                work->slab = grown;
            }
            found.area = area;
            work->slab[work->count++] = found;
        }
    }
    return 0;
}

/* The slab of a node; NULL if the node stays. */
static struct slab *slab_of(const struct work *work, uint64_t node)
{
    size_t low = 0, high = work->count;
    LOWER_BOUND(low, high, at, work->slab[at].from < node);
    return low < work->count && work->slab[low].from == node && work->slab[low].kept ? &work->slab[low]
                                                                                     : NULL;
}

/* The node into which a chain of slabs is merged. Volumes rise along the chain, so it ends. */
static uint64_t end_of(const struct work *work, uint64_t node)
{
    for (const struct slab *slab; (slab = slab_of(work, node)) != NULL;)
        node = slab->into;
    return node;
}

/* ---- no node takes too much ------------------------------------------------------------------------------
 */

static int by_end_then_share(const void *a, const void *b)
{
    const struct slab *const left = *(const struct slab *const *)a, *const right =
                                                                        *(const struct slab *const *)b;
    const bool direct[2] = {left->into == left->end, right->into == right->end};
    if (left->end != right->end)
        return left->end < right->end ? -1 : 1;
    if (direct[0] != direct[1])
        return direct[0] ? -1 : 1;
    if (thickness_class(left->share) != thickness_class(right->share))
        return thickness_class(left->share) > thickness_class(right->share) ? -1 : 1;
    return (right->direction > left->direction) - (right->direction < left->direction);
}

/* Keep the thickest slab of every node that would absorb too much, the same along an edge of a room; true if
 * there were any. */
static bool keep_some(const struct work *work, struct slab **order)
{
    size_t count = 0, next;
    bool any = false;
    for (size_t n = 0; n < work->count; n++)
        if (work->slab[n].kept) {
            work->slab[n].end = end_of(work, work->slab[n].from);
            order[count++] = &work->slab[n];
        }
    qsort(order, count, sizeof(struct slab *), by_end_then_share);
    for (size_t n = 0; n < count; n = next) {
        float volume = cell_at(work, order[n]->end)->volume;
        for (next = n; next < count && order[next]->end == order[n]->end; next++)
            volume += order[next]->cell->volume;
        if (volume > MOST) {
            order[n]->kept = false;
            any = true;
        }
    }
    return any;
}

/* ---- links of slabs ------------------------------------------------------------------------------------ */

static void add_link(struct work *work, uint64_t a, uint64_t b, uint64_t from, uint64_t to, float open)
{
    const uint64_t by[2] = {from < to ? from : to, from < to ? to : from};
    if (a == b)
        return;
    for (unsigned d = 0; d < DIRECTIONS; d++)
        if (cut_end_beside(work->voxels, a, d) == b) {
            work->change[work->changes++] =
                (struct change){.node = a, .direction = (uint8_t)d, .add = open, .by = {by[0], by[1]}};
            work->change[work->changes++] =
                (struct change){.node = b, .direction = (uint8_t)(d ^ 1), .add = open, .by = {by[0], by[1]}};
            return;
        }
    work->opening[work->openings++] =
        (struct voxel_opening){.end = {a < b ? a : b, a < b ? b : a}, .open = open};
}

/* Move the links of one slab; a link between two slabs counts for the first of them. */
static void move_links(struct work *work, const struct slab *slab)
{
    for (unsigned d = 0; d < DIRECTIONS; d++) {
        if (!(slab->cell->open[d] > 0))
            continue;
        const uint64_t beside = cut_end_beside(work->voxels, slab->from, d);
        const struct merged_sliver *const sliver = cut_slivers_gone(work->slivers, beside);
        const bool is_slab = slab_of(work, beside) != NULL;
        if (sliver != NULL && (cut_parts(slab->cell->open[d]) == 0 || (sliver->into & VOXELS_PIECE) != 0))
            continue;
        if (!is_slab && sliver == NULL)
            work->change[work->changes++] =
                (struct change){.node = beside, .direction = (uint8_t)(d ^ 1), .closes = true};
        if (!is_slab || slab->from < beside)
            add_link(work, slab->end, end_of(work, sliver != NULL ? sliver->into : beside), slab->from,
                     beside, slab->cell->open[d]);
    }
}

static int by_place_then_link(const void *a, const void *b)
{
    const struct change *left = a, *right = b;
    if (left->node != right->node)
        return left->node < right->node ? -1 : 1;
    if (left->direction != right->direction)
        return left->direction < right->direction ? -1 : 1;
    if (left->by[0] != right->by[0])
        return left->by[0] < right->by[0] ? -1 : 1;
    return (left->by[1] > right->by[1]) - (left->by[1] < right->by[1]);
}

/* Sum changes to openings; the excess over a byte becomes extra openings. */
static size_t sum_changes(struct work *work, struct slab_face *face)
{
    size_t faces = 0, next;
    qsort(work->change, work->changes, sizeof *work->change, by_place_then_link);
    for (size_t n = 0; n < work->changes; n = next) {
        const struct change *const first = &work->change[n];
        float open = cell_at(work, first->node)->open[first->direction];
        for (next = n; next < work->changes && work->change[next].node == first->node &&
                       work->change[next].direction == first->direction;
             next++)
            open = work->change[next].closes ? 0 : open + work->change[next].add;
        if (open > MOST && first->direction % 2 == 1)
            work->opening[work->openings++] = (struct voxel_opening){
                .end = {first->node, cut_end_beside(work->voxels, first->node, first->direction)},
                .open = open - MOST};
        face[faces++] = (struct slab_face){
            .node = first->node, .direction = first->direction, .open = open < MOST ? open : MOST};
    }
    return faces;
}

static int by_ends(const void *a, const void *b)
{
    const struct voxel_opening *left = a, *right = b;
    if (left->end[0] != right->end[0])
        return left->end[0] < right->end[0] ? -1 : 1;
    if (left->end[1] != right->end[1])
        return left->end[1] < right->end[1] ? -1 : 1;
    return (left->open > right->open) - (left->open < right->open);
}

/* Sum openings so that every pair of ends occurs once. */
static size_t sum_openings(struct voxel_opening *opening, size_t count)
{
    size_t sums = 0;
    for (size_t n = 0; n < count; n++)
        if (opening[n].end[0] > opening[n].end[1])
            opening[n] = (struct voxel_opening){.end = {opening[n].end[1], opening[n].end[0]},
                                                .open = opening[n].open};
    qsort(opening, count, sizeof *opening, by_ends);
    for (size_t n = 0; n < count; n++)
        if (sums > 0 && opening[sums - 1].end[0] == opening[n].end[0] &&
            opening[sums - 1].end[1] == opening[n].end[1])
            opening[sums - 1].open += opening[n].open;
        else
            opening[sums++] = opening[n];
    return sums;
}

/* ---- all of it -------------------------------------------------------------------------------------------
 */

/* Join the lists of slivers and slabs. */
static int join_slivers(const struct work *work, struct cut_slivers *slivers, struct failure *failure)
{
    const size_t room = slivers->count + work->count;
    struct cut_slivers next = {.merged = malloc(room * sizeof *next.merged),
                               .by_from = malloc(room * sizeof *next.by_from)};
    if (next.merged == NULL || next.by_from == NULL) {
        cut_slivers_free(&next);
        return failure_memory(failure, 2 * room * sizeof *next.merged, "slabs of air");
    }
    for (size_t s = 0; s < slivers->count; s++) {
        struct merged_sliver sliver = slivers->merged[s];
        const uint64_t into = end_of(work, sliver.into);
        sliver.direction = into == sliver.into ? sliver.direction : DIRECTIONS;
        sliver.into = into;
        next.merged[next.count++] = sliver;
    }
    for (size_t n = 0; n < work->count; n++)
        if (work->slab[n].kept)
            next.merged[next.count++] = (struct merged_sliver){.into = work->slab[n].end,
                                                               .from = work->slab[n].from,
                                                               .cell = work->slab[n].cell,
                                                               .area = work->slab[n].area,
                                                               .direction = DIRECTIONS};
    cut_slivers_sort(&next);
    cut_slivers_free(slivers);
    *slivers = next;
    return 0;
}

static int merge_slabs(struct work *work, struct cut_slabs *found, struct failure *failure)
{
    /* A link makes one or two changes at its ends, and one more if it closes; or an opening. */
    const size_t links = DIRECTIONS * work->count;
    struct slab **order = malloc(work->count * sizeof(struct slab *));
    work->change = malloc(3 * links * sizeof *work->change);
    work->opening = malloc(2 * links * sizeof *work->opening);
    found->face = malloc(3 * links * sizeof *found->face);
    int code = 0;
    if (order == NULL || work->change == NULL || work->opening == NULL || found->face == NULL) {
        code = failure_memory(
            failure,
            work->count * sizeof(struct slab *) +
                links * (3 * sizeof *work->change + 2 * sizeof *work->opening + 3 * sizeof *found->face),
            "slabs of air");
        goto done;
    }
    while (keep_some(work, order))
        continue;
    for (size_t n = 0; n < work->count; n++)
        if (work->slab[n].kept)
            move_links(work, &work->slab[n]);
    found->faces = sum_changes(work, found->face);
    found->openings = sum_openings(work->opening, work->openings);
    found->opening = work->opening;
    work->opening = NULL;
done:
    free(order);
    free(work->change);
    free(work->opening);
    return code;
}

/* True if every node that absorbs a slab keeps an open link. */
static bool keeps_ways(const struct work *work, const struct cut_slabs *found)
{
    for (size_t n = 0; n < work->count; n++) {
        const uint64_t end = work->slab[n].end;
        bool way = !work->slab[n].kept || has_pieces(work, end);
        for (unsigned d = 0; !way && d < DIRECTIONS; d++) {
            float open = cell_at(work, end)->open[d];
            for (size_t f = cut_slabs_from(found, end); f < found->faces && found->face[f].node == end; f++)
                open = found->face[f].direction == d ? found->face[f].open : open;
            way = cut_parts(open) > 0;
        }
        if (!way)
            return false;
    }
    return true;
}

int cut_slabs_find(const struct voxels *voxels, const struct opening_side *side, size_t sides,
                   struct cut_slivers *slivers, struct cut_slabs *out, struct failure *failure)
{
    struct work work = {.voxels = voxels, .side = side, .sides = sides, .slivers = slivers};
    struct cut_slabs found = {0};
    *out = found;
    int code = look_for(&work, failure);
    if (code == 0 && work.count > 0)
        code = merge_slabs(&work, &found, failure);
    if (code == 0 && work.count > 0 && keeps_ways(&work, &found)) {
        code = join_slivers(&work, slivers, failure);
        if (code == 0) {
            *out = found;
            found = (struct cut_slabs){0};
        }
    }
    free(work.slab);
    cut_slabs_free(&found);
    return code;
}

void cut_slabs_free(struct cut_slabs *slabs)
{
    free(slabs->face);
    free(slabs->opening);
    *slabs = (struct cut_slabs){0};
}

size_t cut_slabs_from(const struct cut_slabs *slabs, uint64_t node)
{
    size_t low = 0, high = slabs->faces;
    LOWER_BOUND(low, high, at, slabs->face[at].node < node);
    return low;
}
