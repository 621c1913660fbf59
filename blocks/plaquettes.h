/** A grid for the 19-point isotropic operator.
 *
 *   K = sum over links alpha (u_i - u_j)^2 - 1/6 sum over plaquettes b (u00 - u10 - u01 + u11)^2
 *
 * alpha is the opening of a link over CUT_WHOLE. A plaquette is the square of four dense nodes (of
 * list nodes: piece_plaquettes.h) in a coordinate plane with the links q0 || q1 and q2 || q3 between
 * them (openings, not those of extra links); with h_x = 2 q0 q1 / (q0 + q1) and h_y likewise,
 *
 *   b = 0 where any q is 0, else min(max(1, min q), 1.25 (h_x + h_y) / 2), rounded down to a part of
 * CUT_WHOLE
 *
 * so K >= (1 - 2/3 1.25) K_7 is positive semidefinite in any geometry and its kernel contains only constants.
 * For staircases (openings 0 and 1), b is 1 if all four links are open. */
#ifndef BLOCKS_PLAQUETTES_H
#define BLOCKS_PLAQUETTES_H

#include "blocks/block_grid.h"

/** Convert a grid fresh from block_grid_pack() or block_grid_pack_slabs() (lambda2 0), staircase or
 * conformal, to the isotropic operator. Adds edge neighbours, plaquettes, and records (has_records is true
 * then) for all nodes that are not wholly open with all twelve plaquettes whole. In a staircase openings are
 * 0 or CUT_WHOLE and volumes CUT_WHOLE. Call cut_masses_make() next. FAILURE_CAPACITY for memory; the grid
 * can then only be freed. O(blocks + cut nodes). */
int block_grid_widen(struct block_grid *grid, struct failure *failure);

#endif
