#include <math.h>

#include "src/draw/html.h"
#include "src/report/report_figures.h"
#include "src/report/report_page.h"
#include "src/report/report_response.h"
#include "src/report/report_targets.h"
#include "src/report/report_ways_out.h"

/* ---- into the data ---- */

/* What the run has for a target: which figure, where, and how much. */
struct finding {
    const char *name, *word;
    int band;
    struct report_spread spread;
};

static struct finding look(const cJSON *responses, const struct report_target *target)
{
    struct finding found = {
        .name = target->figure, .word = target->figure[0] == 'd' ? "D50" : "C80", .band = REPORT_BAND_NONE};
    if (target->figure[0] == 't') {
        const struct report_reverberation time = report_reverberation_of(responses);
        found.name = time.name != NULL ? time.name : target->figure;
        found.word = time.name != NULL ? time.word : "T30";
    }
    found.spread = report_figure_spread(responses, found.name, REPORT_BAND_MIDDLE, NULL);
    found.band = found.spread.count > 0 ? REPORT_BAND_MIDDLE : REPORT_BAND_NONE;
    return found;
}

/* `low` and `high` may be infinite. */
static void add_verdict(cJSON *entry, const cJSON *responses, const struct finding *found, double low,
                        double high, bool places)
{
    char words[REPORT_BAND_WORDS], count[REPORT_COUNT_WORDS], why[320];
    const bool known = found->band == REPORT_BAND_MIDDLE;
    cJSON_AddStringToObject(entry, "word", found->word);
    cJSON_AddItemToObject(entry, "value", report_rounded(found->spread.mean, 4));
    cJSON_AddStringToObject(entry, "octaves", known ? report_band_words(responses, found->band, words) : "");
    cJSON_AddStringToObject(entry, "count", known ? report_count_words(&found->spread, places, count) : "");
    cJSON_AddStringToObject(entry, "verdict",
                            !known                                             ? "not known"
                            : report_target_met(low, high, found->spread.mean) ? "met"
                                                                               : "not met");
    if (!known && report_shows_middle(responses) &&
        report_figure_reason(responses, found->name[0] == 't' ? "EDT" : found->word, why, sizeof why))
        cJSON_AddStringToObject(entry, "why", why);
    else
        cJSON_AddNullToObject(entry, "why");
}

static cJSON *target_json(const cJSON *run, const struct report_target *target, double volume)
{
    const cJSON *responses = record_at(run, "responses");
    const bool places = cJSON_GetArraySize(record_at(run, "run.sources")) < 2;
    double low = NAN, high = NAN;
    cJSON *entry = cJSON_CreateObject();
    report_target_limits(target, volume, &low, &high);
    cJSON_AddStringToObject(entry, "figure", target->figure);
    cJSON_AddStringToObject(entry, "use", target->use);
    cJSON_AddStringToObject(entry, "words", target->words);
    cJSON_AddItemToObject(entry, "low", report_rounded(low, 3));
    cJSON_AddItemToObject(entry, "high", report_rounded(high, 3));
    const struct finding found = look(responses, target);
    add_verdict(entry, responses, &found, low, high, places);
    cJSON_AddStringToObject(entry, "title", target->title);
    cJSON_AddStringToObject(entry, "link", target->link);
    return entry;
}

/* Once for all of them: a run that ends too low. */
static void add_why(cJSON *run)
{
    const double highest = record_number(run, "run.fmax_hz");
    const cJSON *responses = record_at(run, "responses");
    if (cJSON_GetArraySize(responses) == 0 || report_shows_middle(responses) || !isfinite(highest)) {
        cJSON_AddNullToObject(run, "targets_why");
        return;
    }
    char text[200];
    snprintf(
        text, sizeof text,
        "Not judged: this simulation ends at %.5g Hz, and rooms are judged at 500 and 1000 Hz. One up to %d "
        "Hz would tell.",
        highest, REPORT_MIDDLE_FMAX);
    cJSON_AddStringToObject(run, "targets_why", text);
}

void report_targets_add(cJSON *run)
{
    const double volume = report_room_volume(run);
    double low, high;
    cJSON *targets = cJSON_AddArrayToObject(run, "targets");
    for (size_t i = 0; i < report_target_count; i++)
        if (report_target_limits(&report_target[i], volume, &low, &high))
            cJSON_AddItemToArray(targets, target_json(run, &report_target[i], volume));
    add_why(run);
}

/* ---- onto the page ---- */

static const char *const figures[][3] = {{"t30_s", "reverberation time", "&nbsp;s"},
                                         {"d50", "definition D50", ""},
                                         {"c80_db", "clarity C80", "&nbsp;dB"}};

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
    if (low == high) {
        fputs(" in ", page);
        html_number(page, report->root, -3, 1, "runs.%zu.run.air_volume_m3", run);
        fputs("&nbsp;m\xC2\xB3", page);
    }
}

/* The two cells of what the run has, or one where two runs stand beside each other. */
static void put_found(FILE *page, const struct report *report, size_t run, int index, const char *unit,
                      bool alone)
{
    const cJSON *target = report_at(report, "runs.%zu.targets.%d", run, index), *root = report->root;
    const double value = record_number(target, "value"), low = record_number(target, "low"),
                 high = record_number(target, "high");
    fputs("<td>", page);
    if (isfinite(value)) {
        html_number(page, root, report_decimals(value, unit[0] == '\0' ? 2 : 1, low, high), 1,
                    "runs.%zu.targets.%d.value", run, index);
        fprintf(page, "%s <small>(", unit);
        html_string(page, root, "runs.%zu.targets.%d.word", run, index);
        fputs(" at ", page);
        html_string(page, root, "runs.%zu.targets.%d.octaves", run, index);
        fputs(", ", page);
        html_string(page, root, "runs.%zu.targets.%d.count", run, index);
        fputs(")</small>", page);
    }
    fputs(alone ? "</td><td>" : "<br>", page);
    html_string(page, root, "runs.%zu.targets.%d.verdict", run, index);
    if (record_text(target, "why") != NULL) {
        fputs(": ", page);
        html_string(page, root, "runs.%zu.targets.%d.why", run, index);
    }
    fputs("</td>", page);
}

