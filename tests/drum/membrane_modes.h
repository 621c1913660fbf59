/** The modes of a membrane in vacuum, against the zeros of Bessel functions. */
#ifndef TESTS_MEMBRANE_MODES_H
#define TESTS_MEMBRANE_MODES_H

#include "kernels/drum/membrane.h"
#include "src/run/instruments/drum_tuning.h"
#include "tests/support/outcome.h"

#define MEMBRANE_RADIUS 0.328

static const struct membrane_kind membrane_usual = {
    .radius = MEMBRANE_RADIUS, .tension = 3990, .density = 0.262};

/* Zeros of J_m (Abramowitz and Stegun, table 9.5). */
static const struct {
    int m, n;
    double zero;
} membrane_mode[] = {{0, 1, 2.40482555769577}, {1, 1, 3.83170597020751}, {2, 1, 5.13562230184068},
                     {0, 2, 5.52007811028631}, {3, 1, 6.38016189592398}, {1, 2, 7.01558666981562},
                     {4, 1, 7.58834243450380}, {2, 2, 8.41724414039987}};
#define MEMBRANE_MODES (sizeof membrane_mode / sizeof *membrane_mode)

/* Frequency of a mode over the exact one, less 1: started in its exact shape, read with that shape. Of a[n] =
 * cos n theta, a[n+1] + a[n-1] = 2 cos(theta) a[n]. */
static inline double membrane_off(size_t mode, double period, double pitch, double *nodes)
{
    struct membrane membrane;
    MUST(membrane_make(&membrane_usual, period, pitch, &membrane, &failure));
    const double q = membrane_mode[mode].zero / MEMBRANE_RADIUS,
                 omega = q * sqrt(membrane_usual.tension / membrane_usual.density);
    const size_t steps = (size_t)(40 / (omega * period));
    double *shape = calloc(membrane.side * membrane.side, sizeof *shape), above = 0, below = 0, a[3] = {0};
    cr_assert(shape != NULL);
    for (size_t n = 0; n < membrane.nodes; ++n) {
        const size_t at = membrane.node[n];
        const double x = ((double)(at % membrane.side) - (double)membrane.middle) * membrane.pitch,
                     y = ((double)(at / membrane.side) - (double)membrane.middle) * membrane.pitch;
        shape[at] = membrane.w[at] =
            bessel_j(membrane_mode[mode].m, q * hypot(x, y)) * cos(membrane_mode[mode].m * atan2(y, x));
        membrane.w_old[at] = shape[at] * cos(omega * period);
    }
    for (size_t step = 0; step < steps; ++step) {
        a[2] = a[1];
        a[1] = a[0];
        a[0] = 0;
        for (size_t n = 0; n < membrane.nodes; ++n)
            a[0] += shape[membrane.node[n]] * membrane.w[membrane.node[n]];
        if (step >= 2) {
            above += (a[0] + a[2]) * a[1];
            below += a[1] * a[1];
        }
        membrane_step(&membrane);
    }
    *nodes = MEMBRANE_RADIUS / membrane.pitch;
    free(shape);
    membrane_free(&membrane);
    return acos(above / (2 * below)) / (omega * period) - 1;
}

#endif
