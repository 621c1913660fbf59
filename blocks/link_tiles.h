/** A set of distinct link tiles: 512 link bytes each, with conformal walls marks too, numbered in the order
 * in which they were first added.
 *
 * Blocks deep in the air all have the same links, and walls along the axes repeat a few patterns, so a block
 * holds the number of its tile. Private to blocks/. */
#ifndef BLOCKS_LINK_TILES_H
#define BLOCKS_LINK_TILES_H

#include <stdint.h>

#include "blocks/block_layout.h"
#include "geometry/voxel/voxels.h"

/** Owned, freed by tile_set_free(); zeroed is empty. */
struct tile_set {
    uint32_t count;
    uint8_t (*tile)[BLOCK_NODES]; /* (capacity, 512), `count` of them in use */
    struct tile_marks *marks;     /* (capacity) NULL without conformal walls */
    bool has_records;
    uint32_t capacity;
    uint32_t slots;  /* power of two: open addressing by content */
    uint32_t *table; /* (slots) number + 1, 0 free */
};

/** Read the link bytes of a block of the voxels. */
void link_tile_read(const struct voxel_detail *detail, uint8_t links[BLOCK_NODES]);

/** Start with TILE_EMPTY and TILE_FULL. */
int tile_set_start(struct tile_set *set, bool has_records, struct failure *failure);

/** Number of the tile with these links and marks (NULL: none), added if new. */
int tile_set_add(struct tile_set *set, const uint8_t links[BLOCK_NODES], const struct tile_marks *marks,
                 uint32_t *number, struct failure *failure);

/** Move the tiles to a grid; the set is empty then. */
void tile_set_give(struct tile_set *set, struct block_grid *grid);

void tile_set_free(struct tile_set *set);

#endif
