/* Branches of a wall: their admittance by complex arithmetic, its random-incidence absorption against the
 * integral it stands for, and that no wall gives out energy. */
#include <complex.h>

#include "rooms/materials/absorption.h"
#include "rooms/materials/wall_branches.h"
#include "tests/support/outcome.h"

#define PI 3.14159265358979323846

/* Logarithmically uniform. */
static double spread(uint64_t *state, double low, double high)
{
    return exp(test_uniform(state, log(low), log(high)));
}

static struct wall_branch random_branch(uint64_t *state)
{
    struct wall_branch branch = {spread(state, 1e-7, 1e1), spread(state, 1e-3, 1e5),
                                 spread(state, 1e-2, 1e9)};
    if (test_uniform(state, 0, 1) < 0.2)
        branch.D = 0;
    if (test_uniform(state, 0, 1) < 0.2)
        branch.F = 0;
    return branch;
}

/* 4 g m / |m + Y|^2 averaged with 2 m over 0..1: composite Gauss-Legendre, `panels` to each of the octaves
 * that halve towards 0, where the integrand bends on the scale of |Y|. */
static double hemisphere(double g, double b, int panels)
{
    static const double node[5] = {0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                                   -0.9061798459386640};
    static const double weight[5] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                                     0.2369268850561891, 0.2369268850561891};
    double sum = 0;
    for (int octave = 59; octave >= 0; --octave) {
        const double high = ldexp(1, -octave), low = octave == 59 ? 0 : high / 2;
        const double half = (high - low) / (2 * panels);
        for (int panel = 0; panel < panels; ++panel)
            for (int k = 0; k < 5; ++k) {
                const double m = low + (2 * panel + 1 + node[k]) * half;
                sum += half * weight[k] * 8 * g * m * m / ((m + g) * (m + g) + b * b);
            }
    }
    return sum;
}

Test(wall_branches, a_resistance_absorbs_as_the_constant_admittance_it_is)
{
    for (double g = 1e-6; g < 1e6; g *= 1.7)
        for (double frequency = 1; frequency < 1e5; frequency *= 11) {
            const struct wall_branch branch = {.E = 1 / g};
            const struct wall_admittance y = wall_admittance_at(&branch, 1, frequency);
            cr_assert(test_near(y.g, g, 1e-15 * g) && y.b == 0, "g %g: %.17g %.17g", g, y.g, y.b);
            const double closed = absorption_from_admittance(g);
            cr_assert(test_near(wall_absorption_diffuse(y), closed, 1e-14 * closed));
        }
}

Test(wall_branches, admittance_is_the_sum_of_reciprocals)
{
    uint64_t state = 5;
    for (int n = 0; n < 2000; ++n) {
        struct wall_branch branch[4];
        const double frequency = spread(&state, 1, 1e5), omega = 2 * PI * frequency;
        double complex expected = 0;
        double size = 0;
        for (int m = 0; m < 4; ++m) {
            branch[m] = random_branch(&state);
            const double complex one =
                1 / (I * omega * branch[m].D + branch[m].E + branch[m].F / (I * omega));
            expected += one;
            size += cabs(one);
        }
        const struct wall_admittance y = wall_admittance_at(branch, 4, frequency);
        cr_assert(test_near(y.g, creal(expected), 1e-13 * size) &&
                  test_near(y.b, cimag(expected), 1e-13 * size));
    }
    const struct wall_admittance none = wall_admittance_at(NULL, 0, 100);
    cr_assert(none.g == 0 && none.b == 0);
}

