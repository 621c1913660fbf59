/** Octaves of a response, and the edges that an automatic fmax is chosen from. */
#ifndef SRC_OCTAVE_EDGES_H
#define SRC_OCTAVE_EDGES_H

#include <stdbool.h>
#include <stddef.h>

#include "src/response/signal/band_filters.h"

/** Centres of the octaves of bands_make(), for callers of octaves alone. */
size_t octave_centres(double highest, double centre[OCTAVE_BANDS_MAX]);

/** The upper edges of the octaves from 125 Hz, rising: an automatic fmax is one of them [Hz]. */
#define OCTAVE_EDGES 7
extern const double octave_edge[OCTAVE_EDGES];

/** The lowest octave that a run to `fmax` [Hz] does not hold, and its upper edge; false if there is none up
 * to 8 kHz. */
bool octave_above(double fmax, double *octave, double *edge);

#endif
