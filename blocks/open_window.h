/** The openings of the links of a block and of those around it in one array, for code that reads squares and
 * cubes of nodes. Private to blocks/. */
#ifndef BLOCKS_OPEN_WINDOW_H
#define BLOCKS_OPEN_WINDOW_H

#include "blocks/block_layout.h"

#define OPEN_WINDOW       (BLOCK_EDGE + 2) /* nodes -1 .. 8 */
#define OPEN_WINDOW_PARTS 27               /* the block (number 13) and those around it, x fastest */

/** Openings, in parts of CUT_WHOLE, of the links in + directions of those nodes. */
struct open_window {
    uint8_t open[3][OPEN_WINDOW][OPEN_WINDOW][OPEN_WINDOW]; /* axis, z, y, x */
};

/** Ids of the blocks around one that has a place; 0 if there is none. Across a corner also 0 if no square or
 * cube of this block's nodes includes a node of it.
 * @param edge  blocks across edges, of the grid or about to be */
void open_window_parts(const struct block_grid *grid, const block_id (*edge)[EDGES], block_id b,
                       block_id part[OPEN_WINDOW_PARTS]);

/** In staircases openings are 0 and CUT_WHOLE. Some microseconds. */
void open_window_read(const struct block_grid *grid, const block_id part[OPEN_WINDOW_PARTS],
                      struct open_window *out);

/** The same array with the shares that sheets leave to the plaquettes of each link: CUT_WHOLE without a
 * sheet. False, with `out` untouched, if no sheet is near. */
bool open_window_shares(const struct block_grid *grid, const block_id part[OPEN_WINDOW_PARTS],
                        struct open_window *out);

#endif
