#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */

#include "rooms/shapes/seed_shape.h"
#include "src/bench/bench_cards.h"
#include "src/bench/bench_check.h"
#include "src/bench/bench_rooms.h"
#include "tests/support/back_ends.h"
#include "tests/support/link_grids.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(bench, .init = enter_folder, .fini = leave_folder);

/* A room of the least size, made once for each test. */
static struct bench_room room;

static void make_room_of(enum bench_shape shape, int64_t edge, struct bench_room *made)
{
    MUST(bench_room_make(shape, SCHEME_STANDARD, bench_room_nodes(shape, edge), 1, made, &failure));
    MUST(bench_room_add_box(made, &failure));
}

static struct engine *make_engine(enum layout layout, enum precision precision, enum backend backend,
                                  double courant, bool rigid)
{
    const struct engine_options options = {layout, precision, backend, SIMD_AUTO, 1};
    struct engine *engine = NULL;
    MUST(bench_engine(&room, &options, courant, rigid, &engine, &failure));
    return engine;
}

/* Some node of the air, deep in a block. */
static void any_node(int64_t node[3])
{
    const struct block *block = &room.blocks.block[room.blocks.blocks / 2 + 1];
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
        if (room.blocks.tile[block->tile][slot] != 0)
            block_node(block, slot, node);
}

Test(bench, the_rooms_are_valid_and_hold_about_as_much_air)
{
    for (int shape = 0; shape < BENCH_SHAPES; shape++)
        for (int64_t edge = BENCH_EDGE_LEAST; edge <= 64; edge += 20) {
            struct bench_room made = {0};
            make_room_of((enum bench_shape)shape, edge, &made);
            MUST(block_grid_check(&made.blocks, &failure));
            must_be_box_of(&made.box, &made.blocks);
            const double wanted = (double)(edge * edge * edge),
                         share = (double)made.blocks.air_nodes / wanted;
            cr_assert(share > 0.9 && share < 1.1, "%s %d holds %.3f of the air it should",
                      bench_shape_name[shape], (int)edge, share);
            for (uint64_t w = 0; w < made.blocks.walls; w++)
                cr_assert(lt(sz, (size_t)made.blocks.wall[w].material, made.materials));
            for (size_t m = 0; m < made.materials; m++)
                cr_assert(made.admittance[m] > 0);
            bench_room_free(&made);
        }
}

Test(bench, memory_is_predicted_on_the_safe_side_and_not_by_much)
{
    for (int shape = 0; shape < BENCH_SHAPES; shape++)
        for (unsigned real = 0; real <= 8; real += 4)
            for (int boxed = 0; boxed < 2; boxed++) {
                struct bench_room made = {0};
                uint64_t predicted = 0;
                const int64_t nodes = bench_room_nodes((enum bench_shape)shape, 96);
                MUST(
                    bench_room_bytes((enum bench_shape)shape, nodes, real, boxed != 0, &predicted, &failure));
                make_room_of((enum bench_shape)shape, 96, &made);
                const struct block_bytes bytes = block_grid_bytes(&made.blocks, real);
                const double walls = (double)made.blocks.walls;
                const double held =
                    (double)(bytes.blocks + bytes.walls) +
                    (boxed ? (double)made.box.length * (2 * real + 1) + walls * (16 + real) : 0);
                const double ratio = (double)predicted / held;
                /* Where pressures are on a device, what is held for a while counts more. */
                const double most = real == 0 ? 6 : boxed ? 1.5 : 2;
                cr_assert(ratio >= 1 && ratio < most, "%s: %llu bytes predicted, %.0f held",
                          bench_shape_name[shape], (unsigned long long)predicted, held);
                bench_room_free(&made);
            }
}

