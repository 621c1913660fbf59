/* Meshes in memory: growth, areas, welding, the census of oddities, the validator. */
#include "geometry/mesh/mesh.h"
#include "tests/support/outcome.h"

static void add_vertex(struct mesh *mesh, double x, double y, double z)
{
    cr_assert(eq(int, mesh_add_vertex(mesh, (double[3]){x, y, z}, NULL, NULL), 0));
}

static void add_triangle(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    cr_assert(eq(int, mesh_add_triangle(mesh, (uint32_t[3]){a, b, c}, 0, NULL), 0));
}

/* A closed box of 12 triangles over its own 8 vertices. */
static void add_box(struct mesh *mesh, const double low[3], const double high[3])
{
    static const uint32_t quad[6][4] = {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1},
                                        {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}};
    const uint32_t first = (uint32_t)mesh->vertex_count;
    cr_assert(eq(int, mesh_add_material(mesh, "stone", NULL, NULL), 0));
    for (unsigned corner = 0; corner < 8; ++corner)
        add_vertex(mesh, (corner & 1 ? high : low)[0], (corner & 2 ? high : low)[1],
                   (corner & 4 ? high : low)[2]);
    for (int q = 0; q < 6; ++q) {
        const uint32_t *c = quad[q];
        add_triangle(mesh, first + c[0], first + c[1], first + c[2]);
        add_triangle(mesh, first + c[0], first + c[2], first + c[3]);
    }
}

static struct mesh_census census_of(const struct mesh *mesh)
{
    struct mesh_census census;
    cr_assert(eq(int, mesh_count_oddities(mesh, &census, NULL), 0));
    return census;
}

static const double zero[3] = {0, 0, 0}, unit[3] = {1, 1, 1};

Test(mesh, arrays_keep_what_was_appended_while_they_grow)
{
    struct mesh mesh = {0};
    for (uint32_t k = 0; k < 5000; ++k) {
        uint32_t index = 0;
        uint16_t material = 0;
        char name[32];
        (void)snprintf(name, sizeof name, "material %u", k % 300);
        cr_assert(eq(int, mesh_add_vertex(&mesh, (double[3]){k, 2.0 * k, -1.0 * k}, &index, NULL), 0));
        cr_assert(eq(u32, index, k));
        cr_assert(eq(int, mesh_add_material(&mesh, name, &material, NULL), 0));
        cr_assert(eq(u16, material, (uint16_t)(k % 300)));
        cr_assert(eq(int, mesh_add_triangle(&mesh, (uint32_t[3]){k, k / 2, 0}, material, NULL), 0));
        cr_assert(eq(int, mesh_add_marker(&mesh, MARKER_RECEIVER, name, unit, NULL), 0));
    }
    cr_assert(eq(sz, mesh.material_count, 300));
    for (uint32_t k = 0; k < 5000; ++k) {
        cr_assert(mesh.vertex[k][0] == k && mesh.vertex[k][1] == 2.0 * k && mesh.vertex[k][2] == -1.0 * k);
        cr_assert(mesh.triangle[k][0] == k && mesh.triangle[k][1] == k / 2 &&
                  mesh.triangle_material[k] == k % 300);
        cr_assert(eq(str, mesh.marker[k].name, mesh.material[k % 300]));
    }
    cr_assert(eq(int, mesh_check(&mesh, NULL), 0));
    mesh_free(&mesh);
    cr_assert(mesh.vertex == NULL && mesh.vertex_count == 0);
    mesh_free(&mesh);
}

Test(mesh, more_materials_than_the_limit_are_refused)
{
    struct mesh mesh = {0};
    /* Looking a name up is linear, so the table is filled by hand up to the last place. */
    static char *name[131072], same[] = "x";
    mesh.material = name;
    mesh.material_count = MESH_MATERIALS_MAX;
    for (size_t m = 0; m < MESH_MATERIALS_MAX; ++m)
        name[m] = same;
    MUST_FAIL(mesh_add_material(&mesh, "one more", NULL, &failure), FAILURE_CAPACITY, "65000");
}

