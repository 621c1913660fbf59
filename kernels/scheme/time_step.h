/** Spacing, Courant number and time step of a run. */
#ifndef KERNELS_TIME_STEP_H
#define KERNELS_TIME_STEP_H

#include "geometry/base/failure.h"

/** The operator that a room is stepped with: 7 points, or the 19 points of the isotropic one (scheme.h). */
enum scheme { SCHEME_STANDARD, SCHEME_ISOTROPIC };

struct time_step {
    enum scheme scheme;
    double spacing;     /* h [m] */
    double sound_speed; /* c [m/s] */
    double lambda2; /* (cT/h)^2: a multiple of 2^-20, of the isotropic scheme 6 times a multiple of 2^-22, so
                       that float and double hold a step's factor exactly (-) */
    double courant; /* sqrt(lambda2) (-) */
    double period;  /* T = courant h / c [s] */
    double rate;    /* 1/T [Hz] */
};

/** The greatest Courant number that any grid of the scheme is stepped with: 1/sqrt(3), or sqrt(3)/2. */
double time_step_limit(enum scheme scheme);

/** `courant` 0 means the default, 0.999 of the limit or sqrt(.6) for the isotropic scheme; FAILURE_INPUT
 * unless 0 < courant <= time_step_limit() and the others are positive. lambda2 is courant^2 rounded down. */
int time_step_choose(enum scheme scheme, double spacing, double sound_speed, double courant,
                     struct time_step *out, struct failure *failure);

#endif
