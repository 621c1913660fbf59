#include "src/acoustics/figure_report.h"

#include <math.h>
#include <string.h>

#include "src/base/wrapped_text.h"

#define LABEL  24 /* columns of what a line is called */
#define COLUMN 9  /* of one octave; eight octaves make 96 */
#define NARROW 8  /* of nine octaves, which make 96 too */

#define ABSENT_MAX (FIGURE_WHY_MAX + 80)

/* The single numbers of the standard (ISO 3382-1:2009, table A.1), and T30 as it is usually given. */
static const enum figure single_number[] = {FIGURE_EDT, FIGURE_T30, FIGURE_C80,
                                                     FIGURE_D50, FIGURE_TS,  FIGURE_G};
#define SINGLES (sizeof single_number / sizeof single_number[0])

/* ---- on paper ---- */

static int column_of(size_t bands)
{
    return bands > 8 ? NARROW : COLUMN;
}

/* A value in its column with the marks behind it, or a dash. */
static void print_cell(FILE *stream, size_t bands, double value, int decimals, const char *marks)
{
    char text[32];
    if (isfinite(value))
        snprintf(text, sizeof text, "%.*f%s", decimals, value, marks);
    else
        snprintf(text, sizeof text, "-");
    fprintf(stream, "%*s", column_of(bands), text);
}

static void print_figure(FILE *stream, const struct figure_summary *summary, enum figure figure)
{
    const struct figure_kind *kind = &figure_kind[figure];
    char label[LABEL + 24];
    snprintf(label, sizeof label, "%s%s%s%s%s", kind->word, kind->unit[0] != '\0' ? " [" : "", kind->unit,
             kind->unit[0] != '\0' ? "]" : "", summary->responses > 1 ? ", mean" : "");
    fprintf(stream, "%-*s", LABEL, label);
    for (size_t b = 0; b < summary->bands; b++) {
        const struct figure_octave *octave = &summary->octave[b];
        char marks[4];
        snprintf(marks, sizeof marks, "%s%s%s", figure == FIGURE_T30 && octave->curved > 0 ? "c" : "",
                 figure == FIGURE_T30 && octave->uneven > 0 ? "u" : "",
                 figure == FIGURE_T30 && octave->slope[0].count > 0 ? "d" : "");
        print_cell(stream, summary->bands, figure_mean_of(&octave->figure[figure]), kind->decimals, marks);
    }
    fputc('\n', stream);
    if (summary->responses < 2)
        return;
    fprintf(stream, "%-*s", LABEL, "  standard deviation");
    for (size_t b = 0; b < summary->bands; b++)
        print_cell(stream, summary->bands, figure_mean_deviation(&summary->octave[b].figure[figure]),
                   kind->decimals, "");
    fputc('\n', stream);
}

static void print_head(FILE *stream, const struct figure_summary *summary)
{
    char label[LABEL + 24];
    if (summary->responses > 1)
        snprintf(label, sizeof label, "%zu responses", summary->responses);
    else
        snprintf(label, sizeof label, "one response");
    fprintf(stream, "%-*s", LABEL, label);
    const int width = column_of(summary->bands);
    for (size_t b = 0; b < summary->bands; b++) {
        const int nominal = octave_nominal(summary->octave[b].centre);
        if (nominal < 10000)
            fprintf(stream, "%*d Hz", width - 3, nominal);
        else
            fprintf(stream, "%*d kHz", width - 4, nominal / 1000);
    }
    fputc('\n', stream);
}

static void print_range(FILE *stream, const struct figure_summary *summary)
{
    fprintf(stream, "%-*s", LABEL, summary->responses > 1 ? "decay range, least [dB]" : "decay range [dB]");
    for (size_t b = 0; b < summary->bands; b++)
        print_cell(stream, summary->bands, summary->octave[b].range, 1, "");
    fputc('\n', stream);
}

/* Modulation transfer, which has octaves from 125 Hz to 8 kHz. */
static void print_speech(FILE *stream, const struct figure_summary *summary)
{
    fprintf(stream, "%-*s", LABEL, "modulation transfer");
    for (size_t b = 0; b < summary->bands; b++)
        print_cell(stream, summary->bands, speech_summary_mti(&summary->speech, b), 2, "");
    fputc('\n', stream);
}

