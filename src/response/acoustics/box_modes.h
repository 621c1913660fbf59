/** Matches the frequencies of a room with modes of its box.
 *
 *     f = c/2 sqrt((nx/Lx)^2 + (ny/Ly)^2 + (nz/Lz)^2)
 *
 * On the grid of a run they are a little lower, axial ones most, by more than their distance if there are
 * many. So the comparison uses
 *
 *     sin^2(pi f T) = lambda^2 sum of sin^2(pi n h / 2 L),   T = lambda h / c */
#ifndef SRC_BOX_MODES_H
#define SRC_BOX_MODES_H

#include <stddef.h>

#include "geometry/base/failure.h"

#define BOX_MODES_NAMED  3    /* most modes listed for one frequency */
#define BOX_MODES_WITHIN 0.03 /* largest relative distance of a guess from the frequency */

/** Modes of the box that have the same frequency on the grid, to a fifth of a per cent. */
struct box_guess {
    size_t count;              /* number of modes; 0: no guess */
    int n[BOX_MODES_NAMED][3]; /* half waves along x, y, z */
    double frequency;          /* of the first, by the first formula [Hz] */
};

struct box_room {
    double size[3];     /* [m] */
    double sound_speed; /* [m/s] */
    double spacing;     /* of the grid [m]; 0: none, the first formula alone */
    double courant;     /* lambda (-) */
};

/** The likely mode of each frequency: the nearest on the grid; no mode is used for more frequencies than it
 * has modes; the nearest pairs are made first. Absorbing walls and rooms that are not boxes shift modes, so
 * this is a guess, and a poor one for a room that fills little of its box.
 * @param frequency (count) [Hz]
 * @param out       (count)
 * FAILURE_CAPACITY without memory. O(modes of the box x count x count). */
int box_modes_guess(const struct box_room *room, const double *frequency, size_t count, struct box_guess *out,
                    struct failure *failure);

#endif
