/* Walls carried on beyond the open faces of a room's box. */
#include "geometry/mesh/mesh_extend.h"
#include "tests/support/outcome.h"
#include "tests/support/solid_mesh.h"

static const double low[3] = {0, 0, 0}, high[3] = {6, 5, 3};

/* A floor that closes its face, and a wall of 3 m along y = 0. */
static struct mesh make_yard(void)
{
    struct mesh mesh = {0};
    const uint16_t floor = solid_material(&mesh, "floor"), wall = solid_material(&mesh, "wall");
    solid_panel(&mesh, NULL, 2, 0.0, (const double[2]){0, 0}, (const double[2]){6, 5}, floor);
    solid_panel(&mesh, NULL, 0, 0.0, (const double[2]){0, 0}, (const double[2]){2, 3}, wall);
    return mesh;
}

static void areas_beyond(const struct mesh *mesh, const double by[6], double area[2])
{
    struct mesh out = {0};
    double before[2], after[2];
    MUST(mesh_extend(mesh, low, high, by, &out, &failure));
    MUST(mesh_check(&out, &failure));
    mesh_material_areas(mesh, before);
    mesh_material_areas(&out, after);
    for (int m = 0; m < 2; ++m)
        area[m] = after[m] - before[m];
    mesh_free(&out);
}

Test(mesh_extend, a_face_is_closed_where_surfaces_in_it_cover_it)
{
    struct mesh mesh = make_yard();
    bool open[6];
    mesh_open_faces(&mesh, low, high, open);
    for (int face = 0; face < 6; ++face)
        cr_expect(open[face] == (face != 4), "face %d", face);
    mesh_free(&mesh);
}

Test(mesh_extend, a_face_is_open_where_surfaces_cover_one_half_of_it_twice)
{
    struct mesh mesh = make_yard();
    bool open[6];
    for (uint16_t m = 0; m < 2; ++m)
        solid_panel(&mesh, NULL, 2, 3.0, (const double[2]){0, 0}, (const double[2]){3, 5}, m);
    mesh_open_faces(&mesh, low, high, open);
    cr_expect(open[5]);
    solid_panel(&mesh, NULL, 2, 3.0, (const double[2]){3, 0}, (const double[2]){6, 5}, 0);
    mesh_open_faces(&mesh, low, high, open);
    cr_expect(not(open[5]));
    mesh_free(&mesh);
}

Test(mesh_extend, what_ends_in_an_open_face_goes_on_and_round_the_corner_of_two)
{
    struct mesh mesh = make_yard();
    double area[2];
    areas_beyond(&mesh, (const double[6]){0, 1, 0, 0, 0, 0}, area);
    cr_expect(test_near(area[0], 5.0, 1e-9) && test_near(area[1], 0.0, 1e-9), "%g %g", area[0], area[1]);
    areas_beyond(&mesh, (const double[6]){0, 1, 2, 0, 0, 0.5}, area);
    cr_expect(test_near(area[0], 7.0 * 7.0 - 30.0, 1e-9), "%g", area[0]);
    /* Along -y by 2, then all of it upwards. */
    cr_expect(test_near(area[1], 4.0 * 3.5 - 6.0, 1e-9), "%g", area[1]);
    mesh_free(&mesh);
}

Test(mesh_extend, it_shows_the_same_side_as_what_it_goes_on_from)
{
    struct mesh mesh = make_yard(), out = {0};
    double normal[3], first[3];
    MUST(mesh_extend(&mesh, low, high, (const double[6]){1, 1, 1, 1, 0, 0}, &out, &failure));
    mesh_normal(&out, 0, first);
    for (size_t t = 0; t < out.triangle_count; ++t) {
        mesh_normal(&out, t, normal);
        cr_expect(out.triangle_material[t] != 0 || normal[2] * first[2] > 0, "triangle %zu", t);
    }
    mesh_free(&out);
    mesh_free(&mesh);
}

Test(mesh_extend, an_opening_in_a_wall_that_lies_in_the_face_becomes_a_shaft)
{
    struct mesh mesh = {0};
    double area[2];
    const uint16_t floor = solid_material(&mesh, "floor"), wall = solid_material(&mesh, "wall");
    solid_panel(&mesh, NULL, 2, 0.0, (const double[2]){0, 0}, (const double[2]){6, 5}, floor);
    /* The upper face but for 2 x 1 m at a corner. */
    solid_panel(&mesh, NULL, 2, 3.0, (const double[2]){2, 0}, (const double[2]){6, 1}, wall);
    solid_panel(&mesh, NULL, 2, 3.0, (const double[2]){0, 1}, (const double[2]){6, 5}, wall);
    areas_beyond(&mesh, (const double[6]){0, 0, 0, 0, 0, 1}, area);
    /* All outer edges of both, since these do not share corners: 10 and 20 m. */
    cr_expect(area[0] == 0.0 && test_near(area[1], 30.0, 1e-9), "%g %g", area[0], area[1]);
    mesh_free(&mesh);
}
