/* What a room takes on a device is predicted before anything is taken, and what does not fit is refused then.
 */
#include "kernels/engine/engine_back_ends.h"
#include "tests/support/branch_materials.h"
#include "tests/support/cell_grids.h"
#include "tests/support/device_pair.h"
#include "tests/support/outcome.h"

#define SMALL_ROOM_SLACK (8.0 * 1048576.0) /* memory is handed out in pieces of up to 2 MiB */

#define NEEDS_FREE_MEMORY()                                                                                  \
    do {                                                                                                     \
        NEEDS_DEVICE();                                                                                      \
        if (back_ends_backend() != BACKEND_CUDA) {                                                           \
            (void)fprintf(stderr, "SKIPPED: OpenCL does not say how much memory is free\n");                 \
            cr_skip("no CUDA device");                                                                       \
        }                                                                                                    \
    } while (0)

static struct device look(void)
{
    struct device device;
    MUST(device_find(back_ends_built.device[BACKEND_CUDA], &device, &failure));
    return device;
}

static struct engine *make_engine(const struct block_grid *blocks, const struct box_grid *box,
                                  enum precision precision, const struct wall_materials *walls)
{
    const struct engine_options options = {box != NULL ? LAYOUT_BOX : LAYOUT_BLOCKS, precision, BACKEND_CUDA,
                                           SIMD_AUTO, 0};
    struct time_step step;
    MUST(time_step_choose(blocks->isotropic ? SCHEME_ISOTROPIC : SCHEME_STANDARD, 1.0, 340.0, 0.0, &step,
                          &failure));
    return engine_of(blocks, box, &step, room_admittance, ROOM_MATERIALS, walls, &options);
}

/* Of the air in all rooms from now on; without states: none. */
static struct air_loss air;

/* Within 2 % of what the device's free memory falls by, or within the slack of a small room. */
static void check_room(const char *name, const struct block_grid *blocks, const struct box_grid *box,
                       enum precision precision, const struct wall_materials *walls)
{
    enum { SOURCES = 1, RECEIVERS = 16, STEPS = 130 };
    static double drive[SOURCES * STEPS], sampled[RECEIVERS * STEPS];
    struct device_room room = {.layout = box != NULL ? LAYOUT_BOX : LAYOUT_BLOCKS,
                               .precision = precision,
                               .blocks = blocks->blocks,
                               .tiles = blocks->tiles,
                               .wall_nodes = (double)blocks->wall_nodes,
                               .has_records = blocks->has_records,
                               .isotropic = blocks->isotropic,
                               .cuts = (double)blocks->cuts,
                               .linked_nodes = (double)blocks->extra_nodes,
                               .extra_links = (double)blocks->extra_links,
                               .sources = SOURCES,
                               .receivers = RECEIVERS,
                               .air_states = air.states};
    for (int axis = 0; axis < 3; ++axis)
        room.box_nodes[axis] = box != NULL ? (double)box->nodes[axis] : 0.0;
    device_room_walls(&room, walls, (double)blocks->walls);
    const struct device before = look();
    const double predicted = device_room_bytes(back_ends_built.device[BACKEND_CUDA], &before, &room);
    struct engine *engine = make_engine(blocks, box, precision, walls);
    MUST(engine_set_air(engine, &air, &failure));
    uint64_t random = 3;
    for (int t = 0; t < SOURCES + RECEIVERS; ++t) {
        int64_t node[3];
        (void)device_pair_air(blocks, (block_id)(1 + (uint64_t)t * 7919u % blocks->blocks), 0, node);
        const struct stencil stencil = device_pair_stencil(blocks, node, 4, &random);
        const int code = t < SOURCES ? engine_add_source(engine, &stencil, &failure)
                                     : engine_add_receiver(engine, &stencil, &failure);
        cr_assert(code == 0, "%s", failure.sentence);
    }
    engine_run(engine, STEPS, drive, sampled);
    back_ends_sound(engine);
    const struct device during = look();
    const double taken = (double)before.bytes_free - (double)during.bytes_free;
    const double slack = fmax(0.02 * taken, SMALL_ROOM_SLACK), counted = (double)engine_bytes(engine);
    (void)fprintf(stderr, "%s, %s: predicted %.0f bytes, the device has %.0f less, the engine counts %.0f\n",
                  name, engine_description(engine), predicted, taken, counted);
    cr_expect(test_near(predicted, taken, slack), "%s, %s: %.0f bytes were predicted, %.0f are taken", name,
              engine_description(engine), predicted, taken);
    cr_expect(test_near(counted, taken, slack), "%s, %s: the engine counts %.0f bytes, %.0f are taken", name,
              engine_description(engine), counted, taken);
    engine_free(engine);
    const struct device after = look();
    cr_expect(test_near((double)after.bytes_free, (double)before.bytes_free, SMALL_ROOM_SLACK),
              "%s: %.0f bytes stay behind", name, (double)before.bytes_free - (double)after.bytes_free);
}

