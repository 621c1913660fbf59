/* An engine on a device keeps every promise of kernels/engine/engine.h: held against one on the processor
 * that is asked the same. Rooms of other sizes: test_device_rooms. */
#include "kernels/engine/engine_fill.h"
#include "tests/support/branch_materials.h"
#include "tests/support/device_pair.h"
#include "tests/support/outcome.h"

static struct lossy_room *make_room(void)
{
    return room_ragged(81, 37, 30, 33, 0.12, 0.06, 26);
}

/* The room on both, blocks and box in single and then in double. */
#define PAIRS 4
static struct device_pair pair_of(const struct lossy_room *room, int which)
{
    return device_pair_make(&room->blocks, which & 1 ? &room->box : NULL, (enum precision)(which >> 1));
}

/* A claim about each of these. */
#define TEST_PAIRS(claim)                                                                                    \
    static void claim(const struct lossy_room *room, struct device_pair *pair);                              \
    Test(device_engine, claim)                                                                               \
    {                                                                                                        \
        NEEDS_DEVICE();                                                                                      \
        each_pair(claim);                                                                                    \
    }                                                                                                        \
    static void claim(const struct lossy_room *room, struct device_pair *pair)

static void each_pair(void (*claim)(const struct lossy_room *room, struct device_pair *pair))
{
    struct lossy_room *room = make_room();
    for (int which = 0; which < PAIRS; ++which) {
        struct device_pair pair = pair_of(room, which);
        claim(room, &pair);
        device_pair_free(&pair);
    }
    room_free(room);
}

/* Every air node of both levels. */
static void same_field(const struct lossy_room *room, const struct device_pair *pair)
{
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3];
        if (room->link[n] == 0)
            continue;
        room_node(room, n, node);
        for (int level = 0; level < 2; ++level)
            cr_assert(engine_get(pair->device, level, node) == engine_get(pair->host, level, node),
                      "%s: level %d of node (%d,%d,%d) is %.9g, not %.9g", engine_description(pair->device),
                      level, (int)node[0], (int)node[1], (int)node[2], engine_get(pair->device, level, node),
                      engine_get(pair->host, level, node));
    }
}

/* Sets both levels of a node in both engines. */
static void set_both(struct device_pair *pair, const int64_t node[3], double now, double old)
{
    engine_set(pair->host, 0, node, now);
    engine_set(pair->device, 0, node, now);
    engine_set(pair->host, 1, node, old);
    engine_set(pair->device, 1, node, old);
}

static void some_air(const struct lossy_room *room, size_t n, int64_t node[3])
{
    for (n %= room_size(room); room->link[n] == 0;)
        n = (n + 1) % room_size(room);
    room_node(room, n, node);
}

Test(device_engine, any_number_of_sources_and_receivers_gives_the_processors_samples)
{
    static const size_t count[][2] = {{0, 0}, {0, 16}, {1, 0}, {1, 1}, {3, 16}, {100, 1000}};
    NEEDS_DEVICE();
    struct lossy_room *room = make_room();
    for (size_t c = 0; c < sizeof count / sizeof *count; ++c) {
        for (int which = 0; which < PAIRS; ++which) {
            struct device_pair pair = pair_of(room, which);
            device_pair_spread(&pair, count[c][0], true);
            device_pair_spread(&pair, count[c][1], false);
            room_excite(room, pair.host, 5);
            room_excite(room, pair.device, 5);
            device_pair_run(&pair, 131);
            device_pair_run(&pair, 2);
            device_pair_free(&pair);
        }
    }
    room_free(room);
}

TEST_PAIRS(sources_at_one_node_add_up_in_their_order)
{
    int64_t node[3];
    struct stencil stencil;
    /* Ten at one node in a corner, one of them over eight nodes with it; weights that round. */
    some_air(room, 0, node);
    for (int s = 0; s < 10; ++s) {
        stencil = device_pair_stencil(&room->blocks, node, s == 4 ? 2 : 1, &pair->random);
        device_pair_add(pair, &stencil, true);
    }
    /* And one stencil that names its node many times over. */
    stencil = (struct stencil){.count = STENCIL_NODES_MAX};
    some_air(room, room_size(room) / 2, node);
    for (int k = 0; k < STENCIL_NODES_MAX; ++k) {
        memcpy(stencil.node[k], node, sizeof node);
        stencil.weight[k] = test_uniform(&pair->random, -1.0, 1.0);
    }
    device_pair_add(pair, &stencil, true);
    device_pair_add(pair, &stencil, false);
    device_pair_spread(pair, 3, false);
    device_pair_run(pair, 40);
    cr_assert(test_above(engine_health(pair->device).largest, 1e-3));
}

