/* Modes that are known: of sums of damped waves, and of a box of air between walls that absorb, whose
 * discrete frequencies and decays follow from an exact equation. */
#include <complex.h>

#include "src/response/acoustics/room_modes.h"
#include "tests/support/box_mode.h"
#include "tests/support/outcome.h"
#include "tests/support/walled_box.h"

#define RATE 48000.0
/* Of a half-width. What a filter lets through of other bands is 5e-5 of it (band_decimator.h) and moves a
 * mode by about as much of its half-width as it is of the mode; modes here are at most 26 dB below others:
 * 1e-3.
 */
#define FAITHFUL 1e-3

struct wave {
    double frequency, decay, amplitude;
};

/* Records of the waves from time 0 on, each wave in each with an amplitude (0.5 to 1 times its own) and a
 * phase of its own. */
static struct mode_record *make_records(const struct wave *wave, size_t waves, size_t records, double seconds,
                                        double *square)
{
    uint64_t seed = 11;
    struct mode_record *record = calloc(records, sizeof *record);
    for (size_t m = 0; m < waves && square != NULL; m++)
        square[m] = 0;
    for (size_t r = 0; r < records; r++) {
        const size_t count = (size_t)(seconds * RATE);
        double *sum = calloc(count, sizeof *sum);
        float *sample = calloc(count, sizeof *sample);
        for (size_t m = 0; m < waves; m++) {
            const double share = wave[m].amplitude * test_uniform(&seed, 0.5, 1);
            const double phase = test_uniform(&seed, -PI, PI);
            if (square != NULL)
                square[m] += share * share / (double)records;
            for (size_t n = 0; n < count; n++) {
                const double t = (double)n / RATE;
                sum[n] += share * exp(-wave[m].decay * t) * cos(2 * PI * wave[m].frequency * t + phase);
            }
        }
        for (size_t n = 0; n < count; n++)
            sample[n] = (float)sum[n];
        free(sum);
        record[r] = (struct mode_record){sample, count, 0.03};
    }
    return record;
}

static void free_records(struct mode_record *record, size_t records)
{
    for (size_t r = 0; r < records; r++)
        free((float *)record[r].sample);
    free(record);
}

static struct room_modes find(const struct mode_record *record, size_t records, double rate,
                              const struct mode_space *space)
{
    struct room_modes modes;
    MUST(room_modes_find(record, records, rate, space, &modes, &failure));
    return modes;
}

/* Two waves a fifth of their width apart, a faint neighbour of a loud one, one alone, one above the limit. */
Test(room_modes, sums_of_damped_waves_are_taken_apart)
{
    const struct wave wave[] = {{31.7, 3.1, 1},    {47.0, 3.4, 0.8}, {47.2, 3.0, 1},   {63.4, 2.9, 1},
                                {66.0, 3.6, 0.03}, {88.8, 3.3, 0.5}, {131.0, 3.3, 1.5}};
    const size_t waves = sizeof wave / sizeof *wave;
    const struct mode_space space = {20, 45, 343, 120};
    for (size_t records = 1; records <= 4; records++) {
        double square[8];
        struct mode_record *record = make_records(wave, waves, records, 2.2, square);
        struct room_modes modes = find(record, records, RATE, &space);
        cr_assert(eq(sz, modes.count, waves - 1), "%s", modes.why);
        for (size_t m = 0; m + 1 < waves; m++) {
            const double level = 20 * log10(sqrt(square[m]) / 2 * RATE / wave[m].decay / 0.1);
            const double width = wave[m].decay / PI;
            cr_log_info("%zu records, %g Hz: %.2g of the width off, decay %.2g, level %.2g dB", records,
                        wave[m].frequency, (modes.mode[m].frequency - wave[m].frequency) / width,
                        modes.mode[m].decay / wave[m].decay - 1, modes.mode[m].level - level);
            cr_assert(test_near(modes.mode[m].frequency, wave[m].frequency, FAITHFUL * width));
            cr_assert(test_near(modes.mode[m].decay, wave[m].decay, FAITHFUL * wave[m].decay));
            cr_assert(test_near(modes.mode[m].quality, PI * wave[m].frequency / wave[m].decay,
                                2 * FAITHFUL * modes.mode[m].quality));
            cr_assert(test_near(modes.mode[m].level, level, 0.05));
        }
        cr_assert(strstr(modes.why, "the responses end at 120 Hz") != NULL, "%s", modes.why);
        room_modes_free(&modes);
        free_records(record, records);
    }
}

/* Modes per Hz of a room: Weyl's volume and surface terms. */
static double density(const struct mode_space *space, double f)
{
    const double k = f / space->sound_speed;
    return (4 * PI * space->volume * k * k + 0.5 * PI * space->surface * k) / space->sound_speed;
}

