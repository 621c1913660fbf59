#include "src/setup/radiation/pattern_drive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/scheme/dispersion.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/low_pass.h"

#define PI 3.14159265358979323846

#define ABSENT 1e-6 /* of the axis */
#define MARGIN 8    /* the transform's length over that of a drive, at least: tails come round */

size_t pattern_drive_lead(const struct time_step *step, double fmax, const struct pattern *pattern)
{
    bool higher = pattern->lines > 1; /* a pattern that changes with frequency rings, too */
    for (size_t l = 0; l < pattern->lines; l++)
        for (int i = 4; i < HARMONICS; i++)
            higher = higher || cabs(pattern->harmonic[l][i]) > ABSENT;
    return higher ? (size_t)ceil(step->rate / pattern_fade(fmax, 2)) : 0;
}

/* Wavenumber times spacing of a wave that a run holds at theta; NaN beyond the band of the scheme. */
static double scaled_wavenumber(const struct time_step *step, double theta)
{
    const double kappa = dispersion_kappa(step, theta);
    if (step->scheme == SCHEME_ISOTROPIC)
        return kappa;
    /* 4 sin^2(theta / 2) = lambda^2 sum 4 sin^2(k_d h / 2): along an axis and along a diagonal of space.
     * Between them it follows x^4 + y^4 + z^4 of the direction: 1 and 1/3 there, 3/5 in the mean. */
    const double s = sin(0.5 * theta) / sqrt(step->lambda2);
    if (!(s < 1.0))
        return NAN;
    const double axis = 2.0 * asin(s), diagonal = 2.0 * sqrt(3.0) * asin(s / sqrt(3.0));
    return diagonal + 0.4 * (axis - diagonal);
}

/* The factor of the low-passed click for each harmonic, at one frequency. */
static void filter_at(const struct pattern_drive *of, double matrix[HARMONICS][HARMONICS], double theta,
                      double complex out[HARMONICS])
{
    double complex own[HARMONICS];
    const double kappa = scaled_wavenumber(&of->step, theta),
                 f = dispersion_true(&of->step, theta * of->step.rate / (2.0 * PI));
    memset(out, 0, HARMONICS * sizeof *out);
    if (!(kappa > 0.0 && f > 0.0))
        return;
    pattern_at(of->pattern, of->fmax, f, own);
    pattern_turned(matrix, own, out);
    const double complex click = (1.0 - cexp(-I * theta)) * of->gain * cexp(-2.0 * PI * I * f * of->delay);
    double complex division[HARMONICS_ORDER + 1] = {1.0};
    for (int n = 1; n <= HARMONICS_ORDER; n++)
        division[n] = division[n - 1] / (I * kappa);
    for (int i = 0; i < HARMONICS; i++)
        out[i] *= click * division[harmonic_order(i)];
    out[0] /= sqrt(4.0 * PI); /* taps of harmonic 0 radiate 1 and not its Y */
}

/* The low-pass of a drive of the run: its running sum. */
static int low_pass_of(const struct pattern_drive *of, struct response_drive *base, struct failure *failure)
{
    TRY(response_drive_make(&of->step, of->fmax, base, failure));
    for (size_t n = 1; n < base->count; n++)
        base->sample[n] += base->sample[n - 1];
    return 0;
}

size_t pattern_drive_count(const struct pattern_drive *of)
{
    const double slowest = dispersion_stretch(&of->step, dispersion_kappa_of(&of->step, of->fmax));
    return 2 * of->lead + 2 + (size_t)ceil(1.2 * of->delay * of->step.rate / slowest);
}

/* Fade in and out the samples that the longer lead made room for. */
static double lead_window(size_t n, size_t count, size_t longer)
{
    const size_t ramp = longer / 4, away = n < count - 1 - n ? n : count - 1 - n;
    return away < ramp ? 0.5 - 0.5 * cos(PI * ((double)away + 0.5) / (double)ramp) : 1.0;
}

/* Harmonic i: from its spectrum to samples. */
static int make_one(const struct pattern_drive *of, const struct fourier *fourier,
                    const double complex *spectrum, const struct response_drive *base, int i,
                    double complex *work, struct response_drive *out, struct failure *failure)
{
    const size_t half = fourier->length / 2, longer = of->lead - base->lead, count = pattern_drive_count(of);
    double *sample = calloc(count, sizeof *sample);
    if (sample == NULL)
        return failure_memory(failure, count * sizeof *sample, "the drive of a source");
    work[half] = 0.0;
    work[0] = 0.0;
    for (size_t k = 0; k < half; k++) {
        work[k] = spectrum[k * HARMONICS + (size_t)i];
        if (k > 0)
            work[fourier->length - k] = conj(work[k]);
    }
    fourier_inverse(fourier, work);
    double sum = 0.0;
    for (size_t n = 0; n < count; n++) {
        sample[n] =
            creal(work[(n + fourier->length - longer) % fourier->length]) * lead_window(n, count, longer);
        sum += sample[n];
    }
    for (size_t n = 0; i == 0 && n < base->count; n++) /* the base's low-pass adds up to 1 */
        sample[n + longer] -= sum * base->sample[n];
    *out = (struct response_drive){.lead = of->lead, .count = count, .sample = sample};
    return 0;
}

static int make_all(const struct pattern_drive *of, const struct response_drive *base,
                    const struct fourier *fourier, double complex *spectrum, double complex *work,
                    struct response_drive out[HARMONICS], struct failure *failure)
{
    const size_t half = fourier->length / 2;
    double matrix[HARMONICS][HARMONICS], largest[HARMONICS] = {0.0};
    pattern_turn(of->front, matrix);
    for (size_t n = 0; n < base->count; n++)
        work[n] = base->sample[n];
    fourier_forward(fourier, work);
    for (size_t k = 0; k < half; k++) {
        double complex *row = spectrum + k * HARMONICS;
        filter_at(of, matrix, 2.0 * PI * (double)k / (double)fourier->length, row);
        for (int i = 0; i < HARMONICS; i++) {
            largest[i] = fmax(largest[i], cabs(row[i]));
            row[i] = fourier_product(row[i], work[k]);
        }
    }
    /* The click of harmonic 0 is 2 sin(theta / 2) at most: 1 at theta = pi / 3. */
    for (int i = 0; i < HARMONICS; i++)
        if (largest[i] > ABSENT * of->gain)
            TRY(make_one(of, fourier, spectrum, base, i, work, &out[i], failure));
    return 0;
}

int pattern_drive_make(const struct pattern_drive *of, struct response_drive out[HARMONICS],
                       struct failure *failure)
{
    struct response_drive base = {0};
    struct fourier fourier = {0};
    double complex *spectrum = NULL, *work = NULL;
    memset(out, 0, HARMONICS * sizeof *out);
    TRY(low_pass_of(of, &base, failure));
    int code = fourier_make(fourier_length(MARGIN * pattern_drive_count(of)), &fourier, failure);
    if (code == 0) {
        spectrum = calloc(fourier.length / 2 * HARMONICS, sizeof *spectrum);
        work = calloc(fourier.length, sizeof *work);
        code = spectrum == NULL || work == NULL
                   ? failure_memory(failure, fourier.length * (HARMONICS / 2 + 1) * sizeof *work,
                                    "the drives of a source with a direction")
                   : make_all(of, &base, &fourier, spectrum, work, out, failure);
    }
    for (int i = 0; code != 0 && i < HARMONICS; i++)
        response_drive_free(&out[i]);
    free(spectrum);
    free(work);
    fourier_free(&fourier);
    response_drive_free(&base);
    return code;
}
