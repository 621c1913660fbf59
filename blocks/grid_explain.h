/** How the validators of grids say what they found. Private to blocks/. */
#ifndef BLOCKS_GRID_EXPLAIN_H
#define BLOCKS_GRID_EXPLAIN_H

#include "blocks/block_layout.h"

/** A grid that fails is our own bug or damaged memory, and the answer to "is it right" is no. */
#define EXPLAIN(failure, ...) failure_set(failure, FAILURE_ANSWER_NO, __VA_ARGS__)

static const char *const direction_name[DIRECTIONS] = {"-x", "+x", "-y", "+y", "-z", "+z"};

/** The part of block_grid_check() about conformal walls: records, gains, blocks of list nodes, extra links.
 * Every block's tile and neighbours are right. */
int cut_cells_check(const struct block_grid *grid, struct failure *failure);

/** Of an isotropic grid that cut_cells_check() accepts: blocks across edges, plaquettes the same from all
 * their nodes and those of their links, a record of every node that lacks one, masses as cube_bound.h asks.
 */
int plaquettes_check(const struct block_grid *grid, struct failure *failure);

#endif
