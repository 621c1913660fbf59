/** Joins the blocks of a grid to boxes, for programs that prefer few large pieces.
 *
 * Every block is in exactly one box, and a box holds only blocks of the grid. Blocks are joined along x, rows
 * of them along y, sheets along z, within cubes of BLOCK_BOX_EDGE blocks; the church of `room church` at 355
 * Hz, 22,474 blocks, is some hundred boxes. */
#ifndef SRC_BLOCK_BOXES_H
#define SRC_BLOCK_BOXES_H

#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"

#define BLOCK_BOX_EDGE 8 /* blocks along an edge at most */

struct block_box {
    int32_t place[3]; /* of its first block */
    int32_t blocks[3];
};

/** @param out (out_count) owned by the caller, free(); cube by cube, z slowest
 * FAILURE_CAPACITY for memory: 16 bytes a block while it works. O(blocks log blocks). */
int block_boxes_make(const struct block_grid *grid, struct block_box **out, size_t *out_count,
                     struct failure *failure);

#endif
