#include "src/report/report_response.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/base64.h"
#include "src/acoustics/acoustic_figures.h"
#include "src/acoustics/decay_times.h"
#include "src/signal/fourier.h"
#include "src/signal/response.h"

#define RATE ((double)RESPONSE_RATE)

cJSON *report_rounded(double value, int decimals)
{
    const double scale = pow(10, decimals);
    return isfinite(value) ? cJSON_CreateNumber(round(value * scale) / scale) : cJSON_CreateNull();
}

static void add_rounded(cJSON *object, const char *name, double value, int decimals)
{
    cJSON_AddItemToObject(object, name, report_rounded(value, decimals));
}

static int add_base64(cJSON *object, const char *name, const void *data, size_t size, struct failure *failure)
{
    char *text = base64_text(data, size);
    cJSON *item = text != NULL ? cJSON_AddStringToObject(object, name, text) : NULL;
    free(text);
    return item != NULL ? 0 : failure_memory(failure, size, "the curves of a response");
}

/* ---- over time ---- */

static double loudest(const float *sample, size_t count)
{
    double most = 0;
    for (size_t n = 0; n < count; n++)
        most = fmax(most, fabs((double)sample[n]));
    return most;
}

/* Little-endian, as all machines are that this program runs on; the page reads it so. */
static int add_envelope(cJSON *entry, const float *sample, size_t count, struct failure *failure)
{
    int16_t bin[REPORT_ENVELOPE_BINS];
    const size_t width = count > 0 ? (count + REPORT_ENVELOPE_BINS - 1) / REPORT_ENVELOPE_BINS : 1;
    const double most = loudest(sample, count);
    size_t bins = 0;
    for (size_t first = 0; first < count; first += width) {
        const double peak = loudest(sample + first, first + width < count ? width : count - first);
        const double level = peak > 0 && most > 0 ? 2000 * log10(peak / most) : -INFINITY;
        bin[bins++] = level > -32767 ? (int16_t)lround(level) : INT16_MIN;
    }
    cJSON_AddNumberToObject(entry, "t0_s", 0);
    cJSON_AddNumberToObject(entry, "dt_s", (double)width / RATE);
    return add_base64(entry, "envelope", bin, bins * sizeof bin[0], failure);
}

/* Lowest and highest pressure of every stretch of `width` samples: no crest is lost, however it is drawn. */
static int add_stretches(cJSON *entry, const char *name, const float *sample, size_t first, size_t count,
                         size_t most, struct failure *failure)
{
    const size_t width = count > most ? (count + most - 1) / most : 1,
                 stretches = (count + width - 1) / width;
    float *low = malloc(2 * (stretches + 1) * sizeof *low);
    if (low == NULL)
        return failure_memory(failure, 2 * stretches * sizeof *low, "a waveform");
    float *high = low + stretches + 1;
    for (size_t s = 0; s < stretches; s++) {
        const float *stretch = sample + first + s * width;
        const size_t samples = (s + 1) * width < count ? width : count - s * width;
        low[s] = high[s] = stretch[0];
        for (size_t n = 1; n < samples; n++) {
            low[s] = fminf(low[s], stretch[n]);
            high[s] = fmaxf(high[s], stretch[n]);
        }
    }
    cJSON *object = cJSON_AddObjectToObject(entry, name);
    cJSON_AddNumberToObject(object, "t0_s", (double)first / RATE);
    cJSON_AddNumberToObject(object, "dt_s", (double)width / RATE);
    int code = add_base64(object, "low", low, stretches * sizeof *low, failure);
    if (code == 0)
        code = add_base64(object, "high", high, stretches * sizeof *high, failure);
    free(low);
    return code;
}

static int add_waveforms(cJSON *entry, const float *sample, size_t count, double onset,
                         struct failure *failure)
{
    const double begin = fmax(0, onset - 0.1 * REPORT_WAVEFORM) * RATE;
    const size_t first = begin < (double)count ? (size_t)begin : count,
                 most = (size_t)(REPORT_WAVEFORM * RATE);
    TRY(add_stretches(entry, "waveform", sample, first, count - first < most ? count - first : most,
                      REPORT_STRETCHES, failure));
    return add_stretches(entry, "whole", sample, 0, count, REPORT_STRETCHES, failure);
}

/* ---- decays ---- */

static cJSON *trace_json(const struct decay_trace *trace)
{
    static const char *const name[] = {"edt", "t20", "t30"};
    cJSON *object = cJSON_CreateObject();
    cJSON *times = cJSON_AddArrayToObject(object, "t_s"),
          *levels = cJSON_AddArrayToObject(object, "level_db"),
          *fits = cJSON_AddArrayToObject(object, "fits");
    for (size_t i = 0; i < trace->count; i++) {
        cJSON_AddItemToArray(times, report_rounded((double)i * trace->step, 5));
        cJSON_AddItemToArray(levels, report_rounded(trace->level[i], 2));
    }
    for (int f = 0; f < 3; f++) {
        const struct decay_line *line = &trace->line[f];
        if (line->slope == 0)
            continue;
        cJSON *fit = cJSON_CreateObject();
        cJSON_AddStringToObject(fit, "figure", name[f]);
        add_rounded(fit, "from_s", line->from, 5);
        add_rounded(fit, "to_s", line->to, 5);
        add_rounded(fit, "slope_db_per_s", line->slope, 5);
        add_rounded(fit, "intercept_db", line->intercept, 4);
        cJSON_AddItemToArray(fits, fit);
    }
    return object;
}

