#include "src/present/report/report_speech.h"

#include <math.h>
#include <stdio.h>

#include "src/base/cut_text.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/report_targets.h"
#include "src/base/words/words.h"

#define FAIR_BELOW 2 /* just noticeable differences of D50 */

/* The lower limit of each name. */
static const struct {
    double from;
    const char *name, *range;
    enum report_verdict verdict;
} rating[] = {{-INFINITY, T_LATER("bad"), T_LATER("less than 0.30"), VERDICT_POOR},
              {0.30, T_LATER("poor"), T_LATER("0.30 to 0.45"), VERDICT_POOR},
              {0.45, T_LATER("fair"), T_LATER("0.45 to 0.60"), VERDICT_FAIR},
              {0.60, T_LATER("good"), T_LATER("0.60 to 0.75"), VERDICT_GOOD},
              {0.75, T_LATER("excellent"), T_LATER("0.75 and more"), VERDICT_GOOD}};
#define RATINGS (sizeof rating / sizeof rating[0])

static size_t rate_sti(double sti)
{
    size_t r = RATINGS - 1;
    while (r > 0 && !(sti >= rating[r].from))
        r--;
    return r;
}

const char *report_speech_word(double sti, enum report_verdict *verdict)
{
    const size_t r = rate_sti(sti);
    *verdict = isnan(sti) ? VERDICT_NOTE : rating[r].verdict;
    return isnan(sti) ? NULL : rating[r].name;
}

static void put_plain(struct report_finding *out, const char *source)
{
    static const char *const plain[] = {
        [VERDICT_POOR] = T_LATER("Speech from %.*s is hard to understand."),
        [VERDICT_FAIR] = T_LATER("Speech from %.*s takes effort to understand."),
        [VERDICT_GOOD] = T_LATER("Speech from %.*s is well understood."),
        [VERDICT_UNSURE] = T_LATER("How well speech from %.*s is understood is open."),
        [VERDICT_NOTE] = T_LATER("How well speech from %.*s is understood is not judged.")};
    snprintf(out->plain, sizeof out->plain, T(plain[out->verdict]), CUT_TEXT(source, 100));
    if (out->verdict == VERDICT_POOR || out->verdict == VERDICT_FAIR)
        snprintf(out->advice, sizeof out->advice, "%s",
                 T("For speech: shorten the reverberation, or give the speaker loudspeakers that are near "
                   "the listeners."));
}

/* The source whose mean is least. */
static const char *find_worst(const struct report_run *run, enum figure figure, int band,
                              struct report_spread *out)
{
    const struct record_points *points = &run->model->points;
    const char *worst = NULL;
    *out = (struct report_spread){.mean = INFINITY};
    for (size_t s = 0; s < points->sources.count; s++) {
        const char *name = points->sources.item[s].name;
        const struct report_spread of = report_figure_spread(run, figure, band, name);
        if (name != NULL && of.count > 0 && of.mean < out->mean) {
            worst = name;
            *out = of;
        }
    }
    return worst;
}

/* "45 % of the sound arrives within 50 ms (D50 0.45 at 500 and 1000 Hz, mean of 5 places)". A share of the
 * sound is printed no finer than D50 itself. */
static void put_d50(const struct report_run *run, int band, const struct report_spread *spread, double limit,
                    char *text, size_t capacity)
{
    char octaves[REPORT_BAND_WORDS], count[REPORT_COUNT_WORDS], bar[REPORT_ERROR_WORDS];
    const int decimals = report_decimals(spread->mean, 2, limit, INFINITY);
    snprintf(text, capacity, T("%s %% of the sound arrives within 50 ms (definition D50 %s%s at %s, %s)"),
             words_number("%.*f", decimals > 2 ? decimals - 2 : 0, 100 * spread->mean).text,
             words_number("%.*f", decimals, spread->mean).text,
             report_error_words(spread->error, decimals, bar), report_band_words(run, band, octaves),
             report_count_words(spread, true, count));
}

