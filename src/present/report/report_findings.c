#include "src/present/report/report_findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/cut_text.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/report_ringing.h"
#include "src/present/report/report_shares.h"
#include "src/present/report/report_speech.h"
#include "src/present/report/report_targets.h"
#include "src/present/report/sections/report_inputs.h"
#include "src/base/words/words.h"

#define RULES         6
#define RINGING_HEARD (-35.0) /* [dB]: within what T30 is taken from */
#define FAIR_TIME     4       /* just noticeable differences */
#define GOOD_EVENNESS 3
#define FAIR_EVENNESS 6
#define LARGE_SHARE   0.25
#define LATE_STORED   0.05 /* still in the room: the account is not closed */

static enum report_verdict judge_distance(double beyond, double fair)
{
    return beyond <= 0 ? VERDICT_GOOD : beyond <= fair ? VERDICT_FAIR : VERDICT_POOR;
}

/* ---- reverberation ---- */

/* ", a decay that is not straight, mark cud: 2.9 s at first, then 6.1 s from -22 dB on"; empty where nothing
 * is marked. */
static void marks_words(const struct report_run *run, unsigned marks, int band, char text[160])
{
    struct report_slopes slopes;
    char letters[FIGURE_MARKS_MAX];
    text[0] = '\0';
    if (marks == 0)
        return;
    int used =
        snprintf(text, 160, T(", a decay that is not straight, mark %s"), figure_marks_text(marks, letters));
    if (report_slopes_of(run, band, &slopes))
        snprintf(text + used, 160 - (size_t)used, T(": %s s at first, then %s s from \xE2\x88\x92%s dB on"),
                 words_number("%.1f", slopes.early).text, words_number("%.1f", slopes.late).text,
                 words_number("%.0f", -slopes.level).text);
}

/* A run that ended before any time could be read: the first screen has the reason. */
static bool find_unknown(const struct report_run *run, struct report_finding *out)
{
    char why[320];
    if (!report_figure_reason(run, FIGURE_EDT, why, sizeof why))
        return false;
    out->key = "reverberation";
    out->verdict = VERDICT_NOTE;
    snprintf(out->plain, sizeof out->plain, "%s", T("The reverberation is not known."));
    snprintf(out->sentence, sizeof out->sentence, T("Reverberation, not known: %s."), why);
    return true;
}

static void add_unsure(struct report_finding *out)
{
    const size_t used = strlen(out->sentence);
    snprintf(
        out->sentence + used, sizeof out->sentence - used,
        T(" It is unsure: how surfaces scatter is not known, and with this uneven absorption half or twice "
          "the scattering changes it by more than %.0f just noticeable differences."),
        FIGURE_UNSURE);
}

/* What its error bar is from. */
static void add_doubt(const struct report_run *run, enum figure figure, int band, struct report_finding *out)
{
    const size_t used = strlen(out->sentence);
    bool guessed;
    const char *material = report_inputs_doubt(run, figure, band, &guessed);
    if (material != NULL)
        snprintf(out->sentence + used, sizeof out->sentence - used,
                 guessed ? T(" Most of its \xC2\xB1 comes from the absorption of %.*s, a guess.")
                         : T(" Most of its \xC2\xB1 comes from the absorption of %.*s."),
                 CUT_TEXT(material, 100));
}

