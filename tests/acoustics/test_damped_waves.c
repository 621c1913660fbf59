/* Waves that are known come back, from one record or from several, apart from rounding. */
#include "src/response/acoustics/damped_waves.h"
#include "tests/support/outcome.h"

#define COUNT 60

/* z and, for each of two records, the amplitude. The first two are a tenth of their width apart. */
static const double complex wave[][3] = {{0.970 + 0.100 * I, 1.0, -0.5 * I},
                                         {0.970 + 0.103 * I, 0.7 * I, 0.4},
                                         {-0.6 + 0.7 * I, 0.2, 0.1 - 0.3 * I},
                                         {0.2 - 0.9 * I, 0.01, 0.02},
                                         {0.5 + 0.6 * I, 0.0, 0.3}}; /* in the second alone */
#define WAVES (sizeof wave / sizeof *wave)

Test(damped_waves, waves_come_back_with_their_amplitudes)
{
    for (size_t records = 1; records <= 2; records++) {
        double complex value[2 * COUNT] = {0};
        struct damped_waves found;
        for (size_t m = 0; m < WAVES; m++)
            for (size_t r = 0; r < records; r++)
                for (int n = 0; n < COUNT; n++)
                    value[r * COUNT + (size_t)n] += wave[m][1 + r] * cpow(wave[m][0], n);
        MUST(damped_waves_find(value, COUNT, records, 1e-6, &found, &failure));
        cr_assert(eq(sz, found.count, records == 1 ? WAVES - 1 : WAVES));
        cr_assert(eq(sz, found.records, records));
        for (size_t m = 0; m < found.count; m++) {
            size_t which = 0;
            for (size_t k = 1; k < found.count; k++)
                if (cabs(found.z[k] - wave[m][0]) < cabs(found.z[which] - wave[m][0]))
                    which = k;
            cr_assert(test_at_most(cabs(found.z[which] - wave[m][0]), 1e-7));
            for (size_t r = 0; r < records; r++)
                cr_assert(test_at_most(cabs(found.amplitude[which * records + r] - wave[m][1 + r]), 1e-4));
        }
        damped_waves_free(&found);
    }
}

Test(damped_waves, silence_and_scraps_hold_none)
{
    const double complex value[COUNT] = {0};
    struct damped_waves found;
    MUST(damped_waves_find(value, COUNT, 1, 1e-6, &found, &failure));
    cr_assert(eq(sz, found.count, 0));
    damped_waves_free(&found);
    MUST(damped_waves_find(value, 7, 1, 1e-6, &found, &failure));
    cr_assert(eq(sz, found.count, 0));
    damped_waves_free(&found);
}

/* What grows is nothing that a room does. */
Test(damped_waves, growing_waves_are_left_out)
{
    double complex value[COUNT];
    struct damped_waves found;
    for (int n = 0; n < COUNT; n++)
        value[n] = cpow(0.9 + 0.1 * I, n) + 0.01 * cpow(1.05, n);
    MUST(damped_waves_find(value, COUNT, 1, 1e-6, &found, &failure));
    cr_assert(eq(sz, found.count, 1));
    cr_assert(test_at_most(cabs(found.z[0] - (0.9 + 0.1 * I)), 1e-7));
    damped_waves_free(&found);
}
