/* Cavities by volume: counts, volumes and surfaces of boxes, and which of them a position is in. */
#include "geometry/room/cavity_map.h"
#include "geometry/voxel/clearance.h"
#include "tests/support/flooded_room.h"
#include "tests/support/test_support.h"

#define H 0.05

/* A room 5.4 x 3.4 x 2.4 m within a shell 30 cm further out, and a closed cupboard in it. */
static struct mesh nested(void)
{
    struct mesh mesh = {0};
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){6, 4, 3}, NULL, -1);
    solid_box(&mesh, NULL, (double[]){0.3, 0.3, 0.3}, (double[]){5.7, 3.7, 2.7}, NULL, -1);
    solid_box(&mesh, NULL, (double[]){1, 1, 1}, (double[]){1.8, 1.6, 2}, NULL, -1);
    return mesh;
}

static struct cavity_map map_of(const struct mesh *mesh, size_t limit, const double (*place)[3],
                                size_t places)
{
    const struct lattice lattice = fit(mesh, H);
    const struct voxelise_options options = {.threads = 2};
    struct cavity_map map;
    MUST(cavity_map_make(mesh, &lattice, &options, limit, place, places, &map, &failure));
    return map;
}

Test(cavity_map, boxes_in_boxes_have_their_volumes_surfaces_and_thickness)
{
    struct mesh mesh = nested();
    struct cavity_map map = map_of(&mesh, 64, NULL, 0);
    struct clearance tree;
    const double room = 5.4 * 3.4 * 2.4, room_walls = 2 * (5.4 * 3.4 + 5.4 * 2.4 + 3.4 * 2.4);
    const double cupboard_walls = 2 * (0.8 * 0.6 + 0.8 * 1 + 0.6 * 1);
    const double volume[3] = {room - 0.48, 72 - room, 0.48};
    const double surface[3] = {room_walls + cupboard_walls, 108 + room_walls, cupboard_walls};
    const double low[3][3] = {{0.3, 0.3, 0.3}, {0, 0, 0}, {1, 1, 1}};
    const double high[3][3] = {{5.7, 3.7, 2.7}, {6, 4, 3}, {1.8, 1.6, 2}};
    const double clear[3] = {0.5, 0.1, 0.25};
    cr_assert(map.count == 3 && map.further_count == 0 && map.further_air_nodes == 0);
    cr_assert(clearance_make(&mesh, &tree, NULL) == 0);
    for (int i = 0; i < 3; i++) {
        const struct cavity *cavity = &map.cavity[i];
        cr_assert(test_near(cavity->volume, volume[i], 1e-9), "%d: %g m3", i, cavity->volume);
        cr_assert(test_near((double)cavity->air_nodes * H * H * H, volume[i], 1e-9));
        cr_assert(test_near(cavity->surface, surface[i], 1e-9), "%d: %g m2", i, cavity->surface);
        cr_assert(test_near(cavity->thickness, 2 * volume[i] / surface[i], 1e-9));
        for (int axis = 0; axis < 3; axis++)
            cr_assert(test_near(cavity->low[axis], low[i][axis], 1e-9) &&
                      test_near(cavity->high[axis], high[i][axis], 1e-9));
        cr_assert(clearance_at(&tree, cavity->position, 10) >= clear[i], "%d", i);
    }
    /* A gap of 30 cm shows as one. */
    cr_assert(test_near(map.cavity[1].thickness, 0.3, 0.005) && map.cavity[0].thickness > 1);
    clearance_free(&tree);
    cavity_map_free(&map);
    mesh_free(&mesh);
}

Test(cavity_map, positions_find_their_cavity_the_outside_and_the_walls)
{
    struct mesh mesh = nested();
    /* Room, gap, cupboard, in a wall, beyond the box, the cavity's own point. */
    const double place[6][3] = {{3, 2, 1.5},   {0.15, 2, 1.5}, {1.4, 1.3, 1.5},
                                {0.3, 2, 1.5}, {-1, 2, 1.5},   {0.31, 0.31, 0.31}};
    const int32_t expected[6] = {0, 1, 2, CAVITY_IN_WALL, CAVITY_OUTSIDE, 0};
    struct cavity_map map = map_of(&mesh, 64, place, 6);
    for (int i = 0; i < 6; i++)
        cr_assert(map.place_cavity[i] == expected[i], "%d: %d", i, map.place_cavity[i]);
    cavity_map_free(&map);
    /* With room for one only, the others are summed. */
    map = map_of(&mesh, 1, place, 6);
    cr_assert(map.count == 1 && map.further_count == 2 && map.place_cavity[0] == 0);
    cr_assert(map.place_cavity[1] == CAVITY_FURTHER && map.place_cavity[2] == CAVITY_FURTHER);
    cr_assert(test_near(map.further_volume, 72 - 5.4 * 3.4 * 2.4 + 0.48, 1e-9), "%g", map.further_volume);
    cavity_map_free(&map);
    mesh_free(&mesh);
}

Test(cavity_map, a_panel_in_the_air_counts_on_both_sides)
{
    struct mesh mesh = {0};
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){3, 3, 3}, NULL, -1);
    solid_panel(&mesh, NULL, 0, 1.5, (double[]){1, 1}, (double[]){2, 2}, 0);
    struct cavity_map map = map_of(&mesh, 4, NULL, 0);
    cr_assert(map.count == 1 && test_near(map.cavity[0].volume, 27, 1e-9));
    cr_assert(test_near(map.cavity[0].surface, 54 + 2, 1e-9), "%g", map.cavity[0].surface);
    cavity_map_free(&map);
    mesh_free(&mesh);
}

Test(cavity_map, walls_at_any_angle_have_their_area_on_average)
{
    struct mesh mesh = {0};
    const struct solid_pose pose = solid_pose_make(0.4, 0.7, (double[]){0, 0, 0});
    solid_box(&mesh, &pose, (double[]){0, 0, 0}, (double[]){4, 3, 2}, NULL, -1);
    struct cavity_map map = map_of(&mesh, 4, NULL, 0);
    cr_assert(map.count == 1 && test_near(map.cavity[0].surface, 52, 0.52), "%g", map.cavity[0].surface);
    cr_assert(test_near(map.cavity[0].volume, 24, 0.1), "%g", map.cavity[0].volume);
    cavity_map_free(&map);
    mesh_free(&mesh);
}

Test(cavity_map, an_open_box_encloses_nothing_which_fails_only_if_a_cavity_is_asked_for)
{
    struct mesh mesh = {0};
    struct voxel_cavity cavity;
    size_t count;
    const double place[1][3] = {{1, 1, 1}};
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){2, 2, 2}, NULL, 5);
    struct cavity_map map = map_of(&mesh, 4, place, 1);
    cr_assert(map.count == 0 && map.further_count == 0 && map.place_cavity[0] == CAVITY_OUTSIDE);
    const struct lattice lattice = fit(&mesh, H);
    MUST_FAIL(voxel_cavities(&mesh, &lattice, &(struct voxelise_options){0}, 1, &cavity, &count, &failure),
              FAILURE_INPUT, "encloses no air");
    cavity_map_free(&map);
    mesh_free(&mesh);
}
