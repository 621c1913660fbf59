#include <math.h>
#include <string.h>

#include "src/draw/html.h"
#include "src/report/report_figures.h"
#include "src/report/report_targets.h"
#include "src/report/sections/report_page.h"
#include "src/words/words.h"

static const struct report_aim *aim_of(const struct report *report, size_t run, size_t index)
{
    return &report->run[run].targets.item[index];
}

/* What a target is about, before its value; a time is called by what it is and not by its abbreviation. */
static void put_what(FILE *page, enum figure figure)
{
    static const char *const name[ALL_FIGURES] = {[FIGURE_T30] = T_LATER("reverberation time"),
                                                  [FIGURE_D50] = T_LATER("definition D50"),
                                                  [FIGURE_C80] = T_LATER("clarity C80")};
    html_text(page, T(name[figure] != NULL ? name[figure] : figure_kind[figure].word));
}

static void put_unit(FILE *page, enum figure figure)
{
    fprintf(page, "%s%s", figure_kind[figure].unit[0] != '\0' ? "&nbsp;" : "", figure_kind[figure].unit);
}

static void put_limits(FILE *page, const struct report *report, size_t run, size_t index)
{
    const struct report_aim *aim = aim_of(report, run, index);
    const double low = aim->low, high = aim->high;
    const int decimals = low == high ? 2 : 1; /* as standards give one value */
    const bool range = isfinite(low) && isfinite(high) && low != high;
    fputs(range ? "" : low == high ? T("about ") : isfinite(low) ? T("above ") : T("below "), page);
    if (isfinite(low))
        html_number(page, low, decimals, 1, "runs.%zu.targets.%zu.low", run, index);
    fputs(range ? T(" to ") : "", page);
    if (range || !isfinite(low))
        html_number(page, high, decimals, 1, "runs.%zu.targets.%zu.high", run, index);
    put_unit(page, aim->target->figure);
    if (low == high) {
        fputs(T(" in "), page);
        html_number(page, report->run[run].model->size.air_volume, -3, 1, "runs.%zu.run.air_volume_m3", run);
        fputs("&nbsp;m\xC2\xB3", page);
    }
}

/* The two cells of what the run has, or one where two runs stand beside each other. */
static void put_found(FILE *page, const struct report *report, size_t run, size_t index, bool alone)
{
    const struct report_aim *aim = aim_of(report, run, index);
    const enum figure figure = aim->target->figure;
    fputs("<td>", page);
    if (isfinite(aim->value)) {
        const int decimals = figure_kind[figure].unit[0] == '\0' ? 2 : 1;
        html_number(page, aim->value, report_decimals(aim->value, decimals, aim->low, aim->high), 1,
                    "runs.%zu.targets.%zu.value", run, index);
        report_marks(page, figure_marks_read(aim->marks));
        put_unit(page, figure);
        fputs(" <small>(", page);
        html_word(page, figure_kind[aim->found].word, "runs.%zu.targets.%zu.word", run, index);
        fputs(T(" at "), page);
        html_string(page, aim->octaves, "runs.%zu.targets.%zu.octaves", run, index);
        fputs(", ", page);
        html_string(page, aim->count, "runs.%zu.targets.%zu.count", run, index);
        fputs(")</small>", page);
    }
    fputs(alone ? "</td><td>" : "<br>", page);
    html_word(page, aim->verdict, "runs.%zu.targets.%zu.verdict", run, index);
    if (aim->why[0] != '\0') {
        fputs(": ", page);
        html_string(page, aim->why, "runs.%zu.targets.%zu.why", run, index);
    }
    fputs("</td>", page);
}

static bool is_judged(const struct report *report, size_t run)
{
    return report->run[run].targets_why == NULL;
}

/* Or is one of them at least judged by statistics? */
static bool is_expected(const struct report *report, size_t run)
{
    for (size_t i = 0; i < report->run[run].targets.count; i++)
        if (aim_of(report, run, i)->expected_verdict != NULL)
            return true;
    return false;
}

