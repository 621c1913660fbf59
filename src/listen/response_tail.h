/** Continues a response of a run beyond its end, for listening: a run ends where its figures have their
 * range, 45 dB down, and that can be heard.
 *
 * Every octave of every channel in which a decay of TAIL_RANGE is found goes on with the reverberation time
 * of its own late decay (decay_times.h) as random sound (random_sound.h), until it is TAIL_END below its
 * start. In the last TAIL_JOIN of the response the sound of the run is faded out and the other in, with
 * constant power in the mean. Octaves without a decay are faded out. The sound of each channel is
 * independent: so are the channels of ambisonics in a diffuse field, and ears above 500 Hz. No figure is
 * computed from it.
 */
#ifndef SRC_RESPONSE_TAIL_H
#define SRC_RESPONSE_TAIL_H

#include "geometry/base/failure.h"
#include "src/response/signal/wav_file.h"

#define TAIL_RANGE   15.0 /* [dB] */
#define TAIL_END     90.0 /* [dB] */
#define TAIL_JOIN    0.1  /* [s] */
#define TAIL_LONGEST 30.0 /* [s] */

/** @param sound   at RESPONSE_RATE, its samples in memory of malloc()
 * @param highest  of the response [Hz]
 * @param onset    [s]
 * @param from     becomes the time from which the tail is heard [s]; NaN: the response needs none, or no
 *                 octave has a decay, and it is as it was
 * Equal sounds give equal bits. FAILURE_CAPACITY without memory. */
int response_tail_add(struct wav_sound *sound, double highest, double onset, double *from,
                      struct failure *failure);

#endif