Test(wall_branches, absorption_is_the_hemisphere_integral)
{
    for (double size = 1e-5; size < 1e5; size *= 2.3)
        for (int degrees = -89; degrees <= 89; ++degrees) {
            const double g = size * cos(degrees * PI / 180), b = size * sin(degrees * PI / 180);
            const double integral = hemisphere(g, b, 8); /* b = 0 is Paris' formula */
            const double formula = wall_absorption_diffuse((struct wall_admittance){g, b});
            cr_assert(test_near(integral, hemisphere(g, b, 13), 1e-12 * integral), "the reference: %g %g", g,
                      b);
            cr_assert(test_near(formula, integral, 2e-12 * integral), "Y = %g + %g j: %.15g, integral %.15g",
                      g, b, formula, integral);
        }
}

/* The usual form, with 1/Y = r + j x (Kuttruff). */
Test(wall_branches, absorption_is_the_textbooks_in_r_and_x)
{
    uint64_t state = 8;
    for (int n = 0; n < 1000; ++n) {
        const double g = spread(&state, 1e-3, 3), b = test_uniform(&state, -3, 3), square = g * g + b * b;
        const double r = g / square, x = -b / square, z2 = r * r + x * x;
        const double textbook =
            8 * r / z2 *
            (1 - r / z2 * log((1 + r) * (1 + r) + x * x) + (r * r - x * x) / (x * z2) * atan(x / (1 + r)));
        cr_assert(
            test_near(wall_absorption_diffuse((struct wall_admittance){g, b}), textbook, 1e-10 * textbook));
    }
}

Test(wall_branches, a_small_susceptance_changes_little)
{
    for (double g = 1e-4; g < 1e4; g *= 1.9) {
        const double real = absorption_from_admittance(g);
        for (double part = 1e-300; part < 1e-7; part *= 1e17)
            cr_assert(test_near(wall_absorption_diffuse((struct wall_admittance){g, part * g}), real,
                                1e-12 * real));
    }
}

Test(wall_branches, closed_form_and_series_meet_at_16)
{
    for (int degrees = -89; degrees <= 89; ++degrees) {
        const double c = cos(degrees * PI / 180), s = sin(degrees * PI / 180);
        const double below =
            wall_absorption_diffuse((struct wall_admittance){15.999999999 * c, 15.999999999 * s});
        const double above =
            wall_absorption_diffuse((struct wall_admittance){16.000000001 * c, 16.000000001 * s});
        cr_assert(test_near(below, above, 2e-10 * above), "%d degrees: %.15g %.15g", degrees, below, above);
    }
}

Test(wall_branches, slopes_are_those_of_the_absorption)
{
    uint64_t state = 2;
    for (int n = 0; n < 3000; ++n) {
        const double size = spread(&state, 1e-4, 50), angle = test_uniform(&state, -1.5, 1.5);
        const double g = size * cos(angle), b = size * sin(angle), step = 1e-4 * g;
        struct wall_admittance slope;
        const double value = wall_absorption_slope((struct wall_admittance){g, b}, &slope);
        const double by_g = (wall_absorption_diffuse((struct wall_admittance){g + step, b}) -
                             wall_absorption_diffuse((struct wall_admittance){g - step, b})) /
                            (2 * step);
        const double by_b = (wall_absorption_diffuse((struct wall_admittance){g, b + step}) -
                             wall_absorption_diffuse((struct wall_admittance){g, b - step})) /
                            (2 * step);
        const double scale = value / g;
        cr_assert(test_near(value, wall_absorption_diffuse((struct wall_admittance){g, b}), 1e-10 * value));
        cr_assert(test_near(slope.g, by_g, 1e-6 * scale), "Y = %g + %g j: %g, differences %g", g, b, slope.g,
                  by_g);
        cr_assert(test_near(slope.b, by_b, 1e-6 * scale), "Y = %g + %g j: %g, differences %g", g, b, slope.b,
                  by_b);
    }
}

