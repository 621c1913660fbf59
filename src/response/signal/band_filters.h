/** Sets of bands, octaves or third octaves, and their filters: Butterworth band-passes (bilinear, both edges
 * exact), 0 dB in the middle; and a response in one band, filtered backwards in time for the sake of its
 * decay.
 *
 * Bands are those of IEC 61260-1 in base ten: centres 1000 x 10^(0.3 n) with edges at 10^(+-0.15) of them,
 * and 1000 x 10^(0.1 n) with edges at 10^(+-0.05). Three thirds in a row have the edges of an octave.
 *
 * A filter rings on after a sound has ended, and what it adds to a decay cannot be distinguished from the
 * room's. Run from the end to the beginning it rings before the sound instead, and a decay exp(-t / tau)
 * stays exactly that: it is multiplied by the filter's value at one complex frequency. So bandwidth times
 * reverberation time need only exceed 4, where forwards it is 16 (ISO 3382-1).
 *
 * That filter is of fourth order on each side. At 48 kHz the octaves 63 Hz to 8 kHz and the thirds 50 Hz to
 * 10 kHz are class 1 of IEC 61260-1:2014 (limits of octaves as several programs quote them; those of thirds
 * follow by the standard's formula for other fractions). Third order lets in enough from a loud neighbour to
 * move T30 by 3 %.
 */
#ifndef SRC_BAND_FILTERS_H
#define SRC_BAND_FILTERS_H

#include <stddef.h>

enum band_kind { BANDS_OCTAVE, BANDS_THIRD };

#define OCTAVE_BANDS_MAX 9                      /* 63 Hz to 16 kHz */
#define BANDS_MAX        (3 * OCTAVE_BANDS_MAX) /* thirds: 50 Hz to 20 kHz */

/** A response holds a band if it ends at most 1 % below the band's upper edge (the customary 177 Hz is the
 * edge of the 125 Hz octave, 177.8 Hz, rounded). */
#define BANDS_EDGE_MARGIN 1.01

struct bands {
    enum band_kind kind;
    size_t count;
    double centre[BANDS_MAX]; /* exact, rising [Hz] */
};

/** All bands that a response low-passed at `highest` [Hz] holds. */
void bands_make(enum band_kind kind, double highest, struct bands *out);

/** The name of an octave or a third [Hz]: the preferred number next to its centre [Hz], 63, 80, 100. */
int band_nominal(double centre);

/** Numbers of the first and the last band of the standard's single numbers (ISO 3382-1): the octaves of 500
 * and 1000 Hz, or the six thirds 400 to 1250 Hz. */
size_t bands_middle_first(enum band_kind kind);
size_t bands_middle_last(enum band_kind kind);

/** Bandwidth of the band around `centre` [Hz]. */
double band_width(enum band_kind kind, double centre);

/** How long the filter rings: all but a thousandth of the energy of its impulse response [s]. */
double band_ringing(enum band_kind kind, double centre);

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

#define BAND_FILTER_ORDER 4 /* of band_filter_backwards() */

/** Bandwidth times reverberation time that a decay must exceed to be distinguished from the filter's own. */
#define BAND_LEAST_BT 4.0

/** @param centre,rate [Hz], upper edge < rate / 2
 * @param order       on each side
 * @param section     (order) to be chained */
void band_filter_make(enum band_kind kind, double centre, double rate, int order, struct biquad *section);

/** @param sample,count response at `rate` [Hz]
 * @param out      (count) the band. Ringing before sample 0 is lost, and the last band_ringing() lacks what
 *                 would have come after the end.
 * About 40 operations a sample. */
void band_filter_backwards(enum band_kind kind, const float *sample, size_t count, double rate, double centre,
                           double *out);

#endif
