/** Finds the end of a decay in noise, and its continuation.
 *
 * The level of a decay is followed in windows; its late part is fitted with
 *
 *     e(t) = level exp(-fall t) + floor
 *
 * by maximum likelihood for energies of noise windows (gamma distributed, so that a window weighs by its
 * relative and not its absolute error). The decay alone has one best fit. The floor is used only if the
 * likelihood with it is greater by more than chance (three standard deviations). The same test decides if the
 * floor is a second, slower decay, exp(-slow t), with a floor below that. */
#ifndef SRC_DECAY_TAIL_H
#define SRC_DECAY_TAIL_H

#include <stdbool.h>
#include <stddef.h>

struct decay_tail {
    bool found;   /* false if the level does not fall */
    double level; /* energy of a window, at window 0, along the late decay */
    double fall;  /* nepers of energy per window, > 0 */
    double floor; /* energy of a window; 0 if no floor is found */
};

/** @param energy  (count) of windows of equal width in a row, >= 0, from the onset on
 * @param freedom  bandwidth times width of a window: how many independent values it averages, roughly
 * O(count). Fewer than 8 windows: not found. */
void decay_tail_fit(const double *energy, size_t count, double freedom, struct decay_tail *out);

/** The window, with its fraction, where decay and floor are equal; infinite without a floor. */
double decay_tail_crossing(const struct decay_tail *tail);

#endif
