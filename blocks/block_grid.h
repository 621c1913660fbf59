/** Makes, checks, searches and counts the sparse layout (block_layout.h) of a voxelised room. */
#ifndef BLOCKS_BLOCK_GRID_H
#define BLOCKS_BLOCK_GRID_H

#include "blocks/block_layout.h"
#include "geometry/voxel/voxels.h"

/** Pack the air of a voxelised room. The grid is canonical: the same air gives the same ids, tiles and walls.
 * Nodes without any uncut link (K = 0) are not air; they are left out, and so are blocks without air. If the
 * voxels have cells, the grid is conformal, without gains (cut_masses.h). Openings and volumes are rounded to
 * bytes, and an opening that rounds to 0 is closed. Slivers of air are merged with the node to which they are
 * open (cut_slivers.h). `out` is untouched on failure. FAILURE_INPUT without air; FAILURE_CAPACITY past
 * BLOCKS_MAX blocks or memory. O(blocks) time; memory while packing: the grid and at most 24 bytes a block.
 */
int block_grid_pack(const struct voxels *voxels, struct block_grid *out, struct failure *failure);

/** The same for the isotropic operator. Slabs of air along walls are merged too (cut_slabs.h). Call
 * block_grid_widen() next. Openings and volumes may be up to 255 parts of CUT_WHOLE, and a few extra links
 * join two nodes of blocks. */
int block_grid_pack_slabs(const struct voxels *voxels, struct block_grid *out, struct failure *failure);

/** Validate a grid and name the first fault. Checks: place and neighbour agree both ways, links are symmetric
 * across blocks, tiles are distinct and in use, walls are exactly at the nodes with cut links (K < 6),
 * counts, bounding box, curve order. Conformal walls: marks, records and wall entries agree, openings are
 * equal from both ends, blocks of list nodes, extra links, and the mass of every node with a gain meets the
 * bound of cut_masses.h. Isotropic operator: blocks across edges and plaquettes too. */
int block_grid_check(const struct block_grid *grid, struct failure *failure);

/** Block at a place, or 0. O(1). */
block_id block_grid_find(const struct block_grid *grid, const int32_t place[3]);

/** Index of a lattice node in pressure arrays, or UINT64_MAX where it is in no block. O(1). */
uint64_t block_grid_index(const struct block_grid *grid, const int64_t node[3]);

/** Index of the node to which a voxel's air belongs: its own, or the one that it was merged with
 * (block_layout.h); UINT64_MAX without air. O(log merged). */
uint64_t block_grid_home(const struct block_grid *grid, const int64_t node[3]);

/** Link byte of a lattice node; 0 if it is not air. */
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

/** Count the grid that block_grid_pack() would make, without making it. `out` receives lattice, counts and
 * bounding box but no array; block_grid_bytes() needs no more. Reads every block twice; takes memory for the
 * distinct tiles only. Same failures as block_grid_pack(). Blocks of further pieces count as if these came in
 * the order of voxels->piece, and so do their tiles. Records are counted as block_grid_pack() makes them.
 * block_grid_widen() adds records: a sixth to a quarter more for conformal walls; for staircases, which have
 * none before, all nodes that touch a wall or its edge. With `isotropic` set, block_grid_bytes() includes
 * them. */
int block_grid_measure(const struct voxels *voxels, struct block_grid *out, struct failure *failure);

/** Hash of topology and walls, independent of the numbering. */
uint64_t block_grid_hash(const struct block_grid *grid);

/** For modules that replace the records of a grid. The first function allocates `next->cuts` records with
 * gains 0, and plaquettes for the isotropic operator; on failure, free `next`. The second gives the grid the
 * tiles, marks and records of `next`, and its blocks the tiles `tile_of` (blocks + 1); `next` receives the
 * grid's former arrays. @return FAILURE_MEMORY */
int block_grid_allocate_records(struct block_grid *next, bool isotropic, struct failure *failure);
void block_grid_take_records(struct block_grid *grid, struct block_grid *next, const uint32_t *tile_of);

#endif
