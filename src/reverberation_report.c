#include "src/reverberation_report.h"

#include <math.h>

#include "src/options.h"

#define LABEL  24 /* columns of what a line is called */
#define COLUMN 9  /* of one octave; eight octaves make 96 */

static const char *const figure_word[REVERBERATION_FIGURES] = {"EDT", "T20", "T30"};
static const char *const figure_name[REVERBERATION_FIGURES] = {"edt_s", "t20_s", "t30_s"};

static double figure_of(const struct octave_times *octave, int figure)
{
    return figure == 0 ? octave->edt : figure == 1 ? octave->t20 : octave->t30;
}

/* ---- over all responses ---- */

static void add_response(const struct octave_times *times, struct reverberation_octave *octave)
{
    octave->centre = times->centre;
    octave->count++;
    octave->curved += times->curvature > REVERBERATION_CURVATURE;
    octave->lacking += times->why[0] != '\0';
    if (octave->why == NULL && times->why[0] != '\0')
        octave->why = times->why;
    octave->uneven += times->nonlinearity > REVERBERATION_NONLINEARITY;
    for (int f = 0; f < REVERBERATION_FIGURES; f++) {
        const double value = figure_of(times, f);
        if (!isfinite(value))
            continue;
        /* Mean and sum of squares from it, one by one (Welford). */
        const double count = (double)++octave->figure[f].count, off = value - octave->figure[f].mean;
        octave->figure[f].mean += off / count;
        octave->figure[f].squares += off * (value - octave->figure[f].mean);
    }
}

void reverberation_summary_add(struct reverberation_summary *summary, const struct decay_times *times)
{
    summary->responses++;
    summary->bands = times->bands > summary->bands ? times->bands : summary->bands;
    for (size_t b = 0; b < times->bands; b++)
        add_response(&times->octave[b], &summary->octave[b]);
}

/* NaN where no response has it. */
static double mean_of(const struct reverberation_octave *octave, int figure)
{
    return octave->figure[figure].count > 0 ? octave->figure[figure].mean : NAN;
}

/* Standard deviation of the responses; NaN where there are not two. */
static double deviation_of(const struct reverberation_octave *octave, int figure)
{
    const size_t count = octave->figure[figure].count;
    return count > 1 ? sqrt(octave->figure[figure].squares / (double)(count - 1)) : NAN;
}

/* ---- in words ---- */

int reverberation_nominal(double centre)
{
    static const int name[] = {63, 125, 250, 500, 1000, 2000, 4000, 8000, 16000};
    const int last = (int)(sizeof name / sizeof name[0]) - 1, octave = (int)lround(log2(centre / name[0]));
    return name[octave < 0 ? 0 : octave > last ? last : octave];
}

/* A time in its column with the marks behind it, or a dash. */
static void print_cell(FILE *stream, double seconds, const char *marks)
{
    char text[32];
    if (isfinite(seconds))
        snprintf(text, sizeof text, "%.2f%s", seconds, marks);
    else
        snprintf(text, sizeof text, "-");
    fprintf(stream, "%*s", COLUMN, text);
}

static void print_figure(FILE *stream, const struct reverberation_summary *summary, int figure)
{
    char label[LABEL + 24];
    snprintf(label, sizeof label, summary->responses > 1 ? "%s, mean of %zu" : "%s", figure_word[figure],
             summary->responses);
    fprintf(stream, "%-*s", LABEL, label);
    for (size_t b = 0; b < summary->bands; b++) {
        const struct reverberation_octave *octave = &summary->octave[b];
        char marks[3];
        snprintf(marks, sizeof marks, "%s%s", figure == 2 && octave->curved > 0 ? "c" : "",
                 figure == 2 && octave->uneven > 0 ? "u" : "");
        print_cell(stream, mean_of(octave, figure), marks);
    }
    fputc('\n', stream);
    if (summary->responses < 2)
        return;
    fprintf(stream, "%-*s", LABEL, "  standard deviation");
    for (size_t b = 0; b < summary->bands; b++)
        print_cell(stream, deviation_of(&summary->octave[b], figure), "");
    fputc('\n', stream);
}

/* "c  .. : 250 Hz, 500 Hz (2 of 6 responses)" */
static void print_mark(FILE *stream, const struct reverberation_summary *summary, const char *mark,
                       const char *meaning, bool uneven)
{
    char text[400];
    int used = snprintf(text, sizeof text, "%s", meaning);
    bool any = false;
    for (size_t b = 0; b < summary->bands; b++) {
        const struct reverberation_octave *octave = &summary->octave[b];
        const size_t count = uneven ? octave->uneven : octave->curved;
        if (count == 0)
            continue;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %d Hz", any ? "," : ":",
                         reverberation_nominal(octave->centre));
        if (summary->responses > 1)
            used += snprintf(text + used, sizeof text - (size_t)used, " (%zu of %zu)", count, octave->count);
        any = true;
    }
    if (!any)
        return;
    fprintf(stream, "  %s  ", mark);
    options_print_wrapped(stream, text, 5);
}

