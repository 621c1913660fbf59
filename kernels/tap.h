/** A source or receiver anywhere in a cell: the nodes it is joined to and their weights.
 *
 * In free air 4-point cubic (Lagrange) weights along each axis, 64 nodes; where any of those nodes is not air
 * or any link among them is cut ("within two nodes of a wall"), or on request, trilinear over the 8 corners
 * of the cell: corners not joined to the nearest air node (`base`) by uncut links within the cell get weight
 * 0 and the rest are rescaled to sum 1; `shift` says by how much that moved the effective position. A source
 * uses the same weights (the adjoint), which keeps reciprocity.
 */
#ifndef KERNELS_TAP_H
#define KERNELS_TAP_H

#include <stdbool.h>
#include <stdint.h>

#include "blocks/block_grid.h"

#define TAP_NODES_MAX 64

enum interpolation { INTERPOLATION_CUBIC, INTERPOLATION_LINEAR };

struct tap {
    unsigned count;
    int64_t node[TAP_NODES_MAX][3]; /* lattice nodes, rising in (z,y,x); all air */
    double weight[TAP_NODES_MAX];   /* sum 1 (-) */
    enum interpolation used;
    double shift; /* distance from the asked position to sum(weight x node position) [m] */
};

/** @param base the air node the position belongs to (voxel_findings.seed_node), one of the cell's corners
 * FAILURE_INPUT when base is not air or is not a corner of the position's cell. */
int tap_make(const struct block_grid *grid, const double position[3], const int64_t base[3],
             enum interpolation wanted, struct tap *out, struct failure *failure);

/** Is any of its nodes at a wall, so that what a source pushes there goes into the wall at the same step
 * (engine_absorbed())? `grid` is the one it was made on. */
bool tap_touches_wall(const struct block_grid *grid, const struct tap *tap);

#endif
