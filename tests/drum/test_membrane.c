/* A membrane by itself: its modes against the zeros of Bessel functions, its energy. */
#include "kernels/drum/membrane.h"

#include <math.h>
#include <stdlib.h>

#include "src/instruments/drum_tuning.h"
#include "tests/support/outcome.h"
#include "tests/support/test_support.h"

#define RADIUS 0.328

static const struct membrane_kind kind = {.radius = RADIUS, .tension = 3990, .density = 0.262};

/* Zeros of J_m (Abramowitz and Stegun, table 9.5). */
static const struct {
    int m, n;
    double zero;
} modes[] = {{0, 1, 2.40482555769577}, {1, 1, 3.83170597020751}, {2, 1, 5.13562230184068},
             {0, 2, 5.52007811028631}, {3, 1, 6.38016189592398}, {1, 2, 7.01558666981562},
             {4, 1, 7.58834243450380}, {2, 2, 8.41724414039987}};
#define MODES (sizeof modes / sizeof *modes)

/* Frequency of a mode over the exact one, less 1: started in its exact shape, read with that shape. Of a[n] =
 * cos n theta, a[n+1] + a[n-1] = 2 cos(theta) a[n]. */
static double off(size_t mode, double period, double pitch, double *nodes)
{
    struct membrane membrane;
    MUST(membrane_make(&kind, period, pitch, &membrane, &failure));
    const double q = modes[mode].zero / RADIUS, omega = q * sqrt(kind.tension / kind.density);
    const size_t steps = (size_t)(40 / (omega * period));
    double *shape = calloc(membrane.side * membrane.side, sizeof *shape), above = 0, below = 0, a[3] = {0};
    cr_assert(shape != NULL);
    for (size_t n = 0; n < membrane.nodes; ++n) {
        const size_t at = membrane.node[n];
        const double x = ((double)(at % membrane.side) - (double)membrane.middle) * membrane.pitch,
                     y = ((double)(at / membrane.side) - (double)membrane.middle) * membrane.pitch;
        shape[at] = membrane.w[at] =
            bessel_j(modes[mode].m, q * hypot(x, y)) * cos(modes[mode].m * atan2(y, x));
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
    *nodes = RADIUS / membrane.pitch;
    free(shape);
    membrane_free(&membrane);
    return acos(above / (2 * below)) / (omega * period) - 1;
}

Test(membrane, modes_are_those_of_bessel_functions_to_second_order)
{
    /* Five points are late by (q g)^2 / 24 times 3/4, steps early by (omega k)^2 / 24, which is (q g)^2 / 4
     * of that at the finest pitch; what the rim adds is as small (membrane.h): under (q g)^2 / 24 in all, and
     * a quarter of it, or nearly, with twice the nodes. */
    const double speed = sqrt(kind.tension / kind.density);
    double worst[2] = {0};
    for (size_t mode = 0; mode < MODES; ++mode)
        for (int finer = 0; finer < 2; ++finer) {
            double nodes;
            const double q = modes[mode].zero,
                         found = off(mode, RADIUS / speed / (finer ? 82 : 41), 0, &nodes);
            const double unit = q * q / (24 * nodes * nodes);
            cr_assert(fabs(found) < unit, "(%d,%d): off by %g, (q g)^2/24 is %g", modes[mode].m,
                      modes[mode].n, found, unit);
            worst[finer] = fmax(worst[finer], fabs(found));
        }
    cr_assert(worst[1] < worst[0] / 3, "%g, with twice the nodes %g", worst[0], worst[1]);
}

Test(membrane, losses_and_pressure_account_for_every_change_of_its_energy)
{
    struct membrane_kind lossy = kind;
    lossy.loss = 3;
    lossy.high_loss = 0.01;
    struct membrane membrane;
    MUST(membrane_make(&lossy, 5e-5, 0, &membrane, &failure));
    uint64_t random = 3;
    double start = 0, account = 0, largest = 0, taken = 0;
    for (int step = 0; step < 2000; ++step) {
        for (size_t n = 0; n < membrane.nodes && step % 200 < 2; ++n)
            membrane.pressure[membrane.node[n]] = step % 200 == 0 ? test_uniform(&random, -100, 100) : 0;
        membrane_step(&membrane);
        taken += membrane_lost(&membrane);
        account += membrane_gained(&membrane) - membrane_lost(&membrane);
        const double now = membrane_energy(&membrane);
        largest = fmax(largest, now);
        cr_assert(fabs(now - start - account) <= 1e-12 * largest, "step %d: %g of %g J", step, now - account,
                  largest);
    }
    cr_assert(taken > largest, "losses took %g J of %g", taken, largest);
    membrane_free(&membrane);
}

Test(membrane, a_time_step_that_it_cannot_take_is_refused)
{
    struct membrane membrane;
    MUST_FAIL(membrane_make(&kind, 1e-3, 0, &membrane, &failure), FAILURE_INPUT, "take a finer grid");
    MUST_FAIL(membrane_make(&(struct membrane_kind){.radius = 0.3, .tension = 4000, .density = -1}, 1e-5, 0,
                            &membrane, &failure),
              FAILURE_INPUT, "a surface density of -1 kg/m2: it must be above 0");
}
