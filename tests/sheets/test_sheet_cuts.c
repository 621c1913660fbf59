/* Which links a sheet cuts. */
#include "geometry/voxel/sheet_cuts.h"

#include "tests/support/outcome.h"

/* A square of side `side` around a centre, with these two directions as its sides, in two triangles. */
static struct mesh square(const double centre[3], const double along[3], const double up[3], double side)
{
    struct mesh mesh = {0};
    uint16_t material;
    uint32_t corner[4];
    MUST(mesh_add_material(&mesh, "curtain", &material, &failure));
    for (int n = 0; n < 4; ++n) {
        double position[3];
        for (int a = 0; a < 3; ++a)
            position[a] = centre[a] + side * ((n & 1 ? 0.5 : -0.5) * along[a] + (n & 2 ? 0.5 : -0.5) * up[a]);
        MUST(mesh_add_vertex(&mesh, position, &corner[n], &failure));
    }
    const uint32_t first[3] = {corner[0], corner[1], corner[3]},
                   second[3] = {corner[0], corner[3], corner[2]};
    MUST(mesh_add_triangle(&mesh, first, material, &failure));
    MUST(mesh_add_triangle(&mesh, second, material, &failure));
    const bool sheet[1] = {true};
    MUST(mesh_set_sheets(&mesh, sheet, &failure));
    cr_assert(mesh.triangle_count == 0 && mesh.sheet_count == 2);
    return mesh;
}

static struct sheet_cuts cuts_of(const struct mesh *mesh, double spacing)
{
    const double low[3] = {0, 0, 0}, high[3] = {8, 8, 8};
    struct lattice lattice;
    struct sheet_cuts cuts;
    MUST(lattice_fit(low, high, spacing, NULL, &lattice, &failure));
    MUST(sheet_cuts_find(mesh, &lattice, &cuts, &failure));
    return cuts;
}

/* Sum of h^2 / layers: n_d^2 over the axes, which is 1. */
static double area_of(const struct sheet_cuts *cuts, double spacing)
{
    double area = 0;
    for (size_t n = 0; n < cuts->count; ++n)
        area += spacing * spacing / cuts->cut[n].layers;
    return area;
}

Test(sheet_cuts, links_of_a_slanting_sheet_count_its_area_once)
{
    const double centre[3] = {4.03, 3.98, 4.01};
    for (int turn = 0; turn < 6; ++turn) {
        const double a = 0.25 * turn, b = 0.4 * turn;
        const double along[3] = {cos(a), sin(a), 0}, up[3] = {-sin(a) * sin(b), cos(a) * sin(b), cos(b)};
        struct mesh mesh = square(centre, along, up, 4);
        struct sheet_cuts cuts = cuts_of(&mesh, 0.1);
        cr_assert(fabs(area_of(&cuts, 0.1) / 16 - 1) < 0.02, "turn %d: %g of 16 m2", turn,
                  area_of(&cuts, 0.1));
        for (size_t n = 0; n < cuts.count; ++n)
            cr_assert(cuts.cut[n].material == 0 && cuts.cut[n].layers >= 1 - 1e-9 &&
                      cuts.cut[n].layers <= 1 / SHEET_GRAZING + 1e-9);
        sheet_cuts_free(&cuts);
        mesh_free(&mesh);
    }
}

Test(sheet_cuts, a_sheet_on_nodes_is_cut_once)
{
    const double along[3] = {0, 1, 0}, up[3] = {0, 0, 1}, centre[3] = {4.05, 4, 4};
    struct mesh mesh = square(centre, along, up, 4);
    struct sheet_cuts cuts = cuts_of(&mesh, 0.1); /* nodes at .05, .15, .. */
    cr_assert(cuts.count == 1600, "%zu", cuts.count);
    for (size_t n = 0; n < cuts.count; ++n)
        cr_assert(cuts.cut[n].axis == 0 && cuts.cut[n].layers == 1 &&
                  cuts.cut[n].node[0] == cuts.cut[0].node[0]);
    sheet_cuts_free(&cuts);
    mesh_free(&mesh);
}

Test(sheet_cuts, two_sheets_on_one_link_are_two_layers)
{
    const double along[3] = {0, 1, 0}, up[3] = {0, 0, 1}, near[3] = {4.08, 4, 4}, far[3] = {4.12, 4, 4};
    struct mesh mesh = square(near, along, up, 4), other = square(far, along, up, 4);
    mesh.triangle_count = mesh.sheet_count;
    mesh.sheet_count = 0;
    for (size_t t = 0; t < 2; ++t) {
        uint32_t corner[3];
        for (int n = 0; n < 3; ++n)
            MUST(mesh_add_vertex(&mesh, other.vertex[other.triangle[t][n]], &corner[n], &failure));
        MUST(mesh_add_triangle(&mesh, corner, 0, &failure));
    }
    const bool sheet[1] = {true};
    MUST(mesh_set_sheets(&mesh, sheet, &failure));
    struct sheet_cuts cuts = cuts_of(&mesh, 0.1);
    cr_assert(cuts.count == 1600, "%zu", cuts.count);
    for (size_t n = 0; n < cuts.count; ++n)
        cr_assert(cuts.cut[n].layers == 2 && cuts.cut[n].sheets == 2);
    sheet_cuts_free(&cuts);
    mesh_free(&mesh);
    mesh_free(&other);
}

Test(sheet_cuts, walls_are_told_from_sheets_in_their_order)
{
    struct mesh mesh = {0};
    uint16_t stone, cloth;
    MUST(mesh_add_material(&mesh, "stone", &stone, &failure));
    MUST(mesh_add_material(&mesh, "cloth", &cloth, &failure));
    for (int n = 0; n < 6; ++n) {
        const double position[3] = {n, n % 2, n % 3};
        MUST(mesh_add_vertex(&mesh, position, NULL, &failure));
    }
    for (uint32_t t = 0; t < 4; ++t) {
        const uint32_t corner[3] = {t, t + 1, t + 2};
        MUST(mesh_add_triangle(&mesh, corner, t % 2 ? stone : cloth, &failure));
    }
    const bool sheet[2] = {false, true};
    MUST(mesh_set_sheets(&mesh, sheet, &failure));
    cr_assert(mesh.triangle_count == 2 && mesh.sheet_count == 2);
    cr_assert(mesh.triangle[0][0] == 1 && mesh.triangle[1][0] == 3);
    const struct mesh sheets = mesh_sheets(&mesh), whole = mesh_whole(&mesh);
    cr_assert(sheets.triangle_count == 2 && sheets.triangle[0][0] == 0 && sheets.triangle[1][0] == 2 &&
              sheets.triangle_material[0] == cloth);
    cr_assert(whole.triangle_count == 4 && whole.sheet_count == 0);
    mesh_free(&mesh);
}
