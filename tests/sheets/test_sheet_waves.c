/* Reflection and transmission of a sheet in a duct with one transverse mode, compared with the exact discrete
 * theory. A sheet midway between two planes of nodes splits a field into an even part, which does
 * not feel it, and an odd one. The odd part before it is e^{-jkx} + G e^{jkx}, minus its mirror behind it;
 * free, a node would exchange M (u - u continued) with the plane beyond, M = 1 - (A_1 + A_2) / 6 of the
 * isotropic scheme and 1 of the standard one, and with the sheet it exchanges Y (u - u beyond):
 *
 *   G = (M j sin(k/2) - Y e^{jk/2}) / (M j sin(k/2) + Y e^{-jk/2}),   R = (1 + G) / 2,  T = (1 - G) / 2
 *   Y = 1 / (1 + z) - b (A_1 + A_2) / 6,   z = m_s + R_s / s + 1 / (1 / m_p + s / R_p),  s = 2j tan(theta/2)
 *
 * b the weight of plaquettes through the sheet. Both ends of the duct absorb, so Fourier sums over all time
 * are exact, and two waves are fitted on either side (tests/kernels/test_reflection.c). */
#include <complex.h>
#include <math.h>
#include <stdio.h>

#define DUCT_LENGTH 48
#define DUCT_SILENT 20
#define DUCT_STEPS  12000
#include "tests/accuracy/duct_waves.h"
#include "tests/sheets/sheet_room.h"

#define SHEET  33 /* between this plane of nodes and the next */
#define ANGLES 3

static const int64_t across[2] = {16, 20};
static const double degrees[ANGLES] = {25.0, 45.0, 70.0};
static const double points[ANGLES] = {8.0, 14.0, 30.0}; /* per wavelength in the plane duct */

struct duct {
    struct time_step step;
    bool oblique;
    unsigned axis;
    double a[2], transverse2;
};

/* A Courant number whose gains are floats without rounding, and at which no node at a sheet lacks mass. */
static double courant_of(enum scheme scheme)
{
    return scheme == SCHEME_ISOTROPIC ? sqrt(6.0 * 25.0 * 8388.0 * 0x1p-22) * (1.0 + 0x1p-50) : 0.0;
}

static struct duct make_duct(enum scheme scheme, unsigned axis, bool oblique)
{
    struct duct duct = {
        .step = time_step_for(scheme, 1.0, 343.2, courant_of(scheme)), .oblique = oblique, .axis = axis};
    for (int t = 0; t < 2 && oblique; ++t) {
        const double k = PI / (double)across[t];
        duct.transverse2 += k * k;
        duct.a[t] = 4.0 * sin(k / 2.0) * sin(k / 2.0);
    }
    return duct;
}

static double wavenumber(const struct duct *duct, int n)
{
    return duct->oblique ? sqrt(duct->transverse2) / tan(degrees[n] * PI / 180.0) : 2.0 * PI / points[n];
}

static double angle_of(const struct duct *duct, double k)
{
    const double a = 4.0 * sin(k / 2.0) * sin(k / 2.0), *const t = duct->a,
                 cross = duct->step.scheme == SCHEME_ISOTROPIC ? 1.0 / 6.0 : 0.0;
    const double f = a + t[0] + t[1] - cross * (a * t[0] + a * t[1] + t[0] * t[1]);
    return 2.0 * asin(0.5 * duct->step.courant * sqrt(f));
}

static double complex drag_of(const struct sheet_law *law, double theta)
{
    const double complex s = 2.0 * I * tan(theta / 2.0);
    double complex z = law->mass + law->resistance / s;
    if (law->pores_resistance > 0 && law->pores_mass > 0)
        z += 1.0 / (1.0 / law->pores_mass + s / law->pores_resistance);
    return z;
}

static void theory(const struct duct *duct, const struct sheet_law *law, double share, double k,
                   double complex out[2])
{
    const bool iso = duct->step.scheme == SCHEME_ISOTROPIC;
    const double transverse = (duct->a[0] + duct->a[1]) / 6.0, m = iso ? 1.0 - transverse : 1.0;
    const double b = iso ? fmin(0.7, floor(share * CUT_WHOLE) / CUT_WHOLE) : 0.0;
    const double complex y = 1.0 / (1.0 + drag_of(law, angle_of(duct, k))) - b * transverse;
    const double complex own = m * I * sin(k / 2.0);
    const double complex g = (own - y * cexp(I * k / 2.0)) / (own + y * cexp(-I * k / 2.0));
    out[0] = (1.0 + g) / 2.0;
    out[1] = (1.0 - g) / 2.0;
}

static double across_duct(void *context, const int64_t node[3], int axis)
{
    const struct duct *duct = context;
    return (unsigned)axis == duct->axis && node[axis] == SHEET ? 1.0 : 0.0;
}

