/** The band of a response of the isotropic scheme at a true frequency, for suites that know what a sound is
 * without it: the low-pass of the drive and the high-pass of integrator.h. */
#ifndef TESTS_RESPONSE_BAND_H
#define TESTS_RESPONSE_BAND_H

#include <complex.h>
#include <criterion/criterion.h>
#include <math.h>

#include "kernels/scheme/dispersion.h"
#include "src/signal/response.h"
#include "tests/support/outcome.h"

/** The drive's low-pass at an angle of a step, about its middle. */
static inline double response_band_drive(const struct response_drive *drive, double theta)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < drive->count; n++)
        sum += drive->sample[n] * cexp(-I * theta * ((double)n - (double)drive->lead));
    return creal(sum / (1.0 - cexp(-I * theta)));
}

/** The same at a true frequency [Hz] above 0. */
static inline double response_band_low(const struct time_step *step, double fmax, double f)
{
    struct response_drive drive = {0};
    MUST(response_drive_make(step, fmax, &drive, &failure));
    const double gain = response_band_drive(&drive, dispersion_theta(step, dispersion_kappa_of(step, f)));
    response_drive_free(&drive);
    return gain;
}

/** Poles of the Butterworth high-pass of fourth order at 10 Hz [1/s]. */
static inline double complex response_band_pole(int pole)
{
    const double pi = 3.14159265358979323846;
    return 2.0 * pi * 10.0 * cexp(I * pi * (5.0 + 2.0 * pole) / 8.0);
}

static inline double complex response_band_high(double f)
{
    const double complex s = 2.0 * 3.14159265358979323846 * I * f;
    double complex all = 1.0;
    for (int pole = 0; pole < 4; pole++)
        all *= s / (s - response_band_pole(pole));
    return all;
}

#endif
