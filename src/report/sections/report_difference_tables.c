#include "src/report/sections/report_difference_tables.h"

#include <math.h>

#include "src/compare/run_compare_json.h"
#include "src/draw/html.h"
#include "src/report/sections/report_page.h"
#include "src/words/words.h"

#define PLAIN 3.0 /* [JND] and more is noticed by anybody */
#define KEY   120

static const char how_to_read[] = T_LATER(": A \xE2\x86\x92 B, then B less A and, in brackets, that in just "
                                          "noticeable differences; * one or more, ** three "
                                          "or more");

/* A value and where it is in the data: `at`.first`tail`, `at`.second`tail`.. */
struct cell {
    const struct compared_value *value;
    const struct compared_row *row; /* of a mean; NULL: of one place */
    char at[KEY], tail[24];
    int decimals;
};

static void put_number(FILE *page, const struct cell *cell, double value, int decimals, const char *name)
{
    html_number(page, compared_rounded(value), decimals, 1, "%s.%s%s", cell->at, name, cell->tail);
}

/* "+1.2 (3.4) **" */
static void put_difference(FILE *page, const struct cell *cell)
{
    const struct compared_value *value = cell->value;
    const double jnds = fabs(compared_rounded(value->jnds));
    fputs(value->difference > 0 ? "+" : "", page);
    put_number(page, cell, value->difference, cell->decimals, "difference");
    if (!isfinite(value->difference))
        return;
    if (isfinite(jnds)) {
        fputs(" <small>(", page);
        put_number(page, cell, value->jnds, 1, "jnds");
        fprintf(page, ")%s</small>", jnds >= PLAIN ? " <b>**</b>" : jnds >= 1 ? " <b>*</b>" : "");
    }
    fputs(compared_certainty(value) == CERTAINTY_WITHIN ? " <b>?</b>" : "", page);
}

/* Where a mean hides what is noticed at single places, how many they are. */
static void put_noticed(FILE *page, const struct cell *cell)
{
    if (cell->row == NULL || !(fabs(compared_rounded(cell->value->jnds)) < 1) || cell->row->noticed == 0)
        return;
    fprintf(page, " <small class=\"noticed\">%s", T("but * at "));
    put_number(page, cell, (double)cell->row->noticed, 0, "noticed");
    fputs(T(" of "), page);
    put_number(page, cell, (double)cell->row->places, 0, "pairs");
    fputs("</small>", page);
}

static void put_known(FILE *page, size_t places, size_t of)
{
    fputs(" <small>", page);
    fprintf(page, T("%zu of %zu places"), places, of);
    fputs("</small>", page);
}

static void put_octave_cell(FILE *page, const struct cell *cell, size_t of)
{
    const struct compared_value *value = cell->value;
    const bool either = isfinite(value->first) || isfinite(value->second);
    fputs("<td>", page);
    if (either) {
        fputs("<small class=\"both\">", page);
        put_number(page, cell, value->first, cell->decimals, "first");
        report_marks(page, value->marks[0]);
        fputs(" \xE2\x86\x92 ", page);
        put_number(page, cell, value->second, cell->decimals, "second");
        report_marks(page, value->marks[1]);
        fputs("</small> ", page);
    }
    if (!either || isfinite(value->difference))
        put_difference(page, cell);
    if (cell->row != NULL && cell->row->places > 0 && cell->row->places < of)
        put_known(page, cell->row->places, of);
    put_noticed(page, cell);
    fputs("</td>", page);
}

static void put_row_head(FILE *page, const char *word, const char *unit)
{
    fputs("<tr><th scope=\"row\">", page);
    html_text(page, word);
    fputs(unit[0] != '\0' ? " " : "", page);
    html_text(page, unit);
    fputs("</th>", page);
}

static void put_heads(FILE *page, const struct octave_list *octaves)
{
    fprintf(page, "</caption>\n<thead><tr><th scope=\"col\">%s</th>", T("octave"));
    for (size_t b = 0; b < octaves->count; b++)
        fprintf(page, "<th scope=\"col\">%d&nbsp;Hz</th>", octaves->hz[b]);
    fputs("</tr></thead>\n<tbody>\n", page);
}

/* A row of values by octave, which the data has at `at`; `row` is the first of their rows, NULL where they
 * are no means. */
