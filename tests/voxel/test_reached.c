/* Which triangles air touches: rooms, terrain, double walls, triangles far below the spacing. */
#include "geometry/room/reached.h"
#include "tests/support/flooded_room.h"
#include "tests/support/test_support.h"

static struct reached reach(const struct mesh *mesh, double spacing, const double position[3])
{
    const struct lattice lattice = fit(mesh, spacing);
    const struct voxelise_options options = {.threads = 2};
    struct reached reached;
    MUST(reached_find(mesh, &lattice, &options, (const double(*)[3])position, 1, &reached, &failure));
    cr_assert(reached.triangle_count == mesh->triangle_count);
    return reached;
}

static size_t count_reached(const struct reached *reached, size_t first, size_t last)
{
    size_t count = 0;
    for (size_t t = first; t < last; t++)
        count += reached->triangle[t];
    return count;
}

static void add_mesh(struct mesh *mesh, const struct mesh *more, const char *name)
{
    const uint16_t material = solid_material(mesh, name);
    const uint32_t first = (uint32_t)mesh->vertex_count;
    for (size_t i = 0; i < more->vertex_count; i++)
        (void)solid_vertex(mesh, NULL, more->vertex[i]);
    for (size_t t = 0; t < more->triangle_count; t++)
        solid_triangle(mesh, first + more->triangle[t][0], first + more->triangle[t][1],
                       first + more->triangle[t][2], material);
}

Test(reached, a_closed_cube_is_reached_and_the_terrain_around_it_is_not)
{
    struct mesh mesh = {0};
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){3, 3, 3}, NULL, -1);
    const size_t cube = mesh.triangle_count;
    const uint16_t terrain = solid_material(&mesh, "terrain");
    for (int x = -6; x < 6; x += 2)
        for (int y = -6; y < 6; y += 2)
            solid_panel(&mesh, NULL, 2, -0.3, (double[]){x, y}, (double[]){x + 2, y + 2}, terrain);
    struct reached reached = reach(&mesh, 0.1, (double[]){1, 1, 1});
    cr_assert(reached.leaks == false && reached.air_nodes == 27000);
    cr_assert(count_reached(&reached, 0, cube) == cube);
    cr_assert(count_reached(&reached, cube, mesh.triangle_count) == 0);
    cr_assert(test_near(reached.material[0].area, 54, 1e-9) &&
              test_near(reached.material[0].reached_area, 54, 1e-9) &&
              test_near(reached.material[0].touched_area, 54, 1e-9));
    cr_assert(test_near(reached.material[terrain].area, 144, 1e-9) &&
              reached.material[terrain].reached_area == 0 && reached.material[terrain].touched_area == 0);
    cr_assert(reached.material[0].reached_triangles == 12 && reached.material[terrain].triangles == 72 &&
              reached.material[terrain].reached_triangles == 0);
    reached_free(&reached);
    /* From outside, which is a leak, it is the other way round. */
    reached = reach(&mesh, 0.1, (double[]){5, 5, 1});
    cr_assert(reached.leaks && count_reached(&reached, cube, mesh.triangle_count) == 72);
    reached_free(&reached);
    mesh_free(&mesh);
}

/* Every face twice, as modellers export two sides, with the inner or the outer one first. */
Test(reached, of_two_faces_back_to_back_the_one_that_is_turned_to_the_air_is_reached)
{
    for (int inner_first = 0; inner_first < 2; inner_first++) {
        struct mesh mesh = {0};
        solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){3, 2, 2}, NULL, -1);
        const size_t first = mesh.triangle_count;
        const uint16_t other = solid_material(&mesh, "other side");
        for (size_t t = 0; t < first; t++)
            solid_triangle(&mesh, mesh.triangle[t][0], mesh.triangle[t][2], mesh.triangle[t][1], other);
        for (size_t t = 0; t < first; t++) {
            double normal[3], inwards = 0;
            mesh_normal(&mesh, t, normal);
            for (int axis = 0; axis < 3; axis++)
                inwards += normal[axis] * (1 - mesh.vertex[mesh.triangle[t][0]][axis]);
            for (size_t n = t; (inwards > 0) != (inner_first == 1) && n < 2 * first; n += first) {
                const uint32_t corner = mesh.triangle[n][1];
                mesh.triangle[n][1] = mesh.triangle[n][2];
                mesh.triangle[n][2] = corner;
            }
        }
        struct reached reached = reach(&mesh, 0.1, (double[]){1, 1, 1});
        cr_assert(eq(sz, count_reached(&reached, 0, first), inner_first ? first : 0));
        cr_assert(eq(sz, count_reached(&reached, first, 2 * first), inner_first ? 0 : first));
        reached_free(&reached);
        mesh_free(&mesh);
    }
}

Test(reached, a_wall_between_two_rooms_is_reached_from_either_and_the_other_room_is_not)
{
    for (int side = 0; side < 2; side++) {
        struct mesh mesh = {0};
        solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){2, 2, 2}, NULL, 1);
        solid_box(&mesh, NULL, (double[]){2, 0, 0}, (double[]){4, 2, 2}, NULL, 0);
        const uint16_t wall = solid_material(&mesh, "wall between");
        solid_panel(&mesh, NULL, 0, 2, (double[]){0, 0}, (double[]){2, 2}, wall);
        struct reached reached = reach(&mesh, 0.1, (double[]){side == 0 ? 1.0 : 3.0, 1, 1});
        cr_assert(count_reached(&reached, 0, 10) == (side == 0 ? 10 : 0));
        cr_assert(count_reached(&reached, 10, 20) == (side == 0 ? 0 : 10));
        cr_assert(count_reached(&reached, 20, 22) == 2);
        cr_assert(test_near(reached.material[wall].touched_area, 4, 1e-9));
        reached_free(&reached);
        mesh_free(&mesh);
    }
}

