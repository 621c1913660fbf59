/** Renders a walk through a room with responses at some places near it.
 *
 * Source and room are at rest, so the sound at the listener at time t is the field at that place and time,
 * (h_x * s)(t) at x = x(t). Between the places of responses the field is interpolated, after the direct sound
 * of each was shifted to its arrival time at the listener:
 *
 *     y(t) = sum over i of w_i(t) z_i(t + T_i - T(x(t))),   z_i = h_i * s,  T(x) = r(x) / c + sum w_i (T_i -
 * r_i / c)
 *
 * with T_i the arrival time at place i and r the straight distance from the source. So the Doppler shift of
 * the direct sound is right for any distance of the places. That of reflections is assumed equal (an error of
 * 2 v / c, .7 % when walking, which is not audible). Weights are those of Franke and Nielson (Int. J. Numer.
 * Methods Eng. 15, 1980): of the four nearest places with no wall between, ((R - d) / (R d))^2, R slightly
 * more than the distance of the fifth. They are continuous; at a place only that place counts.
 *
 * Sums of different sounds are weaker than each. So each octave has gains, one for the first 80 ms after the
 * direct sound and one for the rest, which give the sum the interpolated energy of the places. The early
 * energy is interpolated as if it fell with the distance from the source like a direct sound. Gains follow
 * from the responses' own energies and products (aligned), not from a model of a diffuse field. Octaves and
 * parts add up to the response, so the sound at a place is exactly its response.
 *
 * It is done at the rate that the band needs (kept_response.h), by Fourier transforms, block by block. */
#ifndef SRC_WALK_RESPONSES_H
#define SRC_WALK_RESPONSES_H

#include <signal.h>

#include "src/run/walk/walk_field.h"
#include "src/run/walk/walk_sound.h"

/** Largest distance of the listener from the nearest response [m]. */
#define WALK_REACH 2.0

/** Facts for the report. */
struct walk_responses_facts {
    size_t used;     /* responses */
    double farthest; /* the listener is from the nearest one [m] */
};

/** Check that a response is within WALK_REACH of every place of the walk, with no wall between. FAILURE_INPUT
 * names the first place without one, and the nearest response. O(places x stations), and O(triangles) for
 * each station behind walls. */
int walk_responses_check(const struct walk_field *field, const struct walk_path *path,
                         struct walk_responses_facts *facts, struct failure *failure);

/** FAILURE_INPUT as walk_responses_check() and if a file is not such a response; FAILURE_CAPACITY;
 * FAILURE_INTERRUPTED soon after `*stop` is not 0. Memory: the sound, and for every used response 8 bytes a
 * sample of the low rate for each channel, plus 16 to 32 until gains are known. */
int walk_responses_make(const struct walk_field *field, const struct walk_path *path, struct dry_sound *dry,
                        const volatile sig_atomic_t *stop, struct walk_sound *out,
                        struct walk_responses_facts *facts, struct failure *failure);

#endif
