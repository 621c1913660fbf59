/** Wall entries sorted by how far their nodes stand from the wall.
 *
 * The voxel of a node at a conformal wall along the grid reaches to the wall: so much of it is open, F of h
 * along the wall's axis, and the node stands d = F - 1/2 before the wall (behind it where less than half is
 * left, up to .7 of h before it where it took in a sliver). What a wall is seen to take depends on d
 * (kernels/scheme/grid_wall.h), so the entries of such nodes get walls of their own: kinds, of a material and
 * a distance. A slanting wall has its nodes at many distances, before it and behind: those of a material's
 * slanting walls are one kind, at distance 0.
 *
 * Masses that nodes lent one another (cut_masses.h) matter as much: a mass couples to all of kappa, its links
 * along the wall only as they are open. Of a field that a hard wall holds, with the normal wavenumber k_n,
 * and sums over the nodes n = 1, 2, .. from the wall on,
 *
 *   u_1 = u_wall (1 - k_n^2 d^2 / 2 + kappa^2 s + ..),   s = sum over n of sum over i <= n of (mass_i -
 * volume_i)
 *
 * by adding up u_n - u_n+1. In a diffuse field, where k_n^2 is kappa^2 / 3 in the mean, the square of it is
 * 1 - kappa^2 q / 3 with q = d^2 - 6 s. sqrt(|q|) with the sign of q is the node's reach: below 0 where
 * little is left of a voxel and it borrowed. Of a slanting wall q is the mean of z^2 over the area, z the
 * height of nodes before the wall, and s = -sum((mass - volume) z) / area over its nodes and those that lent
 * them, which is the same sum: mass at z counts in the sums of all nodes before it.
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
    float reach;  /* [h], the median over its area; of slanting walls their own */
};

/** Owned: wall_kinds_free(); zeroed is empty. */
struct wall_kinds {
    size_t count;           /* at least as many as materials, which are the first: at distance and reach 0 */
    struct wall_kind *kind; /* (count) */
};

/** How far a node with this record stands before each of its walls along the grid, by axis [h]; NaN along an
 * axis without one, or with one on both sides, and everywhere where a wall slants. */
void wall_kinds_distances(const struct cut_cell *cut, double distance[3]);

/** The reach of an axis, of a node with its masses, that is `distance` before the wall across it and open
 * inwards in `direction`. */
double wall_kinds_reach(const struct block_grid *grid, block_id b, unsigned slot, unsigned direction,
                        double distance);

/** The reach of each material's slanting walls in a grid with masses, in hundredths of h: (materials), 0
 * where there are none. FAILURE_CAPACITY for memory, 20 bytes a record. O(cut nodes). */
int wall_kinds_slanting(const struct block_grid *grid, size_t materials, float *reach,
                        struct failure *failure);

/** Give the entries of `grid`, with conformal walls and masses, the numbers of kinds in place of their
 * materials (0 .. materials - 1; open faces and links without a wall keep theirs). A node's entry belongs to
 * the wall whose area it has; if none has, to all at their rms distance and reach. Entries stay in the grid's
 * order. Without `apart` every material is a kind and the grid stays as it is. FAILURE_CAPACITY for memory;
 * `grid` is then as it was. */
int wall_kinds_sort(struct block_grid *grid, bool apart, size_t materials, struct wall_kinds *out,
                    struct failure *failure);
void wall_kinds_free(struct wall_kinds *kinds);

#endif
