#include "src/response/acoustics/figure_report.h"

#include <math.h>
#include <string.h>

#include "src/base/wrapped_text.h"
#include "src/base/table/table_columns.h"

#define LABEL  24 /* columns of the name of a line */
#define COLUMN 9  /* of one octave; eight octaves make 96 */
#define NARROW 8  /* of nine octaves, which make 96 too */

/* 500 and 1000 Hz, of single numbers */
#define SINGLE_FIRST 3
#define SINGLE_LAST  4

#define ABSENT_MAX (FIGURE_WHY_MAX + 80)

void figure_report_heads(struct table *table, const char *label, size_t octaves, const int hz[])
{
    TABLE_HEADS(table, label);
    for (size_t b = 0; b < octaves; b++) {
        char text[24];
        snprintf(text, sizeof text, hz[b] < 10000 ? "%d Hz" : "%d kHz", hz[b] < 10000 ? hz[b] : hz[b] / 1000);
        TABLE_WORDS_CELL(table, text);
    }
}

void figure_report_table(FILE *stream, struct table *table, size_t octaves)
{
    table_columns(stream, table, 2, (const int[]){-LABEL, octaves > 8 ? NARROW : COLUMN});
    table_free(table);
}

/* A value for each octave; `marks` of them, or NULL. */
static void add_row(struct table *table, const char *label, const double *value, size_t bands, int decimals,
                    char (*marks)[FIGURE_MARKS_MAX])
{
    TABLE_ROW_WORDS(table, label);
    for (size_t b = 0; b < bands; b++) {
        table_cell(table, NULL);
        if (table_value(table, value[b], decimals, 1) && marks != NULL)
            table_marks(table, marks[b]);
    }
}

/* Blank in octaves of waves; `?` where the figure is unsure. */
static void add_errors(struct table *table, const struct figure_bars *bars, size_t bands, enum figure figure)
{
    TABLE_ROW_WORDS(table, "  error bar");
    for (size_t b = 0; b < bands; b++) {
        table_cell(table, NULL);
        if (isfinite(bars->error[figure][b]) &&
            table_value(table, bars->error[figure][b], figure_kind[figure].decimals, 1) &&
            bars->steps[figure][b] > FIGURE_UNSURE)
            table_words(table, "?");
    }
}

/* A figure of so many `responses` of the summary. */
static void add_figure(struct table *table, const struct figure_summary *summary, size_t responses,
                       const struct figure_bars *bars, enum figure figure)
{
    const struct figure_kind *kind = &figure_kind[figure];
    double mean[OCTAVE_BANDS_MAX], deviation[OCTAVE_BANDS_MAX];
    char label[LABEL + 24], marks[OCTAVE_BANDS_MAX][FIGURE_MARKS_MAX];
    snprintf(label, sizeof label, "%s%s%s%s%s", kind->word, kind->unit[0] != '\0' ? " [" : "", kind->unit,
             kind->unit[0] != '\0' ? "]" : "", responses > 1 ? ", mean" : "");
    for (size_t b = 0; b < summary->bands; b++) {
        const struct figure_band *octave = &summary->octave[b];
        mean[b] = figure_mean_of(&octave->figure[figure]);
        deviation[b] = figure_mean_deviation(&octave->figure[figure]);
        (void)figure_marks_text(figure_band_marks(octave), marks[b]);
    }
    add_row(table, label, mean, summary->bands, kind->decimals, figure == FIGURE_T30 ? marks : NULL);
    if (responses > 1)
        add_row(table, "  standard deviation", deviation, summary->bands, kind->decimals, NULL);
    if (bars != NULL && figure < PRESSURE_FIGURES)
        add_errors(table, bars, summary->bands, figure);
}

