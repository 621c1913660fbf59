/* The symbol of the isotropic scheme and what follows from it. */
#include "kernels/scheme/dispersion.h"
#include "tests/support/outcome.h"

#define PI 3.14159265358979323846

static struct time_step isotropic(double courant)
{
    struct time_step step;
    MUST(time_step_choose(SCHEME_ISOTROPIC, 0.05, 340.0, courant, &step, &failure));
    return step;
}

/* Of a plane wave in a direction, from the operator as it is written down: links and plaquettes. */
static double symbol_towards(double kappa, const double towards[3])
{
    const double length = sqrt(towards[0] * towards[0] + towards[1] * towards[1] + towards[2] * towards[2]);
    double square[3];
    for (int d = 0; d < 3; d++)
        square[d] = 4.0 * pow(sin(0.5 * kappa * towards[d] / length), 2);
    return square[0] + square[1] + square[2] -
           (square[0] * square[1] + square[0] * square[2] + square[1] * square[2]) / 6.0;
}

Test(dispersion, the_symbol_is_midway_between_an_axis_and_a_diagonal_of_a_face)
{
    for (double kappa = 0.01; kappa < PI; kappa += 0.01) {
        const double least = symbol_towards(kappa, (const double[3]){1, 0, 0});
        const double most = symbol_towards(kappa, (const double[3]){1, 1, 0});
        cr_assert(epsilon_eq(dbl, dispersion_symbol(kappa), 0.5 * (least + most), 1e-14 * kappa * kappa));
    }
}

/* Up to 4 points per wavelength; their half distance is .09 % of the frequency at 5, .22 % at 4. */
Test(dispersion, no_direction_lies_outside_an_axis_and_a_diagonal_of_a_face)
{
    srand(19);
    for (int n = 0; n < 20000; n++) {
        const double kappa = 0.5 * PI * rand() / RAND_MAX;
        const double towards[3] = {rand() - 0.5 * RAND_MAX, rand() - 0.5 * RAND_MAX, rand() - 0.5 * RAND_MAX};
        const double here = symbol_towards(kappa, towards);
        cr_assert(here >= symbol_towards(kappa, (const double[3]){1, 0, 0}) - 1e-14);
        cr_assert(here <= symbol_towards(kappa, (const double[3]){1, 1, 0}) + 1e-14);
    }
    static const double points[2] = {5.0, 4.0}, share[2] = {0.0009, 0.0022};
    for (int n = 0; n < 2; n++) {
        const double kappa = 2.0 * PI / points[n];
        const double most = symbol_towards(kappa, (const double[3]){1, 1, 0});
        /* A share of F is half as much of the frequency, by small angles. */
        cr_assert(epsilon_eq(dbl, 0.5 * (most / dispersion_symbol(kappa) - 1.0), share[n], 0.0001));
    }
}

Test(dispersion, the_symbol_follows_its_series)
{
    for (double kappa = 0.05; kappa < 1.3; kappa += 0.05) {
        const double x = kappa * kappa;
        const double series = x - x * x / 12 + x * x * x / 288 - 9.300595e-5 * pow(x, 4) +
                              1.756779e-6 * pow(x, 5) - 2.44e-8 * pow(x, 6);
        cr_assert(
            epsilon_eq(dbl, dispersion_symbol(kappa), series, 3e-10 * pow(x, 4) * (1.0 + x * x * x) + 1e-15),
            "%g: %.12g and %.12g", kappa, dispersion_symbol(kappa), series);
    }
}

Test(dispersion, slopes_are_those_of_differences)
{
    const struct time_step step = isotropic(0);
    for (double kappa = 0.05; kappa < 2.7; kappa += 0.05) {
        const double near = 1e-5;
        const double rise = dispersion_symbol(kappa + near) - dispersion_symbol(kappa - near);
        cr_assert(epsilon_eq(dbl, dispersion_symbol_slope(kappa), rise / (4.0 * near * kappa), 1e-9));
        const double turned = dispersion_theta(&step, kappa + near) - dispersion_theta(&step, kappa - near);
        cr_assert(
            epsilon_eq(dbl, dispersion_stretch(&step, kappa), turned / (2.0 * near * step.courant), 2e-9));
    }
    cr_assert(epsilon_eq(dbl, dispersion_symbol_slope(0.0), 1.0, 0.0));
    cr_assert(epsilon_eq(dbl, dispersion_symbol_slope(1e-9), 1.0, 1e-15));
    cr_assert(epsilon_eq(dbl, dispersion_stretch(&step, 0.0), 1.0, 0.0));
}

