#include "src/present/report/report_decision.h"

#include <math.h>
#include <string.h>

#include "src/base/words/words.h"
#include "src/draw/html.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/sections/report_drawing.h"
#include "src/present/report/sections/report_page.h"

static const struct report_cell *cell_of(const struct report *report, size_t variant, size_t target)
{
    return &report->decision->variants.item[variant].cells.item[target];
}

/* A verdict's class, and the sign before it: neither colour nor word alone. */
static const struct {
    const char *verdict, *class, *sign;
} looks[] = {{"met", "met", "\xE2\x9C\x93"},
             {"not met", "not-met", "\xE2\x9C\x97"},
             {"unsure", "unsure", "\xC2\xB1"},
             {"not known", "not-known", "\xE2\x80\x93"}};

/* The use, on a narrow page, where the row is a list. */
static void add_label(struct table *table, const struct report_target *target)
{
    table_markup(table, "<span class=\"label\">");
    table_markup(table, T(target->use));
    table_markup(table, ", ");
    table_markup(table, report_figure_called(target->figure));
    table_markup(table, "</span> ");
}

static void add_places(struct table *table, const struct report_cell *cell, const char *key)
{
    if (!isfinite(cell->places))
        return;
    table_words(table, " ");
    table_markup(table, "<small>");
    table_number(table, cell->met, 0, 1, "%s.met", key);
    table_words(table, T(" of "));
    table_number(table, cell->places, 0, 1, "%s.places", key);
    table_words(table, T(" places"));
    table_markup(table, "</small>");
}

static void add_cell(struct table *table, const struct report *report, size_t variant, size_t target)
{
    const struct report_cell *cell = cell_of(report, variant, target);
    char key[80];
    size_t look = 0;
    if (cell->aim == NULL) {
        table_cell(table, "not-known");
        table_words(table, T("not for a room of this size"));
        return;
    }
    snprintf(key, sizeof key, "decision.variants.%zu.cells.%zu", variant, target);
    while (look + 1 < sizeof looks / sizeof looks[0] && strcmp(cell->aim->verdict, looks[look].verdict) != 0)
        look++;
    table_cell(table, looks[look].class);
    add_label(table, cell->aim->target);
    table_markup(table, "<b>");
    table_markup(table, looks[look].sign);
    table_markup(table, " ");
    table_word(table, cell->aim->verdict, "%s.verdict", key);
    table_markup(table, "</b> ");
    report_target_value(table, cell->aim, key);
    if (cell->aim->found != cell->aim->target->figure) {
        table_words(table, " (");
        table_words(table, report_figure_called(cell->aim->found));
        table_words(table, ")");
    }
    add_places(table, cell, key);
}

static void put_table(FILE *page, const struct report *report)
{
    const struct report_run *base = &report->run[0];
    struct table table;
    if (base->targets.count == 0)
        return;
    table_begin(&table, "decision");
    table_name(&table, "targets");
    table_words(&table, T("Decision"));
    TABLE_HEADS(&table, T("variant"));
    for (size_t t = 0; t < base->targets.count; t++) {
        table_head(&table);
        table_word(&table, base->targets.item[t].target->use, "runs.0.targets.%zu.use", t);
        table_words(&table, " ");
        table_markup(&table, "<small>");
        report_target_should(&table, report, t);
        table_markup(&table, "</small>");
    }
    for (size_t v = 0; v < report->given; v++) {
        table_row(&table, NULL);
        table_head(&table);
        if (v < report->runs) {
            report_table_run_mark(&table, v);
            table_words(&table, " ");
        }
        table_string(&table, report->decision->variants.item[v].name, "decision.variants.%zu.name", v);
        for (size_t t = 0; t < base->targets.count; t++)
            add_cell(&table, report, v, t);
    }
    report_table_put(page, report, &table, -1);
}

/* Places that meet a target, or not, in the first run and in the best other one. */
static void put_map(FILE *page, const struct report *report, size_t variant, size_t target)
{
    const struct report_cell *cell = cell_of(report, variant, target);
    fputs("<figure>\n<figcaption>", page);
    report_run_mark(page, variant);
    fprintf(page, " %s: ", T(cell->aim->target->use));
    html_number(page, cell->not_met, 0, 1, "decision.variants.%zu.cells.%zu.not_met", variant, target);
    fputs(T(" of "), page);
    html_number(page, cell->places, 0, 1, "decision.variants.%zu.cells.%zu.places", variant, target);
    fputs(T(" places miss it"), page);
    if (isfinite(cell->worst)) {
        fputs(T("; worst: "), page);
        html_number(page, cell->worst, cell->aim->target->figure == FIGURE_D50 ? 2 : 1, 1,
                    "decision.variants.%zu.cells.%zu.worst", variant, target);
        fprintf(page, " %s", figure_kind[cell->aim->target->figure].unit);
    }
    fputs("</figcaption>\n", page);
    report_seat_plan(page, &report->run[variant], cell);
    fputs("</figure>\n", page);
}

/* Have both runs that are shown such places? */
static bool has_map(const struct report *report, size_t target)
{
    return cell_of(report, 0, target)->places > 0 && cell_of(report, 1, target)->places > 0;
}

static void put_maps(FILE *page, const struct report *report)
{
    for (size_t t = 0; t < report->run[0].targets.count; t++)
        for (size_t v = 0; v < report->runs && has_map(report, t); v++)
            put_map(page, report, v, t);
}

void report_decision(FILE *page, const struct report *report)
{
    bool maps = false;
    if (report->decision == NULL)
        return;
    for (size_t t = 0; t < report->run[0].targets.count; t++)
        maps = maps || has_map(report, t);
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(decision),
                {"use_why", .section = report_use_why}, {"table", .section = put_table},
                {"mapped", .holds = maps}, {"maps", .section = put_maps},
                {"legends", .section = report_target_legends});
}
