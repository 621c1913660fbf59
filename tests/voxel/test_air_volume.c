/** The volume of a room's air up to its walls, whatever the grid. */
#include "rooms/shapes/room_shape.h"
#include "tests/support/closed_mesh.h"
#include "tests/support/flooded_room.h"
#include "tests/support/holed_room.h"
#include "tests/support/test_support.h"

/* What the air of a source in `mesh` holds [m3]. */
static struct voxel_findings findings_of(const struct mesh *mesh, double spacing, const double source[3],
                                         struct voxelise_options options, double *cells)
{
    const struct lattice lattice = fit(mesh, spacing);
    const struct voxel_seed seed = source_at(source[0], source[1], source[2]);
    struct voxels voxels = {0};
    struct voxel_findings findings = {0};
    MUST(voxelise(mesh, &lattice, &seed, 1, &options, &voxels, &findings, NULL, &failure));
    if (cells != NULL)
        *cells = (double)voxels.air_nodes * spacing * spacing * spacing;
    voxels_free(&voxels);
    return findings;
}

static double volume(const struct mesh *mesh, double spacing, const double source[3])
{
    struct voxel_findings findings =
        findings_of(mesh, spacing, source, (struct voxelise_options){.threads = 2}, NULL);
    cr_assert(findings.air_volume_is_cells == false);
    const double air = findings.air_volume;
    voxel_findings_free(&findings);
    return air;
}

static void build(struct mesh *mesh, const char *name, const char *turn)
{
    const struct room_shape *shape = room_shape_find(name);
    double value[ROOM_PARAMETERS_MAX];
    room_defaults(shape, value);
    MUST(room_set(shape, value, "turn", turn, &failure));
    MUST(room_build(shape, value, mesh, &failure));
}

Test(air_volume, a_cube_of_3_m_holds_27_m3_on_any_grid_at_any_angle)
{
    static const double spacing[] = {0.4, 0.3, 0.2, 0.13, 0.092};
    static const char *const turn[] = {"0", "23", "45"};
    double furthest = 0;
    for (int t = 0; t < 3; t++) {
        struct mesh mesh = {0};
        build(&mesh, "cube", turn[t]);
        for (int s = 0; s < 5; s++) {
            double cells = 0;
            struct voxel_findings found = findings_of(&mesh, spacing[s], mesh.marker[0].position,
                                                      (struct voxelise_options){.threads = 2}, &cells);
            cr_expect(test_near(found.air_volume, 27, 1e-3), "turned %s, %g m: %g", turn[t], spacing[s],
                      found.air_volume);
            furthest = fmax(furthest, fabs(cells - 27));
            voxel_findings_free(&found);
        }
        mesh_free(&mesh);
    }
    cr_assert(test_above(furthest, 1), "the cells alone would have done");
}

Test(air_volume, a_cross_and_a_church_keep_theirs_over_three_grids)
{
    static const double spacing[2][3] = {{0.31, 0.2, 0.11}, {0.41, 0.3, 0.2}};
    static const char *const name[] = {"cross", "church"}, *const turn[] = {"0", "23"};
    for (int r = 0; r < 4; r++) {
        struct mesh mesh = {0};
        build(&mesh, name[r / 2], turn[r % 2]);
        double air[3];
        for (int s = 0; s < 3; s++)
            air[s] = volume(&mesh, spacing[r / 2][s], mesh.marker[0].position);
        if (r < 2) /* arms of 3 x 3 x 6 m around a crossing */
            for (int s = 0; s < 3; s++)
                cr_expect(test_near(air[s], 135, 1e-3), "%g m: %g", spacing[0][s], air[s]);
        else
            cr_expect(fmax(air[0], fmax(air[1], air[2])) - fmin(air[0], fmin(air[1], air[2])) <
                          0.002 * air[2],
                      "%g %g %g", air[0], air[1], air[2]);
        mesh_free(&mesh);
    }
}

Test(air_volume, a_sphere_has_the_volume_of_its_triangles_and_with_them_errs_by_the_square_of_the_spacing)
{
    const double ball = 4 * acos(-1) / 3, middle[3] = {0.01, -0.02, 0.03};
    double error[3];
    for (int level = 2; level <= 4; level++) {
        struct mesh mesh = {0};
        solid_icosphere(&mesh, middle, 1, level);
        const double air = volume(&mesh, 0.6 / (1 << level), middle);
        cr_expect(test_near(air, fabs(enclosed_volume(&mesh)), 1e-4 * ball), "%g of %g", air,
                  fabs(enclosed_volume(&mesh)));
        error[level - 2] = ball - air;
        /* Triangles far smaller than the cells, most of which no line meets. */
        cr_expect(test_near(volume(&mesh, 0.23, middle), fabs(enclosed_volume(&mesh)), 0.003 * ball));
        mesh_free(&mesh);
    }
    for (int i = 0; i < 2; i++)
        cr_expect(error[i] / error[i + 1] > 3.6 && error[i] / error[i + 1] < 4.4, "%g then %g", error[i],
                  error[i + 1]);
}

/* A closed room of 3 x 2 x 1.5 m, askew unless `turn` is 0. */
static struct solid_pose start_room(struct mesh *mesh, double turn)
{
    const struct solid_pose pose = solid_pose_make(turn, turn / 2, (const double[3]){0.3, -0.2, 0.1});
    solid_box(mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){3, 2, 1.5}, NULL, -1);
    return pose;
}

