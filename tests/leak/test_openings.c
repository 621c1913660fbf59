#include "geometry/base/vector.h"
#include "geometry/room/openings.h"
#include "tests/support/flooded_room.h"
#include "tests/support/holed_room.h"
#include "tests/support/panel_hall.h"
#include "tests/support/test_support.h"

/* A room of 4 x 3 x 2.5 m in which some faces have a hole in their middle. */
static const double size[3] = {4, 3, 2.5}, middle[3] = {1.9, 1.4, 1.3};

static void add_faces(struct mesh *mesh, const struct room_pose *pose, const double width[DIRECTIONS],
                      int tall)
{
    MUST(mesh_add_material(mesh, "wall", NULL, &failure));
    for (int face = 0; face < DIRECTIONS; ++face) {
        const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        double corner[3] = {0}, side_u[3] = {0}, side_v[3] = {0}, hole[32][2];
        corner[axis] = face % 2 ? size[axis] : 0;
        side_u[u] = size[u];
        side_v[v] = size[v];
        size_t corners = 0;
        if (width[face] > 0)
            corners = room_hole(0, width[face], 0.0, (const double[2]){0.5 * size[u], 0.5 * size[v]}, hole);
        for (size_t n = 0; face == tall && n < corners; ++n)
            hole[n][1] = 0.5 * size[v] + 2 * (hole[n][1] - 0.5 * size[v]);
        room_add_panel(mesh, pose, corner, side_u, side_v, (const double(*)[2])hole, corners);
    }
}

static struct openings find(const struct mesh *mesh, const double place[3], double spacing, uint64_t memory)
{
    const struct lattice lattice = fit(mesh, spacing);
    const struct voxelise_options options = {.threads = 2};
    const struct voxel_seed seed = {
        .kind = SEED_SOURCE, .name = "S1", .position = {place[0], place[1], place[2]}};
    struct openings openings = {0};
    MUST(openings_find(mesh, &lattice, &seed, &options, &(struct openings_limits){.memory_bytes = memory},
                       &openings, &failure));
    return openings;
}

static int voxelise_with(const struct mesh *mesh, const double place[3], double spacing, double seal)
{
    const struct lattice lattice = fit(mesh, spacing);
    const struct voxelise_options options = {.threads = 2, .seal_width = seal};
    const struct voxel_seed seed = {
        .kind = SEED_SOURCE, .name = "S1", .position = {place[0], place[1], place[2]}};
    struct voxels voxels = {0};
    struct failure why = {0};
    const int code = voxelise(mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, &why);
    voxels_free(&voxels);
    return code;
}

/* The hole in the middle of a face is among them, with its width; in a room this small a window is measured
 * some way before its plane. */
static void expect_hole(const struct openings *openings, const struct room_pose *pose, int face, double width)
{
    double local[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]}, place[3];
    size_t found = 0;
    local[face / 2] = face % 2 ? size[face / 2] : 0;
    room_pose_place(pose, local, place);
    for (size_t n = 0; n < openings->count; ++n)
        if (vector_distance(openings->opening[n].gap, place) < larger(width, 0.15)) {
            cr_expect(test_near(openings->opening[n].gap_size, width, (width > 0.5 ? 0.3 : 0.1) * width),
                      "face %d: %g of %g", face, openings->opening[n].gap_size, width);
            found++;
        }
    cr_expect(eq(sz, found, 1), "face %d: %zu openings there", face, found);
}

