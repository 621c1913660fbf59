#include "rooms/materials/absorption_uncertainty.h"

#include "tests/support/test_support.h"

/* ISO 12999-2:2020, table 4: alpha_s and U with k = 2, rounded to .01, at the centres of octaves. */
Test(absorption_uncertainty, a_laboratory_has_that_of_the_standards_example)
{
    const double alpha[7] = {0.33, 0.38, 0.36, 0.49, 0.68, 0.75, 0.81};
    const double twice[7] = {0.33, 0.17, 0.09, 0.08, 0.08, 0.09, 0.13};
    for (int o = 1; o < 7; o++)
        cr_assert(test_near(2 * absorption_uncertainty(alpha[o], o, false), twice[o], 0.005), "octave %d: %g",
                  o, 2 * absorption_uncertainty(alpha[o], o, false));
    cr_assert(test_near(absorption_uncertainty(0.33, 0, false), 0.4 * 0.33, 1e-12),
              "not the .16 of the table");
}

Test(absorption_uncertainty, what_absorbs_little_is_known_in_proportion_and_a_guess_less_well)
{
    cr_assert(test_near(absorption_uncertainty(0.02, 3, false), 0.008, 1e-12));
    cr_assert(test_near(absorption_uncertainty(0.02, 3, true), 0.012, 1e-12));
    cr_assert(test_near(absorption_uncertainty(0.5, 3, true), 0.3, 1e-12));
    cr_assert(absorption_uncertainty(0, 3, true) == 0);
}

/* 0.05 in nine of ten cases is 0.0304 as a standard uncertainty. */
Test(absorption_uncertainty, what_is_written_behind_plus_minus_is_an_error_bar)
{
    const char *const text[] = {"0.3 +- 0.05", "0.3+-0.05", "0.3 +/- 5 %", "0.3 \xC2\xB1 0.05"};
    double value;
    size_t width;
    for (int i = 0; i < 4; i++) {
        const char *at = absorption_plus_minus(text[i], &width);
        cr_assert(at != NULL && absorption_read_bar(at + width, false, &value), "%s", text[i]);
        cr_assert(test_near(value, 0.05 / 1.645, 1e-12), "%s: %g", text[i], value);
    }
    cr_assert(absorption_plus_minus("0.3", &width) == NULL);
    cr_assert(absorption_read_bar("0,05", true, &value) && test_near(value, 0.05 / 1.645, 1e-12));
    char name[ABSORPTION_NAME_MAX];
    cr_assert(absorption_read_name("oak door +- 5 %", name, &value) && strcmp(name, "oak door") == 0);
    cr_assert(test_near(value, 0.05 / 1.645, 1e-12) && !absorption_is_number("oak door +- 5 %"));
    cr_assert(absorption_read_name("oak door", name, &value) && isnan(value));
    cr_assert_not(absorption_read_name("+- 0.05", name, &value));
    cr_assert_not(absorption_read_name("oak door +- wide", name, &value));
    static const char *const bad[] = {"0,05", "", "-0.1", "wide"};
    for (int i = 0; i < 4; i++)
        cr_assert_not(absorption_read_bar(bad[i], false, &value), "%s", bad[i]);
}