static int add_decays(cJSON *entry, const float *sample, size_t count, double fmax_hz, double onset,
                      size_t points, struct failure *failure)
{
    struct decay_times times;
    struct decay_trace *trace = calloc(OCTAVE_BANDS_MAX, sizeof *trace);
    if (trace == NULL)
        return failure_memory(failure, OCTAVE_BANDS_MAX * sizeof *trace, "decay curves");
    const int code = decay_times_trace(sample, count, RATE, fmax_hz, onset, points, &times, trace, failure);
    cJSON *decay = code == 0 ? cJSON_AddArrayToObject(entry, "decay") : NULL;
    for (size_t b = 0; code == 0 && b < times.bands; b++)
        cJSON_AddItemToArray(decay, trace_json(&trace[b]));
    free(trace);
    return code;
}

/* ---- spectrum ---- */

/* Means of |X|^2 over 1/24 octave around each centre, from REPORT_LOWEST to fmax. */
static void add_bands(cJSON *entry, const double complex *x, size_t length, double fmax_hz)
{
    cJSON *spectrum = cJSON_AddObjectToObject(entry, "spectrum");
    cJSON *f = cJSON_AddArrayToObject(spectrum, "f_hz"),
          *level = cJSON_AddArrayToObject(spectrum, "level_db");
    const double half = pow(2, 0.5 / REPORT_SPECTRUM_BANDS), width = RATE / (double)length;
    for (double centre = REPORT_LOWEST; centre <= fmax_hz * (1 + 1e-9); centre *= half * half) {
        const size_t first = (size_t)lround(centre / half / width),
                     last = (size_t)lround(centre * half / width);
        double energy = 0;
        size_t count = 0;
        for (size_t k = first > 0 ? first : 1; k <= last && k < length / 2; k++, count++)
            energy += creal(x[k]) * creal(x[k]) + cimag(x[k]) * cimag(x[k]);
        if (count == 0)
            continue;
        cJSON_AddItemToArray(f, report_rounded(centre, 2));
        cJSON_AddItemToArray(level, report_rounded(energy > 0 ? 10 * log10(energy / (double)count) : NAN, 2));
    }
}

static int add_spectrum(cJSON *entry, const float *sample, size_t count, double fmax_hz,
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
        add_bands(entry, x, length, fmax_hz);
    }
    fourier_free(&fourier);
    free(x);
    return code;
}

/* ---- figures ---- */

static void add_figure(cJSON *entry, const struct acoustic_figures *figures, int f)
{
    static const int decimals[PRESSURE_FIGURES] = {4, 4, 4, 3, 3, 4, 5, 3};
    cJSON *values = cJSON_AddArrayToObject(entry, figure_kind[f].name);
    for (size_t b = 0; b < figures->bands; b++)
        cJSON_AddItemToArray(
            values,
            report_rounded(acoustic_figure_of(&figures->octave[b], (enum figure)f), decimals[f]));
}

static int add_missing_figures(cJSON *entry, const float *sample, size_t count, double fmax_hz, double onset,
                               struct failure *failure)
{
    bool lacks[PRESSURE_FIGURES], any = false;
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        lacks[f] = !cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(entry, figure_kind[f].name));
        any = any || lacks[f];
    }
    if (!any)
        return 0;
    struct acoustic_figures *figures = calloc(1, sizeof *figures);
    if (figures == NULL)
        return failure_memory(failure, sizeof *figures, "figures");
    const int code =
        acoustic_figures_make(sample, count, RATE, fmax_hz, onset, FIGURES_REFERENCE, figures, failure);
    for (int f = 0; code == 0 && f < PRESSURE_FIGURES; f++)
        if (lacks[f]) {
            cJSON_DeleteItemFromObjectCaseSensitive(entry, figure_kind[f].name);
            add_figure(entry, figures, f);
        }
    cJSON_AddBoolToObject(entry, "figures_from_file", true);
    free(figures);
    return code;
}

int report_response_add(cJSON *entry, const float *sample, size_t count, double fmax_hz, double onset,
                        size_t points, struct failure *failure)
{
    TRY(add_envelope(entry, sample, count, failure));
    TRY(add_waveforms(entry, sample, count, onset, failure));
    TRY(add_decays(entry, sample, count, fmax_hz, onset, points, failure));
    TRY(add_spectrum(entry, sample, count, fmax_hz, failure));
    return add_missing_figures(entry, sample, count, fmax_hz, onset, failure);
}
