#include <math.h>
#include <string.h>

#include "src/draw/html.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/report_targets.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

static const struct report_aim *aim_of(const struct report *report, size_t run, size_t index)
{
    return &report->run[run].targets.item[index];
}

/* The name of a target's figure, before its value; a time has its full name. */
static void add_what(struct table *table, enum figure figure)
{
    static const char *const name[ALL_FIGURES] = {[FIGURE_T30] = T_LATER("reverberation time"),
                                                  [FIGURE_D50] = T_LATER("definition D50"),
                                                  [FIGURE_C80] = T_LATER("clarity C80")};
    table_text(table, T(name[figure] != NULL ? name[figure] : figure_kind[figure].word));
}

static void add_limits(struct table *table, const struct report *report, size_t run, size_t index)
{
    const struct report_aim *aim = aim_of(report, run, index);
    const double low = aim->low, high = aim->high;
    const int decimals = low == high ? 2 : 1; /* as standards give one value */
    const bool range = isfinite(low) && isfinite(high) && low != high;
    table_words(table, range ? "" : low == high ? T("about ") : isfinite(low) ? T("above ") : T("below "));
    if (isfinite(low))
        table_number(table, low, decimals, 1, "runs.%zu.targets.%zu.low", run, index);
    table_words(table, range ? T(" to ") : "");
    if (range || !isfinite(low))
        table_number(table, high, decimals, 1, "runs.%zu.targets.%zu.high", run, index);
    table_unit(table, figure_kind[aim->target->figure].unit);
    if (low == high) {
        table_words(table, T(" in "));
        table_number(table, report->run[run].model->size.air_volume, -3, 1, "runs.%zu.run.air_volume_m3",
                     run);
        table_unit(table, "m\xC2\xB3");
    }
}

/* Two cells with the value of the run and its verdict; one cell next to another run. */
static void add_found(struct table *table, const struct report *report, size_t run, size_t index, bool alone)
{
    const struct report_aim *aim = aim_of(report, run, index);
    const enum figure figure = aim->target->figure;
    table_cell(table, NULL);
    if (isfinite(aim->value)) {
        const int decimals = figure_kind[figure].unit[0] == '\0' ? 2 : 1;
        table_number(table, aim->value, report_decimals(aim->value, decimals, aim->low, aim->high), 1,
                     "runs.%zu.targets.%zu.value", run, index);
        report_table_marks(table, figure_marks_read(aim->marks));
        if (isfinite(aim->error)) {
            table_words(table, " \xC2\xB1 ");
            table_number(table, aim->error, decimals, 1, "runs.%zu.targets.%zu.error", run, index);
        }
        table_unit(table, figure_kind[figure].unit);
        report_table_unsure(table, aim->unsure);
        table_words(table, " ");
        table_markup(table, "<small>");
        table_words(table, "(");
        table_word(table, figure_kind[aim->found].word, "runs.%zu.targets.%zu.word", run, index);
        table_words(table, T(" at "));
        table_string(table, aim->octaves, "runs.%zu.targets.%zu.octaves", run, index);
        table_words(table, ", ");
        table_string(table, aim->count, "runs.%zu.targets.%zu.count", run, index);
        table_words(table, ")");
        table_markup(table, "</small>");
    }
    if (alone)
        table_cell(table, NULL);
    else
        table_markup(table, "<br>");
    table_word(table, aim->verdict, "runs.%zu.targets.%zu.verdict", run, index);
    if (aim->why[0] != '\0') {
        table_words(table, ": ");
        table_string(table, aim->why, "runs.%zu.targets.%zu.why", run, index);
    }
}

static bool is_judged(const struct report *report, size_t run)
{
    return report->run[run].targets_why == NULL;
}

/* Add a target with the values of the runs from `first` to `last`, if they are judged. */
static void add_target(struct table *table, const struct report *report, size_t first, size_t last,
                       size_t index)
{
    const struct report_target *target = aim_of(report, first, index)->target;
    char link[240];
    table_row(table, NULL);
    table_head(table);
    table_word(table, target->words, "runs.%zu.targets.%zu.words", first, index);
    table_words(table, " ");
    snprintf(link, sizeof link, "<small class=\"source\"><a href=\"https://%s\">", target->link);
    table_markup(table, link);
    table_word(table, target->title, "runs.%zu.targets.%zu.title", first, index);
    table_markup(table, "</a><span class=\"address\">");
    table_words(table, ", ");
    table_string(table, target->link, "runs.%zu.targets.%zu.link", first, index);
    table_markup(table, "</span></small>");
    table_cell(table, NULL);
    add_what(table, target->figure);
    table_words(table, " ");
    add_limits(table, report, first, index);
    for (size_t run = first; run <= last; run++)
        if (is_judged(report, run))
            add_found(table, report, run, index, first == last);
}

