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

/** In place. O(count log count).
 * @param air  may be NULL for AIR_OFF; @param rate [Hz] of the samples; @param fmax [Hz], 0 < fmax
 * FAILURE_CAPACITY without memory; the signal is then unchanged. */
int air_filter(enum air_method method, const struct air *air, double rate, double fmax, double *signal,
               size_t count, struct failure *failure);

#endif