Test(air_volume, columns_and_furniture_are_taken_off)
{
    static const struct {
        double low[3], high[3], volume;
    } body[] = {
        {{1, 0.5, 0}, {1.31, 0.83, 1.5}, 0.31 * 0.33 * 1.5},   /* from floor to ceiling */
        {{2, 1, -0.2}, {2.33, 1.41, 1.7}, 0.33 * 0.41 * 1.5},  /* through both */
        {{0.2, 1.2, 0}, {0.9, 1.7, 0.42}, 0.7 * 0.5 * 0.42},   /* on the floor */
        {{1.6, 0.2, 0.7}, {2.7, 0.7, 0.76}, 1.1 * 0.5 * 0.06}, /* a board in the air */
        {{2.5, 1.4, 0.6}, {3.2, 1.8, 1.1}, 0.5 * 0.4 * 0.5},   /* a shelf that ends in a wall */
    };
    for (int turned = 0; turned < 2; turned++) {
        struct mesh mesh = {0};
        double source[3], wanted = 9;
        const struct solid_pose pose = start_room(&mesh, turned * 0.37);
        for (int b = 0; b < 5; b++) {
            solid_box(&mesh, &pose, body[b].low, body[b].high, NULL, -1);
            wanted -= body[b].volume;
        }
        solid_place(&pose, (const double[3]){0.5, 0.5, 0.7}, source);
        for (double h = 0.041; h < 0.09; h += 0.02)
            cr_expect(test_near(volume(&mesh, h, source), wanted, 0.003 * wanted), "%g m: %g, not %g", h,
                      volume(&mesh, h, source), wanted);
        mesh_free(&mesh);
    }
}

Test(air_volume, columns_from_floor_to_ceiling_are_taken_off_without_error)
{
    struct mesh mesh = {0};
    const struct solid_pose pose = start_room(&mesh, 0);
    double source[3];
    for (int c = 0; c < 4; c++)
        solid_box(&mesh, &pose, (const double[3]){0.47 + 0.6 * c, 0.7, 0},
                  (const double[3]){0.68 + 0.6 * c, 0.933, 1.5}, NULL, -1);
    solid_place(&pose, (const double[3]){0.3, 1.2, 0.7}, source);
    const double wanted = 9 - 4 * 0.21 * 0.233 * 1.5;
    for (double h = 0.05; h < 0.12; h += 0.03)
        cr_expect(test_near(volume(&mesh, h, source), wanted, 1e-6), "%g m: %g, not %g", h,
                  volume(&mesh, h, source), wanted);
    mesh_free(&mesh);
}

Test(air_volume, neither_windings_nor_sheets_in_the_air_nor_a_body_outside_change_it)
{
    struct mesh mesh = {0};
    const struct solid_pose pose = start_room(&mesh, 0.37);
    double source[3];
    for (size_t t = 0; t < mesh.triangle_count; t += 3) {
        const uint32_t first = mesh.triangle[t][0];
        mesh.triangle[t][0] = mesh.triangle[t][1];
        mesh.triangle[t][1] = first;
    }
    solid_panel(&mesh, &pose, 0, 1.47, (const double[2]){0.33, 0.21}, (const double[2]){1.61, 1.13},
                solid_material(&mesh, "panel"));
    solid_box(&mesh, &pose, (const double[3]){4, 0, 0}, (const double[3]){5, 1, 1}, NULL, -1);
    solid_place(&pose, (const double[3]){0.7, 1, 0.7}, source);
    cr_assert(test_near(volume(&mesh, 0.061, source), 9, 1e-3), "%g", volume(&mesh, 0.061, source));
    mesh_free(&mesh);
}

Test(air_volume, a_room_with_a_sealed_crack_has_that_of_the_room)
{
    const struct room_pose pose = room_pose_none();
    const double slit[4][2] = {{0.6, 0.9}, {1.9, 0.9}, {1.9, 0.93}, {0.6, 0.93}};
    struct mesh mesh = {0};
    cr_assert(solid_material(&mesh, "wall") == 0);
    room_add_box(&mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){3, 3, 3}, 1, slit, 4);
    for (int h = 0; h < 3; h++) {
        struct voxel_findings found =
            findings_of(&mesh, 0.07 + 0.03 * h, (const double[3]){1, 1.3, 1.2},
                        (struct voxelise_options){.threads = 2, .seal_width = 0.05}, NULL);
        cr_expect(found.air_volume_is_cells == false && test_near(found.air_volume, 27, 0.05), "%g",
                  found.air_volume);
        voxel_findings_free(&found);
    }
    mesh_free(&mesh);
}

Test(air_volume, an_open_scene_has_that_of_its_cells_and_says_so)
{
    struct mesh mesh = {0};
    double cells = 0;
    solid_box(&mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){3, 2, 1.5}, NULL, 5);
    struct voxel_findings found = findings_of(&mesh, 0.11, (const double[3]){1, 1, 0.7},
                                              (struct voxelise_options){.threads = 2, .open = true}, &cells);
    cr_assert(found.air_volume_is_cells);
    cr_assert(eq(dbl, found.air_volume, cells));
    voxel_findings_free(&found);
    mesh_free(&mesh);
}
