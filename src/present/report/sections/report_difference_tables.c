#include "src/present/report/sections/report_difference_tables.h"

#include <math.h>

#include "src/present/compare/run_compare_json.h"
#include "src/present/report/sections/report_page.h"
#include "src/run_folder/record_error.h"
#include "src/base/words/words.h"

#define PLAIN 3.0 /* [JND] and more is noticed by anybody */
#define KEY   120

static const char how_to_read[] =
    T_LATER(": A \xE2\x86\x92 B, then B minus A, and in brackets the same in just noticeable "
            "differences; * one or more, ** three or more");

/* A value and where it is in the data: `at`.first`tail`, `at`.second`tail`.. */
struct cell {
    const struct compared_value *value;
    const struct compared_row *row; /* of a mean; NULL: of one place */
    char at[KEY], tail[24];
    int decimals;
};

static bool add_number(struct table *table, const struct cell *cell, double value, int decimals,
                       const char *name)
{
    return table_number(table, compared_rounded(value), decimals, 1, "%s.%s%s", cell->at, name, cell->tail);
}

static void add_bold(struct table *table, const char *words)
{
    if (words[0] == '\0')
        return;
    table_words(table, " ");
    table_markup(table, "<b>");
    table_words(table, words);
    table_markup(table, "</b>");
}

/* "+1.2 (3.4) **" */
static void add_difference(struct table *table, const struct cell *cell)
{
    const struct compared_value *value = cell->value;
    const double jnds = fabs(compared_rounded(value->jnds));
    table_words(table, value->difference > 0 ? "+" : "");
    if (!add_number(table, cell, value->difference, cell->decimals, "difference"))
        return;
    if (isfinite(jnds)) {
        table_words(table, " ");
        table_markup(table, "<small>");
        table_words(table, "(");
        add_number(table, cell, value->jnds, 1, "jnds");
        table_words(table, ")");
        add_bold(table, jnds >= PLAIN ? "**" : jnds >= 1 ? "*" : "");
        table_markup(table, "</small>");
    }
    add_bold(table, compared_certainty(value) == CERTAINTY_WITHIN ? "?" : "");
}

/* If a mean hides audible differences at single places, add the number of these. */
static void add_noticed(struct table *table, const struct cell *cell)
{
    if (cell->row == NULL || !(fabs(compared_rounded(cell->value->jnds)) < 1) || cell->row->noticed == 0)
        return;
    table_words(table, " ");
    table_markup(table, "<small class=\"noticed\">");
    table_words(table, T("but * at "));
    add_number(table, cell, (double)cell->row->noticed, 0, "noticed");
    table_words(table, T(" of "));
    add_number(table, cell, (double)cell->row->places, 0, "pairs");
    table_markup(table, "</small>");
}

static void add_known(struct table *table, size_t places, size_t of)
{
    char text[80];
    snprintf(text, sizeof text, T("%zu of %zu places"), places, of);
    table_words(table, " ");
    table_markup(table, "<small>");
    table_words(table, text);
    table_markup(table, "</small>");
}

static void add_octave_cell(struct table *table, const struct cell *cell, size_t of)
{
    const struct compared_value *value = cell->value;
    const bool either = isfinite(value->first) || isfinite(value->second);
    table_cell(table, NULL);
    if (either) {
        table_markup(table, "<small class=\"both\">");
        add_number(table, cell, value->first, cell->decimals, "first");
        report_table_marks(table, value->marks[0]);
        table_words(table, " \xE2\x86\x92 ");
        add_number(table, cell, value->second, cell->decimals, "second");
        report_table_marks(table, value->marks[1]);
        table_markup(table, "</small>");
        table_words(table, " ");
    }
    if (!either || isfinite(value->difference))
        add_difference(table, cell);
    if (cell->row != NULL && cell->row->places > 0 && cell->row->places < of)
        add_known(table, cell->row->places, of);
    add_noticed(table, cell);
}

/* "rays" where either run has rays. */
static void add_heads(struct table *table, const struct report *report)
{
    const struct octave_list *octaves = &report->comparison->octaves;
    TABLE_HEADS(table, T("octave"));
    for (size_t b = 0; b < octaves->count; b++)
        report_octave_head(table, octaves->hz[b],
                           record_rays_hold(report->run[0].model, octaves->hz[b]) ||
                               record_rays_hold(report->run[1].model, octaves->hz[b]));
}

/* A row of values by octave, which the data has at `at`; `row` is the first of their rows, NULL where they
 * are not means. */
