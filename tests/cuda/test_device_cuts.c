/* Conformal walls on the device: the processor's bits, whichever kernel steps the room. Other claims about
 * cut nodes, which hold on the device too: test_cut_nodes. */
#include "tests/cuda/device_cut_rooms.h"

static void compare_all(const char *name, struct cell_grids *room, size_t branches, size_t steps)
{
    for (int which = 0; which < 4; ++which)
        compare(name, &room->blocks, &room->box, which, branches, steps, which & 1 ? "march" : "lanes");
    cell_grids_free(room);
}

Test(device_cuts, rooms_of_chance_give_the_processors_bits)
{
    NEEDS_DEVICE();
    for (size_t n = 0; n < 2; ++n) {
        struct cell_grids *room = cell_grids_soup(11 + n, MATERIALS);
        cr_assert(room->blocks.list_nodes > 100 && room->blocks.extra_links > 200);
        compare_all("room of chance", room, 7 * n, 67);
    }
}

Test(device_cuts, turned_boxes_of_every_size_give_the_processors_bits)
{
    NEEDS_DEVICE();
    compare_all("turned box", cell_grids_box(5.3, 4.2, 6.1, MATERIALS), 0, 131);
    compare_all("turned box", cell_grids_box(27.4, 18.3, 22.9, MATERIALS), 0, 67);
    compare_all("turned box", cell_grids_box(27.4, 18.3, 22.9, MATERIALS), 5, 67);
    compare_all("turned box", cell_grids_box(70.7, 33.3, 40.9, MATERIALS), 3, 20);
}

/* Pressures of more than two caches are marched. */
Test(device_cuts, a_turned_box_past_the_cache_gives_the_processors_bits)
{
    NEEDS_DEVICE();
    for (int precision = 0; precision < 2; ++precision) {
        const double edge = cbrt(2.2 * (double)back_ends_device()->cache / (precision == 0 ? 8.0 : 16.0));
        struct cell_grids *room = cell_grids_box(edge, edge, edge, MATERIALS);
        compare("turned box past the cache", &room->blocks, &room->box, 2 * precision, 0, 20, "march");
        compare("turned box past the cache", &room->blocks, &room->box, 2 * precision, 6, 20, "march");
        cell_grids_free(room);
    }
}

Test(device_cuts, what_each_material_absorbs_is_added_up_as_on_the_processor)
{
    NEEDS_DEVICE();
    add_up_what_materials_absorb(SCHEME_STANDARD);
}

Test(device_cuts, sources_that_move_leave_no_mark_behind)
{
    NEEDS_DEVICE();
    move_sources(SCHEME_STANDARD);
}

Test(device_cuts, health_finds_bad_nodes_among_the_further_pieces_too)
{
    NEEDS_DEVICE();
    find_a_bad_further_piece(SCHEME_STANDARD);
}
