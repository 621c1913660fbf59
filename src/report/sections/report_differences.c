#include <math.h>

#include "src/draw/html.h"
#include "src/report/sections/report_page.h"
#include "src/report/sections/report_difference_tables.h"

#define HOW_TO_READ                                                                                          \
    ": A \xE2\x86\x92 B, then B less A and, in brackets, that in just noticeable differences; * one or "     \
    "more, ** three or more"

static int size_of(const struct report *report, const char *key)
{
    return cJSON_GetArraySize(report_difference_at(report, "%s", key));
}

static void put_runs_letter(FILE *page, int run)
{
    fprintf(page, "<b class=\"run-mark of-%d\">%c</b>", run, 'A' + run);
}

/* ---- before all: which runs, and what a listener would notice ---- */

static void put_run(FILE *page, const struct report *report, int run)
{
    const struct record_project *project = report->run[run].model->room.project;
    put_runs_letter(page, run);
    fputs(", ", page);
    html_string(page, report->run[run].name, "runs.%d.name", run);
    fputs(" (", page);
    if (project != NULL && project->variant != NULL) {
        fputs("variant ", page);
        html_string(page, project->variant, "runs.%d.run.project.variant", run);
        fputs(", ", page);
    }
    fputs("up to ", page);
    html_number(page, report->run[run].model->room.fmax, 0, 1, "runs.%d.run.fmax_hz", run);
    fputs("&nbsp;Hz)", page);
}

static bool nothing_shared(const struct report *report)
{
    return size_of(report, "differences.pairs") == 0 && size_of(report, "differences.grids") == 0;
}

/* Changes of the set-up, those that are cautions or the others. Returns how many. */
static int put_changes(FILE *page, const struct report *report, bool cautions, const char *head)
{
    const int count = size_of(report, "differences.changes");
    int written = 0;
    for (int i = 0; i < count; i++) {
        if (cJSON_IsTrue(report_difference_at(report, "differences.changes.%d.caution", i)) != cautions)
            continue;
        if (written++ == 0)
            fprintf(page, "<p>%s</p>\n<ul class=\"%s\">\n", head, cautions ? "cautions" : "changes");
        fputs("<li>", page);
        report_difference_string(page, report, "differences.changes.%d.words", i);
        fputs("</li>\n", page);
    }
    fputs(written > 0 ? "</ul>\n" : "", page);
    return written;
}

void report_two_runs(FILE *page, const struct report *report)
{
    if (report->runs < 2)
        return;
    fputs("<div class=\"two-runs\">\n<p>Two runs are compared: ", page);
    put_run(page, report, 0);
    fputs(", and ", page);
    put_run(page, report, 1);
    fputs(".</p>\n", page);
    if (nothing_shared(report)) {
        fputs("<p class=\"warning\">They have no source and receiver and no map of the same names, so "
              "nothing of "
              "them can be compared: each is shown for itself below.</p>\n</div>\n",
              page);
        return;
    }
    fputs("<p class=\"finding\">In short, from A to B: ", page);
    report_difference_string(page, report, "differences.finding");
    fputs(". <small>JND: just noticeable difference; less than 1 is not heard.</small></p>\n", page);
    put_changes(page, report, true, "What cannot be compared, or only with care:");
    fputs("</div>\n", page);
}

/* ---- what is compared ---- */

static void put_matched(FILE *page, const struct report *report)
{
    const int pairs = size_of(report, "differences.pairs");
    if (pairs == 0)
        return;
    fprintf(page, "<p class=\"matched\">Compared %s ", pairs == 1 ? "is the one place" : "are the");
    if (pairs > 1) {
        html_count(page, record_number(report->differences, "matched"), "differences.matched");
        fputs(" places", page);
    }
    fputs(" with the same names of source and receiver in both runs: ", page);
    for (int p = 0; p < pairs; p++) {
        fputs(p == 0 ? "" : p + 1 < pairs ? ", " : " and ", page);
        report_difference_string(page, report, "differences.pairs.%d.source", p);
        fputs(" heard at ", page);
        report_difference_string(page, report, "differences.pairs.%d.receiver", p);
    }
    fputs(".</p>\n", page);
}

static void put_octaves(FILE *page, const struct report *report, const char *at)
{
    const int count = size_of(report, at);
    for (int b = 0; b < count; b++) {
        fputs(b == 0 ? "" : b + 1 < count ? ", " : " and ", page);
        report_difference_number(page, report, 0, "%s.%d", at, b);
    }
    fputs("&nbsp;Hz", page);
}