/* The same responses, as if of a larger room: its modes would be nearer to one another. */
Test(room_modes, the_search_ends_where_modes_are_wider_than_their_distance)
{
    const struct wave wave[] = {{31.7, 3.3, 1}, {47.0, 3.3, 0.8}, {58.5, 3.3, 1}, {88.8, 3.3, 0.5}};
    struct mode_record *record = make_records(wave, 4, 2, 2.2, NULL);
    struct mode_space space = {100, 130, 343, 120};
    const double limit = 55;
    space.volume *= MODES_OVERLAP / (density(&space, limit) * 3.3 / PI);
    space.surface *= space.volume / 100;
    struct room_modes modes = find(record, 2, RATE, &space);
    cr_assert(eq(sz, modes.count, 2));
    cr_assert(test_above(modes.limit, 55) && test_at_most(modes.limit, 58.6));
    cr_assert(strstr(modes.why, "wider than their distance") != NULL, "%s", modes.why);
    cr_assert(test_near(modes.mode[1].overlap, density(&space, 47) * 3.3 / PI, 1e-3));
    cr_assert(test_near(modes.reverberation, 3 * log(10) / 3.3, 0.1));
    cr_assert(test_near(modes.schroeder, 2000 * sqrt(modes.reverberation / space.volume), 1e-9));
    room_modes_free(&modes);
    free_records(record, 2);
}

/* Noise has waves of its own, others in every band. */
Test(room_modes, noise_makes_no_modes)
{
    const struct wave wave[] = {{31.7, 3.3, 1}, {47.0, 3.3, 0.8}, {63.4, 3.3, 1}, {88.8, 3.3, 0.5}};
    const struct mode_space space = {20, 45, 343, 120};
    struct mode_record *record = make_records(wave, 4, 3, 2.2, NULL);
    uint64_t seed = 4;
    for (size_t r = 0; r < 3; r++)
        for (size_t n = 0; n < record[r].count; n++)
            ((float *)record[r].sample)[n] += (float)test_uniform(&seed, -0.05, 0.05);
    struct room_modes modes = find(record, 3, RATE, &space);
    for (size_t m = 0; m < modes.count; m++)
        cr_log_info("%g Hz, decay %g, level %g", modes.mode[m].frequency, modes.mode[m].decay,
                    modes.mode[m].level);
    cr_assert(eq(sz, modes.count, 4));
    for (size_t m = 0; m < modes.count; m++)
        cr_assert(test_near(modes.mode[m].frequency, wave[m].frequency, 0.02));
    room_modes_free(&modes);
    free_records(record, 3);
}

Test(room_modes, responses_without_modes_have_a_reason)
{
    const struct wave lasting = {40, 0.1, 1}, brief = {40, 30, 1};
    const struct mode_space space = {20, 45, 343, 120};
    struct mode_record *record = make_records(&lasting, 1, 1, 2, NULL);
    struct room_modes modes = find(record, 1, RATE, &space);
    cr_assert(modes.count == 0 && isnan(modes.reverberation));
    cr_assert(strstr(modes.why, "do not decay by 15 dB") != NULL, "%s", modes.why);
    memset((float *)record->sample, 0, record->count * sizeof *record->sample);
    modes = find(record, 1, RATE, &space);
    cr_assert(modes.count == 0 && modes.why[0] != '\0');
    record->count = 100;
    modes = find(record, 1, RATE, &space);
    cr_assert(modes.count == 0 && modes.why[0] != '\0');
    free_records(record, 1);
    record = make_records(&brief, 1, 1, 1, NULL); /* Q of 4: a mode for all that */
    modes = find(record, 1, RATE, &space);
    cr_assert(eq(sz, modes.count, 1), "%s", modes.why);
    cr_assert(test_near(modes.mode->decay, 30, 30 * FAITHFUL));
    room_modes_free(&modes);
    free_records(record, 1);
}

/* A box of 3.5 x 2.75 x 4.25 m, another admittance on each pair of walls. */
static const double box_spacing = 0.25, box_walls[2][3] = {{0.004, 0.006, 0.003}, {0.02, 0.03, 0.015}};

