/** The grid of the whole room once its parts are cut: what finds nodes and blocks, and what their masses are,
 * stays; what only stepping reads goes. */
#ifndef BLOCKS_THIN_GRID_H
#define BLOCKS_THIN_GRID_H

#include "blocks/block_layout.h"

/** Free blocks across edges, wall entries, plaquettes, extra links: NULL,
 * while all counts stay. Nothing can be stepped, hashed, checked or cut any more; block_grid_find(),
 * block_grid_index(), block_grid_home(), block_grid_links(), cut_mass(), cut_masses_sum() and stencils go on
 * as before. About half of the bytes of a grid of the isotropic scheme. */
void block_grid_thin(struct block_grid *grid);

/** Bytes that are left of a grid. */
double block_grid_thin_bytes(double blocks, double tiles, double cuts, double list_nodes, bool has_records);

#endif
