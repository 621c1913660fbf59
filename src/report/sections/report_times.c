#include <math.h>

#include "src/acoustics/acoustic_figures.h"
#include "src/acoustics/octave_decay.h"
#include "src/draw/html.h"
#include "src/report/report_page.h"
#include "src/report/sections/report_drawing.h"

/* What a row of a table is called, with its name explained for whoever stops at it. */
struct row {
    const char *name; /* in JSON */
    const char *word, *meaning, *unit;
    int decimals;
};

static const struct row row[] = {
    {"t30_s", "T30", "reverberation time, from the fall between 5 and 35 dB below the start", "s", 2},
    {"t20_s", "T20", "reverberation time, from the fall between 5 and 25 dB below the start", "s", 2},
    {"edt_s", "EDT", "early decay time: the reverberation that is heard while music goes on", "s", 2},
    {"c50_db", "C50", "clarity of speech: sound within 50 ms against what comes later", "dB", 1},
    {"c80_db", "C80", "clarity of music: sound within 80 ms against what comes later", "dB", 1},
    {"d50", "D50", "definition: the share of the sound that comes within 50 ms", "", 2},
    {"ts_s", "Ts", "centre time: the centre of gravity of the energy in time", "s", 3},
    {"g_db", "G", "strength: how much louder the room makes the source than the open air at 10 m", "dB", 1},
    {"mti", "MTI", "modulation transfer index: how much of the rhythm of speech an octave passes on, 0 to 1",
     "", 2},
    {"lf", "LF", "share of the early sound that comes from the sides", "", 2},
};
#define ROWS (sizeof row / sizeof row[0])

static int octaves_of(const cJSON *object)
{
    return cJSON_GetArraySize(record_at(object, "octaves_hz"));
}

static void put_row_head(FILE *page, const struct row *entry)
{
    fputs("<tr><th scope=\"row\"><abbr title=\"", page);
    html_text(page, entry->meaning);
    fprintf(page, "\">%s</abbr>%s%s</th>", entry->word, entry->unit[0] != '\0' ? " " : "", entry->unit);
}

static void put_octave_heads(FILE *page, const cJSON *octaves)
{
    const cJSON *item;
    fputs("<tr><th scope=\"col\">octave</th>", page);
    cJSON_ArrayForEach(item, octaves)
        fprintf(page, "<th scope=\"col\">%d&nbsp;Hz</th>", octave_nominal(item->valuedouble));
    fputs("</tr>\n", page);
}

/* ---- the means of a run ---- */

static void put_means(FILE *page, const struct report *report, size_t run)
{
    const cJSON *root = report->root;
    char key[64];
    snprintf(key, sizeof key, "runs.%zu.run", run);
    const cJSON *record = record_at(root, key), *octaves = record_at(record, "octaves_hz");
    const int bands = cJSON_GetArraySize(octaves);
    const double told = record_number(record, "means.responses");
    const int responses = told >= 0 && told <= 1e6 ? (int)told : 0;
    if (bands == 0 || responses == 0) {
        fprintf(
            page, "<p class=\"why\">%s</p>\n",
            bands == 0
                ? "There is nothing to tell by octave: the lowest that is reported reaches up to 89&nbsp;Hz, "
                  "which is above the highest frequency of this run."
                : "No response of this run has figures.");
        return;
    }
    fprintf(page, "<table class=\"figures\">\n<caption>Means over %d response%s", responses,
            responses == 1 ? "" : "s");
    fputs(responses > 1 ? ", with the standard deviation</caption>\n<thead>" : "</caption>\n<thead>", page);
    put_octave_heads(page, octaves);
    fputs("</thead>\n<tbody>\n", page);
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(key, sizeof key, "means.%s", row[i].name);
        if (record_at(record, key) == NULL)
            continue;
        put_row_head(page, &row[i]);
        for (int b = 0; b < bands; b++) {
            fputs("<td>", page);
            const bool there =
                html_number(page, root, row[i].decimals, 1, "runs.%zu.run.means.%s.%d", run, row[i].name, b);
            snprintf(key, sizeof key, "means.%s_deviation.%d", row[i].name, b);
            if (there && isfinite(record_number(record, key))) {
                fputs(" <small>\xC2\xB1", page);
                html_number(page, root, row[i].decimals, 1, "runs.%zu.run.means.%s_deviation.%d", run,
                            row[i].name, b);
                fputs("</small>", page);
            }
            fputs("</td>", page);
        }
        fputs("</tr>\n", page);
    }
    static const struct row expected[2] = {
        {"sabine_s", "Sabine", "reverberation time that Sabine's formula gives for the same surfaces", "s",
         2},
        {"eyring_s", "Eyring", "reverberation time that Eyring's formula gives for the same surfaces", "s",
         2}};
    for (int i = 0; i < 2; i++) {
        if (record_at(record, expected[i].name) == NULL)
            continue;
        put_row_head(page, &expected[i]);
        for (int b = 0; b < bands; b++) {
            fputs("<td>", page);
            html_number(page, root, 2, 1, "runs.%zu.run.%s.%d", run, expected[i].name, b);
            fputs("</td>", page);
        }
        fputs("</tr>\n", page);
    }
    fputs("</tbody>\n</table>\n", page);
}

