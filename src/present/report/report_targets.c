#include "src/present/report/report_targets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/response/acoustics/octave_edges.h"
#include "src/present/report/report_figures.h"
#include "src/base/words/words.h"

#define DIN_TITLE T_LATER("DIN 18041:2016, as quoted by Rigips, Bauphysik, page 47")
#define DIN_LINK  "medien.rigips.de/downloads/0bb374f4-748a-4566-a0cc-def7905cebf0/flipbook_bauphysik.zip"

/* Group A of DIN 18041. For sports halls below 250 Hz and above 2 kHz no second source was found. */
#define ALLOWED_TITLE T_LATER("DIN 18041:2016, as quoted by the program Raumakustik-CAD")
#define ALLOWED_LINK  "github.com/redbluee/Raumakustik-CAD/blob/main/src/reverberation_calc.py"
static const struct report_allowed din_rooms = {{0.5, 0.65, 0.8, 0.8, 0.8, 0.8, 0.65, 0.5},
                                                {1.7, 1.45, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2},
                                                ALLOWED_TITLE,
                                                ALLOWED_LINK},
                                   din_sport = {{NAN, NAN, 0.8, 0.8, 0.8, 0.8, NAN, NAN},
                                                {NAN, NAN, 1.2, 1.2, 1.2, 1.2, NAN, NAN},
                                                ALLOWED_TITLE,
                                                ALLOWED_LINK};

#define ANY_VOLUME           0, INFINITY
#define SMALL_MUSIC(asked)   30, 1000, RISING(0.45, 0.07), DIN_TITLE, DIN_LINK, asked, &din_rooms /* A1 */
#define RISING(by, constant) by, constant, 0, 0, 0                    /* by lg V */
#define GROWING(by, factor)  0, (factor)*0.107, (factor) * (by), 0, 0 /* by the root of V */
#define BETWEEN(low, high)   0, 0, 0, low, high

const struct report_target report_target[] = {
    {FIGURE_T30, T_LATER("worship"),
     T_LATER("chapels, as other rooms of their size where music is made (A1)"), SMALL_MUSIC(false)},
    {FIGURE_T30, T_LATER("worship"), T_LATER("churches, for both word and song"), 1000, INFINITY,
     BETWEEN(1.5, 2.5), "Pan Acoustics, Places of Worship",
     "www.panacoustics.com/Projects/PlacesofWorship/tabid/117/language/en-US/Default.aspx", false, NULL},
    {FIGURE_T30, T_LATER("speech"),
     T_LATER("speech in parish halls and council chambers, with people in them (A2)"), 50, 5000,
     RISING(0.37, -0.14), DIN_TITLE, DIN_LINK, false, &din_rooms},
    {FIGURE_T30, T_LATER("music"), T_LATER("rooms where music is made, with people in them (A1)"),
     SMALL_MUSIC(false)},
    {FIGURE_T30, T_LATER("teaching"),
     T_LATER("lessons and discussion, or speech for all hearing, with people there (A3)"), 30, 5000,
     RISING(0.32, -0.17), DIN_TITLE, DIN_LINK, true, &din_rooms},
    {FIGURE_T30, T_LATER("inclusive"),
     T_LATER("lessons and discussion for all hearing, with people there (A4)"), 30, 500, RISING(0.26, -0.14),
     DIN_TITLE, DIN_LINK, true, &din_rooms},
    {FIGURE_T30, T_LATER("sport"), T_LATER("sports halls (A5)"), 200, 10000, RISING(0.75, -1.00), DIN_TITLE,
     DIN_LINK, true, &din_sport},
    {FIGURE_T30, T_LATER("sport"), T_LATER("sports halls (A5)"), 10000, INFINITY, BETWEEN(2.0, 2.0),
     DIN_TITLE, DIN_LINK, true, &din_sport},
    {FIGURE_T30, T_LATER("concerts"), T_LATER("small concert rooms, with people in them (A1)"),
     SMALL_MUSIC(true)},
    {FIGURE_T30, T_LATER("concerts"), T_LATER("symphonic music in rooms of this size"), 1000, 10000,
     RISING(0.5, -0.3),
     T_LATER("formula of the optimal reverberation time, as quoted by LAQFOIL, a maker of ceilings"),
     "laqfoil.com/doc3/files/basic-html/page11.html", false, NULL},
    {FIGURE_T30, T_LATER("concerts"), T_LATER("concert halls"), 10000, INFINITY, BETWEEN(1.8, 2.2),
     "Concert Hall Acoustics, Reverberation", "www.concerthalls.org/?page_id=84", false, NULL},
    {FIGURE_T30, T_LATER("organ"),
     T_LATER("organ concerts, as in Swiss churches that have them, with people in them"), 1000, INFINITY,
     BETWEEN(1.5, 3.0),
     T_LATER("V. Desarnaulds, De l'acoustique des \xC3\xA9glises en Suisse (2002), figure 35, of which 1.5 s "
             "is at 4000 Hz and 3 s at 125 Hz"),
     "www.yumpu.com/fr/document/view/47222881/de-lacoustique-des-eglises-en-suisse-une-approche-"
     "pluridisciplinaire/316",
     false, NULL},
    {FIGURE_T30, T_LATER("choir"), T_LATER("choirs in rooms of this size"), 50, INFINITY, GROWING(0.012, 6),
     T_LATER("formula of R. W. B. Stephens and A. E. Bate, Wave Motion and Sound (1950), as it is handed on; "
             "the book was not read"),
     NULL, false, NULL},
    {FIGURE_D50, T_LATER("speech"), T_LATER("speech without amplification"), ANY_VOLUME,
     BETWEEN(0.5, INFINITY),
     T_LATER("W. Fasold, E. Veres, Schallschutz und Raumakustik in der Praxis (2003), as quoted by Kasaira"),
     "kasaira.de/physik-und-mehr/deutlichkeitsgrad-und-deutlichkeitsmass", false, NULL},
    {FIGURE_C80, T_LATER("music"),
     T_LATER("music: the low end for organ, the high one for classical and light pieces"), ANY_VOLUME,
     BETWEEN(-1, 3),
     T_LATER("U.-J. Werner, Handbuch Schallschutz und Raumakustik (2015), as quoted by Kasaira"),
     "kasaira.de/physik-und-mehr/klarheitsmass", false, NULL},
};