static bool find_by_sti(const struct report_run *run, struct report_finding *out)
{
    struct report_spread sti, d50;
    const char *worst = find_worst(run, FIGURE_STI, REPORT_BAND_WHOLE, &sti);
    if (worst == NULL)
        return false;
    const double error = isfinite(sti.error) ? sti.error : 0;
    const size_t r = rate_sti(sti.mean), least = rate_sti(sti.mean - error),
                 most = rate_sti(sti.mean + error);
    char count[REPORT_COUNT_WORDS], support[200] = "", value[128], bar[REPORT_ERROR_WORDS];
    const int decimals =
        report_decimals(sti.mean, 2, rating[r].from, r + 1 < RATINGS ? rating[r + 1].from : INFINITY);
    const int band = report_figure_band(run, FIGURE_D50);
    d50 = report_figure_spread(run, FIGURE_D50, band, worst);
    if (band == REPORT_BAND_MIDDLE && d50.count > 0)
        put_d50(run, band, &d50, INFINITY, support, sizeof support);
    snprintf(value, sizeof value, "%s%s", words_number("%.*f", decimals, sti.mean).text,
             report_error_words(sti.error, decimals, bar));
    out->verdict = rating[least].verdict == rating[most].verdict ? rating[r].verdict : VERDICT_UNSURE;
    put_plain(out, worst);
    if (least == most)
        snprintf(out->sentence, sizeof out->sentence,
                 T("Speech from %.*s: %s. The speech transmission index (STI) is %s (%s, without background "
                   "noise); IEC "
                   "60268-16 calls %s %s. %s%s"),
                 CUT_TEXT(worst, 100), T(rating[r].name), value, report_count_words(&sti, true, count),
                 T(rating[r].range), T(rating[r].name), support, support[0] != '\0' ? "." : "");
    else
        snprintf(
            out->sentence, sizeof out->sentence,
            T("Speech from %.*s: %s or %s. The speech transmission index (STI) is %s (%s, without background "
              "noise); IEC 60268-16 calls %s %s and %s %s. %s%s"),
            CUT_TEXT(worst, 100), T(rating[least].name), T(rating[most].name), value,
            report_count_words(&sti, true, count), T(rating[least].range), T(rating[least].name),
            T(rating[most].range), T(rating[most].name), support, support[0] != '\0' ? "." : "");
    return true;
}

bool report_speech_find(const struct report_run *run, struct report_finding *out)
{
    const struct report_target *target =
        report_target_find(FIGURE_D50, "speech", report_room_volume(run->model));
    const int band = report_figure_band(run, FIGURE_D50);
    struct report_spread spread;
    char words[200];
    out->key = "speech";
    if (find_by_sti(run, out))
        return true;
    const char *worst = find_worst(run, FIGURE_D50, band, &spread);
    if (worst == NULL || target == NULL)
        return false;
    put_d50(run, band, &spread, target->low, words, sizeof words);
    if (band != REPORT_BAND_MIDDLE) {
        out->verdict = VERDICT_NOTE;
        put_plain(out, worst);
        snprintf(out->sentence, sizeof out->sentence, T("Speech from %.*s, not judged: %s."),
                 CUT_TEXT(worst, 100), words);
        return true;
    }
    const bool met = report_target_met(target->low, target->high, spread.mean);
    const double below = (target->low - spread.mean) / JND_D50;
    out->verdict = report_target_is_unsure(target->low, target->high, spread.mean, spread.error)
                       ? VERDICT_UNSURE
                   : met                 ? VERDICT_GOOD
                   : below <= FAIR_BELOW ? VERDICT_FAIR
                                         : VERDICT_POOR;
    put_plain(out, worst);
    snprintf(out->sentence, sizeof out->sentence, T("Speech from %.*s: %s. %s; aim above %s."),
             CUT_TEXT(worst, 100), T(report_verdict_word(out->verdict)), words,
             words_number("%.1f", target->low).text);
    return true;
}
