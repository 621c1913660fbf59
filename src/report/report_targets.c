#include "src/report/report_targets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/report/report_figures.h"
#include "src/words/words.h"

#define DIN_TITLE "DIN 18041:2004, as quoted by Setaplast, Vorschriften und Normen"
#define DIN_LINK  "www.setaplast.de/setaplast-abacustica/vorschriften-und-normen"

#define WITHIN 0.2 /* of a target that is one value */

#define ANY_VOLUME           0, INFINITY
#define RISING(by, constant) by, constant, 0, 0 /* by lg V */
#define BETWEEN(low, high)   0, 0, low, high

const struct report_target report_target[] = {
    {FIGURE_T30, "worship", T_LATER("churches, for both word and song"), ANY_VOLUME, BETWEEN(1.5, 2.5),
     "Pan Acoustics, Places of Worship",
     "www.panacoustics.com/Projects/PlacesofWorship/tabid/117/language/en-US/Default.aspx"},
    {FIGURE_T30, "speech", T_LATER("speech in parish halls and council chambers, with people in them"), 30,
     5000, RISING(0.37, -0.14), DIN_TITLE, DIN_LINK},
    {FIGURE_T30, "music", T_LATER("rooms where music is made, with people in them"), 30, 5000,
     RISING(0.45, 0.07), DIN_TITLE, DIN_LINK},
    {FIGURE_T30, "concerts", T_LATER("concert halls"), ANY_VOLUME, BETWEEN(1.8, 2.2),
     "Concert Hall Acoustics, Reverberation", "www.concerthalls.org/?page_id=84"},
    {FIGURE_D50, "speech", T_LATER("speech without amplification"), ANY_VOLUME, BETWEEN(0.5, INFINITY),
     "W. Fasold, E. Veres, Schallschutz und Raumakustik in der Praxis (2003), as quoted by Kasaira",
     "kasaira.de/physik-und-mehr/deutlichkeitsgrad-und-deutlichkeitsmass"},
    {FIGURE_C80, "music",
     T_LATER("music: the low end for organ, the high one for classical and light pieces"), ANY_VOLUME,
     BETWEEN(-1, 3), "U.-J. Werner, Handbuch Schallschutz und Raumakustik (2015), as quoted by Kasaira",
     "kasaira.de/physik-und-mehr/klarheitsmass"},
};

const size_t report_target_count = sizeof report_target / sizeof report_target[0];

bool report_target_limits(const struct report_target *target, double volume, double *low, double *high)
{
    if (!(volume >= target->volume_low && volume <= target->volume_high))
        return false;
    *low = target->low;
    *high = target->high;
    if (target->slope != 0)
        *low = *high = target->slope * log10(volume) + target->constant;
    return true;
}

bool report_target_met(double low, double high, double value)
{
    if (low == high)
        return fabs(value / low - 1) <= WITHIN;
    if (isinf(high))
        return value > low;
    return isinf(low) ? value < high : value >= low && value <= high;
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

bool report_lets_out(const struct run_model *model)
{
    return model->room.open_face_links > 0;
}

double report_room_volume(const struct run_model *model)
{
    const double volume = model->size.air_volume;
    return report_lets_out(model) || !isfinite(volume) ? 0 : volume;
}

/* ---- what a run has for them ---- */

static void judge(struct report_aim *aim, const struct report_run *run, double low, double high)
{
    const bool is_time = aim->target->figure == FIGURE_T30;
    const struct report_reverberation time = report_reverberation_of(run);
    aim->found = is_time && time.there ? time.figure : aim->target->figure;
    const struct report_spread spread = report_figure_spread(run, aim->found, REPORT_BAND_MIDDLE, NULL);
    const bool places = run->model->points.sources.count < 2;
    aim->value = report_rounded(spread.mean, 4);
    if (spread.count > 0) {
        report_band_words(run, REPORT_BAND_MIDDLE, aim->octaves);
        report_count_words(&spread, places, aim->count);
        aim->verdict = report_target_met(low, high, spread.mean) ? T_LATER("met") : T_LATER("not met");
        return;
    }
    aim->verdict = T_LATER("not known");
    if (report_shows_middle(run))
        report_figure_reason(run, is_time ? FIGURE_EDT : aim->found, aim->why, sizeof aim->why);
}

/* Once for all of them: a run that ends too low. */
static bool add_why(struct report_run *run)
{
    const double highest = run->model->room.fmax;
    char text[200];
    if (run->responses.count == 0 || report_shows_middle(run) || !isfinite(highest))
        return true;
    snprintf(text, sizeof text,
             T("Not judged: this simulation ends at %s Hz, and rooms are judged at 500 and 1000 Hz. A run up "
               "to %d Hz "
               "reaches them."),
             words_number("%.5g", highest).text, REPORT_MIDDLE_FMAX);
    return json_text_set(&run->targets_why, text);
}

int report_targets_add(struct report_run *run, struct failure *failure)
{
    const double volume = report_room_volume(run->model);
    double low, high;
    for (size_t i = 0; i < report_target_count; i++) {
        if (!report_target_limits(&report_target[i], volume, &low, &high))
            continue;
        struct report_aim *aim = report_list_add(&report_aim_table, &run->targets);
        if (aim == NULL)
            return report_no_memory(failure);
        aim->target = &report_target[i];
        aim->low = report_rounded(low, 3);
        aim->high = report_rounded(high, 3);
        judge(aim, run, low, high);
    }
    return add_why(run) ? 0 : report_no_memory(failure);
}
