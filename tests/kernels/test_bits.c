/* Every way of computing a step gives the same bits, and the bits that arithmetic demands where it is exact.
 */
#include <math.h>

#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"
#include "tests/support/outcome.h"

#define SOURCES   3
#define RECEIVERS 5
#define RUNS_MAX  6
#define STEPS_MAX 811

/* The lengths of the runs that a trace is made of, ended by 0: one after the other. */
static const int tens[] = {10, 10, 10, 10, 10, 10, 0};
/* What a device takes in one go, and what is left over: alone, odd, whole, one past the whole, many. */
static const int uneven[] = {1, 7, 64, 129, 600, 10, 0};

struct trace {
    uint64_t hash[RUNS_MAX];              /* after each run */
    double output[RECEIVERS * STEPS_MAX]; /* of one run after the other, each (receivers, steps) */
};

/* Sources, the first in a corner at the wall and the last two where one of its nodes is; receivers in all of
 * the room. */
static void add_taps(const struct lossy_room *room, struct engine *engine)
{
    for (size_t t = 0; t < SOURCES + RECEIVERS; ++t) {
        struct tap tap;
        int64_t node[3];
        size_t n = t < SOURCES ? 0 : (t - SOURCES) * (room_size(room) / RECEIVERS);
        while (room->link[n] == 0)
            ++n;
        room_node(room, n, node);
        const double off = t == 1 ? 0.0 : 0.3,
                     position[3] = {(double)node[0] + off, (double)node[1] - 0.2, (double)node[2] + 0.1};
        MUST(tap_make(&room->blocks, position, node, INTERPOLATION_CUBIC, &tap, &failure));
        const int code = t < SOURCES ? engine_add_source(engine, &tap, NULL, &failure)
                                     : engine_add_receiver(engine, &tap, NULL, &failure);
        cr_assert(code == 0, "%s", failure.sentence);
    }
}

static void run_trace(const struct lossy_room *room, const struct engine_options *options, const int *runs,
                      struct trace *trace)
{
    struct engine *engine = room_engine(room, 0.0, options);
    static double drive[SOURCES * STEPS_MAX];
    uint64_t random = 77;
    size_t done = 0;
    memset(trace, 0, sizeof *trace);
    add_taps(room, engine);
    room_excite(room, engine, 5);
    for (int run = 0; runs[run] != 0; ++run) {
        const size_t steps = (size_t)runs[run];
        cr_assert(run < RUNS_MAX && done + steps <= STEPS_MAX);
        for (size_t n = 0; n < SOURCES * steps; ++n)
            drive[n] = n % 7 == 3 ? 0.0 : test_uniform(&random, -1.0, 1.0);
        engine_run(engine, steps, drive, trace->output + RECEIVERS * done);
        trace->hash[run] = engine_hash(engine);
        done += steps;
    }
    cr_assert(engine_steps(engine) == done);
    cr_assert(engine_health(engine).finite);
    cr_assert(engine_health(engine).largest > 1e-3);
    back_ends_sound(engine);

    /* What is not air never moves. */
    engine_map(engine);
    for (uint64_t index = 0; index < engine->length; ++index)
        if (engine_links(engine, index) == 0)
            cr_assert(engine_value(engine, engine->u, index) == 0.0 &&
                          engine_value(engine, engine->u_old, index) == 0.0,
                      "%s: index %llu is not air, but has a pressure", engine_description(engine),
                      (unsigned long long)index);
    engine_free(engine);
}

/* The same traces from every back end of the mask as from the reference. */
static void compare_traces(const struct lossy_room *room, unsigned mask, enum precision precision,
                           const int *runs)
{
    static struct trace reference, other;
    const struct engine_options first = {LAYOUT_BLOCKS, precision, BACKEND_REFERENCE, SIMD_AUTO, 1};
    run_trace(room, &first, runs, &reference);
    struct back_ends all = {.mask = mask, .one_precision = true, .precision = precision};
    while (back_ends_next(&all)) {
        const struct engine_options *options = &all.options;
        run_trace(room, options, runs, &other);
        size_t done = 0;
        for (int run = 0; runs[run] != 0; ++run) {
            const size_t steps = (size_t)runs[run], values = RECEIVERS * steps, at = RECEIVERS * done;
            done += steps;
            for (size_t n = 0; n < values; ++n)
                cr_assert(memcmp(&reference.output[at + n], &other.output[at + n], sizeof(double)) == 0,
                          "layout %d, back end %d, width %d, %d threads: receiver %zu, sample %zu is %.17g, "
                          "not %.17g",
                          (int)options->layout, (int)options->backend, (int)options->simd, options->threads,
                          n / steps, done - steps + n % steps, other.output[at + n],
                          reference.output[at + n]);
            cr_assert(reference.hash[run] == other.hash[run],
                      "layout %d, back end %d, width %d, %d threads: field at step %zu", (int)options->layout,
                      (int)options->backend, (int)options->simd, options->threads, done);
        }
    }
}

