/* The calibration of a file, as a user gets it: |X(f)| = 1/r from 30 Hz to fmax and sound at r/c, the
 * lattice's own error apart, at 1 to 10 m, in ten directions, source and receivers at random places in a
 * cell.
 *
 * The lattice's own error is worked out beforehand. Far from the source, in the direction n, the field of a
 * point source is a wave whose k h solves sum 4 sin^2(k_d/2) = 4 sin^2(omega T/2) / lambda^2 where the normal
 * of that surface is n, so sin k_d = m n_d, and stationary phase gives it the level 1 / (4 pi r) times
 * 1/sqrt(sum n_d^2 cos k_e cos k_f), e and f the other two axes (1 along an axis, +0.5 dB along the diagonal
 * of a cell at 10.5 points per wavelength). Near the source (5 sum n_d^4 - 3) h^2 / (8 r^2) is added, as for
 * the static field. The taps at both ends pass each axis as sum w_j exp(j k_d (j - t)).
 *
 * Free field is a rigid cube so large that its walls answer after the pulse has passed. The whole chain to
 * the file is the program's; it cuts a file where the walls would answer, so the spectrum is taken from the
 * same room stepped here, with silence appended, after the file has been shown to hold the same samples. */
#define _XOPEN_SOURCE 700
#include <complex.h>

#include "src/response/signal/response.h"
#include "tests/support/back_ends.h"
#include "tests/support/driven.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"
#include "tests/support/walled_box.h"

#define PI          3.14159265358979323846
#define SOUND_SPEED 343.2
#define POINTS      10.5 /* per wavelength at fmax: the program's default */
#define RECEIVERS   10
#define LENGTH      0.7 /* of what spectra are taken from: the 10 Hz high-pass rings that long [s] */

/* Places of the source, each with receivers in ten directions; nodes along an edge of the cube; cells to the
 * farthest receiver. */
#if defined(__SANITIZE_ADDRESS__)
#define PLACES   1
#define NODES    120
#define FARTHEST 27
#else
#define PLACES   2
#define NODES    176
#define FARTHEST 55
#endif

struct free_field {
    double fmax, nearest, farthest; /* [Hz], [m], [m] */
    enum precision precision;
    int64_t nodes; /* along each edge of the cube */
    struct time_step step;
    double source[3]; /* from the corner of the cube [m] */
    double unit[RECEIVERS][3], distance[RECEIVERS];
    size_t steps;   /* without an answer from the walls */
    size_t stepped; /* at least as many */
    double *raw;    /* (RECEIVERS, stepped) for the drive (1, -1) */
};

static void receiver_of(const struct free_field *field, int r, double position[3])
{
    for (int axis = 0; axis < 3; axis++)
        position[axis] = field->source[axis] + field->distance[r] * field->unit[r][axis];
}

/* An axis, a face diagonal and a space diagonal, any of their mirror images, then at random. */
static void pick_direction(int kind, uint64_t *random, double unit[3])
{
    double length = 0.0;
    const int axis = (int)(test_random(random) % 3);
    do {
        length = 0.0;
        for (int n = 0; n < 3; n++) {
            const double sign = test_random(random) & 1 ? 1.0 : -1.0;
            unit[n] = kind == 0   ? (n == axis ? sign : 0.0)
                      : kind == 1 ? (n != axis ? sign : 0.0)
                      : kind == 2 ? sign
                                  : test_uniform(random, -1.0, 1.0);
            length += unit[n] * unit[n];
        }
    } while (length < 0.1 || (kind > 2 && length > 1.0));
    for (int n = 0; n < 3; n++)
        unit[n] /= sqrt(length);
}

/* Source near the middle, receivers at distances from the nearest to the farthest, in an order drawn. */
static void place(struct free_field *field, uint64_t *random)
{
    const double spacing = SOUND_SPEED / (POINTS * field->fmax);
    MUST(time_step_choose(SCHEME_STANDARD, spacing, SOUND_SPEED, 0.0, &field->step, &failure));
    field->farthest = FARTHEST * spacing;
    for (int axis = 0; axis < 3; axis++)
        field->source[axis] = ((double)(field->nodes / 2) + test_uniform(random, -0.5, 0.5)) * spacing;
    for (int r = 0; r < RECEIVERS; r++)
        field->distance[r] =
            field->nearest + (field->farthest - field->nearest) * r / (double)(RECEIVERS - 1);
    for (int r = RECEIVERS - 1; r > 0; r--) {
        const int other = (int)(test_random(random) % (uint64_t)(r + 1));
        const double kept = field->distance[r];
        field->distance[r] = field->distance[other];
        field->distance[other] = kept;
    }
    for (int r = 0; r < RECEIVERS; r++)
        pick_direction(r, random, field->unit[r]);
    /* Over a wall it is one cube long, less what the receiver is nearer, half a cell of the source
     * and the cells that the taps spread over. */
    field->steps = (size_t)(((double)field->nodes - field->farthest / spacing - 6.0) / field->step.courant);
}

