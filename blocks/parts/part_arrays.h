/** The arrays of a part, to be sent to the process that steps it. */
#ifndef BLOCKS_PART_ARRAYS_H
#define BLOCKS_PART_ARRAYS_H

#include "blocks/parts/part_grid.h"

#define PART_ARRAYS 23

struct part_array {
    void **where; /* in the part */
    uint64_t bytes;
};

/** All arrays of a part whose counts are set, in an order that is the same everywhere; unused ones have 0
 * bytes. */
void part_arrays(struct part_grid *part, struct part_array out[PART_ARRAYS]);

/** Allocate the arrays of a part whose counts are set. FAILURE_MEMORY; whatever was allocated belongs to the
 * part and is freed with it. */
int part_arrays_allocate(struct part_grid *part, struct failure *failure);

#endif
