/* The isotropic scheme on the device: the processor's bits in both layouts and precisions, between walls of
 * every kind, in rooms with further pieces and extra links. */
#include "tests/support/branch_materials.h"
#include "tests/support/cell_grids.h"
#include "tests/support/device_pair.h"

#define MATERIALS ROOM_MATERIALS

/* A room on both. `which`: blocks, box, each in single and then in double. `branches` 0: coefficients alone.
 */
static struct device_pair pair_of(const struct block_grid *blocks, const struct box_grid *box, int which,
                                  size_t branches, bool ledger)
{
    struct wall_material material[MATERIALS];
    uint64_t random = 12 + branches;
    draw_materials(&random, 0.77 / 340.0, MATERIALS, branches > 0 ? branches : 1, material);
    const struct wall_materials walls = {MATERIALS, material, false, ledger};
    return device_pair_make_walls(blocks, which & 1 ? box : NULL, (enum precision)(which >> 1),
                                  branches > 0 ? &walls : NULL);
}

/* Two sources at each of some nodes with extra links and some cut nodes, one of the two over its neighbours
 * too. */
static void drive_cut_nodes(struct device_pair *pair)
{
    const struct block_grid *const grid = pair->blocks;
    for (uint64_t n = 0; n < 12; ++n) {
        block_id b = 0;
        unsigned slot = 0;
        const uint64_t extra = n * 37 % (grid->extra_nodes + 1);
        if (n < 6 && extra < grid->extra_nodes && grid->extra_node[extra].block < block_list_first(grid)) {
            b = grid->extra_node[extra].block;
            slot = grid->extra_node[extra].slot;
        }
        while (b == 0 || !step_block_is_cut(grid, b, slot)) {
            const uint64_t at =
                test_random(&pair->random) % ((uint64_t)(block_list_first(grid) - 1) * BLOCK_NODES);
            b = (block_id)(1 + at / BLOCK_NODES);
            slot = (unsigned)(at % BLOCK_NODES);
        }
        int64_t node[3];
        block_node(&grid->block[b], slot, node);
        for (int64_t edge = 1; edge < 6; edge += edge < 2 ? 1 : 3) {
            const struct stencil stencil = device_pair_stencil(grid, node, edge, &pair->random);
            device_pair_add(pair, &stencil, true);
        }
    }
}

/* Taps of up to 216 nodes, in the open and at walls. */
static void hear_widely(struct device_pair *pair)
{
    for (size_t t = 0; t < 5; ++t) {
        int64_t node[3];
        const block_id b = (block_id)(1 + t * 2654435761u % (block_list_first(pair->blocks) - 1));
        if (!device_pair_air(pair->blocks, b, (unsigned)(t * 97 % BLOCK_NODES), node))
            (void)device_pair_air(pair->blocks, b, 0, node);
        const struct stencil stencil = device_pair_stencil(pair->blocks, node, 6, &pair->random);
        device_pair_add(pair, &stencil, false);
    }
}

/* Does a room stay on the chip? There are at most 12 blocks a multiprocessor, of which a device that these
 * tests run on has 24 at least. Rooms between the two are not asked for. */
static bool stays(const struct block_grid *blocks, int which, size_t branches)
{
    return which == 0 && branches == 0 && blocks->extra_nodes == 0 && blocks->blocks <= 12 * 24;
}

/* Runs of whole graphs, odd ones and single steps, with sources and receivers all over the room. */
static void compare(const char *name, const struct block_grid *blocks, const struct box_grid *box, int which,
                    size_t branches, size_t steps)
{
    struct device_pair pair = pair_of(blocks, box, which, branches, (which & 1) == (which >> 1));
    (void)fprintf(stderr, "%s: %s\n", name, engine_description(pair.device));
    cr_assert(strstr(engine_description(pair.device), which & 1                        ? "march"
                                                      : stays(blocks, which, branches) ? "resident"
                                                                                       : "rows") != NULL,
              "%s", engine_description(pair.device));
    engine_fill(pair.host, 7);
    engine_fill(pair.device, 7);
    device_pair_same(&pair);
    device_pair_run(&pair, 1);
    drive_cut_nodes(&pair);
    device_pair_spread(&pair, 2, true);
    device_pair_spread(&pair, 9, false);
    hear_widely(&pair);
    device_pair_run(&pair, steps);
    device_pair_run(&pair, 1);
    device_pair_run(&pair, steps / 2 + 1);
    if (branches > 0)
        device_pair_same_walls(name, &pair);
    else
        device_pair_same_energy(name, &pair);
    const struct engine_health health = engine_health(pair.device), host = engine_health(pair.host);
    cr_assert(health.finite && test_above(health.largest, 0.0), "%s", name);
    cr_assert(health.largest == host.largest, "%s", name);
    cr_assert(test_near(health.mean, host.mean, 1e-11 * sqrt(host.mean_square)),
              "%s, %s: the mean is %.17g, not %.17g", name, engine_description(pair.device), health.mean,
              host.mean);
    device_pair_free(&pair);
}