static void add_tap(struct engine *engine, const struct block_grid *blocks, const double position[3],
                    bool source)
{
    const double h = blocks->lattice.spacing;
    int64_t base[3];
    struct stencil tap;
    for (int axis = 0; axis < 3; axis++)
        base[axis] = (int64_t)floor((position[axis] - blocks->lattice.origin[axis]) / h);
    MUST(stencil_make(blocks, position, base, INTERPOLATION_CUBIC, &tap, &failure));
    MUST((source ? engine_add_source : engine_add_receiver)(engine, &tap, &failure));
}

/* To where the walls may not have answered, or so far that the low-pass of a file as long has seen it all. */
static void simulate(struct free_field *field, bool whole)
{
    field->stepped = field->steps + (whole ? response_lead(&field->step, field->fmax) : 0);
    const int64_t extent[3] = {field->nodes, field->nodes, field->nodes};
    const double rigid = 0.0, h = field->step.spacing;
    const struct engine_options options = {LAYOUT_BLOCKS, field->precision, BACKEND_CPU, SIMD_AUTO, 2};
    struct walled_box *room = walled_box_make(extent, walled_box_rigid);
    double *drive = calloc(field->stepped, sizeof *drive);
    field->raw = malloc(RECEIVERS * field->stepped * sizeof *field->raw);
    cr_assert(drive != NULL && field->raw != NULL);
    room->blocks.lattice.spacing = h;
    for (int axis = 0; axis < 3; axis++)
        room->blocks.lattice.origin[axis] = 0.5 * h;
    struct engine *engine = walled_box_engine(room, &field->step, &rigid, 1, &options);
    add_tap(engine, &room->blocks, field->source, true);
    for (int r = 0; r < RECEIVERS; r++) {
        double position[3];
        receiver_of(field, r, position);
        add_tap(engine, &room->blocks, position, false);
    }
    drive[0] = 1.0;
    drive[1] = -1.0;
    back_ends_run(engine, &rigid, 1, field->stepped, drive, field->raw);
    engine_free(engine);
    walled_box_free(room);
    free(drive);
}

/* ---- the lattice's own error ---- */

/* How a cubic tap at the fraction t of a cell passes a wave. */
static double complex tap_gain(double coordinate, double k)
{
    const double t = coordinate - floor(coordinate);
    double complex sum = 0.0;
    for (int j = -1; j <= 2; j++) {
        double weight = 1.0; /* Lagrange */
        for (int other = -1; other <= 2; other++)
            weight *= other == j ? 1.0 : (t - other) / (j - other);
        sum += weight * cexp(I * k * (j - t));
    }
    return sum;
}

/* 4 pi r times what the lattice and the taps make of a point source, with the phase left by r/c. */
static double complex lattice_gain(const struct free_field *field, int r, double f)
{
    const double *n = field->unit[r], h = field->step.spacing, cells = field->distance[r] / h,
                 omega = 2.0 * PI * f / field->step.rate,
                 target = 4.0 * pow(sin(0.5 * omega), 2.0) / field->step.lambda2;
    double low = 0.0, high = 1.0, k[3];
    for (int bisection = 0; bisection < 60; bisection++) {
        const double m = 0.5 * (low + high);
        double sum = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            k[axis] = asin(m * n[axis]);
            sum += 4.0 * pow(sin(0.5 * k[axis]), 2.0);
        }
        *(sum < target ? &low : &high) = m;
    }
    double spread = 0.0, fourth = 0.0, phase = omega * field->distance[r] / SOUND_SPEED * field->step.rate;
    double complex taps = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        spread += n[axis] * n[axis] * cos(k[(axis + 1) % 3]) * cos(k[(axis + 2) % 3]);
        fourth += pow(n[axis], 4.0);
        phase -= k[axis] * n[axis] * cells;
        /* The wave is exp(-j k x) in the direction of sound; a source is the mirror of a receiver. */
        taps *= tap_gain(field->source[axis] / h - 0.5, k[axis]) *
                tap_gain((field->source[axis] + field->distance[r] * n[axis]) / h - 0.5, -k[axis]);
    }
    return (1.0 / sqrt(spread) + (5.0 * fourth - 3.0) / (8.0 * cells * cells)) * taps * cexp(I * phase);
}

