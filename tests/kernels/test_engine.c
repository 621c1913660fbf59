/* The engine as an object: what it refuses, reports and leaves alone. */
#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "kernels/engine/engine_fill.h"
#include "kernels/engine/engine_share.h"
#include "kernels/engine/engine_state.h"
#include "kernels/machine/machine_memory.h"
#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"

static const struct engine_options plain = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 2};
static const int64_t origin[3] = {0, 0, 0};

static int try_create(const struct lossy_room *room, const double *admittance, size_t count,
                      const struct engine_options *options)
{
    const struct time_step step = time_step_of(1.0, 340.0, 0.0);
    struct engine *engine = NULL;
    const int code = engine_create(&engine, &room->blocks, options->layout == LAYOUT_BOX ? &room->box : NULL,
                                   &step, admittance, count, options, &failure);
    cr_assert(code == 0 ? engine != NULL : engine == NULL);
    engine_free(engine);
    return code;
}

Test(engine, materials_past_the_table_and_bad_admittances_are_refused)
{
    struct lossy_room *room = room_box(10, 9, 8, origin);
    for (int layout = 0; layout < 2; ++layout) {
        struct engine_options options = plain;
        options.layout = (enum layout)layout;
        MUST_FAIL(try_create(room, room_admittance, 3, &options), FAILURE_INPUT, "material 3");
        for (int n = 0; n < 3; ++n) {
            const double bad[] = {-0.1, NAN, INFINITY};
            const double table[ROOM_MATERIALS] = {0.0, bad[n], 0.1, 0.1};
            MUST_FAIL(try_create(room, table, ROOM_MATERIALS, &options), FAILURE_INPUT, "material 1");
        }
        MUST(try_create(room, room_admittance, ROOM_MATERIALS, &options));
    }
    room_free(room);
}

/* Two threads of an engine, played by one: what engine_run() does of a step, without the stepping. */
static uint64_t take_all(struct engine *engine, int thread, uint64_t step)
{
    struct engine_piece piece;
    uint64_t units = 0;
    while (engine_share_take(engine, thread, 2, step, &piece))
        units += piece.last - piece.first;
    return units;
}

Test(engine, a_step_is_over_without_a_thread_that_has_no_piece_of_it)
{
    struct lossy_room *room = room_box(100, 90, 40, origin);
    const struct time_step step = time_step_of(1.0, 340.0, 0.0);
    struct engine *engine = NULL;
    MUST(engine_create(&engine, &room->blocks, NULL, &step, room_admittance, ROOM_MATERIALS, &plain,
                       &failure));
    const uint64_t all = room->blocks.blocks;
    struct engine_piece piece = {0};
    cr_assert(test_above((double)all, 3 * 128), "several pieces a thread");
    for (uint64_t n = 0; n < 3; ++n) {
        cr_assert(eq(u64, step_barrier_phase(&engine->step_end), n));
        cr_assert(eq(u64, take_all(engine, 0, n), all), "thread 1 is away: thread 0 takes its share too");
        step_barrier_arrive(&engine->step_end, all, all);
        step_barrier_await(&engine->step_end, n);
    }
    cr_assert(not(engine_share_take(engine, 1, 2, 1, &piece)),
              "who comes late finds nothing of a step gone by");
    cr_assert(engine_share_take(engine, 1, 2, 3, &piece) && piece.opens && piece.share == 1);
    const uint64_t own = piece.last - piece.first;
    const uint64_t others = take_all(engine, 0, 3);
    cr_assert(eq(u64, own + others, all));
    /* A piece that is held is waited for. */
    step_barrier_arrive(&engine->step_end, others, all);
    cr_assert(eq(u64, step_barrier_phase(&engine->step_end), 3));
    step_barrier_arrive(&engine->step_end, own, all);
    cr_assert(eq(u64, step_barrier_phase(&engine->step_end), 4));
    engine_free(engine);
    room_free(room);
}

/* Of a small room most of many threads have nothing to step. */
static void run_small(const struct lossy_room *room, int threads, double *output)
{
    const struct time_step step = time_step_of(1.0, 340.0, 0.0);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, threads};
    struct engine *engine = NULL;
    MUST(engine_create(&engine, &room->blocks, NULL, &step, room_admittance, ROOM_MATERIALS, &options,
                       &failure));
    engine_fill(engine, 3);
    for (int n = 0; n < 12; ++n) {
        const struct stencil node = {.count = 1, .node = {{1 + n % 6, 1 + n % 5, 2}}, .weight = {1.0}};
        MUST(engine_add_receiver(engine, &node, &failure));
    }
    engine_run(engine, 5, NULL, output);
    engine_free(engine);
}

