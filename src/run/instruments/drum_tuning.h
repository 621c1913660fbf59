/** Computes the tension for a drum's pitch, and the load of the air on a membrane.
 *
 * Mode (m,n) of a membrane in vacuum is J_m(z_mn r / R) cos m phi at z_mn / (2 pi R) sqrt(T / sigma), z_mn
 * the n-th zero of J_m. Air moves with it. In an infinite rigid baffle, with open air on both sides, the
 * added mass of the air on either side for a mode of that shape at angular frequency omega, per area of the
 * membrane, is
 *
 *   m_air = rho R 2 z^2 integral S(x)^2 x dx / sqrt(x^2 - (omega R / c)^2) over x > omega R / c, S(x) =
 * J_m(x) / (x^2 - z^2)
 *
 * (S its Hankel transform but for a factor; evanescent waves are the load). Over a kettle, modelled as a
 * rigid cylinder of the same rim and volume, depth L, that of the lower side is instead
 *
 *   m_air = rho R sum over b of 4 z^2 / ((b^2 - z^2)^2 (1 - m^2/b^2)) / (g tanh(g L / R)), g^2 = b^2 - (omega
 * R / c)^2, b the zeros of J_m', for m = 0 with b = 0 (4/z^2 / (g tanh ..)),
 *
 * its modes weighted by their part of the membrane's shape (as in Christian et al. 1984). Then omega = z/R
 * sqrt(T / (sigma + both)). A real drum has no baffle: it sounds up to a few per cent higher
 * (src/manual/instruments.md). */
#ifndef SRC_DRUM_TUNING_H
#define SRC_DRUM_TUNING_H

#include "kernels/drum/membrane.h"

/** J_m(x), m 0..20, to 1e-14 for |x| < 50. */
double bessel_j(int m, double x);

/** z_mn, m 0..20, n from 1 on. */
double bessel_zero(int m, int n);

/** The air. */
struct drum_air {
    double density, sound_speed; /* [kg/m3], [m/s] */
};

/** m_air of one side in a baffle; of a kettle of so much air [kg/m2]. */
double drum_air_mass(double radius, int m, int n, double frequency, const struct drum_air *air);
double drum_kettle_mass(double radius, double volume, int m, int n, double frequency,
                        const struct drum_air *air);

/** Tension for which mode (1,1) sounds at `frequency`; `volume` of the kettle, 0: a baffle [N/m]. */
double drum_tension(const struct membrane_kind *kind, double volume, double frequency,
                    const struct drum_air *air);

/** Frequency of a mode; `air` NULL: in vacuum [Hz]. */
double drum_frequency(const struct membrane_kind *kind, double volume, int m, int n,
                      const struct drum_air *air);

#endif
