/** Which modes of a box the frequencies of a room may be.
 *
 *     f = c/2 sqrt((nx/Lx)^2 + (ny/Ly)^2 + (nz/Lz)^2)
 *
 * On the grid of a run they are a little lower, axial ones most, by more than their distance where there are
 * many; so what is compared is
 *
 *     sin^2(pi f T) = lambda^2 sum of sin^2(pi n h / 2 L),   T = lambda h / c
 */
#ifndef SRC_BOX_MODES_H
#define SRC_BOX_MODES_H

#include <stddef.h>

#include "geometry/base/failure.h"

#define BOX_MODES_NAMED  3    /* of modes of one frequency so many are named */
#define BOX_MODES_WITHIN 0.03 /* a guess is not further than this share from the frequency */

/** Modes of the box that have the same frequency on the grid, to a fifth of a per cent. */
struct box_guess {
    size_t count;              /* how many; 0: no guess */
    int n[BOX_MODES_NAMED][3]; /* half waves along x, y, z */
    double frequency;          /* of the first, by the first formula [Hz] */
};

struct box_room {
    double size[3];     /* [m] */
    double sound_speed; /* [m/s] */
    double spacing;     /* of the grid [m]; 0: none, the first formula alone */
    double courant;     /* lambda (-) */
};

/** The likely mode of each frequency: the nearest on the grid, no mode for more frequencies than it has
 * modes; the nearest pairs are made first. Walls that are not rigid and rooms that are no box shift modes: it
 * is a guess, and for a room that fills little of its box not even a good one.
 * @param frequency (count) [Hz]
 * @param out       (count)
 * FAILURE_CAPACITY without memory. O(modes of the box x count x count). */
int box_modes_guess(const struct box_room *room, const double *frequency, size_t count, struct box_guess *out,
                    struct failure *failure);

#endif
