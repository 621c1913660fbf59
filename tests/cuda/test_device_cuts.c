/* Conformal walls and the isotropic scheme on the device: the processor's bits in both layouts and
 * precisions, between walls of every kind, in rooms with further pieces and extra links, whichever kernel
 * steps the room. `which`: blocks, box, each in single and then in double. */
#include "tests/support/branch_materials.h"
#include "tests/support/cell_grids.h"
#include "tests/support/device_pair.h"

#define MATERIALS ROOM_MATERIALS

/* A room on both. `branches` 0: coefficients alone. */
static struct device_pair pair_of(const struct block_grid *blocks, const struct box_grid *box, int which,
                                  size_t branches, bool ledger)
{
    struct wall_material material[MATERIALS];
    uint64_t random = 12 + branches;
    draw_materials(&random, (blocks->isotropic ? 0.77 : 0.57) / 340.0, MATERIALS, branches > 0 ? branches : 1,
                   material);
    const struct wall_materials walls = {MATERIALS, material, false, ledger};
    return device_pair_make_walls(blocks, which & 1 ? box : NULL, (enum precision)(which >> 1),
                                  branches > 0 ? &walls : NULL);
}

/* Sources at each of some nodes with extra links and some cut nodes, where there are any: at the node, and
 * over its neighbours; the isotropic scheme's a third time, over more of them. */
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
        for (int64_t edge = 1; edge < (grid->isotropic ? 6 : 3); edge += edge < 2 ? 1 : 3) {
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

/* What each material has absorbed. */
static void same_absorbed(const struct device_pair *pair)
{
    const double off = pair->host->real_bytes == sizeof(float) ? 1e-5 : 1e-12;
    double host[MATERIALS + 1], device[MATERIALS + 1];
    engine_absorbed(pair->host, host);
    engine_absorbed(pair->device, device);
    for (size_t m = 0; m <= MATERIALS; ++m)
        cr_assert(test_near(device[m], host[m], off * host[m]),
                  "%s: material %zu has absorbed %.17g, not %.17g", engine_description(pair->device), m,
                  device[m], host[m]);
    cr_assert(test_above(host[0], 0.0));
}

/* Blocks of the standard scheme are stepped by lanes up to two caches, then by the march. A room of the
 * isotropic one stays on the chip where it has at most 12 blocks a multiprocessor, and few enough states. */
static const char *kernel_of(const struct block_grid *blocks, int which)
{
    const double pressures = 2.0 * 512.0 * blocks->blocks * (which >> 1 ? 8.0 : 4.0);
    if (which & 1)
        return "march";
    if (!blocks->isotropic)
        return pressures > 2.0 * device_pair_cache() ? "march" : "lanes";
    return which == 0 && blocks->extra_nodes == 0 &&
                   blocks->blocks <= 12 * (uint64_t)back_ends_device()->processors
               ? "resident"
               : "rows";
}

/* Runs of whole graphs, odd ones and single steps, with sources and receivers all over the room. */
static void compare(const char *name, const struct block_grid *blocks, const struct box_grid *box, int which,
                    size_t branches, size_t steps)
{
    const bool ledger = (which & 1) == (which >> 1);
    const char *const kernel = kernel_of(blocks, which);
    struct device_pair pair = pair_of(blocks, box, which, branches, ledger);
    (void)fprintf(stderr, "%s: %s\n", name, engine_description(pair.device));
    cr_assert(device_pair_steps_by(&pair, kernel), "%s is not stepped by %s but by %s", name, kernel,
              engine_description(pair.device));
    engine_fill(pair.host, 7);
    engine_fill(pair.device, 7);
    device_pair_same(&pair);
    device_pair_run(&pair, 1);
    drive_cut_nodes(&pair);
    device_pair_spread(&pair, 2, true);
    device_pair_spread(&pair, 9, false);
    if (blocks->isotropic)
        hear_widely(&pair);
    device_pair_run(&pair, steps);
    device_pair_run(&pair, 1);
    device_pair_run(&pair, steps / 2 + 1);
    if (branches > 0)
        device_pair_same_walls(name, &pair);
    else
        device_pair_same_energy(name, &pair);
    if (branches > 0 && ledger) {
        device_pair_run(&pair, 40);
        same_absorbed(&pair);
    }
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

TEST_SCHEMES(device_cuts, rooms_of_chance_give_the_processors_bits)
{
    static const size_t branches[] = {0, 7, 4};
    NEEDS_DEVICE();
    for (size_t n = 0; n < 3; ++n) {
        struct cell_grids *room = cell_grids_soup_for(11 + n, MATERIALS, scheme);
        cr_assert(room->blocks.list_nodes > 100 && room->blocks.extra_links > 200);
        compare_cells("room of chance", room, branches[n], 67);
    }
}

TEST_SCHEMES(device_cuts, turned_boxes_of_every_size_give_the_processors_bits)
{
    static const struct {
        double size[3];
        size_t branches, steps;
    } box[] = {{{5.3, 4.2, 6.1}, 0, 131},
               {{27.4, 18.3, 22.9}, 0, 67},
               {{27.4, 18.3, 22.9}, 5, 67},
               {{70.7, 33.3, 40.9}, 6, 20},
               {{70.7, 33.3, 40.9}, 12, 20}};
    NEEDS_DEVICE();
    for (size_t n = 0; n < sizeof box / sizeof *box; ++n)
        compare_cells("turned box",
                      cell_grids_box_for(box[n].size[0], box[n].size[1], box[n].size[2], MATERIALS, scheme),
                      box[n].branches, box[n].steps);
}

/* Pressures of more than two caches are marched. */
Test(device_cuts, a_turned_box_past_the_cache_gives_the_processors_bits)
{
    NEEDS_DEVICE();
    for (int precision = 0; precision < 2; ++precision) {
        const double edge = cbrt(2.2 * device_pair_cache() / (precision == 0 ? 8.0 : 16.0));
        struct cell_grids *room = cell_grids_box(edge, edge, edge, MATERIALS);
        compare("turned box past the cache", &room->blocks, &room->box, 2 * precision, 0, 20);
        compare("turned box past the cache", &room->blocks, &room->box, 2 * precision, 6, 20);
        cell_grids_free(room);
    }
}

/* A room of staircase walls of the isotropic scheme. */
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

Test(device_cuts, stairs_of_the_isotropic_scheme_give_the_processors_bits)
{
    static const struct {
        enum seed_shape shape;
        int64_t nodes;
        size_t branches, steps;
    } stairs[] = {
        {SEED_CROSS, 20, 0, 67}, {SEED_SPHERE, 50, 3, 67}, {SEED_CUBE, 37, 0, 67}, {SEED_CROSS, 96, 6, 20}};
    NEEDS_DEVICE();
    for (size_t n = 0; n < sizeof stairs / sizeof *stairs; ++n) {
        struct shape_room *room = wide_room(stairs[n].shape, stairs[n].nodes);
        MUST(box_grid_from_blocks(&room->blocks, &room->box, &failure));
        for (int which = 0; which < 4; ++which)
            compare("stairs", &room->blocks, &room->box, which, stairs[n].branches, stairs[n].steps);
        shape_room_free(room);
    }
}

/* Every number of blocks a multiprocessor, on a device of 132. */
Test(device_cuts, rooms_that_stay_on_the_chip_give_the_processors_bits)
{
    NEEDS_DEVICE();
    static const int64_t nodes[] = {24, 60, 70, 84, 92, 100, 106};
    const uint64_t most = 12 * (uint64_t)back_ends_device()->processors;
    for (size_t r = 0; r < sizeof nodes / sizeof *nodes; ++r) {
        struct shape_room *room = wide_room(SEED_SPHERE, nodes[r]);
        struct device_pair pair = pair_of(&room->blocks, NULL, 0, 0, false);
        (void)fprintf(stderr, "sphere %d, %u blocks: %s\n", (int)nodes[r], room->blocks.blocks,
                      engine_description(pair.device));
        const bool resident = device_pair_steps_by(&pair, "resident");
        cr_assert(back_ends_backend() != BACKEND_CUDA || resident == (room->blocks.blocks <= most), "%s",
                  engine_description(pair.device));
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

/* Sources of one node and of eight in blocks of open air, since a source at a wall ends the stay. */
static void drive_open_air(struct device_pair *pair)
{
    size_t driven = 0;
    for (block_id b = 1; driven < 6 && b < block_list_first(pair->blocks); ++b) {
        int64_t node[3];
        if (pair->blocks->block[b].tile != TILE_FULL)
            continue;
        block_node(&pair->blocks->block[b], 3 + 8 * 4 + 64 * 2, node);
        const struct stencil stencil =
            device_pair_stencil(pair->blocks, node, 1 + (int64_t)(driven % 2), &pair->random);
        device_pair_add(pair, &stencil, true);
        ++driven;
    }
    cr_assert(driven == 6);
}

/* At last sources at walls: rows step on from the states that the chip has left. */
Test(device_cuts, rooms_with_walls_of_states_stay_on_the_chip_and_give_the_processors_bits)
{
    NEEDS_DEVICE();
    static const struct {
        int64_t nodes;
        size_t branches;
    } sphere[] = {{60, 6}, {60, 11}, {84, 3}};
    for (size_t r = 0; r < sizeof sphere / sizeof *sphere; ++r) {
        struct shape_room *room = wide_room(SEED_SPHERE, sphere[r].nodes);
        struct device_pair pair = pair_of(&room->blocks, NULL, 0, sphere[r].branches, r % 2 == 0);
        cr_assert(device_pair_steps_by(&pair, "resident"), "sphere %d, %u blocks: %s", (int)sphere[r].nodes,
                  room->blocks.blocks, engine_description(pair.device));
        engine_fill(pair.host, 7);
        engine_fill(pair.device, 7);
        drive_open_air(&pair);
        device_pair_spread(&pair, 9, false);
        hear_widely(&pair);
        for (size_t steps = 1; steps < 700; steps = 8 * steps + 3)
            device_pair_run(&pair, steps);
        device_pair_same_walls("sphere", &pair);
        drive_cut_nodes(&pair);
        device_pair_run(&pair, 40);
        device_pair_same_walls("sphere, driven at walls", &pair);
        device_pair_free(&pair);
        shape_room_free(room);
    }
}

/* Pressures of more than four caches are always stepped forwards. */
Test(device_cuts, a_cross_past_the_cache_gives_the_processors_bits)
{
    NEEDS_DEVICE();
    const double nodes = 4.4 * device_pair_cache() / 8.0;
    struct shape_room *room = wide_room(SEED_CROSS, (int64_t)cbrt(nodes / 5.0));
    compare("cross past the cache", &room->blocks, NULL, 0, 0, 9);
    shape_room_free(room);
}

TEST_SCHEMES(device_cuts, sources_that_move_leave_no_mark_behind)
{
    NEEDS_DEVICE();
    struct cell_grids *room = cell_grids_soup_for(15, MATERIALS, scheme);
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

TEST_SCHEMES(device_cuts, health_finds_bad_nodes_among_the_further_pieces_too)
{
    NEEDS_DEVICE();
    struct cell_grids *room = cell_grids_soup_for(16, MATERIALS, scheme);
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