/* The hole in face `tall` (-1: none) is twice as tall as it is wide. */
static void expect_holes(const double width[DIRECTIONS], int tall, bool closes, uint64_t seed)
{
    uint64_t random = seed;
    const struct room_pose pose = room_pose_random(&random);
    struct mesh mesh = {0};
    double place[3], widest = 0;
    size_t holes = 0;
    add_faces(&mesh, &pose, width, tall);
    room_pose_place(&pose, middle, place);
    struct openings openings = find(&mesh, place, 0.1, 0);
    for (int face = 0; face < DIRECTIONS; ++face)
        if (width[face] > 0) {
            expect_hole(&openings, &pose, face, width[face]);
            widest = larger(widest, width[face]);
            holes++;
        }
    cr_expect(eq(sz, openings.count, holes));
    cr_expect(openings.closed);
    for (size_t n = 0; n + 1 < openings.count; ++n)
        cr_expect(test_at_least(openings.opening[n].gap_size, openings.opening[n + 1].gap_size));
    cr_expect(eq(int, isfinite(openings.seal_width), closes));
    if (closes) {
        cr_expect(test_at_most(openings.seal_width, 1.5 * widest));
        cr_expect(eq(int, voxelise_with(&mesh, place, 0.1, openings.seal_width), 0));
        if (widest > 0.2) /* twice the grid's spacing */
            cr_expect(eq(int, voxelise_with(&mesh, place, 0.1, 0.6 * widest), FAILURE_INPUT));
    }
    openings_free(&openings);
    mesh_free(&mesh);
}

Test(openings, every_hole_is_named_and_one_width_closes_all)
{
    expect_holes((const double[DIRECTIONS]){0.3, 0.35, 0.15, 0.25, 0, 0.2}, -1, true, 1);
    expect_holes((const double[DIRECTIONS]){0, 0.12, 0.12, 0.12, 0.12, 0.12}, -1, true, 2);
}

Test(openings, windows_are_named_one_by_one_and_no_width_closes_them)
{
    expect_holes((const double[DIRECTIONS]){0.9, 1.1, 0.7, 0.2, 0, 0.15}, -1, false, 3);
    expect_holes((const double[DIRECTIONS]){0.9, 0.9, 0.9, 0.9, 0.9, 0.9}, -1, false, 4);
    expect_holes((const double[DIRECTIONS]){0.7, 0, 0, 0, 0, 0.13}, 0, false, 5);
}

/* ---- panels that do not meet ---- */

static void add_wall(struct mesh *mesh, const double corner[3], const double u[3], const double v[3])
{
    uint32_t first = (uint32_t)mesh->vertex_count;
    for (int n = 0; n < 4; n++) {
        double at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = corner[axis] + (n == 1 || n == 2 ? u[axis] : 0) + (n > 1 ? v[axis] : 0);
        MUST(mesh_add_vertex(mesh, at, NULL, &failure));
    }
    MUST(mesh_add_triangle(mesh, (const uint32_t[3]){first, first + 1, first + 2}, 0, &failure));
    MUST(mesh_add_triangle(mesh, (const uint32_t[3]){first, first + 2, first + 3}, 0, &failure));
}

/* Of 8 x 6 x 4 m. */
static void add_room_without_end(struct mesh *mesh)
{
    MUST(mesh_add_material(mesh, "wall", NULL, &failure));
    for (int side = 0; side < 2; side++) {
        add_wall(mesh, (const double[]){0, 0, 4 * side}, (const double[]){8, 0, 0},
                 (const double[]){0, 6, 0});
        add_wall(mesh, (const double[]){0, 6 * side, 0}, (const double[]){8, 0, 0},
                 (const double[]){0, 0, 4});
    }
    add_wall(mesh, (const double[]){0, 0, 0}, (const double[]){0, 6, 0}, (const double[]){0, 0, 4});
}

/* Of an end wall from `low` to `high` along y a panel as high as the room, of 8 x 6 x 4 m. */
static void add_end(struct mesh *mesh, double low, double high)
{
    add_wall(mesh, (const double[]){8, low, 0}, (const double[]){0, high - low, 0},
             (const double[]){0, 0, 4});
}

