#include <math.h>

#include "src/html.h"
#include "src/report_figures.h"
#include "src/report_page.h"
#include "src/report_response.h"
#include "src/report_targets.h"
#include "src/report_ways_out.h"

/* ---- into the data ---- */

static cJSON *target_json(const cJSON *responses, const struct report_target *target, double volume)
{
    const int band = report_figure_band(responses, target->figure);
    double low = NAN, high = NAN;
    char words[REPORT_BAND_WORDS];
    cJSON *entry = cJSON_CreateObject();
    report_target_limits(target, volume, &low, &high);
    cJSON_AddStringToObject(entry, "figure", target->figure);
    cJSON_AddStringToObject(entry, "use", target->use);
    cJSON_AddStringToObject(entry, "words", target->words);
    cJSON_AddItemToObject(entry, "low", report_rounded(low, 3));
    cJSON_AddItemToObject(entry, "high", report_rounded(high, 3));
    cJSON_AddItemToObject(
        entry, "value", report_rounded(report_figure_spread(responses, target->figure, band, NULL).mean, 4));
    cJSON_AddStringToObject(entry, "octaves",
                            band != REPORT_BAND_NONE ? report_band_words(responses, band, words) : "");
    cJSON_AddStringToObject(entry, "title", target->title);
    cJSON_AddStringToObject(entry, "link", target->link);
    return entry;
}

void report_targets_add(cJSON *run)
{
    const double volume = report_room_volume(run);
    double low, high;
    cJSON *targets = cJSON_AddArrayToObject(run, "targets");
    for (size_t i = 0; i < report_target_count; i++)
        if (report_target_limits(&report_target[i], volume, &low, &high))
            cJSON_AddItemToArray(targets,
                                 target_json(record_at(run, "responses"), &report_target[i], volume));
}

/* ---- onto the page ---- */

static void put_limits(FILE *page, const struct report *report, size_t run, int index, const char *unit)
{
    const cJSON *target = report_at(report, "runs.%zu.targets.%d", run, index);
    const double low = record_number(target, "low"), high = record_number(target, "high");
    const bool range = isfinite(low) && isfinite(high) && low != high;
    fputs(range ? "" : low == high ? "about " : isfinite(low) ? "above " : "below ", page);
    if (isfinite(low))
        html_number(page, report->root, 1, 1, "runs.%zu.targets.%d.low", run, index);
    fputs(range ? " to " : "", page);
    if (range || !isfinite(low))
        html_number(page, report->root, 1, 1, "runs.%zu.targets.%d.high", run, index);
    fputs(unit, page);
}

static void put_target(FILE *page, const struct report *report, size_t run, int index)
{
    static const char *const figures[][3] = {{"t30_s", "reverberation time T30", " s"},
                                             {"d50", "definition D50", ""},
                                             {"c80_db", "clarity C80", " dB"}};
    const char *figure = record_text(report_at(report, "runs.%zu.targets.%d", run, index), "figure");
    size_t f = 0;
    while (f < 2 && strcmp(figures[f][0], figure) != 0)
        f++;
    fputs("<li><strong>", page);
    html_string(page, report->root, "runs.%zu.targets.%d.use", run, index);
    fputs("</strong> (", page);
    html_string(page, report->root, "runs.%zu.targets.%d.words", run, index);
    fprintf(page, "): %s ", figures[f][1]);
    put_limits(page, report, run, index, figures[f][2]);
    fputs("; this run, mean: ", page);
    if (html_number(page, report->root, 2, 1, "runs.%zu.targets.%d.value", run, index)) {
        fprintf(page, "%s at ", figures[f][2]);
        html_string(page, report->root, "runs.%zu.targets.%d.octaves", run, index);
    }
    fputs(". <small class=\"source\">", page);
    html_string(page, report->root, "runs.%zu.targets.%d.title", run, index);
    fputs(", ", page);
    html_string(page, report->root, "runs.%zu.targets.%d.link", run, index);
    fputs("</small></li>\n", page);
}

void report_targets(FILE *page, const struct report *report, size_t run)
{
    const int count = cJSON_GetArraySize(report_at(report, "runs.%zu.targets", run));
    if (count == 0)
        return;
    fprintf(
        page,
        "<details class=\"targets\" open>\n<summary>What rooms%s should have, at middle frequencies (500 and "
        "1000 Hz)</summary>\n<ul>\n",
        report_room_volume(report_at(report, "runs.%zu", run)) > 0 ? " of this size" : "");
    for (int i = 0; i < count; i++)
        put_target(page, report, run, i);
    fputs("</ul>\n</details>\n", page);
}
