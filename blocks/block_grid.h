/** The sparse layout (block_layout.h): made from the air of a voxelised room, checked, searched and counted.
 */
#ifndef BLOCKS_BLOCK_GRID_H
#define BLOCKS_BLOCK_GRID_H

#include "blocks/block_layout.h"
#include "geometry/voxel/voxels.h"

/** Pack the air of a voxelised room. The grid is canonical: the same air gives the same ids, tiles and walls.
 * Nodes without any uncut link (K = 0) are not air and drop out, and so do blocks of nothing else. Of voxels
 * with cells it is conformal, without gains (cut_masses.h): openings and volumes are rounded to bytes, an
 * opening that rounds to 0 is none; slivers of air are merged with the node that they are open to
 * (cut_slivers.h).
 * `out` is untouched on failure. FAILURE_INPUT without air; FAILURE_CAPACITY past BLOCKS_MAX blocks or
 * memory. O(blocks) time; memory while packing: the grid and at most 24 bytes a block. */
int block_grid_pack(const struct voxels *voxels, struct block_grid *out, struct failure *failure);

/** The same for the isotropic operator, with slabs of air along walls merged too (cut_slabs.h):
 * block_grid_widen() comes next. Openings and volumes may be up to 255 parts of CUT_WHOLE, and a few extra
 * links join two nodes of blocks. */
int block_grid_pack_slabs(const struct voxels *voxels, struct block_grid *out, struct failure *failure);

/** Validator that explains: place and neighbour agree both ways, links symmetric across blocks, tiles
 * distinct and in use, walls exactly at the nodes with cut links (K < 6), counts and bounding box, curve
 * order. Of conformal walls also marks, records and wall entries against one another, openings equal from
 * both ends, blocks of list nodes, extra links, and of every node with a gain that its mass holds the bound
 * of cut_masses.h; of the isotropic operator blocks across edges and plaquettes too. */
int block_grid_check(const struct block_grid *grid, struct failure *failure);

/** Block at a place, or 0. O(1). */
block_id block_grid_find(const struct block_grid *grid, const int32_t place[3]);

/** Index of a lattice node in pressure arrays, or UINT64_MAX where it is in no block. O(1). */
uint64_t block_grid_index(const struct block_grid *grid, const int64_t node[3]);

/** The same of the node that a voxel's air belongs to: its own, or the one that it was merged with
 * (block_layout.h); UINT64_MAX where it has none. O(log merged). */
uint64_t block_grid_home(const struct block_grid *grid, const int64_t node[3]);

/** Link byte of a lattice node; 0 for what is not air. */
uint8_t block_grid_links(const struct block_grid *grid, const int64_t node[3]);

/** Bytes of a grid with two pressure arrays in `real_bytes` (4 or 8), as run.json names them. */
struct block_bytes {
    uint64_t blocks;      /* bytes_blocks: two pressure arrays with block 0, block structs, tiles; blocks
                            across edges of the isotropic operator */
    uint64_t walls;       /* bytes_walls: entries, one coefficient of real_bytes each, ranges; records, gains,
                            marks and extra links of conformal walls, plaquettes; links
                            that sheets cut */
    uint64_t box;         /* bytes_box: box of the air with halo and link bytes */
    uint64_t ideal;       /* bytes_ideal: air_nodes (2 reals + 1) */
    uint64_t seed_blocks; /* bytes_seed_blocks: 8728 a block (six ints, u, u1 in double, char k, padded) */
    uint64_t box_nodes;   /* nodes of the bounding box of the air, no halo */
    uint64_t stored_nodes;
};
struct block_bytes block_grid_bytes(const struct block_grid *grid, unsigned real_bytes);

/** Count what block_grid_pack() would make, without making it: `out` receives lattice, counts and bounding
 * box and no array, which is all that block_grid_bytes() reads. Reads every block twice and takes no memory
 * but the distinct tiles; same failures as block_grid_pack(). Blocks of further pieces count as if these came
 * in the order of voxels->piece, and so do their tiles. Records are counted as block_grid_pack() makes them:
 * of the isotropic operator there are more once block_grid_widen() has been (a sixth to a quarter more of
 * conformal walls; of staircases, which have none before, all nodes that touch a wall or its edge), but
 * block_grid_bytes() of the counts with `isotropic` set counts what that takes of blocks. */
int block_grid_measure(const struct voxels *voxels, struct block_grid *out, struct failure *failure);

/** Hash of topology and walls, independent of the numbering. */
uint64_t block_grid_hash(const struct block_grid *grid);

/** For modules that give a grid other records than it has. The first allocates `next->cuts` of them, gains 0,
 * with plaquettes for the isotropic operator; what it could is freed with `next` if it fails. The second
 * gives the grid the tiles, marks and records of `next`, and its blocks the tiles `tile_of` (blocks + 1);
 * `next` takes what the grid had. @return FAILURE_MEMORY */
int block_grid_allocate_records(struct block_grid *next, bool isotropic, struct failure *failure);
void block_grid_take_records(struct block_grid *grid, struct block_grid *next, const uint32_t *tile_of);

#endif
