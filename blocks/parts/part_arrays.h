/** The arrays of a part, to be sent to whoever steps it. */
#ifndef BLOCKS_PART_ARRAYS_H
#define BLOCKS_PART_ARRAYS_H

#include "blocks/parts/part_grid.h"

#define PART_ARRAYS 22

struct part_array {
    void **where; /* in the part */
    uint64_t bytes;
};

/** All arrays of a part whose counts are set, in an order that is the same everywhere; unused ones have 0
 * bytes. */
void part_arrays(struct part_grid *part, struct part_array out[PART_ARRAYS]);

/** Give a part with the counts of another, but none of its arrays, room for these. FAILURE_MEMORY; what could
 * be had is the part's, to be freed with it. */
int part_arrays_allocate(struct part_grid *part, struct failure *failure);

#endif
