/* What a wall of real admittance or of branches sends back, in a duct between two walls: held against the
 * exact discrete reflection coefficient: on a flat wall with admittance Y, for a wave that meets it with the
 * wavenumber k along the normal (times the spacing),
 *
 *   R = (S - W e^{jk/2}) / (S + W e^{-jk/2}),   S = 2 lambda sin(k/2),   W = Y sin(omega T),
 *
 * at the wall's own plane, half a spacing from the last node (Bilbao, Hamilton, Botts, Savioja, IEEE/ACM
 * TASLP 24, 2016, for the scheme). Branches are passed through the bilinear transform, so theirs is Y at
 * (2/T) tan(omega T/2).
 *
 * Isotropic scheme: K = sum of L_d - 1/6 (sum of products L_d L_e), L_d the 7-point operator of one axis. On
 * a transverse mode the other two are numbers, A_t = 4 sin^2(k_t / 2), so along the normal
 *
 *   z - 2 + 1/z + lambda^2 (beta L + A_1 + A_2 - A_1 A_2 / 6),   beta = 1 - (A_1 + A_2) / 6.
 *
 * The last node's equation is that of an inner one without beta times (u beyond the wall - u) and with the
 * wall's lambda Y (u+ - u-) / 2: lambda^2 beta (u_beyond - u) + j lambda W u = 0. So S = 2 lambda beta
 * sin(k/2) and 4 sin^2(omega T/2) = lambda^2 F, F = A + A_1 + A_2 - (A A_1 + A A_2 + A_1 A_2) / 6.
 *
 * How it is measured: tests/accuracy/duct_waves.h. */
#include <complex.h>

#include "tests/support/back_ends.h"
#include "tests/accuracy/duct_waves.h"
#include "tests/support/test_support.h"
#include "tests/support/walled_box.h"

#define TOLERANCE 1e-9
#define ANGLES    3 /* in the oblique duct; the plane one adds 0 degrees */

static const int64_t across[2] = {16, 20};                /* nodes of the oblique duct's section */
static const double degrees[ANGLES] = {25.0, 45.0, 70.0}; /* between wave and normal */
static const double points[ANGLES] = {10.0, 20.0, 40.0};  /* per wavelength in the plane duct */
static const double end_admittance = 0.4;                 /* of the other end: takes most of what it gets */
enum { END, WALL, MATERIALS };

struct duct {
    struct time_step step;
    bool oblique;       /* mode (1,1) of a wide duct, or the plane wave of a thin one */
    double transverse2; /* sum of squared transverse wavenumbers */
    double across[2];   /* A_1, A_2 */
};

/* The wall under test. With inertance its admittance is that of it and of half a cell of air in series. */
struct duct_wall {
    uint16_t material; /* WALL or VOXELS_OPEN_FACE */
    double admittance; /* a real one, or */
    const struct wall_material *branches;
    bool inertance; /* with branches */
};

static struct duct make_duct(enum scheme scheme, bool oblique)
{
    struct duct duct = {.oblique = oblique, .step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme))};
    for (int t = 0; t < 2 && oblique; ++t) {
        const double k = PI / (double)across[t];
        duct.transverse2 += k * k;
        duct.across[t] = 4.0 * sin(k / 2.0) * sin(k / 2.0);
    }
    return duct;
}

/* Wavenumber along the normal at the a-th angle (or resolution), and the frequency omega T that goes with it.
 */
static double normal_wavenumber(const struct duct *duct, int a)
{
    return duct->oblique ? sqrt(duct->transverse2) / tan(degrees[a] * PI / 180.0) : 2.0 * PI / points[a];
}
/* What products of operators weigh. */
static double products(const struct duct *duct)
{
    return duct->step.scheme == SCHEME_ISOTROPIC ? 1.0 / 6.0 : 0.0;
}
static double frequency(const struct duct *duct, double k)
{
    const double a = 4.0 * sin(k / 2.0) * sin(k / 2.0), *const t = duct->across;
    const double f = a + t[0] + t[1] - products(duct) * (a * t[0] + a * t[1] + t[0] * t[1]);
    return 2.0 * asin(0.5 * duct->step.courant * sqrt(f));
}

/* `admittance` as the wall has it at this frequency. */
static double complex theory(const struct duct *duct, double k, double complex admittance)
{
    const double beta = 1.0 - products(duct) * (duct->across[0] + duct->across[1]);
    const double s = 2.0 * duct->step.courant * beta * sin(k / 2.0);
    const double complex w = admittance * sin(frequency(duct, k));
    return (s - w * cexp(I * k / 2.0)) / (s + w * cexp(-I * k / 2.0));
}

/* Pressure over time along the duct, (DUCT_LENGTH, DUCT_STEPS), counted towards the wall under test, which
 * stands in `direction`. */
