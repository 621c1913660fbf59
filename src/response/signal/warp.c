#include "src/response/signal/warp.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/scheme/dispersion.h"
#include "src/response/signal/integrator.h"

#define PI 3.14159265358979323846

#define RINGING 1.0 /* of the high-pass after the end, e^-24 there [s] */

#define SAMPLES_A_PERIOD 4.0 /* of fmax, at least, where leads are changed */

void warp_free(struct warp *warp)
{
    fourier_free(&warp->whole);
    fourier_free(&warp->band);
    fourier_angles_free(&warp->angles);
    low_pass_roots_free(&warp->roots);
    free(warp->quotient);
    *warp = (struct warp){0};
}

/* Frequency of a line [Hz]. */
static double frequency_of(const struct warp *warp, size_t line)
{
    return (double)line * warp->rate / (double)warp->whole.length;
}

/* The high-pass of integrator.h at a true frequency, relative to its corner. */
static double complex high_pass(double f)
{
    static const double damping[2] = {0.76536686473017954, 1.8477590650225735};
    const double complex v = I * f;
    double complex product = 1.0;
    for (int s = 0; s < 2; s++)
        product *= v * v / (v * v + damping[s] * v + 1.0);
    return product;
}

/* 4 pi F' over the transform of the drive without its low-pass, which is the band of the response. */
static void divide_by_drive(struct warp *warp, const double *angle)
{
    warp->quotient[0] = 0.0;
    for (size_t k = 1; k < warp->lines; k++) {
        const double f = frequency_of(warp, k);
        const double slope = dispersion_symbol_slope(dispersion_kappa_of(&warp->step, f));
        warp->quotient[k] = 4.0 * PI * slope * high_pass(f / INTEGRATOR_CORNER) *
                            cexp(I * angle[k] * (double)warp->lead) / (1.0 - cexp(-I * angle[k]));
    }
}

/* The duration of the transform's samples. */
static double seconds_of(const struct time_step *step, double fmax, double steps)
{
    return steps / step->rate + RINGING + 2.0 * LOW_PASS_REACH / fmax;
}

static double lines_of(double fmax, double rate, size_t length)
{
    return 1.0 + floor(LOW_PASS_STOP_RATIO * fmax / rate * (double)length);
}

/* The factor by which a change of lead may have fewer samples. */
static size_t part_of(double fmax, double rate)
{
    size_t part = 1;
    while (rate / (double)(2 * part) >= SAMPLES_A_PERIOD * fmax)
        part *= 2;
    return part;
}

static int choose_lengths(struct warp *warp, struct failure *failure)
{
    const double seconds = seconds_of(&warp->step, warp->fmax, (double)warp->steps);
    const size_t part = part_of(warp->fmax, warp->rate);
    TRY(fourier_make(fourier_length((size_t)ceil(seconds * warp->rate)), &warp->whole, failure));
    TRY(fourier_make(warp->whole.length / part, &warp->band, failure));
    warp->band_rate = warp->rate / (double)part;
    warp->lines = (size_t)lines_of(warp->fmax, warp->rate, warp->whole.length);
    return 0;
}

/* Roots take half the bytes of the data that they transform. In addition to the arrays of warp_apply(), a
 * response has its samples, in double and as written, and the arrays of air absorption. */
double warp_bytes(const struct time_step *step, double fmax, double steps, double rate, double at_once)
{
    const double complex_bytes = sizeof(double complex), real = sizeof(double);
    const size_t whole = fourier_length((size_t)ceil(seconds_of(step, fmax, steps) * rate)),
                 fine = fourier_length(2 * (size_t)ceil(steps));
    const double lines = lines_of(fmax, rate, whole), length = (double)whole;
    const double angles =
        lines * ((FOURIER_CELLS + 1) * real + complex_bytes) + steps * real + (double)fine * complex_bytes;
    const double shared =
        (1 + 1 / (double)part_of(fmax, rate)) * length * complex_bytes + lines * complex_bytes + angles;
    const double one = 2 * steps * real + (2 * lines + length) * complex_bytes +
                       (double)fine * complex_bytes + 4 * length * real;
    return shared + at_once * one;
}

