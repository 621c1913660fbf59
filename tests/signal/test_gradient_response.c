/* The directional receiver from end to end: engine, gradient taps, integration, filters and rate conversion
 * together receive waves from eight directions round about and from above and below, on nodes and off them,
 * where they come from and as loud as the pressure. Free field as in test_calibration.c: a rigid box that
 * answers only after the part that is evaluated. */
#include <complex.h>

#include "src/response/signal/integrator.h"
#include "src/response/signal/response.h"
#include "tests/support/driven.h"
#include "tests/support/outcome.h"
#include "tests/support/sounds.h"
#include "tests/support/walled_box.h"

#define PI          3.14159265358979323846
#define SOUND_SPEED 343.2
#define POINTS      10.5
#define WAVES       12 /* eight in the plane, then elevations */
#define ROWS        (4 * WAVES)

/* Where the sound of direction d comes from. */
static void direction_of(int d, double unit[3])
{
    const double azimuth = d < 8 ? PI / 4.0 * d : 0.7 + 1.3 * d;
    const double elevation = d < 8 ? 0.0 : (d < 10 ? 1.0 : -1.0) * (d % 2 == 0 ? PI / 6.0 : PI / 2.0);
    unit[0] = cos(elevation) * cos(azimuth);
    unit[1] = cos(elevation) * sin(azimuth);
    unit[2] = sin(elevation);
}

static void hear_at(const struct block_grid *grid, struct engine *engine, const double place[3])
{
    const int64_t base[3] = {llround(place[0]), llround(place[1]), llround(place[2])};
    double position[3];
    struct stencil tap;
    for (int n = 0; n < 3; n++)
        position[n] = place[n] * grid->lattice.spacing;
    MUST(stencil_make(grid, position, base, INTERPOLATION_CUBIC, &tap, &failure));
    MUST(engine_add_receiver(engine, &tap, &failure));
    for (int axis = 0; axis < 3; axis++) {
        MUST(stencil_make_gradient(grid, position, base, INTERPOLATION_CUBIC, axis, &tap, &failure));
        MUST(engine_add_receiver(engine, &tap, &failure));
    }
}

struct sound {
    struct time_step step;
    double radius, highest;
    size_t count;
    double *raw; /* (ROWS, count) for the drive (1, -1) */
};

/* The source in the middle of a cube; receivers at `metres` around it, on nodes if asked for. */
static void run(int64_t nodes, double highest, double metres, bool on_nodes, enum precision precision,
                double unit[WAVES][3], double radius[WAVES], struct sound *sound)
{
    const double h = SOUND_SPEED / (POINTS * highest), middle = (double)(nodes / 2), hard = 0.0;
    struct walled_box *room = walled_box_make((const int64_t[3]){nodes, nodes, nodes}, walled_box_rigid);
    const struct block_grid *const grid = &room->blocks;
    room->blocks.lattice.spacing = h;
    struct time_step step;
    struct stencil tap;
    MUST(time_step_choose(SCHEME_STANDARD, h, SOUND_SPEED, 0.0, &step, &failure));
    const struct engine_options options = {LAYOUT_BLOCKS, precision, BACKEND_CPU, SIMD_AUTO, 1};
    struct engine *engine = walled_box_engine(room, &step, &hard, 1, &options);
    const double source[3] = {middle, middle, middle}, at[3] = {middle * h, middle * h, middle * h};
    const int64_t base[3] = {nodes / 2, nodes / 2, nodes / 2};
    MUST(stencil_make(grid, at, base, INTERPOLATION_CUBIC, &tap, &failure));
    MUST(engine_add_source(engine, &tap, &failure));
    for (int d = 0; d < WAVES; d++) {
        double place[3], length = 0.0;
        direction_of(d, unit[d]);
        for (int n = 0; n < 3; n++) {
            place[n] = source[n] - unit[d][n] * metres / h;
            if (on_nodes)
                place[n] = round(place[n]);
            unit[d][n] = source[n] - place[n];
            length += unit[d][n] * unit[d][n];
        }
        for (int n = 0; n < 3; n++)
            unit[d][n] /= sqrt(length);
        radius[d] = sqrt(length) * h;
        hear_at(grid, engine, place);
    }
    const size_t steps = (size_t)(((double)nodes - metres / h - 5.0) / step.courant),
                 count = (size_t)(0.6 * step.rate);
    double *drive = calloc(steps, sizeof *drive), *output = malloc(ROWS * steps * sizeof *output);
    drive[0] = 1.0;
    drive[1] = -1.0;
    engine_run(engine, steps, drive, output);
    *sound = (struct sound){step, metres, highest, count, calloc(ROWS * count, sizeof(double))};
    for (size_t r = 0; r < ROWS; r++)
        for (size_t n = 0; n < steps; n++) {
            const double x = 2.0 * (double)n / (double)steps - 1.0;
            sound->raw[r * count + n] = output[r * steps + n] * (x < 0.0 ? 1.0 : 0.5 + 0.5 * cos(PI * x));
        }
    free(drive);
    free(output);
    engine_free(engine);
    walled_box_free(room);
}