Test(device_memory, frequency_dependent_walls_take_what_was_predicted)
{
    NEEDS_FREE_MEMORY();
    struct shape_room *room = shape_room_make(SEED_CROSS, 160, true);
    struct wall_material material[ROOM_MATERIALS];
    uint64_t random = 6;
    draw_materials(&random, 0.57 / 340.0, ROOM_MATERIALS, 6, material);
    for (int which = 0; which < 8; ++which) {
        const struct wall_materials walls = {ROOM_MATERIALS, material, true, (which & 1) != 0};
        check_room("cross with frequency-dependent walls", &room->blocks, which & 2 ? &room->box : NULL,
                   (enum precision)(which >> 2), &walls);
    }
    shape_room_free(room);
}

static void check_turned_box(enum scheme scheme)
{
    struct cell_grids *room = cell_grids_box_for(127.3, 101.8, 90.4, ROOM_MATERIALS, scheme);
    struct wall_material material[ROOM_MATERIALS];
    uint64_t random = 6;
    draw_materials(&random, 0.57 / 340.0, ROOM_MATERIALS, 6, material);
    const struct wall_materials walls = {ROOM_MATERIALS, material, false, true};
    for (int which = 0; which < 8; ++which)
        check_room("turned box", &room->blocks, which & 2 ? &room->box : NULL, (enum precision)(which >> 2),
                   which & 1 ? &walls : NULL);
    cell_grids_free(room);
}

Test(device_memory, conformal_walls_take_what_was_predicted)
{
    NEEDS_FREE_MEMORY();
    check_turned_box(SCHEME_STANDARD);
}

Test(device_memory, the_isotropic_scheme_takes_what_was_predicted)
{
    NEEDS_FREE_MEMORY();
    check_turned_box(SCHEME_ISOTROPIC);
}

Test(device_memory, losses_of_the_air_take_what_was_predicted)
{
    NEEDS_FREE_MEMORY();
    air = (struct air_loss){.states = 2, .every = 3, .follow = {0.03, 1.2}, .share = {0.5, 0.3}};
    check_turned_box(SCHEME_ISOTROPIC);
}

/* Worked out, from two rooms that differ in their walls alone, both so large that the whole pieces that
 * memory is asked for in do not count. No device is needed. */
static double bytes_of_a_wall_node(enum precision precision, double materials, bool ledger)
{
    const struct device card = {.cache = UINT64_C(50) << 20};
    struct device_room room = {.precision = precision,
                               .blocks = 3e5,
                               .tiles = 4e3,
                               .wall_nodes = 2e8,
                               .wall_entries = 2e8,
                               .wall_branches = 6,
                               .wall_materials = materials,
                               .ledger = ledger};
    const double all = device_room_bytes(back_ends_built.device[BACKEND_CUDA], &card, &room);
    room.wall_nodes = room.wall_entries = 1e8;
    return (all - device_room_bytes(back_ends_built.device[BACKEND_CUDA], &card, &room)) / 1e8;
}

Test(device_memory, a_wall_node_of_six_branches_takes_64_bytes_at_most)
{
    if (device_toolkit(back_ends_built.device[BACKEND_CUDA]) == NULL)
        cr_skip("built without CUDA");
    /* V and g of six branches, share and d + v, material, a word of 2 and a 32nd of its group's 8 bytes; with
     * a ledger the loss. */
    cr_expect(test_near(bytes_of_a_wall_node(PRECISION_SINGLE, 254, false), 59.25, 0.03));
    cr_expect(test_near(bytes_of_a_wall_node(PRECISION_SINGLE, 254, true), 63.25, 0.03));
    cr_expect(test_near(bytes_of_a_wall_node(PRECISION_DOUBLE, 254, true), 123.25, 0.03));
    /* Open faces and walls without a material have rows too. */
    cr_expect(test_near(bytes_of_a_wall_node(PRECISION_SINGLE, 255, true), 64.25, 0.03));
}

