/** A time step of the standard scheme by its rate alone, for what needs no grid. */
#ifndef TESTS_STEP_AT_H
#define TESTS_STEP_AT_H

#include "kernels/scheme/time_step.h"

static inline struct time_step step_at(double rate)
{
    return (struct time_step){.scheme = SCHEME_STANDARD, .rate = rate, .period = 1.0 / rate};
}

#endif
