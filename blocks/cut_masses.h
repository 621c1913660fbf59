/** The masses of the nodes of a room with conformal walls, chosen so that the scheme is provably stable.
 *
 * Leapfrog with masses M and a positive semidefinite operator K does not gain energy if K <= 4/lambda^2 M. K
 * is a sum of link terms w (u_i - u_j)^2 <= 2 w (u_i^2 + u_j^2) with w = open / CUT_WHOLE, so
 *
 *   mass_i >= lambda^2 / 2 x (sum of w over the links of i)                  for every node i
 *
 * is sufficient in any geometry. A whole open node needs 3 lambda^2, less than it has. If all nodes of an
 * isolated part of the room, such as a pair of small cells, meet the bound exactly, u_i = -u_j has a double
 * root z = -1 and grows with n although its energy is 0. So nodes that are not whole and open need 1 + 2^-10
 * times as much: sin^2(theta/2) is 1 / (1 + 2^-10) at most and pressures there stay within 1 / sin theta = 16
 * times what drives them (as sqrt(sum of mass u^2)). The mass of a node is its volume. A node with less mass
 * than it needs takes the difference from the surplus of its neighbours, in proportion to these: first across
 * one link, then across two, and so on to five. The remainder is added. Lent mass keeps the volume of the
 * room, and with it the long waves. Added mass does not, so it is reported.
 *
 * For the isotropic operator (grid->isotropic) only the least mass of a node changes: it is that of
 * cube_bound.h, with the same margin for nodes that are in any other than eight whole cubes. Then nodes
 * without a record may also lack mass; they get a record. */
#ifndef BLOCKS_CUT_MASSES_H
#define BLOCKS_CUT_MASSES_H

#include "blocks/block_grid.h"

/** In voxels (h^3). */
struct cut_masses {
    double lambda2;     /* (-) */
    double volume;      /* of the air, as bytes of cut cells have it */
    double lent;        /* moved to another node */
    double added;       /* beyond what other nodes could lend */
    uint64_t borrowers; /* nodes that needed more than their volume */
    uint64_t lenders;   /* nodes that gave */
    double largest;     /* largest ratio of a node's mass to its volume (-) */
};

/** Shares of the largest lambda^2 of whole open air (1/3; isotropic scheme 3/4), in the order in which they
 * are tried, and their number: .9 .85 .8 .7; for the isotropic scheme .8 .7 .6 .5, that is lambda^2 = .60
 * .525 .45 .375. The lists are fixed so that variants of a room and moved grids can be compared. At .95 a
 * flat wall that leaves a sliver of a voxel is displaced by .07 h at 10.5 points a wavelength, at .9 by .03 h
 * (tests/kernels/test_wall_places.c). */
const double *cut_masses_shares(bool isotropic, size_t *count);

/** Largest part of the volume that a share may add: 1e-4. */
#define CUT_MASSES_ADDED_MOST 1e-4

#define CUT_MASSES_MARGIN (1 + 0x1p-10)

/** Least mass of a node whose links, extra ones too, have these openings in parts of CUT_WHOLE [h^3]. */
double cut_masses_least(double lambda2, unsigned open);

/** The same for a node of the isotropic scheme with this need (cube_needs.h) [h^3]. */
double cut_masses_least_of_need(double lambda2, uint64_t need);

/** Factor on the bound of the proof: 1 for a whole open node, else CUT_MASSES_MARGIN. */
static inline double cut_masses_margin(unsigned open)
{
    return open == 6 * CUT_WHOLE ? 1 : CUT_MASSES_MARGIN;
}

/** What the masses of nodes (block x 512 + slot; UINT64_MAX: none) of a finished grid are above the least, -1
 * for none [h^3]. FAILURE_CAPACITY. O(list nodes), and some microseconds a node. */
int cut_masses_surplus(const struct block_grid *grid, double lambda2, size_t count, const uint64_t *node,
                       double *surplus, struct failure *failure);

/** Needs and volumes of the nodes, for trying several lambda^2 on one grid. Whatever does not depend on
 * lambda^2 is computed once. The grid, fresh from block_grid_pack() (lambda2 0), must not change meanwhile.
 */
struct cut_ledger;
/** FAILURE_CAPACITY for memory. */
int cut_ledger_make(const struct block_grid *grid, struct cut_ledger **out, struct failure *failure);
void cut_ledger_free(struct cut_ledger *ledger);
/** Compute the result of cut_masses_make() without changing the grid; earlier loans are forgotten.
 * FAILURE_CAPACITY for memory. Deterministic: nodes in canonical order, masses in whole parts of 2^-24. O(cut
 * nodes). */
int cut_ledger_share_out(struct cut_ledger *ledger, double lambda2, struct cut_masses *out,
                         struct failure *failure);
/** As cut_masses_make(), with the masses of the last cut_ledger_share_out(), for the grid of the ledger.
 * Afterwards the ledger can only be freed. */
int cut_ledger_give(const struct cut_ledger *ledger, struct block_grid *grid, struct failure *failure);

/** Give every node of a conformal grid, fresh from block_grid_pack() (lambda2 0), its mass. Gains are set for
 * a lambda^2 of at most that of whole open air, and whole open nodes that lent mass become cut nodes. An
 * isotropic grid must have passed block_grid_widen(). Gains are rounded down, so the bound holds for the
 * stored values. FAILURE_CAPACITY for memory; the grid is then untouched. */
int cut_masses_make(struct block_grid *grid, double lambda2, struct cut_masses *out, struct failure *failure);

/** Mass of a cut node by its record [h^3]. */
static inline double cut_mass(const struct block_grid *grid, uint64_t record)
{
    return grid->lambda2 / (block_gain_parts(grid) * (double)grid->gain[record]);
}

/** Sum of the masses of all nodes [h^3]; air_nodes for staircases. O(cut nodes). */
static inline double cut_masses_sum(const struct block_grid *grid)
{
    double sum = (double)(grid->air_nodes - grid->cuts);
    for (uint64_t record = 0; record < grid->cuts; record++)
        sum += cut_mass(grid, record);
    return sum;
}

#endif
