
#include "src/bench/bench_far_end.h"
#include "src/bench/bench_points.h"
#include "src/base/options/scheme_options.h"
#include "tests/support/back_ends.h"
#include "tests/support/outcome.h"

static struct bench_room room;

static void make_room_of(enum scheme scheme, enum bench_shape shape, int64_t edge)
{
    MUST(bench_room_make(shape, scheme, bench_room_nodes(shape, edge), 1, &room, &failure));
    MUST(bench_room_add_box(&room, &failure));
}

static void make_room(enum bench_shape shape, int64_t edge)
{
    make_room_of(SCHEME_STANDARD, shape, edge);
}

static struct engine *make_engine(const struct engine_options *options, bool rigid)
{
    struct engine *engine = NULL;
    MUST(bench_engine(&room, options, 0.5, rigid, &engine, &failure));
    return engine;
}

/* The last node of the air in a block, and its slot. */
static unsigned last_node(block_id id, int64_t node[3])
{
    const struct block *block = &room.blocks.block[id];
    unsigned slot = BLOCK_NODES - 1;
    while (room.blocks.tile[block->tile][slot] == 0)
        slot--;
    block_node(block, slot, node);
    return slot;
}

/* How many values are found wrong; `failure` names the first. */
static uint64_t wrong_values(const struct engine *engine)
{
    struct bench_tally tally = {0, 0};
    const int code = bench_check_far_end(&room, engine, &tally, &failure);
    cr_assert(eq(int, code, tally.wrong > 0 ? FAILURE_ANSWER_NO : 0), "%s: %s", engine_description(engine),
              failure.sentence);
    cr_assert(tally.wrong > 0 || tally.compared == BENCH_FAR_BLOCKS * BLOCK_NODES);
    return tally.wrong;
}

Test(bench_far_end, right_engines_pass_after_any_number_of_steps)
{
    static const uint64_t some[] = {0, 1, BENCH_FAR_STEPS - 1};
    for (int shape = 0; shape < BENCH_SHAPES; shape++) {
        make_room((enum bench_shape)shape, 40);
        struct back_ends all = {.mask = BACK_ENDS_ALL};
        while (back_ends_next(&all)) {
            struct engine *engine = make_engine(&all.options, true);
            for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
                engine_run(engine, some[i], NULL, NULL);
                cr_assert(eq(u64, wrong_values(engine), 0));
            }
            engine_free(engine);
        }
        bench_room_free(&room);
    }
}

Test(bench_far_end, one_wrong_value_in_the_first_middle_or_last_block_is_found_and_named)
{
    make_room(BENCH_SPHERE, 40);
    const block_id last = room.blocks.blocks, ids[] = {1, last / 2 + 1, last, last - 1};
    struct back_ends all = {.mask = BACK_ENDS_CPU | BACK_ENDS_DEVICE};
    while (back_ends_next(&all))
        for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
            struct engine *engine = make_engine(&all.options, true);
            int64_t node[3];
            char place[80];
            const unsigned slot = last_node(ids[i], node);
            engine_run(engine, BENCH_FAR_STEPS, NULL, NULL);
            engine_set(engine, 0, node, engine_get(engine, 0, node) + 1);
            cr_assert(eq(u64, wrong_values(engine), 1));
            snprintf(place, sizeof place, "node (%lld,%lld,%lld), slot %u of block %u of %u",
                     (long long)node[0], (long long)node[1], (long long)node[2], slot, ids[i], last);
            cr_assert(strstr(failure.sentence, place) != NULL, "%s", failure.sentence);
            engine_set(engine, 0, node, NAN);
            cr_assert(eq(u64, wrong_values(engine), 1));
            engine_free(engine);
        }
    bench_room_free(&room);
}

Test(bench_far_end, what_was_wrong_nearby_before_the_steps_is_found)
{
    make_room(BENCH_CUBE, 64);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct engine *engine = make_engine(&options, true);
    /* As many nodes away from the middle block as there are steps: it has just come there. */
    const struct block *middle = &room.blocks.block[room.blocks.blocks / 2 + 1];
    int64_t node[3];
    for (int axis = 0; axis < 3; axis++)
        node[axis] = (int64_t)middle->place[axis] * BLOCK_EDGE + 3;
    node[0] += node[0] < 32 ? BLOCK_EDGE - 1 - 3 + BENCH_FAR_STEPS : -3 - BENCH_FAR_STEPS;
    cr_assert(block_grid_links(&room.blocks, node) != 0);
    engine_set(engine, 0, node, engine_get(engine, 0, node) + 1);
    engine_run(engine, BENCH_FAR_STEPS, NULL, NULL);
    cr_assert(eq(u64, wrong_values(engine), 1));
    engine_free(engine);

    /* Walls that absorb are not those of the check. */
    engine = make_engine(&options, false);
    engine_run(engine, BENCH_FAR_STEPS, NULL, NULL);
    cr_assert(test_above((double)wrong_values(engine), 0));
    engine_free(engine);
    bench_room_free(&room);
}

Test(bench_far_end, a_block_is_read_as_its_nodes_are_and_zero_where_no_air_is)
{
    make_room(BENCH_SPHERE, 30);
    struct back_ends all = {.mask = BACK_ENDS_CPU | BACK_ENDS_DEVICE};
    while (back_ends_next(&all)) {
        struct engine *engine = make_engine(&all.options, true);
        engine_run(engine, 3, NULL, NULL);
        for (block_id id = 1; id <= room.blocks.blocks; id++) {
            const struct block *block = &room.blocks.block[id];
            double values[BLOCK_NODES];
            engine_read_block(engine, id, values);
            for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
                int64_t node[3];
                block_node(block, slot, node);
                const bool air = room.blocks.tile[block->tile][slot] != 0;
                /* Not asked of a device before the block was: engine_get() copies its field to the host. */
                if (!backend_is_device(all.options.backend))
                    cr_assert(eq(dbl, values[slot], air ? engine_get(engine, 0, node) : 0.0));
                else if (!air)
                    cr_assert(eq(dbl, values[slot], 0.0));
            }
        }
        back_ends_sound(engine);
        engine_free(engine);
    }
    bench_room_free(&room);
}

/* ---- source and receivers of timed engines ---- */

Test(bench_far_end, receivers_of_timed_engines_record_their_source_and_they_step_as_often_as_asked)
{
    for (int n = 0; n < SCHEMES * BENCH_SHAPES; n++) {
        make_room_of((enum scheme)(n % SCHEMES), (enum bench_shape)(n / SCHEMES), 40);
        for (int layout = 0; layout < 2; layout++) {
            const struct engine_options options = {(enum layout)layout, PRECISION_SINGLE, BACKEND_CPU,
                                                   SIMD_AUTO, 1};
            struct engine *engine = make_engine(&options, false);
            double seconds = 0;
            engine_reset(engine);
            MUST(bench_add_points(&room, engine, &failure));
            MUST(bench_run_points(engine, BENCH_BATCH + 7, &seconds, &failure));
            cr_assert(eq(u64, engine_steps(engine), BENCH_BATCH + 7));
            cr_assert(test_above(seconds, 0));
            double output[BENCH_RECEIVERS];
            engine_run(engine, 1, NULL, output);
            for (int r = 0; r < BENCH_RECEIVERS; r++)
                cr_assert(test_above(fabs(output[r]), 0));
            engine_free(engine);
        }
        bench_room_free(&room);
    }
}