static void add_values(struct table *table, const struct octave_list *octaves, const char *word,
                       const char *unit, int decimals, const char *at,
                       const struct compared_value *const *value, const struct compared_row *row, size_t of)
{
    struct cell cell = {.decimals = decimals};
    snprintf(cell.at, sizeof cell.at, "%s", at);
    TABLE_ROW_WORDS(table, T(word));
    table_words(table, unit[0] != '\0' ? " " : "");
    table_words(table, unit);
    for (size_t b = 0; b < octaves->count; b++) {
        cell.row = row != NULL ? &row[b] : NULL;
        cell.value = value[b];
        snprintf(cell.tail, sizeof cell.tail, ".%zu", b);
        add_octave_cell(table, &cell, of);
    }
}

static void add_expected(struct table *table, const struct octave_list *octaves,
                         const struct compared_value *expected, const char *at, const char *word)
{
    const struct compared_value *value[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < octaves->count; b++)
        value[b] = &expected[b];
    add_values(table, octaves, word, "s", 2, at, value, NULL, 0);
}

/* The figures by octave of all rows, or of one pair; the data has a list of them at `at`, or (of a pair) an
 * object. */
static void add_figures(struct table *table, const struct octave_list *octaves,
                        const struct compared_rows *rows, const struct compared_pair *pair, const char *at,
                        size_t of)
{
    size_t figure = 0;
    for (size_t i = 0; i < rows->count && rows->row[i].octave > 0; i += octaves->count) {
        const struct compared_row *row = &rows->row[i];
        const struct figure_kind *kind = &figure_kind[row->figure];
        const struct compared_value *value[OCTAVE_BANDS_MAX];
        char key[KEY];
        for (size_t b = 0; b < octaves->count; b++)
            value[b] = pair != NULL ? compared_of_pair(pair, &row[b]) : &row[b].value;
        if (pair != NULL)
            snprintf(key, sizeof key, "%s.%s", at, kind->name);
        else
            snprintf(key, sizeof key, "%s.%zu", at, figure++);
        add_values(table, octaves, kind->word, kind->unit, kind->decimals, key, value,
                   pair != NULL ? NULL : row, of);
    }
}

void report_difference_table(FILE *page, const struct report *report, const struct compared_rows *rows,
                             const char *at, size_t of, bool expected, const char *what)
{
    const struct run_comparison *comparison = report->comparison;
    const struct octave_list *octaves = &comparison->octaves;
    struct table table;
    table_begin(&table, "figures differences");
    table_words(&table, what);
    table_words(&table, T(how_to_read));
    add_heads(&table, report);
    add_figures(&table, octaves, rows, NULL, at, of);
    if (expected) {
        add_expected(&table, octaves, comparison->sabine, "differences.expected.sabine_s", "Sabine");
        add_expected(&table, octaves, comparison->eyring, "differences.expected.eyring_s", "Eyring");
    }
    report_table_put(page, report, &table, -1);
}

void report_difference_pair(FILE *page, const struct report *report, size_t pair)
{
    const struct run_comparison *comparison = report->comparison;
    const struct compared_pair *of = &comparison->pair[pair];
    char at[64];
    struct table table;
    snprintf(at, sizeof at, "differences.pairs.%zu.octaves", pair);
    table_begin(&table, "figures differences");
    table_name(&table, "differences_%s_%s", of->source, of->receiver);
    table_string(&table, of->source, "differences.pairs.%zu.source", pair);
    table_words(&table, T(" heard at "));
    table_string(&table, of->receiver, "differences.pairs.%zu.receiver", pair);
    add_heads(&table, report);
    add_figures(&table, &comparison->octaves, &comparison->rows, of, at, 0);
    report_table_put(page, report, &table, -1);
}

static void add_single(struct table *table, const struct compared_row *row, size_t number)
{
    const struct figure_kind *kind = &figure_kind[row->figure];
    struct cell cell = {.value = &row->value, .row = row, .decimals = kind->decimals};
    snprintf(cell.at, sizeof cell.at, "differences.single_numbers.%zu", number);
    table_row(table, NULL);
    table_head(table);
    table_word(table, kind->word, "%s.word", cell.at);
    table_words(table, " ");
    table_words(table, kind->unit);
    for (int run = 0; run < 2; run++) {
        table_cell(table, NULL);
        add_number(table, &cell, run == 0 ? row->value.first : row->value.second, cell.decimals,
                   run == 0 ? "first" : "second");
        report_table_marks(table, row->value.marks[run]);
    }
    table_cell(table, NULL);
    add_difference(table, &cell);
}

void report_difference_singles(FILE *page, const struct report *report)
{
    const struct compared_rows *rows = &report->comparison->rows;
    size_t number = 0;
    struct table table;
    table_begin(&table, "singles");
    table_words(&table, T("Single numbers, means over the places"));
    TABLE_HEADS(&table, T("figure"), "A", "B", T("B less A (JND)"));
    for (size_t i = 0; i < rows->count; i++)
        if (rows->row[i].octave == 0)
            add_single(&table, &rows->row[i], number++);
    if (number > 0)
        report_table_put(page, report, &table, -1);
    table_free(&table);
}
