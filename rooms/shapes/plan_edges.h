/** The corners and edges of a floor plan with shared corners inserted, the input of floor_plan_raise(). */
#ifndef ROOMS_PLAN_EDGES_H
#define ROOMS_PLAN_EDGES_H

#include <stdbool.h>

#include "rooms/shapes/floor_plan.h"

struct corner {
    uint32_t place;
    int32_t floor, ceiling;
};

/** A side of a cell, by its two places, smaller first. */
struct edge {
    uint32_t low, high;
    uint32_t cell;
    uint32_t from, to; /* indices into corner; the cell lies on the left */
};

/** Start zeroed; owned, freed by plan_edges_free(). */
struct plan_edges {
    const struct floor_plan *plan; /* borrowed */
    size_t place_count;
    struct plan_place *place; /* by (x,y), then crossings in the order they are found */
    size_t sorted_count;      /* places that `by_y` covers */
    uint32_t *by_y;           /* place indices by (y,x) */
    size_t corner_count;
    struct corner *corner;
    size_t *first; /* (cell_count + 1) corners of a cell */
    size_t edge_count;
    struct edge *edge; /* by (low, high): the two sides of a shared edge follow one another */
    size_t insertion_count, insertion_room;
    struct plan_insertion *insertion; /* corners to be inserted */
};

/** List corners and edges. Places in the middle of an edge along x or y become corners of it, and ceilings
 * that cross along a shared edge get a corner there. FAILURE_CAPACITY for memory. */
int plan_edges_make(const struct floor_plan *plan, struct plan_edges *out, struct failure *failure);
void plan_edges_free(struct plan_edges *edges);

/** True if two sides lie on the same edge. */
bool plan_edges_same(const struct edge *a, const struct edge *b);

#endif
