/** A second-order recursive section, in double: what filters are chained of. */
#ifndef SRC_BIQUAD_H
#define SRC_BIQUAD_H

/** y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2] (transposed direct form II). */
struct biquad {
    double b0, b1, b2, a1, a2;
    double state[2]; /* start at 0 */
};

static inline double biquad_step(struct biquad *section, double x)
{
    const double y = section->b0 * x + section->state[0];
    section->state[0] = section->b1 * x - section->a1 * y + section->state[1];
    section->state[1] = section->b2 * x - section->a2 * y;
    return y;
}

#endif
