/** Expected reverberation times from the room's size and materials, octave by octave; and, from them, the
 * energies expected at a distance.
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

#include "src/response/acoustics/octave_edges.h"
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

/** Energies over that of the source at 10 m in free field (-). */
struct barron_energy {
    double direct, early, late; /* 0, up to 80 ms after it, from there on */
};

/** Barron's revised theory (Barron and Lee, J. Acoust. Soc. Am. 84, 1988): the decay begins everywhere when
 * the source sounds, so that what of it is over when the direct sound arrives, r/c later, is missing.
 *
 *     d = 100 / r^2     e + l = 1600 pi c T / (24 ln(10) V) 10^(-6 r / (c T))     l = (e + l) 10^(-6 x 80 ms
 * / T)
 *
 * At 343 m/s the factor is 31200 T / V, and the exponents are 0.04 r / T and 1.11 / T. All in m, m3, s, m/s.
 */
struct barron_energy barron_energy_at(double distance, double volume, double time, double sound_speed);

#endif