static void begin_octaves(struct table *table, const struct figure_summary *summary,
                          const struct figure_bars *bars, const char *label)
{
    int hz[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < summary->bands; b++)
        hz[b] = band_nominal(summary->octave[b].centre);
    table_begin(table, "figures");
    figure_report_heads(table, label, summary->bands, hz);
    bool rays = false;
    for (size_t b = 0; bars != NULL && b < summary->bands; b++)
        rays = rays || (bars->from[b] != NULL && strcmp(bars->from[b], "waves") != 0);
    if (rays)
        TABLE_ROW_WORDS(table, "from");
    for (size_t b = 0; rays && b < summary->bands; b++)
        TABLE_WORDS_CELL(table, bars->from[b]);
}

/* "EDT 1.85 ±0.20 s (0.12), .."; or the reason for their absence. */
static void print_singles(FILE *stream, const struct figure_summary *summary, const struct figure_bars *bars)
{
    char text[600];
    bool any = false, spread = false;
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        any = any || (figure_kind[f].single != NULL && summary->single[f].count > 0);
        spread = spread || (figure_kind[f].single != NULL && summary->single[f].count > 1);
    }
    int used = snprintf(text, sizeof text,
                        "single numbers, mean of 500 and 1000 Hz%s:", spread ? " (standard deviation)" : "");
    if (!any)
        snprintf(text + used, sizeof text - (size_t)used, " none, %s",
                 summary->bands > 4 ? "no response has both" : "they need responses up to 1420 Hz");
    const char *comma = "";
    char letters[FIGURE_MARKS_MAX];
    unsigned marks = 0;
    for (size_t b = SINGLE_FIRST; b <= SINGLE_LAST && b < summary->bands; b++)
        marks |= figure_band_marks(&summary->octave[b]);
    (void)figure_marks_text(marks, letters);
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        const struct figure_kind *kind = &figure_kind[f];
        const struct figure_mean *mean = &summary->single[f];
        if (kind->single == NULL || mean->count == 0)
            continue;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %s %.*f%s", comma, kind->word,
                         kind->decimals, mean->mean, figure_is_marked((enum figure)f) ? letters : "");
        if (bars != NULL && isfinite(bars->single[f]))
            used +=
                snprintf(text + used, sizeof text - (size_t)used, " ±%.*f", kind->decimals, bars->single[f]);
        if (kind->unit[0] != '\0')
            used += snprintf(text + used, sizeof text - (size_t)used, " %s", kind->unit);
        if (mean->count > 1)
            used += snprintf(text + used, sizeof text - (size_t)used, " (%.*f)", kind->decimals,
                             figure_mean_deviation(mean));
        comma = ",";
    }
    print_wrapped(stream, text, 2);
}

/* "c  .. : 250 Hz, 500 Hz (2 of 6)", "d  ..: 500 Hz 1.20 s, then 3.40 s from -15 dB on (4 of 6)" */
static void print_mark(FILE *stream, const struct figure_summary *summary, char mark, const char *meaning)
{
    char text[900];
    const char *before = ":";
    int used = snprintf(text, sizeof text, "%s", meaning);
    for (size_t b = 0; b < summary->bands; b++) {
        const struct figure_band *octave = &summary->octave[b];
        const struct figure_mean *slope = octave->slope;
        const size_t count = mark == 'c' ? octave->curved : mark == 'u' ? octave->uneven : slope[0].count;
        if (count == 0)
            continue;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %d Hz", before,
                         band_nominal(octave->centre));
        if (mark == 'd')
            used += snprintf(text + used, sizeof text - (size_t)used, " %.2f s, then %.2f s from %.0f dB on",
                             slope[0].mean, slope[1].mean, slope[2].mean);
        if (summary->responses > 1)
            used += snprintf(text + used, sizeof text - (size_t)used, " (%zu of %zu)", count, octave->count);
        before = mark == 'd' ? ";" : ",";
    }
    if (*before == ':')
        return;
    fprintf(stream, "  %c  ", mark);
    print_wrapped(stream, text, 5);
}

/* The absent figures of an octave and the reasons: of several responses the first reason, and the number
 * of responses. Empty if none is absent. */
static void absent_text(const struct figure_band *octave, char text[ABSENT_MAX])
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