TEST_PAIRS(runs_without_drives_or_without_samples_go_on_all_the_same)
{
    static double drive[2 * 70], sampled[2][3 * 70];
    (void)room;
    for (size_t n = 0; n < 2 * 70; ++n)
        drive[n] = n % 3 == 0 ? 0.0 : 1.0 / (double)(n + 1);
    device_pair_spread(pair, 2, true);
    device_pair_spread(pair, 3, false);
    struct engine *const both[2] = {pair->host, pair->device};
    for (int part = 0; part < 4; ++part) {
        const bool driven = part != 1, kept = part != 2;
        for (int e = 0; e < 2; ++e)
            engine_run(both[e], 70, driven ? drive : NULL, kept ? sampled[e] : NULL);
        back_ends_sound(pair->device);
        back_ends_same_output(pair->device, 70, sampled[0], sampled[1]);
        device_pair_same(pair);
    }
}

TEST_PAIRS(no_steps_change_nothing_and_say_nothing)
{
    (void)room;
    const double drive = 5.0;
    double sampled = 77.0;
    device_pair_spread(pair, 1, true);
    device_pair_spread(pair, 1, false);
    engine_run(pair->device, 0, &drive, &sampled);
    cr_assert(sampled == 77.0 && engine_steps(pair->device) == 0);
    device_pair_run(pair, 9);
    const uint64_t hash = engine_hash(pair->device);
    engine_run(pair->device, 0, &drive, &sampled);
    engine_run(pair->device, 0, NULL, NULL);
    cr_assert(sampled == 77.0 && engine_steps(pair->device) == 9 && engine_hash(pair->device) == hash);
    device_pair_run(pair, 8);
}

TEST_PAIRS(a_reset_silences_both_levels_and_keeps_the_taps)
{
    device_pair_spread(pair, 2, true);
    device_pair_spread(pair, 5, false);
    for (size_t steps = 33; steps < 35; ++steps) { /* either level is the newest then */
        device_pair_run(pair, steps);
        engine_reset(pair->host);
        engine_reset(pair->device);
        cr_assert(engine_steps(pair->device) == 0 && engine_health(pair->device).finite &&
                  engine_health(pair->device).largest == 0.0 && engine_energy(pair->device) == 0.0);
        same_field(room, pair);
    }
    device_pair_run(pair, 50);
    cr_assert(test_above(engine_health(pair->device).largest, 1e-3));
}

TEST_PAIRS(sources_and_receivers_may_be_added_between_runs)
{
    (void)room;
    device_pair_run(pair, 3);
    for (size_t part = 0; part < 4; ++part) {
        device_pair_spread(pair, part == 1 ? 0 : 2, true);
        device_pair_spread(pair, part == 2 ? 0 : 3, false);
        device_pair_run(pair, 140 + part);
    }
}

Test(device_engine, more_receivers_than_stay_on_the_chip_give_the_processors_samples)
{
    NEEDS_DEVICE();
    /* 1500 receivers of 64 nodes, fewer where they meet walls. */
    struct lossy_room *room = room_box(30, 31, 32, (const int64_t[3]){-5, 0, 9});
    for (int which = 0; which < PAIRS; ++which) {
        struct device_pair pair = pair_of(room, which);
        device_pair_spread(&pair, 2, true);
        for (size_t r = 0; r < 1500; ++r) {
            int64_t node[3];
            some_air(room, 31 * r, node);
            const struct stencil stencil = device_pair_stencil(&room->blocks, node, 4, &pair.random);
            device_pair_add(&pair, &stencil, false);
        }
        device_pair_run(&pair, 67);
        device_pair_run(&pair, 2);
        device_pair_free(&pair);
    }
    room_free(room);
}