static void run_duct(const struct duct *duct, unsigned direction, const struct duct_wall *wall,
                     const struct engine_options *options, double *output)
{
    const unsigned axis = direction / 2;
    const double table[MATERIALS] = {end_admittance, wall->admittance};
    struct wall_material material[MATERIALS] = {{1, {{.E = 1.0 / end_admittance}}}};
    const struct wall_materials walls = {MATERIALS, material, wall->inertance, false};
    if (wall->branches != NULL)
        material[WALL] = *wall->branches;
    const unsigned order[3] = {axis, (axis + 1) % 3, (axis + 2) % 3}; /* along the duct, then across */
    int64_t nodes[3];
    uint16_t face[DIRECTIONS];
    memcpy(face, walled_box_rigid, sizeof face);
    face[direction] = wall->material;
    face[direction ^ 1u] = END;
    nodes[order[0]] = DUCT_LENGTH;
    for (int t = 0; t < 2; ++t)
        nodes[order[1 + t]] = duct->oblique ? across[t] : 2;
    struct walled_box *room = walled_box_for(nodes, face, &duct->step);
    struct engine *engine = engine_of(&room->blocks, &room->box, &duct->step, table, MATERIALS,
                                      wall->branches == NULL ? NULL : &walls, options);
    for (int64_t i = 0; i < DUCT_LENGTH; ++i) {
        const double bump = duct_start(i);
        int64_t node[3];
        node[axis] = direction & 1u ? i : DUCT_LENGTH - 1 - i;
        for (int64_t b = 0; b < nodes[order[2]]; ++b)
            for (int64_t a = 0; a < nodes[order[1]]; ++a) {
                double mode = 1.0;
                node[order[1]] = a;
                node[order[2]] = b;
                for (int t = 0; t < 2 && duct->oblique; ++t)
                    mode *= cos(PI * ((double)node[order[1 + t]] + 0.5) / (double)across[t]);
                engine_set(engine, 0, node, mode * bump);
                engine_set(engine, 1, node, mode * bump);
            }
        node[order[1]] = node[order[2]] = 0;
        const struct stencil stencil = walled_box_stencil(node);
        MUST(engine_add_receiver(engine, &stencil, &failure));
    }
    if (options->backend == BACKEND_CPU)
        back_ends_run_walls(engine, table, MATERIALS, wall->branches == NULL ? NULL : &walls, DUCT_STEPS,
                            NULL, output);
    else
        engine_run(engine, DUCT_STEPS, NULL, output);
    engine_free(engine);
    walled_box_free(room);
}

/* R of a wall at every angle or resolution of a duct. */
static void measure(const struct duct *duct, unsigned direction, const struct duct_wall *wall,
                    const struct engine_options *options, double complex reflection[ANGLES])
{
    static double output[DUCT_LENGTH * DUCT_STEPS];
    run_duct(duct, direction, wall, options, output);
    duct_must_die(output);
    for (int a = 0; a < ANGLES; ++a) {
        const double k = normal_wavenumber(duct, a);
        reflection[a] = duct_reflection(output, frequency(duct, k), k, DUCT_LENGTH - 0.5);
    }
}

/* Its admittance for the wave of wavenumber k. */
static double complex admittance_of(const struct duct *duct, double k, const struct duct_wall *wall)
{
    const double complex s = I * 2.0 / duct->step.period * tan(frequency(duct, k) / 2.0);
    double complex sum = wall->material == VOXELS_OPEN_FACE ? 1.0 : wall->admittance;
    for (size_t m = 0; wall->material == WALL && wall->branches != NULL && m < wall->branches->branches;
         ++m) {
        const struct wall_branch *branch = &wall->branches->branch[m];
        sum += 1.0 / (s * branch->D + branch->E + branch->F / s);
    }
    if (wall->inertance)
        sum = 1.0 / (1.0 / sum + s * duct->step.spacing / (2.0 * duct->step.sound_speed));
    return sum;
}

/* Returns how far R is off at the most. */
static double check(enum scheme scheme, bool oblique, unsigned direction, const struct duct_wall *wall,
                    enum backend backend, int layout)
{
    const struct duct duct = make_duct(scheme, oblique);
    const struct engine_options options = {(enum layout)layout, PRECISION_DOUBLE, backend, SIMD_AUTO, 1};
    double complex found[ANGLES];
    double worst = 0.0;
    measure(&duct, direction, wall, &options, found);
    for (int a = 0; a < ANGLES; ++a) {
        const double k = normal_wavenumber(&duct, a);
        const double complex exact = theory(&duct, k, admittance_of(&duct, k, wall));
        worst = fmax(worst, cabs(found[a] - exact));
        cr_assert(cabs(found[a] - exact) <= TOLERANCE,
                  "admittance %g, inertance %d, direction %u, %s %g: R = %.12f %+.12fj, theory %.12f %+.12fj",
                  wall->admittance, wall->inertance, direction, oblique ? "degrees" : "points a wavelength",
                  oblique ? degrees[a] : points[a], creal(found[a]), cimag(found[a]), creal(exact),
                  cimag(exact));
    }
    return worst;
}

