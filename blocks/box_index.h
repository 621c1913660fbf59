/** Index arithmetic of the bounding-box layout, in one place. Private to blocks/. */
#ifndef BLOCKS_BOX_INDEX_H
#define BLOCKS_BOX_INDEX_H

#include <stdbool.h>

#include "blocks/box_grid.h"

/** Index of (x,y,z) = node - low; -1 and nodes[] reach the halo. */
static inline uint64_t box_index(const struct box_grid *box, int64_t x, int64_t y, int64_t z)
{
    return ((uint64_t)(z + 1) * (uint64_t)(box->nodes[1] + 2) + (uint64_t)(y + 1)) *
               (uint64_t)(box->nodes[0] + 2) +
           (uint64_t)(x + 1);
}

/** Step to the neighbour in the + direction of an axis. */
static inline uint64_t box_stride(const struct box_grid *box, int axis)
{
    const uint64_t row = (uint64_t)(box->nodes[0] + 2);
    return axis == 0 ? 1 : axis == 1 ? row : row * (uint64_t)(box->nodes[1] + 2);
}

/** Allocate zeroed link bytes for box->nodes and set length. FAILURE_CAPACITY. */
int box_grid_allocate(struct box_grid *box, struct failure *failure);

#endif