/* In a cell of its own column, so that nobody takes it for what was simulated. */
static void put_expected(FILE *page, const struct report *report, size_t run, size_t index)
{
    const struct report_aim *aim = aim_of(report, run, index);
    fputs("<td class=\"provisional\">", page);
    if (aim->expected_verdict != NULL) {
        html_number(page, aim->expected, report_decimals(aim->expected, 1, aim->low, aim->high), 1,
                    "runs.%zu.targets.%zu.expected", run, index);
        put_unit(page, aim->target->figure);
        fputs(": ", page);
        html_word(page, aim->expected_verdict, "runs.%zu.targets.%zu.expected_verdict", run, index);
    } else {
        fputs(T("needs a simulation"), page);
    }
    fputs("</td>", page);
}

/* With what the runs from `first` to `last` have, where they are judged. */
static void put_target(FILE *page, const struct report *report, size_t first, size_t last, size_t index)
{
    const struct report_target *target = aim_of(report, first, index)->target;
    fputs("<tr><th scope=\"row\">", page);
    html_word(page, target->words, "runs.%zu.targets.%zu.words", first, index);
    fputs(" <small class=\"source\">", page);
    html_word(page, target->title, "runs.%zu.targets.%zu.title", first, index);
    fputs(", ", page);
    html_string(page, target->link, "runs.%zu.targets.%zu.link", first, index);
    fputs("</small></th><td>", page);
    put_what(page, target->figure);
    fputs(" ", page);
    put_limits(page, report, first, index);
    fputs("</td>", page);
    for (size_t run = first; run <= last; run++)
        if (is_judged(report, run))
            put_found(page, report, run, index, first == last);
        else if (is_expected(report, run))
            put_expected(page, report, run, index);
    html_row_end(page);
}

static void put_heads(FILE *page, const struct report *report, size_t first, size_t last)
{
    fprintf(page,
            "<table class=\"targets%s\" data-table=\"targets\">\n<thead><tr><th scope=\"col\">%s</th><th "
            "scope=\"col\">%s</th>",
            first != last ? " two-of-them" : "", T("for"), T("should be"));
    for (size_t run = first; run <= last; run++) {
        const bool judged = is_judged(report, run);
        if (!judged && !is_expected(report, run))
            continue;
        if (first == last && judged) {
            fprintf(page, "<th scope=\"col\">%s</th><th scope=\"col\">%s</th>", T("here"), T("met?"));
            continue;
        }
        fputs("<th scope=\"col\">", page);
        if (first != last)
            report_run_mark(page, run);
        fprintf(page, "%s</th>", judged ? "" : T(" by statistics, not simulated"));
    }
    fputs("</tr></thead>\n<tbody>\n", page);
}

static void put_targets(FILE *page, const struct report *report, size_t first, size_t last)
{
    bool about = false, judged = false, expected = false;
    for (size_t run = first; run <= last; run++) {
        judged = judged || is_judged(report, run) || is_expected(report, run);
        expected = expected || is_expected(report, run);
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
                ? T("What is recommended for rooms of this size, at 500 and 1000&nbsp;Hz")
                : T("What is recommended for rooms, at 500 and 1000&nbsp;Hz"));
    put_heads(page, report, first, last);
    for (size_t i = 0; i < report->run[first].targets.count; i++) {
        const struct report_aim *aim = aim_of(report, first, i);
        put_target(page, report, first, last, i);
        about = about || aim->low == aim->high;
    }
    html_table_end(page);
    if (judged && about)
        fprintf(page, "<p class=\"why\">%s</p>\n",
                T("What is recommended as about one value counts as met within a fifth of it."));
    if (expected)
        fprintf(page, "<p class=\"why\">%s</p>\n",
                T("By statistics: the time that Eyring's formula gives for the same surfaces, put right by "
                  "what was "
                  "simulated below. The figures by octave have it octave by octave."));
    fputs("</details>\n", page);
}

/* What was asked for and cannot be judged. */
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

/* As they are printed, or so near that nobody is judged otherwise: 1 %, which is 2 % of the volume. */
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
