/** Responses of the real church compared: by their early waveform and by their reverberation time. */
#ifndef TESTS_CHURCH_SOUND_H
#define TESTS_CHURCH_SOUND_H

#include <stddef.h>

#include "geometry/base/failure.h"

#define CHURCH_BAND_LOW  80.0  /* [Hz] */
#define CHURCH_BAND_HIGH 400.0 /* [Hz] */
#define CHURCH_EARLY     0.06  /* from the direct sound on [s] */

/** Steps that the early comparison needs at a receiver that `distance` [m] away. */
size_t church_early_steps(double distance, double rate);

struct church_match {
    double correlation; /* at zero lag: sum a b / sqrt(sum a a  sum b b) */
    double lag;         /* by which a comes after b where the correlation is largest [samples], -4..4 */
    double level;       /* energy of a over that of b [dB] */
};

/** Compare two responses of the engine (or the peer's) to the drive (1, -1) at one rate: running sum,
 * band-pass (fourth-order Butterworth on each side), then from the emission to CHURCH_EARLY after the direct
 * sound. All filters are causal, so nothing after that end counts. A match of NaN where a response is not
 * finite.
 * @param a,b (church_early_steps()) */
struct church_match church_match(const double *a, const double *b, double distance, double rate);

/** The same of responses that need no running sum, as the program writes them. */
struct church_match church_match_responses(const double *a, const double *b, double distance, double rate);

/** T30 of a response to the drive (1, -1) in the octaves from 63 Hz with upper edges up to `highest` [Hz];
 * NaN where decay_times_make() gives none. @param t30 (octaves) [s] */
int church_t30(const double *raw, size_t count, double rate, double highest, double distance, size_t octaves,
               double *t30, struct failure *failure);

#endif
