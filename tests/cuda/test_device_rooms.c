/* Rooms of every size and kind, so that each kernel of the device is chosen for some: small ones that stay on
 * the multiprocessors, ones that fit the second-level cache, ones that do not; odd, thin, long and far from
 * the origin. The same bits as the processor's, in both layouts and precisions. */
#include "tests/support/device_pair.h"

/* A whole field of small whole numbers, sources, receivers, runs of several lengths. */
static void compare_in(int precisions, const char *name, const struct block_grid *blocks,
                       const struct box_grid *box, size_t steps)
{
    for (int precision = 0; precision < precisions; ++precision)
        for (int layout = 0; layout < 2; ++layout) {
            if (layout == LAYOUT_BOX && box == NULL)
                continue;
            struct device_pair pair =
                device_pair_make(blocks, layout == LAYOUT_BOX ? box : NULL, (enum precision)precision);
            (void)fprintf(stderr, "%s: %s\n", name, engine_description(pair.device));
            engine_fill(pair.host, 7);
            engine_fill(pair.device, 7);
            device_pair_same(&pair);
            device_pair_spread(&pair, 3, true);
            device_pair_spread(&pair, 9, false);
            device_pair_run(&pair, steps);
            device_pair_run(&pair, 1);
            device_pair_run(&pair, steps / 2 + 1);
            const struct engine_health health = engine_health(pair.device);
            cr_assert(health.finite && test_above(health.largest, 0.0), "%s", name);
            cr_assert(health.largest == engine_health(pair.host).largest, "%s", name);
            device_pair_free(&pair);
        }
}

static void compare(const char *name, const struct block_grid *blocks, const struct box_grid *box,
                    size_t steps)
{
    compare_in(2, name, blocks, box, steps);
}

static void compare_box(int64_t x, int64_t y, int64_t z, const int64_t low[3], size_t steps)
{
    struct lossy_room *room = room_box(x, y, z, low);
    char name[80];
    (void)snprintf(name, sizeof name, "box of %d x %d x %d", (int)x, (int)y, (int)z);
    compare(name, &room->blocks, &room->box, steps);
    room_free(room);
}

static void compare_ragged(int64_t x, int64_t y, int64_t z, double solid, int64_t clear, size_t steps)
{
    struct lossy_room *room = room_ragged(90 + (uint64_t)x, x, y, z, solid, 0.06, clear);
    char name[80];
    (void)snprintf(name, sizeof name, "ragged room of %d x %d x %d", (int)x, (int)y, (int)z);
    compare(name, &room->blocks, &room->box, steps);
    room_free(room);
}

static void compare_shape(const char *name, enum seed_shape shape, int64_t nodes, size_t steps)
{
    struct shape_room *room = shape_room_make(shape, nodes, true);
    compare(name, &room->blocks, &room->box, steps);
    shape_room_free(room);
}

Test(device_rooms, rooms_of_a_few_ragged_blocks_give_the_processors_bits)
{
    NEEDS_DEVICE();
    compare_ragged(4, 3, 5, 0.0, 0, 200);
    compare_ragged(12, 9, 10, 0.2, 0, 200);
    compare_ragged(29, 37, 26, 0.15, 20, 200);
    compare_ragged(61, 50, 43, 0.3, 24, 60);
}

Test(device_rooms, odd_long_and_far_boxes_give_the_processors_bits)
{
    static const int64_t origin[3] = {0, 0, 0}, below[3] = {-21, -13, -7}, far_away[3] = {-9000, 70001, 4097};
    NEEDS_DEVICE();
    compare_box(37, 131, 19, below, 40);
    compare_box(8, 8, 8, origin, 200);
    compare_box(17, 16, 15, far_away, 100);
    compare_box(1030, 9, 10, below, 20);
    compare_box(9, 1030, 10, origin, 20);
    compare_box(10, 9, 1030, origin, 20);
}

Test(device_rooms, rooms_one_node_thin_give_the_processors_bits)
{
    static const int64_t low[3] = {7, -1, 8};
    static const int64_t nodes[][3] = {{1, 40, 50}, {60, 1, 33}, {45, 70, 1}, {1, 1, 300},
                                       {1, 300, 1}, {300, 1, 1}, {2, 1, 1},   {2, 2, 2}};
    NEEDS_DEVICE();
    for (size_t n = 0; n < sizeof nodes / sizeof *nodes; ++n)
        compare_box(nodes[n][0], nodes[n][1], nodes[n][2], low, 60);
}

Test(device_rooms, crosses_of_48_and_96_and_a_sphere_give_the_processors_bits)
{
    NEEDS_DEVICE();
    compare_shape("cross of 5 x 48^3", SEED_CROSS, 48, 150);
    compare_shape("cross of 5 x 51^3", SEED_CROSS, 51, 80);
    compare_shape("cross of 5 x 96^3", SEED_CROSS, 96, 25);
    compare_shape("sphere of 77", SEED_SPHERE, 77, 60);
}

Test(device_rooms, cubes_about_the_size_of_the_cache_give_the_processors_bits)
{
    NEEDS_DEVICE();
    /* Both levels in single precision take that much of the second-level cache, in double precision twice as
     * much: about one, two and four caches another kernel or another order is the fastest. */
    static const double share[] = {0.9, 1.3, 2.5};
    for (size_t n = 0; n < sizeof share / sizeof *share; ++n) {
        const double nodes = cbrt(share[n] * device_pair_cache() / 8.0);
        compare_shape("cube beside the cache", SEED_CUBE, (int64_t)fmax(8.0, nodes), 8);
    }
}

Test(device_rooms, a_cube_of_five_caches_gives_the_processors_bits_in_single)
{
    NEEDS_DEVICE();
    const double nodes = cbrt(5.0 * device_pair_cache() / 8.0);
    struct shape_room *room = shape_room_make(SEED_CUBE, (int64_t)fmax(8.0, nodes), false);
    compare_in(1, "cube past the cache", &room->blocks, NULL, 6);
    shape_room_free(room);
}

/* The last block and the last row are as far from the start of the arrays as it gets. */
Test(device_rooms, sources_at_the_far_end_of_a_room_give_the_processors_bits)
{
    NEEDS_DEVICE();
    struct shape_room *room = shape_room_make(SEED_CROSS, 96, true);
    for (int layout = 0; layout < 2; ++layout) {
        struct device_pair pair =
            device_pair_make(&room->blocks, layout == LAYOUT_BOX ? &room->box : NULL, PRECISION_SINGLE);
        int64_t node[3];
        cr_assert(device_pair_air(&room->blocks, room->blocks.blocks, 0, node));
        struct stencil stencil = device_pair_stencil(&room->blocks, node, 1, &pair.random);
        stencil.weight[0] = 1.0;
        device_pair_add(&pair, &stencil, true);
        memcpy(node, room->blocks.air_high, sizeof node);
        node[1] = (room->blocks.air_low[1] + room->blocks.air_high[1]) / 2; /* the end of an arm */
        cr_assert(block_grid_links(&room->blocks, node) != 0);
        stencil = device_pair_stencil(&room->blocks, node, 1, &pair.random);
        device_pair_add(&pair, &stencil, true);
        device_pair_spread(&pair, 4, false);
        device_pair_run(&pair, 30);
        cr_assert(test_above(engine_health(pair.device).largest, 1e-3));
        device_pair_free(&pair);
    }
    shape_room_free(room);
}