static void compare_cells(const char *name, struct cell_grids *room, size_t branches, size_t steps)
{
    for (int which = 0; which < 4; ++which)
        compare(name, &room->blocks, &room->box, which, branches, steps);
    cell_grids_free(room);
}

/* A room of staircase walls. */
static struct shape_room *wide_room(enum seed_shape shape, int64_t nodes)
{
    struct shape_room *room = shape_room_make(shape, nodes, false);
    struct time_step step;
    struct cut_masses masses;
    MUST(time_step_choose(SCHEME_ISOTROPIC, 1.0, 340.0, 0.0, &step, &failure));
    MUST(block_grid_widen(&room->blocks, &failure));
    MUST(cut_masses_make(&room->blocks, step.lambda2, &masses, &failure));
    return room;
}

static void compare_shape(enum seed_shape shape, int64_t nodes, size_t branches, size_t steps)
{
    struct shape_room *room = wide_room(shape, nodes);
    MUST(box_grid_from_blocks(&room->blocks, &room->box, &failure));
    for (int which = 0; which < 4; ++which)
        compare("stairs", &room->blocks, &room->box, which, branches, steps);
    shape_room_free(room);
}

Test(device_isotropic, rooms_of_chance_give_the_processors_bits)
{
    NEEDS_DEVICE();
    compare_cells("room of chance", cell_grids_soup_for(11, MATERIALS, SCHEME_ISOTROPIC), 0, 67);
    compare_cells("room of chance", cell_grids_soup_for(12, MATERIALS, SCHEME_ISOTROPIC), 7, 67);
    compare_cells("room of chance", cell_grids_soup_for(13, MATERIALS, SCHEME_ISOTROPIC), 4, 67);
}

Test(device_isotropic, turned_boxes_of_every_size_give_the_processors_bits)
{
    NEEDS_DEVICE();
    compare_cells("turned box", cell_grids_box_for(5.3, 4.2, 6.1, MATERIALS, SCHEME_ISOTROPIC), 0, 131);
    compare_cells("turned box", cell_grids_box_for(27.4, 18.3, 22.9, MATERIALS, SCHEME_ISOTROPIC), 0, 67);
    compare_cells("turned box", cell_grids_box_for(27.4, 18.3, 22.9, MATERIALS, SCHEME_ISOTROPIC), 5, 67);
    compare_cells("turned box", cell_grids_box_for(70.7, 33.3, 40.9, MATERIALS, SCHEME_ISOTROPIC), 6, 20);
    compare_cells("turned box", cell_grids_box_for(70.7, 33.3, 40.9, MATERIALS, SCHEME_ISOTROPIC), 12, 20);
}

Test(device_isotropic, stairs_give_the_processors_bits)
{
    NEEDS_DEVICE();
    compare_shape(SEED_CROSS, 20, 0, 67);
    compare_shape(SEED_SPHERE, 50, 3, 67);
    compare_shape(SEED_CUBE, 37, 0, 67);
    compare_shape(SEED_CROSS, 96, 6, 20);
}