static bool find_reverberation(const struct report_run *run, struct report_finding *out)
{
    const double volume = report_room_volume(run->model);
    const char *use = run->use != NULL ? run->use : "worship";
    const struct report_target *target = report_target_find(FIGURE_T30, use, volume);
    const struct report_reverberation time = report_reverberation_of(run);
    double low = NAN, high = NAN;
    if (!time.there)
        return find_unknown(run, out);
    if (target != NULL)
        report_target_limits(target, volume, &low, &high);
    if (low == high) {
        low *= 1 - REPORT_TARGET_WITHIN;
        high *= 1 + REPORT_TARGET_WITHIN;
    }
    const struct report_spread spread = report_figure_spread(run, time.figure, time.band, NULL);
    const double mean = spread.mean;
    const bool longer = mean > high, places = run->model->points.sources.count < 2;
    const int decimals = report_decimals(mean, 1, low, high);
    const bool open = report_target_is_unsure(low, high, mean, spread.error);
    char octaves[REPORT_BAND_WORDS], count[REPORT_COUNT_WORDS], words[400], marks[160], value[128],
        bar[REPORT_ERROR_WORDS];
    snprintf(value, sizeof value, "%s%s", words_number("%.*f", decimals, mean).text,
             report_error_words(spread.error, decimals, bar));
    marks_words(run, spread.marks, time.band, marks);
    snprintf(words, sizeof words, T("ound stays for %s s (%s at %s, %s%s%s%s)"), value,
             report_figure_called(time.figure), report_band_words(run, time.band, octaves),
             report_count_words(&spread, places, count), time.stand_in[0] != '\0' ? "; " : "", time.stand_in,
             marks);
    out->key = "reverberation";
    if (time.band != REPORT_BAND_MIDDLE || target == NULL) {
        out->verdict = VERDICT_NOTE;
        snprintf(out->plain, sizeof out->plain, "%s", T("The reverberation is not judged."));
        snprintf(out->sentence, sizeof out->sentence, T("Reverberation, not judged: s%s."), words);
        add_doubt(run, time.figure, time.band, out);
        return true;
    }
    out->verdict =
        open ? VERDICT_UNSURE
             : judge_distance(longer ? (mean / high - 1) / JND_TIME : (1 - mean / low) / JND_TIME, FAIR_TIME);
    snprintf(out->sentence, sizeof out->sentence,
             T("Reverberation: %s. S%s, %s the %s to %s s recommended for %s%s."),
             T(report_verdict_word(out->verdict)), words,
             open         ? T("and its error bar reaches a limit of")
             : longer     ? T("longer than")
             : mean < low ? T("shorter than")
                          : T("within"),
             words_number("%.1f", low).text, words_number("%.1f", high).text,
             run->use != NULL ? T("the use ") : T("churches"), run->use != NULL ? T(run->use) : "");
    snprintf(out->plain, sizeof out->plain, "%s",
             open         ? T("It is open whether the reverberation suits the room.")
             : longer     ? T("The room is too reverberant.")
             : mean < low ? T("The room is too dry.")
                          : T("The reverberation suits the room."));
    if (out->verdict == VERDICT_POOR || out->verdict == VERDICT_FAIR)
        report_absorber_advise(run, mean, longer ? high : low, out);
    add_doubt(run, time.figure, time.band, out);
    if (report_is_unsure(run, time.figure, time.band))
        add_unsure(out);
    return true;
}

/* ---- evenness ---- */

struct unevenness {
    double differences; /* JNDs */
    enum figure figure;
    struct report_spread spread;
    const char *source;
    int band;
};

static void compare_places(const struct report_run *run, enum figure figure, const char *source,
                           struct unevenness *most)
{
    const int band = report_figure_band(run, figure);
    if (band == REPORT_BAND_NONE || source == NULL)
        return;
    const struct report_spread spread = report_figure_spread(run, figure, band, source);
    const double step = figure_step(figure, spread.mean);
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
    words_point(digits);
    snprintf(text, 32, "%s%s", value < 0 && !zero ? "\xE2\x88\x92" : "", digits);
    return text;
}

static bool find_evenness(const struct report_run *run, struct report_finding *out)
{
    static const struct {
        enum figure figure;
        const char *words;
    } judged_by[] = {{FIGURE_EDT, T_LATER("early decay time")},
                     {FIGURE_C80, T_LATER("clarity")},
                     {FIGURE_G, T_LATER("strength")}};
    const char *words = "";
    struct unevenness most = {.differences = -1};
    for (size_t s = 0; s < run->model->points.sources.count; s++)
        for (size_t f = 0; f < sizeof judged_by / sizeof judged_by[0]; f++)
            compare_places(run, judged_by[f].figure, run->model->points.sources.item[s].name, &most);
    for (size_t f = 0; f < sizeof judged_by / sizeof judged_by[0]; f++)
        words = judged_by[f].figure == most.figure ? judged_by[f].words : words;
    if (most.differences < 0)
        return false;
    const struct figure_kind *kind = &figure_kind[most.figure];
    const char *lowest = most.spread.at_least != NULL ? most.spread.at_least : T("one place"),
               *highest = most.spread.at_largest != NULL ? most.spread.at_largest : T("another");
    const char *worst = most.figure == FIGURE_EDT ? highest : lowest;
    char octaves[REPORT_BAND_WORDS], least[32], largest[32];
    out->key = "evenness";
    const bool judged = most.band == REPORT_BAND_MIDDLE;
    out->verdict = judged ? judge_distance(most.differences - GOOD_EVENNESS, FAIR_EVENNESS - GOOD_EVENNESS)
                          : VERDICT_NOTE;
    snprintf(
        out->sentence, sizeof out->sentence,
        T("Evenness%s%s. From %.*s, %s (%s at %s) is %s %s at %.*s and %s %s at %.*s. This difference is "
          "%.0f times the smallest that listeners notice."),
        judged ? ": " : T(", not judged"), judged ? T(report_verdict_word(out->verdict)) : "",
        CUT_TEXT(most.source, 100), T(words), kind->word, report_band_words(run, most.band, octaves),
        signed_words(most.spread.least, kind->decimals, least), kind->unit, CUT_TEXT(lowest, 100),
        signed_words(most.spread.largest, kind->decimals, largest), kind->unit, CUT_TEXT(highest, 100),
        most.differences);
    snprintf(out->plain, sizeof out->plain, "%s",
             !judged                        ? T("How even the sound is is not judged.")
             : out->verdict == VERDICT_GOOD ? T("It sounds much the same at all places.")
                                            : T("It sounds different from place to place."));
    if (judged && out->verdict != VERDICT_GOOD)
        snprintf(
            out->advice, sizeof out->advice,
            T("For evenness: begin at %.*s, the worst place for %s; a reflector or a loudspeaker near it "
              "helps."),
            CUT_TEXT(worst, 100), report_figure_called(most.figure));
    return true;
}

