#include "rooms/shapes/plan_edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct plan_insertion {
    uint32_t after; /* corner behind which it goes */
    uint32_t order; /* among those behind the same corner */
    struct corner corner;
};

static int compare_places(const void *left, const void *right)
{
    const struct plan_place *a = left, *b = right;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

static int compare_places_by_y(const void *left, const void *right)
{
    const struct plan_place *a = left, *b = right;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return (a->x > b->x) - (a->x < b->x);
}

static uint32_t place_index(const struct plan_edges *e, struct plan_place place)
{
    const struct plan_place *found = bsearch(&place, e->place, e->sorted_count, sizeof place, compare_places);
    return (uint32_t)(found - e->place);
}

static int find_places(struct plan_edges *e, struct failure *failure)
{
    const struct floor_plan *plan = e->plan;
    const size_t most = plan->corner_count + plan->place_count;
    e->place = malloc((most + 1) * sizeof *e->place);
    struct plan_place *turned = malloc((most + 1) * sizeof *turned);
    e->by_y = malloc((most + 1) * sizeof *e->by_y);
    e->corner = malloc((plan->corner_count + 1) * sizeof *e->corner);
    e->first = malloc((plan->cell_count + 1) * sizeof *e->first);
    if (!e->place || !turned || !e->by_y || !e->corner || !e->first) {
        free(turned);
        return failure_memory(failure, most * sizeof *e->place, "the floor plan of a room");
    }
    for (size_t i = 0; i < plan->corner_count; ++i)
        e->place[i] = plan->corner[i].place;
    for (size_t i = 0; i < plan->place_count; ++i)
        e->place[plan->corner_count + i] = plan->place[i];
    qsort(e->place, most, sizeof *e->place, compare_places);
    for (size_t i = 0; i < most; ++i)
        if (i == 0 || compare_places(&e->place[i], &e->place[i - 1]) != 0)
            e->place[e->place_count++] = e->place[i];
    e->sorted_count = e->place_count;
    memcpy(turned, e->place, e->place_count * sizeof *turned);
    qsort(turned, e->place_count, sizeof *turned, compare_places_by_y);
    for (size_t i = 0; i < e->place_count; ++i)
        e->by_y[i] = place_index(e, turned[i]);
    free(turned);

    e->corner_count = plan->corner_count;
    for (size_t c = 0; c < plan->cell_count; ++c)
        e->first[c] = plan->cell[c].first;
    e->first[plan->cell_count] = plan->corner_count;
    for (size_t i = 0; i < plan->corner_count; ++i)
        e->corner[i] = (struct corner){.place = place_index(e, plan->corner[i].place),
                                       .floor = plan->corner[i].floor,
                                       .ceiling = plan->corner[i].ceiling};
    return 0;
}

static int insert_corner(struct plan_edges *e, size_t after, uint32_t order, struct corner corner,
                         struct failure *failure)
{
    void *grown =
        plan_grow(e->insertion, e->insertion_count + 1, &e->insertion_room, sizeof *e->insertion, failure);
    if (!grown)
        return FAILURE_CAPACITY;
    e->insertion = grown;
    e->insertion[e->insertion_count++] =
        (struct plan_insertion){.after = (uint32_t)after, .order = order, .corner = corner};
    return 0;
}

static int compare_insertions(const void *left, const void *right)
{
    const struct plan_insertion *a = left, *b = right;
    if (a->after != b->after)
        return a->after < b->after ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static int apply_insertions(struct plan_edges *e, struct failure *failure)
{
    if (e->insertion_count == 0)
        return 0;
    qsort(e->insertion, e->insertion_count, sizeof *e->insertion, compare_insertions);
    const size_t count = e->corner_count + e->insertion_count;
    struct corner *corner = malloc(count * sizeof *corner);
    if (!corner)
        return failure_memory(failure, count * sizeof *corner, "the walls of a room");
    size_t written = 0, next = 0;
    for (size_t c = 0; c < e->plan->cell_count; ++c) {
        const size_t first = e->first[c];
        e->first[c] = written;
        for (size_t i = first; i < e->first[c + 1]; ++i) {
            corner[written++] = e->corner[i];
            for (; next < e->insertion_count && e->insertion[next].after == i; ++next)
                corner[written++] = e->insertion[next].corner;
        }
    }
    e->first[e->plan->cell_count] = written;
    free(e->corner);
    e->corner = corner;
    e->corner_count = written;
    e->insertion_count = 0;
    return 0;
}

/* Height at `part` of `whole` steps along an edge. Both neighbours of an edge call this with the same end
 * first, so that they agree. */
static int32_t height_between(int32_t low, int32_t high, int64_t part, int64_t whole)
{
    return low + (int32_t)lround((double)(high - low) * (double)part / (double)whole);
}

static size_t next_corner(const struct plan_edges *e, size_t cell, size_t i)
{
    return i + 1 < e->first[cell + 1] ? i + 1 : e->first[cell];
}

/* Places strictly between the ends of an edge along x or y become corners of it. */
static int complete_edge(struct plan_edges *e, size_t from, size_t to, struct failure *failure)
{
    const struct corner *ends[2] = {&e->corner[from], &e->corner[to]};
    const struct plan_place a = e->place[ends[0]->place], b = e->place[ends[1]->place];
    const bool along_y = a.x == b.x;
    if (!along_y && a.y != b.y)
        return 0;
    const bool forward = compare_places(&a, &b) < 0;
    const struct corner *low = ends[forward ? 0 : 1], *high = ends[forward ? 1 : 0];
    const struct plan_place start = forward ? a : b, end = forward ? b : a;
    const int64_t whole = along_y ? end.y - (int64_t)start.y : end.x - (int64_t)start.x;

    /* First place in the order of the line that lies behind `start`. */
    size_t at = 0, last = e->sorted_count;
    while (at < last) {
        const size_t middle = (at + last) / 2;
        const struct plan_place *place = &e->place[along_y ? middle : e->by_y[middle]];
        const int order = along_y ? compare_places(place, &start) : compare_places_by_y(place, &start);
        if (order <= 0)
            at = middle + 1;
        else
            last = middle;
    }
    for (; at < e->sorted_count; ++at) {
        const uint32_t index = along_y ? (uint32_t)at : e->by_y[at];
        const struct plan_place place = e->place[index];
        if (along_y ? place.x != start.x || place.y >= end.y : place.y != start.y || place.x >= end.x)
            break;
        const int64_t part = along_y ? place.y - (int64_t)start.y : place.x - (int64_t)start.x;
        const uint32_t order = (uint32_t)(forward ? part : whole - part);
        TRY(insert_corner(
            e, from, order,
            (struct corner){.place = index,
                            .floor = height_between(low->floor, high->floor, part, whole),
                            .ceiling = height_between(low->ceiling, high->ceiling, part, whole)},
            failure));
    }
    return 0;
}

static int complete_edges(struct plan_edges *e, struct failure *failure)
{
    for (size_t c = 0; c < e->plan->cell_count; ++c)
        for (size_t i = e->first[c]; i < e->first[c + 1]; ++i)
            TRY(complete_edge(e, i, next_corner(e, c, i), failure));
    return apply_insertions(e, failure);
}

static int compare_edges(const void *left, const void *right)
{
    const struct edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->cell > b->cell) - (a->cell < b->cell);
}

static int list_edges(struct plan_edges *e, struct failure *failure)
{
    free(e->edge);
    e->edge_count = 0;
    e->edge = malloc((e->corner_count + 1) * sizeof *e->edge);
    if (!e->edge)
        return failure_memory(failure, e->corner_count * sizeof *e->edge, "the walls of a room");
    for (size_t c = 0; c < e->plan->cell_count; ++c) {
        for (size_t i = e->first[c]; i < e->first[c + 1]; ++i) {
            const size_t j = next_corner(e, c, i);
            const uint32_t p = e->corner[i].place, q = e->corner[j].place;
            e->edge[e->edge_count++] = (struct edge){.low = p < q ? p : q,
                                                     .high = p < q ? q : p,
                                                     .cell = (uint32_t)c,
                                                     .from = (uint32_t)i,
                                                     .to = (uint32_t)j};
        }
    }
    qsort(e->edge, e->edge_count, sizeof *e->edge, compare_edges);
    return 0;
}

bool plan_edges_same(const struct edge *a, const struct edge *b)
{
    return a->low == b->low && a->high == b->high;
}

/* Two ceilings that change places along their common edge get a corner where they cross. */
static int cross_ceilings(struct plan_edges *e, const struct edge *one, const struct edge *two,
                          struct failure *failure)
{
    const struct edge *edge[2] = {one, two};
    int32_t at_low[2], at_high[2], floor[2];
    for (int side = 0; side < 2; ++side) {
        const struct corner *from = &e->corner[edge[side]->from], *to = &e->corner[edge[side]->to];
        const bool forward = from->place == one->low;
        at_low[side] = forward ? from->ceiling : to->ceiling;
        at_high[side] = forward ? to->ceiling : from->ceiling;
        floor[side] = from->floor;
    }
    const int64_t gap_low = (int64_t)at_low[0] - at_low[1], gap_high = (int64_t)at_high[0] - at_high[1];
    if (!((gap_low < 0 && gap_high > 0) || (gap_low > 0 && gap_high < 0)))
        return 0;
    const struct plan_place a = e->place[one->low], b = e->place[one->high];
    const int64_t whole = gap_low - gap_high;
    const struct plan_place middle = {height_between(a.x, b.x, gap_low, whole),
                                      height_between(a.y, b.y, gap_low, whole)};
    if (compare_places(&middle, &a) == 0 || compare_places(&middle, &b) == 0)
        return 0; /* less than one step wide: skipped, and still watertight */
    struct plan_place *places = realloc(e->place, (e->place_count + 1) * sizeof *places);
    if (!places)
        return failure_memory(failure, (e->place_count + 1) * sizeof *places, "the walls of a room");
    e->place = places;
    e->place[e->place_count] = middle;
    for (int side = 0; side < 2; ++side)
        TRY(insert_corner(e, edge[side]->from, 0,
                          (struct corner){.place = (uint32_t)e->place_count,
                                          .floor = floor[side],
                                          .ceiling = height_between(at_low[0], at_high[0], gap_low, whole)},
                          failure));
    ++e->place_count;
    return 0;
}

static int make_edges(struct plan_edges *e, struct failure *failure)
{
    TRY(find_places(e, failure));
    TRY(complete_edges(e, failure));
    TRY(list_edges(e, failure));
    for (size_t i = 0; i + 1 < e->edge_count; ++i)
        if (plan_edges_same(&e->edge[i], &e->edge[i + 1]))
            TRY(cross_ceilings(e, &e->edge[i], &e->edge[i + 1], failure));
    TRY(apply_insertions(e, failure));
    return list_edges(e, failure);
}

int plan_edges_make(const struct floor_plan *plan, struct plan_edges *out, struct failure *failure)
{
    struct plan_edges edges = {.plan = plan};
    const int code = make_edges(&edges, failure);
    if (code == 0)
        *out = edges;
    else
        plan_edges_free(&edges);
    return code;
}

void plan_edges_free(struct plan_edges *edges)
{
    free(edges->place);
    free(edges->by_y);
    free(edges->corner);
    free(edges->first);
    free(edges->edge);
    free(edges->insertion);
    *edges = (struct plan_edges){0};
}
