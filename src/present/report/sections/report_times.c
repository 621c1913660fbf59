#include <math.h>

#include "src/response/acoustics/octave_edges.h"
#include "src/draw/html.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/sections/report_drawing.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"
#include "src/run_folder/record_error.h"

/* The name of a row, explained on hover. */
static void add_row_head(struct table *table, const char *word, const char *unit, const char *meaning)
{
    table_row(table, NULL);
    table_head(table);
    table_explained(table, T(word), meaning);
    table_words(table, unit[0] != '\0' ? " " : "");
    table_words(table, unit);
}

static void add_figure_head(struct table *table, enum figure figure)
{
    add_row_head(table, figure_kind[figure].word, figure_kind[figure].unit, T(figure_kind[figure].meaning));
}

/* ---- the means of a run ---- */

static const struct json_numbers *octaves_of(const struct report_run *run)
{
    static const struct json_numbers none = {0};
    return run->model->means != NULL ? &run->model->means->octaves : &none;
}

static unsigned marks_at(const struct report_run *run, size_t band)
{
    return report_octave_marks(run, band_nominal(json_number_of(octaves_of(run), band)));
}

/* The meaning of the marks, and the two slopes of each octave that has them. */
static void put_marks(FILE *page, const struct report_run *run)
{
    const struct json_numbers *octaves = octaves_of(run);
    unsigned marks = 0;
    bool any = false;
    for (size_t b = 0; b < octaves->count; b++)
        marks |= marks_at(run, b);
    report_marks_legend(page, marks);
    for (size_t b = 0; b < octaves->count; b++) {
        const int nominal = band_nominal(octaves->value[b]);
        struct report_slopes slopes;
        if (!report_slopes_of(run, report_octave_band(run, nominal), &slopes))
            continue;
        fputs(any ? "; " : "<p class=\"why\">", page);
        fprintf(page, T("%d&nbsp;Hz: %s s, then %s s from \xE2\x88\x92%s dB on"), nominal,
                words_number("%.2f", slopes.early).text, words_number("%.2f", slopes.late).text,
                words_number("%.0f", -slopes.level).text);
        any = true;
    }
    fputs(any ? ".</p>\n" : "", page);
}

static bool is_unsure(const struct report_run *run, enum figure figure, double centre)
{
    return centre > 0 && report_is_unsure(run, figure, report_octave_band(run, band_nominal(centre)));
}

static bool any_unsure(const struct report_run *run)
{
    for (size_t b = 0; b < octaves_of(run)->count; b++)
        for (int f = 0; f < PRESSURE_FIGURES; f++) {
            if (is_unsure(run, (enum figure)f, octaves_of(run)->value[b]))
                return true;
            for (size_t r = 0; r < run->responses.count; r++)
                if (record_scattering_steps(run->responses.item[r].record, (enum figure)f, b) > FIGURE_UNSURE)
                    return true;
        }
    return false;
}

/* "0.21 ±0.03 (0.02)": the mean, of rays its error bar, and the deviation. The dash of an error bar that is
 * absent keeps the columns of the CSV. */
static void add_mean(struct table *table, const struct report_run *of, size_t run, enum figure figure,
                     size_t b)
{
    const struct record_means *means = of->model->means;
    const struct figure_kind *kind = &figure_kind[figure];
    const double centre = json_number_of(&means->octaves, b);
    const double error = figure_values_octave(&of->mean_error, figure, b);
    const double deviation = figure_values_octave(&means->deviation, figure, b);
    const bool rays = record_rays_hold(of->model, centre);
    report_octave_cell(table, rays);
    if (!table_number(table, figure_values_octave(&means->mean, figure, b), kind->decimals, 1,
                      "runs.%zu.run.means.%s.%zu", run, kind->name, b))
        return;
    if (figure_is_marked(figure))
        report_table_marks(table, marks_at(of, b));
    if (rays && (isfinite(error) || isfinite(deviation))) {
        table_words(table, " \xC2\xB1");
        table_number(table, error, kind->decimals, 1, "runs.%zu.%s_mean_error.%zu", run, kind->name, b);
    }
    if (isfinite(deviation)) {
        table_words(table, " ");
        table_markup(table, "<small>");
        table_words(table, "(");
        table_number(table, deviation, kind->decimals, 1, "runs.%zu.run.means.%s_deviation.%zu", run,
                     kind->name, b);
        table_words(table, ")");
        table_markup(table, "</small>");
    }
    report_table_unsure(table, is_unsure(of, figure, centre));
}

