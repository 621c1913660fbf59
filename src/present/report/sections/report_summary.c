#include <math.h>

#include "src/base/pitch_name.h"
#include "src/draw/html.h"
#include "src/present/report/report_response.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

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
    const struct run_model *model = report->run[run].model;
    const struct record_mesh *mesh = model->room.mesh;
    const size_t sources = model->points.sources.count, receivers = model->points.receivers.count;
    char pitch[PITCH_NAME_MAX];
    fprintf(page, "<p class=\"what\">%s", T("The sound of "));
    html_string(page, mesh != NULL ? mesh->file : NULL, "runs.%zu.run.room.file", run);
    fputs(T(" was simulated: a room of "), page);
    html_number(page, model->size.air_volume, -3, 1, "runs.%zu.run.air_volume_m3", run);
    fprintf(page,
            sources == 1 ? T("&nbsp;m\xC2\xB3 of air, with %zu source and ")
                         : T("&nbsp;m\xC2\xB3 of air, with %zu sources and "),
            sources);
    fprintf(page, receivers == 1 ? T("%zu place to listen at") : T("%zu places to listen at"), receivers);
    if (map_points(&report->run[run]) > 0)
        fprintf(page, T(", and maps of %.0f more"), map_points(&report->run[run]));
    fprintf(page, T(". The simulation holds every pitch from %d&nbsp;Hz up to "), REPORT_LOWEST);
    html_number(page, model->room.fmax, 0, 1, "runs.%zu.run.fmax_hz", run);
    fputs("&nbsp;Hz", page);
    if (model->room.fmax > 0)
        fprintf(page, T(", which is about %s"), pitch_name(model->room.fmax, pitch));
    fprintf(page, "%s</p>\n", T("; what is higher is not in it."));
    if (model->partial) {
        fprintf(page, "<p class=\"warning\">%s",
                T("The run did not come to its end, and some results are missing: "));
        html_string(page, model->partial_because, "runs.%zu.run.partial_because", run);
        fputs(".</p>\n", page);
    }
}

static bool what_alike(const struct report_run *first, const struct report_run *second)
{
    const struct run_model *a = first->model, *b = second->model;
    return report_alike_texts(a->room.mesh != NULL ? a->room.mesh->file : NULL,
                              b->room.mesh != NULL ? b->room.mesh->file : NULL) &&
           report_alike_numbers(a->size.air_volume, b->size.air_volume) &&
           report_alike_numbers(a->room.fmax, b->room.fmax) &&
           a->points.sources.count == b->points.sources.count &&
           a->points.receivers.count == b->points.receivers.count &&
           report_alike_numbers(map_points(first), map_points(second)) && a->partial == b->partial &&
           (!a->partial || report_alike_texts(a->partial_because, b->partial_because));
}

/* The run has nothing but maps. */
static bool maps_alone(const struct report_run *run)
{
    return run->responses.count == 0 && run->model->grids.count > 0;
}

static bool findings_alike(const struct report_run *first, const struct report_run *second)
{
    if (first->findings.count != second->findings.count || maps_alone(first) != maps_alone(second))
        return false;
    for (size_t i = 0; i < first->findings.count; i++) {
        const struct report_finding *a = &first->findings.item[i], *b = &second->findings.item[i];
        if (a->verdict != b->verdict || strcmp(a->sentence, b->sentence) != 0)
            return false;
    }
    return true;
}

static void put_findings(FILE *page, const struct report *report, size_t run)
{
    const struct report_run *of = &report->run[run];
    if (of->findings.count == 0) {
        fprintf(page, "<p class=\"why\">%s</p>\n",
                maps_alone(of)
                    ? T("The run has maps alone, and findings are made of receivers at single places: "
                        "simulate with "
                        "one. What the maps show is further down.")
                    : T("The run has no figures that would allow a finding."));
        return;
    }
    fputs("<ol class=\"findings\">\n", page);
    for (size_t i = 0; i < of->findings.count; i++) {
        const struct report_finding *finding = &of->findings.item[i];
        const char *verdict = report_verdict_word(finding->verdict);
        fprintf(page, "<li class=\"finding %s\"><strong class=\"verdict\">", verdict);
        html_word(page, verdict, "runs.%zu.findings.%zu.verdict", run, i);
        fputs("</strong> ", page);
        html_string(page, finding->sentence, "runs.%zu.findings.%zu.sentence", run, i);
        fputs("</li>\n", page);
    }
    fputs("</ol>\n", page);
}

/* In this order; what is the same of two runs is written once, above or (its last two) below what is
 * written of each. */
static const report_part parts[] = {put_what, report_leaks, put_findings, report_targets, report_guesses};
static const report_alike are_alike[] = {what_alike, report_leaks_alike, findings_alike, report_targets_alike,
                                         report_guesses_alike};
enum { PARTS = sizeof parts / sizeof parts[0], ABOVE = PARTS - 2 };

static void put_two(FILE *page, const struct report *report)
{
    bool alike[PARTS], all = true;
    for (int p = 0; p < PARTS; p++) {
        alike[p] = are_alike[p](&report->run[0], &report->run[1]);
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
        report_run_end(page, report);
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
    report_section_begin(page, "summary", T("Summary"));
    if (report->runs == 2) {
        report_two_runs(page, report);
        put_two(page, report);
    } else {
        for (int p = 0; p < PARTS; p++)
            parts[p](page, report, 0);
    }
    report_section_end(page);
}
