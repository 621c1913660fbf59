#include <math.h>

#include "src/base/pitch_name.h"
#include "src/draw/html.h"
#include "src/report/report_page.h"
#include "src/report/report_response.h"
#include "src/report/report_ways_out.h"

static int size_at(const struct report *report, size_t run, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "runs.%zu.%s", run, name);
    return cJSON_GetArraySize(record_at(report->root, key));
}

/* The verdicts are of the named places; of these there are maps. */
static void put_map_points(FILE *page, const struct report *report, size_t run)
{
    const cJSON *grid;
    double points = 0;
    cJSON_ArrayForEach(grid, report_at(report, "runs.%zu.run.grids", run)) points +=
        fmax(record_number(grid, "points"), 0);
    if (points > 0 && size_at(report, run, "maps") > 0)
        fprintf(page, ", and maps of %.0f more", points);
}

static void put_what(FILE *page, const struct report *report, size_t run)
{
    const cJSON *root = report->root;
    char key[64], pitch[PITCH_NAME_MAX];
    const int sources = size_at(report, run, "run.sources"),
              receivers = size_at(report, run, "run.receivers");
    snprintf(key, sizeof key, "runs.%zu.run.fmax_hz", run);
    fputs("<p class=\"what\">The sound of ", page);
    html_string(page, root, "runs.%zu.run.room.file", run);
    fputs(" was simulated: a room of ", page);
    html_number(page, root, -3, 1, "runs.%zu.run.air_volume_m3", run);
    fprintf(page, "&nbsp;m\xC2\xB3 of air, with %d source%s and %d place%s to listen at", sources,
            sources == 1 ? "" : "s", receivers, receivers == 1 ? "" : "s");
    put_map_points(page, report, run);
    fprintf(page, ". The simulation holds every pitch from %d&nbsp;Hz up to ", REPORT_LOWEST);
    html_number(page, root, 0, 1, "%s", key);
    fputs("&nbsp;Hz", page);
    if (record_number(root, key) > 0)
        fprintf(page, ", which is about %s", pitch_name(record_number(root, key), pitch));
    fputs("; what is higher is not in it.</p>\n", page);
    snprintf(key, sizeof key, "runs.%zu.run.partial", run);
    if (cJSON_IsTrue(record_at(root, key))) {
        fputs("<p class=\"warning\">The run did not come to its end, and some results are missing: ", page);
        html_string(page, root, "runs.%zu.run.partial_because", run);
        fputs(".</p>\n", page);
    }
}

static void put_findings(FILE *page, const struct report *report, size_t run)
{
    const int count = size_at(report, run, "findings");
    if (count == 0) {
        fputs("<p class=\"why\">The run has no figures that would allow a finding.</p>\n", page);
        return;
    }
    fputs("<ol class=\"findings\">\n", page);
    for (int i = 0; i < count; i++) {
        fputs("<li class=\"finding ", page);
        html_text(page, record_text(report_at(report, "runs.%zu.findings.%d", run, i), "verdict"));
        fputs("\"><strong class=\"verdict\">", page);
        html_string(page, report->root, "runs.%zu.findings.%d.verdict", run, i);
        fputs("</strong> ", page);
        html_string(page, report->root, "runs.%zu.findings.%d.sentence", run, i);
        fputs("</li>\n", page);
    }
    fputs("</ol>\n", page);
}

/* In this order; what is the same of two runs is told once, above or (its last two) below what is told of
 * each. */
static const report_part parts[] = {put_what, report_ways_out_words, put_findings, report_targets,
                                    report_guesses};
enum { PARTS = sizeof parts / sizeof parts[0], ABOVE = PARTS - 2 };

static void put_two(FILE *page, const struct report *report)
{
    bool alike[PARTS], all = true;
    for (int p = 0; p < PARTS; p++) {
        alike[p] = report_part_alike(report, parts[p]);
        all = all && alike[p];
        if (alike[p] && p < ABOVE)
            parts[p](page, report, 0);
    }
    const bool joined = !alike[ABOVE] && report_targets_are_same(report);
    for (size_t r = 0; r < report->runs && !all; r++) {
        report_run_begin(page, report, r);
        for (int p = 0; p < PARTS; p++)
            if (!alike[p] && !(p == ABOVE && joined))
                parts[p](page, report, r);
        report_run_end(page);
    }
    fputs(all ? "" : "</div>\n", page);
    if (joined)
        report_targets_of_both(page, report);
    for (int p = ABOVE; p < PARTS; p++)
        if (alike[p])
            parts[p](page, report, 0);
}

void report_summary(FILE *page, const struct report *report)
{
    report_section_begin(page, "summary", "Summary");
    if (report->runs == 2) {
        report_two_runs(page, report);
        put_two(page, report);
    } else {
        for (int p = 0; p < PARTS; p++)
            parts[p](page, report, 0);
    }
    report_section_end(page);
}
