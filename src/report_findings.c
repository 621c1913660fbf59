#include "src/report_findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/acoustic_figures.h"
#include "src/report_figures.h"
#include "src/report_targets.h"
#include "src/report_ways_out.h"
#include "src/run_folder.h"

#define RULES         5
#define FAIR_SPEECH   2 /* just noticeable differences */
#define FAIR_TIME     4
#define GOOD_EVENNESS 3
#define FAIR_EVENNESS 6
#define LARGE_SHARE   0.25

const char *report_verdict_word(enum report_verdict verdict)
{
    static const char *const word[] = {"poor", "fair", "note", "good"};
    return word[verdict];
}

static enum report_verdict judge(double beyond, double fair)
{
    return beyond <= 0 ? VERDICT_GOOD : beyond <= fair ? VERDICT_FAIR : VERDICT_POOR;
}

/* Targets hold at middle frequencies: of a run that does not reach them, nothing is said but what it shows.
 */
#define NOT_JUDGED "not to be judged by this run, which does not show 500 and 1000 Hz"

/* ---- speech ---- */

static bool find_speech(const cJSON *run, struct report_finding *out)
{
    const cJSON *responses = record_at(run, "responses"), *source;
    const double volume = report_room_volume(run);
    const struct report_target *target = report_target_find("d50", "speech", volume);
    const int band = report_figure_band(responses, "d50");
    const char *worst = NULL;
    struct report_spread spread = {.mean = INFINITY};
    if (target == NULL || band == REPORT_BAND_NONE)
        return false;
    cJSON_ArrayForEach(source, record_at(run, "run.sources"))
    {
        const char *name = record_text(source, "name");
        const struct report_spread of = report_figure_spread(responses, "d50", band, name);
        if (name != NULL && of.count > 0 && of.mean < spread.mean) {
            worst = name;
            spread = of;
        }
    }
    if (worst == NULL)
        return false;
    char words[REPORT_BAND_WORDS];
    out->key = "speech";
    if (band != REPORT_BAND_MIDDLE) {
        out->verdict = VERDICT_NOTE;
        snprintf(out->sentence, sizeof out->sentence,
                 "Speech from %s: " NOT_JUDGED ". At %s, %.0f %% of the sound comes within 50 ms (D50 %.2f, "
                 "mean of %d place%s); at middle frequencies aim above %.1f.",
                 worst, report_band_words(responses, band, words), 100 * spread.mean, spread.mean,
                 spread.count, spread.count == 1 ? "" : "s", target->low);
        return true;
    }
    out->verdict = judge((target->low - spread.mean) / JND_D50, FAIR_SPEECH);
    snprintf(out->sentence, sizeof out->sentence,
             "Speech from %s: %s. %.0f %% of the sound comes within 50 ms (D50 %.2f at %s, mean of %d "
             "place%s); aim "
             "above %.1f.",
             worst, report_verdict_word(out->verdict), 100 * spread.mean, spread.mean,
             report_band_words(responses, band, words), spread.count, spread.count == 1 ? "" : "s",
             target->low);
    return true;
}

/* ---- reverberation ---- */

static bool find_reverberation(const cJSON *run, struct report_finding *out)
{
    static const char *const name[] = {"t30_s", "t20_s", "edt_s"}, *const called[] = {"T30", "T20", "EDT"};
    const cJSON *responses = record_at(run, "responses");
    const double volume = report_room_volume(run);
    const struct report_target *target = report_target_find("t30_s", "worship", volume);
    int f = 0, band = REPORT_BAND_NONE;
    double low, high;
    while (f < 3 && (band = report_figure_band(responses, name[f])) == REPORT_BAND_NONE)
        f++;
    if (f == 3 || target == NULL || !report_target_limits(target, volume, &low, &high))
        return false;
    const double time = report_figure_spread(responses, name[f], band, NULL).mean;
    const bool longer = time > high;
    char words[REPORT_BAND_WORDS];
    out->key = "reverberation";
    if (band != REPORT_BAND_MIDDLE) {
        out->verdict = VERDICT_NOTE;
        snprintf(out->sentence, sizeof out->sentence,
                 "Reverberation: " NOT_JUDGED ". At %s, sound stays for %.1f s (%s); at middle frequencies "
                 "%.1f to %.1f s are recommended for churches.",
                 report_band_words(responses, band, words), time, called[f], low, high);
        return true;
    }
    out->verdict = judge(longer ? (time / high - 1) / JND_TIME : (1 - time / low) / JND_TIME, FAIR_TIME);
    snprintf(out->sentence, sizeof out->sentence,
             "Reverberation: %s. Sound stays for %.1f s (%s, %s), %s the %.1f to %.1f s recommended for "
             "churches.",
             report_verdict_word(out->verdict), time, called[f], report_band_words(responses, band, words),
             longer       ? "longer than"
             : time < low ? "shorter than"
                          : "within",
             low, high);
    return true;
}

/* ---- evenness ---- */

struct unevenness {
    double differences; /* JNDs */
    int figure;
    struct report_spread spread;
    const char *source;
    int band;
};

static void look_at(const cJSON *responses, int figure, const char *source, struct unevenness *most)
{
    const struct acoustic_figure_kind *kind = &acoustic_figure_kind[figure];
    const int band = report_figure_band(responses, kind->name);
    if (band == REPORT_BAND_NONE || source == NULL)
        return;
    const struct report_spread spread = report_figure_spread(responses, kind->name, band, source);
    const double step = kind->relative ? kind->jnd * spread.mean : kind->jnd;
    const double differences = (spread.largest - spread.least) / step;
    if (spread.count >= 3 && differences > most->differences)
        *most = (struct unevenness){differences, figure, spread, source, band};
}

