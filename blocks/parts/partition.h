/** The blocks of each part of a room.
 *
 * A part has one contiguous range of the blocks with a place and one of the blocks of list nodes:
 *
 *   ids     1 ................. L-1 | L ........ blocks          L = block_list_first()
 *   owner   0 0 0 0 1 1 1 2 2 2 2 2 | 0 0 1 2 2
 *
 * Ids follow the Hilbert curve, so a range is a compact region. List nodes are in the order of the voxels
 * they are pieces of, and a list block belongs to the part with the voxel of its first node. So all but 511
 * list nodes a cut are in the part of their dense node. The cut depends on the grid, the number of parts and
 * `wall_cost` alone, so it is the same on every machine. */
#ifndef BLOCKS_PARTITION_H
#define BLOCKS_PARTITION_H

#include "blocks/block_grid.h"

/** Cost of a node with a record, or of a wall entry of a grid without records, beyond that of a node of open
 * air, in units of the latter, on a CPU. Measured on 24 parts of a room, each stepped by itself on one
 * thread: 16 to 21 for the default scheme and walls, 18 for 7 points with conformal walls, 14.5 staircases,
 * 13 first-order walls. */
#define PARTITION_WALL_COST 16.0

/** The same on a GPU: 2.4, measured on an H200 by `bench` (19 points, single precision). */
#define PARTITION_WALL_COST_DEVICE 2.5

/** Most parts of a room. */
#define PARTITION_MOST 65536u

/** Arrays are owned, freed by partition_free(); a zeroed one may be freed. */
struct partition {
    unsigned parts;
    block_id *dense; /* (parts + 1) part p owns the blocks dense[p] .. dense[p + 1] - 1; at least one */
    block_id *list;  /* (parts + 1) and the blocks of list nodes list[p] .. list[p + 1] - 1; may be none */
};

/** Cut the room into parts of equal weight. A block weighs 512 + wall_cost x its nodes at walls (as above).
 * FAILURE_INPUT if there are no parts, more parts than blocks with a place, or a cost that is negative or not
 * finite; FAILURE_MEMORY. `out` is untouched on failure. O(blocks). */
int partition_make(const struct block_grid *grid, unsigned parts, double wall_cost, struct partition *out,
                   struct failure *failure);
void partition_free(struct partition *partition);

/** Part that owns block 1 .. blocks. O(log parts). */
unsigned partition_owner(const struct partition *partition, block_id block);

#endif
