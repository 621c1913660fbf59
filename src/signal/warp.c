#include "src/signal/warp.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/scheme/dispersion.h"
#include "src/signal/integrator.h"
#include "src/signal/low_pass.h"

#define PI 3.14159265358979323846

#define RINGING 1.0 /* of the high-pass after the end, e^-24 there [s] */

#define SAMPLES_A_PERIOD 4.0 /* of fmax, at least, where low-passes are designed */

void warp_free(struct warp *warp)
{
    fourier_free(&warp->whole);
    fourier_free(&warp->band);
    fourier_angles_free(&warp->angles);
    free(warp->quotient);
    free(warp->flat);
    *warp = (struct warp){0};
}

/* Of a line [Hz]. */
static double frequency(const struct warp *warp, size_t line)
{
    return (double)line * RESPONSE_RATE / (double)warp->whole.length;
}

/* The transform of a low-pass, real where its phase is linear, turned to its time 0. */
static int low_pass_lines(const struct warp *warp, size_t lead, double complex *out, struct failure *failure)
{
    struct low_pass filter = {0};
    const size_t length = warp->band.length;
    double complex *value = calloc(length, sizeof *value);
    int code = value == NULL ? failure_memory(failure, length * sizeof *value, "the low-pass")
                             : low_pass_design(warp->fmax, warp->band_rate, lead, &filter, failure);
    if (code == 0) {
        assert(filter.count <= length);
        for (size_t k = 0; k < filter.count; k++)
            value[(k - filter.lead) & (length - 1)] = filter.tap[k];
        fourier_forward(&warp->band, value);
        for (size_t k = 0; k < warp->lines; k++)
            out[k] = value[k];
    }
    low_pass_free(&filter);
    free(value);
    return code;
}

/* That of integrator.h at a true frequency, of which the corner is 1. */
static double complex high_pass(double f)
{
    static const double damping[2] = {0.76536686473017954, 1.8477590650225735};
    const double complex v = I * f;
    double complex product = 1.0;
    for (int s = 0; s < 2; s++)
        product *= v * v / (v * v + damping[s] * v + 1.0);
    return product;
}

/* 4 pi F' over the transform of the drive, from its emission on; the drive's difference (1, -1) is divided
 * out exactly, its low-pass where it lets anything through. `drive` its transform at the angles. */
static void divide_by_drive(struct warp *warp, const struct response_drive *made, const double *angle,
                            const double complex *drive)
{
    warp->quotient[0] = 0.0;
    for (size_t k = 1; k < warp->lines; k++) {
        const double f = frequency(warp, k), kappa = dispersion_kappa_of(&warp->step, f);
        const double complex emission = cexp(I * angle[k] * (double)made->lead);
        const double complex difference = 1.0 - cexp(-I * angle[k]);
        const double complex low = drive[k] * emission / difference;
        const double square = creal(low) * creal(low) + cimag(low) * cimag(low);
        warp->quotient[k] = 4.0 * PI * dispersion_symbol_slope(kappa) * high_pass(f / INTEGRATOR_CORNER) *
                            emission * conj(low) / (square + WARP_FLOOR * WARP_FLOOR) / difference;
    }
}

/* The transform of the drive at the angles of the lines: it is short, and its length its own. */
static int transform_drive(struct warp *warp, const double *angle, struct failure *failure)
{
    struct response_drive made = {0};
    struct fourier_angles at = {0};
    double complex *drive = malloc((warp->lines + 1) * sizeof *drive);
    int code = drive == NULL ? failure_memory(failure, warp->lines * sizeof *drive, "the spectrum of a drive")
                             : response_drive_make(&warp->step, warp->fmax, &made, failure);
    if (code == 0)
        code = fourier_angles_make(made.count, angle, warp->lines, &at, failure);
    if (code == 0)
        code = fourier_angles_transform(&at, made.sample, NULL, drive, NULL, failure);
    if (code == 0)
        divide_by_drive(warp, &made, angle, drive);
    fourier_angles_free(&at);
    response_drive_free(&made);
    free(drive);
    return code;
}

/* The low-pass of linear phase is real. */
static int make_flat(struct warp *warp, struct failure *failure)
{
    double complex *flat = malloc((warp->lines + 1) * sizeof *flat);
    int code = flat == NULL ? failure_memory(failure, warp->lines * sizeof *flat, "the low-pass")
                            : low_pass_lines(warp, low_pass_lead(warp->fmax, warp->band_rate), flat, failure);
    for (size_t k = 0; code == 0 && k < warp->lines; k++)
        warp->flat[k] = creal(flat[k]);
    free(flat);
    return code;
}

/* Samples at 48 kHz, and how many times fewer the band needs. */
static int choose_lengths(struct warp *warp, struct failure *failure)
{
    const double reach = 2.0 * LOW_PASS_REACH / warp->fmax;
    const double seconds = (double)warp->steps / warp->step.rate + RINGING + reach;
    size_t part = 1;
    while ((double)RESPONSE_RATE / (double)(2 * part) >= SAMPLES_A_PERIOD * warp->fmax)
        part *= 2;
    TRY(fourier_make(fourier_length((size_t)ceil(seconds * RESPONSE_RATE)), &warp->whole, failure));
    TRY(fourier_make(warp->whole.length / part, &warp->band, failure));
    warp->band_rate = (double)RESPONSE_RATE / (double)part;
    warp->lines =
        1 + (size_t)floor(LOW_PASS_STOP_RATIO * warp->fmax / RESPONSE_RATE * (double)warp->whole.length);
    return 0;
}

