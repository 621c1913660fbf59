/** The dispersion of a scheme: from true frequencies to those in a run, and back.
 *
 * A plane wave of wavenumber k steps with 4 sin^2(theta / 2) = lambda2 F, theta = omega T the numerical
 * angle of a step and F the symbol of -h^2 times the Laplacian. Of the isotropic scheme
 *
 *     F = A_x + A_y + A_z - (A_x A_y + A_x A_z + A_y A_z) / 6,   A_d = 4 sin^2(k_d h / 2)
 *
 * depends on direction only from (kh)^6 on: at fixed kappa = |k| h it is least along an axis and greatest
 * along a diagonal of a face. Midway between the two,
 *
 *     F(kappa) = x - x^2/12 + x^3/288 - ..,   x = kappa^2,
 *
 * so sound of true angular frequency omega and wavenumber omega / c appears in a run at theta with kappa =
 * omega h / c. The frequency of any direction is off by at most .09 % at 5 points per wavelength (half of the
 * spread).
 *
 * The dispersion of the standard scheme depends on direction from (kh)^4 on and is not corrected:
 * theta = lambda kappa.
 *
 * All functions are pure and cheap. Values beyond dispersion_kappa_limit(), negative values and NaN give NaN,
 * which fails every comparison.
 */
#ifndef KERNELS_DISPERSION_H
#define KERNELS_DISPERSION_H

#include "kernels/scheme/time_step.h"

/** F(kappa) of the isotropic scheme (-), and F' = dF / d(kappa^2), 1 at kappa 0: the factor by which the
 * residues of a stepped room's modes are too large. To rounding; any kappa. */
double dispersion_symbol(double kappa);
double dispersion_symbol_slope(double kappa);

/** The largest kappa of a scheme: where F is 4, the maximum of a wave along an axis (2.7202); pi / lambda for
 * the standard scheme. And its numerical angle, 1.772 at lambda2 = .6. */
double dispersion_kappa_limit(const struct time_step *step);
double dispersion_theta_limit(const struct time_step *step);

/** The numerical angle of a step [rad], 0 to dispersion_theta_limit(), and back (to rounding). */
double dispersion_theta(const struct time_step *step, double kappa);
double dispersion_kappa(const struct time_step *step, double theta);

/** c(kappa) = (d theta / d kappa) / lambda = lambda kappa F' / sin(theta), 1 at kappa 0 and falling: group
 * velocity over sound speed. True time is run time multiplied by it. A wall's admittance is multiplied by it
 * to be correct at its true frequency. It is 1 for the standard scheme. */
double dispersion_stretch(const struct time_step *step, double kappa);

/** kappa of a true frequency [Hz]; the frequency in a run for a true one, and back. For the standard scheme
 * these two return any argument unchanged, to the bit. */
double dispersion_kappa_of(const struct time_step *step, double frequency);
double dispersion_numerical(const struct time_step *step, double frequency);
double dispersion_true(const struct time_step *step, double numerical);

#endif
