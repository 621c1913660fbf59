#include <math.h>

#include "src/compare/run_compare_words.h"
#include "src/draw/html.h"
#include "src/report/sections/report_difference_tables.h"
#include "src/report/sections/report_page.h"

#define HOW_TO_READ                                                                                          \
    ": A \xE2\x86\x92 B, then B less A and, in brackets, that in just noticeable differences; * one or "     \
    "more, ** three or more"

/* Between the items of a list. */
static void put_comma(FILE *page, size_t i, size_t count)
{
    fputs(i == 0 ? "" : i + 1 < count ? ", " : " and ", page);
}

/* ---- before all: which runs, and what a listener would notice ---- */

static void put_run(FILE *page, const struct report *report, size_t run)
{
    const struct record_room *room = &report->run[run].model->room;
    report_run_mark(page, run);
    fputs(", ", page);
    report_run_name(page, report, run);
    fputs(" (", page);
    if (room->project != NULL && room->project->variant != NULL) {
        fputs("variant ", page);
        html_string(page, room->project->variant, "runs.%zu.run.project.variant", run);
        fputs(", ", page);
    }
    fputs("up to ", page);
    html_number(page, room->fmax, 0, 1, "runs.%zu.run.fmax_hz", run);
    fputs("&nbsp;Hz)", page);
}

static bool nothing_shared(const struct run_comparison *comparison)
{
    return comparison->pairs == 0 && comparison->grids == 0;
}

/* Changes of the set-up, those that are cautions or the others. Returns how many. */
static size_t put_changes(FILE *page, const struct run_comparison *comparison, bool cautions,
                          const char *head)
{
    size_t written = 0;
    for (size_t i = 0; i < comparison->changes; i++) {
        if (comparison->change[i].caution != cautions)
            continue;
        if (written++ == 0)
            fprintf(page, "<p>%s</p>\n<ul class=\"%s\">\n", head, cautions ? "cautions" : "changes");
        fputs("<li>", page);
        html_string(page, comparison->change[i].words, "differences.changes.%zu.words", i);
        fputs("</li>\n", page);
    }
    fputs(written > 0 ? "</ul>\n" : "", page);
    return written;
}

void report_two_runs(FILE *page, const struct report *report)
{
    const struct run_comparison *comparison = report->comparison;
    char finding[RUN_FINDING_MAX];
    if (comparison == NULL)
        return;
    fputs("<div class=\"two-runs\">\n<p>Two runs are compared: ", page);
    put_run(page, report, 0);
    fputs(", and ", page);
    put_run(page, report, 1);
    fputs(".</p>\n", page);
    if (nothing_shared(comparison)) {
        fputs("<p class=\"warning\">They have no source and receiver and no map of the same names, so "
              "nothing in them can be compared: each is shown by itself below.</p>\n</div>\n",
              page);
        return;
    }
    fputs("<p class=\"finding\">In short, from A to B: ", page);
    html_string(page, run_finding(comparison, finding), "differences.finding");
    fputs(". <small>JND: just noticeable difference; less than 1 is not heard.</small></p>\n", page);
    put_changes(page, comparison, true, "What cannot be compared, or only with care:");
    fputs("</div>\n", page);
}

/* ---- what is compared ---- */

static void put_matched(FILE *page, const struct run_comparison *comparison)
{
    const size_t pairs = comparison->pairs;
    if (pairs == 0)
        return;
    fprintf(page, "<p class=\"matched\">Compared %s ", pairs == 1 ? "is the one place" : "are the");
    if (pairs > 1) {
        html_count(page, (double)pairs, "differences.matched");
        fputs(" places", page);
    }
    fputs(" with the same names of source and receiver in both runs: ", page);
    for (size_t p = 0; p < pairs; p++) {
        put_comma(page, p, pairs);
        html_string(page, comparison->pair[p].source, "differences.pairs.%zu.source", p);
        fputs(" heard at ", page);
        html_string(page, comparison->pair[p].receiver, "differences.pairs.%zu.receiver", p);
    }
    fputs(".</p>\n", page);
}

static void put_octaves(FILE *page, const struct octave_list *octaves, const char *at)
{
    for (size_t b = 0; b < octaves->count; b++) {
        put_comma(page, b, octaves->count);
        html_number(page, octaves->hz[b], 0, 1, "%s.octaves_hz.%zu", at, b);
    }
    fputs("&nbsp;Hz", page);
}

static void put_only_figure(FILE *page, const struct only_figure *only, const char *at)
{
    html_string(page, figure_kind[only->figure].word, "%s.word", at);
    if (only->octaves.count > 0) {
        fputs(" at ", page);
        put_octaves(page, &only->octaves, at);
    } else if (only->single) {
        fputs(" as a single number", page);
    }
}

