/** Running sum joined to a 10 Hz fourth-order Butterworth high-pass: inverts the zero-mean drive (1, -1)
 * without drift. */
#ifndef SRC_INTEGRATOR_H
#define SRC_INTEGRATOR_H

#include <stddef.h>

#define INTEGRATOR_CORNER 10.0 /* [Hz] */

/** Two second-order sections (bilinear transform, corner exact at any rate). The pole of the sum at z = 1
 * cancels one of the four zeros there:
 *
 *     H(z) = g (1 - 1/z)^3 / (D1(z) D2(z))
 *     |H (1 - 1/z)|^2 = 1 / (1 + (tan(pi 10 / rate) / tan(pi f / rate))^8)
 *
 * States are those of trapezoidal integrators, whose rounding stays relative to the signal where the poles
 * crowd towards z = 1 (direct form was 7 % wrong at 1 Hz for a rate of 400 kHz). */
struct integrator {
    double w;          /* tan(pi 10 / rate) */
    double damping[2]; /* 1 / Q of the sections */
    double share[2];   /* 1 / (1 + damping w + w^2) */
    double state[2][2];
};

/** @param rate [Hz], above 40 */
void integrator_make(double rate, struct integrator *out);

/** Filter in place; the state carries over to the next call. */
void integrator_run(struct integrator *integrator, double *signal, size_t count);

/** The same and once more integrated, by the trapezoidal rule: H(z) (1 + 1/z) / (2 (1 - 1/z)), with constant
 * and linear drift removed by the high-pass. Unit of the integral: samples. Its phase is that of the
 * integral; its size is (pi f / rate) / tan(pi f / rate) of it. */
void integrator_run_twice(struct integrator *integrator, double *signal, size_t count);

/** Multiply by 1 / cos(pi f / rate), in place, so that the size becomes (pi f / rate) / sin(pi f / rate): 1 +
 * s/2 + 3 s^2/8, where s = sin^2(pi f / rate) is minus a quarter of a second difference. The signal is silent
 * at its beginning; the last two samples are unchanged. */
void integrator_over_cosine(double *signal, size_t count);

#endif
