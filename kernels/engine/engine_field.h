/** The whole field of an engine at once: looked at where it lies, or put there.
 *
 * For who works with fields and not with taps (src/python). A level is one array of the run's reals,
 * (blocks + 1, 512) of blocks and (planes + 2, nodes_y + 2, nodes_x + 2) of a box (box_grid.h), 0 wherever
 * there is no air.
 */
#ifndef KERNELS_ENGINE_FIELD_H
#define KERNELS_ENGINE_FIELD_H

#include "kernels/engine/engine.h"

struct engine_field {
    const void *value; /* borrowed: as long as the engine lives, and the field until it is stepped */
    uint64_t length;   /* values */
    unsigned real_bytes;
};

/** Where u (level 0) or u_old (level 1) is. On processors that is the field itself: the two levels change
 * places with every step, so an address that was asked for shows u again after an even number of steps. Of a
 * device it is a copy, made anew at every call after a step (as many bytes on the host). FAILURE_INPUT for an
 * engine in several parts, which has no such array; FAILURE_OUTPUT and FAILURE_CAPACITY as engine_failed().
 */
int engine_field_see(struct engine *engine, int level, struct engine_field *out, struct failure *failure);

/** Put `values`, (length) in the order of that array, at the nodes of the air, rounded to the run's real;
 * what there is for other nodes is left out. The states of walls stay as they are. FAILURE_INPUT, before
 * anything is changed, where one of the air is not finite; else as above. O(stored nodes). */
int engine_field_put(struct engine *engine, int level, const double *values, struct failure *failure);

#endif