Test(openings, every_crack_is_one_opening_with_its_own_width_length_and_place)
{
    static const double width[3] = {0.09, 0.015, 0.002}, at[3] = {4.5, 3, 1.5};
    struct mesh mesh = {0};
    add_room_without_end(&mesh);
    double low = 0;
    for (int n = 2; n >= 0; n--) {
        add_end(&mesh, low, at[n] - width[n] / 2);
        low = at[n] + width[n] / 2;
    }
    add_end(&mesh, low, 6);
    /* A screen in the air, with a slit that is no opening. */
    add_wall(&mesh, (const double[]){5, 1, 1}, (const double[]){0, 1, 0}, (const double[]){0, 0, 2});
    add_wall(&mesh, (const double[]){5, 2.01, 1}, (const double[]){0, 1, 0}, (const double[]){0, 0, 2});
    for (int fine = 0; fine < 2; fine++) { /* closed on the first grid; the other one sees the widest */
        struct openings openings = find(&mesh, (const double[]){2.1, 2.1, 1.6}, fine ? 0.07 : 0.16, 0);
        cr_assert(eq(sz, openings.count, 3));
        for (int n = 0; n < 3; n++) {
            const struct voxel_leak *const opening = &openings.opening[n];
            cr_expect(test_near(opening->gap_size, width[n], 1e-6));
            cr_expect(test_near(opening->gap_length, 4, 0.05));
            cr_expect(test_near(opening->gap[0], 8, 1e-6));
            cr_expect(test_near(opening->gap[1], at[n], 1e-6));
        }
        cr_expect(openings.seal_width > 0.09);
        openings_free(&openings);
    }
    mesh_free(&mesh);
}

/* A seal of the first would close them all, and a coarse grid passes most of them by. */
Test(openings, ten_windows_that_gape_are_named_by_one_search)
{
    static const double room[3] = {10, 6, 5}, gap = 0.03, sill = 1.5, top = 3.5;
    struct mesh mesh = {0};
    MUST(mesh_add_material(&mesh, "wall", NULL, &failure));
    for (int axis = 0; axis < 3; axis += 2) /* floor, ceiling and the ends */
        for (int side = 0; side < 2; side++) {
            double corner[3] = {0}, u[3] = {0}, v[3] = {0};
            corner[axis] = side * room[axis];
            u[1] = room[1];
            v[2 - axis] = room[2 - axis];
            add_wall(&mesh, corner, u, v);
        }
    for (int side = 0; side < 2; side++) {
        const double y = side * room[1];
        add_wall(&mesh, (const double[]){0, y, 0}, (const double[]){room[0], 0, 0},
                 (const double[]){0, 0, sill});
        add_wall(&mesh, (const double[]){0, y, top}, (const double[]){room[0], 0, 0},
                 (const double[]){0, 0, room[2] - top});
        for (int n = 0; n < 5; n++)
            add_wall(&mesh, (const double[]){2 * n, y, sill}, (const double[]){2 - gap, 0, 0},
                     (const double[]){0, 0, top - sill});
    }
    struct openings openings = find(&mesh, (const double[]){5.1, 3.1, 2.4}, 0.28, UINT64_C(1) << 30);
    for (int n = 0; n < 10; n++) {
        const double x = 2 * (n % 5 + 1) - gap / 2, y = n < 5 ? 0 : room[1];
        bool named = false;
        for (size_t o = 0; o < openings.count; o++) {
            const double *const at = openings.opening[o].gap;
            named =
                named || (fabs(at[0] - x) < 0.05 && fabs(at[1] - y) < 0.05 && at[2] > sill && at[2] < top);
        }
        cr_expect(named, "the window at %g, %g m is not among %zu openings", x, y, openings.count);
    }
    cr_expect(eq(sz, openings.count, 10));
    cr_expect(openings.seal_width >= gap);
    openings_free(&openings);
    mesh_free(&mesh);
}

/* ---- slits between closed bodies ---- */

/* Six slabs that run into one another around a room of 4 x 3 x 2.5 m; a slit as high as the room parts each
 * of the two walls along x. No edge is free. */
