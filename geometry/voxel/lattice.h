/** The cubic lattice that a room is cut into, and its exact integer sub-lattice.
 *
 * Node (i,j,k) lies at origin + (i,j,k) h and is the centre of a cell. 1024 sub-steps make one h; nodes are
 * at multiples of 1024 and mesh vertices snap to odd sub-steps, so no axis-parallel wall ever lies on a node.
 *
 * A coordinate within 1/16 sub-step below an even sub-step counts as that even one. Single-precision files
 * put a wall drawn on a node a little to either side of it; this margin makes it snap the same way
 * everywhere. */
#ifndef GEOMETRY_LATTICE_H
#define GEOMETRY_LATTICE_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/base/failure.h"

#define LATTICE_SUBSTEPS  1024
#define LATTICE_NODES_MAX (INT64_C(1) << 20) /* per axis: keeps edge functions inside int64 */

/** Directions of links, everywhere in transept: -x +x -y +y -z +z. `direction ^ 1` is the opposite one. */
enum direction { DIRECTION_XM, DIRECTION_XP, DIRECTION_YM, DIRECTION_YP, DIRECTION_ZM, DIRECTION_ZP };
#define DIRECTIONS 6

struct lattice {
    double spacing;   /* h [m] */
    double origin[3]; /* position of node (0,0,0) [m] */
    int64_t nodes[3]; /* nodes 0 .. nodes-1 along each axis cover the mesh's bounding box */
};

/** True if the node is in the lattice's box. */
static inline bool lattice_has(const struct lattice *lattice, const int64_t node[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (node[axis] < 0 || node[axis] >= lattice->nodes[axis])
            return false;
    return true;
}

/** Move to the next node in a direction. */
static inline void lattice_step(int64_t node[3], int direction)
{
    node[direction / 2] += direction % 2 == 0 ? -1 : 1;
}

/** Lay a lattice over the box `low`..`high` [m]. By default (`phase` NULL) node 0 lies at low + h/2;
 * otherwise origin is congruent to `phase` modulo h and lies in [low, low + h), up to rounding. nodes is the
 * smallest count such that the box, its ends snapped like walls, ends before node `nodes`; so a box of length
 * N h has N nodes by default and N + 1 with walls on nodes. FAILURE_INPUT for a spacing that is not positive
 * and finite, or a box or phase that is not finite; FAILURE_CAPACITY past LATTICE_NODES_MAX. `out` untouched
 * on failure. */
int lattice_fit(const double low[3], const double high[3], double spacing, const double *phase,
                struct lattice *out, struct failure *failure);

/** Position of a node [m]. */
void lattice_position(const struct lattice *lattice, const int64_t node[3], double position[3]);

/** Position in units of h from node (0,0,0), not rounded. */
void lattice_coordinate(const struct lattice *lattice, const double position[3], double coordinate[3]);

/** The node nearest to a position [m], which may lie outside the lattice. */
void lattice_nearest(const struct lattice *lattice, const double position[3], int64_t node[3]);

/** Nearest odd sub-step to `position` along `axis`, ties towards +; saturates at +-2^40 (NaN at -2^40). */
int64_t lattice_snap(const struct lattice *lattice, int axis, double position);

/** Nearest sub-step of either parity, for positions that are not walls. */
int64_t lattice_substep(const struct lattice *lattice, int axis, double position);

#endif
