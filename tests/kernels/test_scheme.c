/* One node, and the numbers that a run is made from. */
#include <float.h>
#include <math.h>

#include "kernels/scheme/scheme.h"
#include "tests/support/lossy_room.h"

Test(scheme, the_delta_form_is_the_update_of_the_papers)
{
    /* (1 + kappa) u+ = (2 - K lambda2) u + lambda2 sum(neighbours) - (1 - kappa) u-, in long double. */
    uint64_t random = 1;
    for (int trial = 0; trial < 10000; ++trial) {
        const double u = test_uniform(&random, -1, 1), u_old = test_uniform(&random, -1, 1);
        const double lambda2 = test_uniform(&random, 0.01, 1.0 / 3.0),
                     kappa = test_uniform(&random, 0.0, 2.0);
        const unsigned links = (unsigned)(test_random(&random) % 64);
        double difference[6];
        long double sum = 0.0L;
        for (int d = 0; d < 6; ++d) {
            const double neighbour = test_uniform(&random, -1, 1);
            difference[d] = links >> d & 1 ? neighbour - u : 0.0;
            sum += links >> d & 1 ? neighbour : 0.0;
        }
        const long double expected = ((2.0L - (long double)lambda2 * __builtin_popcount(links)) * u +
                                      lambda2 * sum - (1.0L - (long double)kappa) * u_old) /
                                     (1.0L + (long double)kappa);
        const double s = scheme_sum_f64(difference[0], difference[1], difference[2], difference[3],
                                        difference[4], difference[5]);
        const double found = scheme_update_f64(u, u_old, s, lambda2, kappa / (1.0 + kappa));
        cr_assert(test_near(found, (double)expected, 2e-15), "%.17g, %.17Lg", found, expected);
        const float single = scheme_update_f32((float)u, (float)u_old, (float)s, (float)lambda2,
                                               (float)(kappa / (1.0 + kappa)));
        cr_assert(test_near(single, (double)expected, 2e-6));
    }
}

Test(scheme, no_wall_and_a_wall_that_takes_nothing_give_the_same_bits)
{
    uint64_t random = 2;
    for (int trial = 0; trial < 100000; ++trial) {
        const float u = (float)test_uniform(&random, -1, 1), d = (float)test_uniform(&random, -1, 1);
        const float sum = (float)test_uniform(&random, -3, 3), lambda2 = 0.25f;
        const float v = scheme_move_f32(d, sum, lambda2);
        cr_assert(scheme_wall_f32(u, v, d + v, 0.0f) == u + v);
    }
}

Test(scheme, a_constant_field_stays_constant_bit_for_bit)
{
    struct lossy_room *room = room_ragged(61, 18, 18, 18, 0.1, 0.1, 9);
    for (int precision = 0; precision < 2; ++precision) {
        const struct engine_options options = {LAYOUT_BLOCKS, (enum precision)precision, BACKEND_CPU,
                                               SIMD_AUTO, 1};
        struct engine *engine = room_engine(room, 0.0, &options);
        double value = 0.0;
        for (int pass = 0; pass < 2; ++pass) {
            int64_t node[3];
            for (size_t n = 0; room_air(room, &n, node); ++n) {
                if (pass == 0) {
                    engine_set(engine, 0, node, 0.1);
                    engine_set(engine, 1, node, 0.1);
                    value = engine_get(engine, 0, node);
                }
                cr_assert(pass == 0 || engine_get(engine, 0, node) == value);
            }
            engine_run(engine, 100, NULL, NULL);
        }
        engine_free(engine);
    }
    room_free(room);
}

Test(scheme, lambda2_is_rounded_down_to_20_bits_and_the_time_step_follows)
{
    struct time_step step = time_step_of(0.02, 343.2, 0.0);
    const double asked = 0.999 * 0.999 / 3.0;
    cr_assert(step.lambda2 * 0x1p20 == floor(step.lambda2 * 0x1p20));
    cr_assert(step.lambda2 <= asked && asked - step.lambda2 < 0x1p-20);
    cr_assert(step.lambda2 == (double)(float)step.lambda2);
    cr_assert(test_near(step.courant * step.courant, step.lambda2, 1e-16));
    cr_assert(test_near(step.sound_speed * step.period / step.spacing, step.courant, 1e-15));
    cr_assert(test_near(step.rate * step.period, 1.0, 1e-15));
    step = time_step_of(0.02, 343.2, 0.5);
    cr_assert(step.lambda2 == 0.25 && step.courant == 0.5);
    step = time_step_of(0.02, 343.2, 1.0 / sqrt(3.0));
    cr_assert(step.lambda2 <= 1.0 / 3.0);
}

Test(scheme, what_cannot_be_stepped_is_refused_with_its_value)
{
    struct time_step step;
    const struct {
        double spacing, speed, courant;
        const char *words;
    } bad[] = {{0.0, 343.0, 0.0, "spacing"},      {-1.0, 343.0, 0.0, "spacing"}, {NAN, 343.0, 0.0, "spacing"},
               {INFINITY, 343.0, 0.0, "spacing"}, {0.1, 0.0, 0.0, "speed"},      {0.1, NAN, 0.0, "speed"},
               {0.1, 343.0, 0.5774, "0.5774"},    {0.1, 343.0, -0.1, "-0.1"},    {0.1, 343.0, NAN, "nan"},
               {0.1, 343.0, 1e-4, "0.0001"}};
    for (size_t n = 0; n < sizeof bad / sizeof *bad; ++n) {
        MUST_FAIL(
            time_step_choose(SCHEME_STANDARD, bad[n].spacing, bad[n].speed, bad[n].courant, &step, &failure),
            FAILURE_INPUT, bad[n].words);
    }
}
