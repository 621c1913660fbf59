/** The band of a response (low_pass.h, integrator.h) at a frequency, for suites that know what a sound is
 * without it. */
#ifndef TESTS_RESPONSE_BAND_H
#define TESTS_RESPONSE_BAND_H

#include <complex.h>
#include <criterion/criterion.h>
#include <math.h>

#include "src/signal/low_pass.h"
#include "tests/support/outcome.h"

/** The low-pass of linear phase; `half` + 1 of its taps, from the middle on. */
struct response_band {
    double rate; /* that it was designed at [Hz] */
    size_t half;
    double tap[400];
};

static inline struct response_band response_band_make(double fmax, double rate)
{
    struct response_band band = {.rate = rate, .half = low_pass_lead(fmax, rate)};
    struct low_pass filter = {0};
    cr_assert(band.half < 400);
    MUST(low_pass_design(fmax, rate, band.half, &filter, &failure));
    for (size_t k = 0; k <= band.half; k++)
        band.tap[k] = filter.tap[band.half + k];
    low_pass_free(&filter);
    return band;
}

static inline double response_band_low(const struct response_band *band, double f)
{
    double sum = band->tap[0];
    for (size_t k = 1; k <= band->half; k++)
        sum += 2.0 * band->tap[k] * cos(2.0 * 3.14159265358979323846 * f * (double)k / band->rate);
    return sum;
}

/** Poles of the Butterworth high-pass of fourth order at 10 Hz [1/s]. */
static inline double complex response_band_pole(int pole)
{
    return 2.0 * 3.14159265358979323846 * 10.0 * cexp(I * 3.14159265358979323846 * (5.0 + 2.0 * pole) / 8.0);
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
