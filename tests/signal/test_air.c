/* Air against the tables of ISO 9613-1 and against the formula written out once more. */
#include "src/response/signal/air.h"
#include "tests/support/test_support.h"

static const struct air room = {.temperature = 20, .humidity = 50, .pressure = 101.325};

/* dB/km at the exact middles of the octaves, 125 Hz to 8 kHz, rounded to four digits. */
Test(air, losses_at_20_degrees_and_50_percent_are_those_of_the_standard)
{
    static const double expected[] = {0.445, 1.318, 2.733, 4.665, 9.855, 29.42, 103.9};
    struct air_losses losses;
    air_losses_make(&room, &losses);
    for (int n = 0; n < 7; n++) {
        const double found = 1000 * air_losses_decibels(&losses, 1000 * pow(10, 0.3 * (n - 3)));
        const double last_digit = n < 5 ? 1e-3 : n < 6 ? 1e-2 : 1e-1;
        cr_assert(test_near(found, expected[n], 0.5 * last_digit), "%g for %g dB/km", found, expected[n]);
    }
}

/* The standard's equations as numerics.md has them, in other air: every variable moves. */
Test(air, losses_follow_the_formula_in_any_air)
{
    uint64_t seed = 11;
    for (int trial = 0; trial < 200; trial++) {
        const struct air air = {.temperature = test_uniform(&seed, -20, 50),
                                .humidity = test_uniform(&seed, 0, 100),
                                .pressure = test_uniform(&seed, 60, 120)};
        const double f = pow(10, test_uniform(&seed, 1, 5)), t = air.temperature + 273.15, t0 = 293.15;
        const double p = air.pressure / 101.325;
        const double h = air.humidity * pow(10, -6.8346 * pow(273.16 / t, 1.261) + 4.6151) / p;
        const double oxygen = p * (24 + 4.04e4 * h * (0.02 + h) / (0.391 + h));
        const double nitrogen =
            p * pow(t / t0, -0.5) * (9 + 280 * h * exp(-4.170 * (pow(t / t0, -1.0 / 3) - 1)));
        const double expected =
            8.686 * f * f *
            (1.84e-11 * sqrt(t / t0) / p +
             pow(t / t0, -2.5) * (0.01275 * exp(-2239.1 / t) / (oxygen + f * f / oxygen) +
                                  0.1068 * exp(-3352 / t) / (nitrogen + f * f / nitrogen)));
        struct air_losses losses;
        air_losses_make(&air, &losses);
        cr_assert(test_near(air_losses_decibels(&losses, f), expected, 1e-12 * expected));
        cr_assert(test_near(air_losses_damping(&losses, f), 343.2 * sqrt(t / t0) * expected / 8.686,
                            1e-12 * 400 * expected));
    }
}

Test(air, sound_is_as_fast_as_the_root_of_the_temperature)
{
    cr_assert(test_near(air_sound_speed(20), 343.2, 1e-12));
    cr_assert(test_near(air_sound_speed(0), 331.286, 5e-4));
    cr_assert(test_near(air_sound_speed(-20), 318.927, 5e-4));
    cr_assert(test_near(air_sound_speed(4 * 293.15 - 273.15), 2 * 343.2, 1e-9));
}

Test(air, nothing_is_lost_without_vibration)
{
    struct air_losses losses;
    air_losses_make(&room, &losses);
    cr_assert(air_losses_nepers(&losses, 0) == 0);
    air_losses_make(&(struct air){20, 0, 101.325}, &losses); /* dry: nitrogen at 9 Hz, oxygen at 24 Hz */
    cr_assert(test_near(losses.at_oxygen, 24, 1e-9) && test_near(losses.at_nitrogen, 9, 1e-9));
}

/* Saturated vapour has 12.35 kPa at 50 C, 2.339 kPa at 20 C (steam tables). */
Test(air, air_outside_the_standard_is_named)
{
    static const struct {
        struct air air;
        const char *words; /* NULL: nothing */
    } row[] = {{{20, 50, 101.325}, NULL},
               {{-20, 70, 101.325}, NULL},
               {{50, 20, 101.325}, NULL},
               {{-20.5, 70, 101.325}, "and it is -20.5 C"},
               {{51, 20, 101.325}, "and it is 51 C"},
               {{20, 1, 101.325}, "and this is 0.023 %"},
               {{50, 60, 101.325}, "of vapour, and this is 7.3 %"},
               {{20, 50, 201}, "and this is 201 kPa"}};
    char text[AIR_DOUBT_MAX];
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const char *doubt = air_doubt(&row[i].air, text);
        const bool none = doubt == NULL;
        cr_assert(none == (row[i].words == NULL), "row %zu: %s", i, doubt != NULL ? doubt : "nothing");
        cr_assert(doubt == NULL || strstr(doubt, row[i].words) != NULL, "row %zu: %s", i, doubt);
    }
}

/* ---- within the steps of a field ---- */

/* Samples in a period of fmax: of the standard scheme, of the isotropic one, and with 5 points a wavelength
 * there. */
static const double sampled[] = {18.2, 7.7, 6.0};

Test(air, losses_within_steps_follow_the_standard_within_3_percent_up_to_fmax)
{
    for (int a = 0; a < 10 * 5; a++) /* -10 to 35 C, 10 to 90 % */
        for (double fmax = 355; fmax < 12000; fmax *= 2)
            for (size_t s = 0; s < sizeof sampled / sizeof *sampled; s++) {
                const double rate = sampled[s] * fmax, from = fmin(AIR_FIT_FROM, fmax / 2);
                struct air_losses losses;
                struct air_loss loss;
                const struct air air = {-10 + 5 * (a % 10), 10 + 20 * (a / 10), a % 3 == 0 ? 80 : 101.325};
                air_losses_make(&air, &losses);
                const double said = air_loss_fit(&losses, rate, fmax, &loss);
                cr_assert(said <= AIR_FIT, "%g C, %g %%, %g Hz, %g samples: %g", air.temperature,
                          air.humidity, fmax, sampled[s], said);
                cr_assert(air_loss_is_stable(&loss));
                for (double f = from; f <= fmax; f *= 1.02) {
                    const double expected = air_losses_damping(&losses, f) / rate * loss.every;
                    const double found = air_loss_share(&loss, f / rate * loss.every);
                    cr_assert(test_near(found, expected, 1.05 * said * expected), "%g Hz: %g for %g", f,
                              found, expected);
                }
            }
}

/* Below the relaxation of nitrogen one state has all losses; far below fmax of a fine grid losses can wait.
 */
Test(air, losses_within_steps_are_as_cheap_as_they_can_be)
{
    struct air_losses losses;
    struct air_loss loss;
    air_losses_make(&room, &losses);
    cr_assert(air_loss_fit(&losses, 18.2 * 177, 177, &loss) <= AIR_FIT && loss.states == 1);
    cr_assert(air_loss_fit(&losses, 18.2 * 1420, 1420, &loss) <= AIR_FIT && loss.states == 2);
    cr_assert(loss.every == 7, "%u", loss.every);
    air_losses_make(&(struct air){-5, 20, 101.325}, &losses); /* oxygen at 755 Hz, within the band */
    cr_assert(air_loss_fit(&losses, 18.2 * 5680, 5680, &loss) <= AIR_FIT && loss.states == 3);
}
