/** Wall entries sorted by how far their nodes stand from the wall.
 *
 * The voxel of a node at a conformal wall along the grid reaches to the wall: so much of it is open, F of h
 * along the wall's axis, and the node stands d = F - 1/2 before the wall (behind it where less than half is
 * left, up to .7 of h before it where it took in a sliver). What a wall is seen to take depends on d
 * (kernels/scheme/grid_wall.h), so the entries of such nodes get walls of their own: kinds, of a material and
 * a distance. A slanting wall has its nodes at many distances, which its mean weighs: distance 0.
 *
 * A voxel that walls along the grid bound is a box of sides F_x, F_y, F_z (1 where none does). It opens to a
 * neighbour by the product of the two sides across and has the volume of all three: so every side is volume
 * over opening, and a record in which one of these products is not so is that of a slanting wall.
 */
#ifndef BLOCKS_WALL_KINDS_H
#define BLOCKS_WALL_KINDS_H

#include <stddef.h>

#include "blocks/block_layout.h"

/** Distances are told apart by so many steps of h. */
#define WALL_KIND_STEPS 10

struct wall_kind {
    uint16_t material;
    int8_t steps; /* distance, in 1 / WALL_KIND_STEPS of h */
};

/** Owned: wall_kinds_free(); zeroed is empty. */
struct wall_kinds {
    size_t count;           /* at least as many as materials, which are the first: at distance 0 */
    struct wall_kind *kind; /* (count) */
};

/** How far a node with this record stands before each of its walls along the grid, by axis [h]; NaN along an
 * axis without one, or with one on both sides, and everywhere where a wall slants. */
void wall_kinds_distances(const struct cut_cell *cut, double distance[3]);

/** Give the entries of `grid`, with conformal walls, the numbers of kinds in place of their materials
 * (0 .. materials - 1; open faces and links without a wall keep theirs). A node's entry belongs to the wall
 * whose area it has; if none has, to all at their rms distance. Entries stay in the grid's order.
 * Without `apart` every material is a kind and the grid stays as it is.
 * FAILURE_CAPACITY for memory; `grid` is then as it was. */
int wall_kinds_sort(struct block_grid *grid, bool apart, size_t materials, struct wall_kinds *out,
                    struct failure *failure);
void wall_kinds_free(struct wall_kinds *kinds);

#endif
