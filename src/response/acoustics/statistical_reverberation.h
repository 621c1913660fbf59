/** Expected reverberation times from the room's size and materials, octave by octave.
 *
 *     T = 24 ln(10) / c  V / (A + 4 m V)        24 ln(10) = 55.26
 *     Sabine: A = sum of S alpha      Eyring: A = -S ln(1 - mean alpha)
 *
 * m is the energy that air takes per metre, twice the amplitude's nepers (ISO 9613-1) at the octave's middle.
 * Both assume a diffuse field. In other rooms (a church with a hard nave and absorbing chairs) reverberation
 * is longer than both. */
#ifndef SRC_STATISTICAL_REVERBERATION_H
#define SRC_STATISTICAL_REVERBERATION_H

#include <stdbool.h>
#include <stddef.h>

#include "src/response/acoustics/octave_decay.h"
#include "src/response/signal/air.h"

struct statistical_surface {
    double area;                         /* that sound meets; of both sides where both absorb [m2] */
    double absorption[OCTAVE_BANDS_MAX]; /* random incidence, 0 to 1, one for each requested octave */
};

struct statistical_reverberation {
    double sabine[OCTAVE_BANDS_MAX]; /* [s]; infinite without absorption */
    double eyring[OCTAVE_BANDS_MAX]; /* [s]; 0 for total absorption */
};

/** @param volume  of the air [m3], > 0
 * @param bands,centre octaves [Hz]
 * @param air      sets the speed of sound
 * @param lossy    true: the air absorbs, too. O(count x bands) */
void statistical_reverberation_make(double volume, const struct statistical_surface *surface, size_t count,
                                    size_t bands, const double *centre, const struct air *air, bool lossy,
                                    struct statistical_reverberation *out);

#endif
