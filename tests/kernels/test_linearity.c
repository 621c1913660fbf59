/* A room is a linear system that does not change with time, and its simulation nearly is one: exactly where
 * rounding allows it.
 *
 *   Scaling by a power of two moves exponents only: bit for bit.
 *   A drive that starts later makes the same output later: bit for bit, for silence is exactly 0.
 *   Two fields and two drives at once make the sum of what each makes alone: bit for bit where all numbers
 * fit the format. */
#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"
#include "tests/support/outcome.h"

#define STEPS     200
#define DRIVEN    20 /* steps in which the drives are not 0 */
#define SOURCES   2
#define RECEIVERS 2

struct signal {
    double drive[SOURCES][STEPS];
    double output[RECEIVERS][STEPS];
};

/* One source in the open, one at an absorbing wall of the ragged part; receivers near them, between nodes. */
static void add_taps(const struct lossy_room *room, struct engine *engine)
{
    static const int64_t place[SOURCES + RECEIVERS][3] = {{5, 5, 5}, {12, 4, 4}, {7, 6, 5}, {11, 6, 4}};
    for (int t = 0; t < SOURCES + RECEIVERS; ++t) {
        int64_t node[3];
        size_t n = room_index(room, place[t][0], place[t][1], place[t][2]);
        while (room->link[n] == 0 || (t == 1 && !(room_wall_sum(room, n) > 0.5)))
            ++n;
        room_node(room, n, node);
        const struct stencil stencil = room_stencil(room, node, 0.3, -0.2, 0.1);
        MUST(t < SOURCES ? engine_add_source(engine, &stencil, &failure)
                         : engine_add_receiver(engine, &stencil, &failure));
    }
}

static void run(struct engine *engine, struct signal *signal)
{
    engine_reset(engine);
    engine_run(engine, STEPS, signal->drive[0], signal->output[0]);
}

static double largest(const struct signal *signal)
{
    double most = 0.0;
    for (int r = 0; r < RECEIVERS; ++r)
        for (int n = 0; n < STEPS; ++n) {
            cr_assert(isfinite(signal->output[r][n]));
            most = fmax(most, fabs(signal->output[r][n]));
        }
    cr_assert(most > 1e-4, "the output is silent");
    return most;
}

/* Noise from `low` to 1. */
static void draw_drive(uint64_t seed, double low, struct signal *signal)
{
    memset(signal, 0, sizeof *signal);
    for (int s = 0; s < SOURCES; ++s)
        for (int n = 0; n < DRIVEN; ++n)
            signal->drive[s][n] = test_uniform(&seed, low, 1.0);
}

/* ---- exact claims ----------------------------------------------------------------------------------------
 */

Test(linearity, scaling_by_a_power_of_two_and_delay_are_exact)
{
    static struct signal plain, other;
    static const double scale[] = {0x1p13, -0x1p-7};
    static const int delay[] = {1, 2, 37}; /* odd and even: the two levels of pressure change places */
    struct lossy_room *room = room_ragged(16, 20, 21, 19, 0.1, 0.05, 12);
    draw_drive(5, -1.0, &plain);
    struct back_ends all = {.mask = BACK_ENDS_ALL};
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine(room, 0.0, &all.options);
        add_taps(room, engine);
        run(engine, &plain);
        (void)largest(&plain);
        for (size_t k = 0; k < sizeof scale / sizeof *scale; ++k) {
            for (int s = 0; s < SOURCES; ++s)
                for (int n = 0; n < STEPS; ++n)
                    other.drive[s][n] = scale[k] * plain.drive[s][n];
            run(engine, &other);
            for (int r = 0; r < RECEIVERS; ++r)
                for (int n = 0; n < STEPS; ++n)
                    cr_assert(other.output[r][n] == scale[k] * plain.output[r][n],
                              "%s, scaled by %g: receiver %d, step %d", engine_description(engine), scale[k],
                              r, n);
        }
        for (size_t k = 0; k < sizeof delay / sizeof *delay; ++k) {
            for (int s = 0; s < SOURCES; ++s)
                for (int n = 0; n < STEPS; ++n)
                    other.drive[s][n] = n < delay[k] ? 0.0 : plain.drive[s][n - delay[k]];
            run(engine, &other);
            for (int r = 0; r < RECEIVERS; ++r)
                for (int n = 0; n < STEPS; ++n)
                    cr_assert(other.output[r][n] == (n < delay[k] ? 0.0 : plain.output[r][n - delay[k]]),
                              "%s, %d steps later: receiver %d, step %d", engine_description(engine),
                              delay[k], r, n);
        }
        engine_free(engine);
    }
    room_free(room);
}

/* At lambda^2 = 1/4 and without losses n steps on integers give multiples of 4^-n, also with whole drives at
 * nodes: 8 steps of small integers fit the 24 bits of single precision, 20 the 53 of double, and adding two
 * fields that fit is exact. */
Test(linearity, two_fields_and_drives_at_once_are_their_sum_exactly_where_arithmetic_is_exact)
{
    struct lossy_room *room = room_ragged(12, 20, 21, 19, 0.1, 0.05, 12);
    const size_t size = room_size(room);
    double *start = malloc(2 * 3 * size * sizeof *start); /* (level, field, node); field 2 is the sum */
    double drive[3][20];
    uint64_t random = 4;
    cr_assert(start != NULL);
    for (int n = 0; n < 20; ++n) {
        drive[0][n] = (double)(test_random(&random) % 5) - 2.0;
        drive[1][n] = (double)(test_random(&random) % 5) - 2.0;
        drive[2][n] = drive[0][n] + drive[1][n];
    }
    room_harden(room);
    for (size_t level = 0; level < 2; ++level)
        for (size_t n = 0; n < size; ++n) {
            double *value = start + 3 * level * size + n;
            value[0] = (double)(test_random(&random) % 5) - 2.0;
            value[size] = (double)(test_random(&random) % 5) - 2.0;
            value[2 * size] = value[0] + value[size];
        }
    struct back_ends all = {.mask = BACK_ENDS_ALL};
    while (back_ends_next(&all)) {
        const uint64_t steps = all.options.precision == PRECISION_SINGLE ? 8 : 20;
        struct engine *engine[3];
        int64_t node[3];
        for (size_t field = 0; field < 3; ++field) {
            engine[field] = room_engine(room, 0.5, &all.options);
            for (size_t n = 0; room_air(room, &n, node); ++n)
                for (int level = 0; level < 2; ++level)
                    engine_set(engine[field], level, node, start[(3 * (size_t)level + field) * size + n]);
            size_t at = size / 2;
            (void)room_air(room, &at, node);
            const struct stencil source = room_stencil(room, node, 0.0, 0.0, 0.0);
            MUST(engine_add_source(engine[field], &source, &failure));
            engine_run(engine[field], steps, drive[field], NULL);
        }
        for (size_t n = 0; room_air(room, &n, node); ++n)
            cr_assert(engine_get(engine[2], 0, node) ==
                          engine_get(engine[0], 0, node) + engine_get(engine[1], 0, node),
                      "%s: node (%d,%d,%d)", engine_description(engine[0]), (int)node[0], (int)node[1],
                      (int)node[2]);
        for (int field = 0; field < 3; ++field)
            engine_free(engine[field]);
    }
    free(start);
    room_free(room);
}
