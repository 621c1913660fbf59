/** The cut links of a lattice without the triangles behind them: what a flood needs on a very fine lattice,
 * in a quarter of the memory of a cut field.
 *
 * Inside the voxeliser only. Blocks and bits as in cut_field.h.
 */
#ifndef GEOMETRY_LINK_BLOCKS_H
#define GEOMETRY_LINK_BLOCKS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/voxel/lattice.h"
#include "geometry/voxel/triangle_bins.h"

struct link_block {
    int32_t place[3];
    uint64_t cut[3][8]; /* by axis: links from this block's nodes in the + direction that are cut */
};

/** Owned, freed by link_blocks_free(); zeroed is empty. */
struct link_blocks {
    struct lattice lattice;
    int64_t blocks[3];
    size_t block_count;
    struct link_block *block; /* with at least one cut, rising in (z,y,x) of place */
    uint32_t find_slots;      /* power of two: open addressing place -> index + 1, 0 free */
    uint32_t *find_table;
    const volatile sig_atomic_t *interrupted; /* as in cut_field.h */
};

/** Heap bytes for each block, with the table. */
#define LINK_BLOCK_BYTES (sizeof(struct link_block) + 16)

/** `bins` are those of the lattice. O(triangles + links), threads. FAILURE_CAPACITY for memory. */
int link_blocks_make(const struct triangle_bins *bins, const struct lattice *lattice, int threads,
                     struct link_blocks *out, struct failure *failure);
void link_blocks_free(struct link_blocks *links);

/** The block at a place, or NULL. O(1). */
const struct link_block *link_blocks_find(const struct link_blocks *links, const int32_t place[3]);

/** Is the link from `node` in `direction` cut? Nodes from -1 to one past the box. O(1). */
bool link_blocks_is_cut(const struct link_blocks *links, const int64_t node[3], enum direction direction);

#endif
