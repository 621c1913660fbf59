/** Finds out if a decay has two slopes, as in two coupled rooms.
 *
 * The level is followed in windows from -5 dB on, so that a direct sound does not count as a slope. Two
 * models of the energy of a window are fitted by maximum likelihood for energies of noise (gamma distributed;
 * a window weighs by its relative error, as in decay_tail.h):
 *
 *     one:  a exp(-f t) + floor          two:  a exp(-f t) + b exp(-g t) + floor
 *
 * The second is chosen if it explains the windows better than by chance (likelihood ratio over the actual
 * scatter of the windows), and if each of its slopes can be seen: times at least 1.5 apart, the early one
 * falling 5 dB before they meet, the late one 10 dB after. The models are those of N. Xiang and P. M.
 * Goggans, "Evaluation of decay times in coupled spaces: Bayesian parameter estimation" (J. Acoust. Soc. Am.
 * 110, 2001), there for the Schroeder curve, whose points are not independent of one another; here for the
 * windows, which nearly are. A decay of three or more slopes counts as two.
 *
 * Measured on decaying noise in octaves: see test_double_slope.c. */
#ifndef SRC_DOUBLE_SLOPE_H
#define SRC_DOUBLE_SLOPE_H

#include <stdbool.h>
#include <stddef.h>

/** Times and levels in units of the caller's: here windows, and energy of a window. */
struct double_slope_fit {
    bool found;
    double level[2]; /* of a window, at window 0: of the early and of the late decay */
    double fall[2];  /* nepers of energy per window; fall[0] > fall[1] > 0 */
    double ratio;    /* 2 ln of the likelihood ratio over the scatter: significance */
};

/** @param energy   (count) of windows of equal width in a row, from -5 dB on, >= 0
 * @param freedom   bandwidth times width of a window
 * Uses the likelihood alone; the caller checks if both slopes can be seen. Fewer than 12 windows: not found.
 * O(count), 1 ms. */
void double_slope_fit(const double *energy, size_t count, double freedom, struct double_slope_fit *out);

#endif