TEST_PAIRS(nodes_may_be_read_and_set_between_runs_in_both_levels)
{
    int64_t node[3];
    device_pair_spread(pair, 1, true);
    device_pair_run(pair, 7);
    same_field(room, pair);
    for (size_t k = 0; k < 50; ++k) {
        some_air(room, 691 * k, node);
        set_both(pair, node, 0.25 * (double)k, engine_get(pair->device, 1, node) - 0.5);
    }
    device_pair_same(pair);
    /* Neither a look at the field nor making it ready changes it. */
    engine_map(pair->device);
    device_pair_run(pair, 8);
    same_field(room, pair);
    engine_map(pair->device);
    cr_assert(engine_health(pair->device).largest == engine_health(pair->host).largest);
    same_field(room, pair);
    some_air(room, 5, node);
    set_both(pair, node, -1.0, 2.0);
    set_both(pair, node, 0.5, 0.75);
    device_pair_run(pair, 5);
    same_field(room, pair);
}

TEST_PAIRS(health_finds_the_first_bad_node_in_storage_order_and_the_loudest)
{
    room_excite(room, pair->host, 6);
    room_excite(room, pair->device, 6);
    device_pair_run(pair, 11);
    int64_t node[3];
    const struct engine_health found = engine_health(pair->device), expected = engine_health(pair->host);
    /* A sum of n squares, each rounded once, is off by n + 1 roundings at most; it is taken twice. */
    const double rounding = 2.0 * ((double)room->blocks.air_nodes + 2.0) * 0x1p-53;
    cr_assert(found.finite && found.largest == expected.largest);
    cr_assert(test_near(found.mean_square, expected.mean_square, rounding * expected.mean_square));
    /* Of the values themselves too: the sum of their sizes is at most n times the root of the mean
     * square. */
    cr_assert(test_near(found.mean, expected.mean, rounding * sqrt(expected.mean_square)));
    cr_assert(found.mean != 0.0);
    /* The same at every call. */
    const struct engine_health again = engine_health(pair->device);
    cr_assert(again.mean_square == found.mean_square && again.mean == found.mean);

    /* The loudest is negative, and far down. */
    some_air(room, room_size(room) - 40, node);
    set_both(pair, node, -1000.0, 0.0);
    cr_assert(engine_health(pair->device).largest == 1000.0);

    /* More and more bad nodes, here and there; an engine on the processor with one thread, which looks at
     * one value after the other, knows the first. */
    struct engine_options options = {pair->device->options.layout, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO,
                                     1};
    struct engine *one = room_engine(room, 0.0, &options);
    for (size_t k = 0; k < 12; ++k) {
        const double bad[3] = {NAN, -INFINITY, INFINITY};
        some_air(room, 7919 * k + 13, node);
        engine_set(pair->device, 0, node, bad[k % 3]);
        engine_set(one, 0, node, bad[k % 3]);
        const struct engine_health device = engine_health(pair->device), host = engine_health(one);
        cr_assert(device.finite == false && host.finite == false);
        cr_assert(memcmp(device.bad_node, host.bad_node, sizeof node) == 0,
                  "%s: the first is (%d,%d,%d), not (%d,%d,%d)", engine_description(pair->device),
                  (int)host.bad_node[0], (int)host.bad_node[1], (int)host.bad_node[2],
                  (int)device.bad_node[0], (int)device.bad_node[1], (int)device.bad_node[2]);
    }
    /* u_old is not looked at. */
    engine_reset(pair->device);
    engine_set(pair->device, 1, node, NAN);
    cr_assert(engine_health(pair->device).finite);
    engine_free(one);
}

TEST_PAIRS(fills_and_hashes_are_the_processors)
{
    static uint64_t expected; /* of the layout before */
    uint64_t last = engine_hash(pair->device);
    device_pair_same(pair);
    for (uint64_t seed = 1; seed < 4; ++seed) {
        engine_fill(pair->host, seed);
        engine_fill(pair->device, seed);
        same_field(room, pair);
        device_pair_same(pair);
        cr_assert(engine_hash(pair->device) != last);
        last = engine_hash(pair->device);
    }
    /* One node, whichever it is, changes the hash as it does on the processor. */
    for (size_t k = 0; k < 20; ++k) {
        int64_t node[3];
        some_air(room, 1223 * k, node);
        set_both(pair, node, 10.0 + (double)k, 0.0);
        cr_assert(engine_hash(pair->device) != last);
        last = engine_hash(pair->device);
        device_pair_same(pair);
    }
    /* Equal in every layout of a precision. */
    cr_assert(pair->device->options.layout == LAYOUT_BLOCKS || engine_hash(pair->device) == expected);
    expected = engine_hash(pair->device);
    device_pair_run(pair, 3);
}

