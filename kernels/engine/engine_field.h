/** The whole field of an engine as an array, to be read in place or set (for src/python).
 *
 * A level is one array of the run's reals: (blocks + 1, 512) for blocks, (planes + 2, nodes_y + 2, nodes_x +
 * 2) for a box (box_grid.h). Nodes that are not air are 0.
 */
#ifndef KERNELS_ENGINE_FIELD_H
#define KERNELS_ENGINE_FIELD_H

#include "kernels/engine/engine.h"

struct engine_field {
    const void *value; /* borrowed: as long as the engine lives, and the field until it is stepped */
    uint64_t length;   /* values */
    unsigned real_bytes;
};

/** Get the array of u (level 0) or u_old (level 1). On a CPU it is the field itself: the levels swap with
 * every step, so an address shows u again after an even number of steps. For a device it is a copy on the
 * host, made at each call after a step. FAILURE_INPUT for an engine in several parts, which has no such
 * array; FAILURE_OUTPUT and FAILURE_CAPACITY as engine_failed(). */
int engine_field_see(struct engine *engine, int level, struct engine_field *out, struct failure *failure);

/** Set the air nodes to `values`, (length) in the order of that array, rounded to the run's real; other nodes
 * are ignored. The states of walls do not change. FAILURE_INPUT, before any change, if a value of an air node
 * is not finite; else as above. O(stored nodes). */
int engine_field_put(struct engine *engine, int level, const double *values, struct failure *failure);

#endif