Test(bits, layouts_back_ends_widths_and_threads_agree_in_single)
{
    struct lossy_room *room = room_ragged(11, 37, 29, 26, 0.1, 0.05, 26);
    /* Both kinds of block are there: open air, and mixed. */
    uint32_t open_air = 0;
    for (uint32_t b = 1; b <= room->blocks.blocks; ++b)
        open_air += room->blocks.block[b].tile == TILE_FULL;
    cr_assert(open_air > 0 && open_air < room->blocks.blocks);
    compare_traces(room, BACK_ENDS_EVERY, PRECISION_SINGLE, tens);
    room_free(room);
}

Test(bits, layouts_back_ends_widths_and_threads_agree_in_double)
{
    struct lossy_room *room = room_ragged(12, 35, 27, 30, 0.1, 0.05, 26);
    compare_traces(room, BACK_ENDS_EVERY, PRECISION_DOUBLE, tens);
    room_free(room);
}

Test(bits, a_room_smaller_than_a_vector_agrees)
{
    struct lossy_room *room = room_ragged(13, 3, 2, 5, 0.0, 0.0, 0);
    compare_traces(room, BACK_ENDS_EVERY, PRECISION_SINGLE, tens);
    compare_traces(room, BACK_ENDS_EVERY, PRECISION_DOUBLE, uneven);
    room_free(room);
}

Test(bits, runs_of_any_length_agree_in_every_back_end)
{
    /* Small, for the reference's sake: lengths matter here. */
    struct lossy_room *room = room_ragged(17, 21, 18, 19, 0.1, 0.05, 17);
    for (int precision = 0; precision < 2; ++precision)
        compare_traces(room, BACK_ENDS_ALL, (enum precision)precision, uneven);
    room_free(room);
}

Test(bits, small_integers_at_a_quarter_are_exact_in_every_engine)
{
    /* lambda2 = 1/4 and values -3..3: eight steps stay exact in float, so the plain textbook form in double,
     * in whatever order, is the only possible answer. Walls are rigid here: nothing divides. */
    enum { EXACT_STEPS = 8 };
    struct lossy_room *room = room_ragged(14, 33, 21, 19, 0.15, 0.1, 17);
    const size_t size = room_size(room);
    double *now = calloc(size, sizeof *now), *old = calloc(size, sizeof *old),
           *start = calloc(2 * size, sizeof *start);
    uint64_t random = 3;
    cr_assert(now && old && start);
    for (size_t n = 0; n < size; ++n) {
        start[n] = (double)(test_random(&random) % 7) - 3.0;
        start[size + n] = (double)(test_random(&random) % 7) - 3.0;
        now[n] = room->link[n] ? start[n] : 0.0;
        old[n] = room->link[n] ? start[size + n] : 0.0;
    }
    for (int step = 0; step < EXACT_STEPS; ++step) {
        for (size_t n = 0; n < size; ++n) {
            double next = 2.0 * now[n] - old[n];
            for (int axis = 2; axis >= 0; --axis) {
                if (room->link[n] >> (2 * axis + 1) & 1)
                    next += 0.25 * (now[n + room_stride(room, axis)] - now[n]);
                if (room->link[n] >> (2 * axis) & 1)
                    next += 0.25 * (now[n - room_stride(room, axis)] - now[n]);
            }
            old[n] = next;
        }
        double *swap = now;
        now = old;
        old = swap;
    }
    const double rigid[ROOM_MATERIALS] = {0.0};
    /* An open face is never rigid; rooms drawn with one keep it, so give every wall material 0 here. */
    for (uint64_t w = 0; w < room->blocks.walls; ++w)
        room->blocks.wall[w].material = 0;
    for (uint64_t w = 0; w < room->box.walls; ++w)
        room->box.wall[w].material = 0;
    struct time_step step;
    MUST(time_step_choose(1.0, 340.0, 0.5, &step, &failure));
    cr_assert(step.lambda2 == 0.25);
    struct back_ends all = {.mask = BACK_ENDS_EVERY};
    while (back_ends_next(&all)) {
        struct engine *engine = NULL;
        cr_assert(engine_create(&engine, &room->blocks, all.options.layout == LAYOUT_BOX ? &room->box : NULL,
                                &step, rigid, ROOM_MATERIALS, &all.options, &failure) == 0,
                  "%s", failure.sentence);
        for (size_t n = 0; n < size; ++n) {
            int64_t node[3];
            room_node(room, n, node);
            if (room->link[n] == 0)
                continue;
            engine_set(engine, 0, node, start[n]);
            engine_set(engine, 1, node, start[size + n]);
        }
        engine_run(engine, EXACT_STEPS, NULL, NULL);
        for (size_t n = 0; n < size; ++n) {
            int64_t node[3];
            room_node(room, n, node);
            if (room->link[n] != 0)
                cr_assert(engine_get(engine, 0, node) == now[n], "%s: node (%d,%d,%d) is %.9g, not %.9g",
                          engine_description(engine), (int)node[0], (int)node[1], (int)node[2],
                          engine_get(engine, 0, node), now[n]);
        }
        engine_free(engine);
    }
    free(now);
    free(old);
    free(start);
    room_free(room);
}