Test(device_engine, several_engines_take_turns_on_one_device)
{
    NEEDS_DEVICE();
    struct lossy_room *room = make_room(), *other = room_ragged(83, 14, 15, 16, 0.1, 0.05, 10);
    struct device_pair pair[6];
    for (int which = 0; which < PAIRS; ++which)
        pair[which] = pair_of(room, which);
    /* Of another room, and one more of the first kind. */
    pair[4] = device_pair_make(&other->blocks, NULL, PRECISION_SINGLE);
    pair[5] = device_pair_make(&room->blocks, NULL, PRECISION_SINGLE);
    for (size_t p = 0; p < 6; ++p) {
        pair[p].random = p + 1;
        device_pair_spread(&pair[p], 1 + p, true);
        device_pair_spread(&pair[p], 7 - p, false);
    }
    for (size_t turn = 0; turn < 6; ++turn)
        for (size_t p = 0; p < 6; ++p)
            device_pair_run(&pair[p], 5 + 8 * turn + p);
    /* The others go on when one is gone. */
    for (size_t p = 0; p < 6; ++p) {
        device_pair_same(&pair[p]);
        device_pair_free(&pair[p]);
        for (size_t rest = p + 1; rest < 6; ++rest)
            device_pair_run(&pair[rest], 3);
    }
    room_free(room);
    room_free(other);
}

/* An image that is read by another thread while steps go on is the one that is taken while they wait, with
 * and without states of walls, again and again; and the steps are the same ones. */
Test(device_engine, a_copy_of_the_field_is_of_its_moment_while_steps_go_on)
{
    NEEDS_DEVICE();
    struct wall_material material[ROOM_MATERIALS];
    uint64_t random = 9;
    /* Small where the device is a processor, of OpenCL. */
    const int64_t part = back_ends_device()->is_processor ? 4 : 1;
    struct lossy_room *room = room_ragged(81, 157 / part, 130 / part, 93 / part, 0.12, 0.06, 26 / part);
    draw_materials(&random, 1.0 / 600.0, ROOM_MATERIALS, 3, material);
    const struct wall_materials walls = {ROOM_MATERIALS, material, false, true};
    for (int which = 0; which < 4; ++which) {
        struct device_pair pair = device_pair_make_walls(&room->blocks, NULL, (enum precision)(which & 1),
                                                         which & 2 ? &walls : NULL);
        engine_fill(pair.host, 5);
        engine_fill(pair.device, 5);
        for (int turn = 0; turn < 3; ++turn) {
            struct taken waited, copy, end;
            engine_run(pair.device, 20 + (uint64_t)turn, NULL, NULL);
            take(pair.device, 300, &waited);
            cr_assert(take_beside(pair.device, 100, 60, &copy), "no memory for a copy");
            cr_assert(copy.steps == waited.steps && copy.bytes == waited.bytes &&
                          memcmp(copy.image, waited.image, (size_t)waited.bytes) == 0,
                      "%s: turn %d", engine_description(pair.device), turn);
            take(pair.device, 1000, &end);
            cr_assert(memcmp(copy.image, end.image, (size_t)end.bytes) != 0);
            free(waited.image);
            free(copy.image);
            free(end.image);
            engine_run(pair.host, 80 + (uint64_t)turn, NULL, NULL);
            cr_assert(engine_hash(pair.host) == engine_hash(pair.device));
        }
        back_ends_sound(pair.device);
        device_pair_free(&pair);
    }
    /* A box has none, and says so without failing. */
    struct device_pair boxed = device_pair_make(&room->blocks, &room->box, PRECISION_SINGLE);
    struct taken none;
    cr_assert(not(take_beside(boxed.device, 100, 1, &none)));
    device_pair_free(&boxed);
    room_free(room);
}