Test(engine, receivers_of_a_small_room_are_read_by_any_number_of_threads)
{
    struct lossy_room *room = room_box(10, 9, 8, origin);
    double one[12 * 5], many[12 * 5];
    run_small(room, 1, one);
    for (int threads = 2; threads < 20; threads += 3) {
        for (int n = 0; n < 12 * 5; ++n)
            many[n] = NAN;
        run_small(room, threads, many);
        cr_assert(memcmp(one, many, sizeof one) == 0, "%d threads", threads);
    }
    room_free(room);
}

Test(engine, a_field_past_the_memory_is_refused_before_it_is_asked_for)
{
    /* 4 x 10^9 blocks: 16 TB in single. The header alone says so, no array of the grid is read for it. */
    struct block_grid huge = {.blocks = 4000000000u};
    const struct time_step step = time_step_of(1.0, 340.0, 0.0);
    struct engine *engine = NULL;
    MUST_FAIL(engine_create(&engine, &huge, NULL, &step, NULL, 0, &plain, &failure), FAILURE_CAPACITY,
              "163840000");
    cr_assert(strstr(failure.sentence, "bytes free") != NULL, "%s", failure.sentence);
    cr_assert(engine == NULL);
}

Test(engine, without_a_device_an_engine_for_one_is_refused_with_advice)
{
    struct lossy_room *room = room_box(10, 9, 8, origin);
    if (back_ends_device() == NULL)
        for (int layout = 0; layout < 2; ++layout) {
            struct engine_options options = plain;
            options.layout = (enum layout)layout;
            options.backend = back_ends_backend();
            cr_assert(try_create(room, room_admittance, ROOM_MATERIALS, &options) == FAILURE_CAPACITY);
            cr_assert(failure.advice == ADVICE_PROCESSORS, "%s", failure.sentence);
            /* Bad input is bad input, device or not. */
            cr_assert(try_create(room, room_admittance, 3, &options) == FAILURE_INPUT);
        }
    room_free(room);
}

Test(engine, a_limit_on_the_process_counts_as_the_memory_there_is)
{
#if defined(__SANITIZE_ADDRESS__)
    cr_skip("the sanitizer's shadow needs the address space");
#endif
    const struct rlimit limit = {UINT64_C(4) << 30, UINT64_C(4) << 30};
    cr_assert(machine_memory_available() > 0);
    cr_assert(setrlimit(RLIMIT_AS, &limit) == 0);
    cr_assert(machine_memory_available() < (UINT64_C(4) << 30));
    /* 1.2 million blocks, 4.9 GB. */
    struct block_grid large = {.blocks = 1200000u};
    const struct time_step step = time_step_of(1.0, 340.0, 0.0);
    struct engine *engine = NULL;
    MUST_FAIL(engine_create(&engine, &large, NULL, &step, NULL, 0, &plain, &failure), FAILURE_CAPACITY,
              "bytes free");
}

Test(engine, a_width_that_the_processor_lacks_is_refused_and_others_say_what_they_are)
{
    struct lossy_room *room = room_box(10, 9, 8, origin);
    const char *name[] = {"", "portable", "avx2", "avx512"};
    const struct time_step step = time_step_of(1.0, 340.0, 0.0);
    for (int simd = SIMD_PORTABLE; simd <= SIMD_AVX512; ++simd) {
        struct engine_options options = plain;
        struct engine *engine = NULL;
        options.simd = (enum simd)simd;
        const int code = engine_create(&engine, &room->blocks, NULL, &step, room_admittance, ROOM_MATERIALS,
                                       &options, &failure);
        cr_assert(code == 0 || (code == FAILURE_CAPACITY && simd != SIMD_PORTABLE));
        const char *words = code == 0 ? engine_description(engine) : failure.sentence;
        cr_assert(strstr(words, name[simd]) != NULL, "%s", words);
        if (code == 0)
            cr_assert(strstr(words, "blocks, single, 2 threads") != NULL, "%s", words);
        engine_free(engine);
    }
    room_free(room);
}

Test(engine, taps_outside_the_air_are_refused)
{
    struct lossy_room *room = room_box(10, 9, 8, origin);
    struct engine *engine = room_engine(room, 0.0, &plain);
    struct stencil stencil = {.count = 1, .node = {{10, 2, 2}}, .weight = {1.0}};
    MUST_FAIL(engine_add_source(engine, &stencil, &failure), FAILURE_INPUT, "(10,2,2)");
    cr_assert(engine_sources(engine) == 0);
    stencil.node[0][0] = 9;
    stencil.weight[0] = NAN;
    cr_assert(engine_add_receiver(engine, &stencil, &failure) == FAILURE_INPUT);
    stencil.weight[0] = 1.0;
    stencil.count = 0;
    cr_assert(engine_add_receiver(engine, &stencil, &failure) == FAILURE_INPUT);
    stencil.count = 1;
    for (size_t n = 0; n < 3; ++n)
        cr_assert(engine_add_receiver(engine, &stencil, &failure) == 0 && engine_receivers(engine) == n + 1);
    engine_free(engine);
    room_free(room);
}

