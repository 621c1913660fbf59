#include "src/report/report_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/acoustics/octave_decay.h"
#include "src/record/run_folder.h"

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

bool report_shows_middle(const cJSON *responses)
{
    const cJSON *first = cJSON_GetArrayItem(responses, 0);
    return band_of(first, 500) >= 0 && band_of(first, 1000) >= 0;
}

double report_figure_value(const cJSON *response, const char *name, int band)
{
    if (band == REPORT_BAND_WHOLE)
        return record_number(response, name);
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
        if (source != NULL && (of == NULL || strcmp(of, source) != 0))
            continue;
        spread.all++;
        if (!isfinite(value))
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

const char *report_count_words(const struct report_spread *spread, bool places, char text[REPORT_COUNT_WORDS])
{
    const char *what = places ? "place" : "response";
    char of[24] = "";
    if (spread->count < spread->all)
        snprintf(of, sizeof of, " of %d", spread->all);
    snprintf(text, REPORT_COUNT_WORDS, "%s%d%s %s%s", spread->count > 1 ? "mean of " : "", spread->count, of,
             what, spread->all == 1 ? "" : "s");
    return text;
}

/* ---- reverberation ---- */

static const struct report_reverberation time_figure[] = {
    {"t30_s", "T30", "", 0},
    {"t20_s", "T20", "which looks at less of the fall than T30", 0},
    {"edt_s", "EDT", "the early decay time, from the first 10 dB of the fall, for no more of it is known",
     0}};
#define TIMES (sizeof time_figure / sizeof time_figure[0])

static struct report_reverberation choose_time(const cJSON *responses, int band)
{
    struct report_reverberation most = {.band = REPORT_BAND_NONE};
    int count = 0;
    for (size_t f = 0; f < TIMES; f++) {
        const struct report_spread spread = report_figure_spread(responses, time_figure[f].name, band, NULL);
        if (spread.count > count) {
            most = time_figure[f];
            most.band = band;
            count = spread.count;
        }
        if (2 * count >= spread.all && count > 0)
            break;
    }
    return most;
}

struct report_reverberation report_reverberation_of(const cJSON *responses)
{
    struct report_reverberation chosen = choose_time(responses, REPORT_BAND_MIDDLE);
    int highest = REPORT_BAND_NONE;
    for (size_t f = 0; f < TIMES && chosen.name == NULL; f++) {
        const int band = report_figure_band(responses, time_figure[f].name);
        highest = band > highest ? band : highest;
    }
    return highest >= 0 ? choose_time(responses, highest) : chosen;
}

/* ---- telling numbers ---- */

static int side(double value, double limit)
{
    return (value > limit) - (value < limit);
}

int report_decimals(double value, int decimals, double low, double high)
{
    for (int more = 0; more < 3; more++) {
        char text[64];
        snprintf(text, sizeof text, "%.*f", decimals + more, value);
        const double told = strtod(text, NULL);
        if (fabs(told - value) <= 0.05 * fabs(value) && side(told, low) == side(value, low) &&
            side(told, high) == side(value, high))
            return decimals + more;
    }
    return decimals + 3;
}

/* ---- reasons ---- */

/* Is `word` one of the names before the colon of a clause, "EDT, T20 and T30: .."? */
static bool names(const char *clause, const char *colon, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(clause, word); at != NULL && at < colon; at = strstr(at + 1, word))
        if ((at == clause || at[-1] == ' ') && (at[length] == ',' || at[length] == ' ' || at[length] == ':'))
            return true;
    return false;
}

static bool clause_of(const char *why, const char *word, char *text, size_t capacity)
{
    for (const char *clause = why; clause != NULL && *clause != '\0';) {
        const char *end = strstr(clause, "; "), *colon = strstr(clause, ": ");
        if (colon != NULL && (end == NULL || colon < end) && names(clause, colon, word)) {
            const size_t length = end != NULL ? (size_t)(end - colon - 2) : strlen(colon + 2);
            snprintf(text, capacity, "%.*s", (int)length, colon + 2);
            return true;
        }
        clause = end != NULL ? end + 2 : NULL;
    }
    return false;
}

bool report_figure_reason(const cJSON *responses, const char *word, char *text, size_t capacity)
{
    static const int octave[] = {500, 1000, 250, 125, 63};
    const bool middle = report_shows_middle(responses);
    const cJSON *response;
    for (size_t i = middle ? 0 : 2; i < (middle ? 2 : sizeof octave / sizeof octave[0]); i++)
        cJSON_ArrayForEach(response, responses)
        {
            const int band = band_of(response, octave[i]);
            const cJSON *why = band >= 0 ? cJSON_GetArrayItem(record_at(response, "why"), band) : NULL;
            if (cJSON_IsString(why) && clause_of(why->valuestring, word, text, capacity))
                return true;
        }
    return false;
}
