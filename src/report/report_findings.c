#include "src/report/report_findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/acoustics/acoustic_figures.h"
#include "src/base/cut_text.h"
#include "src/record/run_folder.h"
#include "src/report/report_figures.h"
#include "src/report/report_shares.h"
#include "src/report/report_speech.h"
#include "src/report/report_targets.h"
#include "src/report/report_ways_out.h"

#define RULES         5
#define FAIR_TIME     4 /* just noticeable differences */
#define GOOD_EVENNESS 3
#define FAIR_EVENNESS 6
#define LARGE_SHARE   0.25
#define LATE_STORED   0.05 /* still in the room: the account is not closed */

const char *report_verdict_word(enum report_verdict verdict)
{
    static const char *const word[] = {"poor", "fair", "good", "note"};
    return word[verdict];
}

static enum report_verdict judge(double beyond, double fair)
{
    return beyond <= 0 ? VERDICT_GOOD : beyond <= fair ? VERDICT_FAIR : VERDICT_POOR;
}

/* ---- reverberation ---- */

/* A run that ended before any time could be read: the first screen says why. */
static bool tell_unknown(const cJSON *responses, struct report_finding *out)
{
    char why[320];
    if (!report_figure_reason(responses, "EDT", why, sizeof why))
        return false;
    out->key = "reverberation";
    out->verdict = VERDICT_NOTE;
    snprintf(out->sentence, sizeof out->sentence, "Reverberation, not known: %s.", why);
    return true;
}

