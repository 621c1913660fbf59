/* What a grid makes of a wall, against sound that is worked out exactly. */
#include <complex.h>

#include "kernels/scheme/dispersion.h"
#include "kernels/scheme/grid_wall.h"
#include "tests/support/outcome.h"

#define PI 3.14159265358979323846

static struct grid_wall wall_of(double lambda2, double distance)
{
    struct grid_wall wall = {.fmax = 1e4, .distance = distance, .reach = distance};
    MUST(time_step_choose(SCHEME_ISOTROPIC, 1.0, 1.0, sqrt(lambda2), &wall.step, &failure));
    return wall;
}

/* The published figures for stairs at 10, 6, 5 and 4 points, lambda2 .749. */
Test(grid_wall, stairs_want_more_of_a_wall_by_2_to_11_per_cent)
{
    static const double points[] = {10, 6, 5, 4}, factor[] = {1.020, 1.054, 1.076, 1.109};
    const struct grid_wall wall = wall_of(0.749, 0.5);
    for (int n = 0; n < 4; n++)
        cr_expect(test_near(grid_wall_at(&wall, 1 / points[n]).factor, factor[n], 1.5e-3), "%g: %.5f",
                  points[n], grid_wall_at(&wall, 1 / points[n]).factor);
}

Test(grid_wall, branches_answer_at_the_bilinear_transform_of_the_numerical_frequency)
{
    const struct grid_wall wall = wall_of(0.6, 0.2);
    for (double f = 1e-3; f < 0.25; f *= 1.3) {
        const double theta = 2 * PI * dispersion_numerical(&wall.step, f) * wall.step.period;
        cr_expect(test_near(2 * PI * grid_wall_at(&wall, f).numerical, 2 / wall.step.period * tan(theta / 2),
                            1e-12));
        cr_expect(test_near(grid_wall_at(&wall, f).reactance, 2 * PI * f * 0.2, 1e-12));
    }
}

/* A duct of one node across with hard sides is a line; its last cell is open by f = d + 1/2 and so is its
 * mass. A plane wave's reflection from a wall of real Y_d at that node is exact algebra. To first order in
 * Y_d the seen admittance is Y_d / c' with c' as here but for the node factor, which is cos^2(kappa d) of
 * this one angle, and for the line's own symbol, which is an axis' own. */
static double complex seen_along_axis(const struct time_step *step, double d, double kappa, double g)
{
    const double symbol = 4 * pow(sin(kappa / 2), 2), lambda = sqrt(step->lambda2);
    const double theta = 2 * asin(0.5 * lambda * sqrt(symbol));
    /* (f F - 1) u_1 + u_2 = j sin(theta) / lambda Y_d u_1, u = towards e^(j k x) + back e^(-j k x) */
    const double f = d + 0.5;
    const double complex towards = cexp(I * kappa * d), on = cexp(I * kappa);
    const double complex at = f * symbol - 1 - I * sin(theta) / lambda * g;
    const double complex back = -(at * towards + towards * on) / (at / towards + 1 / (towards * on));
    return (1 - back) / (1 + back); /* of R = back at the wall */
}

Test(grid_wall, distance_is_air_before_the_wall_and_the_cosine_of_the_field_there)
{
    const struct grid_wall base = wall_of(0.6, 0);
    for (double d = -0.3; d < 0.71; d += 0.1) {
        const double kappa = 0.05, g = 0.4;
        const double complex y = seen_along_axis(&base.step, d, kappa, g);
        /* second order: 1/Y = 1/g - j kappa d, c being 1 + O(kappa^2) */
        cr_expect(test_near(cimag(1 / y), -kappa * d, 2 * kappa * kappa * kappa + 1e-3 * kappa), "%g: %g", d,
                  cimag(1 / y));
        /* first order in g, second in kappa: the symbol's slope 1 - kappa^2 / 6 goes with the angle's own */
        const double wide = 0.3, weak = 1e-6;
        const double symbol = 4 * pow(sin(wide / 2), 2);
        const double theta = 2 * asin(0.5 * sqrt(base.step.lambda2 * symbol));
        const double axis = sqrt(base.step.lambda2) * sin(wide) / sin(theta);
        const double found = weak / creal(seen_along_axis(&base.step, d, wide, weak));
        const double node = pow(cos(wide * d), 2);
        cr_expect(test_near(found, axis / node, 3e-3 * wide * wide + 0.2 * pow(wide, 4)), "%g: %g %g", d,
                  found, axis / node);
    }
}

