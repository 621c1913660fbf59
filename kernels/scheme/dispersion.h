/** How a scheme disperses: from true frequencies to those that a run holds, and back.
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
 * so sound of true angular frequency omega, whose wavenumber is omega / c, is what a run holds at theta with
 * kappa = omega h / c. A direction's own frequency is off by .09 % at most at 5 points per wavelength (half
 * of the spread).
 *
 * Of the standard scheme, whose dispersion depends on direction from (kh)^4 on, nothing is undone: here
 * frequencies are what they are, theta = lambda kappa.
 *
 * All functions are pure and cheap. What lies beyond dispersion_kappa_limit(), or is negative or no number,
 * gives NaN, which passes no comparison.
 */
#ifndef KERNELS_DISPERSION_H
#define KERNELS_DISPERSION_H

#include "kernels/scheme/time_step.h"

/** F(kappa) of the isotropic scheme (-), and F' = dF / d(kappa^2), 1 at kappa 0: what the residues of a
 * stepped room's modes are too large by. To rounding; any kappa. */
double dispersion_symbol(double kappa);
double dispersion_symbol_slope(double kappa);

/** The greatest kappa that a scheme serves: where F is 4, which a wave along an axis never passes
 * (2.7202); of the standard scheme pi / lambda. And its numerical angle, 1.772 at lambda2 = .6. */
double dispersion_kappa_limit(const struct time_step *step);
double dispersion_theta_limit(const struct time_step *step);

/** The numerical angle of a step [rad], 0 to dispersion_theta_limit(), and back (to rounding). */
double dispersion_theta(const struct time_step *step, double kappa);
double dispersion_kappa(const struct time_step *step, double theta);

/** c(kappa) = (d theta / d kappa) / lambda = lambda kappa F' / sin(theta), 1 at kappa 0 and falling: group
 * velocity over sound speed. So true time is run time multiplied by it, and it is what a wall's admittance is
 * multiplied by to be seen rightly at its true frequency. Of the standard scheme 1, whatever kappa is. */
double dispersion_stretch(const struct time_step *step, double kappa);

/** kappa of a true frequency [Hz]; the frequency in a run for a true one, and back. Of the standard scheme
 * these two give back what they are given, to the bit, whatever it is. */
double dispersion_kappa_of(const struct time_step *step, double frequency);
double dispersion_numerical(const struct time_step *step, double frequency);
double dispersion_true(const struct time_step *step, double numerical);

#endif