static void add_mean_row(struct table *table, const struct report_run *of, size_t run, enum figure figure)
{
    add_figure_head(table, figure);
    for (size_t b = 0; b < octaves_of(of)->count; b++)
        add_mean(table, of, run, figure, b);
}

static void add_expected_row(struct table *table, const struct json_numbers *expected, size_t bands,
                             size_t run, const char *name, const char *word)
{
    char meaning[100];
    if (expected->value == NULL)
        return;
    snprintf(meaning, sizeof meaning, T("reverberation time that %s's formula gives for the same surfaces"),
             word);
    add_row_head(table, word, "s", meaning);
    for (size_t b = 0; b < bands; b++) {
        table_cell(table, NULL);
        if (b < expected->count)
            table_number(table, json_number_of(expected, b), 2, 1, "runs.%zu.run.%s.%zu", run, name, b);
    }
}

/* Single numbers of further_figures.h, with their deviation. */
static void put_further(FILE *page, const struct report *report, size_t run)
{
    const struct record_means *means = report->run[run].model->means;
    struct table table;
    bool any = false;
    table_begin(&table, "figures");
    table_name(&table, "single_numbers");
    table_words(&table, T("Single numbers, means over the places"));
    TABLE_HEADS(&table, "", T("mean"), T("standard deviation"));
    for (int f = FURTHER_FIRST; f < FURTHER_FIGURES; f++) {
        const struct figure_kind *kind = &figure_kind[f];
        if (!isfinite(means->mean.single[f]))
            continue;
        any = true;
        add_figure_head(&table, (enum figure)f);
        table_cell(&table, NULL);
        table_number(&table, means->mean.single[f], kind->decimals, 1, "runs.%zu.run.means.%s", run,
                     kind->single);
        table_cell(&table, NULL);
        if (isfinite(means->deviation.single[f]))
            table_number(&table, means->deviation.single[f], kind->decimals, 1,
                         "runs.%zu.run.means.%s_deviation", run, kind->single);
    }
    if (any)
        report_table_put(page, report, &table, (int)run);
    table_free(&table);
}

static void put_means(FILE *page, const struct report *report, size_t run)
{
    const struct report_run *of = &report->run[run];
    const struct run_model *model = of->model;
    const struct record_means *means = model->means;
    const size_t bands = octaves_of(of)->count;
    const double known = means != NULL ? means->responses : NAN;
    const int responses = known >= 0 && known <= 1e6 ? (int)known : 0;
    if (bands == 0 || responses == 0) {
        fprintf(page, "<p class=\"why\">%s</p>\n",
                model->octaves.count == 0
                    ? T("There is nothing to show by octave: the lowest that is reported reaches up "
                        "to 89&nbsp;Hz, "
                        "which is above the highest frequency of this run.")
                : model->responses.count == 0 && model->grids.count > 0
                    ? T("This run has maps and no receiver at a single place: what its points show by octave "
                        "is with "
                        "the maps. The reverberation time below is the mean over them.")
                    : T("No response of this run has figures."));
        return;
    }
    char caption[120];
    struct table table;
    snprintf(caption, sizeof caption,
             responses == 1 ? T("Means over %d response")
                            : T("Means over %d responses, in brackets the standard deviation"),
             responses);
    table_begin(&table, "figures");
    table_name(&table, "means");
    table_words(&table, caption);
    report_octave_heads(&table, octaves_of(of), model);
    for (int f = 0; f < OCTAVE_FIGURES; f++)
        if (means->mean.octave[f].value != NULL)
            add_mean_row(&table, of, run, (enum figure)f);
    add_expected_row(&table, &model->sabine, bands, run, "sabine_s", "Sabine");
    add_expected_row(&table, &model->eyring, bands, run, "eyring_s", "Eyring");
    report_table_put(page, report, &table, (int)run);
    put_further(page, report, run);
    if (of->mean_error.octave[FIGURE_G].count > 0)
        report_rays_legend(page, model->rays != NULL, any_unsure(of));
    put_marks(page, of);
}

