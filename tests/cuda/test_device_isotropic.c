/* The isotropic scheme on the device: the processor's bits in both layouts and precisions, between walls of
 * every kind, in rooms with further pieces and extra links. */
#include "tests/cuda/device_cut_rooms.h"

/* Does a room stay on the chip? There are at most 12 blocks a multiprocessor, of which a device that these
 * tests run on has 24 at least. Rooms between the two are not asked for. */
static bool stays(const struct block_grid *blocks, int which, size_t branches)
{
    return which == 0 && branches == 0 && blocks->extra_nodes == 0 && blocks->blocks <= 12 * 24;
}

static void compare_room(const char *name, const struct block_grid *blocks, const struct box_grid *box,
                         int which, size_t branches, size_t steps)
{
    compare(name, blocks, box, which, branches, steps,
            which & 1                        ? "march"
            : stays(blocks, which, branches) ? "resident"
                                             : "rows");
}

static void compare_cells(const char *name, struct cell_grids *room, size_t branches, size_t steps)
{
    for (int which = 0; which < 4; ++which)
        compare_room(name, &room->blocks, &room->box, which, branches, steps);
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
        compare_room("stairs", &room->blocks, &room->box, which, branches, steps);
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
    compare_room("cross past the cache", &room->blocks, NULL, 0, 0, 9);
    shape_room_free(room);
}

Test(device_isotropic, what_each_material_absorbs_is_added_up_as_on_the_processor)
{
    NEEDS_DEVICE();
    add_up_what_materials_absorb(SCHEME_ISOTROPIC);
}

Test(device_isotropic, sources_that_move_leave_no_mark_behind)
{
    NEEDS_DEVICE();
    move_sources(SCHEME_ISOTROPIC);
}

Test(device_isotropic, health_finds_bad_nodes_among_the_further_pieces_too)
{
    NEEDS_DEVICE();
    find_a_bad_further_piece(SCHEME_ISOTROPIC);
}
