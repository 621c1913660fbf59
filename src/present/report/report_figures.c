#include "src/present/report/report_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/acoustics/figure_reason.h"
#include "src/response/acoustics/octave_edges.h"
#include "src/run_folder/figure_record.h"
#include "src/run_folder/record_error.h"
#include "src/base/words/words.h"

bool report_lets_out(const struct run_model *model)
{
    return model->room.open_face_links > 0;
}

double report_room_volume(const struct run_model *model)
{
    const double volume = model->size.air_volume;
    return report_lets_out(model) || !isfinite(volume) ? 0 : volume;
}

/* Index of the octave that is called `nominal`, or -1. */
static int band_of(const struct report_response *response, int nominal)
{
    const struct json_numbers *octaves = &response->record->octaves;
    for (size_t b = 0; b < octaves->count; b++)
        if (isfinite(octaves->value[b]) && band_nominal(octaves->value[b]) == nominal)
            return (int)b;
    return -1;
}

static double value_at(const struct report_response *response, enum figure figure, int band)
{
    return band >= 0 ? json_number_of(report_response_octaves(response, figure), (size_t)band) : NAN;
}

int report_octave_band(const struct report_run *run, int nominal)
{
    return run->responses.count > 0 ? band_of(run->responses.item, nominal) : -1;
}

bool report_shows_middle(const struct report_run *run)
{
    return report_octave_band(run, 500) >= 0 && report_octave_band(run, 1000) >= 0;
}

/* The figure of one response at `band` (report_figure_band()); NaN where it is absent. */
static double figure_value(const struct report_response *response, enum figure figure, int band)
{
    if (band == REPORT_BAND_WHOLE)
        return response->record->figures.single[figure];
    if (band != REPORT_BAND_MIDDLE)
        return value_at(response, figure, band);
    return 0.5 * (value_at(response, figure, band_of(response, 500)) +
                  value_at(response, figure, band_of(response, 1000)));
}

unsigned report_figure_marks(const struct report_response *response, enum figure figure, int band)
{
    if (!figure_is_marked(figure) || band < REPORT_BAND_MIDDLE)
        return 0;
    if (band >= 0)
        return record_marks(response->record, (size_t)band);
    const int middle[] = {band_of(response, 500), band_of(response, 1000)};
    return (middle[0] >= 0 ? record_marks(response->record, (size_t)middle[0]) : 0) |
           (middle[1] >= 0 ? record_marks(response->record, (size_t)middle[1]) : 0);
}

unsigned report_octave_marks(const struct report_run *run, int nominal)
{
    unsigned marks = 0;
    for (size_t i = 0; i < run->responses.count; i++) {
        const int band = band_of(&run->responses.item[i], nominal);
        marks |= band >= 0 ? record_marks(run->responses.item[i].record, (size_t)band) : 0;
    }
    return marks;
}

bool report_slopes_of(const struct report_run *run, int band, struct report_slopes *out)
{
    double count = 0;
    *out = (struct report_slopes){0};
    for (size_t i = 0; i < run->responses.count; i++) {
        const struct report_response *response = &run->responses.item[i];
        const int middle[] = {band_of(response, 500), band_of(response, 1000)};
        for (int b = 0; b < (band < 0 ? 2 : 1); b++) {
            const int at = band < 0 ? middle[b] : band;
            const double late = at >= 0 ? json_number_of(&response->record->slope_late, (size_t)at) : NAN;
            if (!isfinite(late))
                continue;
            out->early += json_number_of(&response->record->slope_early, (size_t)at);
            out->late += late;
            out->level += json_number_of(&response->record->slope_crossing, (size_t)at);
            count++;
        }
    }
    out->early /= count;
    out->late /= count;
    out->level /= count;
    return count > 0 && isfinite(out->early) && isfinite(out->level);
}

static bool has_figure(const struct report_run *run, enum figure figure, int band)
{
    for (size_t i = 0; i < run->responses.count; i++)
        if (isfinite(figure_value(&run->responses.item[i], figure, band)))
            return true;
    return false;
}

/* Nominal frequency of octave `band` of the first response; NaN if absent. */
static double nominal_of(const struct report_run *run, int band)
{
    const double octave = run->responses.count > 0 && band >= 0
                              ? json_number_of(&run->responses.item[0].record->octaves, (size_t)band)
                              : NAN;
    return isfinite(octave) ? (double)band_nominal(octave) : (double)NAN;
}