static void print_expected(FILE *stream, const char *label, const double *seconds, size_t bands)
{
    fprintf(stream, "%-*s", LABEL, label);
    for (size_t b = 0; b < bands; b++)
        print_cell(stream, bands, seconds[b], 2, "");
    fputc('\n', stream);
}

/* "EDT 1.85 s (0.12), .."; or why there are none. */
static void print_singles(FILE *stream, const struct figure_summary *summary)
{
    char text[400];
    bool any = false, spread = false;
    for (size_t s = 0; s < SINGLES; s++) {
        any = any || summary->single[single_number[s]].count > 0;
        spread = spread || summary->single[single_number[s]].count > 1;
    }
    int used = snprintf(text, sizeof text,
                        "single numbers, mean of 500 and 1000 Hz%s:", spread ? " (standard deviation)" : "");
    if (!any)
        snprintf(text + used, sizeof text - (size_t)used, " none, %s",
                 summary->bands > 4 ? "no response has both" : "they need responses up to 1420 Hz");
    const char *comma = "";
    for (size_t s = 0; s < SINGLES; s++) {
        const struct figure_kind *kind = &figure_kind[single_number[s]];
        const struct figure_mean *mean = &summary->single[single_number[s]];
        if (mean->count == 0)
            continue;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %s %.*f%s%s", comma, kind->word,
                         kind->decimals, mean->mean, kind->unit[0] != '\0' ? " " : "", kind->unit);
        if (mean->count > 1)
            used += snprintf(text + used, sizeof text - (size_t)used, " (%.*f)", kind->decimals,
                             figure_mean_deviation(mean));
        comma = ",";
    }
    print_wrapped(stream, text, 2);
}

/* "c  .. : 250 Hz, 500 Hz (2 of 6 responses)" */
static void print_mark(FILE *stream, const struct figure_summary *summary, const char *mark,
                       const char *meaning, bool uneven)
{
    char text[400];
    int used = snprintf(text, sizeof text, "%s", meaning);
    bool any = false;
    for (size_t b = 0; b < summary->bands; b++) {
        const struct figure_octave *octave = &summary->octave[b];
        const size_t count = uneven ? octave->uneven : octave->curved;
        if (count == 0)
            continue;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %d Hz", any ? "," : ":",
                         octave_nominal(octave->centre));
        if (summary->responses > 1)
            used += snprintf(text + used, sizeof text - (size_t)used, " (%zu of %zu)", count, octave->count);
        any = true;
    }
    if (!any)
        return;
    fprintf(stream, "  %s  ", mark);
    print_wrapped(stream, text, 5);
}

/* "d  two slopes ..: 500 Hz 1.20 s, then 3.40 s from -15 dB on (4 of 6)" */
static void print_slopes(FILE *stream, const struct figure_summary *summary)
{
    char text[900];
    int used = snprintf(text, sizeof text, "double slope, as of coupled rooms");
    bool any = false;
    for (size_t b = 0; b < summary->bands; b++) {
        const struct figure_octave *octave = &summary->octave[b];
        const struct figure_mean *slope = octave->slope;
        if (slope[0].count == 0)
            continue;
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "%s %d Hz %.2f s, then %.2f s from %.0f dB on", any ? ";" : ":",
                         octave_nominal(octave->centre), slope[0].mean, slope[1].mean, slope[2].mean);
        if (summary->responses > 1)
            used += snprintf(text + used, sizeof text - (size_t)used, " (%zu of %zu)", slope[0].count,
                             octave->count);
        any = true;
    }
    if (!any)
        return;
    fprintf(stream, "  d  ");
    print_wrapped(stream, text, 5);
}

/* What is absent in an octave, and why: of several responses the first reason, and how many lack something.
 * Empty where nothing is. */
static void absent_text(const struct figure_octave *octave, char text[ABSENT_MAX])
{
    char why[FIGURE_WHY_MAX];
    size_t used = 0;
    text[0] = '\0';
    if (octave->first == NULL)
        return;
    if (octave->count > 1)
        used = (size_t)snprintf(text, ABSENT_MAX, " (%zu of %zu)", octave->lacking, octave->count);
    figure_why(octave->first, true, why);
    snprintf(text + used, ABSENT_MAX - used, ": %s", why);
}

