/* What a wall of real admittance sends back, held against the exact discrete reflection coefficient (duct.h).
 */
#include "tests/support/duct.h"

static void check(bool oblique, unsigned direction, uint16_t material, double admittance,
                  const struct engine_options *options, double *worst)
{
    const struct duct duct = make_duct(oblique);
    const struct duct_wall wall = {.material = material, .admittance = admittance};
    double complex found[ANGLES];
    measure(&duct, direction, &wall, options, found);
    for (int a = 0; a < ANGLES; ++a) {
        const double k = normal_wavenumber(&duct, a);
        const double complex exact = theory(&duct, k, material == VOXELS_OPEN_FACE ? 1.0 : admittance);
        *worst = fmax(*worst, cabs(found[a] - exact));
        cr_assert(cabs(found[a] - exact) <= TOLERANCE,
                  "admittance %g, direction %u, %s %g: R = %.12f %+.12fj, theory %.12f %+.12fj", admittance,
                  direction, oblique ? "degrees" : "points a wavelength", oblique ? degrees[a] : points[a],
                  creal(found[a]), cimag(found[a]), creal(exact), cimag(exact));
    }
}

Test(reflection, a_wall_reflects_as_the_discrete_theory_says_at_four_angles)
{
    static const double admittance[] = {0.05, 0.5, 1.0, 2.5};
    double worst = 0.0;
    for (unsigned a = 0; a < sizeof admittance / sizeof *admittance; ++a)
        for (unsigned direction = 0; direction < DIRECTIONS; direction += FACES_APART)
            for (int oblique = 0; oblique < 2; ++oblique) {
                const struct engine_options options = {(a + direction) & 1 ? LAYOUT_BOX : LAYOUT_BLOCKS,
                                                       PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
                check(oblique, direction, WALL, admittance[a], &options, &worst);
            }
    (void)fprintf(stderr, "discrete reflection coefficient: off by %.1e at most\n", worst);
}

Test(reflection, an_open_face_reflects_as_a_wall_of_admittance_one)
{
    double worst = 0.0;
    for (unsigned direction = 0; direction < DIRECTIONS; direction += FACES_APART)
        for (int oblique = 0; oblique < 2; ++oblique) {
            const struct engine_options options = {direction & 1 ? LAYOUT_BLOCKS : LAYOUT_BOX,
                                                   PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
            check(oblique, direction, VOXELS_OPEN_FACE, 0.0, &options, &worst);
        }
    (void)fprintf(stderr, "open faces: off by %.1e at most\n", worst);
}

Test(reflection, the_reference_reflects_as_the_theory_says)
{
    double worst = 0.0;
    for (int layout = 0; layout < 2; ++layout) { /* the thin duct only, the reference is slow */
        const struct engine_options options = {(enum layout)layout, PRECISION_DOUBLE, BACKEND_REFERENCE,
                                               SIMD_AUTO, 1};
        check(false, DIRECTION_YM, WALL, 0.3, &options, &worst);
    }
}

/* The node stands half a spacing before the wall, which costs the scheme its second order there: expanded in
 * k, the theory gives R = (1 - g) / (1 + g) - j k g^2 / (1 + g)^2 for a plane wave. A wall that should take
 * all of it (g = 1) sends back k/4; hard walls send the pressure back with its sign, soft ones turn it. */
Test(reflection, a_matched_wall_sends_back_a_quarter_of_k_and_the_sign_follows_the_admittance)
{
    static const double admittance[] = {0.05, 1.0, 2.5};
    const struct duct duct = make_duct(false);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    for (int w = 0; w < 3; ++w) {
        const double g = admittance[w];
        const struct duct_wall wall = {.material = WALL, .admittance = g};
        double complex found[ANGLES];
        measure(&duct, DIRECTION_XP, &wall, &options, found);
        for (int a = 0; a < ANGLES; ++a) {
            const double k = normal_wavenumber(&duct, a);
            const double complex expected = (1.0 - g) / (1.0 + g) - I * k * g * g / ((1.0 + g) * (1.0 + g));
            cr_assert(cabs(found[a] - expected) < 0.5 * k * k, "g = %g, k = %g: R = %.5f %+.5fj", g, k,
                      creal(found[a]), cimag(found[a]));
            cr_assert(g != 1.0 || test_near(cabs(found[a]), 0.25 * k, 0.03 * k), "|R| = %g k",
                      cabs(found[a]) / k);
            cr_assert(g == 1.0 || (creal(found[a]) > 0.0) == (g < 1.0));
        }
    }
}
