/** A duct between two walls, and what one of them sends back, held against the exact discrete reflection
 * coefficient: on a flat wall with admittance Y, for a wave that meets it with the wavenumber k along the
 * normal (times the spacing),
 *
 *   R = (S - W e^{jk/2}) / (S + W e^{-jk/2}),   S = 2 lambda sin(k/2),   W = Y sin(omega T),
 *
 * at the wall's own plane, half a spacing from the last node (Bilbao, Hamilton, Botts, Savioja, IEEE/ACM
 * TASLP 24, 2016, for the scheme). Branches are passed through the bilinear transform, so theirs is Y at
 * (2/T) tan(omega T/2).
 *
 * A duct of finite length with rigid sides carries one transverse mode, which no wall across the duct can
 * turn into another: two plane waves that meet its ends at one angle per frequency. Both ends absorb, so a
 * bump at rest dies out altogether, and the Fourier sum of every node over all time is exact for any real
 * frequency. Nodes that were silent at the start then hold A e^{-jkx} + B e^{jkx} to the last digits: both
 * are fitted, and R = B / A has no error but rounding. */
#ifndef TESTS_DUCT_H
#define TESTS_DUCT_H

#include <complex.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/back_ends.h"
#include "tests/support/outcome.h"
#include "tests/support/test_support.h"
#include "tests/support/walled_box.h"

#define PI        3.14159265358979323846
#define LENGTH    30 /* of the duct, nodes */
#define SILENT    18 /* from here to the wall nothing moves at the start */
#define STEPS     10000
#define DIED      1e-11 /* of the largest pressure, at the end */
#define TOLERANCE 1e-9
#define ANGLES    3 /* in the oblique duct; the plane one adds 0 degrees */

#if defined(__SANITIZE_ADDRESS__)
#define FACES_APART 5 /* two of the six faces: it is slow */
#else
#define FACES_APART 1
#endif

static const int64_t across[2] = {16, 20};                /* nodes of the oblique duct's section */
static const double degrees[ANGLES] = {25.0, 45.0, 70.0}; /* between wave and normal */
static const double points[ANGLES] = {10.0, 20.0, 40.0};  /* per wavelength in the plane duct */
static const double end_admittance = 0.4;                 /* of the other end: takes most of what it gets */
enum { END, WALL, MATERIALS };

struct duct {
    struct time_step step;
    bool oblique;       /* mode (1,1) of a wide duct, or the plane wave of a thin one */
    double transverse2; /* sum of squared transverse wavenumbers */
    double stiffness;   /* sum of squared sines of their halves */
};

/* The wall under test. */
struct duct_wall {
    uint16_t material; /* WALL or VOXELS_OPEN_FACE */
    double admittance; /* a real one, or */
    const struct wall_material *branches;
    bool inertance; /* with branches */
};

static inline struct duct make_duct(bool oblique)
{
    struct duct duct = {.oblique = oblique};
    cr_assert(time_step_choose(1.0, 343.2, 0.0, &duct.step, &failure) == 0, "%s", failure.sentence);
    for (int t = 0; t < 2 && oblique; ++t) {
        const double k = PI / (double)across[t];
        duct.transverse2 += k * k;
        duct.stiffness += sin(k / 2.0) * sin(k / 2.0);
    }
    return duct;
}

/* Wavenumber along the normal at the a-th angle (or resolution), and the frequency omega T that goes with it.
 */
static inline double normal_wavenumber(const struct duct *duct, int a)
{
    return duct->oblique ? sqrt(duct->transverse2) / tan(degrees[a] * PI / 180.0) : 2.0 * PI / points[a];
}
static inline double frequency(const struct duct *duct, double k)
{
    return 2.0 * asin(duct->step.courant * sqrt(sin(k / 2.0) * sin(k / 2.0) + duct->stiffness));
}

/* `admittance` as the wall has it at this frequency. */
static inline double complex theory(const struct duct *duct, double k, double complex admittance)
{
    const double s = 2.0 * duct->step.courant * sin(k / 2.0);
    const double complex w = admittance * sin(frequency(duct, k));
    return (s - w * cexp(I * k / 2.0)) / (s + w * cexp(-I * k / 2.0));
}

/* Where the field starts: binomial coefficients, which hold next to nothing of the shortest waves (those
 * hardly move and never die), at rest and 0 at the wall (a moving start, or one that touches an absorbing
 * wall, leaves a pressure that stays). */