Test(bench, sixteen_billion_nodes_are_within_what_can_be_asked_for_and_held)
{
    uint64_t bytes = 0;
    const int64_t nodes = bench_room_nodes(BENCH_CROSS, 2531);
    cr_assert(eq(i64, nodes, 1480));
    cr_assert(test_above(5.0 * pow((double)nodes, 3), 16e9));
    cr_assert(test_at_most(2531, BENCH_EDGE_MOST));
    MUST(bench_room_bytes(BENCH_CROSS, nodes, 0, false, &bytes, &failure));
    cr_assert(test_at_most((double)bytes, 20e9));
    for (int shape = 0; shape < BENCH_SHAPES; shape++)
        cr_assert(test_at_most((double)bench_room_nodes((enum bench_shape)shape, BENCH_EDGE_MOST),
                               (double)SEED_SHAPE_NODES_MAX));
}

Test(bench, a_size_means_the_same_nodes_whatever_names_it)
{
    char name[BENCH_NAME_MAX];
    cr_assert(eq(str, (char *)bench_room_name(BENCH_CROSS, 512, name), "cross 5 x 512^3"));
    cr_assert(eq(str, (char *)bench_room_name(BENCH_SPHERE, 768, name), "sphere 768"));
    cr_assert(eq(str, (char *)bench_room_name(BENCH_ROOM, 0, name), "room"));
    for (int shape = 0; shape < BENCH_SHAPES; shape++) {
        struct bench_room made = {0};
        make_room_of((enum bench_shape)shape, 40, &made);
        cr_assert(eq(dbl, bench_room_stored(&made, LAYOUT_BLOCKS), made.blocks.blocks * 512.0));
        cr_assert(eq(dbl, bench_room_stored(&made, LAYOUT_BOX),
                     (double)(made.box.nodes[0] * made.box.nodes[1] * made.box.nodes[2])));
        bench_room_free(&made);
    }
}

Test(bench, right_engines_pass_the_checks)
{
    for (int shape = 0; shape < BENCH_SHAPES; shape++) {
        make_room_of((enum bench_shape)shape, BENCH_EDGE_LEAST, &room);
        for (int layout = 0; layout < 2; layout++)
            for (int precision = 0; precision < 2; precision++) {
                const struct engine_options options = {(enum layout)layout, (enum precision)precision,
                                                       BACKEND_CPU, SIMD_AUTO, 2};
                struct bench_tally tally = {0, 0};
                MUST(bench_check_small(&room, &options, &tally, &failure));
                cr_assert(eq(u64, tally.compared, 2 * room.blocks.air_nodes));
                cr_assert(eq(u64, tally.wrong, 0));
            }
        bench_room_free(&room);
    }
}

Test(bench, one_pressure_wrong_by_one_bit_is_found_and_the_answer_is_no)
{
    for (int precision = 0; precision < 2; precision++) {
        make_room_of(BENCH_CROSS, BENCH_EDGE_LEAST, &room);
        struct engine *blocks = make_engine(LAYOUT_BLOCKS, (enum precision)precision, BACKEND_CPU, 0, false);
        struct engine *box = make_engine(LAYOUT_BOX, (enum precision)precision, BACKEND_CPU, 0, false);
        struct bench_tally tally = {0, 0};
        engine_run(blocks, BENCH_CHECK_STEPS, NULL, NULL);
        engine_run(box, BENCH_CHECK_STEPS, NULL, NULL);
        MUST(bench_check_same(&room, blocks, box, &tally, &failure));

        int64_t node[3] = {0};
        any_node(node);
        const double right = engine_get(blocks, 0, node);
        const double wrong =
            precision == PRECISION_SINGLE ? (double)nextafterf((float)right, 1e9f) : nextafter(right, 1e9);
        engine_set(blocks, 0, node, wrong);
        char place[80];
        snprintf(place, sizeof place, "node (%lld,%lld,%lld)", (long long)node[0], (long long)node[1],
                 (long long)node[2]);
        MUST_FAIL(bench_check_same(&room, blocks, box, &tally, &failure), FAILURE_ANSWER_NO, place);
        cr_assert(eq(u64, tally.wrong, 1));
        cr_assert(eq(u64, tally.compared, 2 * room.blocks.air_nodes));

        /* What is no number equals nothing. */
        engine_set(blocks, 0, node, NAN);
        tally = (struct bench_tally){0, 0};
        cr_assert(eq(int, bench_check_same(&room, blocks, box, &tally, &failure), FAILURE_ANSWER_NO));
        cr_assert(eq(u64, tally.wrong, 1));
        engine_free(blocks);
        engine_free(box);
        bench_room_free(&room);
    }
}