Test(engine, health_finds_the_node_that_is_not_finite)
{
    struct lossy_room *room = room_ragged(71, 20, 21, 22, 0.1, 0.05, 9);
    struct back_ends all = {.mask = BACK_ENDS_ALL};
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine(room, 0.0, &all.options);
        int64_t node[3], quiet[3];
        size_t n = room_size(room) / 2;
        (void)room_air(room, &n, node);
        ++n;
        (void)room_air(room, &n, quiet);
        engine_set(engine, 0, node, -3.0);
        engine_set(engine, 0, quiet, 1.0);
        struct engine_health health = engine_health(engine);
        cr_assert(health.finite && health.largest == 3.0, "%s", engine_description(engine));
        cr_assert(test_near(health.mean_square, 10.0 / (double)room->blocks.air_nodes, 1e-15), "%s",
                  engine_description(engine));
        cr_assert(test_near(health.mean, -2.0 / (double)room->blocks.air_nodes, 1e-15), "%s",
                  engine_description(engine));
        for (int k = 0; k < 2; ++k) {
            engine_set(engine, 0, node, k == 0 ? NAN : -INFINITY);
            health = engine_health(engine);
            cr_assert(health.finite == false && memcmp(health.bad_node, node, sizeof node) == 0, "%s",
                      engine_description(engine));
        }
        engine_free(engine);
    }
    room_free(room);
}

static void run_in_batches(const struct engine_options *options)
{
    enum { STEPS = 90 };
    static double drive[2][STEPS], whole[2][STEPS], parts[2][STEPS];
    struct lossy_room *room = room_ragged(72, 20, 21, 22, 0.1, 0.05, 9);
    const int batch[] = {1, 2, 30, 7, 50};
    uint64_t random = 3;
    for (int s = 0; s < 2; ++s)
        for (int n = 0; n < STEPS; ++n)
            drive[s][n] = test_uniform(&random, -1.0, 1.0);
    uint64_t hash[2];
    for (int pass = 0; pass < 2; ++pass) {
        struct engine *engine = room_engine(room, 0.0, options);
        for (int t = 0; t < 4; ++t) {
            size_t n = (size_t)(t + 1) * room_size(room) / 6;
            struct stencil stencil = {.count = 1, .weight = {1.0}};
            (void)room_air(room, &n, stencil.node[0]);
            MUST(t < 2 ? engine_add_source(engine, &stencil, &failure)
                       : engine_add_receiver(engine, &stencil, &failure));
        }
        if (pass == 0) {
            engine_run(engine, STEPS, drive[0], whole[0]);
        } else {
            int done = 0;
            for (int k = 0; k < 5; ++k) {
                double some[2 * STEPS], output[2 * STEPS];
                for (int s = 0; s < 2; ++s)
                    memcpy(some + s * batch[k], drive[s] + done, (size_t)batch[k] * sizeof *some);
                engine_run(engine, (uint64_t)batch[k], some, output);
                for (int r = 0; r < 2; ++r)
                    memcpy(parts[r] + done, output + r * batch[k], (size_t)batch[k] * sizeof *some);
                done += batch[k];
            }
            cr_assert(done == STEPS);
        }
        cr_assert(engine_steps(engine) == STEPS);
        hash[pass] = engine_hash(engine);
        engine_free(engine);
    }
    cr_assert(hash[0] == hash[1], "back end %d", (int)options->backend);
    cr_assert(memcmp(whole, parts, sizeof whole) == 0, "back end %d", (int)options->backend);
    room_free(room);
}

Test(engine, batches_of_any_length_give_the_output_of_one_run)
{
    struct back_ends all = {.mask = BACK_ENDS_ALL};
    while (back_ends_next(&all))
        run_in_batches(&all.options);
}

Test(engine, bytes_are_those_that_the_grid_predicts)
{
    struct lossy_room *room = room_ragged(73, 30, 25, 22, 0.1, 0.05, 20);
    struct engine *engine = room_engine(room, 0.0, &plain);
    cr_assert(engine_bytes(engine) ==
              2 * ((uint64_t)room->blocks.blocks + 1) * BLOCK_NODES * 4 + room->blocks.walls * 4);
    engine_free(engine);
    room_free(room);
}
