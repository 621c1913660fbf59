/** The openings of a block's links and of those around it in one array, for what looks at squares and cubes
 * of nodes. Private to blocks/.
 */
#ifndef BLOCKS_OPEN_WINDOW_H
#define BLOCKS_OPEN_WINDOW_H

#include "blocks/block_layout.h"

#define OPEN_WINDOW       (BLOCK_EDGE + 2) /* nodes -1 .. 8 */
#define OPEN_WINDOW_PARTS 27               /* the block (number 13) and those around it, x fastest */

/** Openings, in parts of CUT_WHOLE, of the links in + directions of those nodes. */
struct open_window {
    uint8_t open[3][OPEN_WINDOW][OPEN_WINDOW][OPEN_WINDOW]; /* axis, z, y, x */
};

/** The blocks around one that has a place; 0 where there is none, or across a corner none that a node of this
 * one has a square or cube with.
 * @param edge  of the grid, or what it is to be */
void open_window_parts(const struct block_grid *grid, const block_id (*edge)[EDGES], block_id b,
                       block_id part[OPEN_WINDOW_PARTS]);

/** Of staircases openings are 0 and CUT_WHOLE. Some microseconds. */
void open_window_read(const struct block_grid *grid, const block_id part[OPEN_WINDOW_PARTS],
                      struct open_window *out);

/** The same array of what sheets leave to plaquettes with each link: CUT_WHOLE where there is none. False,
 * with `out` left alone, where no sheet is near. */
bool open_window_shares(const struct block_grid *grid, const block_id part[OPEN_WINDOW_PARTS],
                        struct open_window *out);

#endif