const size_t report_target_count = sizeof report_target / sizeof report_target[0];

bool report_target_limits(const struct report_target *target, double volume, double *low, double *high)
{
    if (!(volume >= target->volume_low && volume < target->volume_high))
        return false;
    *low = target->low;
    *high = target->high;
    if (target->slope != 0 || target->root != 0) /* two decimals, by the standard */
        *low = *high =
            round(100 * (target->slope * log10(volume) + target->constant + target->root * cbrt(volume))) /
            100;
    return true;
}

/* The limits of a target's time in the octave called `nominal` [Hz]; false where it has none there, or does
 * not hold. */
static bool find_octave_limits(const struct report_target *target, double volume, int nominal, double *low,
                               double *high)
{
    double time, same;
    int octave = 0;
    while (octave < REPORT_SHARES && nominal > 89 << octave)
        octave++;
    if (target->allowed == NULL || octave == REPORT_SHARES ||
        !report_target_limits(target, volume, &time, &same))
        return false;
    *low = target->allowed->low[octave] * time;
    *high = target->allowed->high[octave] * time;
    return isfinite(*low) && isfinite(*high);
}

bool report_target_met(double low, double high, double value)
{
    if (low == high)
        return fabs(value / low - 1) <= REPORT_TARGET_WITHIN;
    if (isinf(high))
        return value > low;
    return isinf(low) ? value < high : value >= low && value <= high;
}

bool report_target_is_unsure(double low, double high, double value, double error)
{
    const double from = low == high ? low * (1 - REPORT_TARGET_WITHIN) : low;
    const double to = low == high ? high * (1 + REPORT_TARGET_WITHIN) : high;
    return report_target_met(low, high, value) ? value - error < from || value + error > to
                                               : value + error > from && value - error < to;
}

const char *report_target_verdict(double low, double high, double value, double error)
{
    return !isfinite(value)                                   ? T_LATER("not known")
           : report_target_is_unsure(low, high, value, error) ? T_LATER("unsure")
           : report_target_met(low, high, value)              ? T_LATER("met")
                                                              : T_LATER("not met");
}

const struct report_target *report_target_find(enum figure figure, const char *use, double volume)
{
    double low, high;
    for (size_t i = 0; i < report_target_count; i++)
        if (report_target[i].figure == figure && strcmp(report_target[i].use, use) == 0 &&
            report_target_limits(&report_target[i], volume, &low, &high))
            return &report_target[i];
    return NULL;
}

/* ---- the values of a run ---- */

static void judge_aim(struct report_aim *aim, const struct report_run *run, double low, double high)
{
    const bool is_time = aim->target->figure == FIGURE_T30;
    const struct report_reverberation time = report_reverberation_of(run);
    aim->found = is_time && time.there ? time.figure : aim->target->figure;
    const struct report_spread spread = report_figure_spread(run, aim->found, REPORT_BAND_MIDDLE, NULL);
    const bool places = run->model->points.sources.count < 2;
    aim->value = report_rounded(spread.mean, 4);
    aim->error = report_rounded(spread.error, 4);
    aim->unsure = report_is_unsure(run, aim->found, REPORT_BAND_MIDDLE);
    aim->verdict = report_target_verdict(low, high, spread.mean, spread.error);
    (void)figure_marks_text(spread.marks, aim->marks);
    if (spread.count > 0) {
        report_band_words(run, REPORT_BAND_MIDDLE, aim->octaves);
        report_count_words(&spread, places, aim->count);
        return;
    }
    if (report_shows_middle(run))
        report_figure_reason(run, is_time ? FIGURE_EDT : aim->found, aim->why, sizeof aim->why);
}

