/* Absorption: Paris' formula against the integral it stands for, and its inverse. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>

#include "rooms/materials/absorption.h"
#include "tests/support/test_support.h"

/* Absorption of a plane wave at cos(angle) = mu by a wall of real admittance g, averaged over a diffuse
 * field: integral over mu of 2 mu (1 - ((mu - g) / (mu + g))^2), by composite Gauss-Legendre with panels that
 * halve towards 0, where the integrand bends on the scale of g. */
static double diffuse_absorption(double g)
{
    static const double node[5] = {0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                                   -0.9061798459386640};
    static const double weight[5] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                                     0.2369268850561891, 0.2369268850561891};
    double sum = 0, high = 1;
    for (int octave = 0; octave < 60; ++octave) {
        const double low = octave == 59 ? 0 : high / 2;
        for (int panel = 0; panel < 8; ++panel) {
            const double half = (high - low) / 16, middle = low + (2 * panel + 1) * half;
            for (int k = 0; k < 5; ++k) {
                const double mu = middle + half * node[k];
                /* 1 - R^2 = (1 - R)(1 + R) with R = (mu - g) / (mu + g): no cancellation for hard walls */
                sum += half * weight[k] * 2 * mu * (2 * g / (mu + g)) * (2 * mu / (mu + g));
            }
        }
        high = low;
    }
    return sum;
}

Test(absorption, paris_formula_is_the_hemisphere_integral)
{
    for (double g = 1e-7; g < 1e7; g *= 1.3) {
        const double formula = absorption_from_admittance(g), integral = diffuse_absorption(g);
        cr_assert(test_near(formula, integral, 1e-11 * integral), "g %g: %.15g, integral %.15g", g, formula,
                  integral);
    }
    cr_assert(absorption_from_admittance(0) == 0);
    cr_assert(absorption_from_admittance(-1) == 0);
}

Test(absorption, formula_and_series_meet_where_one_takes_over)
{
    const double below = absorption_from_admittance(nextafter(16, 0)), above = absorption_from_admittance(16);
    cr_assert(test_near(below, above, 1e-13), "%.17g %.17g", below, above);
}

Test(absorption, the_most_a_real_wall_absorbs_is_0_9512_at_0_638)
{
    const double top = absorption_from_admittance(ABSORPTION_MAX_AT);
    cr_assert(test_near(top, 0.9512, 5e-5) && test_near(ABSORPTION_MAX_AT, 0.638, 5e-4));
    cr_assert(test_near(top, ABSORPTION_MAX, 1e-15), "%.17g", top);
    for (double step = 1e-4; step < 0.5; step *= 2) {
        cr_assert(absorption_from_admittance(ABSORPTION_MAX_AT - step) < top);
        cr_assert(absorption_from_admittance(ABSORPTION_MAX_AT + step) < top);
    }
}

Test(absorption, the_inverse_is_exact_to_1e_12)
{
    bool clamped;
    for (double absorption = 1e-9; absorption < ABSORPTION_MAX; absorption = absorption * 1.001 + 1e-9) {
        const double g = admittance_from_absorption(absorption, &clamped);
        cr_assert(clamped == false && g > 0 && g <= ABSORPTION_MAX_AT);
        cr_assert(test_near(absorption_from_admittance(g), absorption, 1e-12 * absorption), "%.17g",
                  absorption);
    }
    /* Small absorption is 8 g, so g itself is known to the same accuracy there. */
    cr_assert(test_near(admittance_from_absorption(8e-9, NULL), 1e-9, 1e-16));
    cr_assert(admittance_from_absorption(0, &clamped) == 0 && !clamped);
    for (double absorption = 0.9513; absorption <= 1; absorption += 0.0487) {
        cr_assert(admittance_from_absorption(absorption, &clamped) == ABSORPTION_MAX_AT);
        cr_assert(clamped);
    }
}