int report_figure_band(const struct report_run *run, enum figure figure)
{
    if (has_figure(run, figure, REPORT_BAND_MIDDLE))
        return REPORT_BAND_MIDDLE;
    const size_t bands = run->responses.count > 0 ? run->responses.item[0].record->octaves.count : 0;
    for (int b = (int)bands - 1; b >= 0; b--)
        if (nominal_of(run, b) <= 1000 && has_figure(run, figure, b))
            return b;
    return REPORT_BAND_NONE;
}

const char *report_figure_called(enum figure figure)
{
    static const char *const called[ALL_FIGURES] = {[FIGURE_EDT] = T_LATER("early decay time EDT"),
                                                    [FIGURE_T20] = T_LATER("reverberation time T20"),
                                                    [FIGURE_T30] = T_LATER("reverberation time T30"),
                                                    [FIGURE_C80] = T_LATER("clarity C80"),
                                                    [FIGURE_D50] = T_LATER("definition D50")};
    return T(called[figure] != NULL ? called[figure] : figure_kind[figure].word);
}

const char *report_band_words(const struct report_run *run, int band, char text[REPORT_BAND_WORDS])
{
    const double octave = nominal_of(run, band);
    if (isnan(octave))
        snprintf(text, REPORT_BAND_WORDS, "%s", T("500 and 1000 Hz"));
    else
        snprintf(text, REPORT_BAND_WORDS, "%.0f Hz", octave);
    return text;
}

double report_figure_of(const struct report_response *response, enum figure figure, int band, double *error)
{
    *error = band >= 0 ? record_octave_error(response->record, figure, (size_t)band)
                       : record_single_error(response->record, figure);
    return figure_value(response, figure, band);
}

struct report_spread report_figure_spread(const struct report_run *run, enum figure figure, int band,
                                          const char *source)
{
    struct report_spread spread = {.mean = NAN, .least = NAN, .largest = NAN, .error = NAN};
    double sum = 0, bars = 0;
    bool any = false;
    for (size_t i = 0; i < run->responses.count; i++) {
        const struct report_response *response = &run->responses.item[i];
        const struct record_response *record = response->record;
        double bar;
        const double value = report_figure_of(response, figure, band, &bar);
        if (source != NULL && (record->source == NULL || strcmp(record->source, source) != 0))
            continue;
        spread.all++;
        if (!isfinite(value))
            continue;
        if (spread.count == 0 || value < spread.least) {
            spread.least = value;
            spread.at_least = record->receiver;
        }
        if (spread.count == 0 || value > spread.largest) {
            spread.largest = value;
            spread.at_largest = record->receiver;
        }
        sum += value;
        bars += isfinite(bar) ? bar : 0;
        any = any || isfinite(bar);
        spread.marks |= report_figure_marks(response, figure, band);
        spread.count++;
    }
    if (spread.count > 0)
        spread.mean = sum / spread.count;
    if (any)
        spread.error = bars / spread.count;
    return spread;
}

bool report_is_unsure(const struct report_run *run, enum figure figure, int band)
{
    const int middle[] = {report_octave_band(run, 500), report_octave_band(run, 1000)};
    for (int b = 0; b < (band == REPORT_BAND_MIDDLE ? 2 : 1); b++) {
        const int at = band == REPORT_BAND_MIDDLE ? middle[b] : band;
        if (at >= 0 && record_mean_scattering_steps(run->model, figure, (size_t)at) > FIGURE_UNSURE)
            return true;
    }
    return false;
}

int report_mean_errors_add(struct report_run *run, struct failure *failure)
{
    const struct record_means *means = run->model->means;
    double error[OCTAVE_BANDS_MAX];
    if (means == NULL || run->responses.count == 0)
        return 0;
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        const size_t count =
            means->octaves.count < OCTAVE_BANDS_MAX ? means->octaves.count : OCTAVE_BANDS_MAX;
        bool any = false;
        for (size_t b = 0; b < count; b++) {
            const double centre = means->octaves.value[b];
            const int band = centre > 0 ? report_octave_band(run, band_nominal(centre)) : -1;
            error[b] =
                band >= 0 ? report_figure_rounded((enum figure)f,
                                                  record_mean_error(run->model, (enum figure)f, (size_t)band))
                          : NAN;
            any = any || isfinite(error[b]);
        }
        if (any && !json_numbers_set(&run->mean_error.octave[f], error, count))
            return report_no_memory(failure);
    }
    return 0;
}

