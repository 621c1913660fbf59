/* Every way of computing a step gives the same bits, and the bits that arithmetic demands where it is exact.
 */
#include <math.h>

#include "tests/support/back_ends.h"
#include "tests/support/branch_materials.h"

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
        int64_t node[3];
        size_t n = t < SOURCES ? 0 : (t - SOURCES) * (room_size(room) / RECEIVERS);
        (void)room_air(room, &n, node);
        const struct stencil stencil = room_stencil(room, node, t == 1 ? 0.0 : 0.3, -0.2, 0.1);
        MUST(t < SOURCES ? engine_add_source(engine, &stencil, &failure)
                         : engine_add_receiver(engine, &stencil, &failure));
    }
}

/* `walls` NULL: those of room_admittance. */
static void run_trace(const struct lossy_room *room, const struct wall_materials *walls,
                      const struct engine_options *options, const int *runs, struct trace *trace)
{
    const double courant = room->blocks.isotropic || walls == NULL ? 0.0 : 0.57;
    struct engine *engine =
        walls == NULL ? room_engine(room, courant, options) : room_engine_of(room, courant, walls, options);
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
static void compare_scheme(const struct lossy_room *room, const struct wall_materials *walls, unsigned mask,
                           enum precision precision, const int *runs)
{
    static struct trace reference, other;
    const struct engine_options first = {LAYOUT_BLOCKS, precision, BACKEND_REFERENCE, SIMD_AUTO, 1};
    run_trace(room, walls, &first, runs, &reference);
    struct back_ends all = {.mask = mask, .one_precision = true, .precision = precision};
    while (back_ends_next(&all)) {
        const struct engine_options *options = &all.options;
        run_trace(room, walls, options, runs, &other);
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

/* Of both schemes; the isotropic one has no inertance. */
static void compare_traces(const struct lossy_room *room, const struct wall_materials *walls, unsigned mask,
                           enum precision precision, const int *runs)
{
    struct lossy_room *wide = room_widened(room, 0.0);
    cr_assert(wide->blocks.isotropic && wide->blocks.cuts > 0);
    compare_scheme(room, walls, mask, precision, runs);
    struct wall_materials bare;
    if (walls != NULL) {
        bare = *walls;
        bare.inertance = false;
        walls = &bare;
    }
    compare_scheme(wide, walls, mask, precision, runs);
    room_free(wide);
}

Test(bits, layouts_back_ends_widths_and_threads_agree_in_single)
{
    struct lossy_room *room = room_ragged(11, 37, 29, 26, 0.1, 0.05, 26);
    /* Both kinds of block are there: open air, and mixed. */
    uint32_t open_air = 0;
    for (uint32_t b = 1; b <= room->blocks.blocks; ++b)
        open_air += room->blocks.block[b].tile == TILE_FULL;
    cr_assert(open_air > 0 && open_air < room->blocks.blocks);
    compare_traces(room, NULL, BACK_ENDS_EVERY, PRECISION_SINGLE, tens);
    room_free(room);
}

Test(bits, layouts_back_ends_widths_and_threads_agree_in_double)
{
    struct lossy_room *room = room_ragged(12, 35, 27, 30, 0.1, 0.05, 26);
    compare_traces(room, NULL, BACK_ENDS_EVERY, PRECISION_DOUBLE, tens);
    room_free(room);
}

Test(bits, a_room_smaller_than_a_vector_agrees)
{
    struct lossy_room *room = room_ragged(13, 3, 2, 5, 0.0, 0.0, 0);
    compare_traces(room, NULL, BACK_ENDS_EVERY, PRECISION_SINGLE, tens);
    compare_traces(room, NULL, BACK_ENDS_EVERY, PRECISION_DOUBLE, uneven);
    room_free(room);
}

/* The box is stepped in tiles of rows. Here a few rows fill a tile, or one is longer, so that planes are cut
 * into many and threads begin and end in the middle of them. */
Test(bits, rows_of_many_tiles_and_a_row_longer_than_a_tile_agree)
{
    static const int seven[] = {7, 0};
    /* 3 planes x 6002 floats = 72 kB: seven rows to a tile of 512 KiB, three in double. */
    struct lossy_room *room[2] = {room_ragged(31, 6000, 17, 4, 0.1, 0.05, 3),
                                  room_ragged(32, 50000, 3, 3, 0.1, 0.05, 2)};
    for (int way = 0; way < 2; ++way)
        compare_traces(room[way], NULL, BACK_ENDS_WIDTHS | BACK_ENDS_DEVICE, (enum precision)(1 - way),
                       seven);
    room_free(room[0]);
    room_free(room[1]);
}

Test(bits, runs_of_any_length_agree_in_every_back_end)
{
    /* Small, for the reference's sake: lengths matter here. */
    struct lossy_room *room = room_ragged(17, 21, 18, 19, 0.1, 0.05, 17);
    for (int precision = 0; precision < 2; ++precision)
        compare_traces(room, NULL, BACK_ENDS_ALL, (enum precision)precision, uneven);
    room_free(room);
}

Test(bits, layouts_back_ends_widths_and_threads_agree_with_walls_of_branches)
{
    /* Ragged air, where nodes touch several materials, and a box, where one follows the other for long. */
    const int64_t low[3] = {2, 5, -3};
    const int once[] = {31, 0};
    struct lossy_room *room[2] = {room_ragged(11, 21, 18, 19, 0.1, 0.05, 17), room_box(25, 10, 17, low)};
    struct wall_material material[ROOM_MATERIALS];
    uint64_t random = 21;
    draw_materials(&random, 0.57 / 340.0, ROOM_MATERIALS, 6, material);
    for (int way = 0; way < 8; ++way) {
        const struct wall_materials walls = {ROOM_MATERIALS, material, way & 1, way >> 1 & 1};
        compare_traces(room[way >> 2], &walls, BACK_ENDS_EVERY,
                       (enum precision)(__builtin_popcount((unsigned)way) & 1), once);
    }
    room_free(room[0]);
    room_free(room[1]);
}

/* Every engine, started from the levels `start`, has `now` after so many steps. */
static void expect_exactly(const struct lossy_room *room, double courant, double lambda2, size_t steps,
                           const double *start, const double *now)
{
    struct back_ends all = {.mask = BACK_ENDS_EVERY};
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine(room, courant, &all.options);
        int64_t node[3];
        cr_assert(engine->step.lambda2 == lambda2);
        for (size_t n = 0; room_air(room, &n, node); ++n) {
            engine_set(engine, 0, node, start[n]);
            engine_set(engine, 1, node, start[room_size(room) + n]);
        }
        engine_run(engine, steps, NULL, NULL);
        for (size_t n = 0; room_air(room, &n, node); ++n)
            cr_assert(engine_get(engine, 0, node) == now[n], "%s: node (%d,%d,%d) is %.9g, not %.9g",
                      engine_description(engine), (int)node[0], (int)node[1], (int)node[2],
                      engine_get(engine, 0, node), now[n]);
        engine_free(engine);
    }
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
    room_harden(room);
    expect_exactly(room, 0.5, 0.25, EXACT_STEPS, start, now);
    free(now);
    free(old);
    free(start);
    room_free(room);
}
