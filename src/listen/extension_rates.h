/** How fast a room is expected to lose sound above the highest frequency of a run.
 *
 * Energy that falls as exp(-rate t) is lost to walls and to air, and the two add up. In the octave below fmax
 * the response itself shows how fast it falls. Above, what walls take changes as Eyring's formula says for
 * the run's materials (J. Acoust. Soc. Am. 1, 1930), and what air takes is that of ISO 9613-1:
 *
 *     rate(f) = (measured - air(f0)) w(f) / w(f0) + air(f),   w(f) = -ln(1 - mean absorption),  air(f) = 2 c
 * alpha(f)
 *
 * f0 is the middle of that octave; w is drawn straight over log f between the middles of the octaves, and
 * kept beyond them. Sound that has met n walls has left (1 - absorption)^n, so the quotient of the two w
 * holds for every part of the sound, however often it meets walls: a room that rings longer than Eyring says,
 * because its sound is not mixed evenly, goes on doing so, and a decay that is fast at first and slow later
 * is both above, too. Without materials w is the same everywhere.
 */
#ifndef SRC_EXTENSION_RATES_H
#define SRC_EXTENSION_RATES_H

#include <stdbool.h>

#include "src/record/run_read.h"

struct extension_rates {
    bool materials;                 /* of the run are known */
    bool lossy;                     /* air takes its part */
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

/** What walls take at f > 0 [Hz] over what they take at f0: w(f) / w(f0), > 0. */
double extension_walls(const struct extension_rates *rates, double f);

/** What air takes at f > 0 [Hz]: air(f) [1/s]. */
double extension_air(const struct extension_rates *rates, double f);

/** [1/s] of energy, > 0, at f > 0 [Hz]; the reverberation time is 6 ln(10) over it. */
double extension_rate(const struct extension_rates *rates, double f);

#endif