Test(bench, whole_numbers_are_exact_and_any_other_start_is_not_accepted)
{
    make_room_of(BENCH_SPHERE, BENCH_EDGE_LEAST, &room);
    for (int disturbed = 0; disturbed < 2; disturbed++) {
        struct engine *engine = make_engine(LAYOUT_BOX, PRECISION_SINGLE, BACKEND_CPU, 0.5, true);
        struct bench_tally tally = {0, 0};
        int64_t node[3] = {0};
        any_node(node);
        if (disturbed)
            engine_set(engine, 1, node, engine_get(engine, 1, node) + 1);
        engine_run(engine, BENCH_CHECK_STEPS, NULL, NULL);
        const int code = bench_check_exact(&room, engine, &tally, &failure);
        cr_assert(eq(int, code, disturbed ? FAILURE_ANSWER_NO : FAILURE_NONE));
        const bool found = tally.wrong > 0;
        cr_assert(found == (disturbed != 0));
        cr_assert(eq(u64, tally.compared, room.blocks.air_nodes));
        engine_free(engine);
    }
    /* Walls that absorb are not the textbook's. */
    struct engine *lossy = make_engine(LAYOUT_BOX, PRECISION_SINGLE, BACKEND_CPU, 0.5, false);
    struct bench_tally tally = {0, 0};
    engine_run(lossy, BENCH_CHECK_STEPS, NULL, NULL);
    cr_assert(eq(int, bench_check_exact(&room, lossy, &tally, &failure), FAILURE_ANSWER_NO));
    engine_free(lossy);
    bench_room_free(&room);
}

/* A cube of 24: after so many steps what is so far from its walls is known. */
Test(bench, whole_numbers_of_the_isotropic_scheme_are_exact_where_nodes_are_whole)
{
    const uint64_t known = 16 * 16 * 16;
    MUST(bench_room_make(BENCH_CUBE, SCHEME_ISOTROPIC, 24, 1, &room, &failure));
    MUST(bench_room_add_box(&room, &failure));
    cr_assert(bench_room_has_textbook(&room));
    cr_assert(eq(dbl, room.step.lambda2, 0.375));
    struct back_ends all = {.mask = BACK_ENDS_CPU};
    while (back_ends_next(&all)) {
        struct engine *engine = NULL;
        struct bench_tally tally = {0, 0};
        const int64_t node[3] = {12, 11, 13};
        MUST(bench_engine(&room, &all.options, 0.5, true, &engine, &failure));
        engine_run(engine, BENCH_ISOTROPIC_STEPS, NULL, NULL);
        MUST(bench_check_exact(&room, engine, &tally, &failure));
        cr_assert(eq(u64, tally.compared, known), "%s", engine_description(engine));
        engine_set(engine, 0, node, engine_get(engine, 0, node) + 1);
        cr_assert(eq(int, bench_check_exact(&room, engine, &tally, &failure), FAILURE_ANSWER_NO));
        cr_assert(eq(u64, tally.wrong, 1));
        cr_assert(strstr(failure.sentence, "lambda^2 = 3/8") != NULL, "%s", failure.sentence);
        engine_free(engine);
    }
    bench_room_free(&room);
    make_room_of(BENCH_CUBE, BENCH_EDGE_LEAST, &room);
    cr_assert(bench_room_has_textbook(&room));
    bench_room_free(&room);
}

/* ---- the command ---- */

/* Small arrays and rooms: what is tested here are the figures' names and sense, not the machine. */
#define QUICK_TIME "--arrays", "0.05", "--time", "0.1"
#define QUICK      "--nodes", "24", QUICK_TIME