static void add_heads(struct table *table, const struct report *report, size_t first, size_t last)
{
    TABLE_HEADS(table, T("for"), T("should be"));
    for (size_t run = first; run <= last; run++) {
        if (!is_judged(report, run))
            continue;
        table_head(table);
        if (first != last)
            report_table_run_mark(table, run);
        table_words(table, first == last ? T("here") : "");
        if (first == last) {
            table_head(table);
            table_words(table, T("met?"));
        }
    }
}

static void put_targets(FILE *page, const struct report *report, size_t first, size_t last)
{
    bool about = false, judged = false, open = false, unsure = false;
    struct table table;
    for (size_t run = first; run <= last; run++) {
        judged = judged || is_judged(report, run);
        for (size_t i = 0; i < report->run[run].targets.count; i++) {
            open = open || same_name(aim_of(report, run, i)->verdict, "open");
            unsure = unsure || aim_of(report, run, i)->unsure;
        }
        if (is_judged(report, run))
            continue;
        fputs("<p class=\"why\">", page);
        if (first != last) {
            report_run_mark(page, run);
            fputs(" ", page);
        }
        html_string(page, report->run[run].targets_why, "runs.%zu.targets_why", run);
        fputs("</p>\n", page);
    }
    fprintf(page, "<details class=\"targets\" open>\n<summary>%s</summary>\n",
            report_room_volume(report->run[first].model) > 0
                ? T("Recommendations for rooms of this size, at 500 and 1000&nbsp;Hz")
                : T("Recommendations for rooms, at 500 and 1000&nbsp;Hz"));
    table_begin(&table, first != last ? "targets two-of-them" : "targets");
    table_name(&table, "targets");
    add_heads(&table, report, first, last);
    for (size_t i = 0; i < report->run[first].targets.count; i++) {
        const struct report_aim *aim = aim_of(report, first, i);
        add_target(&table, report, first, last, i);
        about = about || aim->low == aim->high;
    }
    report_table_put(page, report, &table, first != last ? -1 : (int)first);
    if (judged && about)
        fprintf(page, "<p class=\"why\">%s</p>\n",
                T("A recommendation of about one value is met within a fifth of it."));
    if (open)
        fprintf(
            page, "<p class=\"why\">%s</p>\n",
            T("Open: a limit is within the error bar of the value, so that the recommendation may be met or "
              "not."));
    report_unsure_legend(page, unsure);
    fputs("</details>\n", page);
}

/* Write why the requested use cannot be judged. */
static void put_use_why(FILE *page, const struct report *report, size_t run)
{
    if (report->run[run].use_why == NULL)
        return;
    fputs("<p class=\"why\">", page);
    html_string(page, report->run[run].use_why, "runs.%zu.use_why", run);
    fputs("</p>\n", page);
}

void report_targets(FILE *page, const struct report *report, size_t run)
{
    put_use_why(page, report, run);
    if (report->run[run].targets.count > 0)
        put_targets(page, report, run, run);
}

bool report_targets_alike(const struct report *report)
{
    const struct run_model *first = report->run[0].model, *second = report->run[1].model;
    return report_same_data(report, "targets") && report_same_data(report, "use_why") &&
           report_same_data(report, "targets_why") &&
           (report_room_volume(first) > 0) == (report_room_volume(second) > 0) &&
           (report->run[0].targets.count == 0 || report_same_data(report, "run.air_volume_m3"));
}

/* Equal as printed, or within 1 %, which is 2 % of the volume and changes no judgement. */
static bool is_near(double first, double second)
{
    return isfinite(first) == isfinite(second) &&
           (!isfinite(first) || fabs(second - first) <= 0.01 * fabs(first));
}

bool report_targets_are_same(const struct report *report)
{
    const size_t count = report->run[0].targets.count;
    if (report->runs != 2 || count == 0 || count != report->run[1].targets.count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct report_aim *first = aim_of(report, 0, i), *second = aim_of(report, 1, i);
        if (first->target != second->target || !is_near(first->low, second->low) ||
            !is_near(first->high, second->high))
            return false;
    }
    return true;
}

void report_targets_of_both(FILE *page, const struct report *report)
{
    put_use_why(page, report, 0);
    put_targets(page, report, 0, 1);
}