static void print_bars(FILE *stream, const struct figure_bars *bars, size_t bands)
{
    bool unsure = false;
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        for (size_t b = 0; b < bands; b++)
            unsure = unsure || (isfinite(bars->error[f][b]) && bars->steps[f][b] > FIGURE_UNSURE);
    fprintf(stream, "  error bar: nine of ten responses of such a room are within it\n");
    if (unsure)
        fprintf(stream,
                "  ?  unsure: absorption is uneven, and half or twice the scattering changes the figure by "
                "more than %.0f JND\n",
                FIGURE_UNSURE);
}

/* Octaves with the same absent figures and reasons share a line. */
static void print_absent(FILE *stream, const struct figure_summary *summary)
{
    char text[OCTAVE_BANDS_MAX][ABSENT_MAX], line[ABSENT_MAX + 80];
    for (size_t b = 0; b < summary->bands; b++)
        absent_text(&summary->octave[b], text[b]);
    for (size_t b = 0; b < summary->bands; b++) {
        int used = snprintf(line, sizeof line, "%d", band_nominal(summary->octave[b].centre));
        if (text[b][0] == '\0')
            continue;
        for (size_t other = b + 1; other < summary->bands; other++)
            if (strcmp(text[other], text[b]) == 0) {
                used += snprintf(line + used, sizeof line - (size_t)used, ", %d",
                                 band_nominal(summary->octave[other].centre));
                text[other][0] = '\0';
            }
        snprintf(line + used, sizeof line - (size_t)used, " Hz%s", text[b]);
        fprintf(stream, "  -  ");
        print_wrapped(stream, line, 5);
    }
}

/* Figures of the responses with directional channels. */
static void print_lateral(FILE *stream, const struct figure_summary *summary, const struct figure_bars *bars)
{
    struct table table;
    begin_octaves(&table, summary, bars, "from the sides");
    for (int f = PRESSURE_FIGURES; f < LATERAL_FIGURES; f++)
        add_figure(&table, summary, summary->lateral_responses, NULL, (enum figure)f);
    figure_report_table(stream, &table, summary->bands);
    const struct figure_mean *lf = &summary->single[FIGURE_LF], *lj = &summary->single[FIGURE_LJ];
    if (lf->count == 0)
        return;
    fprintf(stream, "  single numbers, means of 125 to 1000 Hz: LF %.2f, LFC %.2f", lf->mean,
            summary->single[FIGURE_LFC].mean);
    if (lj->count > 0)
        fprintf(stream, ", LJ %.1f dB", lj->mean);
    fputc('\n', stream);
}

/* What is known of further_figures.h: a table of those by octave, and all single numbers. */
static void print_further(FILE *stream, const struct figure_summary *summary, const struct figure_bars *bars)
{
    struct table table;
    char text[600] = "";
    int used = snprintf(text, sizeof text, "single numbers:"), rows = 0;
    const char *comma = "";
    begin_octaves(&table, summary, bars, "ears and distance");
    for (int f = FURTHER_FIRST; f < FURTHER_FIGURES; f++) {
        const struct figure_kind *kind = &figure_kind[f];
        const struct figure_mean *mean = &summary->single[f];
        if (f < OCTAVE_FIGURES && figure_summary_has(summary, (enum figure)f)) {
            add_figure(&table, summary, summary->responses, NULL, (enum figure)f);
            rows++;
        }
        if (mean->count == 0)
            continue;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %s %.*f%s%s", comma, kind->word,
                         kind->decimals, mean->mean, kind->unit[0] != '\0' ? " " : "", kind->unit);
        if (mean->count > 1)
            used += snprintf(text + used, sizeof text - (size_t)used, " (%.*f)", kind->decimals,
                             figure_mean_deviation(mean));
        comma = ",";
    }
    if (rows > 0)
        figure_report_table(stream, &table, summary->bands);
    else
        table_free(&table);
    if (comma[0] != '\0')
        print_wrapped(stream, text, 2);
}