static cJSON *read_cases(int count)
{
    cJSON *object = read_json("out");
    cr_assert(eq(int, cJSON_GetArraySize(record_at(object, "cases")), count));
    return object;
}

/* What `bench` says of so many cases. */
#define BENCH(count, ...) (expect_status(RUN("bench", __VA_ARGS__, "--json"), 0), read_cases(count))

static bool is(const cJSON *entry, const char *name, const char *text)
{
    return strcmp(text_of(entry, name), text) == 0;
}

/* Whole numbers are compared at four steps of the standard scheme, of the other at fewer. */
static void expect_sixteen_cases(const char *scheme, double compared)
{
    cJSON *object = BENCH(16, QUICK, "--threads", "1", "--scheme", scheme);
    const cJSON *entry = NULL;
    cr_assert(is(object, "scheme", scheme));
    cr_assert(number(object, "stream_node_updates_per_second") > 1e6);
    cr_assert(number(object, "cross_speedup") > 0);
    cr_assert(eq(dbl, number(object, "threads"), 1));
    bool seen[BENCH_SHAPES][2][2] = {{{false}}};
    cJSON_ArrayForEach(entry, record_at(object, "cases"))
    {
        int shape = 0;
        while (shape < BENCH_SHAPES && !is(entry, "shape", bench_shape_name[shape]))
            shape++;
        cr_assert(lt(int, shape, BENCH_SHAPES));
        const bool box = is(entry, "layout", "box");
        const bool twice = is(entry, "precision", "double");
        cr_assert(seen[shape][box][twice] == false);
        seen[shape][box][twice] = true;
        cr_assert(is(entry, "backend", "cpu") && is(entry, "walls", "first-order"));
        cr_assert(eq(dbl, number(entry, "values_wrong"), 0));
        cr_assert(number(entry, "values_compared") >= compared * 0.9 * 24 * 24 * 24);
        /* The figures of a case agree with one another. */
        const double rate = number(entry, "node_updates_per_second"),
                     limit = number(entry, "stream_node_updates_per_second");
        cr_assert(rate > 0);
        cr_assert(fabs(number(entry, "nodes") / number(entry, "seconds_per_step") / rate - 1) < 1e-9);
        cr_assert(fabs(rate / limit / number(entry, "share_of_limit") - 1) < 1e-9);
        cr_assert(number(entry, "median_share_of_limit") > 0);
    }
    cJSON_Delete(object);
}

Test(bench, sixteen_cases_in_one_object_with_rates_and_shares)
{
    expect_sixteen_cases("standard", 4);
    expect_sixteen_cases("isotropic", 1);
}

Test(bench, words_name_every_case_and_the_cross)
{
    expect_status(RUN("bench", QUICK, "--shape", "cross", "--threads", "2", "--quiet"), 0);
    expect_words("out", "limit", "cross   blocks single", "cross   box    double", "wrong=0/",
                 "times as fast in blocks");
    char *err = read_text("err");
    cr_assert(eq(str, err, ""));
}

#define BENCH_CUBE_ROOM(status, ...)                                                                         \
    expect_status(RUN("bench", "cube.obj", "--fmax", "250", QUICK_TIME, "--backend", "cpu", __VA_ARGS__),    \
                  status)
#define PLAIN_WALLS "--walls", "first-order", "--scheme", "standard", "--materials", "one.csv"

Test(bench, first_order_walls_of_one_number_keep_no_states_and_no_account)
{
    expect_status(RUN("room", "cube", "-o", "cube.obj", "--quiet"), 0);
    BENCH_CUBE_ROOM(0, "--threads", "1");
    expect_words("err", " branches where they are, and an account of what they absorb; ");
    BENCH_CUBE_ROOM(0, "--walls", "staircase");
    expect_words("err", "along the faces of cells and an account of what they absorb; ");
    BENCH_CUBE_ROOM(0, "--walls", "staircase", "--scheme", "standard");
    expect_words("err", "behind half a cell of air and an account of what they absorb; ");
    BENCH_CUBE_ROOM(FAILURE_INPUT, PLAIN_WALLS);
    write_text("one.csv", "material,500\nplaster,0.1\nwall,0.1\nfloor,0.1\nceiling,0.1\n");
    BENCH_CUBE_ROOM(0, PLAIN_WALLS);
    expect_words("err", ", first-order; ");
    expect_words("out", "wrong=0/");
}

