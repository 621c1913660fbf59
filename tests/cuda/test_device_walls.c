/* Frequency-dependent walls on the device: the processor's bits in pressures, states and losses, whichever
 * kernel steps the room. Small rooms of every layout and back end, and energies: test_branch_walls. */
#include "tests/support/branch_materials.h"
#include "tests/support/device_pair.h"
#include "tests/support/outcome.h"

#define MATERIALS_MOST 300 /* more than a byte can number */

/* A room on both with walls drawn at random, of `branches` at most. `which`: blocks, box, each in single and
 * then in double. */
static struct device_pair pair_of(const struct block_grid *blocks, const struct box_grid *box, int which,
                                  size_t materials, size_t branches, bool inertance, bool ledger)
{
    struct wall_material material[MATERIALS_MOST];
    uint64_t random = 12 + branches;
    draw_materials(&random, 0.57 / 340.0, materials, branches, material);
    const struct wall_materials walls = {materials, material, inertance, ledger};
    return device_pair_make_walls(blocks, which & 1 ? box : NULL, (enum precision)(which >> 1), &walls);
}

/* Runs of whole graphs, odd ones and single steps, with sources and receivers all over the room. */
static void compare_in(int precisions, const char *name, const struct block_grid *blocks,
                       const struct box_grid *box, size_t materials, size_t steps, const char *kernel)
{
    for (int which = 0; which < 2 * precisions; ++which) {
        const bool in_box = which & 1;
        if (in_box && box == NULL)
            continue;
        struct device_pair pair = pair_of(blocks, box, which, materials, 7, true, in_box == (which >> 1));
        (void)fprintf(stderr, "%s: %s\n", name, engine_description(pair.device));
        cr_assert(kernel == NULL || device_pair_steps_by(&pair, in_box ? "march" : kernel),
                  "%s is not stepped by %s but by %s", name, kernel, engine_description(pair.device));
        engine_fill(pair.host, 7);
        engine_fill(pair.device, 7);
        device_pair_spread(&pair, 3, true);
        device_pair_spread(&pair, 9, false);
        device_pair_run(&pair, steps);
        device_pair_same_walls(name, &pair);
        device_pair_run(&pair, 1);
        device_pair_run(&pair, steps / 2 + 1);
        device_pair_same_walls(name, &pair);
        const struct engine_health health = engine_health(pair.device);
        cr_assert(health.finite && test_above(health.largest, 0.0), "%s", name);
        device_pair_free(&pair);
    }
}

static void compare_shape(const char *name, enum seed_shape shape, int64_t nodes, size_t steps,
                          const char *kernel)
{
    struct shape_room *room = shape_room_make(shape, nodes, true);
    compare_in(2, name, &room->blocks, &room->box, ROOM_MATERIALS, steps, kernel);
    shape_room_free(room);
}

Test(device_walls, ragged_rooms_where_nodes_touch_several_materials_give_the_processors_bits)
{
    static const int64_t size[][3] = {{4, 3, 5}, {12, 9, 10}, {29, 37, 26}, {61, 50, 43}};
    static const double solid[] = {0.0, 0.2, 0.15, 0.3};
    static const int64_t clear[] = {0, 0, 20, 24};
    NEEDS_DEVICE();
    for (size_t n = 0; n < sizeof solid / sizeof *solid; ++n) {
        struct lossy_room *room =
            room_ragged(60 + n, size[n][0], size[n][1], size[n][2], solid[n], 0.06, clear[n]);
        compare_in(2, "ragged room", &room->blocks, &room->box, ROOM_MATERIALS, 131, "lanes");
        room_free(room);
    }
}

Test(device_walls, rooms_that_fit_the_cache_give_the_processors_bits)
{
    NEEDS_DEVICE();
    compare_shape("cross of 5 x 21^3", SEED_CROSS, 21, 200, "lanes");
    compare_shape("cross of 5 x 51^3", SEED_CROSS, 51, 70, "lanes");
    compare_shape("sphere of 77", SEED_SPHERE, 77, 66, "lanes");
}

/* A cross that has all of MATERIALS_MOST. */
static struct shape_room *room_of_many_materials(void)
{
    struct shape_room *room = shape_room_make(SEED_CROSS, 21, false);
    for (uint64_t w = 0; w < room->blocks.walls; ++w)
        room->blocks.wall[w].material = (uint16_t)(w * 7 % MATERIALS_MOST);
    MUST(box_grid_from_blocks(&room->blocks, &room->box, &failure));
    return room;
}

Test(device_walls, more_materials_than_a_byte_tells_apart_give_the_processors_bits)
{
    NEEDS_DEVICE();
    struct shape_room *room = room_of_many_materials();
    compare_in(2, "cross of many materials", &room->blocks, &room->box, MATERIALS_MOST, 67, "lanes");
    shape_room_free(room);
}

