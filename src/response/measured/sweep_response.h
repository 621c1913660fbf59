/** The response of a room from the recording of a sweep.
 *
 *     H = Y conj(X) / max(|X|^2, P(f) / 10)
 *
 * X, Y are the spectra of the sweep and of the recording, padded so that nothing wraps around. P(f) is the
 * largest value of |X|^2 g(f) over g(f), with g = f for an exponential sweep, whose power falls as 1/f, else
 * 1: inside the sweep's band H is exact, and outside it noise is at most three times as loud and the response
 * fades out.
 *
 * An exponential sweep f = f1 exp(t / L) has its k-th harmonic L ln k earlier, so that what a loudspeaker
 * distorts appears as further responses at -L ln k before the response of the room (Farina, 108th AES
 * Convention, 2000). They are set aside: the response begins at most half the way to the second one before
 * its largest sample, and their energies are reported. L is found by the zero crossings of the sweep. Any
 * other excitation is deconvolved likewise; then nothing can be set aside.
 *
 * What a recording has after its end is unknown: the response ends as long before that as the sweep lasts. */
#ifndef SRC_SWEEP_RESPONSE_H
#define SRC_SWEEP_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"

/** Harmonics whose energy is reported: the second to the fifth. */
#define SWEEP_HARMONICS 4

struct sweep_facts {
    bool exponential;
    double rise;                      /* L [s]; NaN if it is not exponential */
    double low, high;                 /* frequencies at its ends [Hz]; NaN likewise */
    double length;                    /* [s], without silence before and after */
    double harmonic[SWEEP_HARMONICS]; /* energy of the loudest channel's 2nd to 5th over that of the response
                                         [dB] */
    double noise;                     /* mean level of its last tenth below its largest sample [dB] */
};

/** What a sweep is, by its zero crossings. */
void sweep_facts_find(const float *sample, size_t count, double rate, struct sweep_facts *out);

/** Deconvolve every channel. `*out` (*out_frames, channels) is the caller's (free), in units of the recording
 * per unit of the sweep; all channels begin together.
 * @param sweep  (count) at `rate` [Hz]
 * @param frames (recorded, channels) at the same rate
 * FAILURE_INPUT says if the sweep is silent, or the recording ends less than 0.1 s after the sweep's response
 * has begun; FAILURE_CAPACITY. Four transforms as long as recording and sweep: 2 s for 30 s at 48 kHz; 64
 * bytes a sample. */
int sweep_response_make(const float *sweep, size_t count, const float *frames, size_t recorded,
                        size_t channels, double rate, struct sweep_facts *facts, float **out,
                        size_t *out_frames, struct failure *failure);

#endif
