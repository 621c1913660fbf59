#include "src/present/compare/run_compare_print.h"

#include <math.h>
#include <string.h>

#include "rooms/text/table_text.h"
#include "src/base/cut_text.h"
#include "src/response/acoustics/figure_report.h"
#include "src/response/acoustics/figure_table.h"
#include "src/base/table/table_columns.h"
#include "src/base/wrapped_text.h"
#include "src/present/compare/ray_coverage.h"
#include "src/present/compare/run_compare_words.h"

#define PLACES_MOST 12

/* A sentence without a capital, which ends in a full stop. */
static void print_sentence(FILE *stream, const char *words)
{
    char text[RUN_FINDING_MAX + 2];
    snprintf(text, sizeof text, "%s.", words);
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
    print_wrapped(stream, text, 0);
}

/* ---- compared runs ---- */

static void print_run(FILE *stream, const struct run_comparison *comparison, int run)
{
    const struct run_model *model = &comparison->run[run]->model;
    const struct record_project *project = model->room.project;
    const struct record_mesh *mesh = model->room.mesh;
    const char *file = project != NULL && project->file != NULL ? project->file
                       : mesh != NULL                           ? mesh->file
                                                                : NULL,
               *variant = project != NULL ? project->variant : NULL;
    const size_t responses = model->responses.count;
    char text[500];
    snprintf(text, sizeof text, "%.*s: %.*s%s%.*s, %sto %.4g Hz%s, %zu response%s",
             CUT_TEXT(comparison->run[run]->name, 100),
             CUT_TEXT(file != NULL ? file : "no room is named", 100), variant != NULL ? ", variant " : "",
             CUT_TEXT(variant != NULL ? variant : "", 60), model->rays != NULL ? "waves " : "",
             model->room.fmax, model->rays != NULL ? " and rays above" : "", responses,
             responses == 1 ? "" : "s");
    blot_control_characters(text);
    fprintf(stream, "%c  ", 'A' + run);
    print_wrapped(stream, text, 3);
}

static void print_changes(FILE *stream, const struct run_comparison *comparison)
{
    bool headed = false;
    for (size_t i = 0; i < comparison->changes; i++) {
        const struct run_change *change = &comparison->change[i];
        char text[640];
        if (!change->caution && !headed) {
            fputs("what differs in the set-up:\n", stream);
            headed = true;
        }
        snprintf(text, sizeof text, "%s%s", change->caution ? "caution: " : "", change->words);
        if (!change->caution)
            fputs("  ", stream);
        print_wrapped(stream, text, change->caution ? 0 : 2);
    }
    if (!headed)
        fprintf(stream, "%s of both is the same, as far as they record it\n",
                comparison->changes > 0 ? "the rest of the set-up" : "the set-up");
}

static void print_places(FILE *stream, const struct run_comparison *comparison)
{
    char text[RUN_PLACE_MAX];
    size_t printed = 0, left = 0;
    for (size_t p = 0; p < comparison->pairs; p++) {
        if (run_place_words(comparison, p, text)[0] == '\0')
            continue;
        if (printed == 0)
            fputs("the largest difference of each response, A -> B:\n", stream);
        if (printed >= PLACES_MOST) {
            left++;
            continue;
        }
        printed++;
        fputs("  ", stream);
        print_wrapped(stream, text, 2);
    }
    if (left > 0)
        fprintf(stream, "  and %zu more responses, which the comparison has as JSON\n", left);
}

/* ---- tables ---- */

static const char *mark_of(const struct compared_value *value)
{
    if (compared_certainty(value) == CERTAINTY_WITHIN)
        return "~";
    return fabs(value->jnds) >= 1 ? "*" : "";
}

static bool has_error(const struct compared_row *row, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (isfinite(row[i].value.error))
            return true;
    return false;
}

