#include "src/response/acoustics/loss_sensitivity.h"

#include "src/response/acoustics/statistical_reverberation.h"
#include "tests/support/test_support.h"

static const struct air room = {.temperature = 20, .humidity = 50, .pressure = 101.325};
static const double volume = 60, centre[1] = {1000};
static const double area[2] = {40, 54}; /* floor and ceiling, walls of 5 x 4 x 3 m */

static struct statistical_reverberation times_of(const double absorption[2], bool lossy)
{
    const struct statistical_surface box[2] = {{area[0], {absorption[0]}}, {area[1], {absorption[1]}}};
    struct statistical_reverberation times;
    statistical_reverberation_make(volume, box, 2, 1, centre, &room, lossy, &times);
    return times;
}

static struct loss_octave octave_of(double time, bool lossy)
{
    struct air_losses losses;
    air_losses_make(&room, &losses);
    const double c = losses.sound_speed;
    return (struct loss_octave){.time = time,
                                .air = lossy ? 2 * c * air_losses_nepers(&losses, centre[0]) : 0,
                                .reflections = c * (area[0] + area[1]) / (4 * volume)};
}

/* Of a diffuse field. */
static double share_of(const double absorption[2], int s)
{
    return area[s] * absorption[s] / (area[0] * absorption[0] + area[1] * absorption[1]);
}

/* d ln T by central differences of Eyring's formula. */
Test(loss_sensitivity, in_a_diffuse_field_it_is_the_derivative_of_eyring_with_air)
{
    const double absorption[][2] = {{0.02, 0.05}, {0.6, 0.05}, {0.1, 0.9}};
    for (size_t i = 0; i < 3; i++)
        for (int lossy = 0; lossy < 2; lossy++)
            for (int s = 0; s < 2; s++) {
                const double *alpha = absorption[i], step = 1e-6;
                double more[2] = {alpha[0], alpha[1]}, less[2] = {alpha[0], alpha[1]};
                more[s] += step;
                less[s] -= step;
                const double expected =
                    log(times_of(more, lossy).eyring[0] / times_of(less, lossy).eyring[0]) / (2 * step);
                const struct loss_octave octave = octave_of(times_of(alpha, lossy).eyring[0], lossy);
                const double found = loss_sensitivity(&octave, share_of(alpha, s), alpha[s]);
                cr_assert(test_near(found, expected, 1e-6 * fabs(expected)), "%g for %g", found, expected);
            }
}

/* A = 40 * 2e-4 + 54 * 1e-4 = 0.0134 m2: d ln T / d alpha = -S / A. */
Test(loss_sensitivity, a_live_room_is_sabines)
{
    const double alpha[2] = {2e-4, 1e-4};
    const struct loss_octave octave = octave_of(times_of(alpha, false).sabine[0], false);
    for (int s = 0; s < 2; s++) {
        const double expected = -area[s] / 0.0134;
        cr_assert(
            test_near(loss_sensitivity(&octave, share_of(alpha, s), alpha[s]), expected, 1e-4 * -expected));
    }
}

Test(loss_sensitivity, what_openings_and_air_take_does_not_change_with_a_surface)
{
    const struct loss_octave still = octave_of(2, false), lossy = octave_of(2, true);
    const double half = loss_sensitivity(&still, 0.5, 0.1);
    cr_assert(test_near(loss_sensitivity(&still, 0.25, 0.1), half / 2, 1e-12));
    cr_assert(loss_sensitivity(&lossy, 0.5, 0.1) > half, "the air takes a part of the rate");
    cr_assert(loss_sensitivity(&still, 0, 0) == 0, "of a rigid surface there is no account");
    const struct loss_octave absurd = {.time = 2, .air = 100, .reflections = 100};
    cr_assert(loss_sensitivity(&absurd, 0.5, 0.1) == 0, "the air alone is faster than the decay");
}

/* Exposures of 1, 3 and 0.5 that no octave alone shows: surface 0 absorbs low, surface 1 high sound, surface
 * 2 is an opening. */
Test(loss_sensitivity, an_account_of_the_whole_band_is_divided_by_what_surfaces_absorb_in_each_octave)
{
    const double size[3] = {10, 20, 1}, exposure[3] = {1, 3, 0.5}, weight[3] = {1, 4, 2};
    const double absorption[9] = {0.5, 0.1, 0.02, 0.01, 0.1, 0.3, 1, 1, 1};
    double expected[9], whole[3] = {0}, found[9];
    for (int o = 0; o < 3; o++) {
        double sum = 0;
        for (int s = 0; s < 3; s++)
            sum += size[s] * exposure[s] * absorption[3 * s + o];
        for (int s = 0; s < 3; s++) {
            expected[3 * s + o] = size[s] * exposure[s] * absorption[3 * s + o] / sum;
            whole[s] += weight[o] * expected[3 * s + o];
        }
    }
    loss_shares_by_octave(whole, weight, size, absorption, 3, 3, found);
    for (int i = 0; i < 9; i++)
        cr_assert(test_near(found[i], expected[i], 1e-9), "%d: %g for %g", i, found[i], expected[i]);
}

Test(loss_sensitivity, surfaces_that_absorb_nothing_have_no_share)
{
    const double size[2] = {10, 20}, weight[2] = {1, 1}, whole[2] = {0, 1};
    const double absorption[4] = {0, 0, 0.1, 0};
    double found[4];
    loss_shares_by_octave(whole, weight, size, absorption, 2, 2, found);
    cr_assert(found[0] == 0 && found[2] == 1, "%g and %g", found[0], found[2]);
    cr_assert(found[1] == 0 && found[3] == 0, "nothing absorbs in the upper octave");
}

/* The slope of the octave's own decay by air, -d ln E / dt after T / 3, from differences of a finer sum. */
Test(loss_sensitivity, an_octave_loses_to_the_air_what_is_left_of_it_does)
{
    struct air_losses losses;
    air_losses_make(&room, &losses);
    const double time = 1.2, step = 1e-4;
    double energy[2] = {0, 0};
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < 4000; i++) {
            const double f = 8000 * (sqrt(0.5) + sqrt(0.5) * (i + 0.5) / 4000);
            energy[e] += exp(-2 * air_losses_damping(&losses, f) * (time / 3 + (e - 0.5) * step));
        }
    const double expected = log(energy[0] / energy[1]) / step, found = loss_in_air(&losses, 8000, time);
    cr_assert(test_near(found, expected, 1e-3 * expected), "%g for %g", found, expected);
    cr_assert(found < 0.9 * 2 * air_losses_damping(&losses, 8000), "the upper edge is gone");
    cr_assert(test_near(loss_in_air(&losses, 125, 2), 2 * air_losses_damping(&losses, 125), 0.01));
}