void figure_report_print(FILE *stream, const struct figure_summary *summary, const struct figure_bars *bars,
                         const struct statistical_reverberation *expected)
{
    const size_t bands = summary->bands;
    double range[OCTAVE_BANDS_MAX], mti[OCTAVE_BANDS_MAX];
    bool ranged = false;
    char label[LABEL + 24] = "one response";
    struct table table;
    if (bands == 0)
        return;
    if (summary->responses > 1)
        snprintf(label, sizeof label, "%zu responses", summary->responses);
    begin_octaves(&table, summary, bars, label);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        if (f != FIGURE_G || summary->calibrated)
            add_figure(&table, summary, summary->responses, bars, (enum figure)f);
    for (size_t b = 0; b < bands; b++) {
        range[b] = summary->octave[b].range;
        mti[b] = speech_summary_mti(&summary->speech, b);
        ranged = ranged || isfinite(range[b]);
    }
    if (ranged)
        add_row(&table, summary->responses > 1 ? "decay range, least [dB]" : "decay range [dB]", range, bands,
                1, NULL);
    if (summary->speech.responses > 0)
        add_row(&table, "modulation transfer", mti, bands, 2, NULL);
    if (expected != NULL) {
        add_row(&table, "Sabine, expected [s]", expected->sabine, bands, 2, NULL);
        add_row(&table, "Eyring, expected [s]", expected->eyring, bands, 2, NULL);
    }
    figure_report_table(stream, &table, bands);
    print_singles(stream, summary, bars);
    if (summary->speech.responses > 0)
        speech_report_print(stream, &summary->speech, bars != NULL ? bars->single[FIGURE_STI] : NAN);
    if (bars != NULL)
        print_bars(stream, bars, bands);
    for (size_t m = 0; m < FIGURE_MARKS; m++)
        print_mark(stream, summary, "cud"[m], figure_mark_words[m]);
    print_absent(stream, summary);
    if (summary->lateral_responses > 0)
        print_lateral(stream, summary, bars);
    print_further(stream, summary, bars);
}

/* ---- thirds ---- */

#define THIRD_LABEL  14
#define THIRD_COLUMN 9

void figure_report_thirds(FILE *stream, const struct figure_summary *summary)
{
    char label[40], name[24], marks[FIGURE_MARKS_MAX];
    struct table table;
    if (summary->bands == 0)
        return;
    table_begin(&table, "thirds");
    snprintf(label, sizeof label, summary->responses > 1 ? "thirds, means" : "thirds");
    TABLE_HEADS(&table, label);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        if (f != FIGURE_G || summary->calibrated) {
            snprintf(name, sizeof name, figure_kind[f].unit[0] != '\0' ? "%s [%s]" : "%s",
                     figure_kind[f].word, figure_kind[f].unit);
            TABLE_WORDS_CELL(&table, name);
        }
    for (size_t b = 0; b < summary->bands; b++) {
        const struct figure_band *third = &summary->octave[b];
        snprintf(label, sizeof label, "%d Hz", band_nominal(third->centre));
        TABLE_ROW_WORDS(&table, label);
        (void)figure_marks_text(figure_band_marks(third), marks);
        for (int f = 0; f < PRESSURE_FIGURES; f++) {
            if (f == FIGURE_G && !summary->calibrated)
                continue;
            table_cell(&table, NULL);
            if (table_value(&table, figure_mean_of(&third->figure[f]), figure_kind[f].decimals, 1) &&
                f == FIGURE_T30)
                table_marks(&table, marks);
        }
    }
    table_columns(stream, &table, 2, (const int[]){-THIRD_LABEL, THIRD_COLUMN});
    table_free(&table);
    const struct figure_mean *t30 = &summary->single[FIGURE_T30];
    if (t30->count > 0)
        fprintf(stream, "  mean of the six thirds 400 to 1250 Hz: T30 %.2f s\n", t30->mean);
    for (size_t m = 0; m < FIGURE_MARKS; m++)
        print_mark(stream, summary, "cud"[m], figure_mark_words[m]);
    bool absent = false;
    for (size_t b = 0; b < summary->bands; b++)
        absent = absent || summary->octave[b].lacking > 0;
    if (absent)
        fputs("  -  absent in a third: the reasons are in JSON, `why` of `thirds`\n", stream);
}
