/** The smallest change of several values that gives one weighted sum.
 *
 *     minimise   sum ((x_i - x0_i) / u_i)^2
 *     such that  sum w_i x_i = target,   low_i <= x_i <= high_i
 *
 * With the multiplier m of the sum the solution is x_i = x0_i + m u_i^2 w_i, held at its bounds (Karush, Kuhn
 * and Tucker): the sum grows with m, piecewise linearly, so that m is found by halving.
 */
#ifndef SRC_LEAST_CHANGE_H
#define SRC_LEAST_CHANGE_H

#include <stddef.h>

struct changed_value {
    double start;       /* x0; within the bounds */
    double uncertainty; /* u, its standard uncertainty; 0: it is known and stays */
    double low, high;   /* low <= high */
    double weight;      /* w >= 0 */
    double value;       /* x, the result */
};

enum least_change { LEAST_CHANGE_FOUND, LEAST_CHANGE_BELOW, LEAST_CHANGE_ABOVE };

/** Set the `value` of each. BELOW and ABOVE: the target is less, or more, than the bounds allow; then every
 * value that the sum depends on is at that bound. O(count). */
enum least_change least_change_find(double target, struct changed_value *of, size_t count);

/** The sum of the values. */
double least_change_sum(const struct changed_value *of, size_t count);

#endif