/* Once for all of them: a run of maps, or one that ends too low. */
static bool add_why(struct report_run *run)
{
    const double highest = run_model_highest(run->model);
    char text[200];
    if (run->responses.count == 0 && run->model->grids.count > 0)
        return json_text_set(&run->targets_why,
                             T("Not judged: this run has no receiver at a single place, by which rooms are "
                               "judged."));
    if (run->responses.count == 0 || report_shows_middle(run) || !isfinite(highest))
        return true;
    snprintf(text, sizeof text,
             T("Not judged: this run ends at %s Hz, and rooms are judged at 500 and 1000 Hz. Simulate with "
               "rays, which add the octaves above, or up to %d Hz."),
             words_number("%.5g", highest).text, REPORT_MIDDLE_FMAX);
    return json_text_set(&run->targets_why, text);
}

/* ---- a requested use ---- */

/* One octave's verdict; NULL: nothing is known. */
static const char *octave_verdict(const struct report_octave_times *times, size_t b, double low, double high)
{
    const double time = json_number_of(&times->time, b);
    if (!isfinite(time) || !isfinite(low))
        return NULL;
    return report_target_is_unsure(low, high, time, json_number_of(&times->error, b)) ? T_LATER("unsure")
           : time > high                                                              ? T_LATER("too long")
           : time < low                                                               ? T_LATER("too short")
                                                                                      : T_LATER("met");
}

static bool add_tolerance(struct report_run *run, const struct report_target *target, double volume)
{
    const struct report_octave_times *times = run->octave_times;
    double low[OCTAVE_BANDS_MAX], high[OCTAVE_BANDS_MAX];
    const char *verdict[OCTAVE_BANDS_MAX];
    struct report_tolerance *out = run->tolerance = json_make(&report_tolerance_table);
    for (size_t b = 0; b < times->octaves.count; b++) {
        if (!find_octave_limits(target, volume, band_nominal(times->octaves.value[b]), &low[b], &high[b]))
            low[b] = high[b] = NAN;
        verdict[b] = octave_verdict(times, b, low[b], high[b]);
        low[b] = report_rounded(low[b], 4);
        high[b] = report_rounded(high[b], 4);
    }
    if (out == NULL)
        return false;
    out->title = target->allowed->title;
    out->link = target->allowed->link;
    return json_numbers_set(&out->low, low, times->octaves.count) &&
           json_numbers_set(&out->high, high, times->octaves.count) &&
           json_texts_set(&out->verdict, verdict, times->octaves.count);
}

/* The use's time does not hold in this room: where would it? */
static bool add_use_why(struct report_run *run, double volume)
{
    double from = INFINITY, to = 0;
    const char *title = NULL;
    char text[400], has[100], upto[40] = "";
    for (size_t i = 0; i < report_target_count; i++) {
        const struct report_target *target = &report_target[i];
        if (strcmp(target->use, run->use) != 0 || target->figure != FIGURE_T30)
            continue;
        from = fmin(from, target->volume_low);
        to = fmax(to, target->volume_high);
        title = target->title;
    }
    if (volume > 0)
        snprintf(has, sizeof has, T("this one has %.0f m\xC2\xB3"), volume);
    else
        snprintf(has, sizeof has, "%s", T("sound leaves this room, so that its volume is not known"));
    if (isfinite(to))
        snprintf(upto, sizeof upto, T(" and less than %.0f m\xC2\xB3"), to);
    snprintf(
        text, sizeof text,
        T("The reverberation time is not judged for the use %s: the source, %s, has rooms of at least %.0f "
          "m\xC2\xB3%s, and %s."),
        T(run->use), T(title), from, upto, has);
    return title == NULL || json_text_set(&run->use_why, text);
}

/* ---- all ---- */

static bool is_wanted(const struct report_run *run, const struct report_target *target)
{
    return run->use != NULL ? strcmp(target->use, run->use) == 0 : !target->asked;
}

int report_targets_add(struct report_run *run, struct failure *failure)
{
    const double volume = report_room_volume(run->model);
    const struct report_target *timed = NULL;
    double low, high;
    for (size_t i = 0; i < report_target_count; i++) {
        if (!is_wanted(run, &report_target[i]) ||
            !report_target_limits(&report_target[i], volume, &low, &high))
            continue;
        struct report_aim *aim = report_list_add(&report_aim_table, &run->targets);
        if (aim == NULL)
            return report_no_memory(failure);
        aim->target = &report_target[i];
        aim->low = report_rounded(low, 3);
        aim->high = report_rounded(high, 3);
        judge_aim(aim, run, low, high);
        timed = aim->target->figure == FIGURE_T30 ? aim->target : timed;
    }
    const bool whole = run->use == NULL ? true
                       : timed == NULL  ? add_use_why(run, volume)
                       : timed->allowed != NULL && run->octave_times != NULL
                           ? add_tolerance(run, timed, volume)
                           : true;
    return whole && add_why(run) ? 0 : report_no_memory(failure);
}
