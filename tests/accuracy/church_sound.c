#include "tests/accuracy/church_sound.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/acoustics/decay_times.h"
#include "src/response/signal/band_filters.h"
#include "src/response/signal/integrator.h"
#include "tests/accuracy/church_data.h"

#define PI       3.14159265358979323846
#define SECTIONS 4 /* two of the high-pass, two of the low-pass */
#define LAGS     4

size_t church_early_steps(double distance, double rate)
{
    return (size_t)ceil((distance / CHURCH_SOUND_SPEED + CHURCH_EARLY) * rate);
}

/* 1/(v^2 + damping v + 1) with v = s/w, or v^2 times that; s = (1 - z)/(1 + z). */
static struct biquad butterworth(double corner, double rate, double damping, int high)
{
    const double w = tan(PI * corner / rate), norm = 1 + damping * w + w * w;
    const double top = high ? 1 / norm : w * w / norm;
    return (struct biquad){.b0 = top,
                           .b1 = high ? -2 * top : 2 * top,
                           .b2 = top,
                           .a1 = 2 * (w * w - 1) / norm,
                           .a2 = (1 - damping * w + w * w) / norm};
}

static void band_pass(double *signal, size_t count, double rate)
{
    const double damping[2] = {2 * sin(PI / 8), 2 * sin(3 * PI / 8)};
    for (int s = 0; s < SECTIONS; ++s) {
        struct biquad section =
            butterworth(s < 2 ? CHURCH_BAND_LOW : CHURCH_BAND_HIGH, rate, damping[s % 2], s < 2);
        for (size_t n = 0; n < count; ++n)
            signal[n] = biquad_step(&section, signal[n]);
    }
}

static void sum_up(double *signal, size_t count, double rate)
{
    struct integrator integrator;
    integrator_make(rate, &integrator);
    integrator_run(&integrator, signal, count);
}

/* sum a[n] a[n] between the margins, shifted by -lag. */
static double energy(const double *a, size_t count, int lag)
{
    double sum = 0;
    for (size_t n = LAGS; n + LAGS < count; ++n)
        sum += a[(size_t)((ptrdiff_t)n - lag)] * a[(size_t)((ptrdiff_t)n - lag)];
    return sum;
}

/* sum a[n] b[n - lag], over what both have there. */
static double correlation(const double *a, const double *b, size_t count, int lag)
{
    double sum = 0;
    for (size_t n = LAGS; n + LAGS < count; ++n)
        sum += a[n] * b[(size_t)((ptrdiff_t)n - lag)];
    return sum / sqrt(energy(a, count, 0) * energy(b, count, lag));
}

/* Where a parabola through the largest correlation and its neighbours has its top. */
static double best_lag(const double *a, const double *b, size_t count)
{
    double at[2 * LAGS + 1];
    int best = 0;
    for (int lag = 0; lag < 2 * LAGS + 1; ++lag) {
        at[lag] = correlation(a, b, count, lag - LAGS);
        best = at[lag] > at[best] ? lag : best;
    }
    if (best == 0 || best == 2 * LAGS)
        return best - LAGS;
    const double bend = at[best - 1] - 2 * at[best] + at[best + 1];
    return best - LAGS + (at[best - 1] - at[best + 1]) / (2 * bend);
}

/* Compares (2, count) of a and b, which it overwrites. */
static struct church_match match_in_band(double *both, size_t count, double rate)
{
    struct church_match match = {NAN, NAN, NAN};
    double *a = both, *b = both + count;
    band_pass(a, count, rate);
    band_pass(b, count, rate);
    const double aa = energy(a, count, 0), bb = energy(b, count, 0);
    if (isfinite(aa) && isfinite(bb) && aa > 0 && bb > 0)
        match = (struct church_match){.correlation = correlation(a, b, count, 0),
                                      .lag = best_lag(a, b, count),
                                      .level = 10 * log10(aa / bb)};
    return match;
}

static struct church_match match(const double *a, const double *b, double distance, double rate, bool raw)
{
    const size_t count = church_early_steps(distance, rate);
    double *both = malloc(2 * count * sizeof *both);
    if (both == NULL)
        return (struct church_match){NAN, NAN, NAN};
    memcpy(both, a, count * sizeof *both);
    memcpy(both + count, b, count * sizeof *both);
    if (raw) {
        sum_up(both, count, rate);
        sum_up(both + count, count, rate);
    }
    const struct church_match found = match_in_band(both, count, rate);
    free(both);
    return found;
}

struct church_match church_match(const double *a, const double *b, double distance, double rate)
{
    return match(a, b, distance, rate, true);
}

struct church_match church_match_responses(const double *a, const double *b, double distance, double rate)
{
    return match(a, b, distance, rate, false);
}

int church_t30(const double *raw, size_t count, double rate, double highest, double distance, size_t octaves,
               double *t30, struct failure *failure)
{
    double *signal = malloc(count * sizeof *signal);
    float *sample = malloc(count * sizeof *sample);
    struct decay_times times = {0};
    int code = 0;
    if (signal == NULL || sample == NULL)
        code = failure_memory(failure, count * sizeof *signal, "a response");
    if (code == 0) {
        memcpy(signal, raw, count * sizeof *signal);
        sum_up(signal, count, rate);
        for (size_t n = 0; n < count; ++n)
            sample[n] = (float)signal[n];
        code = decay_times_make(BANDS_OCTAVE, sample, count, rate, highest, distance / CHURCH_SOUND_SPEED,
                                &times, failure);
    }
    for (size_t b = 0; b < octaves; ++b)
        t30[b] = b < times.bands ? times.octave[b].t30 : NAN;
    free(signal);
    free(sample);
    return code;
}
