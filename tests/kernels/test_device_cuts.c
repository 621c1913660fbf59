/* Conformal walls on the device: the processor's bits, whichever kernel steps the room. Other claims about
 * cut nodes, which hold on the device too: test_cut_nodes. */
#include "tests/support/branch_materials.h"
#include "tests/support/cell_grids.h"
#include "tests/support/device_pair.h"

#define MATERIALS ROOM_MATERIALS

/* A room on both. `which`: blocks, box, each in single and then in double. `branches` 0: coefficients alone.
 */
static struct device_pair pair_of(const struct cell_grids *room, int which, size_t branches, bool ledger)
{
    struct wall_material material[MATERIALS];
    uint64_t random = 12 + branches;
    draw_materials(&random, 0.57 / 340.0, MATERIALS, branches > 0 ? branches : 1, material);
    const struct wall_materials walls = {MATERIALS, material, false, ledger};
    return device_pair_make_walls(&room->blocks, which & 1 ? &room->box : NULL, (enum precision)(which >> 1),
                                  branches > 0 ? &walls : NULL);
}

/* Two sources at each of some nodes with extra links and some cut nodes, where there are any, one of the two
 * over its neighbours too. */
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
        for (int64_t edge = 1; edge < 3; ++edge) {
            const struct stencil stencil = device_pair_stencil(grid, node, edge, &pair->random);
            device_pair_add(pair, &stencil, true);
        }
    }
}

/* Runs of whole graphs, odd ones and single steps, with sources and receivers all over the room. */
static void compare(const char *name, const struct cell_grids *room, int which, size_t branches, size_t steps,
                    const char *kernel)
{
    struct device_pair pair = pair_of(room, which, branches, (which & 1) == (which >> 1));
    (void)fprintf(stderr, "%s: %s\n", name, engine_description(pair.device));
    cr_assert(kernel == NULL || strstr(engine_description(pair.device), kernel) != NULL,
              "%s is not stepped by %s but by %s", name, kernel, engine_description(pair.device));
    engine_fill(pair.host, 7);
    engine_fill(pair.device, 7);
    device_pair_same(&pair);
    device_pair_run(&pair, 1);
    drive_cut_nodes(&pair);
    device_pair_spread(&pair, 2, true);
    device_pair_spread(&pair, 9, false);
    device_pair_run(&pair, steps);
    device_pair_run(&pair, 1);
    device_pair_run(&pair, steps / 2 + 1);
    if (branches > 0)
        device_pair_same_walls(name, &pair);
    else
        device_pair_same_energy(name, &pair);
    const struct engine_health health = engine_health(pair.device);
    cr_assert(health.finite && test_above(health.largest, 0.0), "%s", name);
    const struct engine_health host = engine_health(pair.host);
    cr_assert(health.largest == host.largest, "%s", name);
    cr_assert(test_near(health.mean, host.mean, 1e-11 * sqrt(host.mean_square)),
              "%s, %s: the mean is %.17g, not %.17g", name, engine_description(pair.device), health.mean,
              host.mean);
    device_pair_free(&pair);
}

static void compare_soup(uint64_t seed, size_t branches, size_t steps)
{
    struct cell_grids *room = cell_grids_soup(seed, MATERIALS);
    cr_assert(room->blocks.list_nodes > 100 && room->blocks.extra_links > 200);
    for (int which = 0; which < 4; ++which)
        compare("room of chance", room, which, branches, steps, which & 1 ? "march" : "lanes");
    cell_grids_free(room);
}

static void compare_box(double x, double y, double z, size_t branches, size_t steps)
{
    struct cell_grids *room = cell_grids_box(x, y, z, MATERIALS);
    for (int which = 0; which < 4; ++which)
        compare("turned box", room, which, branches, steps, which & 1 ? "march" : "lanes");
    cell_grids_free(room);
}

Test(device_cuts, rooms_of_chance_give_the_processors_bits)
{
    NEEDS_DEVICE();
    compare_soup(11, 0, 67);
    compare_soup(12, 7, 67);
}

Test(device_cuts, turned_boxes_of_every_size_give_the_processors_bits)
{
    NEEDS_DEVICE();
    compare_box(5.3, 4.2, 6.1, 0, 131);
    compare_box(27.4, 18.3, 22.9, 0, 67);
    compare_box(27.4, 18.3, 22.9, 5, 67);
    compare_box(70.7, 33.3, 40.9, 3, 20);
}

/* Pressures of more than two caches are marched. */
Test(device_cuts, a_turned_box_past_the_cache_gives_the_processors_bits)
{
    NEEDS_DEVICE();
    for (int precision = 0; precision < 2; ++precision) {
        const double edge = cbrt(2.2 * (double)back_ends_device()->cache / (precision == 0 ? 8.0 : 16.0));
        struct cell_grids *room = cell_grids_box(edge, edge, edge, MATERIALS);
        compare("turned box past the cache", room, 2 * precision, 0, 20, "march");
        compare("turned box past the cache", room, 2 * precision, 6, 20, "march");
        cell_grids_free(room);
    }
}

Test(device_cuts, what_each_material_absorbs_is_added_up_as_on_the_processor)
{
    NEEDS_DEVICE();
    struct cell_grids *room = cell_grids_soup(14, MATERIALS);
    for (int which = 0; which < 4; ++which) {
        struct device_pair pair = pair_of(room, which, 4, true);
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

Test(device_cuts, sources_that_move_leave_no_mark_behind)
{
    NEEDS_DEVICE();
    struct cell_grids *room = cell_grids_soup(15, MATERIALS);
    for (int which = 0; which < 4; ++which) {
        struct device_pair pair = pair_of(room, which, which & 2 ? 3 : 0, false);
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

Test(device_cuts, health_finds_bad_nodes_among_the_further_pieces_too)
{
    NEEDS_DEVICE();
    struct cell_grids *room = cell_grids_soup(16, MATERIALS);
    for (int which = 0; which < 4; ++which) {
        struct device_pair pair = pair_of(room, which, 0, false);
        engine_map(pair.device);
        engine_put(pair.device, pair.device->u, engine_list_index(pair.device, 17), -INFINITY);
        const struct engine_health health = engine_health(pair.device);
        cr_assert(health.finite == false &&
                  memcmp(health.bad_node, room->blocks.list_voxel[17], sizeof health.bad_node) == 0);
        device_pair_free(&pair);
    }
    cell_grids_free(room);
}
