/** The textbook recurrences for the exact checks of `bench`.
 *
 *   standard scheme, lambda^2 = 1/4, between rigid walls
 *       u_new = 2 u - u_old + 1/4 sum (neighbour - u) over uncut links
 *   isotropic scheme, lambda^2 = 3/8, of nodes that are whole and open
 *       u_new = 2 u - u_old + 1/16 (2 sum (face neighbour - u) + sum (edge neighbour - u))
 *
 * In double. Fields start as whole numbers up to 3, and every step needs two more binary digits, or four. So
 * for BENCH_CHECK_STEPS or BENCH_ISOTROPIC_STEPS no sum is rounded, in any order. Cut nodes of the isotropic
 * scheme have weights in 200ths and no exact numbers: after a step they are NaN (unknown), as then are their
 * neighbours. */
#ifndef SRC_BENCH_TEXTBOOK_H
#define SRC_BENCH_TEXTBOOK_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define BENCH_TEXTBOOK_COURANT  0.5
#define BENCH_ISOTROPIC_LAMBDA2 0.375

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

static inline double bench_textbook_isotropic(const double *now, double old, size_t at, bool whole,
                                              const size_t stride[3])
{
    double faces = 0, edges = 0;
    if (!whole)
        return NAN;
    for (int a = 0; a < 3; a++) {
        const size_t s = stride[a], t = stride[(a + 1) % 3];
        faces += now[at + s] + now[at - s];
        edges += (now[at + s + t] + now[at - s - t]) + (now[at + s - t] + now[at - s + t]);
    }
    return 2 * now[at] - old + 0.0625 * (2 * (faces - 6 * now[at]) + (edges - 12 * now[at]));
}

#endif