/* ---- real admittances ---- */

TEST_SCHEMES(reflection, a_wall_reflects_as_the_discrete_theory_says_at_four_angles)
{
    static const double admittance[] = {0.05, 0.5, 1.0, 2.5};
    double worst = 0.0;
    for (unsigned a = 0; a < sizeof admittance / sizeof *admittance; ++a)
        for (unsigned direction = a / 2 % 2; direction < DIRECTIONS; direction += 2)
            for (int oblique = 0; oblique < 2; ++oblique) {
                const struct duct_wall wall = {.material = WALL, .admittance = admittance[a]};
                worst = fmax(worst,
                             check(scheme, oblique, direction, &wall, BACKEND_CPU, (a + direction / 2) & 1));
            }
    (void)fprintf(stderr, "discrete reflection coefficient: off by %.1e at most\n", worst);
}

Test(reflection, an_open_face_reflects_as_a_wall_of_admittance_one)
{
    const struct duct_wall wall = {.material = VOXELS_OPEN_FACE};
    double worst = 0.0;
    for (unsigned direction = 0; direction < DIRECTIONS; ++direction)
        for (int oblique = 0; oblique < 2; ++oblique)
            worst =
                fmax(worst, check(SCHEME_STANDARD, oblique, direction, &wall, BACKEND_CPU, ~direction & 1));
    (void)fprintf(stderr, "open faces: off by %.1e at most\n", worst);
}

/* ---- branches ---- */

/* Resonances at an eighth of what the grid carries and around it: [s], (-), [1/s] for the ducts' spacing of
 * 1 m at 343.2 m/s. */
#define PERIOD (0.57677 / 343.2)

static struct wall_branch resonance(double turn, double resistance, double width)
{
    return (struct wall_branch){resistance * width / turn * PERIOD, resistance,
                                resistance * width * turn / PERIOD};
}

static void check_material(enum scheme scheme, const struct wall_material *material, unsigned first,
                           const char *name)
{
    double worst = 0.0;
    for (int inertance = 0; inertance < (scheme == SCHEME_STANDARD ? 2 : 1); ++inertance)
        for (int oblique = 0; oblique < 2; ++oblique) {
            const unsigned direction = (first + 2u * (unsigned)oblique + (unsigned)inertance) % DIRECTIONS;
            const struct duct_wall wall = {.material = WALL, .branches = material, .inertance = inertance};
            worst = fmax(worst, check(scheme, oblique, direction, &wall, BACKEND_CPU,
                                      (direction + (unsigned)oblique) & 1));
        }
    (void)fprintf(stderr, "reflection of %s: off by %.1e at most\n", name, worst);
}

TEST_SCHEMES(reflection, walls_of_branches_reflect_as_theory_says_at_four_angles)
{
    const struct wall_material resistances = {2, {{.E = 4.0}, {.E = 2.5}}},
                               resonant = {1, {resonance(0.3, 2.0, 1.5)}},
                               six = {6,
                                      {resonance(0.1, 12.0, 0.8),
                                       resonance(0.2, 6.0, 0.7),
                                       resonance(0.4, 3.0, 1.2),
                                       resonance(0.9, 8.0, 2.0),
                                       {.E = 20.0, .D = 5.0 * PERIOD},
                                       {.E = 9.0, .F = 2.0 / PERIOD}}};
    check_material(scheme, &resistances, 0, "two resistances");
    check_material(scheme, &resonant, 1, "one resonance");
    check_material(scheme, &six, 2, "six branches");
}

Test(reflection, an_open_face_behind_half_a_cell_of_air_reflects_as_theory_says)
{
    const struct wall_material material = {1, {resonance(0.3, 2.0, 1.5)}};
    const struct duct_wall wall = {.material = VOXELS_OPEN_FACE, .branches = &material, .inertance = true};
    for (int layout = 0; layout < 2; ++layout)
        (void)check(SCHEME_STANDARD, false, DIRECTION_ZM, &wall, BACKEND_CPU, layout);
}

/* |R| of a wall that should send nothing back: k/4 from the node's distance of half a cell alone, and with
 * the air of that half cell in series only what second order leaves. */
Test(reflection, a_matched_wall_converges_at_second_order_with_inertance_and_at_first_without)
{
    const struct wall_material matched = {1, {{.E = 1.0}}};
    const struct duct duct = make_duct(SCHEME_STANDARD, false);
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
