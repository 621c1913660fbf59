/* How air shifts the modes of a membrane: in a baffle against theory (drum_tuning.h), with a kettle and
 * without one against what was measured of a timpano of 65 cm (T. D. Rossing, "Acoustics of timpani",
 * Percussive Notes Research Edition 19(3), 1982; R. S. Christian et al., JASA 76, 1984, have the theory). */
#include "tests/drum/drum_room.h"

#include <complex.h>

#include "src/instruments/drum_tuning.h"

static const struct {
    int m, n;
} modes[] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}};
#define MODES (sizeof modes / sizeof *modes)

/* Where |sum of a[n] exp(-j omega n k)|, under a Hann window, has its peak nearest to `about`. */
static double peak_of(const double *a, size_t count, double k, double about)
{
    double best = 0, at = 0;
    for (double f = 0.6 * about; f < 1.5 * about; f += 0.005 * about) {
        double complex sum = 0;
        for (size_t n = 0; n < count; ++n)
            sum += a[n] * (1 - cos(2 * DRUM_PI * (double)n / (double)count)) *
                   cexp(-2 * DRUM_PI * I * f * (double)n * k);
        if (cabs(sum) > best) {
            best = cabs(sum);
            at = f;
        }
    }
    return at;
}

static const struct drum_air air = {DRUM_AIR_DENSITY, DRUM_SOUND_SPEED};

enum surroundings { BARE, KETTLE, BAFFLE };

/* Frequencies of the modes: all are bent together and let go, and each is read with its own shape. */
static void ring(enum surroundings in, double tension, double spacing, double found[MODES])
{
    enum { STEPS = 4000 };
    static double a[MODES][STEPS];
    const double side = in == BAFFLE ? 2.4 : 1.92, size[3] = {side, side, side}, height = side / 2;
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct drum_site site = {.name = "timpano",
                             .kind = drum_head(tension),
                             .centre = {side / 2, side / 2, height},
                             .depth = in == KETTLE ? drum_kettle_depth(0.328, 0.14) : 0};
    struct drum_room room = {0};
    if (in == BAFFLE)
        solid_panel(&room.mesh, NULL, 2, height, (const double[2]){0, 0}, (const double[2]){side, side},
                    solid_material(&room.mesh, "baffle"));
    drum_room_make(&room, size, spacing, 0.9, false, 1, &options, &site, 1, NULL, 0);
    struct membrane *const membrane = (struct membrane *)(uintptr_t)drums_membrane(room.drums, 0);
    double *const shape = calloc(MODES * membrane->nodes, sizeof *shape);
    const size_t steps = (size_t)fmin(STEPS, 0.2 / room.step.period);
    double zero[MODES];
    cr_assert(shape != NULL);
    for (size_t mode = 0; mode < MODES; ++mode)
        zero[mode] = bessel_zero(modes[mode].m, modes[mode].n);
    for (size_t n = 0; n < membrane->nodes; ++n) {
        const size_t at = membrane->node[n];
        const double x = ((double)(at % membrane->side) - (double)membrane->middle) * membrane->pitch,
                     y = ((double)(at / membrane->side) - (double)membrane->middle) * membrane->pitch;
        for (size_t mode = 0; mode < MODES; ++mode) {
            double *const value = &shape[mode * membrane->nodes + n];
            *value =
                bessel_j(modes[mode].m, zero[mode] * hypot(x, y) / 0.328) * cos(modes[mode].m * atan2(y, x));
            membrane->w[at] += *value;
        }
        membrane->w_old[at] = membrane->w[at];
    }
    for (size_t step = 0; step < steps; ++step) {
        for (size_t mode = 0; mode < MODES; ++mode) {
            a[mode][step] = 0;
            for (size_t n = 0; n < membrane->nodes; ++n)
                a[mode][step] += shape[mode * membrane->nodes + n] * membrane->w[membrane->node[n]];
        }
        engine_run(room.engine, 1, NULL, NULL);
    }
    for (size_t mode = 0; mode < MODES; ++mode)
        found[mode] =
            peak_of(a[mode], steps, room.step.period,
                    drum_frequency(&site.kind, in == KETTLE ? 0.14 : 0, modes[mode].m, modes[mode].n, &air));
    free(shape);
    drum_room_free(&room);
}

/* Of the drum that was measured the tension is not known: here the one for which (1,1) of the bare head
 * sounds at the measured 155 Hz. */
#define TENSION 3520

/* Theory keeps the shapes of vacuum, and takes kettles as cylinders; (0,1) in a baffle radiates away in three
 * periods. */
static void must_be_theory(enum surroundings in, const double found[MODES])
{
    const struct membrane_kind kind = drum_head(TENSION);
    for (size_t m = 0; m < MODES; ++m) {
        const double theory = drum_frequency(&kind, in == KETTLE ? 0.14 : 0, modes[m].m, modes[m].n, &air);
        cr_assert(fabs(found[m] / theory - 1) < (modes[m].m == 0 ? 0.03 : 0.015),
                  "(%d,%d): %.1f Hz, theory %.1f", modes[m].m, modes[m].n, found[m], theory);
    }
}

/* Relative to (1,1). */
static void must_be_measured(const double found[MODES], const double measured[MODES], double off)
{
    for (size_t m = 0; m < MODES; ++m)
        cr_assert(fabs(found[m] / found[1] / measured[m] - 1) < off, "(%d,%d): %.3f of (1,1), measured %.2f",
                  modes[m].m, modes[m].n, found[m] / found[1], measured[m]);
}

Test(drum_loading, in_a_baffle_modes_are_where_theory_has_them)
{
    double found[MODES];
    ring(BAFFLE, TENSION, 0.05, found);
    must_be_theory(BAFFLE, found);
}

Test(drum_loading, with_a_kettle_they_are_where_theory_and_a_measured_timpano_have_them)
{
    double found[MODES];
    ring(KETTLE, TENSION, 0.04, found);
    must_be_theory(KETTLE, found);
    must_be_measured(found, (const double[MODES]){0.85, 1, 1.51, 1.99, 2.44}, 0.02);
}

Test(drum_loading, a_bare_head_has_the_ratios_of_a_measured_one)
{
    double found[MODES];
    ring(BARE, TENSION, 0.04, found);
    must_be_measured(found, (const double[MODES]){0.53, 1, 1.48, 1.92, 2.36}, 0.04);
    cr_assert(fabs(found[1] / 155 - 1) < 0.01, "(1,1) at %.1f Hz", found[1]);
}
