/* The calibration claim from end to end: engine, taps, filters and rate conversion together put |X| = 1/r
 * into the samples of a file, in any direction and anywhere in a cell, at 1 m.
 *
 * Free field is a rigid box so large that its walls answer only after the part of the output that is looked
 * at. What arrives later is faded out before the filters. That takes nothing from the band: a free lattice's
 * response has no echo, its spectrum is smooth up to where its waves stop (3.6 fmax along an axis at this
 * spacing), so in the band it is a pulse of a few milliseconds however low the frequency; the long tail of 10
 * Hz that a file has is made afterwards, by the high-pass. One test doubles the part to show it. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/box_grid.h"
#include "kernels/engine/engine.h"
#include "src/signal/fourier.h"
#include "src/signal/response.h"
#include "tests/support/back_ends.h"
#include "tests/support/driven.h"
#include "tests/support/test_support.h"

#define PI               3.14159265358979323846
#define SOUND_SPEED      343.2
#define POINTS           10.5 /* per wavelength at fmax: the program's default */
#define DIRECTIONS_ASKED 4

static const char *const direction_name[DIRECTIONS_ASKED] = {"axis", "face diagonal", "space diagonal",
                                                             "random"};

/* A rigid cube of air with a time step for `fmax`. */
struct free_room {
    int64_t nodes;
    struct time_step step;
    struct block_grid blocks;
    struct engine *engine;
    size_t steps; /* free of reflections at a metre from the middle */
};

/* In place, because the engine keeps a pointer to the blocks. */
static void make_room(double highest, int64_t nodes, enum precision precision, struct free_room *room)
{
    *room = (struct free_room){.nodes = nodes};
    struct box_grid box = {0};
    struct failure failure = {0};
    const int64_t low[3] = {0, 0, 0}, extent[3] = {nodes, nodes, nodes};
    uint8_t *links = malloc((size_t)(nodes * nodes * nodes));
    cr_assert(links != NULL);
    memset(links, 63, (size_t)(nodes * nodes * nodes));
    cr_assert(box_grid_from_links(low, extent, links, NULL, NULL, &box, &failure) == 0, "%s",
              failure.sentence);
    cr_assert(block_grid_from_box(&box, &room->blocks, &failure) == 0, "%s", failure.sentence);
    const double spacing = SOUND_SPEED / (POINTS * highest), rigid = 0.0;
    room->blocks.lattice.spacing = spacing;
    cr_assert(time_step_choose(spacing, SOUND_SPEED, 0.0, &room->step, &failure) == 0, "%s",
              failure.sentence);
    const struct engine_options options = {LAYOUT_BLOCKS, precision, BACKEND_CPU, SIMD_AUTO, 1};
    cr_assert(engine_create(&room->engine, &room->blocks, NULL, &room->step, &rigid, 1, &options, &failure) ==
                  0,
              "%s", failure.sentence);
    /* The shortest way over a wall is one box long, less the metre and the cells that the taps spread over.
     */
    room->steps = (size_t)(((double)nodes - 1.0 / spacing - 5.0) / room->step.courant);
    box_grid_free(&box);
    free(links);
}

static void free_room(struct free_room *room)
{
    engine_free(room->engine);
    block_grid_free(&room->blocks);
}

static void add(struct free_room *room, const double cells[3], bool source)
{
    const double h = room->step.spacing;
    const double position[3] = {cells[0] * h, cells[1] * h, cells[2] * h};
    const int64_t base[3] = {(int64_t)floor(cells[0]), (int64_t)floor(cells[1]), (int64_t)floor(cells[2])};
    struct tap tap;
    struct failure failure = {0};
    cr_assert(tap_make(&room->blocks, position, base, INTERPOLATION_CUBIC, &tap, &failure) == 0, "%s",
              failure.sentence);
    const int code = source ? engine_add_source(room->engine, &tap, NULL, &failure)
                            : engine_add_receiver(room->engine, &tap, NULL, &failure);
    cr_assert(code == 0, "%s", failure.sentence);
}

