/** Adds the sheets of a room to its grid: the links of air that they cut (struct sheet_link). Under the
 * isotropic operator, plaquettes with such a link weigh no more than its share, the fraction of flow that the
 * sheet transmits (plaquettes.h). Share 1 leaves the operator unchanged. Share 0 makes each side of the sheet
 * a mirror, as at a wall. */
#ifndef BLOCKS_SHEET_LINKS_H
#define BLOCKS_SHEET_LINKS_H

#include "blocks/block_layout.h"
#include "geometry/voxel/sheet_cuts.h"

/** Fraction (0..1) of a flow that passes so many layers of a sheet of that material; `of` is the caller's
 * context. */
typedef double sheet_share(const void *of, uint16_t material, double layers);

/** Store those links of `cuts` whose ends are both nodes of blocks and open to one another. Requires a grid
 * fresh from block_grid_pack() or block_grid_pack_slabs(), before block_grid_widen(). FAILURE_CAPACITY for
 * memory; the grid is then unchanged. O(cuts log cuts). */
int block_grid_hang(struct block_grid *grid, const struct sheet_cuts *cuts, sheet_share *share,
                    const void *of, struct failure *failure);

/** The sheet on the link of a node in a direction, which the grid has; NULL without one. O(log sheets). */
const struct sheet_link *sheet_link_at(const struct block_grid *grid, const int64_t node[3],
                                       enum direction direction);

/** Link byte of a node without the links that sheets cut. */
uint8_t sheet_links_past(const struct block_grid *grid, const int64_t node[3]);

/** Set the laws of the sheets of every material for a time step: (laws), copied. FAILURE_INPUT for a value
 * that is negative or not finite (pores_mass may be infinite), FAILURE_CAPACITY for memory. */
int block_grid_give_laws(struct block_grid *grid, const struct sheet_law *law, uint32_t laws,
                         struct failure *failure);

/** The block of a link's high end. */
static inline block_id sheet_link_high(const struct block_grid *grid, const struct sheet_link *link)
{
    const unsigned d = 2U * link->axis + 1;
    bool leaves;
    (void)block_slot_beside(link->slot, d, &leaves);
    return leaves ? grid->block[link->block].neighbour[d] : link->block;
}

/** Area of one sheet that a link represents [h^2]. The sum over axes of h^2 |n_d| would exceed the area; that
 * of h^2 n_d^2 equals it. */
static inline double sheet_link_area(const struct sheet_link *link)
{
    return link->sheets / (double)link->layers;
}

/** For a material in the grid [h^2]: the area of all its sheets; and the area that faces air, the two outer
 * sides of the one or two sheets on a link. */
double sheet_links_area(const struct block_grid *grid, uint16_t material);
double sheet_links_faced(const struct block_grid *grid, uint16_t material);

#endif
