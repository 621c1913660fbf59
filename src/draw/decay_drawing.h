/** A page that draws the decays of responses side by side: for each pair of responses a plot an octave, level
 * over the time after the direct sound. */
#ifndef SRC_DECAY_DRAWING_H
#define SRC_DECAY_DRAWING_H

#include <stdio.h>

#include "src/response/acoustics/decay_times.h"

/** Two responses of one source and receiver; all borrowed. */
struct decay_pair {
    const char *title;
    size_t bands[2];
    const struct decay_trace *trace[2]; /* (bands), from 63 Hz */
};

/** Write the page, in the current language. `name`: of the first and of the second of every pair, for the
 * key. Octaves that neither has a decay of are left out. */
void decay_drawing_page(FILE *page, const char *title, const char *const name[2],
                        const struct decay_pair *pair, size_t pairs);

#endif
