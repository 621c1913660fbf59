/** A source or receiver anywhere in a cell: the nodes it is joined to and their weights.
 *
 * In free air 4-point cubic (Lagrange) weights along each axis, 64 nodes; where any of those nodes is not air
 * or any link among them is cut ("within two nodes of a wall"), or on request, trilinear over the 8 corners
 * of the cell: corners not joined to the nearest air node (`base`) by uncut links within the cell get weight
 * 0 and the rest are rescaled to sum 1; `shift` is how far that moved the effective position. A source
 * uses the same weights (the adjoint), which keeps reciprocity.
 *
 * With conformal walls any link with an opening counts as uncut and a cut node as one at the centre of its
 * voxel, where its pressure continues the field to first order; so a slanted wall, too, makes taps within two
 * nodes of it linear: with the field of a mirrored source within .7 dB at 10.5 points per wavelength and .13
 * dB at 21, half a cell and a cell from a rigid wall (tests/kernels/test_slanted_taps.c), of which
 * interpolating linearly may cost .39 dB (1 - cos(k h/2)).
 *
 * A gradient stencil gives dp/dx, dp/dy or dp/dz there instead. Its values are made of link differences
 * (p[m+1] - p[m]) / h, half way between two nodes: for a wave 2 sin(k h/2) / h times its pressure there. By
 * the scheme's dispersion relation sin^2(omega T/2) = lambda^2 sum sin^2(k_d h/2) the three of a plane wave,
 * integrated in time (ambisonic_response.h), are exactly as long as its pressure, for any direction and
 * wavelength. In free air they are interpolated along the axis by 4 of them on a node (weights 1, -10, 0, 10,
 * -1 over 16 h), else by 3, and across as a pressure is: at 10.5 points per wavelength within 0.03 dB, with a
 * phase of at most 0.014 rad off a node. Within two nodes of a wall or on request between the nearest two
 * along the axis, which loses up to 0.4 dB. There a cut link is a hard wall with no gradient, as in the
 * scheme: next to one the normal part vanishes with the distance from it. (At an absorbing wall of admittance
 * g the gradient is g/c dp/dt; that is left out.)
 *
 * A link that a sheet cuts (sheet_links.h) counts as cut, so that no source or receiver reaches the sheet's
 * other side; but air moves there, and the slope is that of the nearest link on this side.
 */
#ifndef KERNELS_STENCIL_H
#define KERNELS_STENCIL_H

#include <stdbool.h>
#include <stdint.h>

#include "blocks/block_grid.h"

#define STENCIL_NODES_MAX 216 /* 6 x 6 x 6: fitted_stencil.h */

/** The isotropic scheme uses FITTED and MIRRORED in place of CUBIC: fitted_stencil.h. */
enum interpolation {
    INTERPOLATION_CUBIC,
    INTERPOLATION_LINEAR,
    INTERPOLATION_FITTED,
    INTERPOLATION_MIRRORED
};

/** "cubic", "linear", "fitted" or "mirrored". */
const char *stencil_interpolation(enum interpolation interpolation);

struct stencil {
    unsigned count;
    int64_t node[STENCIL_NODES_MAX][3]; /* lattice nodes, rising in (z,y,x); all air */
    double weight[STENCIL_NODES_MAX];   /* sum 1 (-); of a gradient sum 0 [1/m] */
    enum interpolation used;
    double shift; /* distance from the asked position to sum(weight x node position) [m]; 0 of a gradient */
};

/** @param base the air node the position belongs to (voxel_findings.seed_node), one of the cell's corners
 * or one that was merged with another (block_grid_home()), which then replaces it. FAILURE_INPUT when base is
 * not air or is not a corner of the position's cell. */
int stencil_make(const struct block_grid *grid, const double position[3], const int64_t base[3],
                 enum interpolation wanted, struct stencil *out, struct failure *failure);

/** A receiver of the derivative along `axis` (0 x, 1 y, 2 z); not for sources. As stencil_make(). If walls
 * leave no difference, one node with weight 0. */
int stencil_make_gradient(const struct block_grid *grid, const double position[3], const int64_t base[3],
                          enum interpolation wanted, int axis, struct stencil *out, struct failure *failure);

/** Strength of a source: sqrt(sum of weight^2 / mass) over its nodes [h^(-3/2)]. A sample q adds to a field
 * at rest an energy of (lambda2/h q)^2 / (2 lambda2) times its square. At most 1 off cut nodes. With
 * conformal walls the grid has its masses. */
double stencil_push(const struct block_grid *grid, const struct stencil *stencil);

/** True if any of its nodes is at a wall, so that a part of a source's drive goes into the wall in the same
 * step (engine_absorbed()). `grid` is the one it was made on. */
bool stencil_touches_wall(const struct block_grid *grid, const struct stencil *stencil);

/** The place of a source or receiver in the lattice (stencil_place.c). */
struct stencil_place {
    double coordinate[3]; /* in lattice nodes [h] */
    int64_t low[3];       /* lower corner of the cell that holds it .. */
    double fraction[3];   /* .. and where in that cell it lies, 0 to 1 */
    int64_t base[3];      /* the node that its air belongs to, which need not be a corner of the cell */
};

/** @param asked an air node that is a corner of the position's cell, or one that was merged with another.
 * FAILURE_INPUT when it is not air or no such corner. */
int stencil_place_find(const struct block_grid *grid, const double position[3], const int64_t asked[3],
                       struct stencil_place *out, struct failure *failure);

#endif
