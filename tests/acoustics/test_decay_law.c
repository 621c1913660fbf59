#include "src/response/diffuse/decay_law.h"

#include "tests/support/test_support.h"

static const struct decay_law hall = {2, 10000, 20, 343.2};

/* Barron and Lee's numbers: 100 / r^2, 31200 T / V exp(-0.04 r / T), of which exp(-1.11 / T) is after 80 ms.
 */
Test(decay_law, figures_are_those_of_barrons_formulas)
{
    const double direct = 100.0 / 400, all = 31200 * 2.0 / 10000 * exp(-0.04 * 20 / 2.0);
    const double late = all * exp(-1.11 / 2), after50 = all * exp(-0.691 / 2);
    cr_assert(test_near(decay_law_figure(&hall, FIGURE_G), 10 * log10(direct + all), 0.05));
    cr_assert(test_near(decay_law_figure(&hall, FIGURE_C80), 10 * log10((direct + all - late) / late), 0.05));
    cr_assert(
        test_near(decay_law_figure(&hall, FIGURE_D50), (direct + all - after50) / (direct + all), 0.005));
    cr_assert(test_near(decay_law_figure(&hall, FIGURE_TS), 2 / 13.8155 * all / (direct + all), 0.001));
    cr_assert(decay_law_figure(&hall, FIGURE_T30) == 2 && isnan(decay_law_figure(&hall, FIGURE_STI)));
}

/* Far away at no distance loss: E = exp(13.8 * 0.08 / T) - 1, d C80 / d ln T = -10 lg e * x e^x / (e^x - 1).
 */
Test(decay_law, slopes_are_those_of_a_plain_exponential_decay_where_the_direct_sound_is_nothing)
{
    const struct decay_law law = {1.5, 1e-3, 1e-3, 343.2};
    const double x = 6 * log(10) * 0.08 / 1.5, y = 6 * log(10) * 0.05 / 1.5, scale = 10 / log(10);
    struct decay_law far = law;
    far.volume = 1e-12; /* the reverberant sound is all */
    cr_assert(test_near(decay_law_slope(&far, FIGURE_C80), -scale * x * exp(x) / (exp(x) - 1), 1e-4));
    cr_assert(test_near(decay_law_slope(&far, FIGURE_C50), -scale * y * exp(y) / (exp(y) - 1), 1e-4));
    cr_assert(test_near(decay_law_slope(&far, FIGURE_D50), -y * exp(-y), 1e-5));
    cr_assert(test_near(decay_law_slope(&far, FIGURE_TS), 1.5 / (6 * log(10)), 1e-6));
    cr_assert(test_near(decay_law_slope(&far, FIGURE_G), scale, 1e-3));
    cr_assert(test_near(decay_law_slope(&far, FIGURE_EDT), 1.5, 1e-6));
}
