#include <math.h>

#include "src/html.h"
#include "src/pitch_name.h"
#include "src/report_figures.h"
#include "src/report_page.h"
#include "src/report_targets.h"

static int size_at(const struct report *report, size_t run, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "runs.%zu.%s", run, name);
    return cJSON_GetArraySize(record_at(report->root, key));
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
    fprintf(page,
            " m\xC2\xB3 of air, with %d source%s and %d place%s to listen at. The simulation holds every "
            "pitch up to ",
            sources, sources == 1 ? "" : "s", receivers, receivers == 1 ? "" : "s");
    html_number(page, root, -4, 1, "%s", key);
    fprintf(page, " Hz, which is about %s; what is higher is not in it.</p>\n",
            pitch_name(record_number(root, key), pitch));
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
        fputs("\">", page);
        html_string(page, report->root, "runs.%zu.findings.%d.sentence", run, i);
        fputs("</li>\n", page);
    }
    fputs("</ol>\n", page);
}

/* ---- targets ---- */

static void put_limits(FILE *page, const struct report_target *target, double volume)
{
    double low = NAN, high = NAN;
    report_target_limits(target, volume, &low, &high);
    const bool time = strcmp(target->figure, "t30_s") == 0, decibels = strcmp(target->figure, "c80_db") == 0;
    const char *unit = time ? " s" : decibels ? " dB" : "";
    if (low == high)
        fprintf(page, "about %.1f%s", low, unit);
    else if (isinf(high))
        fprintf(page, "above %.1f%s", low, unit);
    else
        fprintf(page, "%.1f to %.1f%s", low, high, unit);
}

/* The mean of the run beside what it should be. */
static void put_target(FILE *page, const struct report *report, size_t run,
                       const struct report_target *target, double volume)
{
    static const char *const words[][2] = {
        {"t30_s", "reverberation time T30"}, {"d50", "definition D50"}, {"c80_db", "clarity C80"}};
    const cJSON *responses = report_at(report, "runs.%zu.responses", run);
    const int band = report_figure_band(responses, target->figure);
    char text[REPORT_BAND_WORDS];
    fprintf(page, "<tr><th scope=\"row\">%s: %s</th><td>", target->use, target->words);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i][0], target->figure) == 0)
            fputs(words[i][1], page);
    fputs("</td><td>", page);
    put_limits(page, target, volume);
    fputs("</td><td>", page);
    const double mean = report_figure_spread(responses, target->figure, band, NULL).mean;
    if (band == REPORT_BAND_NONE || !isfinite(mean))
        fputs("<span class=\"absent\">\xE2\x80\x93</span>", page);
    else
        fprintf(page, "%.2f at %s", mean, report_band_words(responses, band, text));
    fputs("</td><td class=\"source\">", page);
    html_text(page, target->title);
    fputs("<br><small>", page);
    html_text(page, target->link);
    fputs("</small></td></tr>\n", page);
}

static void put_targets(FILE *page, const struct report *report, size_t run)
{
    const cJSON *item = report_at(report, "runs.%zu.run.air_volume_m3", run);
    const double volume = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    double low, high;
    fputs(
        "<details class=\"targets\" open>\n<summary>What rooms of this size should have</summary>\n<table>\n"
        "<caption>Targets for middle frequencies (500 and 1000 Hz), and where they "
        "stand</caption>\n<thead><tr>"
        "<th scope=\"col\">use</th><th scope=\"col\">figure</th><th scope=\"col\">target</th>"
        "<th scope=\"col\">this run, mean</th><th scope=\"col\">source</th></tr></thead>\n<tbody>\n",
        page);
    for (size_t i = 0; i < report_target_count; i++)
        if (report_target_limits(&report_target[i], volume, &low, &high))
            put_target(page, report, run, &report_target[i], volume);
    fputs("</tbody>\n</table>\n</details>\n", page);
}

static void put_guessed(FILE *page, const struct report *report, size_t run)
{
    const int count = size_at(report, run, "run.materials");
    int guessed = 0;
    for (int m = 0; m < count; m++) {
        char key[64];
        snprintf(key, sizeof key, "runs.%zu.run.materials.%d.guessed", run, m);
        if (!cJSON_IsTrue(record_at(report->root, key)))
            continue;
        fputs(guessed++ == 0
                  ? "<p class=\"guessed\">Guessed, and to be confirmed by somebody who knows the building: "
                  : ", ",
              page);
        html_string(page, report->root, "runs.%zu.run.materials.%d.name", run, m);
        fputs(" as ", page);
        html_string(page, report->root, "runs.%zu.run.materials.%d.library_name", run, m);
    }
    if (guessed > 0)
        fputs(".</p>\n", page);
}

void report_summary(FILE *page, const struct report *report)
{
    report_section_begin(page, "summary", "Summary");
    for (size_t r = 0; r < report->runs; r++) {
        report_run_begin(page, report, r);
        put_what(page, report, r);
        put_findings(page, report, r);
        put_targets(page, report, r);
        put_guessed(page, report, r);
        if (report->runs > 1)
            report_run_end(page);
    }
    if (report->runs > 1)
        fputs("</div>\n", page);
    report_section_end(page);
}