Test(device_memory, a_state_of_the_airs_losses_takes_a_real_a_node)
{
    if (device_toolkit(back_ends_built.device[BACKEND_CUDA]) == NULL)
        cr_skip("built without CUDA");
    const struct device card = {.cache = UINT64_C(50) << 20};
    for (int way = 0; way < 4; ++way) {
        struct device_room room = {.layout = (enum layout)(way & 1),
                                   .precision = (enum precision)(way >> 1),
                                   .blocks = 3e5,
                                   .tiles = 4e3,
                                   .box_nodes = {640, 600, 400}};
        const double nodes = way & 1 ? 640.0 * 600 * 402 : 512 * 300001.0, real = way >> 1 ? 8 : 4;
        const double without = device_room_bytes(back_ends_built.device[BACKEND_CUDA], &card, &room);
        room.air_states = 2;
        cr_expect(test_near(device_room_bytes(back_ends_built.device[BACKEND_CUDA], &card, &room) - without,
                            2 * nodes * real, 2097152.0));
    }
}

/* A block of the isotropic scheme takes 96 bytes and its part of the order beside its pressures. */
Test(device_memory, a_cut_node_takes_12_bytes_or_24_and_4_more_at_walls_with_states)
{
    if (device_toolkit(back_ends_built.device[BACKEND_CUDA]) == NULL)
        cr_skip("built without CUDA");
    const struct device card = {.cache = UINT64_C(50) << 20};
    for (int way = 0; way < 4; ++way) {
        const bool isotropic = way >> 1;
        struct device_room room = {.layout = (enum layout)(way & 1),
                                   .has_records = true,
                                   .isotropic = isotropic,
                                   .blocks = 6e6,
                                   .tiles = 4e3,
                                   .box_nodes = {900, 800, 700},
                                   .wall_nodes = 1e8,
                                   .cuts = 2e8};
        const double plain = device_room_bytes(back_ends_built.device[BACKEND_CUDA], &card, &room);
        room.cuts = 1e8;
        const double less = device_room_bytes(back_ends_built.device[BACKEND_CUDA], &card, &room);
        cr_expect(test_near((plain - less) / 1e8, isotropic ? 24.0 : 12.0, 0.03));
        room.blocks = 3e6;
        if (isotropic && room.layout == LAYOUT_BLOCKS)
            cr_expect(test_near(
                (less - device_room_bytes(back_ends_built.device[BACKEND_CUDA], &card, &room)) / 3e6,
                2 * 512 * 4 + 96 + 8, 1.0));
        if (isotropic)
            continue;
        room.wall_entries = room.cuts = 1e8;
        room.wall_branches = 6;
        const double states = device_room_bytes(back_ends_built.device[BACKEND_CUDA], &card, &room);
        room.wall_nodes = room.wall_entries = room.cuts = 5e7;
        cr_expect(
            test_near((states - device_room_bytes(back_ends_built.device[BACKEND_CUDA], &card, &room)) / 5e7,
                      59.25 + 16.0, 0.06));
    }
}

Test(device_memory, a_small_room_takes_what_was_predicted_within_8_megabytes)
{
    NEEDS_FREE_MEMORY();
    /* The first engine of a process takes along what the driver loads with its kernels. */
    struct shape_room *first = shape_room_make(SEED_CROSS, 16, true);
    for (int which = 0; which < 4; ++which) {
        struct device_pair pair =
            device_pair_make(&first->blocks, which & 1 ? &first->box : NULL, (enum precision)(which >> 1));
        device_pair_run(&pair, 130);
        device_pair_free(&pair);
    }
    shape_room_free(first);
    static const int64_t nodes[] = {20, 48, 96};
    for (size_t n = 0; n < sizeof nodes / sizeof *nodes; ++n) {
        struct shape_room *room = shape_room_make(SEED_CROSS, nodes[n], true);
        for (int which = 0; which < 4; ++which)
            check_room("small cross", &room->blocks, which & 1 ? &room->box : NULL,
                       (enum precision)(which >> 1), NULL);
        shape_room_free(room);
    }
}

