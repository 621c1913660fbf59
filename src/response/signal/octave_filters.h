/** Octaves as Butterworth band-passes (bilinear, both edges exact), 0 dB in the middle, edges centre x
 * 10^(+-0.15) (IEC 61260-1, base ten); and a response in one octave, filtered backwards in time for the sake
 * of its decay.
 *
 * A filter rings on after a sound has ended, and what it adds to a decay cannot be distinguished from the
 * room's. Run from the end to the beginning it rings before the sound instead, and a decay exp(-t / tau)
 * stays exactly that: it is multiplied by the filter's value at one complex frequency. So bandwidth times
 * reverberation time need only exceed 4, where forwards it is 16 (ISO 3382-1).
 *
 * That filter is of fourth order on each side. At 48 kHz the octaves 63 Hz to 8 kHz are class 1 of IEC
 * 61260-1:2014 (limits as several programs quote them). Third order lets in enough from a loud neighbour to
 * move T30 by 3 %.
 */
#ifndef SRC_OCTAVE_FILTERS_H
#define SRC_OCTAVE_FILTERS_H

#include <stddef.h>

/** A second-order recursive section of a filter chain:
 * y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2] (transposed direct form II). */
struct biquad {
    double b0, b1, b2, a1, a2;
    double state[2]; /* start at 0 */
};

static inline double biquad_step(struct biquad *section, double x)
{
    const double y = section->b0 * x + section->state[0];
    section->state[0] = section->b1 * x - section->a1 * y + section->state[1];
    section->state[1] = section->b2 * x - section->a2 * y;
    return y;
}

#define OCTAVE_FILTER_ORDER 4 /* of octave_filter_backwards() */

/** Bandwidth times reverberation time that a decay must exceed to be distinguished from the filter's own. */
#define OCTAVE_LEAST_BT 4.0

/** Bandwidth of the octave around `centre` [Hz]. */
double octave_bandwidth(double centre);

/** How long the filter rings: all but a thousandth of the energy of its impulse response [s]. */
double octave_ringing(double centre);

/** @param centre,rate [Hz], upper edge < rate / 2
 * @param order       on each side
 * @param section     (order) to be chained */
void octave_filter_make(double centre, double rate, int order, struct biquad *section);

/** The same between two edges [Hz] that are not an octave apart: of one in a run that disperses. */
void octave_filter_between(const double edge[2], double rate, int order, struct biquad *section);

/** @param sample,count response at `rate` [Hz]
 * @param out      (count) the octave. Ringing before sample 0 is lost, and the last octave_ringing()
 *                 lacks what would have come after the end.
 * About 40 operations a sample. */
void octave_filter_backwards(const float *sample, size_t count, double rate, double centre, double *out);

#endif
