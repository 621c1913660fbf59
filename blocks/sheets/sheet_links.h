/** Hang the sheets of a room into its grid: the links of air that they cut (struct sheet_link).
 *
 * On the isotropic operator plaquettes with such a link weigh no more than its share, which is what the sheet
 * lets through (plaquettes.h): 1 leaves the operator as it is, for a sheet that is as good as not there; 0
 * makes each side of the sheet the mirror that it is at a wall.
 */
#ifndef BLOCKS_SHEET_LINKS_H
#define BLOCKS_SHEET_LINKS_H

#include "blocks/block_layout.h"
#include "geometry/voxel/sheet_cuts.h"

/** What of a flow passes a sheet of that material and so many layers, 0..1; `of` says where to look. */
typedef double sheet_share(const void *of, uint16_t material, double layers);

/** Keep of `cuts` those links whose ends are both nodes of blocks and open to one another. Of a grid fresh
 * from block_grid_pack() or block_grid_pack_slabs(), before block_grid_widen(). FAILURE_CAPACITY for memory,
 * with the grid as it was. O(cuts log cuts). */
int block_grid_hang(struct block_grid *grid, const struct sheet_cuts *cuts, sheet_share *share,
                    const void *of, struct failure *failure);

/** The sheet on the link of a node in a direction, which the grid has; NULL without one. O(log sheets). */
const struct sheet_link *sheet_link_at(const struct block_grid *grid, const int64_t node[3],
                                       enum direction direction);

/** Link byte of a node with those left out that sheets cut. */
uint8_t sheet_links_past(const struct block_grid *grid, const int64_t node[3]);

/** What sheets of every material are, for a time step: (laws), copied. FAILURE_INPUT for one that is not
 * finite (but for pores_mass) or negative, FAILURE_CAPACITY for memory. */
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

/** Area that a link stands for of one of its sheets: h^2 sum |n_d| over the axes is more than theirs, h^2 sum
 * n_d^2 is it [h^2]. */
static inline double sheet_link_area(const struct sheet_link *link)
{
    return link->sheets / (double)link->layers;
}

/** Of a material in the grid [h^2]: the area of all its sheets; and that which air is before, the two outer
 * sides of one or of two on a link. */
double sheet_links_area(const struct block_grid *grid, uint16_t material);
double sheet_links_faced(const struct block_grid *grid, uint16_t material);

#endif