Test(mesh, areas_and_bounds_count_triangles_and_not_stray_vertices)
{
    struct mesh mesh = {0};
    double low[3], high[3], area[2];
    cr_assert(eq(int, mesh_bounds(&mesh, low, high, NULL), FAILURE_INPUT));
    add_box(&mesh, (double[3]){-1, 2, 3}, (double[3]){4, 4, 6});
    add_vertex(&mesh, 100, 100, 100);
    uint16_t wood;
    cr_assert(eq(int, mesh_add_material(&mesh, "wood", &wood, NULL), 0));
    mesh.triangle_material[0] = wood; /* half of a 2 x 3 side */
    cr_assert(eq(int, mesh_bounds(&mesh, low, high, NULL), 0));
    cr_assert(low[0] == -1 && low[1] == 2 && low[2] == 3 && high[0] == 4 && high[1] == 4 && high[2] == 6);
    mesh_material_areas(&mesh, area);
    cr_assert(test_near(area[wood], 3, 1e-13), "%g", area[wood]);
    cr_assert(test_near(area[0], 2.0 * (5 * 2 + 5 * 3 + 2 * 3) - 3, 1e-12), "%g", area[0]);
    mesh_free(&mesh);
}

Test(mesh, a_closed_box_has_no_oddities_and_each_missing_triangle_opens_three_edges)
{
    struct mesh mesh = {0};
    add_box(&mesh, zero, unit);
    struct mesh_census census = census_of(&mesh);
    cr_assert(census.degenerate == 0 && census.duplicate == 0);
    cr_assert(census.open_edges == 0 && census.nonmanifold_edges == 0);
    --mesh.triangle_count;
    census = census_of(&mesh);
    cr_assert(census.open_edges == 3 && census.nonmanifold_edges == 0, "%zu open", census.open_edges);
    mesh_free(&mesh);
}

Test(mesh, edges_are_joined_by_position_not_by_index)
{
    struct mesh mesh = {0}, soup = {0};
    add_box(&mesh, zero, unit);
    for (size_t t = 0; t < mesh.triangle_count; ++t) {
        for (int corner = 0; corner < 3; ++corner) {
            const double *position = mesh.vertex[mesh.triangle[t][corner]];
            /* -0 is the same place as 0 */
            add_vertex(&soup, t % 2 == 0 && position[0] == 0 ? -0.0 : position[0], position[1], position[2]);
        }
        add_triangle(&soup, (uint32_t)(3 * t), (uint32_t)(3 * t + 1), (uint32_t)(3 * t + 2));
    }
    cr_assert(eq(sz, census_of(&soup).open_edges, 0));
    /* One bit of one corner of one triangle tears two of its sides off: open on both sides. */
    const double exact = soup.vertex[0][1];
    soup.vertex[0][1] = nextafter(exact, 2);
    cr_assert(eq(sz, census_of(&soup).open_edges, 4));
    soup.vertex[0][1] = exact;
    cr_assert(eq(int, mesh_weld(&soup, NULL), 0));
    cr_assert(eq(sz, soup.vertex_count, 8));
    cr_assert(eq(sz, census_of(&soup).open_edges, 0));
    mesh_free(&soup);
    mesh_free(&mesh);
}

Test(mesh, welding_keeps_vertices_apart_that_differ_in_the_last_bit)
{
    struct mesh mesh = {0};
    add_vertex(&mesh, 7, 7, 7); /* unused: dropped */
    add_vertex(&mesh, 1, 0, 0);
    add_vertex(&mesh, 0, 1, 0);
    add_vertex(&mesh, 0, 0, 1);
    add_vertex(&mesh, nextafter(1, 2), 0, 0);
    add_vertex(&mesh, 1, -0.0, 0); /* the place of vertex 1 */
    add_triangle(&mesh, 1, 2, 3);
    add_triangle(&mesh, 4, 3, 2);
    add_triangle(&mesh, 5, 2, 3);
    cr_assert(eq(int, mesh_weld(&mesh, NULL), 0));
    cr_assert(eq(sz, mesh.vertex_count, 4));
    cr_assert(mesh.triangle[0][0] == mesh.triangle[2][0]);
    cr_assert(mesh.triangle[0][0] != mesh.triangle[1][0]);
    cr_assert(mesh.vertex[mesh.triangle[1][0]][0] == nextafter(1, 2));
    mesh_free(&mesh);
}