static bool find_evenness(const cJSON *run, struct report_finding *out)
{
    static const int figure[] = {FIGURE_EDT, FIGURE_C80, FIGURE_G};
    const cJSON *responses = record_at(run, "responses"), *source;
    struct unevenness most = {.differences = -1};
    cJSON_ArrayForEach(source, record_at(run, "run.sources")) for (int f = 0; f < 3; f++)
        look_at(responses, figure[f], record_text(source, "name"), &most);
    if (most.differences < 0)
        return false;
    const struct acoustic_figure_kind *kind = &acoustic_figure_kind[most.figure];
    char words[REPORT_BAND_WORDS];
    out->key = "evenness";
    out->verdict = judge(most.differences - GOOD_EVENNESS, FAIR_EVENNESS - GOOD_EVENNESS);
    snprintf(out->sentence, sizeof out->sentence,
             "Evenness: %s. From %s, %s (%s) is %.*f %s at %s and %.*f %s at %s, %.0f times what is just "
             "noticed.",
             report_verdict_word(out->verdict), most.source, kind->word,
             report_band_words(responses, most.band, words), kind->decimals, most.spread.least, kind->unit,
             most.spread.at_least != NULL ? most.spread.at_least : "one place", kind->decimals,
             most.spread.largest, kind->unit,
             most.spread.at_largest != NULL ? most.spread.at_largest : "another", most.differences);
    return true;
}

/* ---- surfaces ---- */

/* The mean over the sources of what a surface has taken at the end; NaN without an account. */
static double share_of(const cJSON *runs, int surface)
{
    double sum = 0;
    int count = 0;
    const cJSON *entry;
    cJSON_ArrayForEach(entry, runs)
    {
        const cJSON *shares =
            record_at(cJSON_GetArrayItem(record_at(entry, "energy.absorbed"), surface), "share");
        const cJSON *last = cJSON_GetArrayItem(shares, cJSON_GetArraySize(shares) - 1);
        if (!cJSON_IsNumber(last))
            return NAN;
        sum += last->valuedouble;
        count++;
    }
    return count > 0 ? sum / count : NAN;
}

static bool find_surface(const cJSON *run, struct report_finding *out)
{
    const cJSON *runs = record_at(run, "run.runs");
    const cJSON *absorbed = record_at(runs, "0.energy.absorbed");
    const int count = cJSON_GetArraySize(absorbed);
    double most = 0, area = 0, whole = 0;
    const char *name = NULL;
    for (int m = 0; m < count; m++) {
        const cJSON *entry = cJSON_GetArrayItem(absorbed, m);
        const double share = share_of(runs, m), faces = record_number(entry, "area_exposed_m2");
        const double of = isfinite(faces) ? faces : record_number(entry, "area_m2");
        whole += isfinite(of) ? of : 0;
        if (share > most) {
            most = share;
            area = of;
            name = record_text(entry, "material");
        }
    }
    if (name == NULL || !(most >= LARGE_SHARE) || count < 2)
        return false;
    out->key = "surface";
    out->verdict = VERDICT_NOTE;
    snprintf(out->sentence, sizeof out->sentence,
             "The surface %s takes %.0f %% of the sound with %.0f %% of the area: what it is made of matters "
             "most.",
             name, 100 * most, 100 * area / whole);
    return true;
}

static bool find_slopes(const cJSON *run, struct report_finding *out)
{
    const cJSON *response, *item;
    int count = 0, all = 0;
    cJSON_ArrayForEach(response, record_at(run, "responses"))
    {
        bool two = false;
        cJSON_ArrayForEach(item, record_at(response, "slope_late_s")) two = two || cJSON_IsNumber(item);
        count += two;
        all++;
    }
    if (count == 0)
        return false;
    out->key = "slopes";
    out->verdict = VERDICT_NOTE;
    snprintf(out->sentence, sizeof out->sentence,
             "In %d of %d responses sound dies away fast at first and slowly later, as where a second space "
             "is coupled to "
             "the room: one reverberation time does not say it all there.",
             count, all);
    return true;
}

/* ---- all ---- */

size_t report_findings_make(const cJSON *run, struct report_finding out[REPORT_FINDINGS])
{
    static bool (*const rule[RULES])(const cJSON *, struct report_finding *) = {
        find_speech, find_reverberation, find_evenness, find_surface, find_slopes};
    struct report_finding found[RULES];
    size_t count = 0, kept = 0;
    for (int i = 0; i < RULES; i++)
        count += rule[i](run, &found[count]);
    for (int verdict = VERDICT_POOR; verdict <= VERDICT_GOOD; verdict++)
        for (size_t i = 0; i < count && kept < REPORT_FINDINGS; i++)
            if ((int)found[i].verdict == verdict)
                out[kept++] = found[i];
    return kept;
}

void report_findings_add(cJSON *run)
{
    struct report_finding found[REPORT_FINDINGS];
    const size_t count = report_findings_make(run, found);
    cJSON *findings = cJSON_AddArrayToObject(run, "findings");
    for (size_t i = 0; i < count; i++) {
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "key", found[i].key);
        cJSON_AddStringToObject(entry, "verdict", report_verdict_word(found[i].verdict));
        cJSON_AddStringToObject(entry, "sentence", found[i].sentence);
        cJSON_AddItemToArray(findings, entry);
    }
}