/* Octaves that lack the same for the same reason stand together. */
static void print_absent(FILE *stream, const struct figure_summary *summary)
{
    char text[OCTAVE_BANDS_MAX][ABSENT_MAX], line[ABSENT_MAX + 80];
    for (size_t b = 0; b < summary->bands; b++)
        absent_text(&summary->octave[b], text[b]);
    for (size_t b = 0; b < summary->bands; b++) {
        int used = snprintf(line, sizeof line, "%d", octave_nominal(summary->octave[b].centre));
        if (text[b][0] == '\0')
            continue;
        for (size_t other = b + 1; other < summary->bands; other++)
            if (strcmp(text[other], text[b]) == 0) {
                used += snprintf(line + used, sizeof line - (size_t)used, ", %d",
                                 octave_nominal(summary->octave[other].centre));
                text[other][0] = '\0';
            }
        snprintf(line + used, sizeof line - (size_t)used, " Hz%s", text[b]);
        fprintf(stream, "  -  ");
        print_wrapped(stream, line, 5);
    }
}

void figure_report_print(FILE *stream, const struct figure_summary *summary,
                         const struct statistical_reverberation *expected)
{
    if (summary->bands == 0)
        return;
    print_head(stream, summary);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        if (f != FIGURE_G || summary->calibrated)
            print_figure(stream, summary, (enum figure)f);
    print_range(stream, summary);
    if (summary->speech.responses > 0)
        print_speech(stream, summary);
    if (expected != NULL) {
        print_expected(stream, "Sabine, expected [s]", expected->sabine, summary->bands);
        print_expected(stream, "Eyring, expected [s]", expected->eyring, summary->bands);
    }
    print_singles(stream, summary);
    if (summary->speech.responses > 0)
        speech_report_print(stream, &summary->speech);
    print_mark(stream, summary, "c", "curved, T30 more than 10 % over T20: no one time says it all", false);
    print_mark(stream, summary, "u", "uneven, off a straight line by more than ISO 3382-2 lets pass", true);
    print_slopes(stream, summary);
    print_absent(stream, summary);
}

/* ---- in JSON ---- */

/* NaN and infinity are written as null. */
static void add_numbers(cJSON *object, const char *name, const char *suffix, const double *value,
                        size_t count)
{
    char whole[40];
    snprintf(whole, sizeof whole, "%s%s", name, suffix);
    cJSON_AddItemToObject(object, whole, cJSON_CreateDoubleArray(value, (int)count));
}

static void add_number(cJSON *object, const char *name, const char *suffix, double value)
{
    char whole[40];
    snprintf(whole, sizeof whole, "%s%s", name, suffix);
    cJSON_AddNumberToObject(object, whole, value);
}

static void add_why(cJSON *array, const char *why)
{
    cJSON_AddItemToArray(array, why[0] != '\0' ? cJSON_CreateString(why) : cJSON_CreateNull());
}

void figure_record_expected(cJSON *object, double highest, const struct statistical_reverberation *expected)
{
    double centre[OCTAVE_BANDS_MAX];
    const size_t bands = octave_centres(highest, centre);
    add_numbers(object, "octaves_hz", "", centre, bands);
    add_numbers(object, "sabine_s", "", expected->sabine, bands);
    add_numbers(object, "eyring_s", "", expected->eyring, bands);
}

void figure_record_means(cJSON *object, const struct figure_summary *summary)
{
    double centre[OCTAVE_BANDS_MAX], mean[OCTAVE_BANDS_MAX], deviation[OCTAVE_BANDS_MAX];
    cJSON_AddNumberToObject(object, "responses", (double)summary->responses);
    for (size_t b = 0; b < summary->bands; b++)
        centre[b] = summary->octave[b].centre;
    add_numbers(object, "octaves_hz", "", centre, summary->bands);
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        for (size_t b = 0; b < summary->bands; b++) {
            mean[b] = figure_mean_of(&summary->octave[b].figure[f]);
            deviation[b] = figure_mean_deviation(&summary->octave[b].figure[f]);
        }
        add_numbers(object, figure_kind[f].name, "", mean, summary->bands);
        add_numbers(object, figure_kind[f].name, "_deviation", deviation, summary->bands);
    }
    if (summary->speech.responses > 0)
        speech_record_means(object, &summary->speech, summary->bands);
    cJSON *single = cJSON_AddObjectToObject(object, "single_numbers");
    for (size_t s = 0; s < SINGLES; s++) {
        const char *name = figure_kind[single_number[s]].name;
        add_number(single, name, "", figure_mean_of(&summary->single[single_number[s]]));
        add_number(single, name, "_deviation", figure_mean_deviation(&summary->single[single_number[s]]));
    }
}