/* At any frequency, from any angle: no wall reflects more than it gets. */
Test(wall_branches, no_wall_gives_out_energy)
{
    uint64_t state = 4;
    for (int n = 0; n < 3000; ++n) {
        struct wall_branch branch[6];
        for (int m = 0; m < 6; ++m)
            branch[m] = random_branch(&state);
        cr_assert(wall_branches_check(branch, 6, "random", NULL) == 0);
        for (int k = 0; k < 20; ++k) {
            const struct wall_admittance y = wall_admittance_at(branch, 6, spread(&state, 1e-3, 1e7));
            const double m = test_uniform(&state, 0, 1), diffuse = wall_absorption_diffuse(y);
            cr_assert(test_at_least(y.g, 0));
            cr_assert(test_at_most(hypot(m - y.g, y.b), hypot(m + y.g, y.b) * (1 + 1e-15)));
            cr_assert(test_at_least(diffuse, 0) && test_at_most(diffuse, ABSORPTION_MAX),
                      "%g + %g j absorbs %g", y.g, y.b, diffuse);
        }
    }
}

Test(wall_branches, branches_that_are_not_passive_are_refused_by_name)
{
    const struct wall_branch wrong[] = {{-1e-9, 1, 1},    {1, -1, 1}, {1, 1, -1},    {NAN, 1, 1},
                                        {1, INFINITY, 1}, {1, 0, 1},  {1, 1e-13, 1}, {1e300, 1, 1}};
    const char *const word[] = {"D is -1e-09", "E is -1", "F is -1",    "D is nan",
                                "E is inf",    "E is 0",  "E is 1e-13", "D is 1e+300"};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; ++n) {
        const struct wall_branch pair[2] = {{.E = 1}, wrong[n]};
        cr_assert(eq(int, wall_branches_check(pair, 2, "pews", &failure), FAILURE_INPUT));
        cr_assert(strstr(failure.sentence, "\"pews\", branch 2") != NULL &&
                      strstr(failure.sentence, word[n]) != NULL,
                  "%s", failure.sentence);
    }
    cr_assert(eq(int, wall_branches_check(NULL, 0, "rigid", NULL), 0));
}

Test(wall_branches, extremes_stay_finite)
{
    const struct wall_branch stiff = {1e-300, 1e-150, 1e300}, hard = {1e200, 1e200, 0};
    const struct wall_admittance a = wall_admittance_at(&stiff, 1, 1e-5),
                                 b = wall_admittance_at(&hard, 1, 1e5);
    cr_assert(test_at_least(wall_absorption_diffuse(a), 0) && test_at_least(wall_absorption_diffuse(b), 0));
    cr_assert(wall_absorption_diffuse((struct wall_admittance){INFINITY, 0}) == 0);
    cr_assert(wall_absorption_diffuse((struct wall_admittance){0, 1}) == 0);
    cr_assert(absorption_from_admittance(0) == 0 && absorption_from_admittance(-1) == 0);
    cr_assert(test_near(wall_absorption_diffuse((struct wall_admittance){1e200, 1e200}), 8.0 / 3 * 0.5e-200,
                        1e-214));
}

/* ---- real admittances, and their inverse ---- */

Test(wall_branches, formula_and_series_of_a_real_wall_meet_at_16)
{
    const double below = absorption_from_admittance(nextafter(16, 0)), above = absorption_from_admittance(16);
    cr_assert(test_near(below, above, 1e-13), "%.17g %.17g", below, above);
}

Test(wall_branches, the_most_a_real_wall_absorbs_is_0_9512_at_0_638)
{
    const double top = absorption_from_admittance(ABSORPTION_MAX_AT);
    cr_assert(test_near(top, 0.9512, 5e-5) && test_near(ABSORPTION_MAX_AT, 0.638, 5e-4));
    cr_assert(test_near(top, ABSORPTION_MAX, 1e-15), "%.17g", top);
    for (double step = 1e-4; step < 0.5; step *= 2) {
        cr_assert(absorption_from_admittance(ABSORPTION_MAX_AT - step) < top);
        cr_assert(absorption_from_admittance(ABSORPTION_MAX_AT + step) < top);
    }
}

Test(wall_branches, the_inverse_is_exact_to_1e_12)
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
