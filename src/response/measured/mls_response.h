/** The response of a room from the recording of a maximum length sequence (MLS), a pseudo-random row of +a
 * and -a with the period P = 2^order - 1, played again and again.
 *
 *     c[k] = sum over n of m[n] y[n + k]  (circular)      h = (c + sum of c) / ((P + 1) a)
 *
 * since the circular autocorrelation of m is P at 0 and -1 elsewhere (Rife and Vanderkooy, J. Audio Eng. Soc.
 * 37, 1989). With whole periods of a linear room this is exact. A response longer than a period overlaps
 * itself, and distortion becomes noise all over the response: a sweep keeps both apart. */
#ifndef SRC_MLS_RESPONSE_H
#define SRC_MLS_RESPONSE_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

#define MLS_ORDER_LEAST 8
#define MLS_ORDER_MOST  22

/** (2^order - 1) values of +1 and -1 of the Fibonacci shift register that begins with ones, whose taps are
 * those of Xilinx XAPP052; 1 becomes -1. `*out` is the caller's. FAILURE_CAPACITY. */
int mls_make(int order, float **out, struct failure *failure);

/** One period of a sequence that a file holds once or several times in a row. FAILURE_INPUT if its samples
 * are not of two values, or no period of 2^n - 1 has an autocorrelation of an MLS. FAILURE_CAPACITY. */
int mls_find(const float *sample, size_t count, size_t *period, struct failure *failure);

/** Every channel by the periods of the recording: the first is left out if there are more, since the room is
 * not filled yet, and the others are averaged. All channels are turned by the same number of samples, so that
 * the largest of all is 50 ms (a quarter of a short period) after the beginning. `*out` (period, channels) is
 * the caller's.
 * @param sequence (period) samples of two values
 * @param averaged may be NULL: periods that were averaged
 * FAILURE_INPUT if the recording is shorter than a period, or silent; FAILURE_CAPACITY. */
int mls_response_make(const float *sequence, size_t period, const float *frames, size_t recorded,
                      size_t channels, double rate, size_t *averaged, float **out, struct failure *failure);

#endif
