#include "src/response/acoustics/figure_summary.h"
#include "src/base/words/words.h"

#include <math.h>
#include <stdio.h>

void figure_mean_add(struct figure_mean *mean, double value)
{
    if (!isfinite(value))
        return;
    const double off = value - mean->mean;
    mean->mean += off / (double)++mean->count;
    mean->squares += off * (value - mean->mean);
}

double figure_mean_of(const struct figure_mean *mean)
{
    return mean->count > 0 ? mean->mean : NAN;
}

double figure_mean_deviation(const struct figure_mean *mean)
{
    return mean->count > 1 ? sqrt(mean->squares / (double)(mean->count - 1)) : NAN;
}

unsigned figure_marks_of(const struct band_times *times)
{
    return figure_marks(times->curvature, times->nonlinearity, times->slopes.found);
}

unsigned figure_band_marks(const struct figure_band *octave)
{
    return (octave->curved > 0 ? FIGURE_CURVED : 0u) | (octave->uneven > 0 ? FIGURE_UNEVEN : 0u) |
           (octave->slope[0].count > 0 ? FIGURE_TWO_SLOPES : 0u);
}

static void add_octave(const struct band_figures *figures, struct figure_band *octave)
{
    const struct band_times *times = &figures->times;
    octave->range = octave->count == 0 ? times->range : fmin(octave->range, times->range);
    octave->centre = times->centre;
    octave->count++;
    octave->curved += (figure_marks_of(times) & FIGURE_CURVED) != 0;
    octave->uneven += (figure_marks_of(times) & FIGURE_UNEVEN) != 0;
    if (times->why[0] != '\0' || figures->why[0] != '\0') {
        octave->lacking++;
        octave->first = octave->first != NULL ? octave->first : figures;
    }
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        figure_mean_add(&octave->figure[f], acoustic_figure_of(figures, (enum figure)f));
    if (!times->slopes.found)
        return;
    figure_mean_add(&octave->slope[0], times->slopes.early);
    figure_mean_add(&octave->slope[1], times->slopes.late);
    figure_mean_add(&octave->slope[2], times->slopes.level);
}

static void add_bands(struct figure_summary *summary, enum band_kind kind, const struct band_figures *figures,
                      size_t bands, bool calibrated)
{
    summary->responses++;
    summary->bands = bands > summary->bands ? bands : summary->bands;
    summary->calibrated = summary->calibrated || calibrated;
    for (size_t b = 0; b < bands; b++)
        add_octave(&figures[b], &summary->octave[b]);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        figure_mean_add(&summary->single[f], band_figure_single(kind, figures, bands, (enum figure)f));
}

void figure_summary_add(struct figure_summary *summary, const struct acoustic_figures *figures)
{
    add_bands(summary, BANDS_OCTAVE, figures->octave, figures->bands,
              acoustic_figures_is_calibrated(figures));
}

void third_summary_add(struct figure_summary *summary, const struct third_figures *figures)
{
    add_bands(summary, BANDS_THIRD, figures->third, figures->bands, figures->reference > 0.0);
}

void lateral_summary_add(struct figure_summary *summary, const struct lateral_figures *figures)
{
    summary->lateral_responses++;
    for (int f = PRESSURE_FIGURES; f < LATERAL_FIGURES; f++) {
        for (size_t b = 0; b < figures->bands; b++)
            figure_mean_add(&summary->octave[b].figure[f],
                            lateral_figure_of(&figures->octave[b], (enum figure)f));
        figure_mean_add(&summary->single[f], lateral_figure_single(figures, (enum figure)f));
    }
}

void further_summary_add(struct figure_summary *summary, const struct further_figures *figures)
{
    for (int f = FURTHER_FIRST; f < FURTHER_FIGURES; f++) {
        for (size_t b = 0; f < OCTAVE_FIGURES && b < OCTAVE_BANDS_MAX; b++)
            figure_mean_add(&summary->octave[b].figure[f], figures->octave[f][b]);
        figure_mean_add(&summary->single[f], figures->single[f]);
    }
}

bool figure_summary_has(const struct figure_summary *summary, enum figure figure)
{
    bool any = summary->single[figure].count > 0;
    for (size_t b = 0; (int)figure < OCTAVE_FIGURES && b < summary->bands; b++)
        any = any || summary->octave[b].figure[figure].count > 0;
    return any;
}

double figure_least_distance(const struct figure_summary *summary, double volume, double sound_speed)
{
    for (int f = FIGURE_T30; f >= FIGURE_T20; f--) {
        double time = 0.0, count = 0.0;
        for (size_t b = 0; b < summary->bands; b++) {
            const struct figure_mean *mean = &summary->octave[b].figure[f];
            time += mean->mean * (double)mean->count;
            count += (double)mean->count;
        }
        if (count > 0.0)
            return 2.0 * sqrt(volume / (sound_speed * time / count));
    }
    return NAN;
}

void figure_why(const struct band_figures *octave, bool calibrated, char text[FIGURE_WHY_MAX])
{
    const char *const part[] = {octave->times.why, octave->why,
                                calibrated ? "" : "G: " SAID("the level of the source is not known")};
    size_t used = 0;
    text[0] = '\0';
    for (int p = 0; p < 3; p++)
        if (part[p][0] != '\0' && used < FIGURE_WHY_MAX - 1)
            used +=
                (size_t)snprintf(text + used, FIGURE_WHY_MAX - used, "%s%s", used > 0 ? "; " : "", part[p]);
}
