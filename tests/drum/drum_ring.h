/** The modes of a membrane in air: bent in the shapes of vacuum, let go, and each read with its own shape. */
#ifndef TESTS_DRUM_RING_H
#define TESTS_DRUM_RING_H

#include <complex.h>

#include "src/run/instruments/drum_tuning.h"
#include "tests/drum/drum_room.h"

static const struct {
    int m, n;
} drum_mode[] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}};
#define DRUM_MODES (sizeof drum_mode / sizeof *drum_mode)

/* Where |sum of a[n] exp(-j omega n k)|, under a Hann window, has its peak nearest to `about`. */
static inline double drum_peak(const double *a, size_t count, double k, double about)
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

static const struct drum_air drum_air_usual = {DRUM_AIR_DENSITY, DRUM_SOUND_SPEED};

enum drum_surroundings { BARE, KETTLE, BAFFLE };

/** Frequencies of the modes [Hz]. */
static inline void drum_ring(enum drum_surroundings in, enum scheme scheme, double tension, double spacing,
                             double found[DRUM_MODES])
{
    enum { STEPS = 4000 };
    static double a[DRUM_MODES][STEPS];
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
    drum_room_make(&room, size, spacing, scheme, false, &site, 1);
    drum_room_start(&room, 1, &options, &site, 1, NULL, 0);
    struct membrane *const membrane = (struct membrane *)(uintptr_t)drums_membrane(room.drums, 0);
    double *const shape = calloc(DRUM_MODES * membrane->nodes, sizeof *shape);
    const size_t steps = (size_t)fmin(STEPS, 0.2 / room.step.period);
    double zero[DRUM_MODES];
    cr_assert(shape != NULL);
    for (size_t mode = 0; mode < DRUM_MODES; ++mode)
        zero[mode] = bessel_zero(drum_mode[mode].m, drum_mode[mode].n);
    for (size_t n = 0; n < membrane->nodes; ++n) {
        const size_t at = membrane->node[n];
        const double x = ((double)(at % membrane->side) - (double)membrane->middle) * membrane->pitch,
                     y = ((double)(at / membrane->side) - (double)membrane->middle) * membrane->pitch;
        for (size_t mode = 0; mode < DRUM_MODES; ++mode) {
            double *const value = &shape[mode * membrane->nodes + n];
            *value = bessel_j(drum_mode[mode].m, zero[mode] * hypot(x, y) / 0.328) *
                     cos(drum_mode[mode].m * atan2(y, x));
            membrane->w[at] += *value;
        }
        membrane->w_old[at] = membrane->w[at];
    }
    for (size_t step = 0; step < steps; ++step) {
        for (size_t mode = 0; mode < DRUM_MODES; ++mode) {
            a[mode][step] = 0;
            for (size_t n = 0; n < membrane->nodes; ++n)
                a[mode][step] += shape[mode * membrane->nodes + n] * membrane->w[membrane->node[n]];
        }
        engine_run(room.engine, 1, NULL, NULL);
    }
    for (size_t mode = 0; mode < DRUM_MODES; ++mode)
        found[mode] = drum_peak(a[mode], steps, room.step.period,
                                drum_frequency(&site.kind, in == KETTLE ? 0.14 : 0, drum_mode[mode].m,
                                               drum_mode[mode].n, &drum_air_usual));
    free(shape);
    drum_room_free(&room);
}

#endif
