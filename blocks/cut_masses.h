/** The masses of the nodes of a room with conformal walls, for which the scheme is stable by proof.
 *
 * Leapfrog with masses M and a positive semidefinite operator K loses or keeps energy when K <= 4/lambda^2 M.
 * K is a sum of link terms w (u_i - u_j)^2 <= 2 w (u_i^2 + u_j^2) with w = open / CUT_WHOLE, so
 *
 *   mass_i >= lambda^2 / 2 x (sum of w over the links of i)                  for every node i
 *
 * is enough in any geometry. A whole open node needs 3 lambda^2, less than it has. Where it is met exactly by
 * all nodes of a part of the room by themselves, a pair of small cells say, u_i = -u_j steps with z = -1
 * twice and grows with n while its energy is 0. So nodes that are not whole and open need 1 + 2^-10 times as
 * much: sin^2(theta/2) is 1 / (1 + 2^-10) at most and pressures there stay within 1 / sin theta = 16 times
 * what drives them (as sqrt(sum of mass u^2)). The mass of a node is its volume; one that has less than it
 * needs takes the difference from the surplus of its neighbours in proportion to these, first across one
 * link, then across two, and so on to five; what is still missing is added. Lent mass keeps the volume of the
 * room, and with it the long waves; added mass does not, so it is told.
 *
 * For the isotropic operator (grid->isotropic) only the least mass of a node changes: it is that of
 * cube_bound.h, with the same margin for nodes that are in any other than eight whole cubes. Then nodes
 * without a record may lack mass too, and get one.
 */
#ifndef BLOCKS_CUT_MASSES_H
#define BLOCKS_CUT_MASSES_H

#include "blocks/block_grid.h"

/** In voxels (h^3). */
struct cut_masses {
    double lambda2;     /* (-) */
    double volume;      /* of the air, as bytes of cut cells have it */
    double lent;        /* that changed its node */
    double added;       /* that nobody had to lend */
    uint64_t borrowers; /* nodes that needed more than their volume */
    uint64_t lenders;   /* nodes that gave */
    double largest;     /* most times that a node's mass is of its volume (-) */
};

/** Shares of the largest lambda^2 of whole open air (1/3, of the isotropic scheme 3/4) that are tried in this
 * order, and how many: cut_masses_share, of the isotropic scheme .8 .7 .6 .5, which is lambda^2 = .60 .525
 * .45 .375. */
const double *cut_masses_shares(bool isotropic, size_t *count);

/** Shares of the limit of lambda^2 (1/3) that are tried in this order: a fixed list, so that variants of a
 * room and moved grids can be compared. At .95 a flat wall that leaves a sliver of a voxel seems .07 h off at
 * 10.5 points a wavelength, at .9 .03 h (tests/kernels/test_wall_places.c). */
#define CUT_MASSES_SHARES 4
extern const double cut_masses_share[CUT_MASSES_SHARES]; /* .9 .85 .8 .7 */

/** Most of the volume that a share may add: 1e-4. */
#define CUT_MASSES_ADDED_MOST 1e-4

#define CUT_MASSES_MARGIN (1 + 0x1p-10)

/** Least mass of a node whose links, extra ones too, have these openings in parts of CUT_WHOLE [h^3]. */
double cut_masses_least(double lambda2, unsigned open);

/** The same of a node of the isotropic scheme that needs so much (cube_needs.h) [h^3]. */
double cut_masses_least_of_need(double lambda2, uint64_t need);

/** What it is times the bound of the proof: 1 of a whole open node, else CUT_MASSES_MARGIN. */
static inline double cut_masses_margin(unsigned open)
{
    return open == 6 * CUT_WHOLE ? 1 : CUT_MASSES_MARGIN;
}

/** What nodes need and have, for trying several lambda^2 on one grid: all that does not depend on it is made
 * once. The grid, fresh from block_grid_pack() (lambda2 0), must not change meanwhile. */
struct cut_ledger;
/** FAILURE_CAPACITY for memory. */
int cut_ledger_make(const struct block_grid *grid, struct cut_ledger **out, struct failure *failure);
void cut_ledger_free(struct cut_ledger *ledger);
/** As cut_masses_measure(), and what was lent before is forgotten. */
int cut_ledger_share_out(struct cut_ledger *ledger, double lambda2, struct cut_masses *out,
                         struct failure *failure);
/** As cut_masses_make() for what was shared out last, to the grid that the ledger is of; the ledger is spent
 * then, and only to be freed. */
int cut_ledger_give(const struct cut_ledger *ledger, struct block_grid *grid, struct failure *failure);

/** What cut_masses_make() would do, without changing the grid. FAILURE_CAPACITY for memory. Deterministic:
 * nodes in their canonical order, masses in whole parts of 2^-24. O(cut nodes). */
int cut_masses_measure(const struct block_grid *grid, double lambda2, struct cut_masses *out,
                       struct failure *failure);

/** Give every node of a conformal grid, fresh from block_grid_pack() (lambda2 0), its mass: gains are set,
 * for a lambda^2 of at most that of whole open air, and whole open nodes that lent some become cut nodes. Of
 * an isotropic one after block_grid_widen(). gain is rounded down, so that the bound holds as stored.
 * FAILURE_CAPACITY for memory with the grid untouched. */
int cut_masses_make(struct block_grid *grid, double lambda2, struct cut_masses *out, struct failure *failure);

/** Mass of a cut node by its record [h^3]. */
static inline double cut_mass(const struct block_grid *grid, uint64_t record)
{
    return grid->lambda2 / (block_gain_parts(grid) * (double)grid->gain[record]);
}

/** Masses of all nodes; of staircases that is air_nodes [h^3]. O(cut nodes). */
static inline double cut_masses_sum(const struct block_grid *grid)
{
    double sum = (double)(grid->air_nodes - grid->cuts);
    for (uint64_t record = 0; record < grid->cuts; record++)
        sum += cut_mass(grid, record);
    return sum;
}

#endif