const char *report_error_words(double error, int decimals, char text[REPORT_ERROR_WORDS])
{
    text[0] = '\0';
    while (error > 0 && decimals < 4 && error < 0.5 * pow(10, -decimals)) /* no bar of zero */
        decimals++;
    if (isfinite(error))
        snprintf(text, REPORT_ERROR_WORDS, " \xC2\xB1 %s", words_number("%.*f", decimals, error).text);
    return text;
}

const char *report_count_words(const struct report_spread *spread, bool places, char text[REPORT_COUNT_WORDS])
{
    char of[24] = "";
    if (spread->count < spread->all)
        snprintf(of, sizeof of, T(" of %d"), spread->all);
    snprintf(text, REPORT_COUNT_WORDS, "%s%d%s %s", spread->count > 1 ? T("mean of ") : "", spread->count, of,
             !places ? (spread->all == 1 ? T("response") : T("responses"))
                     : (spread->all == 1 ? T("place") : T("places")));
    return text;
}

/* ---- reverberation ---- */

/* In order of preference, with a note for each but the first. */
static const struct {
    enum figure figure;
    const char *stand_in;
} time_figure[] = {
    {FIGURE_T30, ""},
    {FIGURE_T20, T_LATER("which uses less of the decay than T30")},
    {FIGURE_EDT,
     T_LATER("the early decay time, from the first 10 dB of the decay, since no more of it is known")}};
#define TIMES (sizeof time_figure / sizeof time_figure[0])

struct report_reverberation report_reverberation_at(const struct report_run *run, int band)
{
    struct report_reverberation most = {.band = REPORT_BAND_NONE};
    int count = 0;
    for (size_t f = 0; f < TIMES; f++) {
        const struct report_spread spread = report_figure_spread(run, time_figure[f].figure, band, NULL);
        if (spread.count > count) {
            most =
                (struct report_reverberation){true, time_figure[f].figure, T(time_figure[f].stand_in), band};
            count = spread.count;
        }
        if (2 * count >= spread.all && count > 0)
            break;
    }
    return most;
}

struct report_reverberation report_reverberation_of(const struct report_run *run)
{
    struct report_reverberation chosen = report_reverberation_at(run, REPORT_BAND_MIDDLE);
    int highest = REPORT_BAND_NONE;
    for (size_t f = 0; f < TIMES && !chosen.there; f++) {
        const int band = report_figure_band(run, time_figure[f].figure);
        highest = band > highest ? band : highest;
    }
    return highest >= 0 ? report_reverberation_at(run, highest) : chosen;
}

/* ---- printing numbers ---- */

static int side_of_limit(double value, double limit)
{
    return (value > limit) - (value < limit);
}

int report_decimals(double value, int decimals, double low, double high)
{
    for (int more = 0; more < 3; more++) {
        char text[64];
        snprintf(text, sizeof text, "%.*f", decimals + more, value);
        const double read = strtod(text, NULL);
        if (fabs(read - value) <= 0.05 * fabs(value) &&
            side_of_limit(read, low) == side_of_limit(value, low) &&
            side_of_limit(read, high) == side_of_limit(value, high))
            return decimals + more;
    }
    return decimals + 3;
}

/* ---- reasons ---- */

bool report_figure_reason(const struct report_run *run, enum figure figure, char *text, size_t capacity)
{
    static const int octave[] = {500, 1000, 250, 125, 63};
    const bool middle = report_shows_middle(run);
    for (size_t o = middle ? 0 : 2; o < (middle ? 2 : sizeof octave / sizeof octave[0]); o++)
        for (size_t i = 0; i < run->responses.count; i++) {
            const struct report_response *response = &run->responses.item[i];
            const int band = band_of(response, octave[o]);
            if (band < 0 || !figure_reason_find(json_text_of(&response->record->why, (size_t)band), figure,
                                                text, capacity))
                continue;
            char *const said = words_of_said(text);
            if (said != NULL)
                snprintf(text, capacity, "%s", said);
            free(said);
            return true;
        }
    return false;
}