/* What is absent in an octave, and why: of several responses the first reason, and how many lack something.
 */
static void print_absent(FILE *stream, const struct reverberation_octave *octave)
{
    char text[480];
    if (octave->why == NULL)
        return;
    int used = snprintf(text, sizeof text, "%d Hz", reverberation_nominal(octave->centre));
    if (octave->count > 1)
        used += snprintf(text + used, sizeof text - (size_t)used, " (%zu of %zu)", octave->lacking,
                         octave->count);
    snprintf(text + used, sizeof text - (size_t)used, ": %s", octave->why);
    fprintf(stream, "  -  ");
    options_print_wrapped(stream, text, 5);
}

static void print_expected(FILE *stream, const char *label, const double *seconds, size_t bands)
{
    fprintf(stream, "%-*s", LABEL, label);
    for (size_t b = 0; b < bands; b++)
        print_cell(stream, seconds[b], "");
    fputc('\n', stream);
}

void reverberation_print(FILE *stream, const struct reverberation_summary *summary,
                         const struct statistical_reverberation *expected)
{
    if (summary->bands == 0)
        return;
    fprintf(stream, "%-*s", LABEL, "reverberation [s]");
    for (size_t b = 0; b < summary->bands; b++)
        fprintf(stream, "%*d Hz", COLUMN - 3, reverberation_nominal(summary->octave[b].centre));
    fputc('\n', stream);
    for (int f = 0; f < REVERBERATION_FIGURES; f++)
        print_figure(stream, summary, f);
    print_expected(stream, "Sabine, expected", expected->sabine, summary->bands);
    print_expected(stream, "Eyring, expected", expected->eyring, summary->bands);
    print_mark(stream, summary, "c", "curved, T30 more than 10 % over T20: no one time says it all", false);
    print_mark(stream, summary, "u", "uneven, off a straight line by more than ISO 3382-2 lets pass", true);
    for (size_t b = 0; b < summary->bands; b++)
        print_absent(stream, &summary->octave[b]);
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

void reverberation_record_expected(cJSON *object, double highest,
                                   const struct statistical_reverberation *expected)
{
    double centre[OCTAVE_BANDS_MAX];
    const size_t bands = octave_centres(highest, centre);
    add_numbers(object, "octaves_hz", "", centre, bands);
    add_numbers(object, "sabine_s", "", expected->sabine, bands);
    add_numbers(object, "eyring_s", "", expected->eyring, bands);
}

void reverberation_record_means(cJSON *object, const struct reverberation_summary *summary)
{
    double mean[OCTAVE_BANDS_MAX], deviation[OCTAVE_BANDS_MAX];
    cJSON_AddNumberToObject(object, "responses", (double)summary->responses);
    for (int f = 0; f < REVERBERATION_FIGURES; f++) {
        for (size_t b = 0; b < summary->bands; b++) {
            mean[b] = mean_of(&summary->octave[b], f);
            deviation[b] = deviation_of(&summary->octave[b], f);
        }
        add_numbers(object, figure_name[f], "", mean, summary->bands);
        add_numbers(object, figure_name[f], "_deviation", deviation, summary->bands);
    }
}

void reverberation_record_times(cJSON *object, const struct decay_times *times,
                                const struct decay_times *shifted)
{
    double value[OCTAVE_BANDS_MAX], spread[OCTAVE_BANDS_MAX], nonlinearity[OCTAVE_BANDS_MAX];
    for (int f = 0; f < REVERBERATION_FIGURES; f++) {
        for (size_t b = 0; b < times->bands; b++) {
            value[b] = figure_of(&times->octave[b], f);
            spread[b] = shifted != NULL ? fabs(figure_of(&shifted->octave[b], f) - value[b]) : NAN;
        }
        add_numbers(object, figure_name[f], "", value, times->bands);
        if (shifted != NULL)
            add_numbers(object, figure_name[f], "_spread", spread, times->bands);
    }
    cJSON *why = cJSON_AddArrayToObject(object, "why");
    for (size_t b = 0; b < times->bands; b++) {
        const struct octave_times *octave = &times->octave[b];
        value[b] = octave->curvature;
        nonlinearity[b] = octave->nonlinearity;
        cJSON_AddItemToArray(why,
                             octave->why[0] != '\0' ? cJSON_CreateString(octave->why) : cJSON_CreateNull());
    }
    add_numbers(object, "curvature_percent", "", value, times->bands);
    add_numbers(object, "nonlinearity_permille", "", nonlinearity, times->bands);
}