Test(dispersion, the_angle_is_that_of_a_stepped_wave_and_its_inverse_is_exact)
{
    static const double courants[] = {0.0, 0.4, 0.8660254037844386};
    for (size_t c = 0; c < sizeof courants / sizeof *courants; c++) {
        const struct time_step step = isotropic(courants[c]);
        for (double kappa = 1e-6; kappa < dispersion_kappa_limit(&step); kappa *= 1.01) {
            const double theta = dispersion_theta(&step, kappa);
            cr_assert(epsilon_eq(dbl, 4.0 * pow(sin(0.5 * theta), 2), step.lambda2 * dispersion_symbol(kappa),
                                 4e-15 * kappa * kappa));
            cr_assert(epsilon_eq(dbl, dispersion_kappa(&step, theta), kappa, 2e-14 * kappa), "%g", kappa);
        }
        cr_assert(epsilon_eq(dbl, dispersion_kappa(&step, 0.0), 0.0, 0.0));
    }
}

Test(dispersion, the_symbol_rises_to_4_at_the_limit_and_nothing_beyond_passes)
{
    const struct time_step step = isotropic(0);
    const double limit = dispersion_kappa_limit(&step), angle = dispersion_theta_limit(&step);
    cr_assert(epsilon_eq(dbl, dispersion_symbol(limit), 4.0, 1e-14));
    cr_assert(epsilon_eq(dbl, angle, 1.772, 0.001));
    cr_assert(epsilon_eq(dbl, dispersion_theta(&step, limit), angle, 1e-12));
    cr_assert(epsilon_eq(dbl, dispersion_kappa(&step, angle), limit, 1e-12));
    for (double kappa = 0.0; kappa < limit; kappa += 0.01)
        cr_assert(dispersion_symbol(kappa + 0.01) > dispersion_symbol(kappa));
    static const double beyond[] = {-0.1, 2.721, 1e300, NAN};
    for (size_t n = 0; n < sizeof beyond / sizeof *beyond; n++) {
        cr_assert(isnan(dispersion_theta(&step, beyond[n])));
        cr_assert(isnan(dispersion_kappa(&step, beyond[n])));
        cr_assert(isnan(dispersion_stretch(&step, beyond[n])));
    }
}

Test(dispersion, a_run_stretches_less_on_a_finer_grid_and_with_a_longer_step)
{
    static const double points[] = {4, 4.5, 5, 6};
    static const double stretch[2][4] = {{0.8577, 0.8909, 0.9135, 0.9416}, {0.9077, 0.9299, 0.9448, 0.9630}};
    const struct time_step steps[2] = {isotropic(0), isotropic(sqrt(0.749))};
    for (size_t s = 0; s < 2; s++)
        for (size_t n = 0; n < sizeof points / sizeof *points; n++)
            cr_assert(
                epsilon_eq(dbl, dispersion_stretch(&steps[s], 2.0 * PI / points[n]), stretch[s][n], 0.00006));
}

Test(dispersion, frequencies_go_there_and_back_and_those_of_the_standard_scheme_stay)
{
    struct time_step step = isotropic(0), plain;
    MUST(time_step_choose(SCHEME_STANDARD, 0.05, 340.0, 0, &plain, &failure));
    for (double f = 20.0; f < 1700.0; f *= 1.1) {
        const double held = dispersion_numerical(&step, f);
        cr_assert(held < f && held > 0.95 * f);
        cr_assert(epsilon_eq(dbl, dispersion_true(&step, held), f, 1e-12 * f));
        cr_assert(dispersion_numerical(&plain, f) == f && dispersion_true(&plain, f) == f);
    }
    cr_assert(epsilon_eq(dbl, dispersion_stretch(&plain, 1.0), 1.0, 0.0));
    cr_assert(epsilon_eq(dbl, dispersion_kappa(&plain, dispersion_theta(&plain, 1.5)), 1.5, 1e-15));
}
