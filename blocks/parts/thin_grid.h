/** Reduces the grid of the whole room once its parts are cut. Data that locate nodes and blocks, and masses,
 * stay; data that only stepping reads are freed. */
#ifndef BLOCKS_THIN_GRID_H
#define BLOCKS_THIN_GRID_H

#include "blocks/block_layout.h"

/** Free blocks across edges, wall entries, plaquettes and extra links: NULL, while all counts stay. The grid
 * can no longer be stepped, hashed, checked or cut; block_grid_find(), block_grid_index(), block_grid_home(),
 * block_grid_links(), cut_mass(), cut_masses_sum() and stencils work as before. Frees about half of the bytes
 * of a grid of the isotropic scheme. */
void block_grid_thin(struct block_grid *grid);

/** Bytes of a thinned grid. */
double block_grid_thin_bytes(double blocks, double tiles, double cuts, double list_nodes, bool has_records);

#endif
