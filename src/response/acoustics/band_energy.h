/** The energy of a stretch of a response, band by band: cut first, then filtered.
 *
 * The stretch is cut out of the broadband response, and its energy in each band follows from its spectrum
 * (Parseval):
 *
 *     E = 2 / N  sum over 0 < f_k <= highest of |H(f_k)|^2 |X(f_k)|^2
 *     |H(f)|^2 = 1 / (1 + ((f^2 - f1 f2) / (f (f2 - f1)))^8)      edges f1, f2 of the octave or third
 *
 * So the ringing of the filter, before and after, is counted completely and with its own stretch. The
 * direction of the filter does not change an energy. The filter is applied once (twice would narrow the
 * band), and in the moment, where time matters, it has no delay. Its magnitude is the Butterworth of
 * band_filters.h without bilinear warping, so it is the same at every rate. Nothing above `highest` counts,
 * in a response or in its reference: the low-pass of a run cuts the flank of its last octave, and a reference
 * must be cut likewise.
 *
 * Filtering before the cut instead, the usual way of programs, smears early sound over the limit: C80 at 125
 * Hz moves by -0.6 dB on average, and by 0.5 dB from place to place. */
#ifndef SRC_BAND_ENERGY_H
#define SRC_BAND_ENERGY_H

#include <math.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "src/response/acoustics/octave_edges.h"

/** The sample at a time after sample 0 [s], within 0 to `count`. */
static inline size_t sample_at(double time, double rate, size_t count)
{
    return (size_t)fmin(fmax(0.0, round(time * rate)), (double)count);
}

struct band_energy {
    size_t bands;             /* of bands_make() */
    double energy[BANDS_MAX]; /* sum of squares of the samples */
    double moment[BANDS_MAX]; /* sum of time times square, the time since `zero` [s] */
};

/** @param sample    of a response at `rate` [Hz]; from sample `from` up to and without sample `to` is the
 *                   stretch; an empty one has no energy
 * @param highest    limit of frequency [Hz], <= rate / 2
 * @param zero       origin of times [s after sample 0]
 * FAILURE_CAPACITY without memory: 16 bytes for each sample of the stretch and 0.2 s more (of thirds 0.7 s),
 * up to the next power of two. 2 s at 48 kHz take 10 ms. */
int band_energy_make(enum band_kind kind, const float *sample, size_t from, size_t to, double rate,
                     double highest, double zero, struct band_energy *out, struct failure *failure);

/** A stretch, and its parts before and after each of two cuts; the parts before them if they were made
 * earlier or later. The moment is that of the whole alone. */
struct band_parts {
    struct band_energy whole, early[2], late[2], sooner[2], later[2];
};

/** band_energy_make() of a stretch and of its parts, equal to rounding: two parts of similar length are the
 * real and the imaginary half of one transform.
 * @param cut  where the parts meet, samples; those before `from` and after `to` leave a part empty
 * @param move how much earlier and later, samples FAILURE_CAPACITY as band_energy_make(). */
int band_energy_cut(enum band_kind kind, const float *sample, size_t from, const size_t cut[2], size_t move,
                    size_t to, double rate, double highest, double zero, struct band_parts *out,
                    struct failure *failure);

/** |H(f)|^2 of the band around `centre`. */
double band_energy_passed(enum band_kind kind, double f, double centre);

/** Energy in the band around `centre` of one sample of 1: of a spectrum that is 1 up to `highest`. */
double band_energy_of_impulse(enum band_kind kind, double centre, double rate, double highest);

#endif
