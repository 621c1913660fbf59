#include "src/report/report_speech.h"

#include <math.h>
#include <stdio.h>

#include "src/acoustics/acoustic_figures.h"
#include "src/base/cut_text.h"
#include "src/record/run_folder.h"
#include "src/report/report_figures.h"
#include "src/report/report_targets.h"
#include "src/report/report_ways_out.h"

#define FAIR_BELOW 2 /* just noticeable differences of D50 */

/* Where each name begins. */
static const struct {
    double from;
    const char *name, *range;
    enum report_verdict verdict;
} rating[] = {{-INFINITY, "bad", "less than 0.30", VERDICT_POOR},
              {0.30, "poor", "0.30 to 0.45", VERDICT_POOR},
              {0.45, "fair", "0.45 to 0.60", VERDICT_FAIR},
              {0.60, "good", "0.60 to 0.75", VERDICT_GOOD},
              {0.75, "excellent", "0.75 and more", VERDICT_GOOD}};
#define RATINGS (sizeof rating / sizeof rating[0])

static size_t rate(double sti)
{
    size_t r = RATINGS - 1;
    while (r > 0 && !(sti >= rating[r].from))
        r--;
    return r;
}

const char *report_sti_rating(double sti)
{
    return rating[rate(sti)].name;
}

/* The source whose mean is least. */
static const char *find_worst(const cJSON *run, const char *figure, int band, struct report_spread *out)
{
    const cJSON *responses = record_at(run, "responses"), *source;
    const char *worst = NULL;
    *out = (struct report_spread){.mean = INFINITY};
    cJSON_ArrayForEach(source, record_at(run, "run.sources"))
    {
        const char *name = record_text(source, "name");
        const struct report_spread of = report_figure_spread(responses, figure, band, name);
        if (name != NULL && of.count > 0 && of.mean < out->mean) {
            worst = name;
            *out = of;
        }
    }
    return worst;
}

/* "45 % of the sound comes within 50 ms (D50 0.45 at 500 and 1000 Hz, mean of 5 places)". A share of the
 * sound is told no finer than D50 itself. */
static void tell_d50(const cJSON *responses, int band, const struct report_spread *spread, double limit,
                     char *text, size_t capacity)
{
    char octaves[REPORT_BAND_WORDS], count[REPORT_COUNT_WORDS];
    const int decimals = report_decimals(spread->mean, 2, limit, INFINITY);
    snprintf(text, capacity, "%.*f %% of the sound comes within 50 ms (D50 %.*f at %s, %s)",
             decimals > 2 ? decimals - 2 : 0, 100 * spread->mean, decimals, spread->mean,
             report_band_words(responses, band, octaves), report_count_words(spread, true, count));
}

static bool find_by_sti(const cJSON *run, struct report_finding *out)
{
    const cJSON *responses = record_at(run, "responses");
    struct report_spread sti, d50;
    const char *worst = find_worst(run, "sti", REPORT_BAND_WHOLE, &sti);
    if (worst == NULL)
        return false;
    const size_t r = rate(sti.mean);
    char count[REPORT_COUNT_WORDS], support[200] = "";
    const int decimals =
        report_decimals(sti.mean, 2, rating[r].from, r + 1 < RATINGS ? rating[r + 1].from : INFINITY);
    const int band = report_figure_band(responses, "d50");
    d50 = report_figure_spread(responses, "d50", band, worst);
    if (band == REPORT_BAND_MIDDLE && d50.count > 0)
        tell_d50(responses, band, &d50, INFINITY, support, sizeof support);
    out->verdict = rating[r].verdict;
    snprintf(out->sentence, sizeof out->sentence,
             "Speech from %.*s: %s. The speech transmission index (STI) is %.*f (%s, without background "
             "noise); IEC 60268-16 calls %s %s. %s%s",
             CUT_TEXT(worst, 100), rating[r].name, decimals, sti.mean, report_count_words(&sti, true, count),
             rating[r].range, rating[r].name, support, support[0] != '\0' ? "." : "");
    return true;
}

bool report_speech_find(const cJSON *run, struct report_finding *out)
{
    const cJSON *responses = record_at(run, "responses");
    const struct report_target *target = report_target_find("d50", "speech", report_room_volume(run));
    const int band = report_figure_band(responses, "d50");
    struct report_spread spread;
    char told[200];
    out->key = "speech";
    if (find_by_sti(run, out))
        return true;
    const char *worst = find_worst(run, "d50", band, &spread);
    if (worst == NULL || target == NULL)
        return false;
    tell_d50(responses, band, &spread, target->low, told, sizeof told);
    if (band != REPORT_BAND_MIDDLE) {
        out->verdict = VERDICT_NOTE;
        snprintf(out->sentence, sizeof out->sentence, "Speech from %.*s, not judged: %s.",
                 CUT_TEXT(worst, 100), told);
        return true;
    }
    const bool met = report_target_met(target->low, target->high, spread.mean);
    const double below = (target->low - spread.mean) / JND_D50;
    out->verdict = met ? VERDICT_GOOD : below <= FAIR_BELOW ? VERDICT_FAIR : VERDICT_POOR;
    snprintf(out->sentence, sizeof out->sentence, "Speech from %.*s: %s. %s; aim above %.1f.",
             CUT_TEXT(worst, 100), report_verdict_word(out->verdict), told, target->low);
    return true;
}
