/** How well the difference of two runs is known where absorption is not: to first order.
 *
 * Two runs of one project share the errors of the surfaces that they share. Of a surface with the same name,
 * the same absorption and the same uncertainty u in both, the error moves both figures the same way: the
 * difference moves by the difference of what it moves each by, (slope2 s2 - slope1 s1) u. Any other surface
 * errs by itself. With the parts of absorption_error.h
 *
 *     u^2 = sum over shared (slope2 part2 - slope1 part1)^2 + sum over others (slope part)^2
 */
#ifndef SRC_ABSORPTION_CHANGE_H
#define SRC_ABSORPTION_CHANGE_H

#include "src/run_folder/absorption_error.h"

#define NOT_SHARED ((size_t)-1)

/** Zeroed is empty; owned: absorption_change_free(). Borrows both models. */
struct absorption_change {
    const struct run_model *run[2];
    struct loss_account account[2];
    size_t *partner; /* (materials of the first) of the second, which errs alike; NOT_SHARED */
    bool *shared;    /* (materials of the second) it is a partner */
};

/** FAILURE_CAPACITY without memory. */
int absorption_change_make(const struct run_model *first, const struct run_model *second,
                           struct absorption_change *out, struct failure *failure);
void absorption_change_free(struct absorption_change *change);

/** Standard uncertainty of the difference of a figure of two responses in a nominal octave [Hz], in its unit;
 * NaN: unknown in both. */
double absorption_change_error(const struct absorption_change *change,
                               const struct record_response *const response[2], enum figure figure, int hz);

#endif
