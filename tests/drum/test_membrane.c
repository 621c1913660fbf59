/* A membrane alone: its modes compared with the zeros of Bessel functions, and its energy. */
#include "tests/drum/membrane_modes.h"
#include "tests/support/test_support.h"

Test(membrane, modes_are_those_of_bessel_functions_to_second_order)
{
    /* Five points are late by (q g)^2 / 24 times 3/4, steps early by (omega k)^2 / 24, which is (q g)^2 / 4
     * of that at the finest pitch; what the rim adds is as small (membrane.h): under (q g)^2 / 24 in all, and
     * a quarter of it, or nearly, with twice the nodes. */
    const double speed = sqrt(membrane_usual.tension / membrane_usual.density);
    double worst[2] = {0};
    for (size_t mode = 0; mode < MEMBRANE_MODES; ++mode)
        for (int finer = 0; finer < 2; ++finer) {
            double nodes;
            const double q = membrane_mode[mode].zero,
                         found = membrane_off(mode, MEMBRANE_RADIUS / speed / (finer ? 82 : 41), 0, &nodes);
            const double unit = q * q / (24 * nodes * nodes);
            cr_assert(fabs(found) < unit, "(%d,%d): off by %g, (q g)^2/24 is %g", membrane_mode[mode].m,
                      membrane_mode[mode].n, found, unit);
            worst[finer] = fmax(worst[finer], fabs(found));
        }
    cr_assert(worst[1] < worst[0] / 3, "%g, with twice the nodes %g", worst[0], worst[1]);
}

Test(membrane, losses_and_pressure_account_for_every_change_of_its_energy)
{
    struct membrane_kind lossy = membrane_usual;
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
    MUST_FAIL(membrane_make(&membrane_usual, 1e-3, 0, &membrane, &failure), FAILURE_INPUT,
              "take a finer grid");
    MUST_FAIL(membrane_make(&(struct membrane_kind){.radius = 0.3, .tension = 4000, .density = -1}, 1e-5, 0,
                            &membrane, &failure),
              FAILURE_INPUT, "a surface density of -1 kg/m2: it must be above 0");
}