/* Rows of a figure: A, B and their difference, in JNDs if it has one; with rays its error bar likewise. */
static void add_figure(struct table *table, const struct octave_list *octaves, const struct compared_row *row)
{
    const struct figure_kind *kind = &figure_kind[row->figure];
    const bool with_jnds = isfinite(kind->jnd);
    const char *const line_word[] = {"A", "B", with_jnds ? "JND" : "B - A", "error"};
    const int lines = has_error(row, octaves->count) ? 4 : 3;
    char label[40], marks[FIGURE_MARKS_MAX];
    for (int line = 0; line < lines; line++) {
        snprintf(label, sizeof label, "%-8s%-8s%s", line == 0 ? kind->word : "", line == 0 ? kind->unit : "",
                 line_word[line]);
        TABLE_ROW_WORDS(table, label);
        for (size_t b = 0; b < octaves->count; b++) {
            const struct compared_value *value = &row[b].value;
            const double step = with_jnds ? figure_step(row->figure, value->first) : 1;
            const double shown[] = {value->first, value->second, with_jnds ? value->jnds : value->difference,
                                    value->error / step};
            table_cell(table, NULL);
            if (line == 3)
                (void)(isfinite(shown[3]) && table_value(table, shown[3], 1, 1));
            else if (table_value(table, shown[line], line < 2 ? kind->decimals : 1, 1))
                table_words(table, line < 2 ? figure_marks_text(value->marks[line], marks) : mark_of(value));
        }
    }
}

/* Which octaves of A and B are from rays, if any is. */
static void add_sources(struct table *table, const struct run_comparison *comparison)
{
    bool any = false;
    for (size_t b = 0; b < comparison->octaves.count; b++)
        any = any || comparison->rays[0][b] || comparison->rays[1][b];
    for (int run = 0; any && run < 2; run++) {
        TABLE_ROW_WORDS(table, run == 0 ? "from            A" : "                B");
        for (size_t b = 0; b < comparison->octaves.count; b++)
            TABLE_WORDS_CELL(table, comparison->rays[run][b] ? "rays" : "waves");
    }
}

/* The figures by octave below `label`; false if none. */
static bool begin_octaves(struct table *table, const struct run_comparison *comparison,
                          const struct compared_rows *rows, const char *label)
{
    const struct octave_list *octaves = &comparison->octaves;
    table_begin(table, "figures");
    if (rows->count == 0 || rows->row[0].octave == 0)
        return false;
    figure_report_heads(table, label, octaves->count, octaves->hz);
    add_sources(table, comparison);
    for (size_t i = 0; i < rows->count && rows->row[i].octave > 0; i += octaves->count)
        add_figure(table, octaves, &rows->row[i]);
    return true;
}

static void add_expected(struct table *table, const struct octave_list *octaves, const char *word,
                         const struct compared_value *expected)
{
    bool any = false;
    for (size_t b = 0; b < octaves->count; b++)
        any = any || isfinite(expected[b].difference);
    for (int run = 0; any && run < 2; run++) {
        char label[40];
        snprintf(label, sizeof label, "%-16s%s", run == 0 ? word : "", run == 0 ? "A" : "B");
        TABLE_ROW_WORDS(table, label);
        for (size_t b = 0; b < octaves->count; b++) {
            table_cell(table, NULL);
            (void)table_value(table, run == 0 ? expected[b].first : expected[b].second, 2, 1);
        }
    }
}

static void print_singles(FILE *stream, const struct compared_rows *rows)
{
    char text[1000] = "", marks[2][FIGURE_MARKS_MAX];
    for (size_t i = 0; i < rows->count; i++) {
        const struct compared_value *value = &rows->row[i].value;
        const struct figure_kind *kind = &figure_kind[rows->row[i].figure];
        if (rows->row[i].octave > 0)
            continue;
        text_append(text, sizeof text, "%s %s %.*f%s -> %.*f%s%s%s",
                    text[0] == '\0' ? "single numbers:" : ",", kind->word, kind->decimals, value->first,
                    figure_marks_text(value->marks[0], marks[0]), kind->decimals, value->second,
                    figure_marks_text(value->marks[1], marks[1]), kind->unit[0] != '\0' ? " " : "",
                    kind->unit);
        if (isfinite(value->jnds))
            text_append(text, sizeof text, " (%.1f%s JND", value->jnds, mark_of(value));
        if (isfinite(value->jnds) && isfinite(value->error))
            text_append(text, sizeof text, ", error bar %.1f",
                        value->error / figure_step(rows->row[i].figure, value->first));
        if (isfinite(value->jnds))
            text_append(text, sizeof text, ")");
    }
    if (text[0] != '\0')
        print_wrapped(stream, text, 2);
}