static void add_slit_room(struct mesh *mesh, const double at[2], const double width[2])
{
    static const double slab[4][2][3] = {{{-0.3, -0.3, -0.3}, {4.3, 3.3, 0}},
                                         {{-0.3, -0.3, 2.5}, {4.3, 3.3, 2.8}},
                                         {{-0.3, -0.3, -0.1}, {0, 3.3, 2.6}},
                                         {{4, -0.3, -0.1}, {4.3, 3.3, 2.6}}};
    const struct room_pose pose = room_pose_none();
    MUST(mesh_add_material(mesh, "wall", NULL, &failure));
    for (int n = 0; n < 4; n++)
        room_add_box(mesh, &pose, slab[n][0], slab[n][1], -1, NULL, 0);
    for (int side = 0; side < 2; side++)
        for (int part = 0; part < 2; part++) {
            const double low[3] = {part == 0 ? -0.3 : at[side] + width[side] / 2, side == 0 ? -0.3 : 3, -0.1};
            const double high[3] = {part == 0 ? at[side] - width[side] / 2 : 4.3, side == 0 ? 0 : 3.3, 2.6};
            room_add_box(mesh, &pose, low, high, -1, NULL, 0);
        }
}

/* No node of the first grid stands in a slit: the finer one finds the wide slit, and what a seal of that
 * closes besides is the other. */
Test(openings, slits_between_closed_bodies_are_found_on_the_finer_grid)
{
    static const double at[2] = {1.633, 2.671}, width[2] = {0.02, 0.012};
    struct mesh mesh = {0};
    add_slit_room(&mesh, at, width);
    struct openings openings = find(&mesh, middle, 0.1, UINT64_C(1) << 30);
    cr_assert(eq(sz, openings.count, 2));
    for (int n = 0; n < 2; n++) {
        const struct voxel_leak *const opening = &openings.opening[n];
        cr_expect(test_near(opening->gap_size, width[n], 0.1 * width[n]), "%d: %g m", n, opening->gap_size);
        cr_expect(eq(dbl, opening->gap_length, 0), "a grid does not tell it");
        cr_expect(test_near(opening->gap[0], at[n], width[n]) && opening->gap[2] > 0 &&
                      opening->gap[2] < 2.5 && fabs(opening->gap[1] - (n == 0 ? -0.15 : 3.15)) < 0.16,
                  "%d: %g, %g, %g m", n, opening->gap[0], opening->gap[1], opening->gap[2]);
    }
    cr_expect(openings.closed && openings.finer > 0 && openings.finer < 0.012);
    cr_expect(openings.seal_width >= 0.02 && openings.seal_width < 0.04, "%g m", openings.seal_width);
    openings_free(&openings);
    /* Without memory for such a grid there is nothing to be seen. */
    openings = find(&mesh, middle, 0.1, 0);
    cr_expect(eq(sz, openings.count, 0));
    cr_expect(eq(dbl, openings.finer, 0));
    openings_free(&openings);
    mesh_free(&mesh);
}

Test(openings, the_width_that_is_named_closes_a_hall_of_panels_that_do_not_meet)
{
    for (uint64_t n = 0; n < 12; ++n) {
        struct panel_hall hall;
        struct failure why = {0};
        panel_hall_make(n, &hall);
        if (hall.gap > 0.02 && panel_hall_seal(&hall, 0.02, 0.0, NULL, &why) != 0) {
            struct openings openings = find(&hall.mesh, hall.source, 0.02, 0);
            cr_expect(openings.closed && openings.count > 0, "hall %d", (int)n);
            cr_expect(test_at_most(openings.seal_width, 1.5 * hall.gap + 0.02), "hall %d: %g of %g", (int)n,
                      openings.seal_width, hall.gap);
            cr_expect(eq(int, panel_hall_seal(&hall, 0.02, openings.seal_width, NULL, &why), 0));
            openings_free(&openings);
        }
        mesh_free(&hall.mesh);
    }
}
