/** Raises a floor plan to a watertight mesh.
 *
 * The plan is cut into convex cells; every cell has a floor and a ceiling height at each corner. Between two
 * cells air passes from the higher floor to the lower ceiling, and the steps above and below become vertical
 * panels. An edge without a neighbour becomes a wall from floor to ceiling. So arcades, clerestories, columns
 * (places without a cell), pews (raised floors) and towers (raised ceilings) need no other rule.
 *
 *      ceiling  ______                 panel between the ceilings of two neighbours
 *              |      |____________  <-'
 *              | cell      cell    |
 *      floor   |______      _______|
 *                     |____|      <--- panel between their floors
 *
 * Coordinates are kept as whole numbers of FLOOR_PLAN_STEPS to the metre, so that shared corners are shared
 * exactly. Cells may meet along part of an edge if that edge runs along x or y: missing corners are inserted.
 * Every edge of the mesh joins an even number of triangles by construction. */
#ifndef ROOMS_FLOOR_PLAN_H
#define ROOMS_FLOOR_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/mesh/mesh.h"

#define FLOOR_PLAN_STEPS 4096 /* per metre */

struct plan_corner {
    double x, y, floor, ceiling; /* [m] */
};

/** Material names of a cell; static storage. */
struct plan_finish {
    const char *floor, *ceiling;
    const char *wall;  /* vertical faces towards this cell, above its floor */
    const char *riser; /* the step down from this cell to a lower neighbour */
};

/** Internal records, in steps. */
struct plan_place {
    int32_t x, y;
};
struct plan_loop_corner {
    struct plan_place place;
    int32_t floor, ceiling;
};
struct plan_cell {
    size_t first; /* index into corner */
    size_t corners;
    struct plan_finish finish;
};
struct plan_face {
    struct plan_place from, to;
    int32_t bottom, top_from, top_to;
    const char *material;
};

/** Start zeroed, end with floor_plan_free(). The first failure (only memory) is stored and disables later
 * calls, so that shapes need no check on every line; floor_plan_raise() reports it. */
struct floor_plan {
    size_t cell_count, cell_room;
    struct plan_cell *cell;
    size_t corner_count, corner_room;
    struct plan_loop_corner *corner;
    size_t place_count, place_room;
    struct plan_place *place;
    size_t face_count, face_room;
    struct plan_face *face;
    struct failure failure;
};
void floor_plan_free(struct floor_plan *plan);

/** `array` with room for `wanted` items, at least doubled when it moves; NULL (and `array` unchanged) without
 * memory. */
void *plan_grow(void *array, size_t wanted, size_t *room, size_t item_bytes, struct failure *failure);

/** Add a convex cell of at least 3 corners, with either winding. Cells must not overlap. */
void floor_plan_cell(struct floor_plan *plan, const struct plan_corner *corner, size_t corners,
                     const struct plan_finish *finish);

/** Add a rectangle with one floor height and ceilings that depend on the corner:
 * `ceiling` is {(x0,y0), (x1,y0), (x1,y1), (x0,y1)} [m]. Nothing is added when it is empty. */
void floor_plan_rectangle(struct floor_plan *plan, double x0, double y0, double x1, double y1, double floor,
                          const double ceiling[4], const struct plan_finish *finish);

/** Give the wall along the plan segment `from`..`to` another material between `bottom` and a top edge that
 * goes from `top_from` to `top_to` [m]: glass, a door. The part in an opening is left out. The ends become
 * corners of the plan; a segment not along x or y must already be made of edges of a cell. */
void floor_plan_face(struct floor_plan *plan, const double from[2], const double to[2], double bottom,
                     double top_from, double top_to, const char *material);

/** Convert the plan to triangles, added to `mesh`, whose fronts (counter-clockwise) face the air.
 * FAILURE_CAPACITY for memory. O(n log n) in corners and faces. */
int floor_plan_raise(const struct floor_plan *plan, struct mesh *mesh, struct failure *failure);

#endif
