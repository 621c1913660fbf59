/* A damped wave stays one through a filter of finite length, and what is stopped is stopped. */
#include "src/response/signal/band_decimator.h"
#include "tests/support/outcome.h"

#define PI    3.14159265358979323846
#define RATE  1000.0
#define COUNT 1500

Test(band_decimator, a_damped_wave_comes_out_as_one)
{
    struct band_decimator decimator;
    double complex wave[COUNT], out[COUNT];
    const double centre = 83;
    MUST(band_decimator_make(RATE, 10, 25, &decimator, &failure));
    cr_assert(eq(sz, decimator.step, 28));
    for (double f = 60; f < 110; f += 6.7) {
        const double complex s = -5.3 + 2 * PI * I * f;
        for (int n = 0; n < COUNT; n++)
            wave[n] = cexp(s * n / RATE);
        const size_t outputs = band_decimator_outputs(&decimator, COUNT);
        cr_assert(eq(sz, outputs, (COUNT - decimator.count) / 28 + 1));
        band_decimator_apply(&decimator, wave, centre, outputs, out);
        const double complex gain = band_decimator_gain(&decimator, s, centre);
        for (size_t m = 0; m < outputs; m++) {
            const double complex expected = gain * cexp((s - 2 * PI * I * centre) * (double)(28 * m) / RATE);
            cr_assert(test_at_most(cabs(out[m] - expected), 1e-13), "%g Hz, output %zu", f, m);
        }
    }
    cr_assert(eq(sz, band_decimator_outputs(&decimator, decimator.count - 1), 0));
    cr_assert(eq(sz, band_decimator_outputs(&decimator, decimator.count), 1));
    band_decimator_free(&decimator);
}

Test(band_decimator, flat_within_a_fiftieth_of_a_dB_and_85_dB_down)
{
    struct band_decimator decimator;
    MUST(band_decimator_make(RATE, 10, 25, &decimator, &failure));
    for (double f = 0; f <= 500; f += 0.25) {
        const double level = 20 * log10(cabs(band_decimator_gain(&decimator, 2 * PI * I * f, 0)));
        cr_assert(f > 10 || test_near(level, 0, 0.02), "%g Hz: %g dB", f, level);
        cr_assert(f < 25 || test_at_most(level, -85), "%g Hz: %g dB", f, level);
    }
    band_decimator_free(&decimator);
}
