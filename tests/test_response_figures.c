#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdlib.h>

#include "src/response.h"
#include "src/response_figures.h"
#include "tests/test_support.h"

/* A flat spectrum of 1/r: what the calibration makes of free field at r metres, wherever in time it stands.
 */
Test(response_figures, a_flat_spectrum_of_one_over_r_has_the_strength_of_a_source_at_r_metres)
{
    enum { COUNT = 48000 };
    static const double distance[] = {1, 3.7, 10, 25};
    float *sample = calloc(COUNT, sizeof *sample);
    for (size_t d = 0; d < sizeof distance / sizeof distance[0]; d++)
        for (size_t at = 0; at <= 4800; at += 2400) {
            struct response_figures figures;
            sample[at] = (float)(1 / distance[d]);
            response_figures_make(sample, COUNT, 11300, &figures);
            sample[at] = 0;
            cr_assert(eq(sz, figures.bands, 8)); /* 63 Hz to 8 kHz */
            for (size_t b = 0; b < figures.bands; b++)
                cr_assert(test_near(figures.octave[b], -20 * log10(distance[d] / 10), 1e-4), "%g Hz: %g dB",
                          figures.centre[b], figures.octave[b]);
        }
    free(sample);
}

Test(response_figures, the_strength_of_the_band_counts_the_energy_up_to_fmax_only)
{
    /* An ideal low-pass at a twelfth of the rate, |X| = 0.1 inside: a sinc, cut where little is left. */
    enum { COUNT = 48001 };
    float *sample = calloc(COUNT, sizeof *sample);
    for (int n = 0; n < COUNT; n++) {
        const double x = (n - COUNT / 2) * acos(-1) / 6;
        sample[n] = (float)(0.1 / 6 * (fabs(x) < 1e-9 ? 1 : sin(x) / x));
    }
    struct response_figures figures;
    response_figures_make(sample, COUNT, RESPONSE_RATE / 12.0, &figures);
    cr_assert(test_near(figures.strength, 0, 1e-3), "%g dB", figures.strength);
    free(sample);
}

Test(response_figures, twice_the_pressure_is_six_decibels_and_silence_is_minus_infinity)
{
    enum { COUNT = 4800 };
    float *sample = calloc(COUNT, sizeof *sample);
    struct response_figures once, twice;
    response_figures_make(sample, COUNT, 355, &once);
    cr_assert(once.strength < -1e300 && once.octave[0] < -1e300);
    for (int n = 0; n < COUNT; n++)
        sample[n] = (float)sin(0.01 * n * n);
    response_figures_make(sample, COUNT, 355, &once);
    for (int n = 0; n < COUNT; n++)
        sample[n] *= 2;
    response_figures_make(sample, COUNT, 355, &twice);
    cr_assert(test_near(twice.strength - once.strength, 20 * log10(2), 1e-9));
    for (size_t b = 0; b < once.bands; b++)
        cr_assert(test_near(twice.octave[b] - once.octave[b], 20 * log10(2), 1e-9));
    free(sample);
}