/* Every number of blocks a multiprocessor, on a device of 132. */
Test(device_isotropic, rooms_that_stay_on_the_chip_give_the_processors_bits)
{
    NEEDS_DEVICE();
    static const int64_t nodes[] = {24, 60, 70, 84, 92, 100, 106};
    const uint64_t most = 12 * (uint64_t)back_ends_device()->processors;
    for (size_t r = 0; r < sizeof nodes / sizeof *nodes; ++r) {
        struct shape_room *room = wide_room(SEED_SPHERE, nodes[r]);
        struct device_pair pair = pair_of(&room->blocks, NULL, 0, 0, false);
        (void)fprintf(stderr, "sphere %d, %u blocks: %s\n", (int)nodes[r], room->blocks.blocks,
                      engine_description(pair.device));
        const bool resident = strstr(engine_description(pair.device), "resident") != NULL;
        cr_assert(resident == (room->blocks.blocks <= most), "%s", engine_description(pair.device));
        engine_fill(pair.host, 7);
        engine_fill(pair.device, 7);
        drive_cut_nodes(&pair);
        device_pair_spread(&pair, 3, true);
        device_pair_spread(&pair, 9, false);
        hear_widely(&pair);
        for (size_t steps = 1; steps < 700; steps = 8 * steps + 3)
            device_pair_run(&pair, steps);
        device_pair_same_energy("sphere", &pair);
        device_pair_free(&pair);
        shape_room_free(room);
    }
}

/* Pressures of more than four caches are always stepped forwards. */
Test(device_isotropic, a_cross_past_the_cache_gives_the_processors_bits)
{
    NEEDS_DEVICE();
    const double nodes = 4.4 * (double)back_ends_device()->cache / 8.0;
    struct shape_room *room = wide_room(SEED_CROSS, (int64_t)cbrt(nodes / 5.0));
    compare("cross past the cache", &room->blocks, NULL, 0, 0, 9);
    shape_room_free(room);
}

Test(device_isotropic, what_each_material_absorbs_is_added_up_as_on_the_processor)
{
    NEEDS_DEVICE();
    struct cell_grids *room = cell_grids_soup_for(14, MATERIALS, SCHEME_ISOTROPIC);
    for (int which = 0; which < 4; ++which) {
        struct device_pair pair = pair_of(&room->blocks, &room->box, which, 4, true);
        const double off = pair.host->real_bytes == sizeof(float) ? 1e-5 : 1e-12;
        double host[MATERIALS + 1], device[MATERIALS + 1];
        engine_fill(pair.host, 7);
        engine_fill(pair.device, 7);
        device_pair_run(&pair, 40);
        engine_absorbed(pair.host, host);
        engine_absorbed(pair.device, device);
        for (size_t m = 0; m <= MATERIALS; ++m)
            cr_assert(test_near(device[m], host[m], off * host[m]),
                      "%s: material %zu has absorbed %.17g, not %.17g", engine_description(pair.device), m,
                      device[m], host[m]);
        cr_assert(test_above(host[0], 0.0));
        device_pair_free(&pair);
    }
    cell_grids_free(room);
}

Test(device_isotropic, sources_that_move_leave_no_mark_behind)
{
    NEEDS_DEVICE();
    struct cell_grids *room = cell_grids_soup_for(15, MATERIALS, SCHEME_ISOTROPIC);
    for (int which = 0; which < 4; ++which) {
        struct device_pair pair = pair_of(&room->blocks, &room->box, which, which & 2 ? 3 : 0, false);
        for (size_t part = 0; part < 3; ++part) {
            drive_cut_nodes(&pair);
            device_pair_run(&pair, 30 + part);
            engine_reset(pair.host);
            engine_reset(pair.device);
            device_pair_same(&pair);
            cr_assert(engine_energy(pair.device) == 0.0);
        }
        device_pair_run(&pair, 9);
        device_pair_free(&pair);
    }
    cell_grids_free(room);
}

Test(device_isotropic, health_finds_bad_nodes_among_the_further_pieces_too)
{
    NEEDS_DEVICE();
    struct cell_grids *room = cell_grids_soup_for(16, MATERIALS, SCHEME_ISOTROPIC);
    for (int which = 0; which < 4; ++which) {
        struct device_pair pair = pair_of(&room->blocks, &room->box, which, 0, false);
        engine_map(pair.device);
        engine_put(pair.device, pair.device->u, engine_list_index(pair.device, 17), -INFINITY);
        const struct engine_health health = engine_health(pair.device);
        cr_assert(health.finite == false &&
                  memcmp(health.bad_node, room->blocks.list_voxel[17], sizeof health.bad_node) == 0);
        device_pair_free(&pair);
    }
    cell_grids_free(room);
}
