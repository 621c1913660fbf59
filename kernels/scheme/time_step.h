/** Spacing, Courant number and time step of a run. */
#ifndef KERNELS_TIME_STEP_H
#define KERNELS_TIME_STEP_H

#include "geometry/base/failure.h"

struct time_step {
    double spacing;     /* h [m] */
    double sound_speed; /* c [m/s] */
    double lambda2;     /* (cT/h)^2, a multiple of 2^-20, so that float and double hold it exactly (-) */
    double courant;     /* sqrt(lambda2) (-) */
    double period;      /* T = courant h / c [s] */
    double rate;        /* 1/T [Hz] */
};

/** `courant` 0 means the default; FAILURE_INPUT unless 0 < courant <= 1/sqrt(3) and the others are positive.
 * lambda2 is courant^2 rounded down to k / 2^20. */
int time_step_choose(double spacing, double sound_speed, double courant, struct time_step *out,
                     struct failure *failure);

#endif
