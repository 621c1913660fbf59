/** Which modes of a box the frequencies of a room may be: f = c/2 sqrt((nx/Lx)^2 + (ny/Ly)^2 + (nz/Lz)^2). */
#ifndef SRC_BOX_MODES_H
#define SRC_BOX_MODES_H

#include <stddef.h>

#include "geometry/failure.h"

#define BOX_MODES_NAMED  3    /* of modes of one frequency so many are named */
#define BOX_MODES_WITHIN 0.03 /* a guess is not further from its formula than this share of it */

/** Modes of the box that the formula gives the same frequency, to a fifth of a per cent. */
struct box_guess {
    size_t count;              /* how many; 0: no guess */
    int n[BOX_MODES_NAMED][3]; /* half waves along x, y, z */
    double frequency;          /* by the formula, of the first [Hz] */
};

/** The likely mode of each frequency: the nearest of the formula, no mode for more frequencies than it has
 * modes; the nearest pairs are made first. Walls that are not rigid and rooms that are no box shift modes: it
 * is a guess, and for a room that fills little of its box not even a good one.
 * @param size        of the box [m]
 * @param frequency   (count) [Hz]
 * @param out         (count)
 * FAILURE_CAPACITY without memory. O(modes of the box x count x count). */
int box_modes_guess(const double size[3], double sound_speed, const double *frequency, size_t count,
                    struct box_guess *out, struct failure *failure);

#endif