/* The diffuse mean of cos^2 over angles, weighed by solid angle; of cosh^2 where masses were borrowed. */
Test(grid_wall, the_node_factor_is_the_mean_over_all_angles)
{
    const struct grid_wall none = wall_of(0.6, 0);
    for (double d = -0.3; d < 0.71; d += 0.25) {
        const struct grid_wall wall = wall_of(0.6, d);
        for (double points = 4; points < 20; points *= 1.4) {
            enum { PARTS = 2000 };
            double mean = 0;
            for (int n = 0; n < PARTS; n++) {
                const double phase = 2 * PI / points * d * (n + 0.5) / PARTS;
                mean += pow(d < 0 ? cosh(phase) : cos(phase), 2) / PARTS;
            }
            cr_expect(test_near(
                grid_wall_at(&none, 1 / points).factor / grid_wall_at(&wall, 1 / points).factor, mean, 1e-6));
        }
    }
}

/* At 4.5 points, kappa^2 = 1.9496: of a real wall g^2, of one of mass (.1 + .4 j)^-1 the real part of the
 * square, -5.19, which counts as -.4; along the grid nothing. */
Test(grid_wall, nodes_of_slanting_walls_take_from_one_another_with_the_square_of_the_walls_own_admittance)
{
    const double points = 4.5, share = 1.9496 / 6, omega = 2 * PI / points;
    struct wall_material own = {1, {{.E = 2}}};
    struct grid_wall along = wall_of(0.6, 0), slanting = along;
    slanting.slanting = &own;
    const double plain = grid_wall_at(&along, 1 / points).factor;
    cr_expect(test_near(plain / grid_wall_at(&slanting, 1 / points).factor, 1 - 0.25 * share, 1e-4));
    own.branch[0].E = 0.5;
    cr_expect(test_near(plain / grid_wall_at(&slanting, 1 / points).factor, 1 - 0.4 * share, 1e-4));
    own = (struct wall_material){1, {{.E = 0.1, .D = 0.4 / omega}}};
    cr_expect(test_near(plain / grid_wall_at(&slanting, 1 / points).factor, 1 + 0.4 * share, 1e-4));
    own = (struct wall_material){2, {{.E = 4}, {.E = 4, .F = 3 * omega}}};
    /* .25 + 1 / (4 - 3 j) = .41 + .12 j */
    cr_expect(test_near(plain / grid_wall_at(&slanting, 1 / points).factor,
                        1 - (0.41 * 0.41 - 0.12 * 0.12) * share, 1e-4));
    own.branches = 0;
    cr_expect(grid_wall_at(&slanting, 1 / points).factor == plain);
}

Test(grid_wall, beyond_the_low_pass_the_factor_stays_and_frequencies_keep_their_ratio)
{
    struct grid_wall wall = wall_of(0.6, 0.5);
    wall.fmax = 0.2;
    const struct grid_wall_sight edge = grid_wall_at(&wall, GRID_WALL_EDGE * wall.fmax);
    for (double f = 0.3; f < 100; f *= 3) {
        const struct grid_wall_sight far = grid_wall_at(&wall, f);
        cr_expect(far.factor == edge.factor && far.reactance == edge.reactance);
        cr_expect(test_near(far.numerical / edge.numerical, f / (GRID_WALL_EDGE * wall.fmax), 1e-12 * f));
    }
    wall.fmax = 1e3; /* more than the scheme serves */
    cr_expect(isfinite(grid_wall_at(&wall, 1e3).factor) && isfinite(grid_wall_at(&wall, 1e3).numerical));
}

Test(grid_wall, the_standard_scheme_has_its_walls_as_they_are)
{
    struct grid_wall wall = {.fmax = 1e4, .distance = 0.5, .reach = 0.5};
    MUST(time_step_choose(SCHEME_STANDARD, 0.02, 343.2, 0, &wall.step, &failure));
    const struct grid_wall_sight sight = grid_wall_at(&wall, 1234.5);
    cr_assert(sight.numerical == 1234.5 && sight.factor == 1 && sight.reactance == 0);
}
