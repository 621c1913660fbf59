#include "geometry/base/vector.h"
#include "geometry/leak/narrow.h"
#include "rooms/shapes/room_shape.h"
#include "tests/support/flooded_room.h"
#include "tests/support/holed_room.h"
#include "tests/support/test_support.h"

#define SPACING 0.05

/* Openings of the room around `local` at a spacing. */
static size_t openings_at(struct mesh *mesh, double spacing, const struct room_pose *pose,
                          const double local[3], struct voxel_place place[NARROW_LISTED_MAX])
{
    const struct lattice lattice = fit(mesh, spacing);
    struct voxel_place alone[NARROW_LISTED_MAX];
    double at[3];
    size_t count, count_alone;
    room_pose_place(pose, local, at);
    struct voxels voxels = flood_room(mesh, &lattice, source_at(at[0], at[1], at[2]));
    MUST(narrow_find(&voxels, 2, place, &count, &failure));
    MUST(narrow_find(&voxels, 1, alone, &count_alone, &failure));
    cr_assert(eq(sz, count, count_alone));
    cr_assert(count == 0 || memcmp(place, alone, count * sizeof *place) == 0, "threads change the answer");
    voxels_free(&voxels);
    mesh_free(mesh);
    return count;
}

static size_t openings(struct mesh *mesh, const struct room_pose *pose, const double local[3],
                       struct voxel_place place[NARROW_LISTED_MAX])
{
    return openings_at(mesh, SPACING, pose, local, place);
}

/* Two rooms of 20 x 24 x 20 nodes joined by one opening in the thin wall between: square, round, or a slot
 * of 16. */
enum shape { SQUARE, ROUND, SLOT };

static struct mesh joined_rooms(const struct room_pose *pose, enum shape shape, double width,
                                double middle[3])
{
    const double h = SPACING, low[3] = {0, 0, 0}, high[3] = {40 * h, 24 * h, 20 * h};
    const double corner[3] = {20 * h, 0, 0}, side_u[3] = {0, 24 * h, 0}, side_v[3] = {0, 0, 20 * h};
    const double centre[2] = {12 * h, 10 * h}, local[3] = {20 * h, 12 * h, 10 * h};
    double hole[32][2] = {{4 * h, 10 * h - width / 2},
                          {20 * h, 10 * h - width / 2},
                          {20 * h, 10 * h + width / 2},
                          {4 * h, 10 * h + width / 2}};
    struct mesh mesh = {0};
    const size_t corners =
        shape == SLOT ? 4 : room_hole(shape == ROUND, width, 0.785398163397448, centre, hole);
    room_add_box(&mesh, pose, low, high, -1, NULL, 0);
    room_add_panel(&mesh, pose, corner, side_u, side_v, (const double(*)[2])hole, corners);
    room_pose_place(pose, local, middle);
    return mesh;
}

static const double IN_FIRST_ROOM[3] = {10 * SPACING, 12 * SPACING, 10 * SPACING};

Test(narrow, openings_of_two_nodes_are_found_and_those_of_five_are_not)
{
    uint64_t state = 11;
    for (int n = 0; n < 24; ++n) {
        const struct room_pose pose = n < 3 ? room_pose_none() : room_pose_random(&state);
        const enum shape shape = (enum shape)(n % 3);
        struct voxel_place place[NARROW_LISTED_MAX];
        double middle[3];
        struct mesh mesh = joined_rooms(&pose, shape, 2 * SPACING, middle);
        cr_assert(eq(sz, openings(&mesh, &pose, IN_FIRST_ROOM, place), 1), "room %d", n);
        cr_assert(lt(dbl, vector_distance(place[0].position, middle), 2.5 * SPACING), "room %d", n);
        cr_assert(test_above(place[0].width, 0.7 * SPACING), "room %d: %g h", n, place[0].width / SPACING);
        cr_assert(lt(dbl, place[0].width, 2.5 * SPACING), "room %d: %g h", n, place[0].width / SPACING);
        mesh = joined_rooms(&pose, shape, 5.2 * SPACING, middle);
        cr_assert(eq(sz, openings(&mesh, &pose, IN_FIRST_ROOM, place), 0), "room %d", n);
    }
}

/* Where the wall is a lattice plane, nodes in the opening can be counted: 2 x 2, and 16 x 2. */
Test(narrow, widths_and_links_on_the_lattice_are_exact_in_straight_rooms)
{
    const struct room_pose pose = room_pose_none();
    struct voxel_place place[NARROW_LISTED_MAX];
    double middle[3];
    struct mesh mesh = joined_rooms(&pose, SQUARE, 2 * SPACING, middle);
    cr_assert(eq(sz, openings(&mesh, &pose, IN_FIRST_ROOM, place), 1));
    cr_assert(eq(u64, place[0].links, 4));
    cr_assert(test_near(place[0].width, 2 * SPACING, 0.15 * SPACING), "%g", place[0].width / SPACING);
    mesh = joined_rooms(&pose, SLOT, 2 * SPACING, middle);
    cr_assert(eq(sz, openings(&mesh, &pose, IN_FIRST_ROOM, place), 1));
    cr_assert(eq(u64, place[0].links, 32));
    cr_assert(test_near(place[0].width, 2 * SPACING, 0.15 * SPACING), "%g", place[0].width / SPACING);
}

