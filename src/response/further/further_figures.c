#include "src/response/further/further_figures.h"

#include <math.h>

#include "src/response/acoustics/statistical_reverberation.h"

enum { HZ_125 = 1, HZ_250, HZ_500, HZ_1000, HZ_2000, HZ_4000 };

void further_figures_clear(struct further_figures *out)
{
    for (int f = 0; f < OCTAVE_FIGURES; f++)
        for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++)
            out->octave[f][b] = NAN;
    for (int f = 0; f < FURTHER_FIGURES; f++)
        out->single[f] = NAN;
    out->echo_time[0] = out->echo_time[1] = NAN;
}

void further_figures_average(struct further_figures *out, enum figure figure, size_t first, size_t last)
{
    double sum = 0.0;
    for (size_t b = first; b <= last; b++)
        sum += out->octave[figure][b];
    out->single[figure] = sum / (double)(last - first + 1);
}

/* NaN of an octave that is not there. */
static double time_of(const struct acoustic_figures *figures, size_t band)
{
    if (band >= figures->bands)
        return NAN;
    const struct band_times *times = &figures->octave[band].times;
    return isfinite(times->t30) ? times->t30 : times->t20;
}

static double time_ratio(const struct acoustic_figures *figures, size_t first)
{
    return (time_of(figures, first) + time_of(figures, first + 1)) /
           (time_of(figures, HZ_500) + time_of(figures, HZ_1000));
}

void further_figures_derive(const struct acoustic_figures *figures, double distance, double volume,
                            double sound_speed, struct further_figures *out)
{
    out->single[FIGURE_BASS_RATIO] = time_ratio(figures, HZ_125);
    out->single[FIGURE_BRILLIANCE] = time_ratio(figures, HZ_2000);
    for (size_t b = 0; b < figures->bands; b++) {
        const struct band_figures *octave = &figures->octave[b];
        const double time = time_of(figures, b);
        const struct barron_energy expected = barron_energy_at(distance, volume, time, sound_speed);
        const double early = expected.direct + expected.early;
        out->octave[FIGURE_EDT_SHARE][b] = octave->times.edt / time;
        out->octave[FIGURE_C80_BARRON][b] = octave->c80 - 10.0 * log10(early / expected.late);
        out->octave[FIGURE_G_BARRON][b] = octave->g - 10.0 * log10(early + expected.late);
    }
    for (int f = FIGURE_EDT_SHARE; f <= FIGURE_G_BARRON; f++)
        further_figures_average(out, (enum figure)f, HZ_500, HZ_1000);
}
