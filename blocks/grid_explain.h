/** Messages and parts of the validators of grids. Private to blocks/. */
#ifndef BLOCKS_GRID_EXPLAIN_H
#define BLOCKS_GRID_EXPLAIN_H

#include "blocks/block_layout.h"

/** A grid that fails is our own bug or damaged memory. */
#define EXPLAIN(failure, ...) failure_set(failure, FAILURE_ANSWER_NO, __VA_ARGS__)

static const char *const direction_name[DIRECTIONS] = {"-x", "+x", "-y", "+y", "-z", "+z"};

/** Opening of a dense node in a direction; 0 if it is not air. */
unsigned explain_open(const struct block_grid *grid, block_id b, unsigned slot, unsigned d);

/** The part of block_grid_check() about conformal walls: records, gains, blocks of list nodes, extra links.
 * Every block's tile and neighbours are right. */
int cut_cells_check(const struct block_grid *grid, struct failure *failure);

/** For an isotropic grid that cut_cells_check() accepts: blocks across edges, plaquettes equal from all their
 * nodes and within the bounds of their links, records where required, masses as cube_bound.h requires. */
int plaquettes_check(const struct block_grid *grid, struct failure *failure);

#endif
