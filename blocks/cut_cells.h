/** Converts cells of the voxeliser to nodes of a grid with conformal walls: records, marks, walls and extra
 * links. Openings are rounded to bytes here, once, for both ends of a link. Private to blocks/. */
#ifndef BLOCKS_CUT_CELLS_H
#define BLOCKS_CUT_CELLS_H

#include "blocks/block_grid.h"
#include "blocks/cut_slabs.h"
#include "blocks/cut_slivers.h"

/* Every link of 512 nodes may lead to a material of its own; a piece touches as many at most. */
#define BLOCK_WALLS_MAX (6 * BLOCK_NODES)
_Static_assert(VOXELS_AREAS_MAX == 6, "wall entries of a block");

/** One block of a conformal grid. */
struct cut_block {
    uint8_t links[BLOCK_NODES];
    struct tile_marks marks;
    unsigned cuts, walls, wall_nodes;
    struct cut_cell cut[BLOCK_NODES];
    struct wall wall[BLOCK_WALLS_MAX];
};

/** Voxels with cells, and the openings that packing needs. Owned, cut_room_free(). */
struct cut_room {
    const struct voxels *voxels;
    struct cut_slivers slivers; /* and slabs */
    struct cut_slabs slabs;     /* changes of openings by slabs; empty unless slabs are merged */
    size_t openings;
    const struct voxel_opening *opening; /* (openings) of the voxels and of slabs */
    struct voxel_opening *joined;        /* copy of both lists of openings; owned */
    bool *kept;                          /* (piece_count) pieces with an opening */
    size_t ends;                         /* nodes of blocks with openings to pieces */
    uint64_t *end;                       /* (ends) block x 512 + slot, rising */
    size_t list_nodes;                   /* pieces that are kept */
    size_t links;                        /* openings that are kept */
    uint32_t *list; /* (list_nodes) the pieces in their order in the grid; NULL before cut_room_number() */
};

/** FAILURE_CAPACITY for memory. Empty without cells.
 * @param merge_slabs  merge slabs as in cut_slabs.h; else only slivers are merged */
int cut_room_start(const struct voxels *voxels, bool merge_slabs, struct cut_room *out,
                   struct failure *failure);
void cut_room_free(struct cut_room *room);

/** Blocks that the list nodes take. */
static inline uint32_t cut_room_list_blocks(const struct cut_room *room)
{
    return (uint32_t)((room->list_nodes + BLOCK_NODES - 1) / BLOCK_NODES);
}

/** Block `index` of the voxels, or with index block_count + n the n-th list block. Before cut_room_number(),
 * pieces are in their own order. False, with `out` untouched, for a block of open air only. */
bool cut_room_block(const struct cut_room *room, size_t index, struct cut_block *out);

/** Put the list nodes in the order of the grid: by id of their voxel's block, then as in voxels->piece.
 * @param id  (block_count) of every block of the voxels, 0 of those that hold no air */
int cut_room_number(struct cut_room *room, const block_id *id, struct failure *failure);

/** Fill in records, list voxels, extra nodes and links of the grid.
 * @param index  (blocks) block `index` above of every id, from id 1 */
int cut_room_fill(const struct cut_room *room, const block_id *id, const uint32_t *index,
                  struct block_grid *grid, struct failure *failure);

#endif
