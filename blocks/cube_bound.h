/** The least masses that one cube of the isotropic operator needs at its corners for a stable scheme, proved.
 *
 * K (plaquettes.h) is the sum over the cubes between 2x2x2 nodes of
 *
 *   K_c = 1/4 sum over its 12 links alpha (u_i - u_j)^2 - 1/12 sum over its 6 plaquettes b (u00 - u10 - u01 +
 * u11)^2
 *
 * since a link is in four cubes and a plaquette in two. With K_c <= diag(y_c) for every cube, K <= 4 /
 * lambda^2 M holds in any geometry where every node's mass is at least lambda^2 / 4 times the sum of y over
 * its cubes. A whole cube has y = 2/3 (largest eigenvalue 8/12), so a node inside eight of them needs 4/3
 * lambda^2.
 *
 * For other cubes, y with the least sum is sought: the dual of max <K_c, X>, X positive semidefinite with a
 * diagonal of 1, with factors of rank 4, by coordinate ascent (Wang and Kolter's mixing method). The result
 * is only a proposal: y grows until an LDL^T factorisation shows that diag(y) - K_c is positive semidefinite,
 * rounding included. */
#ifndef BLOCKS_CUBE_BOUND_H
#define BLOCKS_CUBE_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "blocks/block_layout.h"

#define CUBE_CORNERS 8  /* x + 2y + 4z */
#define CUBE_LINKS   12 /* 4 axis + (bit of the lower other axis) + 2 (bit of the higher one) */

/** y is counted in whole parts of this. */
#define CUBE_NEED_ONE (1 << 28)
/** y at a corner of a whole cube: 2/3. */
#define CUBE_NEED_WHOLE ((2 * (uint32_t)CUBE_NEED_ONE + 2) / 3)

/** Most cubes in a call; they are computed side by side in vectors. */
#define CUBE_LANES 8

/** b for openings in parts of CUT_WHOLE: `x` of the two links along the first axis, `y` of the two along the
 * second. */
unsigned plaquette_weight(const unsigned x[2], const unsigned y[2]);

/** The same if sheets cut some of the links (sheet_links.h) and leave these shares of CUT_WHOLE; CUT_WHOLE:
 * no sheet. The flow through a sheet stores no energy, so the links of the other pair must balance the
 * plaquette. With sheets in one pair
 *
 *   b <= min(share, 0.7 h of the other pair),   and 0 with sheets in both.
 *
 * A plaquette then takes no more than 0.7 / 3 of each of these links, and one without sheets 1.25 / 6, so
 * four of them leave K positive semidefinite for any sheets. */
unsigned plaquette_weight_shared(const unsigned x[2], const unsigned y[2], const unsigned share_x[2],
                                 const unsigned share_y[2]);

/** y at every corner of `count` cubes (at most CUBE_LANES) whose links have these openings in parts of
 * CUT_WHOLE, rounded up; 0 at a corner without links. Equal openings give equal values everywhere. About 1 us
 * a cube. */
void cube_bound(const uint8_t (*open)[CUBE_LINKS], unsigned count, uint32_t (*need)[CUBE_CORNERS]);

/** The same with sheets: the plaquettes of a cube weigh no more than the `share` of each of their links
 * (sheet_links.h). NULL: CUT_WHOLE. */
void cube_bound_shared(const uint8_t (*open)[CUBE_LINKS], const uint8_t (*share)[CUBE_LINKS], unsigned count,
                       uint32_t (*need)[CUBE_CORNERS]);

#endif
