/** Which tension makes a drum sound at a pitch, and how air loads a membrane.
 *
 * Mode (m,n) of a membrane in vacuum is J_m(z_mn r / R) cos m phi at z_mn / (2 pi R) sqrt(T / sigma), z_mn
 * the n-th zero of J_m. Air moves with it. In an infinite rigid baffle, with open air on both sides, a mode
 * of that shape at angular frequency omega carries on either side, per area of the membrane,
 *
 *   m_air = rho integral |S(q)|^2 q dq / sqrt(q^2 - (omega/c)^2) over q > omega/c
 *           over integral |S(q)|^2 q dq over all q,      S(q) = J_m(q R) / (q^2 - (z/R)^2)
 *
 * (S its Hankel transform but for a factor; the waves that do not radiate are what loads it). So
 * omega = z/R sqrt(T / (sigma + 2 m_air)). A kettle under it and an open edge around it change that by a few
 * per cent (src/manual/instruments.md).
 */
#ifndef SRC_DRUM_TUNING_H
#define SRC_DRUM_TUNING_H

#include "kernels/drum/membrane.h"

/** J_m(x), m >= 0, to 1e-14 for |x| < 100. */
double bessel_j(int m, double x);

/** z_mn, m 0..20, n from 1 on. */
double bessel_zero(int m, int n);

/** m_air of one side [kg/m2]. */
double drum_air_mass(double radius, int m, int n, double frequency, double air_density, double sound_speed);

/** Tension for which mode (1,1) sounds at `frequency` by the above [N/m]. */
double drum_tension(const struct membrane_kind *kind, double frequency, double air_density,
                    double sound_speed);

/** Frequency of a mode in a baffle; air_density 0: in vacuum [Hz]. */
double drum_frequency(const struct membrane_kind *kind, int m, int n, double air_density, double sound_speed);

#endif
