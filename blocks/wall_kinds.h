/** Sorts wall entries by the distance of their nodes from the wall.
 *
 * The voxel of a node at a conformal wall along the grid ends at the wall. A fraction F of h is open along
 * the wall's axis, and the node lies d = F - 1/2 before the wall: behind it if less than half is left, up to
 * .7 of h before it if it absorbed a sliver. The effective absorption of a wall depends on d
 * (kernels/scheme/grid_wall.h), so the entries of such nodes are divided into kinds, each of a material and a
 * distance. Nodes at a slanting wall have many distances, before it and behind; the slanting walls of a
 * material are one kind, at distance 0.
 *
 * Lent masses (cut_masses.h) have an effect of the same order: a mass couples to all of kappa, its links
 * along the wall only to the open part. In the field at a rigid wall, with the normal wavenumber k_n and sums
 * over the nodes n = 1, 2, .. from the wall on,
 *
 *   u_1 = u_wall (1 - k_n^2 d^2 / 2 + kappa^2 s + ..),   s = sum over n of sum over i <= n of (mass_i -
 * volume_i)
 *
 * by adding up u_n - u_n+1. In a diffuse field, where k_n^2 is kappa^2 / 3 in the mean, the square of it is 1
 * - kappa^2 q / 3 with q = d^2 - 6 s. sqrt(|q|) with the sign of q is the node's reach: below 0 if little is
 * left of a voxel and it borrowed mass. At a slanting wall q is the mean of z^2 over the area, z the height
 * of nodes before the wall, and s = -sum((mass - volume) z) / area over its nodes and their lenders. This is
 * the same sum: mass at z counts in the sums of all nodes before it.
 *
 * A voxel between walls along the grid is a box of sides F_x, F_y, F_z (1 without a wall). Its opening to a
 * neighbour is the product of the two sides across, its volume that of all three, so every side is volume
 * over opening. A record that violates one of these products belongs to a slanting wall. */
#ifndef BLOCKS_WALL_KINDS_H
#define BLOCKS_WALL_KINDS_H

#include <stddef.h>

#include "blocks/block_layout.h"

/** Resolution of distances: steps in h. */
#define WALL_KIND_STEPS 10

struct wall_kind {
    uint16_t material;
    int8_t steps; /* distance, in 1 / WALL_KIND_STEPS of h */
    float reach;  /* [h], the median over its area; the mean for slanting walls */
};

/** Owned: wall_kinds_free(); zeroed is empty. */
struct wall_kinds {
    size_t count;           /* at least the number of materials, which come first, at distance and reach 0 */
    struct wall_kind *kind; /* (count) */
};

/** Distance of a node with this record before each of its walls along the grid, by axis [h]. NaN along an
 * axis without a wall or with walls on both sides, and everywhere if a wall slants. */
void wall_kinds_distances(const struct cut_cell *cut, double distance[3]);

/** The reach along an axis of a node with masses that is `distance` before the wall across it and open
 * inwards in `direction`. */
double wall_kinds_reach(const struct block_grid *grid, block_id b, unsigned slot, unsigned direction,
                        double distance);

/** The reach of each material's slanting walls in a grid with masses, in hundredths of h: (materials), 0
 * where there are none. FAILURE_CAPACITY for memory, 20 bytes a record. O(cut nodes). */
int wall_kinds_slanting(const struct block_grid *grid, size_t materials, float *reach,
                        struct failure *failure);

/** Replace the materials in the entries of `grid`, with conformal walls and masses, by numbers of kinds (0 ..
 * materials - 1; open faces and links without a wall keep theirs). A node's entry belongs to the wall whose
 * area it has; if there is none, to all walls at their rms distance and reach. Entries stay in the grid's
 * order. Without `apart` every material is a kind and the grid is unchanged. FAILURE_CAPACITY for memory;
 * `grid` is then unchanged. */
int wall_kinds_sort(struct block_grid *grid, bool apart, size_t materials, struct wall_kinds *out,
                    struct failure *failure);
void wall_kinds_free(struct wall_kinds *kinds);

#endif
