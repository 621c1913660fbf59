/** Shifts a band of a signal to 0 Hz and decimates it as far as its width allows, by a filter of finite
 * length: a damped wave stays a damped wave, without ringing of the filter. */
#ifndef SRC_BAND_DECIMATOR_H
#define SRC_BAND_DECIMATOR_H

#include <complex.h>
#include <stddef.h>

#include "geometry/base/failure.h"

/** Zeroed is empty; `tap` owned, freed by band_decimator_free(). */
struct band_decimator {
    size_t count; /* taps */
    size_t step;  /* samples from one output to the next */
    double rate;  /* of the input [Hz]; the output's is rate / step */
    double *tap;
};

/** A low-pass, flat within 0.02 dB to `pass` and 85 dB down from `stop`, decimated without aliasing into the
 * pass band. It is 8 / (stop - pass) seconds long.
 * @param pass,stop [Hz], 0 < pass < stop < rate / 2. FAILURE_CAPACITY without memory. */
int band_decimator_make(double rate, double pass, double stop, struct band_decimator *out,
                        struct failure *failure);
void band_decimator_free(struct band_decimator *decimator);

/** Outputs of an input of `count` samples: each takes the `decimator->count` samples from its own on. */
size_t band_decimator_outputs(const struct band_decimator *decimator, size_t count);

/** out[m] = sum over k of tap[k] value[m step + k] exp(-2 pi j centre (m step + k) / rate).
 * @param count of `value`; @param outputs at most band_decimator_outputs(). O(outputs x taps). */
void band_decimator_apply(const struct band_decimator *decimator, const double complex *value, double centre,
                          size_t outputs, double complex *out);

/** Gain of a wave exp(s t), 1 at sample 0 of the input, at output 0.
 * @param s [1/s], before the shift */
double complex band_decimator_gain(const struct band_decimator *decimator, double complex s, double centre);

#endif