static void check_large(enum seed_shape shape, int64_t nodes, bool in_box, enum precision precision)
{
    NEEDS_FREE_MEMORY();
    struct shape_room *room = shape_room_make(shape, nodes, in_box);
    const double bytes = 2.0 * (precision == PRECISION_SINGLE ? 4.0 : 8.0) *
                         (in_box ? (double)room->box.length : 512.0 * room->blocks.blocks);
    cr_assert(test_above(bytes, 1e9), "%.0f bytes are no large room", bytes);
    if (bytes * 1.1 > (double)back_ends_device()->bytes_free)
        cr_skip("the device has no memory for it");
    check_room("large room", &room->blocks, in_box ? &room->box : NULL, precision, NULL);
    shape_room_free(room);
}

Test(device_memory, a_large_cross_takes_what_was_predicted_within_2_percent_in_single)
{
    check_large(SEED_CROSS, 320, false, PRECISION_SINGLE);
}

Test(device_memory, a_large_sphere_takes_what_was_predicted_within_2_percent_in_double)
{
    check_large(SEED_SPHERE, 540, false, PRECISION_DOUBLE);
}

Test(device_memory, a_large_box_takes_what_was_predicted_within_2_percent_in_single)
{
    check_large(SEED_CROSS, 260, true, PRECISION_SINGLE);
}

Test(device_memory, a_large_box_takes_what_was_predicted_within_2_percent_in_double)
{
    check_large(SEED_CUBE, 430, true, PRECISION_DOUBLE);
}

/* The largest number in a sentence. */
static double largest_number(const char *sentence)
{
    double largest = 0.0;
    for (char *at = (char *)(uintptr_t)sentence; *at != '\0';) {
        if (*at >= '0' && *at <= '9')
            largest = fmax(largest, strtod(at, &at));
        else
            ++at;
    }
    return largest;
}

static void check_refused(uint32_t blocks, enum precision precision)
{
    /* The header alone says how many blocks there are; none of its arrays is there to be read. */
    struct block_grid huge = {.blocks = blocks};
    const struct engine_options options = {LAYOUT_BLOCKS, precision, BACKEND_CUDA, SIMD_AUTO, 0};
    struct engine *engine = NULL;
    struct time_step step;
    const struct device before = look();
    MUST(time_step_choose(SCHEME_STANDARD, 1.0, 340.0, 0.0, &step, &failure));
    cr_assert(engine_create(&engine, &huge, NULL, &step, NULL, 0, &options, &failure) == FAILURE_CAPACITY);
    cr_assert(engine == NULL);
    cr_assert(strstr(failure.sentence, "bytes free") != NULL, "%s", failure.sentence);
    cr_assert(test_at_least(largest_number(failure.sentence),
                            1024.0 * blocks * (precision == PRECISION_SINGLE ? 4 : 8)),
              "the sentence does not say what the room takes: %s", failure.sentence);
    cr_assert(test_near((double)look().bytes_free, (double)before.bytes_free, SMALL_ROOM_SLACK));
}

Test(device_memory, what_does_not_fit_is_refused_with_its_bytes_before_any_is_taken)
{
    NEEDS_FREE_MEMORY();
    const double free_bytes = (double)look().bytes_free;
    for (int precision = 0; precision < 2; ++precision) {
        /* 16 or 33 TB, and pressures alone just past what is free. */
        check_refused(4000000000u, (enum precision)precision);
        check_refused((uint32_t)(1.01 * free_bytes / (precision == 0 ? 4096.0 : 8192.0)),
                      (enum precision)precision);
    }
    /* The device is none the worse for it. */
    struct shape_room *room = shape_room_make(SEED_CROSS, 16, false);
    struct device_pair pair = device_pair_make(&room->blocks, NULL, PRECISION_SINGLE);
    device_pair_spread(&pair, 1, true);
    device_pair_spread(&pair, 1, false);
    device_pair_run(&pair, 20);
    device_pair_free(&pair);
    shape_room_free(room);
}
