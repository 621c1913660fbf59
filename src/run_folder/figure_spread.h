/** Prints the largest differences between the figures of a run and of its repetition on the offset grid. */
#ifndef SRC_FIGURE_SPREAD_H
#define SRC_FIGURE_SPREAD_H

#include <stdio.h>

#include "src/run_folder/run_model.h"

/** The level by octave, and every figure in its worst octave; at most 100 columns wide. Nothing if no
 * response was repeated. */
void figure_spread_print(FILE *stream, const struct run_model *run);

#endif
