#include "src/present/report/report_response.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/acoustics/acoustic_figures.h"
#include "src/response/acoustics/decay_times.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/response.h"

#define RATE ((double)RESPONSE_RATE)

/* ---- over time ---- */

static double find_loudest(const float *sample, size_t count)
{
    double most = 0;
    for (size_t n = 0; n < count; n++)
        most = fmax(most, fabs((double)sample[n]));
    return most;
}

static int add_envelope(struct report_response *response, const float *sample, size_t count,
                        struct failure *failure)
{
    int16_t bin[REPORT_ENVELOPE_BINS];
    const size_t width = count > 0 ? (count + REPORT_ENVELOPE_BINS - 1) / REPORT_ENVELOPE_BINS : 1;
    const double most = find_loudest(sample, count);
    size_t bins = 0;
    for (size_t first = 0; first < count; first += width) {
        const double peak = find_loudest(sample + first, first + width < count ? width : count - first);
        const double level = peak > 0 && most > 0 ? 2000 * log10(peak / most) : -INFINITY;
        bin[bins++] = level > -32767 ? (int16_t)lround(level) : INT16_MIN;
    }
    response->from = 0;
    response->step = (double)width / RATE;
    return report_bytes_set(&response->envelope, bin, bins * sizeof bin[0]) ? 0 : report_no_memory(failure);
}

/* Lowest and highest pressure of every stretch of `width` samples: no crest is lost, however it is drawn. */
static int add_stretches(struct report_stretches **out, const float *sample, size_t first, size_t count,
                         struct failure *failure)
{
    const size_t width = count > REPORT_STRETCHES ? (count + REPORT_STRETCHES - 1) / REPORT_STRETCHES : 1,
                 stretches = (count + width - 1) / width;
    float low[REPORT_STRETCHES], high[REPORT_STRETCHES];
    for (size_t s = 0; s < stretches; s++) {
        const float *stretch = sample + first + s * width;
        const size_t samples = (s + 1) * width < count ? width : count - s * width;
        low[s] = high[s] = stretch[0];
        for (size_t n = 1; n < samples; n++) {
            low[s] = fminf(low[s], stretch[n]);
            high[s] = fmaxf(high[s], stretch[n]);
        }
    }
    struct report_stretches *made = *out = json_make(&report_stretches_table);
    if (made == NULL || !report_bytes_set(&made->low, low, stretches * sizeof *low) ||
        !report_bytes_set(&made->high, high, stretches * sizeof *high))
        return report_no_memory(failure);
    made->from = (double)first / RATE;
    made->step = (double)width / RATE;
    return 0;
}

static int add_waveforms(struct report_response *response, const float *sample, size_t count, double onset,
                         struct failure *failure)
{
    const double begin = fmax(0, onset - 0.1 * REPORT_WAVEFORM) * RATE;
    const size_t first = begin < (double)count ? (size_t)begin : count,
                 most = (size_t)(REPORT_WAVEFORM * RATE);
    TRY(add_stretches(&response->waveform, sample, first, count - first < most ? count - first : most,
                      failure));
    return add_stretches(&response->whole, sample, 0, count, failure);
}

/* ---- decays ---- */

static bool fill_decay(struct report_decay *decay, const struct decay_trace *trace)
{
    static const enum figure figure[] = {FIGURE_EDT, FIGURE_T20, FIGURE_T30}; /* of the lines of a trace */
    double time[DECAY_TRACE_POINTS], level[DECAY_TRACE_POINTS];
    for (size_t i = 0; i < trace->count; i++) {
        time[i] = report_rounded((double)i * trace->step, 5);
        level[i] = report_rounded(trace->level[i], 2);
    }
    if (!json_numbers_set(&decay->time, time, trace->count) ||
        !json_numbers_set(&decay->level, level, trace->count) ||
        !JSON_LIST_MAKE(&report_fit_table, &decay->fits, 0))
        return false;
    for (int f = 0; f < 3; f++) {
        const struct decay_line *line = &trace->line[f];
        if (line->slope == 0)
            continue;
        struct report_fit *fit = report_list_add(&report_fit_table, &decay->fits);
        if (fit == NULL)
            return false;
        *fit = (struct report_fit){.figure = figure[f],
                                   .from = report_rounded(line->from, 5),
                                   .to = report_rounded(line->to, 5),
                                   .slope = report_rounded(line->slope, 5),
                                   .intercept = report_rounded(line->intercept, 4)};
    }
    return true;
}

