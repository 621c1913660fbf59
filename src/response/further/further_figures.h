/** Figures beyond those of a pressure response alone: of both ears, of echoes, of the balance of low and high
 * octaves, and of what a place has beyond the expectation for its distance. They are FURTHER_FIRST to
 * FURTHER_FIGURES of figure_table.h.
 *
 * - IACC early and late, by octave: interaural.h. Single numbers: means of 500, 1000 and 2000 Hz (Hidaka,
 * Beranek and Okano, J. Acoust. Soc. Am. 98, 1995).
 * - EK of speech and of music: echo_criterion.h.
 * - Bass ratio (T125 + T250) / (T500 + T1000) and brilliance (T2000 + T4000) / (T500 + T1000) (Beranek,
 * Concert and Opera Halls, 1996), T of T30, else T20.
 * - Barron's revised theory (statistical_reverberation.h) with the T of the octave at the place: EDT / T,
 * which it expects to be 1, since after the direct sound its decay is straight; C80 and G above what it
 * expects. Single numbers: means of 500 and 1000 Hz. */
#ifndef SRC_FURTHER_FIGURES_H
#define SRC_FURTHER_FIGURES_H

#include "src/response/acoustics/acoustic_figures.h"

/** Of one response; NaN if absent. */
struct further_figures {
    double octave[OCTAVE_FIGURES][OCTAVE_BANDS_MAX]; /* from 63 Hz; of FURTHER_FIRST on */
    double single[FURTHER_FIGURES];
    double echo_time[2]; /* when the echo comes, of speech and of music, after the onset [s] */
};

/** All absent. */
void further_figures_clear(struct further_figures *out);

/** Fill those that follow from others. Unknown distance [m] or volume of the air [m3]: NaN; then the two of
 * the theory are absent, as G-B is if the level of the source is unknown. */
void further_figures_derive(const struct acoustic_figures *figures, double distance, double volume,
                            double sound_speed, struct further_figures *out);

/** The mean of octaves `first` to `last` (0: 63 Hz) becomes the single number; NaN if one is absent. */
void further_figures_average(struct further_figures *out, enum figure figure, size_t first, size_t last);

#endif