/* ---- every response ---- */

static void put_reasons(FILE *page, const struct report *report, size_t run, size_t index)
{
    const struct record_response *record = report->run[run].responses.item[index].record;
    for (size_t b = 0; b < record->why.count; b++) {
        if (record->why.text[b] == NULL)
            continue;
        fprintf(page, "<p class=\"why\">%d&nbsp;Hz: ", band_nominal(json_number_of(&record->octaves, b)));
        html_word(page, record->why.text[b], "runs.%zu.responses.%zu.why.%zu", run, index, b);
        fputs("</p>\n", page);
    }
}

static void add_response_row(struct table *table, const struct report_response *response, enum figure figure,
                             size_t run, size_t index)
{
    const struct json_numbers *values = report_response_octaves(response, figure);
    const struct figure_kind *kind = &figure_kind[figure];
    if (values->value == NULL)
        return;
    add_figure_head(table, figure);
    for (size_t b = 0; b < response->record->octaves.count; b++) {
        const double error = record_octave_error(response->record, figure, b);
        report_octave_cell(table, record_is_from_rays(response->record, b));
        if (table_number(table, json_number_of(values, b), kind->decimals, 1, "runs.%zu.responses.%zu.%s.%zu",
                         run, index, kind->name, b))
            report_table_marks(table, report_figure_marks(response, figure, (int)b));
        if (!isfinite(error))
            continue;
        table_words(table, " \xC2\xB1");
        table_number(table, error, kind->decimals, 1, "runs.%zu.responses.%zu.%s_error.%zu", run, index,
                     kind->name, b);
        report_table_unsure(table, record_scattering_steps(response->record, figure, b) > FIGURE_UNSURE);
    }
}

static void put_response_figures(FILE *page, const struct report *report, size_t run, size_t index)
{
    const struct report_response *response = &report->run[run].responses.item[index];
    const struct record_response *record = response->record;
    struct table table;
    table_begin(&table, "figures");
    table_name(&table, "response_%s_%s", record->source, record->receiver);
    table_string(&table, record->source, "runs.%zu.responses.%zu.source", run, index);
    table_words(&table, T(" heard at "));
    table_string(&table, record->receiver, "runs.%zu.responses.%zu.receiver", run, index);
    table_words(&table, ", ");
    table_number(&table, record->distance, 1, 1, "runs.%zu.responses.%zu.distance_m", run, index);
    table_words(&table, T("&nbsp;m away"));
    table_words(&table, record->direct_path_clear ? "" : T(", out of sight"));
    report_octave_heads(&table, &record->octaves, record->from.count > 0 ? report->run[run].model : NULL);
    for (int f = 0; f < OCTAVE_FIGURES; f++)
        add_response_row(&table, response, (enum figure)f, run, index);
    report_table_put(page, report, &table, (int)run);
}

/* ---- the section ---- */

/* ", directivity index 1.2 dB (125 Hz), 2.3 dB (250 Hz)" */
static void put_indices(FILE *page, const struct report *report, size_t run, size_t source)
{
    const struct record_directivity *directivity =
        report->run[run].model->points.sources.item[source].directivity;
    for (size_t b = 0; b < directivity->octaves.count; b++)
        fprintf(page, "%s%s&nbsp;dB (%d&nbsp;Hz)", b == 0 ? T(", directivity index ") : ", ",
                words_number("%.1f", json_number_of(&directivity->index, b)).text,
                band_nominal(json_number_of(&directivity->octaves, b)));
}

void report_times(FILE *page, const struct report *report)
{
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(times), {"means", .part = put_means},
                {"octave_times", .part = report_octaves}, {"thirds", .part = report_thirds},
                {"response_thirds", .item = report_response_thirds}, {"join", .part = report_join},
                {"indices", .item = put_indices}, {"decay_figure", .section = report_decay_figure},
                {"waveform_figures", .section = report_waveform_figures},
                {"figures", .item = put_response_figures}, {"decays", .item = report_response_decays},
                {"reasons", .item = put_reasons});
}