/* ---- surfaces ---- */

static bool find_surface(const struct report_run *run, struct report_finding *out)
{
    const struct report_largest_share most = report_shares_largest(run);
    if (most.material == NULL || !(most.share >= LARGE_SHARE))
        return false;
    out->key = "surface";
    out->verdict = VERDICT_NOTE;
    snprintf(out->plain, sizeof out->plain, T("What %.*s is made of matters most."),
             CUT_TEXT(most.material, 100));
    if (most.stored > LATE_STORED || !most.complete)
        snprintf(out->sentence, sizeof out->sentence,
                 T("The surface %.*s has absorbed %.0f %% of the sound so far, with %.0f %% of the area; "
                   "%.0f %% was still in the room when the run ended."),
                 CUT_TEXT(most.material, 100), 100 * most.share, 100 * most.area, 100 * most.stored);
    else
        snprintf(out->sentence, sizeof out->sentence,
                 T("The surface %.*s absorbs %.0f %% of the sound with %.0f %% of the area: what it is made "
                   "of matters most."),
                 CUT_TEXT(most.material, 100), 100 * most.share, 100 * most.area);
    return true;
}

static bool find_ringing(const struct report_run *run, struct report_finding *out)
{
    struct report_ringing ringing;
    if (!report_ringing_find(run, &ringing))
        return false;
    out->key = "ringing";
    snprintf(out->plain, sizeof out->plain, "%s", T("Two parallel walls ring."));
    snprintf(out->advice, sizeof out->advice, "%s",
             T("Against the ringing: treat, tilt or break up one of the two walls that face each other."));
    out->verdict = ringing.slopes.level >= RINGING_HEARD ? VERDICT_POOR : VERDICT_NOTE;
    snprintf(out->sentence, sizeof out->sentence,
             T("Flat parallel walls ring: sound decays at a rate of %s s at first and of %s s from "
               "\xE2\x88\x92%s dB on. %.*s absorbs, but two walls that face each other absorb %s %% of the "
               "sound that reaches them and keep sound between them. Treating one of them, or tilting or "
               "breaking it up, shortens it; more of the same absorber does not."),
             words_number("%.1f", ringing.slopes.early).text, words_number("%.1f", ringing.slopes.late).text,
             words_number("%.0f", -ringing.slopes.level).text, CUT_TEXT(ringing.material, 60),
             words_number("%.0f", 100 * ringing.hard).text);
    return true;
}

static bool find_slopes(const struct report_run *run, struct report_finding *out)
{
    struct report_ringing ringing;
    if (report_ringing_find(run, &ringing))
        return false; /* the more informative finding */
    const size_t all = run->responses.count;
    size_t count = 0;
    for (size_t i = 0; i < all; i++) {
        const struct json_numbers *late = &run->responses.item[i].record->slope_late;
        bool two = false;
        for (size_t b = 0; b < late->count; b++)
            two = two || isfinite(late->value[b]);
        count += two;
    }
    if (count == 0)
        return false;
    char where[60];
    if (all > 1)
        snprintf(where, sizeof where, T("In %zu of %zu responses"), count, all);
    else
        snprintf(where, sizeof where, "%s", T("At the one place"));
    out->key = "slopes";
    out->verdict = VERDICT_NOTE;
    snprintf(out->plain, sizeof out->plain, "%s", T("The sound decays fast at first and slowly later."));
    snprintf(out->sentence, sizeof out->sentence,
             T("%s sound decays fast at first and slowly later, as in coupled spaces or between two hard "
               "parallel walls: one reverberation time does not describe it there."),
             where);
    return true;
}

/* ---- all ---- */

int report_findings_add(struct report_run *run, struct failure *failure)
{
    static bool (*const rule[RULES])(const struct report_run *, struct report_finding *) = {
        find_ringing, report_speech_find, find_reverberation, find_evenness, find_slopes, find_surface};
    struct report_finding found[RULES];
    size_t count = 0;
    for (int i = 0; i < RULES; i++) {
        found[count] = (struct report_finding){0};
        count += rule[i](run, &found[count]);
    }
    for (int verdict = VERDICT_POOR; verdict <= VERDICT_NOTE; verdict++)
        for (size_t i = 0; i < count && run->findings.count < REPORT_FINDINGS; i++) {
            if ((int)found[i].verdict != verdict)
                continue;
            struct report_finding *finding = report_list_add(&report_finding_table, &run->findings);
            if (finding == NULL)
                return report_no_memory(failure);
            *finding = found[i];
        }
    return 0;
}
