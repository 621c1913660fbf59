/** Faces of two materials in one plane: the smaller one is what the air has, whatever the order, the winding,
 * the triangles and the plane. */
#include "blocks/wall_areas.h"
#include "geometry/voxel/coplanar.h"
#include "tests/support/flooded_room.h"
#include "tests/support/test_support.h"

enum { WALL, PANEL, PAD, MATERIALS };

#define PANEL_AREA 6.0 /* 3 m x 2 m */
#define PAD_AREA   1.0

/* A box of 4 x 3 x 3 m with a panel on the wall y = 0 and a pad on the panel. */
struct variant {
    const char *name;
    double turn, tilt;
    bool panel_first, reversed;
    int tiles;     /* the wall is so many faces, not joined by their corners */
    int strips;    /* and the panel so many, which touch */
    double before; /* the wall [m] */
};

static void add_face(struct mesh *mesh, const struct solid_pose *pose, double y, const double low[2],
                     const double high[2], bool reversed, uint16_t material)
{
    const double at[4][3] = {
        {low[0], y, low[1]}, {high[0], y, low[1]}, {high[0], y, high[1]}, {low[0], y, high[1]}};
    double corner[4][3];
    for (int i = 0; i < 4; i++)
        memcpy(corner[i], at[reversed ? 3 - i : i], sizeof corner[i]);
    solid_quad(mesh, pose, (const double(*)[3])corner, material);
}

static void add_panel(struct mesh *mesh, const struct variant *variant, const struct solid_pose *pose)
{
    for (int s = 0; s < variant->strips; s++) {
        const double from = 0.5 + 3.0 * s / variant->strips, to = 0.5 + 3.0 * (s + 1) / variant->strips;
        add_face(mesh, pose, variant->before, (const double[2]){from, 0.5}, (const double[2]){to, 2.5},
                 variant->reversed, PANEL);
    }
    add_face(mesh, pose, variant->before, (const double[2]){1.2, 1}, (const double[2]){2.2, 2},
             !variant->reversed, PAD);
}

static void make(const struct variant *variant, const struct solid_pose *pose, struct mesh *mesh)
{
    static const uint16_t wall[6] = {WALL, WALL, WALL, WALL, WALL, WALL};
    enum { FACE_YM = 2 };
    (void)solid_material(mesh, "wall");
    (void)solid_material(mesh, "panel");
    (void)solid_material(mesh, "pad");
    if (variant->panel_first)
        add_panel(mesh, variant, pose);
    solid_box(mesh, pose, (const double[3]){0, 0, 0}, (const double[3]){4, 3, 3}, wall, FACE_YM);
    for (int t = 0; t < variant->tiles; t++)
        add_face(mesh, pose, 0, (const double[2]){4.0 * t / variant->tiles, 0},
                 (const double[2]){4.0 * (t + 1) / variant->tiles, 3}, false, WALL);
    if (!variant->panel_first)
        add_panel(mesh, variant, pose);
    solid_demand(mesh_weld(mesh, &failure));
    solid_demand(mesh_drop_redundant(mesh, &failure));
}

/* What the air has of every material in cells [m2]. */
static void sum_cells(const struct voxels *voxels, double area[MATERIALS])
{
    const double face = voxels->lattice.spacing * voxels->lattice.spacing;
    for (int m = 0; m < MATERIALS; m++)
        area[m] = 0;
    for (size_t a = 0; a < voxels->area_count; a++)
        area[voxels->area[a].material] += (double)voxels->area[a].area * face;
}

static void expect_areas(const struct variant *variant, const double area[MATERIALS], double within)
{
    const double expected[MATERIALS] = {66 - PANEL_AREA, PANEL_AREA - PAD_AREA, PAD_AREA};
    for (int m = 0; m < MATERIALS; m++)
        cr_assert(test_near(area[m], expected[m], within * expected[m]), "%s: material %d has %g m2, not %g",
                  variant->name, m, area[m], expected[m]);
}

