/** Estimates the decay of a room above the highest frequency of a run.
 *
 * Energy that falls as exp(-rate t) is lost to walls and to air, and the two add up. In the octave below fmax
 * the decay of the response is measured. Above, losses to walls change as in Eyring's formula for the run's
 * materials (J. Acoust. Soc. Am. 1, 1930), and losses to air are those of ISO 9613-1:
 *
 *     rate(f) = (measured - air(f0)) w(f) / w(f0) + air(f),   w(f) = -ln(1 - mean absorption),  air(f) = 2 c
 * alpha(f)
 *
 * f0 is the middle of that octave; w is linear over log f between the middles of the octaves, and constant
 * beyond them. Sound that has met n walls keeps (1 - absorption)^n of its energy, so the quotient of the two
 * w holds for every part of the sound. Deviations from Eyring's formula in a field that is not diffuse, and
 * double slopes, therefore continue above fmax. Without materials w is the same everywhere. */
#ifndef SRC_EXTENSION_RATES_H
#define SRC_EXTENSION_RATES_H

#include <stdbool.h>

#include "src/run_folder/run_read.h"

struct extension_rates {
    bool materials;                 /* absorption of the run's materials is known */
    bool lossy;                     /* losses of the air are included */
    double walls;                   /* at f0 [1/s] */
    double before;                  /* w(f0); 1 without materials */
    double taken[OCTAVE_BANDS_MAX]; /* w by octave from 63 Hz; 1 without materials */
    struct air_losses air;
};

/** @param losses   of the run; NULL: air of 20 C, 50 %, 101.325 kPa, no materials
 * @param middle   f0 [Hz]
 * @param measured rate there [1/s], > 0 */
void extension_rates_make(const struct run_losses *losses, double middle, double measured,
                          struct extension_rates *out);

/** Losses to walls at f > 0 [Hz] over those at f0: w(f) / w(f0), > 0. */
double extension_walls(const struct extension_rates *rates, double f);

/** Losses to air at f > 0 [Hz]: air(f) [1/s]. */
double extension_air(const struct extension_rates *rates, double f);

/** [1/s] of energy, > 0, at f > 0 [Hz]; the reverberation time is 6 ln(10) over it. */
double extension_rate(const struct extension_rates *rates, double f);

#endif