static int make(struct warp *warp, double *angle, struct failure *failure)
{
    for (size_t k = 0; k < warp->lines; k++)
        angle[k] = dispersion_theta(&warp->step, dispersion_kappa_of(&warp->step, frequency(warp, k)));
    warp->quotient = malloc((warp->lines + 1) * sizeof *warp->quotient);
    warp->flat = malloc((warp->lines + 1) * sizeof *warp->flat);
    if (warp->quotient == NULL || warp->flat == NULL)
        return failure_memory(failure, warp->lines * 3 * sizeof(double), "the frequencies of a response");
    TRY(fourier_angles_make(warp->steps, angle, warp->lines, &warp->angles, failure));
    TRY(make_flat(warp, failure));
    return transform_drive(warp, angle, failure);
}

int warp_make(const struct time_step *step, double fmax, size_t steps, struct warp *out,
              struct failure *failure)
{
    struct warp warp = {.step = *step, .fmax = fmax, .steps = steps};
    double *angle = NULL;
    int code = choose_lengths(&warp, failure);
    if (code == 0) {
        angle = malloc((warp.lines + 1) * sizeof *angle);
        code = angle == NULL ? failure_memory(failure, warp.lines * sizeof *angle, "frequencies")
                             : make(&warp, angle, failure);
    }
    free(angle);
    if (code != 0)
        warp_free(&warp);
    else
        *out = warp;
    return code;
}

/* ---- responses ---- */

/* A row as it is, but for its end. */
static void fade(const double *raw, size_t steps, double *out)
{
    const double last = WARP_FADE * (double)steps;
    for (size_t n = 0; n < steps; n++) {
        const double left = ((double)(steps - n) - 0.5) / last;
        out[n] = left < 1.0 ? raw[n] * (0.5 - 0.5 * cos(PI * left)) : raw[n];
    }
}

/* The spectrum of one channel, in place, from that of its row. */
static int shape(const struct warp *warp, double first, bool gradient, double complex *line,
                 struct failure *failure)
{
    const size_t lead = (size_t)(first * warp->band_rate);
    const bool early = first * warp->band_rate < (double)low_pass_lead(warp->fmax, warp->band_rate);
    double complex *low = early ? malloc(warp->lines * sizeof *low) : NULL;
    if (early && low == NULL)
        return failure_memory(failure, warp->lines * sizeof *low, "the low-pass");
    const int code = early ? low_pass_lines(warp, lead, low, failure) : 0;
    for (size_t k = 0; code == 0 && k < warp->lines; k++) {
        line[k] = fourier_product(line[k], warp->quotient[k]);
        line[k] = early ? fourier_product(line[k], low[k]) : warp->flat[k] * line[k];
        if (gradient && k > 0)
            line[k] *= -I * (warp->step.sound_speed / (2.0 * PI * frequency(warp, k)));
    }
    free(low);
    return code;
}

/* Two real signals are the real and the imaginary part of one transform. `b` may be NULL. */
static void join(const double complex *a, const double complex *b, size_t lines, size_t length,
                 double complex *out)
{
    for (size_t k = 0; k < length; k++)
        out[k] = 0.0;
    for (size_t k = 0; k < lines; k++) {
        const double complex second = b != NULL ? b[k] : 0.0;
        out[k] += CMPLX(creal(a[k]) - cimag(second), cimag(a[k]) + creal(second));
        if (k > 0)
            out[length - k] += CMPLX(creal(a[k]) + cimag(second), creal(second) - cimag(a[k]));
    }
}

struct scratch {
    double *row[2];          /* (steps) */
    double complex *line[2]; /* (lines) */
    double complex *sample;  /* (whole.length) */
};

static int apply_pair(const struct warp *warp, const double *const *raw, size_t channels, const double *first,
                      bool gradient, struct scratch *scratch, double *const *out, size_t samples,
                      struct failure *failure)
{
    for (size_t c = 0; c < channels; c++)
        fade(raw[c], warp->steps, scratch->row[c]);
    TRY(fourier_angles_transform(&warp->angles, scratch->row[0], channels > 1 ? scratch->row[1] : NULL,
                                 scratch->line[0], scratch->line[1], failure));
    for (size_t c = 0; c < channels; c++)
        TRY(shape(warp, first[c], gradient, scratch->line[c], failure));
    join(scratch->line[0], channels > 1 ? scratch->line[1] : NULL, warp->lines, warp->whole.length,
         scratch->sample);
    fourier_inverse(&warp->whole, scratch->sample);
    for (size_t n = 0; n < samples; n++) {
        out[0][n] = creal(scratch->sample[n]);
        if (channels > 1)
            out[1][n] = cimag(scratch->sample[n]);
    }
    return 0;
}

int warp_apply(const struct warp *warp, const double *const *raw, size_t channels, const double *first,
               bool gradient, double *const *out, size_t samples, struct failure *failure)
{
    assert(samples <= warp->whole.length);
    double *row = malloc((2 * warp->steps + 1) * sizeof *row);
    double complex *value = malloc((2 * warp->lines + warp->whole.length) * sizeof *value);
    int code =
        row == NULL || value == NULL
            ? failure_memory(failure, 2 * warp->steps * sizeof *row + warp->whole.length * sizeof *value,
                             "a response")
            : 0;
    struct scratch scratch = {{row, row == NULL ? NULL : row + warp->steps},
                              {value, value == NULL ? NULL : value + warp->lines},
                              value == NULL ? NULL : value + 2 * warp->lines};
    for (size_t c = 0; code == 0 && c < channels; c += 2)
        code = apply_pair(warp, raw + c, channels - c < 2 ? 1 : 2, first + c, gradient, &scratch, out + c,
                          samples, failure);
    free(row);
    free(value);
    return code;
}