static void print_means(FILE *stream, const struct run_comparison *comparison)
{
    const struct octave_list *octaves = &comparison->octaves;
    char label[64];
    struct table table;
    snprintf(label, sizeof label, comparison->pairs > 1 ? "means of %zu responses" : "one response",
             comparison->pairs);
    if (begin_octaves(&table, comparison, &comparison->rows, label)) {
        add_expected(&table, octaves, "Sabine [s]", comparison->sabine);
        add_expected(&table, octaves, "Eyring [s]", comparison->eyring);
    }
    figure_report_table(stream, &table, octaves->count);
    print_singles(stream, &comparison->rows);
}

/* Their differences alone, in JND, frequencies down the rows. */
static void print_thirds(FILE *stream, const struct run_comparison *comparison)
{
    struct table table;
    char label[40];
    if (comparison->thirds.count == 0)
        return;
    table_begin(&table, "thirds");
    TABLE_HEADS(&table, "thirds, B - A in JND");
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        TABLE_WORDS_CELL(&table, figure_kind[f].word);
    for (size_t b = 0; b < comparison->thirds.count; b++) {
        snprintf(label, sizeof label, "%d Hz", comparison->thirds.hz[b]);
        TABLE_ROW_WORDS(&table, label);
        for (int f = 0; f < PRESSURE_FIGURES; f++) {
            const struct compared_value *value = &comparison->third[f][b].value;
            table_cell(&table, NULL);
            if (table_value(&table, value->jnds, 1, 1))
                table_words(&table, mark_of(value));
        }
    }
    table_columns(stream, &table, 2, (const int[]){-22, 8});
    table_free(&table);
}

/* ---- rays against waves ---- */

/* Three rows of a figure: how many of its cells are within the error bar, and its distance to waves. */
static void add_coverage(struct table *table, const struct octave_list *octaves,
                         const struct ray_coverage *coverage, size_t figure)
{
    static const char *const line_word[] = {"within", "rms JND", "floor JND"};
    for (int line = 0; line < 3; line++) {
        char label[40], text[48];
        snprintf(label, sizeof label, "%-8s%s", line == 0 ? figure_kind[covered_figure[figure]].word : "",
                 line_word[line]);
        TABLE_ROW_WORDS(table, label);
        for (size_t b = 0; b < octaves->count; b++) {
            const struct ray_coverage_entry *entry = &coverage->entry[figure][b];
            table_cell(table, NULL);
            if (!coverage->octave[b])
                continue;
            snprintf(text, sizeof text, "%zu/%zu", entry->within, entry->cells);
            if (line == 0)
                table_text(table, text);
            else
                (void)table_value(table, line == 1 ? entry->rms : entry->floor, 2, 1);
        }
    }
}

static bool has_cells(const struct ray_coverage *coverage, size_t figure)
{
    for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++)
        if (coverage->entry[figure][b].cells > 0)
            return true;
    return false;
}

static void print_coverage(FILE *stream, const struct run_comparison *comparison)
{
    const struct octave_list *octaves = &comparison->octaves;
    struct ray_coverage coverage;
    struct table table;
    char text[300];
    if (!ray_coverage_make(comparison, &coverage))
        return;
    snprintf(
        text, sizeof text,
        "rays against waves: in %zu of %zu cells (response, octave, figure) the value of waves is within "
        "the error bar of rays",
        coverage.within, coverage.cells);
    print_wrapped(stream, text, 2);
    table_begin(&table, "coverage");
    figure_report_heads(&table, "rays against waves", octaves->count, octaves->hz);
    for (size_t f = 0; f < COVERED_FIGURES; f++)
        if (has_cells(&coverage, f))
            add_coverage(&table, octaves, &coverage, f);
    figure_report_table(stream, &table, octaves->count);
    bool floored = false;
    for (size_t i = 0; i < COVERED_FIGURES * OCTAVE_BANDS_MAX; i++)
        floored = floored || coverage.entry[i / OCTAVE_BANDS_MAX][i % OCTAVE_BANDS_MAX].floor > 0;
    print_wrapped(stream,
                  floored ? "floor: what a single response differs by from its mean, by interference"
                          : "floor (interference of single responses): not in this run.json; simulate again",
                  2);
}