static void record_singles(cJSON *object, const struct acoustic_figures *figures,
                           const struct acoustic_figures *shifted)
{
    cJSON *single = cJSON_AddObjectToObject(object, "single_numbers");
    bool absent = false;
    for (size_t s = 0; s < SINGLES; s++) {
        const char *name = figure_kind[single_number[s]].name;
        const double value = acoustic_figure_single(figures, single_number[s]);
        add_number(single, name, "", value);
        if (shifted != NULL)
            add_number(single, name, "_spread",
                       fabs(acoustic_figure_single(shifted, single_number[s]) - value));
        absent = absent || !isfinite(value);
    }
    if (figures->bands <= 4)
        cJSON_AddStringToObject(single, "why",
                                "they are means of 500 and 1000 Hz, and the response ends below 1420 Hz");
    else if (absent)
        cJSON_AddStringToObject(single, "why", "absent at 500 or at 1000 Hz: see why there");
    else
        cJSON_AddNullToObject(single, "why");
}

static void record_slopes(cJSON *object, const struct acoustic_figures *figures)
{
    static const char *const name[] = {"slope_early_s", "slope_late_s", "slope_crossing_db"};
    double value[3][OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < figures->bands; b++) {
        const struct double_slope *slopes = &figures->octave[b].times.slopes;
        value[0][b] = slopes->found ? slopes->early : NAN;
        value[1][b] = slopes->found ? slopes->late : NAN;
        value[2][b] = slopes->found ? slopes->level : NAN;
    }
    for (int i = 0; i < 3; i++)
        add_numbers(object, name[i], "", value[i], figures->bands);
}

/* One figure of all octaves, and its spread. */
static void record_figure(cJSON *object, const struct acoustic_figures *figures,
                          const struct acoustic_figures *shifted, enum figure figure)
{
    double value[OCTAVE_BANDS_MAX], spread[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < figures->bands; b++) {
        value[b] = acoustic_figure_of(&figures->octave[b], figure);
        spread[b] = shifted != NULL ? fabs(acoustic_figure_of(&shifted->octave[b], figure) - value[b]) : NAN;
    }
    add_numbers(object, figure_kind[figure].name, "", value, figures->bands);
    if (shifted != NULL)
        add_numbers(object, figure_kind[figure].name, "_spread", spread, figures->bands);
}

void figure_record_response(cJSON *object, const struct acoustic_figures *figures,
                            const struct acoustic_figures *shifted)
{
    double centre[OCTAVE_BANDS_MAX], range[OCTAVE_BANDS_MAX], curvature[OCTAVE_BANDS_MAX],
        nonlinearity[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < figures->bands; b++) {
        const struct octave_times *times = &figures->octave[b].times;
        centre[b] = times->centre;
        range[b] = times->range;
        curvature[b] = times->curvature;
        nonlinearity[b] = times->nonlinearity;
    }
    add_numbers(object, "octaves_hz", "", centre, figures->bands);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        record_figure(object, figures, shifted, (enum figure)f);
    cJSON *why = cJSON_AddArrayToObject(object, "why");
    for (size_t b = 0; b < figures->bands; b++) {
        char text[FIGURE_WHY_MAX];
        figure_why(&figures->octave[b], acoustic_figures_is_calibrated(figures), text);
        add_why(why, text);
    }
    add_numbers(object, "decay_range_db", "", range, figures->bands);
    add_numbers(object, "curvature_percent", "", curvature, figures->bands);
    add_numbers(object, "nonlinearity_permille", "", nonlinearity, figures->bands);
    record_slopes(object, figures);
    record_singles(object, figures, shifted);
}
