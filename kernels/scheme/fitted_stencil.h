/** Sources and receivers of the isotropic scheme, whose grids have few points a wavelength: weights that are
 * right for the waves of a band, in the least squares, in place of Lagrange's.
 *
 * `kappa_most` is the greatest wavenumber of the band times the spacing, 2 pi fmax h / c = 2 pi / (points per
 * wavelength), 0 < kappa_most < pi.
 */
#ifndef KERNELS_FITTED_STENCIL_H
#define KERNELS_FITTED_STENCIL_H

#include "kernels/scheme/stencil.h"

/** As stencil_make(), six points an axis. FAILURE_INPUT also where kappa_most is out of its range;
 * FAILURE_CAPACITY for memory. */
int stencil_make_fitted(const struct block_grid *grid, const double position[3], const int64_t base[3],
                        double kappa_most, struct stencil *out, struct failure *failure);

/** As stencil_make_gradient(). */
int stencil_make_fitted_gradient(const struct block_grid *grid, const double position[3],
                                 const int64_t base[3], double kappa_most, int axis, struct stencil *out,
                                 struct failure *failure);

#endif
