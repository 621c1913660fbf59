/** Rooms with cut nodes and extra links, on a processor and on a device and of either scheme: what the suites
 * device_cuts and device_isotropic share. `which`: blocks, box, each in single and then in double. */
#ifndef TESTS_DEVICE_CUT_ROOMS_H
#define TESTS_DEVICE_CUT_ROOMS_H

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

/* Runs of whole graphs, odd ones and single steps, with sources and receivers all over the room. */
static void compare(const char *name, const struct block_grid *blocks, const struct box_grid *box, int which,
                    size_t branches, size_t steps, const char *kernel)
{
    struct device_pair pair = pair_of(blocks, box, which, branches, (which & 1) == (which >> 1));
    (void)fprintf(stderr, "%s: %s\n", name, engine_description(pair.device));
    cr_assert(strstr(engine_description(pair.device), kernel) != NULL, "%s is not stepped by %s but by %s",
              name, kernel, engine_description(pair.device));
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
    const struct engine_health health = engine_health(pair.device), host = engine_health(pair.host);
    cr_assert(health.finite && test_above(health.largest, 0.0), "%s", name);
    cr_assert(health.largest == host.largest, "%s", name);
    cr_assert(test_near(health.mean, host.mean, 1e-11 * sqrt(host.mean_square)),
              "%s, %s: the mean is %.17g, not %.17g", name, engine_description(pair.device), health.mean,
              host.mean);
    device_pair_free(&pair);
}

static void add_up_what_materials_absorb(enum scheme scheme)
{
    struct cell_grids *room = cell_grids_soup_for(14, MATERIALS, scheme);
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

static void move_sources(enum scheme scheme)
{
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

static void find_a_bad_further_piece(enum scheme scheme)
{
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

#endif
