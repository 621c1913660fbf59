/** Distances of nodes near walls from them, in steps of the lattice, block by block.
 *
 * Positions are those of the 8x8x8 blocks that cover the lattice's box, with one layer more on every side. A
 * block is near where it, or one of its 26 neighbours, holds a cut link; all other blocks are further than 8
 * nodes from any wall and none of their links, inside or to a neighbour, is cut.
 *
 * Level 1 is a node with a cut link; level n + 1 a node that a step leads to level n, along an axis for even
 * n and along axes or diagonals for odd n, which keeps a level about h wide in every direction; WALL_LEVELS
 * is that or more. Walls do not stop the steps. */
#ifndef GEOMETRY_WALL_DISTANCE_H
#define GEOMETRY_WALL_DISTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/voxel/cut_field.h"

#define WALL_LEVELS 8
#define WALL_NONE   UINT32_MAX

struct wall_block {
    int32_t place[3];
    uint32_t cut;                   /* index into field->block, or WALL_NONE */
    uint32_t neighbour[DIRECTIONS]; /* near blocks, or WALL_NONE */
};

/** Owned, freed by wall_distance_free(); borrows the field. */
struct wall_distance {
    const struct cut_field *field;
    int64_t sides[3]; /* positions along each axis: the box's blocks and two */
    size_t position_count;
    size_t near_count;
    struct wall_block *near;
    uint8_t (
        *level)[512]; /* (near_count, 512) by slot; callers may keep their own marks in the upper four bits */
    uint32_t find_mask;
    uint32_t *find_table; /* open addressing: position -> near index, WALL_NONE free */
};

/** O(blocks near walls); FAILURE_CAPACITY for memory, for 2^32 positions or 2^23 near blocks. */
int wall_distance_make(const struct cut_field *field, struct wall_distance *out, struct failure *failure);
void wall_distance_free(struct wall_distance *walls);

/** Position of a block, or WALL_NONE past the layer around the box; and back. */
uint32_t wall_position(const struct wall_distance *walls, const int32_t place[3]);
void wall_place(const struct wall_distance *walls, uint32_t position, int32_t place[3]);

/** The near block at a position, or WALL_NONE. */
uint32_t wall_near(const struct wall_distance *walls, uint32_t position);

/** True if the link of a node of a near block is cut. */
bool wall_is_cut(const struct wall_distance *walls, uint32_t near_index, unsigned slot,
                 enum direction direction);

#endif