static bool find_reverberation(const cJSON *run, struct report_finding *out)
{
    const cJSON *responses = record_at(run, "responses");
    const double volume = report_room_volume(run);
    const struct report_target *target = report_target_find("t30_s", "worship", volume);
    const struct report_reverberation figure = report_reverberation_of(responses);
    double low, high;
    if (figure.name == NULL)
        return tell_unknown(responses, out);
    if (target == NULL || !report_target_limits(target, volume, &low, &high))
        return false;
    const struct report_spread spread = report_figure_spread(responses, figure.name, figure.band, NULL);
    const double time = spread.mean;
    const bool longer = time > high, places = cJSON_GetArraySize(record_at(run, "run.sources")) < 2;
    char octaves[REPORT_BAND_WORDS], count[REPORT_COUNT_WORDS], told[300];
    snprintf(told, sizeof told, "ound stays for %.*f s (%s at %s, %s%s%s)",
             report_decimals(time, 1, low, high), time, figure.word,
             report_band_words(responses, figure.band, octaves), report_count_words(&spread, places, count),
             figure.stand_in[0] != '\0' ? "; " : "", figure.stand_in);
    out->key = "reverberation";
    if (figure.band != REPORT_BAND_MIDDLE) {
        out->verdict = VERDICT_NOTE;
        snprintf(out->sentence, sizeof out->sentence, "Reverberation, not judged: s%s.", told);
        return true;
    }
    out->verdict = judge(longer ? (time / high - 1) / JND_TIME : (1 - time / low) / JND_TIME, FAIR_TIME);
    snprintf(out->sentence, sizeof out->sentence,
             "Reverberation: %s. S%s, %s the %.1f to %.1f s recommended for churches.",
             report_verdict_word(out->verdict), told,
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
    const struct figure_kind *kind = &figure_kind[figure];
    const int band = report_figure_band(responses, kind->name);
    if (band == REPORT_BAND_NONE || source == NULL)
        return;
    const struct report_spread spread = report_figure_spread(responses, kind->name, band, source);
    const double step = kind->relative ? kind->jnd * spread.mean : kind->jnd;
    const double differences = (spread.largest - spread.least) / step;
    if (spread.count >= 3 && differences > most->differences)
        *most = (struct unevenness){differences, figure, spread, source, band};
}

/* "−3.0": a minus, and no minus before zero. */
static const char *signed_words(double value, int decimals, char text[32])
{
    char digits[24];
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    const bool zero = strspn(digits, "0.") == strlen(digits);
    snprintf(text, 32, "%s%s", value < 0 && !zero ? "\xE2\x88\x92" : "", digits);
    return text;
}

static bool find_evenness(const cJSON *run, struct report_finding *out)
{
    static const int figure[] = {FIGURE_EDT, FIGURE_C80, FIGURE_G};
    static const char *const meaning[PRESSURE_FIGURES] = {
        [FIGURE_EDT] = "early decay time", [FIGURE_C80] = "clarity", [FIGURE_G] = "strength"};
    const cJSON *responses = record_at(run, "responses"), *source;
    struct unevenness most = {.differences = -1};
    cJSON_ArrayForEach(source, record_at(run, "run.sources")) for (int f = 0; f < 3; f++)
        look_at(responses, figure[f], record_text(source, "name"), &most);
    if (most.differences < 0)
        return false;
    const struct figure_kind *kind = &figure_kind[most.figure];
    const char *lowest = most.spread.at_least != NULL ? most.spread.at_least : "one place",
               *highest = most.spread.at_largest != NULL ? most.spread.at_largest : "another";
    char words[REPORT_BAND_WORDS], least[32], largest[32];
    out->key = "evenness";
    const bool judged = most.band == REPORT_BAND_MIDDLE;
    out->verdict =
        judged ? judge(most.differences - GOOD_EVENNESS, FAIR_EVENNESS - GOOD_EVENNESS) : VERDICT_NOTE;
    snprintf(
        out->sentence, sizeof out->sentence,
        "Evenness%s%s. From %.*s, %s (%s at %s) is %s %s at %.*s and %s %s at %.*s: %.0f times the least "
        "difference that is heard.",
        judged ? ": " : ", not judged", judged ? report_verdict_word(out->verdict) : "",
        CUT_TEXT(most.source, 100), meaning[most.figure], kind->word,
        report_band_words(responses, most.band, words),
        signed_words(most.spread.least, kind->decimals, least), kind->unit, CUT_TEXT(lowest, 100),
        signed_words(most.spread.largest, kind->decimals, largest), kind->unit, CUT_TEXT(highest, 100),
        most.differences);
    return true;
}

/* ---- surfaces ---- */

static bool find_surface(const cJSON *run, struct report_finding *out)
{
    const struct report_largest_share most = report_shares_largest(run);
    if (most.material == NULL || !(most.share >= LARGE_SHARE))
        return false;
    out->key = "surface";
    out->verdict = VERDICT_NOTE;
    if (most.stored > LATE_STORED || !most.complete)
        snprintf(out->sentence, sizeof out->sentence,
                 "The surface %.*s has taken %.0f %% of the sound so far, with %.0f %% of the area; %.0f %% "
                 "was still in the room when the run ended.",
                 CUT_TEXT(most.material, 100), 100 * most.share, 100 * most.area, 100 * most.stored);
    else
        snprintf(out->sentence, sizeof out->sentence,
                 "The surface %.*s takes %.0f %% of the sound with %.0f %% of the area: what it is made of "
                 "matters most.",
                 CUT_TEXT(most.material, 100), 100 * most.share, 100 * most.area);
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
    char where[60] = "At the one place";
    if (all > 1)
        snprintf(where, sizeof where, "In %d of %d responses", count, all);
    out->key = "slopes";
    out->verdict = VERDICT_NOTE;
    snprintf(
        out->sentence, sizeof out->sentence,
        "%s sound dies away fast at first and slowly later, as where a second space is coupled to the "
        "room or sound goes on between two hard walls: one reverberation time does not say it all there.",
        where);
    return true;
}

/* ---- all ---- */

size_t report_findings_make(const cJSON *run, struct report_finding out[REPORT_FINDINGS])
{
    static bool (*const rule[RULES])(const cJSON *, struct report_finding *) = {
        report_speech_find, find_reverberation, find_evenness, find_surface, find_slopes};
    struct report_finding found[RULES];
    size_t count = 0, kept = 0;
    for (int i = 0; i < RULES; i++)
        count += rule[i](run, &found[count]);
    for (int verdict = VERDICT_POOR; verdict <= VERDICT_NOTE; verdict++)
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
