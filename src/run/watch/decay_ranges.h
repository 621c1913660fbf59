/** How far the responses of a run have decayed so far, as their figures measure it, to decide when it may
 * end.
 *
 * An octave has decayed at a receiver if its range (decay_times.h) is DECAY_RANGE_T30, so that it has all
 * times. A floor must be DECAY_FLOOR_LOW under the start: a run has no noise but that of rounding, and a
 * higher floor is a slower decay of which too little is seen. An octave in which no decay is found, such as
 * that of a direct sound alone, has decayed if it has fallen by DECAY_FALL_ENOUGH in a time in which one
 * would be found, 20 over its bandwidth: a longer response would not give it times.
 */
#ifndef SRC_DECAY_RANGES_H
#define SRC_DECAY_RANGES_H

#include "src/response/acoustics/decay_times.h"
#include "src/response/signal/response.h"

#define DECAY_FALL_ENOUGH 50.0                     /* [dB] */
#define DECAY_FLOOR_LOW   (DECAY_RANGE_T30 + 10.0) /* energy of a second [dB] */

/** The next piece of a run lasts as long as the octave that needs longest will take by its own decay, a
 * tenth of the response so far where that is unknown, within these shares of the response so far. */
#define DECAY_PIECE_LEAST 0.05
#define DECAY_PIECE_MOST  0.5

/** The receivers that are followed; all borrowed. */
struct decay_rows {
    struct response_chain chain; /* of their responses; its warp is not used */
    size_t count;
    const size_t *row;   /* (count) in the output */
    const double *onset; /* (count) of their sound, after the emission [s] */
    int threads;         /* 0: as OpenMP has it */
};

struct decay_ranges {
    double range[OCTAVE_BANDS_MAX]; /* the least of all receivers [dB], its fall where there is no decay;
                                       infinite where there is no octave or no receiver */
    double more;                    /* the next piece, of responses [s]; 0: every octave has decayed */
};

/** @param raw  rows of `steps` values, `apart` values from one to the next
 * FAILURE_CAPACITY without memory. A response of 2 s takes .05 to .1 s of one processor; threads share them.
 * The same bits for any number of threads. */
int decay_ranges_find(const struct decay_rows *rows, const double *raw, uint64_t apart, uint64_t steps,
                      struct decay_ranges *out, struct failure *failure);

#endif
