/** What a receiver gets of the drive of a run, from what it gets of the drive (1, -1): the engine is linear
 * (test_linearity), so it is the same through the low-pass. For rooms so small that a test can only evaluate
 * them before their walls answer, which a drive of 13 periods of fmax does not leave time for. */
#ifndef TESTS_DRIVEN_H
#define TESTS_DRIVEN_H

#include <complex.h>

#include "kernels/scheme/dispersion.h"
#include "src/response/signal/response.h"
#include "tests/support/outcome.h"

/** @param raw (count), sample 0 at the emission; silence follows
 * @return (count + lead) samples from the beginning of the drive, to be freed */
static inline double *driven(const double *raw, size_t count, const struct time_step *step, double fmax,
                             size_t *driven_count)
{
    struct response_drive drive = {0};
    MUST(response_drive_make(step, fmax, &drive, &failure));
    for (size_t k = 1; k < drive.count; k++) /* (1, -1) apart from the low-pass */
        drive.sample[k] += drive.sample[k - 1];
    const size_t total = count + drive.lead;
    double *out = calloc(total + 1, sizeof *out);
    cr_assert(out != NULL);
    for (size_t n = 0; n < count; n++)
        for (size_t k = 0; raw[n] != 0.0 && k < drive.count && n + k < total; k++)
            out[n + k] += drive.sample[k] * raw[n];
    *driven_count = total;
    response_drive_free(&drive);
    return out;
}

/** The response that the chain makes of it; to be freed. @param first as response_make() */
static inline float *driven_response(const struct response_chain *chain, const double *raw, size_t count,
                                     double first, size_t *out_count)
{
    size_t driven_count = 0;
    float *out = NULL;
    double *heard = driven(raw, count, &chain->step, chain->fmax, &driven_count);
    MUST(response_make(chain, heard, driven_count, first, &out, out_count, &failure));
    free(heard);
    return out;
}

/** A time step of the standard scheme by its rate alone, for what needs no grid. */
static inline struct time_step step_at(double rate)
{
    return (struct time_step){.scheme = SCHEME_STANDARD, .rate = rate, .period = 1.0 / rate};
}

/* ---- the band of a response of the isotropic scheme at a true frequency, for suites that know what a sound
 * is without it: the low-pass of the drive and the high-pass of integrator.h ---- */

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
