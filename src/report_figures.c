#include "src/report_figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/octave_decay.h"
#include "src/run_folder.h"

/* Index of the octave that is called `nominal`, or -1. */
static int band_of(const cJSON *response, int nominal)
{
    const cJSON *item;
    int b = 0;
    cJSON_ArrayForEach(item, record_at(response, "octaves_hz"))
    {
        if (cJSON_IsNumber(item) && octave_nominal(item->valuedouble) == nominal)
            return b;
        b++;
    }
    return -1;
}

static double value_at(const cJSON *response, const char *name, int band)
{
    const cJSON *item = cJSON_GetArrayItem(record_at(response, name), band);
    return band >= 0 && cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

double report_figure_value(const cJSON *response, const char *name, int band)
{
    if (band != REPORT_BAND_MIDDLE)
        return value_at(response, name, band);
    return 0.5 * (value_at(response, name, band_of(response, 500)) +
                  value_at(response, name, band_of(response, 1000)));
}

static int has(const cJSON *responses, const char *name, int band)
{
    const cJSON *response;
    cJSON_ArrayForEach(response, responses) if (isfinite(report_figure_value(response, name, band))) return 1;
    return 0;
}

int report_figure_band(const cJSON *responses, const char *name)
{
    const cJSON *first = cJSON_GetArrayItem(responses, 0);
    if (has(responses, name, REPORT_BAND_MIDDLE))
        return REPORT_BAND_MIDDLE;
    for (int b = cJSON_GetArraySize(record_at(first, "octaves_hz")) - 1; b >= 0; b--) {
        const cJSON *octave = cJSON_GetArrayItem(record_at(first, "octaves_hz"), b);
        if (cJSON_IsNumber(octave) && octave_nominal(octave->valuedouble) <= 1000 && has(responses, name, b))
            return b;
    }
    return REPORT_BAND_NONE;
}

const char *report_band_words(const cJSON *responses, int band, char text[REPORT_BAND_WORDS])
{
    const cJSON *octaves = record_at(cJSON_GetArrayItem(responses, 0), "octaves_hz");
    const cJSON *octave = cJSON_GetArrayItem(octaves, band);
    if (band == REPORT_BAND_MIDDLE || octave == NULL)
        snprintf(text, REPORT_BAND_WORDS, "500 and 1000 Hz");
    else
        snprintf(text, REPORT_BAND_WORDS, "%d Hz", octave_nominal(octave->valuedouble));
    return text;
}

struct report_spread report_figure_spread(const cJSON *responses, const char *name, int band,
                                          const char *source)
{
    struct report_spread spread = {.mean = NAN, .least = NAN, .largest = NAN};
    double sum = 0;
    const cJSON *response;
    cJSON_ArrayForEach(response, responses)
    {
        const double value = report_figure_value(response, name, band);
        const char *of = record_text(response, "source");
        if (!isfinite(value) || (source != NULL && (of == NULL || strcmp(of, source) != 0)))
            continue;
        if (spread.count == 0 || value < spread.least) {
            spread.least = value;
            spread.at_least = record_text(response, "receiver");
        }
        if (spread.count == 0 || value > spread.largest) {
            spread.largest = value;
            spread.at_largest = record_text(response, "receiver");
        }
        sum += value;
        spread.count++;
    }
    if (spread.count > 0)
        spread.mean = sum / spread.count;
    return spread;
}