static void put_figure_alone(FILE *page, const struct report *report, const char *at)
{
    char octaves[120];
    snprintf(octaves, sizeof octaves, "%s.octaves_hz", at);
    const bool single = cJSON_IsTrue(report_difference_at(report, "%s.single_number", at));
    report_difference_string(page, report, "%s.word", at);
    if (size_of(report, octaves) > 0) {
        fputs(" at ", page);
        put_octaves(page, report, octaves);
    }
    if (single && size_of(report, octaves) == 0)
        fputs(" as a single number", page);
}

/* What only one run has of what is compared: octaves, figures, maps. */
static void put_alone(FILE *page, const struct report *report, int run)
{
    const char *const only = run == 0 ? "differences.only_first" : "differences.only_second";
    char key[80];
    int written = 0;
    for (int kind = 0; kind < 3; kind++) {
        static const char *const kinds[3] = {"octaves_hz", "figures", "maps"};
        snprintf(key, sizeof key, "%s.%s", only, kinds[kind]);
        const int count = size_of(report, key);
        for (int i = 0; i < (kind == 0 ? count > 0 : count); i++) {
            if (written++ == 0) {
                fputs("<p class=\"alone\">Only ", page);
                put_runs_letter(page, run);
                fputs(" has: ", page);
            } else {
                fputs("; ", page);
            }
            if (kind == 0) {
                fputs(count == 1 ? "the octave of " : "the octaves of ", page);
                put_octaves(page, report, key);
                continue;
            }
            snprintf(key, sizeof key, "%s.%s.%d", only, kinds[kind], i);
            if (kind == 1) {
                put_figure_alone(page, report, key);
            } else {
                fputs("the map ", page);
                report_difference_string(page, report, "%s.name", key);
                fputs(" from ", page);
                report_difference_string(page, report, "%s.source", key);
            }
            snprintf(key, sizeof key, "%s.%s", only, kinds[kind]);
        }
    }
    fputs(written > 0 ? ".</p>\n" : "", page);
}

/* ---- maps ---- */

static void put_grid(FILE *page, const struct report *report, int g)
{
    char key[64], what[1400];
    const double points =
        record_number(report_difference_at(report, "differences.grids.%d", g), "points_first");
    const bool by_point = cJSON_IsTrue(report_difference_at(report, "differences.grids.%d.by_point", g));
    fputs("<h3>Map ", page);
    report_difference_string(page, report, "differences.grids.%d.name", g);
    fputs(" from ", page);
    report_difference_string(page, report, "differences.grids.%d.source", g);
    fputs("</h3>\n", page);
    if (!by_point) {
        fputs("<p class=\"why\">Not compared point by point: ", page);
        report_difference_string(page, report, "differences.grids.%d.why", g);
        fputs(".</p>\n", page);
    }
    snprintf(key, sizeof key, "differences.grids.%d.figures", g);
    if (size_of(report, key) == 0) {
        fputs("<p class=\"why\">No figure of it is in both runs.</p>\n", page);
        return;
    }
    if (by_point)
        snprintf(what, sizeof what, "Means over the %.0f points" HOW_TO_READ, points);
    else
        snprintf(what, sizeof what, "Means of each run over its own points" HOW_TO_READ);
    report_difference_table(page, report, key, by_point ? (int)points : 0, false, what);
}

/* ---- the section ---- */

static void put_pairs(FILE *page, const struct report *report)
{
    const int pairs = size_of(report, "differences.pairs");
    if (pairs < 2)
        return;
    fputs("<details class=\"pairs\"><summary>Differences at every place</summary>\n", page);
    for (int p = 0; p < pairs; p++)
        report_difference_pair(page, report, p);
    fputs("</details>\n", page);
}

void report_differences(FILE *page, const struct report *report)
{
    if (report->runs < 2)
        return;
    const int pairs = size_of(report, "differences.pairs");
    report_section_begin(page, "differences", "Differences");
    if (nothing_shared(report)) {
        fputs("<p class=\"why\">Nothing that the runs have in common can be compared.</p>\n", page);
        put_changes(page, report, true, "Why:");
    }
    put_matched(page, report);
    put_alone(page, report, 0);
    put_alone(page, report, 1);
    if (put_changes(page, report, false, "What differs in the set-up, A before B:") == 0)
        fputs("<p>The rest of the set-up is the same, as far as the runs record it.</p>\n", page);
    if (size_of(report, "differences.figures") > 0) {
        report_difference_table(page, report, "differences.figures", pairs, true,
                                pairs > 1 ? "Means over the places" HOW_TO_READ
                                          : "At the one place" HOW_TO_READ);
        report_difference_singles(page, report);
        put_pairs(page, report);
    } else if (pairs > 0) {
        fputs("<p class=\"why\">There is no figure by octave that both runs have.</p>\n", page);
        report_difference_singles(page, report);
    }
    for (int g = 0; g < size_of(report, "differences.grids"); g++)
        put_grid(page, report, g);
    report_section_end(page);
}
