/** The flat walls near a place, as the cells around it show them. */
#ifndef KERNELS_NEAR_WALLS_H
#define KERNELS_NEAR_WALLS_H

#include "blocks/block_grid.h"
#include "kernels/scheme/wave_fit.h"

/** What walls leave of a voxel, staircases alike: openings of its faces, volume and the mass that the scheme
 * gives it, in voxels. A sheet that lets next to nothing through on the isotropic operator leaves no opening.
 */
struct near_cell {
    double open[6], volume, mass;
    uint8_t sheets; /* bit d: a sheet is on the link in that direction */
};
struct near_cell near_walls_cell(const struct block_grid *grid, const int64_t node[3]);

/** Find up to three walls at right angles to one another among `count` nodes, the nearest to `place` first
 * [h]: a voxel shows a wall's normal in the openings of opposite faces and how deep it is in its volume; one
 * of which a single plane does not explain all seven (at an edge, of a step of a staircase, behind furniture)
 * shows none. Neighbours that show the same wall are averaged. */
void near_walls_find(const struct block_grid *grid, const int64_t (*node)[3], unsigned count,
                     const double place[3], struct wave_mirrors *out);

#endif