/* Before each thing that only one run has; `written`: how many there were. */
static void begin_only(FILE *page, size_t run, size_t *written)
{
    if ((*written)++ > 0) {
        fputs("; ", page);
        return;
    }
    fputs("<p class=\"alone\">Only ", page);
    report_run_mark(page, run);
    fputs(" has: ", page);
}

/* What only one run has of what is compared: octaves, figures, maps. */
static void put_only(FILE *page, const struct run_comparison *comparison, size_t run)
{
    const struct only_one_run *only = &comparison->only[run];
    const char *const at = run == 0 ? "differences.only_first" : "differences.only_second";
    size_t written = 0;
    if (only->octaves.count > 0) {
        begin_only(page, run, &written);
        fputs(only->octaves.count == 1 ? "the octave of " : "the octaves of ", page);
        put_octaves(page, &only->octaves, at);
    }
    for (size_t i = 0; i < only->figures; i++) {
        char key[80];
        snprintf(key, sizeof key, "%s.figures.%zu", at, i);
        begin_only(page, run, &written);
        put_only_figure(page, &only->figure[i], key);
    }
    for (size_t i = 0; i < only->maps; i++) {
        begin_only(page, run, &written);
        fputs("the map ", page);
        html_string(page, only->map[i].grid, "%s.maps.%zu.name", at, i);
        fputs(" from ", page);
        html_string(page, only->map[i].source, "%s.maps.%zu.source", at, i);
    }
    fputs(written > 0 ? ".</p>\n" : "", page);
}

/* ---- maps ---- */

static void put_grid(FILE *page, const struct run_comparison *comparison, size_t g)
{
    const struct compared_grid *grid = &comparison->grid[g];
    const size_t points = grid->points[0];
    char key[64], what[1400];
    fputs("<h3>Map ", page);
    html_string(page, grid->name, "differences.grids.%zu.name", g);
    fputs(" from ", page);
    html_string(page, grid->source, "differences.grids.%zu.source", g);
    fputs("</h3>\n", page);
    if (!grid->by_point) {
        fputs("<p class=\"why\">Not compared point by point: ", page);
        html_string(page, grid->why, "differences.grids.%zu.why", g);
        fputs(".</p>\n", page);
    }
    if (grid->rows.count == 0) {
        fputs("<p class=\"why\">No figure of it is in both runs.</p>\n", page);
        return;
    }
    if (grid->by_point)
        snprintf(what, sizeof what, "Means over the %zu points" HOW_TO_READ, points);
    else
        snprintf(what, sizeof what, "Means of each run over its own points" HOW_TO_READ);
    snprintf(key, sizeof key, "differences.grids.%zu.figures", g);
    report_difference_table(page, comparison, &grid->rows, key, grid->by_point ? points : 0, false, what);
}

/* ---- the section ---- */

static void put_pairs(FILE *page, const struct run_comparison *comparison)
{
    if (comparison->pairs < 2)
        return;
    fputs("<details class=\"pairs\"><summary>Differences at every place</summary>\n", page);
    for (size_t p = 0; p < comparison->pairs; p++)
        report_difference_pair(page, comparison, p);
    fputs("</details>\n", page);
}

void report_differences(FILE *page, const struct report *report)
{
    const struct run_comparison *comparison = report->comparison;
    if (comparison == NULL)
        return;
    const bool by_octave = comparison->rows.count > 0 && comparison->rows.row[0].octave > 0;
    report_section_begin(page, "differences", "Differences");
    if (nothing_shared(comparison)) {
        fputs("<p class=\"why\">Nothing that the runs have in common can be compared.</p>\n", page);
        put_changes(page, comparison, true, "Why:");
    }
    put_matched(page, comparison);
    put_only(page, comparison, 0);
    put_only(page, comparison, 1);
    if (put_changes(page, comparison, false, "What differs in the set-up, A before B:") == 0)
        fputs("<p>The rest of the set-up is the same, as far as the runs record it.</p>\n", page);
    if (by_octave) {
        report_difference_table(
            page, comparison, &comparison->rows, "differences.figures", comparison->pairs, true,
            comparison->pairs > 1 ? "Means over the places" HOW_TO_READ : "At the one place" HOW_TO_READ);
        report_difference_singles(page, comparison);
        put_pairs(page, comparison);
    } else if (comparison->pairs > 0) {
        fputs("<p class=\"why\">There is no figure by octave that both runs have.</p>\n", page);
        report_difference_singles(page, comparison);
    }
    for (size_t g = 0; g < comparison->grids; g++)
        put_grid(page, comparison, g);
    report_section_end(page);
}
