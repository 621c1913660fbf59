/** The table of the schemes of the literature: the cost of a second of sound of a church with each, for
 * processors (bench_peers) and for a GPU (bench_gpu_peers).
 *
 * Points a wavelength are those where the worst phase error of any direction is 1 % (peer_schemes.h), without
 * and with an output warp that removes the dispersion that all directions share; its stretch makes a run
 * longer. Nodes are the air's volume in cells, GB the memory of pressures and topology, TB 12 bytes a node
 * and step: read u, read u_old, write u_old. Walls are rigid stairs. Seconds are nodes times steps over the
 * measured rate; "at limit" is the same at the limit. The isotropic scheme is timed at lambda^2 = .6, for
 * which the masses of its nodes are made; its loop is the same at every other.
 */
#ifndef KERNELS_LADDER_PEER_TABLE_H
#define KERNELS_LADDER_PEER_TABLE_H

#include "kernels/ladder/peer_room.h"

#define PEER_ISOTROPIC 0.6 /* lambda^2 that rooms are stepped with, for the sake of the nodes at walls */

struct peer_timed {
    struct peer_room room;
    double best; /* nodes of air a second */
};

/** The built-in church as a grid that any scheme can step; freed by block_grid_free(). */
int peer_church(double spacing, int threads, struct block_grid *grid, struct failure *failure);

double peer_stable_lambda2(int scheme);

/** Level 0 or 1 of the start: whole numbers in the air, 0 elsewhere. */
void peer_fill(const struct peer_room *room, int level, float *u);

/** Print it for a church of `volume` [m3] to `fmax` [Hz]; `limit_rate` in stored nodes a second. */
void peer_print_tables(const struct peer_timed timed[PEER_SCHEMES], double volume, double fmax,
                       double limit_rate);

#endif
