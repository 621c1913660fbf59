#include <math.h>
#include <string.h>

#include "src/draw/html.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/report_targets.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

static const struct report_aim *aim_of(const struct report *report, size_t index)
{
    return &report->run[0].targets.item[index];
}

void report_target_should(struct table *table, const struct report *report, size_t index)
{
    const struct report_aim *aim = aim_of(report, index);
    const double low = aim->low, high = aim->high;
    const int decimals = low == high ? 2 : 1; /* as standards give one value */
    const bool range = isfinite(low) && isfinite(high) && low != high;
    table_text(table, report_figure_called(aim->target->figure));
    table_words(table, " ");
    table_words(table, range ? "" : low == high ? T("about ") : isfinite(low) ? T("above ") : T("below "));
    if (isfinite(low))
        table_number(table, low, decimals, 1, "runs.0.targets.%zu.low", index);
    table_words(table, range ? T(" to ") : "");
    if (range || !isfinite(low))
        table_number(table, high, decimals, 1, "runs.0.targets.%zu.high", index);
    table_unit(table, figure_kind[aim->target->figure].unit);
    if (low == high) {
        table_words(table, T(" in "));
        table_number(table, report->run[0].model->size.air_volume, -3, 1, "runs.0.run.air_volume_m3");
        table_unit(table, "m\xC2\xB3");
    }
}

void report_target_value(struct table *table, const struct report_aim *aim, const char *key)
{
    const enum figure figure = aim->target->figure;
    const int decimals = figure_kind[figure].unit[0] == '\0' ? 2 : 1;
    if (!isfinite(aim->value))
        return;
    table_number(table, aim->value, report_decimals(aim->value, decimals, aim->low, aim->high), 1, "%s.value",
                 key);
    report_table_marks(table, figure_marks_read(aim->marks));
    if (isfinite(aim->error)) {
        table_words(table, "&nbsp;\xC2\xB1&nbsp;");
        table_number(table, aim->error, decimals, 1, "%s.error", key);
    }
    table_unit(table, figure_kind[figure].unit);
    report_table_unsure(table, aim->unsure);
}

/* The head of a column, on a narrow page, where the row is a list. */
static void add_label(struct table *table, const char *head)
{
    table_markup(table, "<span class=\"label\">");
    table_markup(table, head);
    table_markup(table, ":</span> ");
}

/* Two cells with the value of the run and its verdict. */
static void add_found(struct table *table, const struct report_aim *aim, size_t index)
{
    char key[64];
    snprintf(key, sizeof key, "runs.0.targets.%zu", index);
    table_cell(table, NULL);
    add_label(table, T("here"));
    report_target_value(table, aim, key);
    if (isfinite(aim->value)) {
        table_words(table, " ");
        table_markup(table, "<small>");
        table_words(table, "(");
        if (aim->found != aim->target->figure) {
            table_words(table, report_figure_called(aim->found));
            table_words(table, ", ");
        }
        table_string(table, aim->count, "%s.count", key);
        table_words(table, ")");
        table_markup(table, "</small>");
    }
    table_cell(table, NULL);
    add_label(table, T("met?"));
    table_word(table, aim->verdict, "%s.verdict", key);
    if (aim->why[0] != '\0') {
        table_words(table, ": ");
        table_string(table, aim->why, "%s.why", key);
    }
}

void report_target_legends(FILE *page, const struct report *report)
{
    bool about = false, reaches = false, unsure = false, bars = false;
    unsigned marks = 0;
    for (size_t r = 0; r < report->given; r++)
        for (size_t i = 0; i < report->run[r].targets.count; i++) {
            const struct report_aim *aim = &report->run[r].targets.item[i];
            about = about || (aim->low == aim->high && isfinite(aim->value));
            reaches = reaches || same_name(aim->verdict, "unsure");
            unsure = unsure || aim->unsure;
            bars = bars || isfinite(aim->error);
            marks |= figure_marks_read(aim->marks);
        }
    if (bars)
        fprintf(
            page, "<p class=\"why\">%s</p>\n",
            T("\xC2\xB1 is the error bar of the value: nine times in ten it is wrong by less than that."));
    if (about)
        fprintf(page, "<p class=\"why\">%s</p>\n",
                T("About one value: up to a fifth more or less meets the recommendation."));
    if (reaches)
        fprintf(
            page, "<p class=\"why\">%s</p>\n",
            T("Unsure: a limit is within the error bar of the value, so that the recommendation may be met "
              "or not."));
    report_unsure_legend(page, unsure);
    report_marks_legend(page, marks);
}

/* For whom, and by which document. */
static void add_source(struct table *table, const struct report *report, size_t index)
{
    const struct report_target *target = aim_of(report, index)->target;
    char link[240];
    table_word(table, target->words, "runs.0.targets.%zu.words", index);
    table_words(table, " ");
    table_markup(table, "<small class=\"source\">");
    if (target->link == NULL) {
        table_word(table, target->title, "runs.0.targets.%zu.title", index);
        table_markup(table, "</small>");
        return;
    }
    snprintf(link, sizeof link, "<a href=\"https://%s\">", target->link);
    table_markup(table, link);
    table_word(table, target->title, "runs.0.targets.%zu.title", index);
    table_markup(table, "</a><span class=\"address\">");
    table_words(table, ", ");
    table_string(table, target->link, "runs.0.targets.%zu.link", index);
    table_markup(table, "</span></small>");
}

static void put_targets(FILE *page, const struct report *report)
{
    const struct report_run *run = &report->run[0];
    struct table table;
    if (run->targets_why != NULL) {
        fputs("<p class=\"why\">", page);
        html_string(page, run->targets_why, "runs.0.targets_why");
        fputs("</p>\n", page);
    }
    fprintf(page, "<details class=\"targets\" open>\n<summary>%s</summary>\n",
            report_room_volume(run->model) > 0
                ? T("Recommendations for rooms of this size, at 500 and 1000&nbsp;Hz")
                : T("Recommendations for rooms, at 500 and 1000&nbsp;Hz"));
    table_begin(&table, "targets");
    TABLE_HEADS(&table, T("for"), T("should be"));
    for (int head = 0; head < 2 && run->targets_why == NULL; head++) {
        table_head(&table);
        table_words(&table, head == 0 ? T("here") : T("met?"));
    }
    for (size_t i = 0; i < run->targets.count; i++) {
        table_row(&table, NULL);
        table_head(&table);
        add_source(&table, report, i);
        table_cell(&table, NULL);
        add_label(&table, T("should be"));
        report_target_should(&table, report, i);
        if (run->targets_why == NULL)
            add_found(&table, aim_of(report, i), i);
    }
    report_table_put(page, report, &table, 0);
    report_target_legends(page, report);
    fputs("</details>\n", page);
}

void report_use_why(FILE *page, const struct report *report)
{
    if (report->run[0].use_why == NULL)
        return;
    fputs("<p class=\"why\">", page);
    html_string(page, report->run[0].use_why, "runs.0.use_why");
    fputs("</p>\n", page);
}

void report_targets(FILE *page, const struct report *report)
{
    report_use_why(page, report);
    if (report->run[0].targets.count > 0)
        put_targets(page, report);
}
