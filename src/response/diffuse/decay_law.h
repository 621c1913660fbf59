/** Figures of a diffuse field whose reverberation begins with the direct sound: M. Barron and L.-J. Lee,
 * Energy relations in concert auditoriums I, J. Acoust. Soc. Am. 84 (1988), with its numbers for any speed of
 * sound.
 *
 *     direct 100 / r^2,   reverberant 1600 pi c T / (24 ln 10 V) exp(-k r / c),  falling by exp(-k t),
 *     k = 6 ln 10 / T,    all over the direct sound at 10 m
 */
#ifndef SRC_DECAY_LAW_H
#define SRC_DECAY_LAW_H

#include "src/response/acoustics/figure_table.h"

struct decay_law {
    double time;        /* reverberation time T [s], > 0 */
    double volume;      /* V [m3], > 0 */
    double distance;    /* r [m], > 0 */
    double sound_speed; /* c [m/s] */
};

/** A figure of a pressure response by octave, in its unit; EDT, T20 and T30 are T. NaN for other figures. */
double decay_law_figure(const struct decay_law *law, enum figure figure);

/** d figure / d ln T, in its unit. */
double decay_law_slope(const struct decay_law *law, enum figure figure);

#endif