static int make_lines(struct warp *warp, double *angle, struct failure *failure)
{
    for (size_t k = 0; k < warp->lines; k++)
        angle[k] = dispersion_theta(&warp->step, dispersion_kappa_of(&warp->step, frequency_of(warp, k)));
    warp->quotient = malloc((warp->lines + 1) * sizeof *warp->quotient);
    if (warp->quotient == NULL)
        return failure_memory(failure, warp->lines * sizeof *warp->quotient, "the frequencies of a response");
    divide_by_drive(warp, angle);
    TRY(low_pass_roots_sharp(warp->fmax, warp->band_rate, &warp->roots, failure));
    return fourier_angles_make(warp->steps, angle, warp->lines, &warp->angles, failure);
}

int warp_make(const struct time_step *step, double fmax, size_t lead, size_t steps, double rate,
              struct warp *out, struct failure *failure)
{
    struct warp warp = {.step = *step, .fmax = fmax, .lead = lead, .steps = steps, .rate = rate};
    double *angle = NULL;
    int code = choose_lengths(&warp, failure);
    if (code == 0) {
        angle = malloc((warp.lines + 1) * sizeof *angle);
        code = angle == NULL ? failure_memory(failure, warp.lines * sizeof *angle, "frequencies")
                             : make_lines(&warp, angle, failure);
    }
    free(angle);
    if (code != 0)
        warp_free(&warp);
    else
        *out = warp;
    return code;
}

/* ---- responses ---- */

/* A row, with its end damped. */
static void fade_row(const double *raw, size_t steps, double *out)
{
    const double last = WARP_FADE * (double)steps;
    for (size_t n = 0; n < steps; n++) {
        const double left = ((double)(steps - n) - 0.5) / last;
        out[n] = left < 1.0 ? raw[n] * (0.5 - 0.5 * cos(PI * left)) : raw[n];
    }
}

/* If sound arrives before the low-pass has risen, its lead is changed. The filter for that may be longer
 * than the transform, and then wraps around it. */
static int change_lead(const struct warp *warp, double first, double complex *line, struct failure *failure)
{
    struct low_pass later = {0};
    const size_t length = warp->band.length;
    if (!(first * warp->band_rate < (double)low_pass_lead(warp->fmax, warp->band_rate)))
        return 0;
    double complex *value = calloc(length, sizeof *value);
    int code = value == NULL
                   ? failure_memory(failure, length * sizeof *value, "the low-pass")
                   : low_pass_change_lead(&warp->roots, (size_t)(first * warp->band_rate), &later, failure);
    if (code == 0) {
        for (size_t k = 0; k < later.count; k++)
            value[(k - later.lead) & (length - 1)] += later.tap[k];
        fourier_forward(&warp->band, value);
        for (size_t k = 0; k < warp->lines; k++)
            line[k] = fourier_product(line[k], value[k]);
    }
    low_pass_free(&later);
    free(value);
    return code;
}

/* The spectrum of one channel, in place, from that of its row. */
static int shape_spectrum(const struct warp *warp, double first, bool gradient, double complex *line,
                          struct failure *failure)
{
    for (size_t k = 0; k < warp->lines; k++) {
        line[k] = fourier_product(line[k], warp->quotient[k]);
        if (gradient && k > 0)
            line[k] *= -I * (warp->step.sound_speed / (2.0 * PI * frequency_of(warp, k)));
    }
    return change_lead(warp, first, line, failure);
}

/* Two real signals are the real and the imaginary part of one transform. `b` may be NULL. */
static void join_spectra(const double complex *a, const double complex *b, size_t lines, size_t length,
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
        fade_row(raw[c], warp->steps, scratch->row[c]);
    TRY(fourier_angles_transform(&warp->angles, scratch->row[0], channels > 1 ? scratch->row[1] : NULL,
                                 scratch->line[0], scratch->line[1], failure));
    for (size_t c = 0; c < channels; c++)
        TRY(shape_spectrum(warp, first[c], gradient, scratch->line[c], failure));
    join_spectra(scratch->line[0], channels > 1 ? scratch->line[1] : NULL, warp->lines, warp->whole.length,
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
