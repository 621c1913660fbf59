/** A walk through a room whose responses are known at some places near it.
 *
 * Source and room stand still, so what a listener hears at time t is the field there and then, (h_x * s)(t)
 * at x = x(t). Between the places of responses the field is interpolated, after the direct sound of each was
 * brought to the time at which it comes to the listener:
 *
 *     y(t) = sum over i of w_i(t) z_i(t + T_i - T(x(t))),   z_i = h_i * s,  T(x) = r(x) / c + sum w_i (T_i -
 * r_i / c)
 *
 * with T_i when sound arrives at place i and r the straight distance from the source: so the Doppler shift of
 * the direct sound is right however far apart the places are, that of reflections is taken to be the same
 * (right to 2 v / c, .7 % when walking, in which no pitch is heard). Weights are those of Franke and Nielson
 * (Int. J. Numer. Methods Eng. 15, 1980): of the four nearest places with no
 * wall between, ((R - d) / (R d))^2, R the distance of
 * the fifth and a little more; continuous, and at a place that one alone.
 *
 * Sums of sounds that differ are weaker than each. So each octave has a gain, of the first 80 ms after the
 * direct sound and of the rest apart, which gives the sum the energy that the places have, interpolated by
 * weights; that of the early part as if it fell with the distance from the source like a direct sound. It
 * comes from the responses' own energies and products (aligned), of no model of a diffuse field. Octaves and
 * parts add up to the response, so that a listener at a place hears it as it is.
 *
 * It is done at the rate that the band needs (kept_response.h), by Fourier transforms, block by block.
 */
#ifndef SRC_WALK_RESPONSES_H
#define SRC_WALK_RESPONSES_H

#include <signal.h>

#include "src/walk/walk_field.h"
#include "src/walk/walk_sound.h"

/** The listener is never farther from the nearest response [m]. */
#define WALK_REACH 2.0

/** What is told of it. */
struct walk_responses_facts {
    size_t used;     /* responses */
    double farthest; /* the listener is from the nearest one [m] */
};

/** Is some response within WALK_REACH of every place of the walk, and no wall between? FAILURE_INPUT says
 * where not, and which is nearest. O(places x stations), and O(triangles) for each of those that walls hide.
 */
int walk_responses_check(const struct walk_field *field, const struct walk_path *path,
                         struct walk_responses_facts *facts, struct failure *failure);

/** FAILURE_INPUT as walk_responses_check() and where a file is no such response; FAILURE_CAPACITY;
 * FAILURE_INTERRUPTED soon after `*stop` is not 0. Memory: the sound, and of every response that is used 8
 * bytes a sample of the low rate for each channel and 32 to 64 besides. */
int walk_responses_make(const struct walk_field *field, const struct walk_path *path, struct dry_sound *dry,
                        const volatile sig_atomic_t *stop, struct walk_sound *out,
                        struct walk_responses_facts *facts, struct failure *failure);

#endif