static void put_values(FILE *page, const struct octave_list *octaves, const char *word, const char *unit,
                       int decimals, const char *at, const struct compared_value *const *value,
                       const struct compared_row *row, size_t of)
{
    struct cell cell = {.decimals = decimals};
    snprintf(cell.at, sizeof cell.at, "%s", at);
    put_row_head(page, T(word), unit);
    for (size_t b = 0; b < octaves->count; b++) {
        cell.row = row != NULL ? &row[b] : NULL;
        cell.value = value[b];
        snprintf(cell.tail, sizeof cell.tail, ".%zu", b);
        put_octave_cell(page, &cell, of);
    }
    html_row_end(page);
}

static void put_expected(FILE *page, const struct octave_list *octaves, const struct compared_value *expected,
                         const char *at, const char *word)
{
    const struct compared_value *value[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < octaves->count; b++)
        value[b] = &expected[b];
    put_values(page, octaves, word, "s", 2, at, value, NULL, 0);
}

/* The figures by octave of all rows, or of one pair; the data has a list of them at `at`, or (of a pair) an
 * object. */
static void put_figures(FILE *page, const struct octave_list *octaves, const struct compared_rows *rows,
                        const struct compared_pair *pair, const char *at, size_t of)
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
        put_values(page, octaves, kind->word, kind->unit, kind->decimals, key, value,
                   pair != NULL ? NULL : row, of);
    }
}

void report_difference_table(FILE *page, const struct run_comparison *comparison,
                             const struct compared_rows *rows, const char *at, size_t of, bool expected,
                             const char *what)
{
    const struct octave_list *octaves = &comparison->octaves;
    fprintf(page, "<table class=\"figures differences\">\n<caption>%s%s", what, T(how_to_read));
    put_heads(page, octaves);
    put_figures(page, octaves, rows, NULL, at, of);
    if (expected) {
        put_expected(page, octaves, comparison->sabine, "differences.expected.sabine_s", "Sabine");
        put_expected(page, octaves, comparison->eyring, "differences.expected.eyring_s", "Eyring");
    }
    html_table_end(page);
}

void report_difference_pair(FILE *page, const struct run_comparison *comparison, size_t pair)
{
    const struct compared_pair *of = &comparison->pair[pair];
    char at[64];
    snprintf(at, sizeof at, "differences.pairs.%zu.octaves", pair);
    fputs("<table class=\"figures differences\" data-table=\"differences", page);
    report_table_name(page, of->source);
    report_table_name(page, of->receiver);
    fputs("\">\n<caption>", page);
    html_string(page, of->source, "differences.pairs.%zu.source", pair);
    fputs(T(" heard at "), page);
    html_string(page, of->receiver, "differences.pairs.%zu.receiver", pair);
    put_heads(page, &comparison->octaves);
    put_figures(page, &comparison->octaves, &comparison->rows, of, at, 0);
    html_table_end(page);
}

static void put_single(FILE *page, const struct compared_row *row, size_t number)
{
    const struct figure_kind *kind = &figure_kind[row->figure];
    struct cell cell = {.value = &row->value, .row = row, .decimals = kind->decimals};
    snprintf(cell.at, sizeof cell.at, "differences.single_numbers.%zu", number);
    fputs("<tr><th scope=\"row\">", page);
    html_word(page, kind->word, "%s.word", cell.at);
    fprintf(page, " %s</th><td>", kind->unit);
    put_number(page, &cell, row->value.first, cell.decimals, "first");
    report_marks(page, row->value.marks[0]);
    fputs("</td><td>", page);
    put_number(page, &cell, row->value.second, cell.decimals, "second");
    report_marks(page, row->value.marks[1]);
    fputs("</td><td>", page);
    put_difference(page, &cell);
    fputs("</td>", page);
    html_row_end(page);
}

void report_difference_singles(FILE *page, const struct run_comparison *comparison)
{
    const struct compared_rows *rows = &comparison->rows;
    size_t number = 0;
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->row[i].octave > 0)
            continue;
        if (number == 0) {
            fprintf(page, "<table class=\"singles\">\n<caption>%s</caption>\n",
                    T("Single numbers, means over the places"));
            HTML_HEADS(page, T("figure"), "A", "B", T("B less A (JND)"));
        }
        put_single(page, &rows->row[i], number++);
    }
    if (number > 0)
        html_table_end(page);
}