Test(reached, a_thin_panel_is_touched_on_both_sides)
{
    struct mesh mesh = {0};
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){3, 3, 3}, NULL, -1);
    const uint16_t panel = solid_material(&mesh, "panel");
    solid_panel(&mesh, NULL, 0, 1.5, (double[]){1, 1}, (double[]){2, 2}, panel);
    struct reached reached = reach(&mesh, 0.1, (double[]){1, 1, 1});
    cr_assert(reached.material[panel].reached_triangles == 2);
    cr_assert(test_near(reached.material[panel].reached_area, 1, 1e-9) &&
              test_near(reached.material[panel].touched_area, 2, 1e-9));
    reached_free(&reached);
    mesh_free(&mesh);
}

/* 5120 triangles with sides of 4 to 5 cm on nodes 20 cm apart, where most of them meet no link; behind them
 * at 2, 5 or 15 cm a second leaf of the same kind. */
Test(reached, triangles_below_the_spacing_are_all_reached_and_the_outer_leaf_behind_them_is_not)
{
    const double gap[3] = {0.02, 0.05, 0.15};
    for (int trial = 0; trial < 3; trial++) {
        struct mesh inner = {0}, outer = {0}, mesh = {0};
        solid_icosphere(&inner, (double[]){0.013, 0.4, 0.02}, 1, 4);
        solid_icosphere(&outer, (double[]){0.013, 0.4, 0.02}, 1 + gap[trial], 4);
        add_mesh(&mesh, &inner, "inner leaf");
        add_mesh(&mesh, &outer, "outer leaf");
        struct reached reached = reach(&mesh, 0.2, (double[]){0.01, 0.4, 0});
        cr_assert(reached.material[0].triangles == 5120 && reached.material[0].reached_triangles == 5120,
                  "%zu", reached.material[0].reached_triangles);
        cr_assert(reached.material[1].reached_triangles == 0, "gap %g: %zu", gap[trial],
                  reached.material[1].reached_triangles);
        cr_assert(test_near(reached.material[0].touched_area, reached.material[0].area, 0.06 * 12.6), "%g",
                  reached.material[0].touched_area);
        reached_free(&reached);
        mesh_free(&inner);
        mesh_free(&outer);
        mesh_free(&mesh);
    }
}

/* A groove 4 cm wide and deep in the floor holds no node of a 10 cm grid, yet the room's air sees into it. */
Test(reached, the_bottom_of_a_groove_narrower_than_the_spacing_is_seen)
{
    struct mesh mesh = {0};
    const uint16_t floor = solid_material(&mesh, "floor"), groove = solid_material(&mesh, "groove");
    const uint16_t material[6] = {floor, floor, floor, floor, floor, floor};
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){2, 2, 2}, material, 4);
    solid_panel(&mesh, NULL, 2, 0, (double[]){0, 0}, (double[]){0.98, 2}, floor);
    solid_panel(&mesh, NULL, 2, 0, (double[]){1.02, 0}, (double[]){2, 2}, floor);
    solid_panel(&mesh, NULL, 0, 0.98, (double[]){0, -0.04}, (double[]){2, 0}, groove);
    solid_panel(&mesh, NULL, 0, 1.02, (double[]){0, -0.04}, (double[]){2, 0}, groove);
    solid_panel(&mesh, NULL, 1, 0, (double[]){-0.04, 0.98}, (double[]){0, 1.02}, groove);
    solid_panel(&mesh, NULL, 1, 2, (double[]){-0.04, 0.98}, (double[]){0, 1.02}, groove);
    for (int y = 0; y < 20; y++) /* the bottom, in pieces of 10 cm */
        solid_panel(&mesh, NULL, 2, -0.04, (double[]){0.98, y * 0.1}, (double[]){1.02, (y + 1) * 0.1},
                    groove);
    struct reached reached = reach(&mesh, 0.1, (double[]){1, 1, 1});
    cr_assert(reached.leaks == false);
    cr_assert(reached.material[groove].triangles == 48 && reached.material[groove].reached_triangles == 48,
              "%zu", reached.material[groove].reached_triangles);
    reached_free(&reached);
    mesh_free(&mesh);
}

Test(reached, a_position_in_a_wall_or_beyond_the_box_is_refused_and_an_open_box_leaks)
{
    struct mesh mesh = {0};
    struct reached reached = {0};
    const struct voxelise_options options = {0};
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){2, 2, 2}, NULL, 5);
    const struct lattice lattice = fit(&mesh, 0.1);
    const double bad[2][1][3] = {{{1, 1, 0}}, {{1, 1, 5}}};
    for (int i = 0; i < 2; i++)
        MUST_FAIL(reached_find(&mesh, &lattice, &options, bad[i], 1, &reached, &failure), FAILURE_INPUT,
                  i == 0 ? "(1, 1, 0) m" : "(1, 1, 5) m");
    reached = reach(&mesh, 0.1, (double[]){1, 1, 1});
    cr_assert(reached.leaks && count_reached(&reached, 0, 10) == 10);
    reached_free(&reached);
    mesh_free(&mesh);
}