/* A unit vector of the kind asked for, any of its mirror images. */
static void pick_direction(int kind, uint64_t *seed, double unit[3])
{
    const int axis = (int)(test_random(seed) % 3);
    double length = 0.0;
    for (int n = 0; n < 3; n++) {
        const bool used = kind == 0 ? n == axis : kind == 1 ? n != axis : true;
        const double size = kind == 3 ? test_uniform(seed, 0.05, 1.0) : 1.0;
        unit[n] = !used ? 0.0 : test_random(seed) & 1 ? size : -size;
        length += unit[n] * unit[n];
    }
    for (int n = 0; n < 3; n++)
        unit[n] /= sqrt(length);
}

/* One source near the middle and a receiver in each direction at 1 m; `raw` gets what the engine puts out
 * for the drive (1, -1), followed by silence up to 0.6 s, in DIRECTIONS_ASKED rows. Returns samples a row.
 * The source's place in its cell is random, and with it the receivers'. */
static size_t run_metre(struct free_room *room, uint64_t *seed, double **raw)
{
    double source[3];
    for (int n = 0; n < 3; n++)
        source[n] = (double)(room->nodes / 2 - 1) + test_uniform(seed, 0.0, 1.0);
    add(room, source, true);
    for (int d = 0; d < DIRECTIONS_ASKED; d++) {
        double unit[3], receiver[3];
        pick_direction(d, seed, unit);
        for (int n = 0; n < 3; n++)
            receiver[n] = source[n] + unit[n] / room->step.spacing;
        add(room, receiver, false);
    }
    const size_t steps = room->steps, count = (size_t)(0.6 * room->step.rate);
    cr_assert(count > steps);
    double *drive = malloc(steps * sizeof *drive),
           *output = malloc(DIRECTIONS_ASKED * steps * sizeof *output);
    *raw = calloc(DIRECTIONS_ASKED * count, sizeof **raw);
    for (size_t n = 0; n < steps; n++)
        drive[n] = n == 0 ? 1.0 : n == 1 ? -1.0 : 0.0;
    const double rigid = 0.0;
    back_ends_run(room->engine, &rigid, 1, steps, drive, output);
    for (size_t d = 0; d < DIRECTIONS_ASKED; d++) {
        for (size_t n = 0; n < steps; n++) {
            const double x = 2.0 * (double)n / (double)steps - 1.0;
            (*raw)[d * count + n] = output[d * steps + n] * (x < 0.0 ? 1.0 : 0.5 + 0.5 * cos(PI * x));
        }
    }
    free(drive);
    free(output);
    return count;
}

static double complex spectrum(const float *x, size_t count, double f)
{
    const double complex turn = cexp(-2.0 * PI * I * f / RESPONSE_RATE);
    double complex sum = 0.0, phase = 1.0;
    for (size_t n = 0; n < count; n++) {
        sum += x[n] * phase;
        phase = fourier_product(phase, turn);
    }
    return sum;
}

/* The samples of a file from the output for the drive (1, -1), at 1 m. */
static float *file_of(const double *raw, size_t count, double rate, double highest, size_t *length)
{
    float *x = NULL;
    size_t driven_count = 0;
    struct failure failure = {0};
    double *heard = driven(raw, count, rate, highest, &driven_count);
    cr_assert(response_make(heard, driven_count, rate, highest, 1.0 / SOUND_SPEED, &x, length, &failure) == 0,
              "%s", failure.sentence);
    free(heard);
    return x;
}

struct worst {
    double low_third, low, high; /* |20 log10(r |X|)| to fmax / 3; least and most to fmax [dB] */
};

static void measure(const double *raw, size_t count, double rate, double highest, struct worst *worst)
{
    size_t length = 0;
    float *x = file_of(raw, count, rate, highest, &length);
    for (double f = 30.0; f < 1.06 * highest; f *= 1.06) {
        const double at = f < highest ? f : highest;
        const double level = 20.0 * log10(cabs(spectrum(x, length, at)));
        cr_assert(isfinite(level));
        if (at <= highest / 3.0)
            worst->low_third = fmax(worst->low_third, fabs(level));
        worst->low = fmin(worst->low, level);
        worst->high = fmax(worst->high, level);
    }
    free(x);
}

