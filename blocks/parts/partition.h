/** Who owns which blocks, when a room is stepped in parts.
 *
 * A part has one contiguous range of the blocks with a place and one of the blocks of list nodes:
 *
 *   ids     1 ................. L-1 | L ........ blocks          L = block_list_first()
 *   owner   0 0 0 0 1 1 1 2 2 2 2 2 | 0 0 1 2 2
 *
 * Ids follow the Hilbert curve, so a range is a compact region. List nodes are in the order of the voxels
 * they are pieces of, and a list block goes where the voxel of its first node is: so all but 511 list nodes a
 * cut are with the dense node that they hang on. The cut is the same on every machine: it depends on the
 * grid, the number of parts and `wall_cost` alone.
 */
#ifndef BLOCKS_PARTITION_H
#define BLOCKS_PARTITION_H

#include "blocks/block_grid.h"

/** What a node with a record, or a wall entry of a grid without records, takes more than a node of open air,
 * in the time of such a node, on a processor. Measured by `part_costs walls` (tests/accuracy) in the built-in
 * church with 7 and 9.8 x 10^7 nodes, one core of a busy AMD EPYC with AVX2, single precision: the default
 * scheme and walls (19 points, conformal) 1.06 ns a node and 17.0 ns more at a wall, 16 times as much, and at
 * another time 0.93 and 19.6 ns, 21 times; in double precision 16 times; 7 points with conformal walls 18,
 * staircases 14.5, first-order walls 13. */
#define PARTITION_WALL_COST 16.0

/** Likewise on a card: H200, `bench`, the built-in cross and a real church of 3 x 10^8 nodes, of which 2 %
 * are at walls, 4.31 and 4.51 ps a node (19 points, single), 2.4 times as much at a wall. */
#define PARTITION_WALL_COST_DEVICE 2.5

/** Most parts of a room. */
#define PARTITION_MOST 65536u

/** Arrays are owned, freed by partition_free(); a zeroed one may be freed. */
struct partition {
    unsigned parts;
    block_id *dense; /* (parts + 1) part p owns the blocks dense[p] .. dense[p + 1] - 1; never none */
    block_id *list;  /* (parts + 1) and the blocks of list nodes list[p] .. list[p + 1] - 1; may be none */
};

/** Cut the room into parts of equal weight, the weight of a block being 512 + wall_cost x its nodes at walls
 * (as above). FAILURE_INPUT where there are more parts than blocks with a place, or none, or a cost that is
 * not finite and at least 0; FAILURE_MEMORY. `out` is untouched on failure. O(blocks). */
int partition_make(const struct block_grid *grid, unsigned parts, double wall_cost, struct partition *out,
                   struct failure *failure);
void partition_free(struct partition *partition);

/** Part that owns block 1 .. blocks. O(log parts). */
unsigned partition_owner(const struct partition *partition, block_id block);

/** Weight of a part over the mean, minus 1, of the heaviest: how long the others wait (-). O(blocks). */
double partition_imbalance(const struct block_grid *grid, const struct partition *partition,
                           double wall_cost);

#endif