/* ---- files ---- */

static struct response_chain chain_of(const struct free_field *field)
{
    return (struct response_chain){.step = field->step, .fmax = field->fmax, .method = AIR_OFF};
}

/* The program on the same cube, a staircase of whole cells, gives the samples of the same chain: the same
 * room, places and files. */
static void expect_files_of_the_program(const struct free_field *field)
{
    enum { TEXTS = RECEIVERS + 3, TEXT = 100 };
    char text[TEXTS][TEXT], path[64];
    const char *argument[48] = {TEST_PROGRAM, "simulate", "cube.obj",    "-o",           "run",
                                "--air",      "off",      "--quiet",     "--absorption", "0",
                                "--layout",   "blocks",   "--precision", "double",       "--threads",
                                "2",          "--walls",  "staircase",   "--scheme",     "standard"};
    size_t arguments = 20;
    const double edge = (double)field->nodes * field->step.spacing;
    enter_folder();
    write_box("cube.obj", edge, edge, edge, true);
    (void)snprintf(text[0], TEXT, "%.17g", field->fmax);
    (void)snprintf(text[1], TEXT, "%.17g", ((double)field->steps - 0.5) / field->step.rate);
    for (int point = -1; point < RECEIVERS; point++) {
        double at[3];
        if (point < 0)
            memcpy(at, field->source, sizeof at);
        else
            receiver_of(field, point, at);
        (void)snprintf(text[point + 3], TEXT, "%.17g,%.17g,%.17g", at[0], at[1], at[2]);
        argument[arguments++] = point < 0 ? "--source" : "--receiver";
        argument[arguments++] = text[point + 3];
    }
    argument[arguments++] = "--fmax";
    argument[arguments++] = text[0];
    argument[arguments++] = "--duration";
    argument[arguments++] = text[1];
    argument[arguments] = NULL;
    expect_status(run(NULL, argument), 0);
    cJSON *record = read_json("run/run.json");
    const size_t lead = response_lead(&field->step, field->fmax), steps = lead + field->steps;
    cr_assert(number(record, "steps") == (double)steps &&
              number(record, "steps_before_emission") == (double)lead &&
              number(record, "rate_hz") == field->step.rate);
    const cJSON *response = cJSON_GetObjectItemCaseSensitive(record, "responses");
    const struct response_chain chain = chain_of(field);
    for (int r = 0; r < RECEIVERS; r++) {
        float *made = NULL;
        size_t file_count = 0, made_count = 0, heard_count = 0;
        int rate = 0;
        double largest = 0.0, apart = 0.0;
        (void)snprintf(path, sizeof path, "run/ir_S1_R%d.wav", r + 1);
        float *file = read_mono(path, &file_count, &rate);
        double *heard = driven(field->raw + (size_t)r * field->stepped, field->stepped, &field->step,
                               field->fmax, &heard_count);
        cr_assert(heard_count >= steps);
        MUST(response_make(&chain, heard, steps, field->distance[r] / SOUND_SPEED, &made, &made_count,
                           &failure));
        free(heard);
        cr_assert(rate == RESPONSE_RATE && file_count == made_count);
        for (size_t n = 0; n < file_count; n++) {
            largest = fmax(largest, fabs((double)made[n]));
            apart = fmax(apart, fabs((double)file[n] - (double)made[n]));
        }
        cr_assert(largest > 0.0 && apart <= 1e-5 * largest, "%s: %g of %g apart", path, apart, largest);
        const cJSON *entry = cJSON_GetArrayItem(response, r);
        cr_assert(test_near(number(entry, "distance_m"), field->distance[r], 1e-9));
        cr_assert(test_near(number(entry, "onset_s"), field->distance[r] / SOUND_SPEED, 1e-9));
        free(made);
    }
    leave_folder();
}

/* A receiver's samples to the end of the pulse, where they fade out, and silence up to `count`. The part
 * faded out is that of waves slower than half the speed of sound, far above fmax. */
