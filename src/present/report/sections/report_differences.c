#include <math.h>

#include "src/present/compare/run_compare_words.h"
#include "src/draw/html.h"
#include "src/present/report/sections/report_difference_tables.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

/* Between the items of a list. */
static void put_comma(FILE *page, size_t i, size_t count)
{
    fputs(i == 0 ? "" : i + 1 < count ? ", " : T(" and "), page);
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
        fputs(T("variant "), page);
        html_string(page, room->project->variant, "runs.%zu.run.project.variant", run);
        fputs(", ", page);
    }
    fputs(T("up to "), page);
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
    fprintf(page, "<div class=\"two-runs\">\n<p>%s", T("Two runs are compared: "));
    put_run(page, report, 0);
    fputs(T(", and "), page);
    put_run(page, report, 1);
    fputs(".</p>\n", page);
    if (nothing_shared(comparison)) {
        fprintf(page, "<p class=\"warning\">%s</p>\n</div>\n",
                T("They have no source and receiver and no map of the same names, so nothing in them can be "
                  "compared: "
                  "each is shown by itself below."));
        return;
    }
    fprintf(page, "<p class=\"finding\">%s", T("In short, from A to B: "));
    html_string(page, run_finding(comparison, finding), "differences.finding");
    fprintf(page, ". <small>%s</small></p>\n",
            T("JND: just noticeable difference; less than 1 is not heard."));
    put_changes(page, comparison, true, T("What cannot be compared, or only with care:"));
    fputs("</div>\n", page);
}

/* ---- what is compared ---- */

static void put_matched(FILE *page, const struct run_comparison *comparison)
{
    const size_t pairs = comparison->pairs;
    if (pairs == 0)
        return;
    fputs("<p class=\"matched\">", page);
    if (pairs > 1) {
        fputs(T("Compared are the "), page);
        html_count(page, (double)pairs, "differences.matched");
        fputs(T(" places with the same names of source and receiver in both runs: "), page);
    } else {
        fputs(T("Compared is the one place with the same names of source and receiver in both runs: "), page);
    }
    for (size_t p = 0; p < pairs; p++) {
        put_comma(page, p, pairs);
        html_string(page, comparison->pair[p].source, "differences.pairs.%zu.source", p);
        fputs(T(" heard at "), page);
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
    html_word(page, figure_kind[only->figure].word, "%s.word", at);
    if (only->octaves.count > 0) {
        fputs(T(" at "), page);
        put_octaves(page, &only->octaves, at);
    } else if (only->single) {
        fputs(T(" as a single number"), page);
    }
}

/* Before each thing that only one run has; `written`: how many there were. */
static void begin_only(FILE *page, size_t run, size_t *written)
{
    if ((*written)++ > 0) {
        fputs("; ", page);
        return;
    }
    fprintf(page, "<p class=\"alone\">%s", T("Only "));
    report_run_mark(page, run);
    fputs(T(" has: "), page);
}

/* What only one run has of what is compared: octaves, figures, maps. */
static void put_only(FILE *page, const struct run_comparison *comparison, size_t run)
{
    const struct only_one_run *only = &comparison->only[run];
    const char *const at = run == 0 ? "differences.only_first" : "differences.only_second";
    size_t written = 0;
    if (only->octaves.count > 0) {
        begin_only(page, run, &written);
        fputs(only->octaves.count == 1 ? T("the octave of ") : T("the octaves of "), page);
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
        fputs(T("the map "), page);
        html_string(page, only->map[i].grid, "%s.maps.%zu.name", at, i);
        fputs(T(" from "), page);
        html_string(page, only->map[i].source, "%s.maps.%zu.source", at, i);
    }
    fputs(written > 0 ? ".</p>\n" : "", page);
}

/* ---- maps ---- */

static void put_grid(FILE *page, const struct report *report, size_t g)
{
    const struct compared_grid *grid = &report->comparison->grid[g];
    const size_t points = grid->points[0];
    char key[64], what[200];
    fprintf(page, "<h3>%s", T("Map "));
    html_string(page, grid->name, "differences.grids.%zu.name", g);
    fputs(T(" from "), page);
    html_string(page, grid->source, "differences.grids.%zu.source", g);
    fputs("</h3>\n", page);
    if (!grid->by_point) {
        fprintf(page, "<p class=\"why\">%s", T("Not compared point by point: "));
        html_string(page, grid->why, "differences.grids.%zu.why", g);
        fputs(".</p>\n", page);
    }
    if (grid->rows.count == 0) {
        fprintf(page, "<p class=\"why\">%s</p>\n", T("No figure of it is in both runs."));
        return;
    }
    if (grid->by_point)
        snprintf(what, sizeof what, T("Means over the %zu points"), points);
    else
        snprintf(what, sizeof what, "%s", T("Means of each run over its own points"));
    snprintf(key, sizeof key, "differences.grids.%zu.figures", g);
    report_difference_table(page, report, &grid->rows, key, grid->by_point ? points : 0, false, what);
}

/* ---- the section ---- */

static void put_pairs(FILE *page, const struct report *report)
{
    const size_t pairs = report->comparison->pairs;
    if (pairs < 2)
        return;
    fprintf(page, "<details class=\"pairs\"><summary>%s</summary>\n", T("Differences at every place"));
    for (size_t p = 0; p < pairs; p++)
        report_difference_pair(page, report, p);
    fputs("</details>\n", page);
}

void report_differences(FILE *page, const struct report *report)
{
    const struct run_comparison *comparison = report->comparison;
    if (comparison == NULL)
        return;
    const bool by_octave = comparison->rows.count > 0 && comparison->rows.row[0].octave > 0;
    report_section_begin(page, "differences", T("Differences"));
    if (nothing_shared(comparison)) {
        fprintf(page, "<p class=\"why\">%s</p>\n",
                T("Nothing that the runs have in common can be compared."));
        put_changes(page, comparison, true, T("Why:"));
    }
    put_matched(page, comparison);
    put_only(page, comparison, 0);
    put_only(page, comparison, 1);
    if (put_changes(page, comparison, false, T("What differs in the set-up, A before B:")) == 0)
        fprintf(page, "<p>%s</p>\n", T("The rest of the set-up is the same, as far as the runs record it."));
    if (by_octave) {
        report_difference_table(page, report, &comparison->rows, "differences.figures", comparison->pairs,
                                true,
                                comparison->pairs > 1 ? T("Means over the places") : T("At the one place"));
        report_difference_singles(page, report);
        put_pairs(page, report);
    } else if (comparison->pairs > 0) {
        fprintf(page, "<p class=\"why\">%s</p>\n", T("There is no figure by octave that both runs have."));
        report_difference_singles(page, report);
    }
    for (size_t g = 0; g < comparison->grids; g++)
        put_grid(page, report, g);
    report_section_end(page);
}
