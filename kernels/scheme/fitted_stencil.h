/** Sources and receivers of the isotropic scheme, whose grids have few points a wavelength: weights that are
 * right for the waves of a band, in the least squares (wave_fit.h), in place of Lagrange's.
 *
 * In free air, where no link among the nodes around is narrowed, six points an axis. The error of a source or
 * receiver is at most .0155 dB at 5 points a wavelength, .066 at 4 and .005 at 6, anywhere in a cell and in
 * any direction (four cubic points: .46, 1.07), and at 1.15 times the band's edge .085 dB at 5 points. A
 * gradient is dp/dx itself, not a sum of link differences: within .5 % of wavenumber times pressure at 5
 * points, 1.6 at 4. `used` is INTERPOLATION_FITTED.
 *
 * Near walls it uses all of these nodes that are seen from the base over open links leading away from it, and
 * behind flat walls the field's mirror images: up to three walls at right angles, found in the openings and
 * volumes of the cells around (near_walls.h); at half a cell, on a staircase, that is the same as folding
 * weights onto the nodes in front. With exact pressures at the nodes the error is at most .02 dB, and .6 % of
 * a gradient, at 5 points, on walls of five slopes from .03 to 2.5 spacings before them and in their corners
 * (tests/kernels/test_fitted_stencil.c). Errors of the scheme at cut nodes are added to this: those whose
 * mass is not their volume (cut_masses.h) have less weight. Where no voxel shows a flat wall (steps of a
 * staircase one node wide, furniture) only the nodes that are seen are used, and places beyond them are
 * extrapolated in the least squares. `used` is INTERPOLATION_MIRRORED, also there; `shift` is along the
 * walls.
 *
 * Nodes beyond sheets (sheet_links.h) are not seen, as beyond walls. An almost impermeable sheet across an
 * axis is a flat wall; beside any other one and beyond the last node before it the field is extrapolated in
 * the least squares. `used` is MIRRORED there, too.
 *
 * A source uses the same weights. Cost: in free air microseconds, near walls up to some milliseconds
 * (216 unknowns).
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

/** A multipole source or receiver: the harmonic of that number (solid_harmonics.h), 1 or more, with
 * derivatives for its coordinates. Its weights add up to 0, with the spacing as unit. Driven by q it radiates
 * (j k h)^n Y q where stencil_make_fitted() radiates q: n is the order, Y the harmonic of the direction
 * towards the listener, k h that of the wave on the grid.
 *
 * For either scheme: all 216 nodes around, in free air too, in the least squares over the waves of the band
 * (wave_fit_multipole()), and near walls with their images. At 6 points a wavelength anywhere in a cell and
 * in any direction its error is at most .3 % of Y's maximum for order 1, 1 % for 2 and 5 % for 3 at the edge
 * of the band, where the node itself is the worst place; .1 %, .7 % and 4 % at half of it. At 10.5 points it
 * is at most 1.5 % up to the edge. `used` is FITTED or MIRRORED. Tens of milliseconds.
 * @param misfit that of wave_fit_multipole(): large where few nodes are seen, as in a corner between objects.
 * May be NULL */
int stencil_make_multipole(const struct block_grid *grid, const double position[3], const int64_t base[3],
                           double kappa_most, int number, struct stencil *out, double *misfit,
                           struct failure *failure);

#endif