Test(mesh, copies_and_collapsed_triangles_are_counted_dropped_and_leave_the_box_closed)
{
    struct mesh mesh = {0};
    add_box(&mesh, zero, unit);
    const uint32_t *first = mesh.triangle[3];
    const uint32_t a = first[0], b = first[1], c = first[2];
    add_triangle(&mesh, b, c, a); /* rotated */
    add_triangle(&mesh, c, b, a); /* turned over */
    add_triangle(&mesh, a, a, b);
    add_triangle(&mesh, c, c, c);
    struct mesh_census census = census_of(&mesh);
    cr_assert(eq(sz, census.duplicate, 2));
    cr_assert(eq(sz, census.degenerate, 2));
    cr_assert(census.open_edges == 0 && census.nonmanifold_edges == 0);
    cr_assert(eq(int, mesh_drop_redundant(&mesh, NULL), 0));
    cr_assert(eq(sz, mesh.triangle_count, 12));
    cr_assert(mesh.triangle[3][0] == a && mesh.triangle[3][1] == b && mesh.triangle[3][2] == c);
    census = census_of(&mesh);
    cr_assert(census.duplicate == 0 && census.degenerate == 0 && census.open_edges == 0);
    mesh_free(&mesh);
}

Test(mesh, a_flat_triangle_that_closes_a_t_junction_is_counted_and_stays)
{
    struct mesh mesh = {0};
    add_box(&mesh, zero, unit);
    /* Split triangle 0 at the middle of its first side; its neighbour keeps the whole side. */
    const uint32_t a = mesh.triangle[0][0], b = mesh.triangle[0][1], c = mesh.triangle[0][2];
    const uint32_t middle = (uint32_t)mesh.vertex_count;
    add_vertex(&mesh, 0.5 * (mesh.vertex[a][0] + mesh.vertex[b][0]),
               0.5 * (mesh.vertex[a][1] + mesh.vertex[b][1]), 0.5 * (mesh.vertex[a][2] + mesh.vertex[b][2]));
    mesh.triangle[0][1] = middle;
    add_triangle(&mesh, middle, b, c);
    cr_assert(eq(sz, census_of(&mesh).open_edges, 3));
    add_triangle(&mesh, a, b, middle);
    cr_assert(eq(sz, census_of(&mesh).degenerate, 1));
    cr_assert(eq(sz, census_of(&mesh).open_edges, 0));
    cr_assert(eq(int, mesh_drop_redundant(&mesh, NULL), 0));
    cr_assert(eq(sz, mesh.triangle_count, 14));
    cr_assert(eq(sz, census_of(&mesh).open_edges, 0));
    mesh_free(&mesh);
}

Test(mesh, a_fin_on_a_box_is_one_nonmanifold_edge_and_two_open_ones)
{
    struct mesh mesh = {0};
    add_box(&mesh, zero, unit);
    add_vertex(&mesh, 3, 3, 0.5);
    add_triangle(&mesh, 3, 7, 8);
    const struct mesh_census census = census_of(&mesh);
    cr_assert(eq(sz, census.nonmanifold_edges, 1));
    cr_assert(eq(sz, census.open_edges, 2));
    mesh_free(&mesh);
}

Test(mesh, the_validator_names_what_is_wrong)
{
    const double wrong[] = {NAN, INFINITY, -INFINITY, 1.01e6};
    struct mesh mesh = {0};
    add_box(&mesh, zero, unit);
    cr_assert(eq(int, mesh_check(&mesh, NULL), 0));
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        mesh.vertex[5][1] = wrong[k];
        MUST_FAIL(mesh_check(&mesh, &failure), FAILURE_INPUT, "vertex 5 has y = ");
    }
    mesh.vertex[5][1] = 0;
    mesh.triangle[7][2] = 8;
    MUST_FAIL(mesh_check(&mesh, &failure), FAILURE_INPUT, "triangle 7 uses vertex 8");
    mesh.triangle[7][2] = 0;
    mesh.triangle_material[2] = 1;
    MUST_FAIL(mesh_check(&mesh, &failure), FAILURE_INPUT, "triangle 2 uses material 1");
    cr_assert(eq(int, mesh_add_material(&mesh, "glass", NULL, NULL), 0));
    cr_assert(eq(int, mesh_check(&mesh, NULL), 0));
    memcpy(mesh.material[1], "stone", sizeof "stone");
    MUST_FAIL(mesh_check(&mesh, &failure), FAILURE_INPUT, "\"stone\"");
    mesh.material[1][0] = '\0';
    cr_assert(eq(int, mesh_check(&mesh, NULL), FAILURE_INPUT));
    mesh.material[1][0] = 'g';
    cr_assert(eq(int, mesh_add_marker(&mesh, MARKER_SOURCE, "pulpit", (double[3]){0, NAN, 0}, NULL), 0));
    MUST_FAIL(mesh_check(&mesh, &failure), FAILURE_INPUT, "pulpit");
    mesh_free(&mesh);
}