/* ---- every response ---- */

static void put_reasons(FILE *page, const cJSON *entry)
{
    const cJSON *why;
    int b = 0;
    cJSON_ArrayForEach(why, record_at(entry, "why"))
    {
        char key[32];
        snprintf(key, sizeof key, "octaves_hz.%d", b++);
        if (!cJSON_IsString(why))
            continue;
        fprintf(page, "<p class=\"why\">%d&nbsp;Hz: ", octave_nominal(record_number(entry, key)));
        html_text(page, why->valuestring);
        fputs("</p>\n", page);
    }
}

static void put_response(FILE *page, const struct report *report, size_t run, int index)
{
    const cJSON *root = report->root;
    char key[64];
    snprintf(key, sizeof key, "runs.%zu.responses.%d", run, index);
    const cJSON *entry = record_at(root, key);
    const int bands = octaves_of(entry);
    fprintf(page, "<div class=\"response\" id=\"run-%zu-response-%d\">\n<table class=\"figures\">\n<caption>",
            run, index);
    html_string(page, root, "runs.%zu.responses.%d.source", run, index);
    fputs(" heard at ", page);
    html_string(page, root, "runs.%zu.responses.%d.receiver", run, index);
    fputs(", ", page);
    html_number(page, root, 1, 1, "runs.%zu.responses.%d.distance_m", run, index);
    fprintf(page, "&nbsp;m away%s</caption>\n<thead>",
            cJSON_IsFalse(record_at(entry, "direct_path_clear")) ? ", out of sight" : "");
    put_octave_heads(page, record_at(entry, "octaves_hz"));
    fputs("</thead>\n<tbody>\n", page);
    for (size_t i = 0; i < ROWS; i++) {
        if (!cJSON_IsArray(record_at(entry, row[i].name)))
            continue;
        put_row_head(page, &row[i]);
        for (int b = 0; b < bands; b++) {
            fputs("<td>", page);
            html_number(page, root, row[i].decimals, 1, "runs.%zu.responses.%d.%s.%d", run, index,
                        row[i].name, b);
            fputs("</td>", page);
        }
        fputs("</tr>\n", page);
    }
    fputs("</tbody>\n</table>\n", page);
    put_reasons(page, entry);
    const char *no_curves = record_text(entry, "why_no_curves");
    if (no_curves != NULL) {
        fputs("<p class=\"why\">Not drawn, not heard: ", page);
        html_text(page, no_curves);
        fputs("</p>\n", page);
    }
    fputs("</div>\n", page);
}

void report_times(FILE *page, const struct report *report)
{
    report_section_begin(page, "times", "Figures by octave");
    fputs("<p>How long sound stays and how clear it is, in octaves. A dash is a value that the run cannot "
          "give: "
          "the decay is too short to be told, or the octave reaches above the highest frequency. Nothing is "
          "extrapolated.</p>\n",
          page);
    for (size_t r = 0; r < report->runs; r++) {
        report_run_begin(page, report, r);
        put_means(page, report, r);
        if (report->runs > 1)
            report_run_end(page);
    }
    if (report->runs > 1)
        fputs("</div>\n", page);
    report_decay_figure(page, report);
    report_waveform_figures(page, report);
    for (size_t r = 0; r < report->runs; r++) {
        char key[64];
        snprintf(key, sizeof key, "runs.%zu.responses", r);
        const int count = cJSON_GetArraySize(record_at(report->root, key));
        fputs("<details class=\"responses\"><summary>Every response", page);
        if (report->runs > 1) {
            fputs(" of ", page);
            html_string(page, report->root, "runs.%zu.name", r);
        }
        fputs("</summary>\n", page);
        for (int i = 0; i < count; i++)
            put_response(page, report, r, i);
        fputs("</details>\n", page);
    }
    report_section_end(page);
}
