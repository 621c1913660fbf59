/** The energy of a stretch of a response, octave by octave: cut first, then filtered.
 *
 * The stretch is cut out of the broadband response, and its energy in each octave follows from its spectrum
 * (Parseval):
 *
 *     E = 2 / N  sum over 0 < f_k <= highest of |H(f_k)|^2 |X(f_k)|^2
 *     |H(f)|^2 = 1 / (1 + ((f^2 - f1 f2) / (f (f2 - f1)))^8)      edges f1, f2: centre x 10^(-+0.15)
 *
 * So the ringing of the filter, before and after, is counted completely and with its own stretch. The
 * direction of the filter does not change an energy. The filter is applied once (twice would narrow the
 * octave), and in the moment, where time matters, it has no delay. Its magnitude is the Butterworth of
 * octave_filters.h without bilinear warping, so it is the same at every rate. Nothing above `highest` counts,
 * in a response or in its reference: the low-pass of a run cuts the flank of its last octave, and a reference
 * must be cut likewise.
 *
 * Filtering before the cut instead, the usual way of programs, smears early sound over the limit: C80 at 125
 * Hz moves by -0.6 dB on average, and by 0.5 dB from place to place. */
#ifndef SRC_OCTAVE_ENERGY_H
#define SRC_OCTAVE_ENERGY_H

#include <math.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "src/response/acoustics/octave_decay.h"

/** The sample at a time after sample 0 [s], within 0 to `count`. */
static inline size_t sample_at(double time, double rate, size_t count)
{
    return (size_t)fmin(fmax(0.0, round(time * rate)), (double)count);
}

struct octave_energy {
    size_t bands;                    /* as from octave_centres() for `highest` */
    double energy[OCTAVE_BANDS_MAX]; /* sum of squares of the samples */
    double moment[OCTAVE_BANDS_MAX]; /* sum of time times square, the time since `zero` [s] */
};

/** @param sample    of a response at `rate` [Hz]; from sample `from` up to and without sample `to` is the
 *                   stretch; an empty one has no energy
 * @param highest    limit of frequency [Hz], <= rate / 2
 * @param zero       origin of times [s after sample 0]
 * FAILURE_CAPACITY without memory: 16 bytes for each sample of the stretch and 0.2 s more, up to the next
 * power of two. 2 s at 48 kHz take 10 ms. */
int octave_energy_make(const float *sample, size_t from, size_t to, double rate, double highest, double zero,
                       struct octave_energy *out, struct failure *failure);

/** A stretch, and its parts before and after each of two cuts; the parts before them if they were made
 * earlier or later. The moment is that of the whole alone. */
struct octave_parts {
    struct octave_energy whole, early[2], late[2], sooner[2], later[2];
};

/** octave_energy_make() of a stretch and of its parts, equal to rounding: two parts of similar length are the
 * real and the imaginary half of one transform.
 * @param cut  where the parts meet, samples; those before `from` and after `to` leave a part empty
 * @param move how much earlier and later, samples FAILURE_CAPACITY as octave_energy_make(). */
int octave_energy_cut(const float *sample, size_t from, const size_t cut[2], size_t move, size_t to,
                      double rate, double highest, double zero, struct octave_parts *out,
                      struct failure *failure);

/** |H(f)|^2 of the octave around `centre`. */
double octave_energy_passed(double f, double centre);

/** Energy in the octave around `centre` of one sample of 1: of a spectrum that is 1 up to `highest`. */
double octave_energy_of_impulse(double centre, double rate, double highest);

#endif