/* ---- maps ---- */

/* "C80 at 500 Hz differs by 1 JND or more at 40 of 60 points, most at floor-12, 5.1 JND" */
static void print_most(FILE *stream, const struct compared_grid *grid)
{
    const struct compared_row *most = NULL;
    for (size_t i = 0; i < grid->rows.count; i++) {
        const struct compared_row *row = &grid->rows.row[i];
        if (isfinite(row->largest) && (most == NULL || fabs(row->largest) > fabs(most->largest)))
            most = row;
    }
    if (most == NULL || most->noticed == 0)
        return;
    char text[300];
    snprintf(text, sizeof text,
             "%s at %d Hz differs by 1 JND or more at %zu of %zu points, most at %s, by %.1f JND",
             figure_kind[most->figure].word, most->octave, most->noticed, most->places,
             grid->place[most->where], fabs(most->largest));
    blot_control_characters(text);
    fputs("  ", stream);
    print_wrapped(stream, text, 2);
}

static void print_grid(FILE *stream, const struct run_comparison *comparison,
                       const struct compared_grid *grid)
{
    char text[700], label[40];
    struct table table;
    snprintf(text, sizeof text, "map %.*s from %.*s, %s%s%.390s%s", CUT_TEXT(grid->name, 60),
             CUT_TEXT(grid->source, 60),
             grid->by_point ? "means over the points that both have" : "means of each run's own points",
             grid->by_point ? "" : " (", grid->why, grid->by_point ? "" : ")");
    blot_control_characters(text);
    print_wrapped(stream, text, 2);
    snprintf(label, sizeof label, "%zu points", grid->points[0]);
    const bool any = begin_octaves(&table, comparison, &grid->rows, label);
    figure_report_table(stream, &table, comparison->octaves.count);
    if (any)
        print_most(stream, grid);
    else
        fputs("  no figure is in both\n", stream);
}

/* Explanations of the letters and signs in the tables. */
enum legend { LEGEND_DECAY = 1, LEGEND_NOTICED = 2, LEGEND_WITHIN = 4, LEGEND_ERROR = 8 };

static unsigned legend_of(const struct compared_rows *rows)
{
    unsigned legend = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct compared_value *value = &rows->row[i].value;
        const char *const mark = mark_of(value);
        legend |= (value->marks[0] | value->marks[1]) != 0 ? LEGEND_DECAY : 0U;
        legend |= mark[0] == '*'                    ? LEGEND_NOTICED
                  : mark[0] != '~'                  ? 0U
                  : compared_is_within_error(value) ? LEGEND_ERROR
                                                    : LEGEND_WITHIN;
    }
    return legend;
}

void run_comparison_print(FILE *stream, const struct run_comparison *comparison)
{
    char finding[RUN_FINDING_MAX];
    print_run(stream, comparison, 0);
    print_run(stream, comparison, 1);
    print_sentence(stream, run_finding(comparison, finding));
    print_changes(stream, comparison);
    print_places(stream, comparison);
    print_means(stream, comparison);
    print_thirds(stream, comparison);
    print_coverage(stream, comparison);
    unsigned legend = legend_of(&comparison->rows);
    for (size_t g = 0; g < comparison->grids; g++) {
        print_grid(stream, comparison, &comparison->grid[g]);
        legend |= legend_of(&comparison->grid[g].rows);
    }
    if (legend & LEGEND_DECAY)
        fputs("  c, u, d  no one time describes the decay: curved, uneven, double slope\n", stream);
    if (legend & LEGEND_NOTICED)
        fputs("  *  1 JND or more: noticeable\n", stream);
    if (legend & LEGEND_WITHIN)
        fputs("  ~  not more than what changed on an offset grid\n", stream);
    if (legend & LEGEND_ERROR)
        fputs("  ~  within its error bar, the row `error` in the same unit\n", stream);
}
