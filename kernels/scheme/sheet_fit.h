/** Sheets for a grid of the isotropic scheme, fitted so that they are right after the warp.
 *
 * A plane wave meets a sheet midway between two planes of nodes at an angle. The sheet acts on the odd part
 * alone: 1 + G is before the sheet, and 1 - G passes, T = (1 - G) / 2. The correct value is
 *
 *   T = 1 / (1 + Z cos / (2 rho c)),   Z at the true frequency
 *
 * A run has, with the normal wavenumber k and the transverse A_t of the lattice (dispersion.h),
 *
 *   G = (M j sin(k/2) - Y e^{jk/2}) / (M j sin(k/2) + Y e^{-jk/2}),  M = 1 - A_t / 6,  Y = 1 / (1 + z) - b
 * A_t / 6 z = m_s + R_s / s + 1 / (1 / m_p + s / R_p),   s = 2j tan(theta/2)
 *
 * b is the weight of plaquettes through the sheet (blocks/plaquettes.h). b near the real part of 1 / (1 + z)
 * lets the transverse terms pass as the normal ones do. Given b, the four numbers of the law, all >= 0 so
 * that it stays passive, are those of the least mean square of |T - T wanted| over the run's band and over
 * angles as a diffuse field has them. The standard scheme keeps its dispersion in its responses, so a sheet
 * is not fitted.
 */
#ifndef KERNELS_SHEET_FIT_H
#define KERNELS_SHEET_FIT_H

#include <complex.h>

#include "kernels/scheme/sheet_law.h"

/** The run and the air around a sheet. */
struct sheet_place {
    struct time_step step; /* of sheet_fit_share() only scheme, spacing and sound_speed count */
    double impedance;      /* rho c of the air [Pa s/m] */
    double fmax;           /* of the run [Hz] */
};

/** b of this number of layers, 0..1; 1 for a sheet with almost no effect, and for the standard scheme. */
double sheet_fit_share(const struct sheet *sheet, const struct sheet_place *place, double layers);

/** The law to step with, and the largest and root mean square of |T - T wanted| over band and angles. Some
 * milliseconds. */
struct sheet_fit {
    struct sheet_law law;
    double worst, rms; /* (-) */
};
struct sheet_fit sheet_fit(const struct sheet *sheet, const struct sheet_place *place);

/** Z / (rho c) at a true frequency; T through it, and through the law on the grid, at an angle from its
 * normal [rad]. */
double complex sheet_impedance(const struct sheet *sheet, double impedance, double frequency);
double complex sheet_passes(const struct sheet *sheet, const struct sheet_place *place, double frequency,
                            double angle);
double complex sheet_law_passes(const struct sheet_law *law, double share, const struct sheet_place *place,
                                double frequency, double angle);

#endif
