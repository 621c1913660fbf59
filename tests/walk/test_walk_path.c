/* Where a listener is, where to it goes, and which walks are none. */
#include "src/run/walk/walk_path.h"
#include "tests/support/outcome.h"

static struct walk_path path;

static void leave(void)
{
    walk_path_free(&path);
}

TestSuite(walk_path, .fini = leave);

static void expect_at(double along, double x, double y, double z)
{
    double place[3];
    walk_path_place(&path, along, place);
    cr_assert(test_near(place[0], x, 1e-12) && test_near(place[1], y, 1e-12) && test_near(place[2], z, 1e-12),
              "%g m from the start at %g,%g,%g", along, place[0], place[1], place[2]);
}

Test(walk_path, goes_straight_from_corner_to_corner_and_stands_at_the_end)
{
    MUST(walk_path_read("1,1,1;1,1,1;4,1,1;4,5,1", 2.0, &path, &failure));
    cr_assert(eq(dbl, walk_path_length(&path), 7.0));
    cr_assert(eq(dbl, walk_path_seconds(&path), 3.5));
    expect_at(-1.0, 1, 1, 1);
    expect_at(1.5, 2.5, 1, 1);
    expect_at(3.0, 4, 1, 1);
    expect_at(5.0, 4, 3, 1);
    expect_at(9.0, 4, 5, 1);
}

Test(walk_path, looks_ahead_and_takes_a_metre_to_turn)
{
    MUST(walk_path_read("0,0,1;3,0,1;3,3,1", 1.0, &path, &failure));
    cr_assert(test_near(walk_path_azimuth(&path, 0.0), 0.0, 1e-9));
    cr_assert(test_near(walk_path_azimuth(&path, 2.4), 0.0, 1e-9));
    cr_assert(test_near(walk_path_azimuth(&path, 3.0), 45.0, 1e-9));
    cr_assert(test_near(walk_path_azimuth(&path, 3.6), 90.0, 1e-9));
    cr_assert(test_near(walk_path_azimuth(&path, 6.0), 90.0, 1e-9));
}

Test(walk_path, who_turns_back_turns_left_over_the_metre_and_on_stairs_looks_as_before)
{
    MUST(walk_path_read("0,0,1;3,0,1;0,0,1", 1.0, &path, &failure));
    cr_assert(test_near(walk_path_azimuth(&path, 2.75), 45.0, 1e-9));
    cr_assert(test_near(walk_path_azimuth(&path, 3.0), 90.0, 1e-9));
    cr_assert(test_near(walk_path_azimuth(&path, 3.5), 180.0, 1e-9));
    walk_path_free(&path);
    MUST(walk_path_read("0,0,1;0,0,3;0,3,3;0,3,6;0,0,6", 1.0, &path, &failure));
    cr_assert(test_near(walk_path_azimuth(&path, 0.0), 90.0, 1e-9));
    cr_assert(test_near(walk_path_azimuth(&path, 6.5), 90.0, 1e-9));
    cr_assert(test_near(walk_path_azimuth(&path, 8.0), 180.0, 1e-9));
    cr_assert(test_near(walk_path_azimuth(&path, 9.0), 270.0, 1e-9));
}

Test(walk_path, text_that_is_no_walk_is_refused_with_the_place)
{
    static const char *const wrong[] = {"", "1,2", "1,2,3;", "1,2,3;4,5", "1,2,x", "1,2,3 4", "1,2,nan"};
    static const bool is_walk[] = {false, false, true, false, false, false, false};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (is_walk[i])
            MUST(walk_path_read(wrong[i], 1.0, &path, &failure));
        else
            MUST_FAIL(walk_path_read(wrong[i], 1.0, &path, &failure), FAILURE_INPUT, "is not three numbers");
        walk_path_free(&path);
    }
    MUST_FAIL(walk_path_read("0,0,0;1,0,0", 31.0, &path, &failure), FAILURE_INPUT, "31 m/s");
    MUST_FAIL(walk_path_read("0,0,0;1,0,0", 0.0, &path, &failure), FAILURE_INPUT, "0 m/s");
    MUST_FAIL(walk_path_read("0,0,0;2001,0,0", 30.0, &path, &failure), FAILURE_INPUT, "2001.0 m long");
    MUST_FAIL(walk_path_read("0,0,0;200,0,0", 0.05, &path, &failure), FAILURE_INPUT, "takes 4000 s");
}

/* A wall of two triangles at x = 2, from y = 0 to 4 and z = 0 to 3, and beside it a curtain. */
static void make_walls(struct mesh *mesh)
{
    static const double corner[6][3] = {{2, 0, 0}, {2, 4, 0}, {2, 4, 3}, {2, 0, 3}, {2, 6, 0}, {2, 6, 3}};
    static const uint32_t triangle[4][3] = {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}};
    uint16_t material[2];
    MUST(mesh_add_material(mesh, "plaster", &material[0], &failure));
    MUST(mesh_add_material(mesh, "curtain", &material[1], &failure));
    for (int c = 0; c < 6; c++)
        MUST(mesh_add_vertex(mesh, corner[c], NULL, &failure));
    for (int t = 0; t < 4; t++)
        MUST(mesh_add_triangle(mesh, triangle[t], material[t / 2], &failure));
    MUST(mesh_set_sheets(mesh, (const bool[]){false, true}, &failure));
}

Test(walk_path, one_through_a_wall_or_a_curtain_is_refused_where_it_meets_it)
{
    struct mesh mesh = {0};
    make_walls(&mesh);
    MUST(walk_path_read("0,1,1;1,1,1;3,1,1", 1.0, &path, &failure));
    MUST_FAIL(walk_path_refuse_walls(&path, &mesh, &failure), FAILURE_INPUT,
              "goes through plaster at 2.000,1.000,1.000 m, 2.00 m from its start");
    walk_path_free(&path);
    MUST(walk_path_read("3,5,1;0,5,1", 1.0, &path, &failure));
    MUST_FAIL(walk_path_refuse_walls(&path, &mesh, &failure), FAILURE_INPUT,
              "goes through curtain at 2.000,5.000");
    walk_path_free(&path);
    MUST(walk_path_read("0,5,1;0,7,1;3,7,1;3,1,1;3,1,4;0,1,4", 1.0, &path, &failure));
    MUST(walk_path_refuse_walls(&path, &mesh, &failure));
    mesh_free(&mesh);
}