static int add_decays(struct report_response *response, const float *sample, size_t count, double fmax_hz,
                      double onset, size_t points, struct failure *failure)
{
    struct decay_times times;
    struct decay_trace *trace = calloc(OCTAVE_BANDS_MAX, sizeof *trace);
    if (trace == NULL)
        return report_no_memory(failure);
    int code =
        decay_times_trace(BANDS_OCTAVE, sample, count, RATE, fmax_hz, onset, points, &times, trace, failure);
    if (code == 0 && !JSON_LIST_MAKE(&report_decay_table, &response->decays, times.bands))
        code = report_no_memory(failure);
    for (size_t b = 0; code == 0 && b < times.bands; b++)
        code = fill_decay(&response->decays.item[b], &trace[b]) ? 0 : report_no_memory(failure);
    free(trace);
    return code;
}

/* ---- spectrum ---- */

#define BANDS_MOST 256 /* 24 an octave from REPORT_LOWEST to half of 48 kHz are 232 */

/* Means of |X|^2 over 1/24 octave around each centre, from REPORT_LOWEST to fmax. */
static int add_bands(struct report_response *response, const double complex *x, size_t length, double fmax_hz,
                     struct failure *failure)
{
    double f[BANDS_MOST], level[BANDS_MOST];
    size_t bands = 0;
    const double half = pow(2, 0.5 / REPORT_SPECTRUM_BANDS), width = RATE / (double)length;
    for (double centre = REPORT_LOWEST; centre <= fmax_hz * (1 + 1e-9) && bands < BANDS_MOST;
         centre *= half * half) {
        const size_t first = (size_t)lround(centre / half / width),
                     last = (size_t)lround(centre * half / width);
        double energy = 0;
        size_t count = 0;
        for (size_t k = first > 0 ? first : 1; k <= last && k < length / 2; k++, count++)
            energy += creal(x[k]) * creal(x[k]) + cimag(x[k]) * cimag(x[k]);
        if (count == 0)
            continue;
        f[bands] = report_rounded(centre, 2);
        level[bands++] = report_rounded(energy > 0 ? 10 * log10(energy / (double)count) : NAN, 2);
    }
    struct report_spectrum *made = response->spectrum = json_make(&report_spectrum_table);
    return made != NULL && json_numbers_set(&made->frequency, f, bands) &&
                   json_numbers_set(&made->level, level, bands)
               ? 0
               : report_no_memory(failure);
}

static int add_spectrum(struct report_response *response, const float *sample, size_t count, double fmax_hz,
                        struct failure *failure)
{
    struct fourier fourier = {0};
    const size_t length = fourier_length(count > 65536 ? count : 65536);
    double complex *x = calloc(length, sizeof *x);
    int code = x == NULL ? failure_memory(failure, length * sizeof *x, "a spectrum")
                         : fourier_make(length, &fourier, failure);
    for (size_t n = 0; code == 0 && n < count; n++)
        x[n] = (double)sample[n];
    if (code == 0) {
        fourier_forward(&fourier, x);
        code = add_bands(response, x, length, fmax_hz, failure);
    }
    fourier_free(&fourier);
    free(x);
    return code;
}

/* ---- figures ---- */

static bool fill_figure(struct json_numbers *values, const struct acoustic_figures *figures,
                        enum figure figure)
{
    double value[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < figures->bands; b++)
        value[b] = report_figure_rounded(figure, acoustic_figure_of(&figures->octave[b], figure));
    return json_numbers_set(values, value, figures->bands);
}

static int add_missing_figures(struct report_response *response, const float *sample, size_t count,
                               double fmax_hz, double onset, struct failure *failure)
{
    const struct figure_values *recorded = &response->record->figures;
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        response->figures_from_file = response->figures_from_file || recorded->octave[f].value == NULL;
    if (!response->figures_from_file)
        return 0;
    struct acoustic_figures *figures = calloc(1, sizeof *figures);
    if (figures == NULL)
        return report_no_memory(failure);
    int code =
        acoustic_figures_make(sample, count, RATE, fmax_hz, onset, FIGURES_REFERENCE, figures, failure);
    for (int f = 0; code == 0 && f < PRESSURE_FIGURES; f++)
        if (recorded->octave[f].value == NULL &&
            !fill_figure(&response->made.octave[f], figures, (enum figure)f))
            code = report_no_memory(failure);
    free(figures);
    return code;
}

int report_response_add(struct report_response *response, const float *sample, size_t count, double fmax_hz,
                        double onset, size_t points, struct failure *failure)
{
    TRY(add_envelope(response, sample, count, failure));
    TRY(add_waveforms(response, sample, count, onset, failure));
    TRY(add_decays(response, sample, count, fmax_hz, onset, points, failure));
    TRY(add_spectrum(response, sample, count, fmax_hz, failure));
    return add_missing_figures(response, sample, count, fmax_hz, onset, failure);
}