/* The four files of one direction. */
static void files_of(const struct sound *sound, int d, float *file[4], size_t *length)
{
    const struct response_chain chain = {.step = sound->step, .fmax = sound->highest, .method = AIR_OFF};
    for (int n = 0; n < 4; n++) {
        const double *raw = sound->raw + (size_t)(4 * d + n) * sound->count,
                     first = sound->radius / SOUND_SPEED;
        if (n == 0) {
            file[n] = driven_response(&chain, raw, sound->count, first, length);
            continue;
        }
        size_t driven_count = 0;
        double *heard = driven(raw, sound->count, &sound->step, sound->highest, &driven_count);
        file[n] = calloc(*length + 1, sizeof *file[n]);
        MUST(response_make_gradient(&chain, (const double *const[]){heard}, 1, driven_count, first, file[n],
                                    &failure));
        free(heard);
    }
}

static void check(int64_t nodes, double highest, double metres, bool on_nodes, enum precision precision)
{
    double unit[WAVES][3], radius[WAVES], worst_level = 0.0, worst_angle = 0.0, worst_phase = 0.0;
    struct sound sound;
    run(nodes, highest, metres, on_nodes, precision, unit, radius, &sound);
    for (int d = 0; d < WAVES; d++) {
        float *file[4];
        size_t length = 0;
        files_of(&sound, d, file, &length);
        for (double f = 40.0; f < 1.05 * highest; f *= 1.25) {
            const double at = fmin(f, highest);
            const double complex w = spectrum_at(file[0], length, at, RESPONSE_RATE),
                                 curved = 1.0 + SOUND_SPEED / (2.0 * PI * I * at * radius[d]);
            double along = 0.0, size = 0.0;
            for (int n = 0; n < 3; n++) {
                const double complex part =
                    spectrum_at(file[n + 1], length, at, RESPONSE_RATE) / (w * curved);
                along += creal(part) * unit[d][n];
                size += creal(part) * creal(part);
                worst_phase = fmax(worst_phase, fabs(cimag(part)));
            }
            worst_level = fmax(worst_level, fabs(20.0 * log10(sqrt(size))));
            worst_angle = fmax(worst_angle, acos(fmin(1.0, along / sqrt(size))) * 180.0 / PI);
        }
        for (int n = 0; n < 4; n++)
            free(file[n]);
    }
    (void)fprintf(stderr, "fmax %g Hz, %g m, %s nodes: %.3f dB, %.2f degrees, %.3f across\n", highest, metres,
                  on_nodes ? "on" : "off", worst_level, worst_angle, worst_phase);
    cr_assert(test_at_most(worst_level, 0.1), "%g dB", worst_level);
    cr_assert(test_at_most(worst_angle, 0.8), "%g degrees", worst_angle);
    cr_assert(test_at_most(worst_phase, 0.015), "%g across", worst_phase);
    free(sound.raw);
}

/* To fmax, at 10.5 points per wavelength. The lattice turns a wave by up to 0.55 degrees, since its sines of
 * k_d h / 2 are not in proportion to k_d; taps take 0.03 dB and, off nodes, turn the phase by 0.014 rad. */
Test(gradient_response, on_nodes_waves_from_all_sides_come_from_there_and_are_as_loud_as_the_pressure)
{
    check(160, 355.0, 2.0, true, PRECISION_DOUBLE);
}

Test(gradient_response, off_nodes_waves_from_all_sides_come_from_there_and_are_as_loud_as_the_pressure)
{
    check(160, 355.0, 2.0, false, PRECISION_SINGLE);
}
