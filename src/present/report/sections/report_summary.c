#include <math.h>

#include "src/present/report/report_response.h"
#include "src/present/report/report_title.h"
#include "src/present/report/sections/report_page.h"

/* The verdicts are of the named places; of these there are maps. */
static double map_points(const struct report_run *run)
{
    double points = 0;
    for (size_t g = 0; run->maps.count > 0 && g < run->model->grids.count; g++)
        points += fmax(run->model->grids.item[g].points, 0);
    return points;
}

static void put_what(FILE *page, const struct report *report, size_t run)
{
    const double points = map_points(&report->run[run]);
    int length;
    const char *const name = report_room_name(report, run, &length);
    char count[32], room[200];
    snprintf(count, sizeof count, "%.0f", points);
    snprintf(room, sizeof room, "%.*s", length, name);
    REPORT_FILL(page, report, run, REPORT_TEMPLATE(what), {"points", .text = points > 0 ? count : NULL},
                {"room", .text = room});
}

static bool what_alike(const struct report *report)
{
    const struct run_model *a = report->run[0].model, *b = report->run[1].model;
    return report_same_data(report, "run.room.file") && report_same_data(report, "run.air_volume_m3") &&
           report_same_data(report, "run.partial") && report_same_data(report, "run.partial_because") &&
           a->points.sources.count == b->points.sources.count &&
           a->points.receivers.count == b->points.receivers.count &&
           map_points(&report->run[0]) == map_points(&report->run[1]);
}

/* The run has nothing but maps. */
static bool maps_alone(const struct report_run *run)
{
    return run->responses.count == 0 && run->model->grids.count > 0;
}

static bool findings_alike(const struct report *report)
{
    return report_same_data(report, "findings") && maps_alone(&report->run[0]) == maps_alone(&report->run[1]);
}

static void put_findings(FILE *page, const struct report *report, size_t run)
{
    const struct report_run *const of = &report->run[run];
    bool advice = false;
    for (size_t i = 0; i < of->findings.count; i++)
        advice = advice || of->findings.item[i].advice[0] != '\0';
    REPORT_FILL(page, report, run, REPORT_TEMPLATE(findings), {"maps_alone", .holds = maps_alone(of)},
                {"advice", .holds = advice});
}

/* In this order; facts common to two runs are written once, above those of each run. */
static const report_part parts[] = {put_what, report_leaks, put_findings};
static bool (*const are_alike[])(const struct report *report) = {what_alike, report_leaks_alike,
                                                                 findings_alike};
enum { PARTS = sizeof parts / sizeof parts[0] };

static void put_two(FILE *page, const struct report *report)
{
    bool alike[PARTS], all = true;
    for (int p = 0; p < PARTS; p++) {
        alike[p] = are_alike[p](report);
        all = all && alike[p];
        if (alike[p])
            parts[p](page, report, 0);
    }
    for (size_t r = 0; r < report->runs && !all; r++) {
        report_run_begin(page, report, r);
        for (int p = 0; p < PARTS; p++)
            if (!alike[p])
                parts[p](page, report, r);
        report_run_end(page, report);
    }
    fputs(all ? "" : "</div>\n", page);
}

static void put_parts(FILE *page, const struct report *report)
{
    if (report->runs == 2) {
        report_two_runs(page, report);
        put_two(page, report);
        return;
    }
    for (int p = 0; p < PARTS; p++)
        parts[p](page, report, 0);
    report_targets(page, report);
}

void report_summary(FILE *page, const struct report *report)
{
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(summary), {"parts", .section = put_parts});
}