static inline double start_at(int64_t i)
{
    double value = i >= 1 && i < SILENT ? ldexp(1.0, -(SILENT - 2)) : 0.0;
    for (int64_t n = 1; n < i && i < SILENT; ++n)
        value *= (double)(SILENT - 1 - n) / (double)n;
    return value;
}

/* Pressure over time along the duct, (LENGTH, STEPS), counted towards the wall under test, which stands in
 * `direction`. */
static inline void run_duct(const struct duct *duct, unsigned direction, const struct duct_wall *wall,
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
    nodes[order[0]] = LENGTH;
    for (int t = 0; t < 2; ++t)
        nodes[order[1 + t]] = duct->oblique ? across[t] : 2;
    struct walled_box *room = walled_box_make(nodes, face);
    struct engine *engine = wall->branches == NULL
                                ? walled_box_engine(room, &duct->step, table, MATERIALS, options)
                                : walled_box_walls(room, &duct->step, &walls, options);
    for (int64_t i = 0; i < LENGTH; ++i) {
        const double bump = start_at(i);
        int64_t node[3];
        node[axis] = direction & 1u ? i : LENGTH - 1 - i;
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
        const struct tap tap = walled_box_tap(node);
        cr_assert(engine_add_receiver(engine, &tap, NULL, &failure) == 0, "%s", failure.sentence);
    }
    if (options->backend == BACKEND_CPU && wall->branches != NULL)
        back_ends_run_walls(engine, &walls, STEPS, NULL, output);
    else if (options->backend == BACKEND_CPU)
        back_ends_run(engine, table, MATERIALS, STEPS, NULL, output);
    else
        engine_run(engine, STEPS, NULL, output);
    engine_free(engine);
    walled_box_free(room);
}

static inline double complex fourier_sum(const double *sample, double omega)
{
    const double complex turn = cexp(-I * omega);
    double complex sum = 0.0;
    for (int n = STEPS - 1; n >= 0; --n) /* Horner */
        sum = sum * turn + sample[n];
    return sum;
}

/* R at the wall's plane from the two waves that fit the silent nodes best; `residue` gets how badly they fit,
 * of the largest. */
static inline double complex fit_reflection(const double *output, double omega, double k, double *residue)
{
    double complex pressure[LENGTH], right[2] = {0.0, 0.0}, mixed = 0.0;
    double largest = 0.0;
    for (int i = SILENT; i < LENGTH; ++i) {
        const double x = i - (LENGTH - 0.5); /* of the node, from the wall */
        pressure[i] = fourier_sum(output + (size_t)i * STEPS, omega);
        right[0] += cexp(I * k * x) * pressure[i];
        right[1] += cexp(-I * k * x) * pressure[i];
        mixed += cexp(2.0 * I * k * x);
        largest = fmax(largest, cabs(pressure[i]));
    }
    /* Normal equations: [count, mixed; conj(mixed), count] (A, B) = right. */
    const double count = LENGTH - SILENT, determinant = count * count - creal(mixed * conj(mixed));
    const double complex towards = (count * right[0] - mixed * right[1]) / determinant;
    const double complex back = (count * right[1] - conj(mixed) * right[0]) / determinant;
    *residue = 0.0;
    for (int i = SILENT; i < LENGTH; ++i) {
        const double x = i - (LENGTH - 0.5);
        const double complex waves = towards * cexp(-I * k * x) + back * cexp(I * k * x);
        *residue = fmax(*residue, cabs(pressure[i] - waves) / largest);
    }
    return back / towards;
}

/* R of a wall at every angle or resolution of a duct. */
static inline void measure(const struct duct *duct, unsigned direction, const struct duct_wall *wall,
                           const struct engine_options *options, double complex reflection[ANGLES])
{
    static double output[LENGTH * STEPS];
    double largest = 0.0, last = 0.0;
    run_duct(duct, direction, wall, options, output);
    for (int i = 0; i < LENGTH; ++i)
        for (int n = 0; n < STEPS; ++n) {
            const double level = fabs(output[i * STEPS + n]);
            cr_assert(isfinite(level));
            largest = fmax(largest, level);
            if (n >= STEPS - 100)
                last = fmax(last, level);
        }
    cr_assert(largest > 0.1 && last < DIED * largest, "%g of %g is left after %d steps", last, largest,
              STEPS);
    for (int a = 0; a < ANGLES; ++a) {
        const double k = normal_wavenumber(duct, a);
        double residue;
        reflection[a] = fit_reflection(output, frequency(duct, k), k, &residue);
        cr_assert(residue < TOLERANCE, "two waves of wavenumber %g do not make the field: %g is left", k,
                  residue);
    }
}

#endif