Test(bench, auto_says_what_it_measures_and_why_and_the_reference_is_a_back_end_too)
{
    /* --arrays keeps it on the processors. */
    cJSON *object = BENCH(1, QUICK, "--shape", "cube", "--layout", "blocks", "--precision", "single");
    expect_words("err", "on the CPU: ");
    cr_assert(is(object, "backend", "cpu"));
    cr_assert(is(object, "backend_asked", "auto"));
    expect_words("err", text_of(object, "backend_because"));
    cr_assert(record_at(object, "device") == NULL);
    cJSON_Delete(object);
    object = BENCH(4, QUICK, "--shape", "cube", "--backend", "reference");
    cr_assert(is(record_at(object, "cases.0"), "backend", "reference"));
    cr_assert(is(object, "backend_asked", "reference"));
    cJSON_Delete(object);
}

Test(bench, what_does_not_fit_or_makes_no_sense_is_refused)
{
#if !defined(__SANITIZE_ADDRESS__) /* which needs an address space of its own */
    space_limit = (rlim_t)1200 << 20;
    expect_status(RUN("bench", "--backend", "cpu", "--nodes", "400"), FAILURE_CAPACITY);
    expect_words("err", "bytes", "--nodes");
    char *out = read_text("out");
    cr_assert(eq(str, out, ""));
#endif
    expect_status(RUN("bench", "--nodes", "23"), FAILURE_INPUT);
    expect_status(RUN("bench", "--time", "nan"), FAILURE_INPUT);
    expect_status(RUN("bench", "cube"), FAILURE_INPUT);
    REFUSED("--scaling is for shapes on several GPUs", "bench", "--scaling", "strong", "--backend", "cpu");
}

Test(bench, a_layout_and_a_precision_can_be_asked_for_alone)
{
    cJSON *object = BENCH(1, QUICK, "--shape", "cross", "--layout", "blocks", "--precision", "double");
    const cJSON *entry = record_at(object, "cases.0");
    cr_assert(is(entry, "layout", "blocks"));
    cr_assert(is(entry, "precision", "double"));
    cr_assert(eq(dbl, number(entry, "shape_nodes"), (double)bench_room_nodes(BENCH_CROSS, 24)));
    cr_assert(test_above(number(entry, "share_of_limit"), 0));
    cr_assert(cJSON_IsNull(record_at(object, "cross_speedup")));
    cJSON_Delete(object);
}

Test(bench, a_room_of_the_users_is_set_up_as_plan_does_it)
{
    write_cube();
    cJSON *object = BENCH(4, "cube.obj", "--spacing", "5cm", QUICK_TIME);
    expect_words("err", "count as 0.1");
    expect_status(RUN("plan", "cube.obj", "--spacing", "5cm", "--json"), 0);
    cJSON *plan = read_json("out");
    const cJSON *entry = NULL;
    cJSON_ArrayForEach(entry, record_at(object, "cases"))
    {
        const bool box = is(entry, "layout", "box");
        cr_assert(is(entry, "shape", "room"));
        cr_assert(is(entry, "walls", text_of(plan, "walls")));
        cr_assert(eq(dbl, number(entry, "nodes"), number(plan, box ? "box_nodes" : "stored_nodes")));
        cr_assert(eq(dbl, number(entry, "values_wrong"), 0));
        cr_assert(test_above(number(entry, "values_compared"), 0));
        cr_assert(test_above(number(entry, "seconds_per_step"), 0));
    }
    cJSON_Delete(object);
    expect_status(RUN("bench", "cube.obj", "--spacing", "5cm", QUICK_TIME, "--shape", "cube"), FAILURE_INPUT);
    expect_words("err", "--shape");
}