static struct mode_record *run_box(const double *admittance, double seconds, size_t ears,
                                   const int64_t (*ear)[3], double *rate)
{
    const uint16_t face[DIRECTIONS] = {0, 0, 1, 1, 2, 2};
    struct walled_box *room = walled_box_make(lossy_size, face);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct time_step step;
    MUST(time_step_choose(SCHEME_STANDARD, box_spacing, 343.2, 0, &step, &failure));
    struct engine *engine = walled_box_engine(room, &step, admittance, 3, &options);
    const int64_t mouth[3] = {1, 1, 2};
    const struct stencil source = walled_box_stencil(mouth);
    MUST(engine_add_source(engine, &source, &failure));
    for (size_t e = 0; e < ears; e++) {
        const struct stencil tap = walled_box_stencil(ear[e]);
        MUST(engine_add_receiver(engine, &tap, &failure));
    }
    const size_t count = (size_t)(seconds * step.rate);
    double *drive = calloc(count, sizeof *drive), *heard = calloc(ears * count, sizeof *heard);
    drive[0] = 1;
    drive[1] = -1;
    engine_run(engine, count, drive, heard);
    struct mode_record *record = calloc(ears, sizeof *record);
    for (size_t e = 0; e < ears; e++) {
        float *sample = calloc(count, sizeof *sample);
        for (size_t n = 0; n < count; n++)
            sample[n] = (float)heard[e * count + n];
        record[e] = (struct mode_record){sample, count, 0.02};
    }
    *rate = step.rate;
    free(drive);
    free(heard);
    engine_free(engine);
    walled_box_free(room);
    return record;
}

/* What is found against the exact discrete modes below the limit. The number of those. */
static size_t check_box(const struct room_modes *modes, const double *admittance,
                        const struct time_step *step, const double side[3])
{
    /* Second order in the admittance is what walls that only resist move a frequency by. */
    const double moved = admittance[1] * admittance[1];
    size_t below = 0;
    for (int q = 1; q < 8 * 8 * 8; q++) {
        struct mode mode = {.q = {q & 7, q >> 3 & 7, q >> 6}};
        double stiffness = 0, continuous = 0, nearest = INFINITY;
        for (int d = 0; d < 3; d++) {
            mode.g[d] = admittance[d];
            stiffness += pow(sin(0.5 * PI * mode.q[d] / (double)lossy_size[d]), 2);
            continuous = hypot(continuous, 0.5 * 343.2 * mode.q[d] / side[d]);
        }
        const double rigid = asin(step->courant * sqrt(stiffness)) * step->rate / PI;
        if (!(rigid < modes->limit - 0.1))
            continue;
        solve_mode(&mode, step->courant);
        const double complex s = clog(mode.z) * step->rate;
        const struct room_mode *found = NULL;
        for (size_t m = 0; m < modes->count; m++) {
            const struct room_mode *candidate = &modes->mode[m];
            const double away = cabs(2 * PI * I * candidate->frequency - candidate->decay - s) / -creal(s);
            if (away < nearest) {
                nearest = away;
                found = candidate;
            }
        }
        cr_assert(test_at_most(nearest, found->overlap < 1.0 / 3 ? FAITHFUL : 10 * FAITHFUL),
                  "%d %d %d: %.5f Hz, decay %.5f: %.2g of it away", mode.q[0], mode.q[1], mode.q[2],
                  cimag(s) / (2 * PI), -creal(s), nearest);
        cr_assert(test_near(found->frequency, rigid, moved * rigid));
        /* The lattice slows sound by (2 pi f h / c)^2 / 24 at most. */
        const double turn = 2 * PI * continuous * box_spacing / 343.2;
        cr_assert(test_at_most(found->frequency, continuous * (1 + moved)));
        cr_assert(test_at_least(found->frequency, continuous * (1 - turn * turn / 24 - moved)));
        below++;
    }
    return below;
}

Test(room_modes, a_box_has_the_frequencies_and_decays_of_its_exact_equation)
{
    enum { EARS = 4 };
    const int64_t ear[EARS][3] = {{12, 9, 15}, {0, 8, 5}, {9, 3, 16}, {11, 6, 1}};
    const double side[3] = {14 * box_spacing, 11 * box_spacing, 17 * box_spacing};
    const struct mode_space space = {side[0] * side[1] * side[2],
                                     2 * (side[0] * side[1] + side[1] * side[2] + side[2] * side[0]), 343.2,
                                     205};
    for (int walls = 0; walls < 2; walls++) {
        struct time_step step;
        double rate;
        struct mode_record *record = run_box(box_walls[walls], walls == 0 ? 4 : 1.2, EARS, ear, &rate);
        struct room_modes modes = find(record, EARS, rate, &space);
        MUST(time_step_choose(SCHEME_STANDARD, box_spacing, 343.2, 0, &step, &failure));
        const size_t below = check_box(&modes, box_walls[walls], &step, side);
        cr_log_info("%zu modes below %.1f Hz", below, modes.limit);
        cr_assert(test_above((double)below, walls == 0 ? 50 : 10));
        cr_assert(eq(sz, modes.count, below), "%s", modes.why);
        cr_assert(strstr(modes.why, walls == 0 ? "responses end" : "wider than their distance") != NULL, "%s",
                  modes.why);
        room_modes_free(&modes);
        free_records(record, EARS);
    }
}
