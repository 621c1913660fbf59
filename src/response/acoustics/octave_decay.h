/** Follows the decay of each octave at each receiver during a simulation, to decide when it may end. */
#ifndef SRC_OCTAVE_DECAY_H
#define SRC_OCTAVE_DECAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/time_step.h"
#include "src/response/signal/air.h"
#include "src/response/signal/integrator.h"
#include "src/response/signal/band_filters.h"

/** Centres of the octaves of bands_make(), for callers of octaves alone. */
size_t octave_centres(double highest, double centre[OCTAVE_BANDS_MAX]);

/** The upper edges of the octaves from 125 Hz, rising: an automatic fmax is one of them [Hz]. */
#define OCTAVE_EDGES 7
extern const double octave_edge[OCTAVE_EDGES];

/** The lowest octave that a run to `fmax` [Hz] does not hold, and its upper edge; false if there is none up
 * to 8 kHz. */
bool octave_above(double fmax, double *octave, double *edge);

#define OCTAVE_DECAY_ORDER 3 /* of its octave filters */

/** Level of one octave at one receiver, as energies of windows in a row. */
struct octave_level {
    struct biquad section[OCTAVE_DECAY_ORDER];
    double sum;        /* of the window so far */
    uint64_t filled;   /* samples in it */
    double last[2];    /* energies of the last two complete windows, newest first */
    double largest;    /* of all complete windows */
    uint64_t complete; /* windows */
};

/** Owned, freed by octave_decay_free(); zeroed is empty. */
struct octave_decay {
    size_t receivers, bands;
    double centre[OCTAVE_BANDS_MAX];   /* [Hz] */
    uint64_t window[OCTAVE_BANDS_MAX]; /* samples: 50 ms or 8 periods of the centre, the longer */
    double in_air[OCTAVE_BANDS_MAX];   /* further decay by exp(-in_air) from window to window */
    struct integrator *integrator;     /* (receivers) */
    struct octave_level *level;        /* (receivers, bands) */
};

/** Octaves are of true frequencies: dispersion moves them in a run (dispersion.h). A level that has fallen
 * there has also fallen in the response, a little earlier.
 * @param step of the samples; of the standard scheme only its rate [Hz] is used
 * @param highest [Hz], accepted by response_check(). FAILURE_CAPACITY: memory. */
int octave_decay_make(const struct time_step *step, double highest, size_t receivers,
                      struct octave_decay *out, struct failure *failure);
/** Call before the first sample if losses of the air will be applied later (air_filter.h). Each octave is
 * given the losses at its lower edge. These are the least, so a level that has fallen here has fallen in the
 * response. */
void octave_decay_in_air(struct octave_decay *decay, const struct time_step *step,
                         const struct air_losses *losses);
void octave_decay_free(struct octave_decay *decay);

/** The next samples of a receiver, in the form for response_drive_make(); `raw` (count) is overwritten. About
 * 30 operations a band and sample. */
void octave_decay_add(struct octave_decay *decay, size_t receiver, double *raw, size_t count);

/** The fall of the octave that has fallen least, at the receiver with the least fall [dB]: loudest window
 * over the louder of the last two. 0 before there are three windows; infinite without receivers or bands. */
double octave_decay_least_fall(const struct octave_decay *decay);

#endif
