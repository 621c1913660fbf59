/** Applies losses of the air to a response that was computed without them.
 *
 * A room without losses in its air responds as a sum of modes, and air damps a mode of frequency f as exp(-c
 * alpha(f) t). So a response is decomposed into cosines (discrete cosine transform, type II: the modes of a
 * line as long as the response), and summed again with the decay of each (Hamilton, I3DA 2021):
 *
 *     x[n] = sum a_q cos(w_q (n + 1/2)),   y[n] = sum a_q exp(-c alpha(w_q) n / rate) cos(w_q (n + 1/2))
 *
 * Zero phase: a sound keeps its time and spreads to both sides, by about sqrt(2 c alpha t) / w (0.1 ms after
 * 1 s at 1 kHz). Sample 0 is the emission. Losses are ISO 9613-1's up to 1.15 fmax; the remainder above that
 * (-60 dB and less after a low-pass at fmax) is damped as at 1.15 fmax. */
#ifndef SRC_AIR_FILTER_H
#define SRC_AIR_FILTER_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "src/response/signal/air.h"

/** Method of applying the losses. */
enum air_method {
    /** The exact sum: decay_basis.h needs one Fourier transform for every two of its products. A remainder of
       1e-6 (-120 dB) of the response without losses is possible: measured on tones over 4 s, 1e-7. 15 s at 48
       kHz take 0.3 s of one processor for an fmax of 1420 Hz, 0.6 to 0.9 s for 11300 Hz. Memory: 50 to 70
       bytes a sample of a length that is rounded up to a power of two. */
    AIR_MODAL,
    /** The same filter for every step of 6 to 13 ms, blended linearly in between: a chord instead of an
       exponential, too loud by (c alpha step)^2 / 8 at most (20 C, 50 %, at 48 kHz, derived and measured:
       0.0002 dB at 4 kHz, 0.0021 dB at 8 kHz, 0.026 dB at 16 kHz). Spreading over more than 3.5 steps (37 ms)
       is aliased to the other side, at most -106 dB in noise at -20 C and 10 %. 15 s at 48 kHz take 0.15 s of
       one processor. Memory: 8 bytes a sample. */
    AIR_FAST,
    AIR_OFF
};

/** In place. O(count log count).
 * @param air  may be NULL for AIR_OFF; @param rate [Hz] of the samples; @param fmax [Hz], 0 < fmax
 * FAILURE_CAPACITY without memory; the signal is then unchanged. */
int air_filter(enum air_method method, const struct air *air, double rate, double fmax, double *signal,
               size_t count, struct failure *failure);

#endif
