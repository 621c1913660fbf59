/* What a wall of branches sends back, with half a cell of air before it and without, held against the exact
 * discrete reflection coefficient (duct.h). With the air the wall's admittance is that of both in series. */
#include "tests/support/duct.h"

/* Resonances at an eighth of what the grid carries and around it: [s], (-), [1/s] for the ducts' spacing of
 * 1 m at 343.2 m/s. */
#define PERIOD (0.57677 / 343.2)

static struct wall_branch resonance(double turn, double resistance, double width)
{
    return (struct wall_branch){resistance * width / turn * PERIOD, resistance,
                                resistance * width * turn / PERIOD};
}

static double complex admittance(const struct duct *duct, double k, const struct duct_wall *wall)
{
    const double period = duct->step.period, turn = frequency(duct, k);
    const double complex s = I * 2.0 / period * tan(turn / 2.0);
    double complex sum = 0.0;
    if (wall->material == VOXELS_OPEN_FACE)
        sum = 1.0;
    for (size_t m = 0; wall->material == WALL && m < wall->branches->branches; ++m) {
        const struct wall_branch *branch = &wall->branches->branch[m];
        sum += 1.0 / (s * branch->D + branch->E + branch->F / s);
    }
    if (wall->inertance)
        sum = 1.0 / (1.0 / sum + s * duct->step.spacing / (2.0 * duct->step.sound_speed));
    return sum;
}

static void check(bool oblique, unsigned direction, const struct duct_wall *wall,
                  const struct engine_options *options, double *worst)
{
    const struct duct duct = make_duct(oblique);
    double complex found[ANGLES];
    measure(&duct, direction, wall, options, found);
    for (int a = 0; a < ANGLES; ++a) {
        const double k = normal_wavenumber(&duct, a);
        const double complex exact = theory(&duct, k, admittance(&duct, k, wall));
        *worst = fmax(*worst, cabs(found[a] - exact));
        cr_assert(cabs(found[a] - exact) <= TOLERANCE,
                  "%zu branches, inertance %d, direction %u, %s %g: R = %.12f %+.12fj, theory %.12f %+.12fj",
                  wall->branches->branches, wall->inertance, direction,
                  oblique ? "degrees" : "points a wavelength", oblique ? degrees[a] : points[a],
                  creal(found[a]), cimag(found[a]), creal(exact), cimag(exact));
    }
}

static void check_material(const struct wall_material *material, unsigned first, const char *name)
{
    double worst = 0.0;
    for (int inertance = 0; inertance < 2; ++inertance)
        for (int oblique = 0; oblique < 2; ++oblique) {
            const unsigned direction = (first + 2u * (unsigned)oblique + (unsigned)inertance) % DIRECTIONS;
            const struct duct_wall wall = {.material = WALL, .branches = material, .inertance = inertance};
            const struct engine_options options = {(direction + (unsigned)oblique) & 1 ? LAYOUT_BOX
                                                                                       : LAYOUT_BLOCKS,
                                                   PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
            check(oblique, direction, &wall, &options, &worst);
        }
    (void)fprintf(stderr, "reflection of %s: off by %.1e at most\n", name, worst);
}

Test(branch_reflection, a_resistive_wall_reflects_as_theory_says_at_four_angles)
{
    const struct wall_material material = {2, {{.E = 4.0}, {.E = 2.5}}};
    check_material(&material, 0, "two resistances");
}

Test(branch_reflection, a_resonant_wall_reflects_as_theory_says_at_four_angles)
{
    const struct wall_material material = {1, {resonance(0.3, 2.0, 1.5)}};
    check_material(&material, 1, "one resonance");
}

Test(branch_reflection, a_wall_of_many_branches_reflects_as_theory_says_at_four_angles)
{
    const struct wall_material material = {6,
                                           {resonance(0.1, 12.0, 0.8),
                                            resonance(0.2, 6.0, 0.7),
                                            resonance(0.4, 3.0, 1.2),
                                            resonance(0.9, 8.0, 2.0),
                                            {.E = 20.0, .D = 5.0 * PERIOD},
                                            {.E = 9.0, .F = 2.0 / PERIOD}}};
    check_material(&material, 2, "six branches");
}

Test(branch_reflection, an_open_face_behind_half_a_cell_of_air_reflects_as_theory_says)
{
    const struct wall_material material = {1, {resonance(0.3, 2.0, 1.5)}};
    const struct duct_wall wall = {.material = VOXELS_OPEN_FACE, .branches = &material, .inertance = true};
    double worst = 0.0;
    for (int layout = 0; layout < 2; ++layout) {
        const struct engine_options options = {(enum layout)layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO,
                                               1};
        check(false, DIRECTION_ZM, &wall, &options, &worst);
    }
}

Test(branch_reflection, the_reference_reflects_as_theory_says)
{
    const struct wall_material material = {3,
                                           {resonance(0.1, 12.0, 0.8), resonance(0.4, 3.0, 1.2), {.E = 5.0}}};
    const struct duct_wall wall = {.material = WALL, .branches = &material, .inertance = true};
    double worst = 0.0;
    for (int layout = 0; layout < 2; ++layout) { /* the thin duct only, the reference is slow */
        const struct engine_options options = {(enum layout)layout, PRECISION_DOUBLE, BACKEND_REFERENCE,
                                               SIMD_AUTO, 1};
        check(false, DIRECTION_YP, &wall, &options, &worst);
    }
}

/* |R| of a wall that should send nothing back: k/4 from the node's distance of half a cell alone, and with
 * the air of that half cell in series only what second order leaves. */
Test(branch_reflection, a_matched_wall_converges_at_second_order_with_inertance_and_at_first_without)
{
    const struct wall_material matched = {1, {{.E = 1.0}}};
    const struct duct duct = make_duct(false);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    double sent[2][ANGLES];
    for (int inertance = 0; inertance < 2; ++inertance) {
        const struct duct_wall wall = {.material = WALL, .branches = &matched, .inertance = inertance};
        double complex found[ANGLES];
        measure(&duct, DIRECTION_XP, &wall, &options, found);
        for (int a = 0; a < ANGLES; ++a)
            sent[inertance][a] = cabs(found[a]);
        for (int a = 0; a + 1 < ANGLES; ++a) {
            const double order =
                log2(sent[inertance][a] / sent[inertance][a + 1]) / log2(points[a + 1] / points[a]);
            (void)fprintf(
                stderr, "inertance %d: |R| %.4f at %g points a wavelength, %.4f at %g: order %.2f\n",
                inertance, sent[inertance][a], points[a], sent[inertance][a + 1], points[a + 1], order);
            cr_assert(test_near(order, inertance ? 2.0 : 1.0, 0.1), "inertance %d: order %g", inertance,
                      order);
        }
    }
    /* 0.159 and 0.034 at 10 points a wavelength, from an independent implementation. */
    cr_assert(test_near(sent[0][0], 0.159, 2e-3) && test_near(sent[1][0], 0.034, 2e-3), "%g %g", sent[0][0],
              sent[1][0]);
}
