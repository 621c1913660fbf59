/** Words the largest differences between the figures of a run and of its repetition on the offset grid. */
#ifndef SRC_FIGURE_SPREAD_H
#define SRC_FIGURE_SPREAD_H

#include <stdio.h>

#include "src/response/acoustics/acoustic_figures.h"

/** From zeroed. */
struct figure_spread {
    size_t responses, bands;
    double centre[OCTAVE_BANDS_MAX]; /* [Hz] */
    double band;                     /* of the level over the band [dB] */
    /* In the unit of the figure, or relative; over figures present in both. */
    double most[PRESSURE_FIGURES][OCTAVE_BANDS_MAX];
};

/** One response on both grids. */
void figure_spread_add(struct figure_spread *spread, const struct acoustic_figures *figures,
                       const struct acoustic_figures *shifted);

/** Print the level by octave, and every figure in its worst octave; at most 100 columns wide. Prints nothing
 * without responses. */
void figure_spread_print(FILE *stream, const struct figure_spread *spread);

#endif