/* A passage 2 nodes wide and 20 high through a wall of 6 nodes. */
Test(narrow, a_passage_through_a_thick_wall_is_found)
{
    const struct room_pose pose = room_pose_none();
    const double h = SPACING, low[3] = {0, 0, 0}, high[3] = {46 * h, 24 * h, 20 * h};
    struct voxel_place place[NARROW_LISTED_MAX];
    struct mesh mesh = {0};
    room_add_box(&mesh, &pose, low, high, -1, NULL, 0);
    room_add_box(&mesh, &pose, (const double[3]){20 * h, 0, 0}, (const double[3]){26 * h, 11 * h, 20 * h}, -1,
                 NULL, 0);
    room_add_box(&mesh, &pose, (const double[3]){20 * h, 13 * h, 0},
                 (const double[3]){26 * h, 24 * h, 20 * h}, -1, NULL, 0);
    cr_assert(test_at_least((double)(openings(&mesh, &pose, IN_FIRST_ROOM, place)), (double)(1)));
    cr_assert(test_near(place[0].position[1], 12 * h, h));
    cr_assert(test_near(place[0].width, 2 * h, 0.2 * h), "%g", place[0].width / h);
}

/* A hall with a gabled roof; with `attic` a ceiling closes the gable off, which is then all wedge. */
static struct mesh gabled_hall(const struct room_pose *pose, double wide, double deep, double high,
                               double gable, bool attic)
{
    const double corner[10][3] = {{0, 0, 0},
                                  {wide, 0, 0},
                                  {wide, deep, 0},
                                  {0, deep, 0},
                                  {0, 0, high},
                                  {wide, 0, high},
                                  {wide, deep, high},
                                  {0, deep, high},
                                  {wide / 2, 0, high + gable},
                                  {wide / 2, deep, high + gable}};
    const uint32_t face[18][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 5}, {0, 5, 4}, {2, 3, 7}, {2, 7, 6},
                                  {1, 2, 6}, {1, 6, 5}, {0, 3, 7}, {0, 7, 4}, {4, 5, 8}, {6, 7, 9},
                                  {4, 8, 9}, {4, 9, 7}, {5, 6, 9}, {5, 9, 8}, {4, 5, 6}, {4, 6, 7}};
    struct mesh mesh = {0};
    uint16_t material;
    MUST(mesh_add_material(&mesh, "wall", &material, &failure));
    for (int n = 0; n < 10; ++n) {
        double place[3];
        room_pose_place(pose, corner[n], place);
        MUST(mesh_add_vertex(&mesh, place, NULL, &failure));
    }
    for (int n = 0; n < (attic ? 18 : 16); ++n)
        MUST(mesh_add_triangle(&mesh, face[n], material, &failure));
    return mesh;
}

Test(narrow, edges_corners_columns_and_wedges_are_no_openings)
{
    uint64_t state = 12;
    struct voxel_place place[NARROW_LISTED_MAX];
    for (int n = 0; n < 16; ++n) {
        const struct room_pose pose = n < 2 ? room_pose_none() : room_pose_random(&state);
        const double x = SPACING * test_uniform(&state, 25, 50), y = SPACING * test_uniform(&state, 25, 50);
        const double z = SPACING * test_uniform(&state, 12, 30), gable = x * test_uniform(&state, 0.15, 0.8);
        const bool attic = n % 2 != 0;
        struct mesh hall = gabled_hall(&pose, x, y, z, gable, attic);
        const double local[3] = {x / 2, y / 2, attic ? z + 0.4 * gable : z / 2};
        cr_assert(eq(sz, openings(&hall, &pose, local, place), 0), "hall %d, %g h at (%g, %g, %g)", n,
                  place[0].width / SPACING, place[0].position[0], place[0].position[1], place[0].position[2]);
        const double low[3] = {0, 0, 0}, high[3] = {x, y, z}, beside[3] = {0.2 * x, 0.2 * y, 0.5 * z};
        struct mesh room = {0};
        room_add_box(&room, &pose, low, high, -1, NULL, 0);
        room_add_box(&room, &pose, (const double[3]){0.4 * x, 0.4 * y, 0},
                     (const double[3]){0.6 * x, 0.6 * y, attic ? z : 0.7 * z}, -1, NULL, 0);
        cr_assert(eq(sz, openings(&room, &pose, beside, place), 0), "room %d, %g h at (%g, %g, %g)", n,
                  place[0].width / SPACING, place[0].position[0], place[0].position[1], place[0].position[2]);
    }
}

/* Aisles behind columns, an apse, window reveals, roofs: nothing there is narrower than three nodes of 20 cm.
 */
Test(narrow, the_built_in_church_has_none)
{
    const struct room_shape *shape = room_shape_find("church");
    const double spacings[3] = {0.2, 0.14, 0.1};
    const char *const roofs[2] = {"pitched", "vaulted"};
    cr_assert(shape != NULL);
    for (int n = 0; n < 6; ++n) {
        const struct room_pose pose = room_pose_none();
        double value[ROOM_PARAMETERS_MAX];
        struct voxel_place place[NARROW_LISTED_MAX];
        struct mesh mesh = {0};
        room_defaults(shape, value);
        MUST(room_set(shape, value, "roof", roofs[n % 2], &failure));
        MUST(room_build(shape, value, &mesh, &failure));
        const double local[3] = {mesh.marker[0].position[0], mesh.marker[0].position[1],
                                 mesh.marker[0].position[2]};
        cr_assert(eq(sz, openings_at(&mesh, spacings[n / 2], &pose, local, place), 0),
                  "h %g m, %s: %g m at (%g, %g, %g)", spacings[n / 2], roofs[n % 2], place[0].width,
                  place[0].position[0], place[0].position[1], place[0].position[2]);
    }
}
