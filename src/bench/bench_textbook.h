/** The textbook recurrence at lambda^2 = 1/4 between rigid walls, which the exact checks of `bench` compare
 * with: u_new = 2 u - u_old + 1/4 sum (neighbour - u) over uncut links.
 *
 * In double. Fields start as whole numbers up to 3 and every step needs two more binary digits, so for
 * BENCH_CHECK_STEPS steps no sum is rounded in whatever order. */
#ifndef SRC_BENCH_TEXTBOOK_H
#define SRC_BENCH_TEXTBOOK_H

#include <stddef.h>

/** The next pressure of the node `at` of a dense array; `stride` is the distance of its neighbours. */
static inline double bench_textbook(const double *now, double old, size_t at, unsigned links,
                                    const size_t stride[3])
{
    double next = 2 * now[at] - old;
    for (int axis = 2; axis >= 0; axis--) {
        if (links >> (2 * axis + 1) & 1)
            next += 0.25 * (now[at + stride[axis]] - now[at]);
        if (links >> (2 * axis) & 1)
            next += 0.25 * (now[at - stride[axis]] - now[at]);
    }
    return next;
}

#endif