Test(bench, a_device_is_measured_beside_its_own_copy_and_one_that_is_missing_is_reported)
{
    if (back_ends_device() == NULL || back_ends_backend() != BACKEND_CUDA) {
        expect_status(RUN("bench", "--backend", "cuda"), FAILURE_CAPACITY);
        expect_words("err", "no CUDA device can be used", "--backend cpu");
        return;
    }
    cJSON *object = BENCH(4, "--backend", "cuda", "--nodes", "48", "--shape", "cross", "--time", "0.2",
                          "--scheme", "standard");
    const cJSON *entry = NULL;
    const double copy = number(object, "copy_bytes_per_second");
    cr_assert(test_above(copy, 1e9));
    cJSON_ArrayForEach(entry, record_at(object, "cases"))
    {
        const bool box = is(entry, "layout", "box"), twice = is(entry, "precision", "double");
        const double bytes = (twice ? 24 : 12) + (box ? 1 : 0),
                     rate = number(entry, "node_updates_per_second");
        cr_assert(is(entry, "backend", "cuda"));
        cr_assert(eq(dbl, number(entry, "values_wrong"), 0));
        cr_assert(test_above(number(entry, "values_compared"), 8 * 512));
        cr_assert(eq(dbl, number(entry, "bytes_a_node"), bytes));
        cr_assert(test_near(number(entry, "share_of_limit") * copy, rate * bytes, 1e-6 * copy));
        cr_assert(test_near(number(entry, "nodes") / number(entry, "seconds_per_step"), rate, 1e-6 * rate));
    }
    cr_assert(eq(int, cJSON_GetArraySize(record_at(object, "seed_kernels")), 4));
    cr_assert(test_above(number(object, "cross_speedup"), 0));
    cJSON_Delete(object);
}

/* The one message between two halves of a cube of 24 nodes: 9 blocks a plane, 64 values each, both ways. */
Test(bench, a_room_in_parts_is_timed_beside_one_part_with_what_they_exchange)
{
    cJSON *object =
        BENCH(4, "--parts", "3", "--nodes", "24", "--time", "0.2", "--threads", "1", "--precision", "double");
    const cJSON *entry = NULL;
    cr_assert(eq(dbl, number(object, "parts"), 3));
    cJSON_ArrayForEach(entry, record_at(object, "cases"))
    {
        cr_assert(is(entry, "precision", "double"));
        cr_assert(test_above(number(entry, "bytes_a_step"), 2 * 9 * 64 * 8 - 1));
        cr_assert(test_above(number(entry, "share_of_one_part"), 0.01));
        cr_assert(test_above(number(entry, "node_updates_per_second"), 0));
    }
    cJSON_Delete(object);
    expect_status(RUN("bench", "--parts", "2", "--layout", "box"), FAILURE_INPUT);
    expect_words("err", "leave out --layout box");
    expect_status(RUN("bench", "--parts", "2000"), FAILURE_INPUT);
}

Test(bench, cards_are_counted_in_powers_of_two_or_at_both_ends)
{
    unsigned count[BENCH_COUNTS_MOST];
    cr_assert(all(eq(uint, bench_card_counts(6, false, count), 4), eq(uint, count[0], 1),
                  eq(uint, count[1], 2), eq(uint, count[2], 4), eq(uint, count[3], 6)));
    cr_assert(
        all(eq(uint, bench_card_counts(8, true, count), 2), eq(uint, count[0], 1), eq(uint, count[1], 8)));
}

Test(bench, an_interrupt_ends_it_with_130)
{
    const pid_t child = start(
        NULL, (const char *const[]){TEST_PROGRAM, "bench", QUICK, "--time", "1h", "--threads", "1", NULL});
    const struct timespec moment = {.tv_sec = 2};
    nanosleep(&moment, NULL);
    kill(child, SIGINT);
    cr_assert(eq(int, finish(child), FAILURE_INTERRUPTED));
    char *out = read_text("out");
    cr_assert(eq(str, out, ""));
}