Test(coplanar, the_smaller_face_is_what_the_air_has)
{
    static const struct variant variant[] = {
        {"wall first", 0, 0, false, false, 1, 1, 0},
        {"panel first", 0, 0, true, false, 1, 1, 0},
        {"turned over", 0, 0, false, true, 1, 1, 0},
        {"a wall of tiles smaller than the panel", 0, 0, false, false, 8, 1, 0},
        {"a panel of strips", 0, 0, false, true, 8, 6, 0},
        {"slanting, wall first", 0.5, 0.25, false, false, 1, 1, 0},
        {"slanting, panel first and turned over", 0.5, 0.25, true, true, 1, 3, 0},
        {"half a right angle", 0.78539816339744831, 0, false, false, 1, 1, 0},
        {"a tenth of a millimetre before the wall", 0.5, 0.25, false, false, 1, 1, 1e-4},
        {"a tenth of a millimetre behind it", 0.5, 0.25, false, false, 1, 1, -1e-4},
    };
    for (size_t v = 0; v < sizeof variant / sizeof *variant; v++) {
        const struct solid_pose pose =
            solid_pose_make(variant[v].turn, variant[v].tilt, (const double[3]){0, 0, 0});
        struct mesh mesh = {0};
        make(&variant[v], &pose, &mesh);
        MUST(face_overlaps_find(&mesh, 2, &failure));
        cr_assert(mesh.overlaps != NULL && mesh.overlaps->complete);
        const struct lattice lattice = fit(&mesh, 0.13);
        double middle[3], area[MATERIALS], exposed[MATERIALS];
        solid_place(&pose, (const double[3]){2, 1.5, 1.5}, middle);
        const struct voxel_seed seed = source_at(middle[0], middle[1], middle[2]);
        const struct voxelise_options options = {.cells = true, .threads = 2};
        struct voxels voxels = {0};
        struct voxel_findings findings = {0};
        MUST(voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, &findings, NULL, &failure));
        sum_cells(&voxels, area);
        expect_areas(&variant[v], area, 0.004);
        mesh_material_areas(&mesh, area);
        wall_areas_exposed(MATERIALS, area, findings.exposure, NULL, exposed);
        expect_areas(&variant[v], exposed, 0.03);
        voxels_free(&voxels);
        voxel_findings_free(&findings);
        mesh_free(&mesh);
    }
}

Test(coplanar, overlaps_are_told_by_material_with_their_area)
{
    const struct variant variant = {"", 0.5, 0.25, false, true, 8, 6, 0};
    const struct solid_pose pose = solid_pose_make(0.5, 0.25, (const double[3]){0, 0, 0});
    struct mesh mesh = {0}, copy = {0};
    make(&variant, &pose, &mesh);
    MUST(face_overlaps_find(&mesh, 1, &failure));
    const struct face_overlaps *found = mesh.overlaps;
    cr_assert(eq(sz, found->count, 3)); /* panel on wall, pad on panel, pad on wall */
    cr_assert(found->overlap[0].over == PANEL && found->overlap[0].under == WALL);
    cr_assert(test_near(found->overlap[0].area, PANEL_AREA, 1e-6));
    for (int i = 1; i < 3; i++) {
        cr_assert(eq(u16, found->overlap[i].over, PAD));
        cr_assert(test_near(found->overlap[i].area, PAD_AREA, 1e-6));
        cr_assert(found->overlap[i].equal == false);
    }
    MUST(mesh_copy(&mesh, &copy, &failure)); /* as cracks are sealed */
    for (size_t t = 0; t < mesh.triangle_count; t++)
        cr_assert(mesh_face_rank(&copy, t).rank == mesh_face_rank(&mesh, t).rank);
    mesh_free(&mesh);
    mesh_free(&copy);
}

/* Side by side, through one another and a centimetre apart: nothing is ranked, so nothing changes. */
Test(coplanar, faces_that_do_not_overlap_have_no_rank)
{
    const struct solid_pose pose = solid_pose_make(0.3, 0.4, (const double[3]){0, 0, 0});
    struct mesh mesh = {0};
    const uint16_t by_face[6] = {0, 1, 2, 0, 1, 2};
    (void)solid_material(&mesh, "wall");
    (void)solid_material(&mesh, "panel");
    (void)solid_material(&mesh, "pad");
    solid_box(&mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){4, 3, 3}, by_face, -1);
    add_face(&mesh, &pose, 0.01, (const double[2]){1, 1}, (const double[2]){2, 2}, false, PANEL);
    add_face(&mesh, &pose, 1, (const double[2]){1, 1}, (const double[2]){2, 2}, false, PANEL);
    add_face(&mesh, &pose, 1, (const double[2]){2, 1}, (const double[2]){3, 2}, false, PAD);
    solid_panel(&mesh, &pose, 0, 1.5, (const double[2]){0.5, 0.5}, (const double[2]){2, 2}, WALL);
    MUST(face_overlaps_find(&mesh, 2, &failure));
    cr_assert(mesh.overlaps == NULL);
    mesh_free(&mesh);
}
