/** One part of a room (partition.h): a grid of its own, and the values that it reads of other parts.
 *
 *   ids of the part   1 .. dense           its blocks with a place, in the order of the whole room
 *                     .. grid.blocks       its blocks of list nodes, likewise
 *                     .. + grid.ghosts     blocks of other parts that the stencil reads; never stepped
 *
 * So units 1 .. grid.blocks are stepped as those of any room. part_global() gives the id of a block in the
 * whole room. A ghost block has room for all its nodes, but only nodes that are read are filled in: faces,
 * edges of the isotropic scheme, single nodes at extra links. Others stay 0.
 *
 *   part 1 |                 | part 2
 *   . . u u|-- 64 values --->|g g . .      one gather and one message for each peer and step
 *   . . u u|<-- 64 values ---|g g . .      both in the order of the whole room's pressure indices
 *
 * A link that a sheet cuts is in each part that has an end of it; if it begins in a ghost, the ghost's
 * neighbour is known. Both parts compute its flow from the same values. Beside own nodes of the layer of an
 * open scene, how far a ghost's links are open is known.
 *
 * Surface blocks are those with a value in `send`: they are stepped first, the rest while messages travel. */
#ifndef BLOCKS_PART_GRID_H
#define BLOCKS_PART_GRID_H

#include "blocks/parts/partition.h"

/** The values that a part and a peer exchange in a step: equally many both ways if all links are of faces. */
struct part_peer {
    unsigned part;
    uint64_t send, sends;       /* send[send] .. of this peer */
    uint64_t receive, receives; /* receive[receive] .. */
};

/** Arrays are owned, freed by part_grid_free(); a zeroed one may be freed. */
struct part_grid {
    struct block_grid grid;
    unsigned part;
    block_id first, list_first; /* ids in the whole room of the first block with a place, of list nodes */
    uint32_t dense;             /* blocks with a place */
    block_id *ghost;            /* (grid.ghosts) id in the whole room of block grid.blocks + 1 + n, rising */
    unsigned peers;
    struct part_peer *peer; /* (peers) rising in part */
    uint64_t sends, receives;
    uint64_t *send;    /* (sends) pressure indices of own nodes */
    uint64_t *receive; /* (receives) pressure indices in ghosts */
    uint32_t surfaces; /* own blocks with a value in `send` .. */
    block_id *surface; /* (surfaces) .. rising */
};

/** Cut a part out of the whole room. Everything is copied and tiles are numbered anew, so `whole` may be
 * freed. The bounding box of the air is that of the whole room. FAILURE_MEMORY, FAILURE_CAPACITY past
 * BLOCKS_MAX blocks with ghosts; `out` is untouched on failure. O(blocks and records of the part + tiles of
 * the room). */
int part_grid_make(const struct block_grid *whole, const struct partition *partition, unsigned part,
                   struct part_grid *out, struct failure *failure);
void part_grid_free(struct part_grid *part);

/** Id in the whole room of a block of the part, ghosts too. */
static inline block_id part_global(const struct part_grid *part, block_id own)
{
    if (own <= part->dense)
        return own == 0 ? 0 : part->first + own - 1;
    if (own <= part->grid.blocks)
        return part->list_first + (own - part->dense) - 1;
    return part->ghost[own - part->grid.blocks - 1];
}

/** Id in the part of one of its own blocks; 0 for a block of another part. */
static inline block_id part_local(const struct part_grid *part, block_id global)
{
    if (global >= part->first && global - part->first < part->dense)
        return global - part->first + 1;
    if (global >= part->list_first && global - part->list_first < part->grid.list_blocks)
        return global - part->list_first + part->dense + 1;
    return 0;
}

/** Bytes that a part receives in a step. */
static inline uint64_t part_step_bytes(const struct part_grid *part, unsigned real_bytes)
{
    return part->receives * real_bytes;
}

/** Compare a part with the room and its partition: every neighbour, edge and extra link of an own block is
 * the same block of the whole room, records and wall entries are equal, and the ghosts' values that the
 * stencil reads are received. FAILURE_ANSWER_NO with the place of the first difference. O(part). */
int part_grid_check(const struct block_grid *whole, const struct partition *partition,
                    const struct part_grid *part, struct failure *failure);

#endif
