/** The flat walls near a place, found from the cells around it. */
#ifndef KERNELS_NEAR_WALLS_H
#define KERNELS_NEAR_WALLS_H

#include "blocks/block_grid.h"
#include "kernels/scheme/wave_fit.h"

/** The part of a voxel that walls, also staircases, leave: openings of its faces, volume and its mass in the
 * scheme, in voxels. An almost impermeable sheet leaves no opening on the isotropic operator.
 */
struct near_cell {
    double open[6], volume, mass;
    uint8_t sheets; /* bit d: a sheet is on the link in that direction */
};
struct near_cell near_walls_cell(const struct block_grid *grid, const int64_t node[3]);

/** Find up to three walls at right angles to one another among `count` nodes, the nearest to `place` first
 * [h]: a voxel shows a wall's normal in the openings of opposite faces and how deep it is in its volume; a
 * voxel whose seven values no single plane explains (at an edge, of a step of a staircase, behind furniture)
 * shows none. Neighbours that show the same wall are averaged. */
void near_walls_find(const struct block_grid *grid, const int64_t (*node)[3], unsigned count,
                     const double place[3], struct wave_mirrors *out);

#endif