Test(device_walls, rooms_past_the_cache_give_the_processors_bits)
{
    NEEDS_DEVICE();
    /* Pressures of two and a half caches are marched to and fro, of five from front to back. */
    static const double share[] = {2.5, 5.0};
    for (size_t n = 0; n < sizeof share / sizeof *share; ++n) {
        const double volume = share[n] * device_pair_cache() / 8.0;
        struct shape_room *room = shape_room_make(SEED_SPHERE, (int64_t)cbrt(volume * 6.0 / 3.1416), false);
        compare_in(1, "sphere past the cache", &room->blocks, NULL, ROOM_MATERIALS, 70, "march");
        shape_room_free(room);
    }
    /* Half as many nodes in double. */
    const double volume = 2.5 * device_pair_cache() / 16.0;
    struct shape_room *room = shape_room_make(SEED_CROSS, (int64_t)cbrt(volume / 5.0), false);
    compare_in(2, "cross past the cache in double", &room->blocks, NULL, ROOM_MATERIALS, 20, NULL);
    shape_room_free(room);
}

Test(device_walls, sources_at_wall_nodes_push_the_states_as_on_the_processor)
{
    NEEDS_DEVICE();
    struct lossy_room *room = room_ragged(85, 37, 30, 33, 0.2, 0.1, 16);
    for (int which = 0; which < 4; ++which) {
        struct device_pair pair = pair_of(&room->blocks, &room->box, which, ROOM_MATERIALS, 5, false, true);
        /* Two sources at each of forty wall nodes, one of them over its neighbours too. */
        for (size_t s = 0, n = 0; s < 40; ++s, n += 311) {
            int64_t node[3];
            while (room->link[n % room_size(room)] == 0 || room->link[n % room_size(room)] == BLOCK_LINKS_ALL)
                ++n;
            room_node(room, n % room_size(room), node);
            for (int64_t edge = 1; edge < 3; ++edge) {
                const struct stencil stencil = device_pair_stencil(&room->blocks, node, edge, &pair.random);
                device_pair_add(&pair, &stencil, true);
            }
        }
        device_pair_spread(&pair, 5, false);
        device_pair_run(&pair, 67);
        device_pair_same_walls("sources at walls", &pair);
        device_pair_free(&pair);
    }
    room_free(room);
}

/* Absorbed so far, by material: the processor's to rounding. */
static void same_absorbed(const struct device_pair *pair, double *device)
{
    double host[MATERIALS_MOST + 1], all = 0.0;
    const double off = weight_error(pair->device);
    engine_absorbed(pair->host, host);
    engine_absorbed(pair->device, device);
    for (size_t m = 0; m <= MATERIALS_MOST; ++m)
        all += host[m];
    for (size_t m = 0; m <= MATERIALS_MOST; ++m)
        cr_assert(fabs(device[m] - host[m]) <= off * host[m] + 1e-15 * all,
                  "%s: material %zu has absorbed %.17g, not %.17g", engine_description(pair->device), m,
                  device[m], host[m]);
    cr_assert(test_above(all, 0.0));
}

Test(device_walls, what_each_material_absorbs_is_added_up_as_on_the_processor)
{
    NEEDS_DEVICE();
    struct shape_room *room = room_of_many_materials();
    double now[MATERIALS_MOST + 1], again[MATERIALS_MOST + 1];
    for (int which = 0; which < 4; ++which) {
        struct device_pair pair = pair_of(&room->blocks, &room->box, which, MATERIALS_MOST, 4, true, true);
        engine_fill(pair.host, 7);
        engine_fill(pair.device, 7);
        for (size_t steps = 40; steps < 42; ++steps) {
            device_pair_run(&pair, steps);
            same_absorbed(&pair, now);
            engine_absorbed(pair.device, again);
            cr_assert(memcmp(now, again, sizeof now) == 0, "what was absorbed changes while nothing moves");
        }
        device_pair_free(&pair);
    }
    shape_room_free(room);
}

Test(device_walls, a_small_room_of_hard_walls_stays_on_the_chip)
{
    static const struct wall_material material[ROOM_MATERIALS];
    const struct wall_materials walls = {ROOM_MATERIALS, material, true, false};
    NEEDS_DEVICE();
    struct shape_room *room = shape_room_make(SEED_CROSS, 21, false);
    struct device_pair pair = device_pair_make_walls(&room->blocks, NULL, PRECISION_SINGLE, &walls);
    cr_assert(device_pair_steps_by(&pair, "resident"), "%s", engine_description(pair.device));
    device_pair_spread(&pair, 2, true);
    device_pair_spread(&pair, 7, false);
    device_pair_run(&pair, 130);
    device_pair_free(&pair);
    shape_room_free(room);
}