static void run_duct(struct duct *duct, const struct sheet_law *law, double share, int layout, double *output)
{
    static const double end_admittance = 0.5;
    const unsigned order[3] = {duct->axis, (duct->axis + 1) % 3, (duct->axis + 2) % 3};
    const struct engine_options options = {(enum layout)layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 2};
    int64_t nodes[3];
    uint16_t face[DIRECTIONS];
    memcpy(face, walled_box_rigid, sizeof face);
    face[2 * duct->axis] = face[2 * duct->axis + 1] = 0;
    nodes[order[0]] = DUCT_LENGTH;
    for (int t = 0; t < 2; ++t)
        nodes[order[1 + t]] = duct->oblique ? across[t] : 2;
    struct walled_box *room = walled_box_make(nodes, face);
    sheet_room_hang(room, &duct->step, share, law, across_duct, duct);
    struct engine *engine =
        engine_of(&room->blocks, &room->box, &duct->step, &end_admittance, 1, NULL, &options);
    for (int64_t i = 0; i < DUCT_LENGTH; ++i) {
        int64_t node[3];
        node[order[0]] = i;
        for (int64_t b = 0; b < nodes[order[2]]; ++b)
            for (int64_t a = 0; a < nodes[order[1]]; ++a) {
                double mode = duct_start(i);
                node[order[1]] = a;
                node[order[2]] = b;
                for (int t = 0; t < 2 && duct->oblique; ++t)
                    mode *= cos(PI * ((double)node[order[1 + t]] + 0.5) / (double)across[t]);
                engine_set(engine, 0, node, mode);
                engine_set(engine, 1, node, mode);
            }
        node[order[1]] = node[order[2]] = 0;
        const struct stencil stencil = walled_box_stencil(node);
        MUST(engine_add_receiver(engine, &stencil, &failure));
    }
    engine_run(engine, DUCT_STEPS, NULL, output);
    engine_free(engine);
    walled_box_free(room);
}

/* Returns how far R and T are off at the most. */
static double check(enum scheme scheme, unsigned axis, bool oblique, const struct sheet_law *law,
                    double share, int layout)
{
    static double output[DUCT_LENGTH * DUCT_STEPS];
    struct duct duct = make_duct(scheme, axis, oblique);
    double worst = 0.0;
    run_duct(&duct, law, share, layout, output);
    duct_must_die(output);
    for (int n = 0; n < ANGLES; ++n) {
        const double k = wavenumber(&duct, n), omega = angle_of(&duct, k);
        double complex before[2], behind[2], exact[2];
        duct_fit(output, DUCT_SILENT, SHEET + 1, omega, k, SHEET + 0.5, before);
        duct_fit(output, SHEET + 1, DUCT_LENGTH, omega, k, SHEET + 0.5, behind);
        theory(&duct, law, share, k, exact);
        /* before[1] = R before[0] + T behind[1], behind[0] = T before[0] + R behind[1] */
        const double complex det = before[0] * before[0] - behind[1] * behind[1],
                             r = (before[1] * before[0] - behind[0] * behind[1]) / det,
                             t = (behind[0] * before[0] - before[1] * behind[1]) / det;
        worst = fmax(worst, fmax(cabs(r - exact[0]), cabs(t - exact[1])));
        cr_assert(cabs(r - exact[0]) < 1e-9 && cabs(t - exact[1]) < 1e-9,
                  "scheme %d axis %u %s %g: R %.12f %+.12fj, theory %.12f %+.12fj; T %.12f %+.12fj, "
                  "theory %.12f %+.12fj",
                  scheme, axis, oblique ? "degrees" : "points", oblique ? degrees[n] : points[n], creal(r),
                  cimag(r), creal(exact[0]), cimag(exact[0]), creal(t), cimag(t), creal(exact[1]),
                  cimag(exact[1]));
    }
    return worst;
}

TEST_SCHEMES(sheet_waves, sheets_reflect_and_transmit_as_the_discrete_theory_says_at_six_angles)
{
    static const struct sheet_law law[] = {
        {.resistance = 0.8},                               /* a fixed gauze */
        {.mass = 3.0},                                     /* a limp foil */
        {.resistance = 0.3, .mass = 1.5},                  /* a panel with a loss */
        {.pores_resistance = 1.2, .pores_mass = 4.0},      /* a curtain */
        {.pores_resistance = 0.9, .pores_mass = INFINITY}, /* a curtain held still */
        {.resistance = 0.1, .mass = 0.2, .pores_resistance = 2.0, .pores_mass = 1.0},
    };
    static const double share[] = {0.6, 0.25, 0.4, 0.5, 0.9, 0.0};
    double worst = 0.0;
    for (unsigned n = 0; n < sizeof law / sizeof *law; ++n)
        for (unsigned oblique = 0; oblique < 1 + (n + scheme) % 2; ++oblique)
            worst = fmax(worst, check(scheme, n % 3, oblique, &law[n], share[n], (int)((n + oblique) & 1)));
    (void)fprintf(stderr, "R and T of sheets: off by %.1e at most\n", worst);
}
