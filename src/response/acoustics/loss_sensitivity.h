/** How a decay depends on what the surfaces absorb, to first order, from an account of where sound went.
 *
 * In an octave the energy of a room decays at the rate k = 6 ln 10 / T = a + b: a in the air, the same
 * everywhere, and b at surfaces and openings. Of what these took, a surface has the share s, so it has the
 * part s b of the rate in whatever field there is: sound that grazes it, a surface in a niche, and sound that
 * most rays never bring to it are in the measured share. If its absorption alpha changes by d alpha, it takes
 * d alpha / alpha more of the sound that meets it, and
 *
 *     d ln T / d alpha = -(b / k) (s / alpha) M,      M = (exp(x) - 1) / x,    x = b / n,
 *
 * n = c S / (4 V) reflections in a second. M is 1 in a live room (Sabine). In others the sound that a surface
 * left is fewer than before: after each reflection 1 - mean of it is left, b = -n ln(1 - mean), and M = mean
 * / ((1 - mean) x). With s of a diffuse field this is the derivative of Eyring's formula with air, exactly.
 */
#ifndef SRC_LOSS_SENSITIVITY_H
#define SRC_LOSS_SENSITIVITY_H

#include <stddef.h>

#include "src/response/signal/air.h"

/** One octave of a room. */
struct loss_octave {
    double time;        /* reverberation time T [s], > 0 */
    double air;         /* rate of energy in the air: loss_in_air() [1/s] */
    double reflections; /* c S / (4 V), S the area that faces air [1/s], > 0 */
};

/** The rate at which an octave loses energy to the air in the middle of the range of T30, where it has fallen
 * by 20 dB after T / 3 [1/s]. At high octaves their upper edge is gone by then: it is less than at the
 * centre. The octave's energy is even over its hertz at first. */
double loss_in_air(const struct air_losses *losses, double centre, double time);

/** d ln T / d alpha, at most 0 (-). 0 for a surface without absorption, of which no account tells. At least
 * no surface takes less than nothing: air that would take more than all leaves b = 0.
 * @param share of what surfaces and openings took in that octave, 0..1 (-)
 * @param absorption of the surface there (-) */
double loss_sensitivity(const struct loss_octave *octave, double share, double absorption);

/** The shares by octave of an account of the whole band. What meets a square metre of a surface, over the
 * mean of all (its exposure w), is a matter of the room's form, and is taken as equal in all octaves:
 *
 *     share(s, o) = S w alpha(s, o) / sum over the surfaces
 *
 * with exposures that give the account back: sum over o of weight(o) share(s, o) = whole(s).
 * @param whole      (surfaces) parts of the energy that each took; any sum above 0
 * @param weight     (octaves) energy of the band in each octave; any sum above 0
 * @param area       (surfaces) [m2]; of an opening 1, with an absorption of 1
 * @param absorption (surfaces, octaves) (-)
 * @param share      (surfaces, octaves) result; they add up to 1 in an octave, and all are 0 where nothing
 *                   absorbs. A surface without area or absorption has 0.
 * O(surfaces x octaves), at most 1000 times. */
void loss_shares_by_octave(const double *whole, const double *weight, const double *area,
                           const double *absorption, size_t surfaces, size_t octaves, double *share);

#endif