static bool is_judged(const struct report *report, size_t run)
{
    return !cJSON_IsString(report_at(report, "runs.%zu.targets_why", run));
}

/* With what the runs from `first` to `last` have, where they are judged. */
static void put_target(FILE *page, const struct report *report, size_t first, size_t last, int index)
{
    const char *figure = record_text(report_at(report, "runs.%zu.targets.%d", first, index), "figure");
    size_t f = 0;
    while (f < 2 && strcmp(figures[f][0], figure) != 0)
        f++;
    fputs("<tr><th scope=\"row\">", page);
    html_string(page, report->root, "runs.%zu.targets.%d.words", first, index);
    fputs(" <small class=\"source\">", page);
    html_string(page, report->root, "runs.%zu.targets.%d.title", first, index);
    fputs(", ", page);
    html_string(page, report->root, "runs.%zu.targets.%d.link", first, index);
    fprintf(page, "</small></th><td>%s ", figures[f][1]);
    put_limits(page, report, first, index, figures[f][2]);
    fputs("</td>", page);
    for (size_t run = first; run <= last; run++)
        if (is_judged(report, run))
            put_found(page, report, run, index, figures[f][2], first == last);
    fputs("</tr>\n", page);
}

static void put_heads(FILE *page, const struct report *report, size_t first, size_t last)
{
    fprintf(
        page,
        "<table class=\"targets%s\">\n<thead><tr><th scope=\"col\">for</th><th scope=\"col\">should be</th>",
        first != last ? " two-of-them" : "");
    for (size_t run = first; run <= last; run++) {
        if (!is_judged(report, run))
            continue;
        if (first == last)
            fputs("<th scope=\"col\">here</th><th scope=\"col\">met?</th>", page);
        else
            fprintf(page, "<th scope=\"col\"><b class=\"run-mark of-%zu\">%c</b></th>", run, 'A' + (int)run);
    }
    fputs("</tr></thead>\n<tbody>\n", page);
}

static void put_targets(FILE *page, const struct report *report, size_t first, size_t last)
{
    bool about = false, judged = false;
    for (size_t run = first; run <= last; run++) {
        judged = judged || is_judged(report, run);
        if (is_judged(report, run))
            continue;
        fputs("<p class=\"why\">", page);
        if (first != last)
            fprintf(page, "<b class=\"run-mark of-%zu\">%c</b> ", run, 'A' + (int)run);
        html_string(page, report->root, "runs.%zu.targets_why", run);
        fputs("</p>\n", page);
    }
    fprintf(page,
            "<details class=\"targets\" open>\n<summary>What is recommended for rooms%s, at 500 and "
            "1000&nbsp;Hz</summary>\n",
            report_room_volume(report_at(report, "runs.%zu", first)) > 0 ? " of this size" : "");
    put_heads(page, report, first, last);
    for (int i = 0; i < cJSON_GetArraySize(report_at(report, "runs.%zu.targets", first)); i++) {
        const cJSON *target = report_at(report, "runs.%zu.targets.%d", first, i);
        put_target(page, report, first, last, i);
        about = about || record_number(target, "low") == record_number(target, "high");
    }
    fputs("</tbody>\n</table>\n", page);
    if (judged && about)
        fputs("<p class=\"why\">What is recommended as about one value counts as met within a fifth of "
              "it.</p>\n",
              page);
    fputs("</details>\n", page);
}

void report_targets(FILE *page, const struct report *report, size_t run)
{
    if (cJSON_GetArraySize(report_at(report, "runs.%zu.targets", run)) > 0)
        put_targets(page, report, run, run);
}

/* As they are told, or so near that nobody is judged otherwise: 1 %, which is 2 % of the volume. */
static bool limit_is_same(const struct report *report, int index, const char *name)
{
    const double first = record_number(report_at(report, "runs.0.targets.%d", index), name),
                 second = record_number(report_at(report, "runs.1.targets.%d", index), name);
    return isfinite(first) == isfinite(second) &&
           (!isfinite(first) || fabs(second - first) <= 0.01 * fabs(first));
}

bool report_targets_are_same(const struct report *report)
{
    static const char *const told[] = {"figure", "words"};
    const int count = cJSON_GetArraySize(report_at(report, "runs.0.targets"));
    if (report->runs != 2 || count == 0 || count != cJSON_GetArraySize(report_at(report, "runs.1.targets")))
        return false;
    for (int i = 0; i < count; i++) {
        if (!limit_is_same(report, i, "low") || !limit_is_same(report, i, "high"))
            return false;
        for (size_t t = 0; t < sizeof told / sizeof told[0]; t++)
            if (!cJSON_Compare(report_at(report, "runs.0.targets.%d.%s", i, told[t]),
                               report_at(report, "runs.1.targets.%d.%s", i, told[t]), true))
                return false;
    }
    return true;
}

void report_targets_of_both(FILE *page, const struct report *report)
{
    put_targets(page, report, 0, 1);
}
