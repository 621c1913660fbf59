/** The sparse layout, what its arrays hold: the air of a room in 8x8x8 blocks, an array of structs with
 * neighbour ids and link tiles.
 *
 *   block[0]            the empty block: no links, pressure 0, every neighbour is itself
 *   block[1..blocks]    occupied blocks, numbered along a Hilbert curve: a range of ids is a compact region
 *     .neighbour[6]     -x +x -y +y -z +z; 0 where there is none, so kernels need no branch
 *     .tile --> tile[t] 512 link bytes, deduplicated; t = TILE_EMPTY no links, t = TILE_FULL all six
 * everywhere
 *
 *   node    = slot x + 8y + 64z of block b, index (size_t)b * 512 + slot into a pressure array
 *   link byte: bit d set when the link in direction d is uncut; K = its population count; 0 for what is not
 * air
 *
 *   wall_first[b] .. wall_first[b+1]   the entries of block b in wall[], by rising slot, then material
 */
#ifndef BLOCKS_BLOCK_LAYOUT_H
#define BLOCKS_BLOCK_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/voxel/lattice.h"

#define BLOCK_EDGE      8
#define BLOCK_NODES     512
#define TILE_EMPTY      0u
#define TILE_FULL       1u
#define BLOCK_LINKS_ALL 0x3Fu /* link byte of a node with all six links */

/** Most blocks of a grid (7 x 10^11 nodes): the find table stays within 2^31 slots, two thirds of them in
 * use. */
#define BLOCKS_MAX UINT32_C(1431655765)

/** Bytes of the seed's own block struct in double: six ints, u, u1, char k, padded
 * (kernels/ladder/seed_layout.h). */
#define BLOCK_SEED_BYTES 8728

typedef uint32_t block_id;

struct block {
    block_id neighbour[6];
    uint32_t tile;
    int32_t place[3]; /* first node = 8 place, in lattice nodes */
};
_Static_assert(sizeof(struct block) == 40, "kernels and byte accounting count 40 bytes a block");

/** One material that a node touches. A node that touches several has several entries in a row; all but the
 * first carry WALL_CONTINUES. `weight` is the effective count of cut faces: the sum over the node's cut links
 * to that material of |n.e|, n the wall's unit normal and e the link (so an axis-parallel wall weighs exactly
 * 1), times the factor of its material once wall_areas.h has brought areas to the mesh's. */
struct wall {
    uint16_t slot;     /* of the node in its block; | WALL_CONTINUES */
    uint16_t material; /* mesh material, VOXELS_OPEN_FACE or VOXELS_NO_MATERIAL */
    float weight;      /* (-) */
};
#define WALL_CONTINUES 0x8000u
#define WALL_SLOT      0x01FFu
#define WALL_SCALE_MAX 4.0 /* the factor of a material is between this and its inverse */
_Static_assert(sizeof(struct wall) == 8, "byte accounting counts 8 bytes a wall entry");

/** Arrays are owned, freed by block_grid_free(); a zeroed grid is empty and may be freed. */
struct block_grid {
    struct lattice lattice;
    uint32_t blocks;     /* occupied; ids are 1 .. blocks */
    struct block *block; /* (blocks + 1) */
    uint32_t tiles;
    uint8_t (*tile)[BLOCK_NODES]; /* (tiles, 512) */
    uint64_t *wall_first;         /* (blocks + 2) */
    uint64_t walls;
    struct wall *wall; /* (walls) */
    uint64_t wall_nodes;
    uint64_t air_nodes;
    int64_t air_low[3], air_high[3]; /* bounding box of the air, inclusive lattice nodes */
    uint32_t find_slots;             /* power of two: open-addressing table place -> id */
    block_id *find_table;            /* (find_slots) 0 = free */
};

void block_grid_free(struct block_grid *grid);

/** Slot of node coordinates within a block. */
static inline unsigned block_slot(int64_t x, int64_t y, int64_t z)
{
    return (unsigned)(x & 7) | (unsigned)(y & 7) << 3 | (unsigned)(z & 7) << 6;
}

/** Node of the lattice in that slot of a block. */
static inline void block_node(const struct block *block, unsigned slot, int64_t node[3])
{
    for (int axis = 0; axis < 3; axis++)
        node[axis] = (int64_t)block->place[axis] * BLOCK_EDGE + (slot >> (3 * axis) & 7);
}

#endif