static double *lengthen(const struct free_field *field, int r, size_t count)
{
    const double arrival = field->distance[r] / SOUND_SPEED * field->step.rate;
    double *whole = calloc(count, sizeof *whole);
    cr_assert(whole != NULL && count > field->steps);
    for (size_t n = 0; n < field->steps; n++) {
        const double x = 2.0 * ((double)n - arrival) / ((double)field->steps - arrival) - 1.0;
        whole[n] = field->raw[(size_t)r * field->stepped + n] * (x < 0.0 ? 1.0 : 0.5 + 0.5 * cos(PI * x));
    }
    return whole;
}

/* Levels within 0.06 dB of what the lattice is to give, that within 0.1 dB of 1/r to a third of fmax and
 * within -0.1 to +0.6 dB to fmax, and sound less than a time step from r/c wherever the low-pass has two
 * periods of fmax to ring in (response.h). */
static void check_receiver(const struct free_field *field, int r, double level[2], double *apart,
                           double *late)
{
    const size_t count = (size_t)(LENGTH * field->step.rate);
    double *whole = lengthen(field, r, count);
    size_t length = 0;
    const double metres = field->distance[r];
    const struct response_chain chain = chain_of(field);
    float *x = driven_response(&chain, whole, count, metres / SOUND_SPEED, &length);
    for (double at = 30.0; at < 1.06 * field->fmax; at *= 1.06) {
        const double f = fmin(at, field->fmax);
        const double complex heard = metres * spectrum_at(x, length, f, RESPONSE_RATE) /
                                     high_pass(f, field->step.rate),
                             lattice = lattice_gain(field, r, f);
        const double decibel = 20.0 * log10(cabs(heard)), off = decibel - 20.0 * log10(cabs(lattice)),
                     time = -carg(heard / lattice * cexp(2.0 * PI * I * f * metres / SOUND_SPEED)) /
                            (2.0 * PI * f);
        cr_expect(test_near(off, 0.0, 0.06),
                  "fmax %g Hz, %.2f m, %.0f Hz: %+.3f dB, %+.3f dB from the lattice", field->fmax, metres, f,
                  decibel, off);
        cr_expect(decibel > -0.1 && decibel < (f > field->fmax / 3.0 ? 0.6 : 0.1),
                  "fmax %g Hz, %.2f m, %.0f Hz: %+.3f dB", field->fmax, metres, f, decibel);
        *apart = fmax(*apart, fabs(off));
        level[0] = fmin(level[0], decibel);
        level[1] = fmax(level[1], decibel);
        if (f > 0.7 * field->fmax || metres / SOUND_SPEED * field->fmax < 2.0)
            continue;
        cr_expect(test_near(time, 0.0, field->step.period), "fmax %g Hz, %.2f m, %.0f Hz: %.3f ms late",
                  field->fmax, metres, f, 1e3 * time);
        *late = fmax(*late, fabs(time));
    }
    free(x);
    free(whole);
}

static void check_free_field(struct free_field field, int runs, bool program, uint64_t seed)
{
    double level[2] = {INFINITY, -INFINITY}, apart = 0.0, late = 0.0;
    for (int run = 0; run < runs; run++) {
        place(&field, &seed);
        simulate(&field, program && run == 0);
        if (program && run == 0)
            expect_files_of_the_program(&field);
        for (int r = 0; r < RECEIVERS; r++)
            check_receiver(&field, r, level, &apart, &late);
        free(field.raw);
    }
    (void)fprintf(
        stderr,
        "fmax %g Hz, %.1f to %.1f m: %+.3f to %+.3f dB, at most %.3f dB from the lattice's own; at most "
        "%.3f ms from r/c\n",
        field.fmax, field.nearest, field.farthest, level[0], level[1], apart, 1e3 * late);
}

Test(calibration, a_file_holds_1_over_r_at_1_to_10_m_in_ten_directions_from_anywhere_in_a_cell)
{
    check_free_field(
        (struct free_field){.fmax = 177.0, .nearest = 1.0, .precision = PRECISION_DOUBLE, .nodes = NODES},
        PLACES, true, 7);
}

Test(calibration, sound_is_on_time_at_1_to_2_5_m_where_the_low_pass_has_room_to_ring)
{
    check_free_field(
        (struct free_field){.fmax = 710.0, .nearest = 1.0, .precision = PRECISION_SINGLE, .nodes = NODES}, 1,
        false, 8);
}
