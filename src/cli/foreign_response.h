/** What can be found in a response of unknown origin: when sound arrives, and up to which frequency it goes.
 */
#ifndef SRC_FOREIGN_RESPONSE_H
#define SRC_FOREIGN_RESPONSE_H

#include <stddef.h>

#include "geometry/base/failure.h"

/** Below this highest frequency the rule of foreign_onset() comes early [Hz]: by 0.85 ms at 1420, 3.5 at 355.
 */
#define FOREIGN_ONSET_BAND 4000.0

/** The highest frequency that a rate carries here, 0.49 of it [Hz]. */
double foreign_carried(double rate);

/** The first sample within 20 dB of the largest (ISO 3382-1, annex A) [s]; 0 for silence. */
double foreign_onset(const float *sample, size_t count, double rate);

/** Takes off a constant offset, as converters leave it: the mean of the last tenth (at least 0.1 s), where it
 * is most of what is there. Cut with the response, it would be a step with sound in the lowest octaves.
 * Returns what was taken off; 0 where there is none, or the file is shorter than 0.2 s. */
double foreign_take_offset(float *sample, size_t count, double rate);

/** Where the spectrum of a response obviously ends: the frequency above which nothing is left that comes
 * within 40 dB of the octave below it, in sixths of an octave, from 100 Hz on. `*out` is foreign_carried()
 * where it does not [Hz]. FAILURE_CAPACITY without memory: 16 bytes a sample, up to the next power of two. */
int foreign_highest(const float *sample, size_t count, double rate, double *out, struct failure *failure);

#endif
