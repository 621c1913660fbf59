#include <math.h>

#include "src/response/acoustics/octave_decay.h"
#include "src/draw/html.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/sections/report_drawing.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

/* What a row is called, with its name explained for whoever stops at it. */
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

static unsigned marks_at(const struct report_run *run, size_t band)
{
    return report_octave_marks(run, octave_nominal(json_number_of(&run->model->octaves, band)));
}

/* What the marks of the table say, and the two slopes of each octave that has them. */
static void put_marks(FILE *page, const struct report_run *run)
{
    const struct json_numbers *octaves = &run->model->octaves;
    unsigned marks = 0;
    bool any = false;
    for (size_t b = 0; b < octaves->count; b++)
        marks |= marks_at(run, b);
    report_marks_legend(page, marks);
    for (size_t b = 0; b < octaves->count; b++) {
        const int nominal = octave_nominal(octaves->value[b]);
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

static void add_mean_row(struct table *table, const struct report_run *of, size_t run, enum figure figure)
{
    const struct record_means *means = of->model->means;
    const size_t bands = of->model->octaves.count;
    const struct figure_kind *kind = &figure_kind[figure];
    add_figure_head(table, figure);
    for (size_t b = 0; b < bands; b++) {
        const double deviation = figure_values_octave(&means->deviation, figure, b);
        table_cell(table, NULL);
        const bool there = table_number(table, figure_values_octave(&means->mean, figure, b), kind->decimals,
                                        1, "runs.%zu.run.means.%s.%zu", run, kind->name, b);
        if (there && figure_is_marked(figure))
            report_table_marks(table, marks_at(of, b));
        if (there && isfinite(deviation)) {
            table_words(table, " ");
            table_markup(table, "<small>");
            table_words(table, "\xC2\xB1");
            table_number(table, deviation, kind->decimals, 1, "runs.%zu.run.means.%s_deviation.%zu", run,
                         kind->name, b);
            table_markup(table, "</small>");
        }
    }
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
    for (size_t b = 0; b < bands; b++)
        TABLE_NUMBER_CELL(table, json_number_of(expected, b), 2, 1, "runs.%zu.run.%s.%zu", run, name, b);
}

static void put_means(FILE *page, const struct report *report, size_t run)
{
    const struct report_run *of = &report->run[run];
    const struct run_model *model = of->model;
    const struct record_means *means = model->means;
    const size_t bands = model->octaves.count;
    const double known = means != NULL ? means->responses : NAN;
    const int responses = known >= 0 && known <= 1e6 ? (int)known : 0;
    if (bands == 0 || responses == 0) {
        fprintf(page, "<p class=\"why\">%s</p>\n",
                bands == 0 ? T("There is nothing to show by octave: the lowest that is reported reaches up "
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
                            : T("Means over %d responses, with the standard deviation"),
             responses);
    table_begin(&table, "figures");
    table_name(&table, "means");
    table_words(&table, caption);
    report_octave_heads(&table, &model->octaves);
    for (int f = 0; f < OCTAVE_FIGURES; f++)
        if (means->mean.octave[f].value != NULL)
            add_mean_row(&table, of, run, (enum figure)f);
    add_expected_row(&table, &model->sabine, bands, run, "sabine_s", "Sabine");
    add_expected_row(&table, &model->eyring, bands, run, "eyring_s", "Eyring");
    report_table_put(page, report, &table, (int)run);
    put_marks(page, of);
}

/* ---- every response ---- */

static void put_reasons(FILE *page, const struct record_response *record)
{
    for (size_t b = 0; b < record->why.count; b++) {
        if (record->why.text[b] == NULL)
            continue;
        fprintf(page, "<p class=\"why\" lang=\"en\">%d&nbsp;Hz: ",
                octave_nominal(json_number_of(&record->octaves, b)));
        html_text(page, record->why.text[b]);
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
        table_cell(table, NULL);
        if (table_number(table, json_number_of(values, b), kind->decimals, 1, "runs.%zu.responses.%zu.%s.%zu",
                         run, index, kind->name, b))
            report_table_marks(table, report_figure_marks(response, figure, (int)b));
    }
}

static void put_response(FILE *page, const struct report *report, size_t run, size_t index)
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
    report_octave_heads(&table, &record->octaves);
    for (int f = 0; f < OCTAVE_FIGURES; f++)
        add_response_row(&table, response, (enum figure)f, run, index);
    fprintf(page, "<div class=\"response\" id=\"run-%zu-response-%zu\">\n", run, index);
    report_table_put(page, report, &table, (int)run);
    put_reasons(page, record);
    if (response->why_no_curves != NULL) {
        fprintf(page, "<p class=\"why\">%s", T("Not drawn, not heard: "));
        html_text(page, response->why_no_curves);
        fputs("</p>\n", page);
    }
    fputs("</div>\n", page);
}

static void put_responses(FILE *page, const struct report *report, size_t run)
{
    fprintf(page, "<details class=\"responses\"><summary>%s", T("Every response"));
    if (report->runs > 1) {
        fputs(T(" of "), page);
        report_run_name(page, report, run);
    }
    fputs("</summary>\n", page);
    for (size_t i = 0; i < report->run[run].responses.count; i++)
        put_response(page, report, run, i);
    fputs("</details>\n", page);
}

/* ---- sources that have a direction, or sound together ---- */

static void put_directivity(FILE *page, const struct record_point *source)
{
    const struct record_directivity *directivity = source->directivity;
    fputs("<p class=\"why\">", page);
    html_text(page, T("Source "));
    html_text(page, source->name);
    fputs(": ", page);
    html_text(page, T("directivity "));
    html_text(page, directivity->pattern);
    for (size_t b = 0; b < directivity->octaves.count; b++)
        fprintf(page, "%s%s&nbsp;dB (%d&nbsp;Hz)", b == 0 ? T(", directivity index ") : ", ",
                words_number("%.1f", json_number_of(&directivity->index, b)).text,
                octave_nominal(json_number_of(&directivity->octaves, b)));
    fprintf(
        page, ". %s</p>\n",
        T("ISO 3382-1 asks for a source that radiates alike in all directions: level and clarity here are "
          "those of this source, whose level is right on its axis. The sound of the room is lower by the "
          "directivity index than that of a source without direction."));
}

static void put_together(FILE *page, const struct record_point *source)
{
    fputs("<p class=\"why\">", page);
    html_text(page, T("Source "));
    html_text(page, source->name);
    fputs(": ", page);
    for (size_t m = 0; m < source->together.count; m++) {
        if (m > 0)
            fputs(", ", page);
        html_text(page, source->together.item[m].source);
    }
    fprintf(page, " %s</p>\n",
            T("at once. Its responses are those of all of them; their level is not G of ISO 3382-1."));
}

static void put_sources(FILE *page, const struct run_model *model)
{
    for (size_t s = 0; s < model->points.sources.count; s++) {
        const struct record_point *source = &model->points.sources.item[s];
        if (source->directivity != NULL && source->directivity->pattern != NULL)
            put_directivity(page, source);
        if (source->together.count > 0)
            put_together(page, source);
    }
}

static void put_run(FILE *page, const struct report *report, size_t run)
{
    put_means(page, report, run);
    report_expected(page, report, run);
    put_sources(page, report->run[run].model);
}

void report_times(FILE *page, const struct report *report)
{
    report_section_begin(page, "times", T("Figures by octave"));
    fprintf(page, "<p>%s</p>\n",
            T("How long sound stays and how clear it is, in octaves. A dash is a value that the run cannot "
              "give: the "
              "decay is too short to be read, or the octave reaches above the highest frequency. What was "
              "not simulated "
              "is by statistics, in rows of its own."));
    report_every_run(page, report, put_run);
    report_decay_figure(page, report);
    report_waveform_figures(page, report);
    for (size_t r = 0; r < report->runs; r++)
        put_responses(page, report, r);
    report_section_end(page);
}
