/* Which octaves there are, and the fall of decaying sound whose decay is known. */
#include <complex.h>

#include "kernels/scheme/dispersion.h"
#include "src/response/acoustics/octave_decay.h"
#include "tests/support/outcome.h"
#include "tests/support/driven.h"

#define PI 3.14159265358979323846

Test(octave_decay, the_octaves_are_those_whose_upper_edge_fits)
{
    double centre[OCTAVE_BANDS_MAX];
    const double highest[] = {80.0, 100.0, 177.0, 355.0, 710.0, 1420.0, 2840.0, 5680.0, 11300.0};
    const size_t bands[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t n = 0; n < sizeof bands / sizeof bands[0]; n++)
        cr_assert(octave_centres(highest[n], centre) == bands[n], "fmax %g", highest[n]);
    cr_assert(test_near(centre[0], 63.0957, 1e-3) && test_near(centre[4], 1000.0, 1e-9));
}

/* Noise that dies away at its own rate in each of two receivers: the fall is that of the slower one. */
Test(octave_decay, the_fall_is_that_of_the_slowest_octave_and_receiver)
{
    const double rate = 6463.0, slow = 1.2, fast = 0.5; /* seconds for 60 dB */
    const struct time_step step = step_at(rate);
    struct octave_decay decay = {0};
    MUST(octave_decay_make(&step, 355.0, 2, &decay, &failure));
    cr_assert(octave_decay_least_fall(&decay) == 0.0);
    uint64_t seed = 3;
    const double length[] = {0.4, 0.8, 1.1};
    size_t n = 0;
    for (size_t l = 0; l < 3; l++) {
        for (; (double)n < length[l] * rate; n++) {
            const double t = (double)n / rate;
            /* Slow: only a tone in the 125 Hz octave at receiver 1. */
            double pressure[2] = {test_uniform(&seed, -1.0, 1.0) * pow(10.0, -3.0 * t / fast),
                                  test_uniform(&seed, -1.0, 1.0) * pow(10.0, -3.0 * t / fast) +
                                      0.1 * sin(2.0 * PI * 130.0 * t) * pow(10.0, -3.0 * t / slow)};
            for (size_t r = 0; r < 2; r++)
                octave_decay_add(&decay, r, &pressure[r], 1);
        }
        if (l > 0) {
            const double fall = octave_decay_least_fall(&decay), expected = 60.0 * length[l] / slow;
            cr_assert(fall > expected - 12.0 && fall < expected + 2.0, "%g dB after %g s, expected %g", fall,
                      length[l], expected);
        }
    }
    octave_decay_free(&decay);
}

/* Noise that would last for ever but for the air: as if each octave lost what its lower edge does. So it
 * falls by less than the response will, of which the lower edge is what stays longest, and by no less than
 * that. */
Test(octave_decay, the_air_counts_before_it_has_taken_anything)
{
    const double rate = 40000.0;
    struct air_losses losses;
    const struct time_step step = step_at(rate);
    struct octave_decay decay[3] = {0};
    air_losses_make(&(struct air){20, 10, 101.325}, &losses);
    for (int d = 0; d < 3; d++)
        MUST(octave_decay_make(&step, 100.0, 1, &decay[d], &failure));
    octave_decay_in_air(&decay[0], &step, &losses);
    const double least = air_losses_damping(&losses, decay[0].centre[0] * pow(10.0, -0.15));
    uint64_t seed = 9;
    for (size_t n = 0; (double)n < 3.0 * rate; n++) {
        const double noise = test_uniform(&seed, -1.0, 1.0), t = (double)n / rate;
        double pressure[3] = {noise, noise, noise * exp(-least * t)};
        for (int d = 0; d < 3; d++)
            octave_decay_add(&decay[d], 0, &pressure[d], 1);
    }
    const double still = octave_decay_least_fall(&decay[1]), fall = octave_decay_least_fall(&decay[0]);
    cr_assert(test_near(fall, octave_decay_least_fall(&decay[2]), 0.01), "%g for %g dB", fall,
              octave_decay_least_fall(&decay[2]));
    cr_assert(fall > still, "%g for %g dB", fall, still);
    for (int d = 0; d < 3; d++)
        octave_decay_free(&decay[d]);
}

/* Tones near the edges of the 250 Hz octave, at the frequencies that a run of the isotropic scheme has for
 * them: one outside it in truth is outside in the run. At 4 points per wavelength 4 to 6 %. */
Test(octave_decay, octaves_of_a_run_that_disperses_are_those_of_true_frequencies)
{
    struct time_step step;
    MUST(time_step_choose(SCHEME_ISOTROPIC, 343.2 / (4.0 * 355.0), 343.2, 0, &step, &failure));
    const double centre = 1000.0 * pow(10.0, -0.6), half = pow(10.0, 0.15);
    const double edge[2] = {dispersion_numerical(&step, centre / half),
                            dispersion_numerical(&step, centre * half)};
    cr_assert(edge[1] < 0.97 * centre * half);
    for (int side = 0; side < 2; side++) {
        struct octave_decay decay = {0};
        MUST(octave_decay_make(&step, 355.0, 1, &decay, &failure));
        cr_assert(decay.bands == 3 && test_near(decay.centre[2], centre, 1e-9));
        /* The gain of the last octave at its own edge is that of a Butterworth filter: -3 dB. */
        double complex gain = 1.0;
        const double complex back = cexp(-2.0 * PI * I * edge[side] / step.rate);
        for (int s = 0; s < OCTAVE_DECAY_ORDER; s++) {
            const struct biquad *section = &decay.level[2].section[s];
            gain *= (section->b0 + section->b1 * back + section->b2 * back * back) /
                    (1.0 + section->a1 * back + section->a2 * back * back);
        }
        cr_assert(test_near(20.0 * log10(cabs(gain)), -3.0103, 1e-3), "%g dB", 20.0 * log10(cabs(gain)));
        octave_decay_free(&decay);
    }
}
