/** Assembling a block_grid from any description of a room that can be asked block by block. Private to
 * blocks/.
 *
 * The voxeliser's air and the bounding-box layout both go through here, so that the same air gives the same
 * grid whichever way it came.
 */
#ifndef BLOCKS_BLOCK_ASSEMBLY_H
#define BLOCKS_BLOCK_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

#include "blocks/block_layout.h"

/** Six links at most for each of 512 nodes, each to a material of its own. */
#define BLOCK_WALLS_MAX (6 * BLOCK_NODES)

/** Candidate blocks in rising order of (z,y,x) of their place, each place once. Callbacks are called from
 * several threads at once. */
struct block_supply {
    const void *room;
    struct lattice lattice;
    size_t count;
    void (*place)(const void *room, size_t index, int32_t place[3]);
    /** Fill the link bytes; or return false, leaving them, when every node has all six links. */
    bool (*links)(const void *room, size_t index, uint8_t links[BLOCK_NODES]);
    /** Write the wall entries of the block (at most BLOCK_WALLS_MAX), ordered as struct block_grid asks,
     * those of nodes without links left out; return their number. */
    unsigned (*walls)(const void *room, size_t index, struct wall *entry);
};

/** As block_grid_pack(). Blocks without a single link are dropped. */
int block_grid_assemble(const struct block_supply *supply, struct block_grid *out, struct failure *failure);

/** As block_grid_measure(). */
int block_supply_count(const struct block_supply *supply, struct block_grid *out, struct failure *failure);

#endif
