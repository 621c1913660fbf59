#include "src/acoustics/lateral_report.h"

#include <math.h>
#include <string.h>


#define LABEL  24 /* as figure_report.c has them */
#define COLUMN 9

static const struct {
    const char *word, *unit, *name, *single;
    int decimals;
} kind[LATERAL_FIGURES] = {[LATERAL_LF] = {"LF", "", "lf", "lf_single", 2},
                           [LATERAL_LFC] = {"LFC", "", "lfc", "lfc_single", 2},
                           [LATERAL_LJ] = {"LJ", " [dB]", "lj_db", "lj_single_db", 1}};

static double value_of(const struct lateral_octave *octave, int figure)
{
    return figure == LATERAL_LF ? octave->lf : figure == LATERAL_LFC ? octave->lfc : octave->lj;
}

static double single_of(const struct lateral_figures *figures, int figure)
{
    return figure == LATERAL_LF ? figures->lf : figure == LATERAL_LFC ? figures->lfc : figures->lj;
}

void lateral_summary_add(struct lateral_summary *summary, const struct lateral_figures *figures)
{
    summary->responses++;
    summary->bands = figures->bands > summary->bands ? figures->bands : summary->bands;
    for (int f = 0; f < LATERAL_FIGURES; f++) {
        for (size_t b = 0; b < figures->bands; b++) {
            summary->centre[b] = figures->octave[b].centre;
            figure_mean_add(&summary->octave[b][f], value_of(&figures->octave[b], f));
        }
        figure_mean_add(&summary->single[f], single_of(figures, f));
    }
}

/* ---- on paper ---- */

static void print_cell(FILE *stream, double value, int decimals)
{
    if (isfinite(value))
        fprintf(stream, "%*.*f", COLUMN, decimals, value);
    else
        fprintf(stream, "%*s", COLUMN, "-");
}

static void print_figure(FILE *stream, const struct lateral_summary *summary, int figure)
{
    char label[LABEL + 24];
    snprintf(label, sizeof label, "%s%s%s", kind[figure].word, kind[figure].unit,
             summary->responses > 1 ? ", mean" : "");
    fprintf(stream, "%-*s", LABEL, label);
    for (size_t b = 0; b < summary->bands; b++)
        print_cell(stream, figure_mean_of(&summary->octave[b][figure]), kind[figure].decimals);
    fputc('\n', stream);
    if (summary->responses < 2)
        return;
    fprintf(stream, "%-*s", LABEL, "  standard deviation");
    for (size_t b = 0; b < summary->bands; b++)
        print_cell(stream, figure_mean_deviation(&summary->octave[b][figure]), kind[figure].decimals);
    fputc('\n', stream);
}

void lateral_report_print(FILE *stream, const struct lateral_summary *summary)
{
    if (summary->responses == 0 || summary->bands == 0)
        return;
    fprintf(stream, "%-*s", LABEL, "from the sides");
    for (size_t b = 0; b < summary->bands; b++)
        fprintf(stream, "%*d Hz", COLUMN - 3, octave_nominal(summary->centre[b]));
    fputc('\n', stream);
    for (int f = 0; f < LATERAL_FIGURES; f++)
        print_figure(stream, summary, f);
    const struct figure_mean *lf = &summary->single[LATERAL_LF], *lj = &summary->single[LATERAL_LJ];
    if (lf->count > 0)
        fprintf(stream, "  single numbers, means of 125 to 1000 Hz: LF %.2f, LFC %.2f", lf->mean,
                summary->single[LATERAL_LFC].mean);
    if (lf->count > 0 && lj->count > 0)
        fprintf(stream, ", LJ %.1f dB", lj->mean);
    if (lf->count > 0)
        fputc('\n', stream);
}

/* ---- in JSON ---- */

/* NaN is written as null. */
static void add_numbers(cJSON *object, const char *name, const char *suffix, const double *value,
                        size_t count)
{
    char whole[40];
    snprintf(whole, sizeof whole, "%s%s", name, suffix);
    cJSON_AddItemToObject(object, whole, cJSON_CreateDoubleArray(value, (int)count));
}

void lateral_record_means(cJSON *object, const struct lateral_summary *summary)
{
    double mean[OCTAVE_BANDS_MAX], deviation[OCTAVE_BANDS_MAX];
    if (summary->responses == 0)
        return;
    for (int f = 0; f < LATERAL_FIGURES; f++) {
        for (size_t b = 0; b < summary->bands; b++) {
            mean[b] = figure_mean_of(&summary->octave[b][f]);
            deviation[b] = figure_mean_deviation(&summary->octave[b][f]);
        }
        add_numbers(object, kind[f].name, "", mean, summary->bands);
        add_numbers(object, kind[f].name, "_deviation", deviation, summary->bands);
        cJSON_AddNumberToObject(object, kind[f].single, figure_mean_of(&summary->single[f]));
    }
}

void lateral_record_response(cJSON *object, const struct lateral_figures *figures,
                             const struct lateral_figures *shifted)
{
    double value[OCTAVE_BANDS_MAX], spread[OCTAVE_BANDS_MAX];
    for (int f = 0; f < LATERAL_FIGURES; f++) {
        for (size_t b = 0; b < figures->bands; b++) {
            value[b] = value_of(&figures->octave[b], f);
            spread[b] = shifted != NULL ? fabs(value_of(&shifted->octave[b], f) - value[b]) : NAN;
        }
        add_numbers(object, kind[f].name, "", value, figures->bands);
        if (shifted != NULL)
            add_numbers(object, kind[f].name, "_spread", spread, figures->bands);
        cJSON_AddNumberToObject(object, kind[f].single, single_of(figures, f));
    }
    cJSON *why = cJSON_AddArrayToObject(object, "lateral_why");
    for (size_t b = 0; b < figures->bands; b++)
        cJSON_AddItemToArray(why, figures->octave[b].why[0] != '\0'
                                      ? cJSON_CreateString(figures->octave[b].why)
                                      : cJSON_CreateNull());
}