static void check_claim(double highest, int64_t nodes, int runs, enum precision precision, uint64_t seed)
{
    struct worst worst[DIRECTIONS_ASKED] = {0};
    for (int run = 0; run < runs; run++) {
        struct free_room room;
        make_room(highest, nodes, precision, &room);
        double *raw = NULL;
        const size_t count = run_metre(&room, &seed, &raw);
        for (size_t d = 0; d < DIRECTIONS_ASKED; d++)
            measure(raw + d * count, count, room.step.rate, highest, &worst[d]);
        free(raw);
        free_room(&room);
    }
    for (int d = 0; d < DIRECTIONS_ASKED; d++) {
        (void)fprintf(stderr, "fmax %g Hz, 1 m, %s: %.3f dB to fmax/3, %+.3f to %+.3f dB to fmax\n", highest,
                      direction_name[d], worst[d].low_third, worst[d].low, worst[d].high);
        cr_assert(worst[d].low_third <= 0.1, "fmax %g, %s: %g dB to fmax/3", highest, direction_name[d],
                  worst[d].low_third);
        cr_assert(worst[d].low >= -0.6 && worst[d].high <= 0.6, "fmax %g, %s: %g to %g dB", highest,
                  direction_name[d], worst[d].low, worst[d].high);
    }
}

Test(free_field, at_1_m_the_spectrum_is_1_over_r_with_5_cells_a_metre)
{
    check_claim(177.0, 64, 4, PRECISION_DOUBLE, 20);
}

Test(free_field, at_1_m_the_spectrum_is_1_over_r_with_11_cells_a_metre)
{
    check_claim(355.0, 80, 2, PRECISION_SINGLE, 21);
}

Test(free_field, at_1_m_the_spectrum_is_1_over_r_with_22_cells_a_metre)
{
    check_claim(710.0, 112, 1, PRECISION_SINGLE, 22);
}

Test(free_field, a_longer_look_changes_nothing)
{
    const int64_t nodes[2] = {56, 104};
    double level[2][DIRECTIONS_ASKED][8];
    for (int n = 0; n < 2; n++) {
        struct free_room room;
        make_room(177.0, nodes[n], PRECISION_DOUBLE, &room);
        uint64_t seed = 33;
        double *raw = NULL;
        const size_t count = run_metre(&room, &seed, &raw);
        for (size_t d = 0; d < DIRECTIONS_ASKED; d++) {
            size_t length = 0;
            float *x = file_of(raw + d * count, count, room.step.rate, 177.0, &length);
            for (int f = 0; f < 8; f++)
                level[n][d][f] = 20.0 * log10(cabs(spectrum(x, length, 30.0 + 21.0 * f)));
            free(x);
        }
        free(raw);
        free_room(&room);
    }
    for (int d = 0; d < DIRECTIONS_ASKED; d++)
        for (int f = 0; f < 8; f++)
            cr_assert(test_near(level[0][d][f], level[1][d][f], 0.02), "%s, %d Hz: %g and %g dB",
                      direction_name[d], 30 + 21 * f, level[0][d][f], level[1][d][f]);
}

/* Phase at 42 points per wavelength, where the lattice's speed is within 0.07 % of c: one step early or late
 * would be 5 to 10 %. Taken before the filters, whose phase test_response checks. */
Test(free_field, sound_arrives_after_r_over_c)
{
    struct free_room room;
    make_room(355.0, 80, PRECISION_DOUBLE, &room);
    uint64_t seed = 44;
    double *raw = NULL;
    const size_t count = run_metre(&room, &seed, &raw);
    const double f = 355.0 / 4.0, omega = 2.0 * PI * f / room.step.rate;
    for (size_t d = 0; d < DIRECTIONS_ASKED; d++) {
        double complex sum = 0.0;
        for (size_t n = 0; n < count; n++)
            sum += raw[d * count + n] * cexp(-I * omega * (double)n);
        sum /= 1.0 - cexp(-I * omega); /* the drive */
        const double late = -carg(sum * cexp(2.0 * PI * I * f / SOUND_SPEED)) / (2.0 * PI * f);
        cr_assert(test_near(late, 0.0, 0.002 / SOUND_SPEED), "%s: %g of the way late", direction_name[d],
                  late * SOUND_SPEED);
    }
    free(raw);
    free_room(&room);
}
