/** The 512 nodes of a block as eight words, one for each z, bit x + 8y: operations on 64 nodes at a time, and
 * the numbering of nodes in a block and of blocks in a box.
 *
 * Cut links are kept by axis, cut[axis][z]: of the links from the block's nodes in the + direction, those
 * that are cut. Those in the - direction belong to the block before. */
#ifndef GEOMETRY_BLOCK_BITS_H
#define GEOMETRY_BLOCK_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/voxel/lattice.h"

typedef const uint64_t (*block_cuts)[8]; /* (3, 8); NULL: no link is cut */

/** Number of a node in its block: x + 8y + 64z. */
static inline unsigned block_bits_slot(const int64_t node[3])
{
    return (unsigned)(node[0] & 7) | (unsigned)(node[1] & 7) << 3 | (unsigned)(node[2] & 7) << 6;
}

/** Place of the block that a node is in; also of nodes below 0. */
static inline void block_bits_place(const int64_t node[3], int32_t place[3])
{
    for (int axis = 0; axis < 3; axis++)
        place[axis] = (int32_t)(node[axis] >> 3);
}

/** The node with a number in the block at a place. */
static inline void block_bits_node(const int32_t place[3], unsigned slot, int64_t node[3])
{
    for (int axis = 0; axis < 3; axis++)
        node[axis] = 8 * (int64_t)place[axis] + (int64_t)(slot >> (3 * axis) & 7);
}

static inline bool block_bits_has(const uint64_t bits[8], unsigned slot)
{
    return (bits[slot >> 6] >> (slot & 63) & 1) != 0;
}

static inline void block_bits_add(uint64_t bits[8], unsigned slot)
{
    bits[slot >> 6] |= UINT64_C(1) << (slot & 63);
}

static inline unsigned block_bits_count(const uint64_t bits[8])
{
    unsigned count = 0;
    for (int z = 0; z < 8; z++)
        count += (unsigned)__builtin_popcountll(bits[z]);
    return count;
}

/** Nodes of the block at a place (inside the box) that lie inside the lattice's box. */
void block_bits_inside(const struct lattice *lattice, const int32_t place[3], uint64_t inside[8]);

/** Nodes of the block at a place that are in the last layer of the box in a direction. */
void block_bits_edge(const struct lattice *lattice, const int32_t place[3], enum direction direction,
                     uint64_t edge[8]);

/** `in` moved by one node. Bits that leave the block are lost; bits enter from `from`, the block behind
 * (NULL: none). `out` differs from the others. */
void block_bits_move(const uint64_t in[8], const uint64_t *from, enum direction direction, uint64_t out[8]);

/** Spread `air` over the block's own uncut links within `inside` until nothing changes. */
void block_bits_fill(uint64_t air[8], block_cuts cut, const uint64_t inside[8]);

/** Air that leaves a block over uncut links, as bits of the next block; returns 0 if there is none. `cut` of
 * the block, `cut_behind` of the next one. */
uint64_t block_bits_cross(const uint64_t air[8], block_cuts cut, block_cuts cut_behind,
                          enum direction direction, uint64_t bits[8]);

/** Number of a place in a box of so many blocks along each axis, x fastest; and back. */
static inline uint64_t box_place_index(const int64_t blocks[3], const int32_t place[3])
{
    return ((uint64_t)place[2] * (uint64_t)blocks[1] + (uint64_t)place[1]) * (uint64_t)blocks[0] +
           (uint64_t)place[0];
}

static inline void box_place_at(const int64_t blocks[3], uint64_t index, int32_t place[3])
{
    const uint64_t row = index / (uint64_t)blocks[0];
    place[0] = (int32_t)(index % (uint64_t)blocks[0]);
    place[1] = (int32_t)(row % (uint64_t)blocks[1]);
    place[2] = (int32_t)(row / (uint64_t)blocks[1]);
}

/** The place next to another one in a direction. */
static inline void box_place_next(const int32_t place[3], int direction, int32_t next[3])
{
    for (int axis = 0; axis < 3; axis++)
        next[axis] = place[axis];
    next[direction / 2] += direction % 2 == 0 ? -1 : 1;
}

static inline bool box_has_place(const int64_t blocks[3], const int32_t place[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (place[axis] < 0 || place[axis] >= blocks[axis])
            return false;
    return true;
}

#endif
