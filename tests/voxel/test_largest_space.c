/* Which space of a model is the largest: closed or with a door that stands open, but not what is outside. */
#include "geometry/room/largest_space.h"
#include "tests/support/holed_room.h"
#include "tests/support/outcome.h"

#define AT(...) ((const double[3]){__VA_ARGS__})

static struct largest_space largest_of(const struct mesh *mesh, bool open, const double place[3],
                                       double least)
{
    const struct voxelise_options options = {.threads = 2, .open = open};
    struct largest_space space;
    MUST(largest_space_find(mesh, &options, (const double(*)[3])place, place != NULL, least, &space,
                            &failure));
    return space;
}

static void add_box(struct mesh *mesh, const struct room_pose *pose, const double low[3],
                    const double high[3])
{
    room_add_box(mesh, pose, low, high, -1, NULL, 0);
}

/* A hall 12 x 8 x 5 m with a hollow slab in it, and a door of `width` in the wall at x = 12. */
static struct mesh hall(const struct room_pose *pose, double width)
{
    struct mesh mesh = {0};
    double door[32][2];
    const double middle[2] = {4, 1.3};
    const size_t corners = width > 0 ? room_hole(0, width, 0.785398163397448, middle, door) : 0;
    room_add_box(&mesh, pose, AT(0, 0, 0), AT(12, 8, 5), 1, (const double(*)[2])door, corners);
    add_box(&mesh, pose, AT(2, 2, 3), AT(8, 6, 3.3));
    return mesh;
}

/* In the hall, at least 1 m from its walls, where it is turned as `pose` says. */
static bool is_in_hall(const struct room_pose *pose, const double place[3])
{
    double local[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; axis++)
        for (int row = 0; row < 3; row++)
            local[axis] += pose->rotation[row][axis] * (place[row] - pose->shift[row]);
    return local[0] > 1 && local[0] < 11 && local[1] > 1 && local[1] < 7 && local[2] > 1 && local[2] < 4;
}

Test(largest_space, a_hall_is_one_with_its_door_shut_and_open_at_any_angle)
{
    uint64_t random = 51;
    for (int turn = 0; turn < 6; turn++) {
        const struct room_pose pose = turn == 0 ? room_pose_none() : room_pose_random(&random);
        for (int door = 0; door < 2; door++) {
            struct mesh mesh = hall(&pose, 2.0 * door);
            double in_hall[3], in_slab[3];
            room_pose_place(&pose, AT(4, 4, 1.5), in_hall);
            room_pose_place(&pose, AT(4, 4, 3.15), in_slab);
            struct largest_space space = largest_of(&mesh, false, in_hall, 0);
            /* Cells, and at the door what is seen through it from four sides. */
            cr_assert(test_near(space.volume, 480 - 7.2, 0.05 * 480), "%d: %g m3", turn, space.volume);
            cr_assert(eq(int, space.open, door));
            cr_assert(space.holds_place && is_in_hall(&pose, space.position), "%d", turn);
            space = largest_of(&mesh, false, in_slab, 0);
            cr_assert(not(space.holds_place));
            mesh_free(&mesh);
        }
    }
}

Test(largest_space, air_beside_a_house_is_no_space_and_neither_is_a_courtyard)
{
    const struct room_pose pose = room_pose_none();
    struct mesh mesh = {0};
    /* A house of 5 x 4 x 3 m on a terrain, beside a yard of 12 x 12 m between walls of 3 m. */
    add_box(&mesh, &pose, AT(0, 0, 0), AT(5, 4, 3));
    room_add_panel(&mesh, &pose, AT(-10, -10, -0.1), AT(40, 0, 0), AT(0, 40, 0), NULL, 0);
    for (int wall = 0; wall < 4; wall++)
        room_add_panel(&mesh, &pose, AT(wall == 1 ? 22 : 10, wall == 3 ? 22 : 10, -0.1),
                       wall % 2 ? AT(0, wall == 1 ? 12 : -12, 0)
                                : AT(wall == 0 ? 12 : 0, wall == 2 ? 12 : 0, 0),
                       AT(0, 0, 3), NULL, 0);
    const struct largest_space space = largest_of(&mesh, false, AT(2, 2, 1), 0);
    cr_assert(test_near(space.volume, 60, 9), "%g m3", space.volume);
    cr_assert(space.holds_place && !space.open, "the house is shut and holds its place");
    /* Whoever accepts an open scene stands in the same room. */
    const struct largest_space scene = largest_of(&mesh, true, AT(2, 2, 1), 0);
    cr_assert(scene.holds_place && scene.volume == space.volume, "%g m3", scene.volume);
    mesh_free(&mesh);
}

Test(largest_space, a_room_without_its_ceiling_is_one_as_deep_inside_as_it_goes)
{
    const struct room_pose pose = room_pose_none();
    struct mesh mesh = {0};
    room_add_box(&mesh, &pose, AT(0, 0, 0), AT(6, 5, 3), 5,
                 (const double[][2]){{.01, .01}, {5.99, .01}, {5.99, 4.99}, {.01, 4.99}}, 4);
    const struct largest_space space = largest_of(&mesh, false, NULL, 0);
    cr_assert(space.open && test_near(space.volume, 90, 5), "%g m3", space.volume);
    cr_assert(test_near(space.position[2], 1.5, 0.2), "%g m", space.position[2]);
    mesh_free(&mesh);
}

Test(largest_space, smaller_spaces_than_asked_for_and_sheets_are_none)
{
    const struct room_pose pose = room_pose_none();
    struct mesh mesh = hall(&pose, 0), sheet = {0};
    cr_assert(largest_of(&mesh, false, NULL, 470).volume > 470);
    cr_assert(largest_of(&mesh, false, NULL, 500).volume == 0);
    room_add_panel(&sheet, &pose, AT(0, 0, 0), AT(1000, 0, 0), AT(0, 1000, 0), NULL, 0);
    cr_assert(largest_of(&sheet, false, NULL, 0).volume == 0);
    mesh_free(&mesh);
    mesh_free(&sheet);
}
