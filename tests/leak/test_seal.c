#include "geometry/leak/seal.h"
#include "geometry/room/voxeliser.h"
#include "tests/support/flooded_room.h"
#include "tests/support/holed_room.h"
#include "tests/support/panel_hall.h"
#include "tests/support/test_support.h"

/* The room of these tests: 0.6 x 0.5 x 0.4 m at h = 1 cm, 120,000 nodes; sealed with 2 cm. */
#define SPACING    0.01
#define WIDTH      0.02
#define ROOM_X     0.6
#define ROOM_Y     0.5
#define ROOM_Z     0.4
#define ROOM_NODES 120000.0

struct outcome {
    int code;
    struct voxels voxels;
    struct voxel_findings findings;
    struct failure failure;
};

static struct outcome flood_sealed(const struct mesh *mesh, const struct room_pose *pose, double spacing,
                                   double seal_width)
{
    const double local[3] = {0.31, 0.23, 0.21};
    const struct voxelise_options options = {.seal_width = seal_width, .threads = 2};
    struct voxel_seed seed = {.kind = SEED_SOURCE, .name = "S1"};
    struct outcome outcome = {0};
    const struct lattice lattice = fit(mesh, spacing);
    room_pose_place(pose, local, seed.position);
    outcome.code = voxelise(mesh, &lattice, &seed, 1, &options, &outcome.voxels, &outcome.findings, NULL,
                            &outcome.failure);
    if (outcome.code == 0) {
        MUST(voxels_check(&outcome.voxels, &failure));
    }
    return outcome;
}

static void outcome_free(struct outcome *outcome)
{
    voxels_free(&outcome->voxels);
    voxel_findings_free(&outcome->findings);
}

static void panel(struct mesh *mesh, const struct room_pose *pose, double x, double y, double z,
                  const double side_u[3], const double side_v[3])
{
    room_add_panel(mesh, pose, (const double[3]){x, y, z}, side_u, side_v, NULL, 0);
}

static void box(struct mesh *mesh, const struct room_pose *pose, double x0, double y0, double z0, double x1,
                double y1, double z1)
{
    room_add_box(mesh, pose, (const double[3]){x0, y0, z0}, (const double[3]){x1, y1, z1}, -1, NULL, 0);
}

/* Closed within WIDTH: the air is the room's up to `slack` nodes, and one crack of the given width is listed
 * first. Not closed beyond it: a leak. */
static void expect_sealed(struct mesh *mesh, const struct room_pose *pose, double crack, double nodes,
                          double slack)
{
    struct outcome open = flood_sealed(mesh, pose, SPACING, 0);
    struct outcome sealed = flood_sealed(mesh, pose, SPACING, WIDTH);
    cr_assert(eq(int, open.code, FAILURE_INPUT), "not sealed, the crack of %g m lets nothing out", crack);
    cr_assert(eq(int, sealed.code, crack > WIDTH ? FAILURE_INPUT : 0), "%s", sealed.failure.sentence);
    if (sealed.code == 0) {
        cr_assert(test_near((double)sealed.voxels.air_nodes, nodes, slack), "%llu nodes",
                  (unsigned long long)sealed.voxels.air_nodes);
        cr_assert(test_at_least((double)(sealed.findings.sealed_count), (double)(1)));
        cr_assert(test_near(sealed.findings.sealed[0].width, crack, 0.001), "%g m",
                  sealed.findings.sealed[0].width);
        uint64_t links = 0;
        for (size_t n = 0; n < sealed.findings.sealed_count; ++n)
            links += sealed.findings.sealed[n].links;
        cr_assert(eq(u64, links, sealed.findings.sealed_links));
    }
    outcome_free(&open);
    outcome_free(&sealed);
    mesh_free(mesh);
}

static const double ALONG_X[3] = {ROOM_X, 0, 0}, ALONG_Y[3] = {0, ROOM_Y, 0}, ALONG_Z[3] = {0, 0, ROOM_Z};

static struct room_pose pose_of(int turn)
{
    uint64_t state = 40 + (uint64_t)turn;
    return turn == 0 ? room_pose_none() : room_pose_random(&state);
}

Test(seal, a_gap_between_walls_and_roof_is_closed_up_to_the_width)
{
    for (int turn = 0; turn < 3; ++turn) {
        const struct room_pose pose = pose_of(turn);
        const double gap = turn == 2 ? 0.025 : 0.018, over = 0.05;
        struct mesh mesh = {0};
        panel(&mesh, &pose, 0, 0, 0, ALONG_X, ALONG_Y);
        panel(&mesh, &pose, 0, 0, 0, ALONG_X, ALONG_Z);
        panel(&mesh, &pose, 0, ROOM_Y, 0, ALONG_X, ALONG_Z);
        panel(&mesh, &pose, 0, 0, 0, ALONG_Y, ALONG_Z);
        panel(&mesh, &pose, ROOM_X, 0, 0, ALONG_Y, ALONG_Z);
        panel(&mesh, &pose, -over, -over, ROOM_Z + gap, (const double[3]){ROOM_X + 2 * over, 0, 0},
              (const double[3]){0, ROOM_Y + 2 * over, 0});
        expect_sealed(&mesh, &pose, gap, ROOM_NODES * (ROOM_Z + gap) / ROOM_Z, 0.01 * ROOM_NODES);
    }
}

Test(seal, a_crack_between_two_panels_is_closed_up_to_the_width)
{
    for (int turn = 0; turn < 3; ++turn) {
        const struct room_pose pose = pose_of(turn);
        const double gap = turn == 2 ? 0.03 : 0.015;
        struct mesh mesh = {0};
        panel(&mesh, &pose, 0, 0, 0, ALONG_X, ALONG_Y);
        panel(&mesh, &pose, 0, 0, ROOM_Z, ALONG_X, ALONG_Y);
        panel(&mesh, &pose, 0, ROOM_Y, 0, ALONG_X, ALONG_Z);
        panel(&mesh, &pose, 0, 0, 0, ALONG_Y, ALONG_Z);
        panel(&mesh, &pose, ROOM_X, 0, 0, ALONG_Y, ALONG_Z);
        panel(&mesh, &pose, 0, 0, 0, (const double[3]){0.3, 0, 0}, ALONG_Z);
        panel(&mesh, &pose, 0.3 + gap, 0, 0, (const double[3]){ROOM_X - 0.3 - gap, 0, 0}, ALONG_Z);
        expect_sealed(&mesh, &pose, gap, ROOM_NODES, 0.002 * ROOM_NODES);
    }
}

Test(seal, a_hole_is_closed_up_to_the_width_and_a_door_is_not)
{
    const double widths[3] = {0.018, 0.03, 0.2}, centre[2] = {0.245, 0.205};
    for (int n = 0; n < 6; ++n) {
        const struct room_pose pose = pose_of(n % 2);
        struct mesh mesh = {0};
        double hole[32][2];
        const size_t corners = room_hole(n >= 3, widths[n % 3], 0.785398163397448, centre, hole);
        room_add_box(&mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){ROOM_X, ROOM_Y, ROOM_Z}, 0,
                     (const double(*)[2])hole, corners);
        expect_sealed(&mesh, &pose, widths[n % 3], ROOM_NODES, 0.002 * ROOM_NODES);
    }
}

/* Six closed slabs that keep a distance from each other have no open edge. */
Test(seal, cracks_between_solid_bodies_are_closed)
{
    for (int turn = 0; turn < 2; ++turn) {
        const struct room_pose pose = pose_of(turn);
        const double t = 0.05, gap = 0.012;
        struct mesh mesh = {0};
        box(&mesh, &pose, -t, -t, -t, ROOM_X + t, ROOM_Y + t, 0);
        box(&mesh, &pose, -t, -t, ROOM_Z, ROOM_X + t, ROOM_Y + t, ROOM_Z + t);
        box(&mesh, &pose, -t, -t, gap, 0, ROOM_Y + t, ROOM_Z - gap);
        box(&mesh, &pose, ROOM_X, -t, gap, ROOM_X + t, ROOM_Y + t, ROOM_Z - gap);
        box(&mesh, &pose, gap, -t, gap, ROOM_X - gap, 0, ROOM_Z - gap);
        box(&mesh, &pose, gap, ROOM_Y, gap, ROOM_X - gap, ROOM_Y + t, ROOM_Z - gap);
        expect_sealed(&mesh, &pose, gap, ROOM_NODES, 0.005 * ROOM_NODES);
    }
}

static void assert_seal_changes_nothing(const struct mesh *mesh, const struct room_pose *pose, double spacing,
                                        double width)
{
    struct outcome plain = flood_sealed(mesh, pose, spacing, 0);
    struct outcome sealed = flood_sealed(mesh, pose, spacing, width);
    cr_assert(eq(int, plain.code, 0), "%s", plain.failure.sentence);
    cr_assert(eq(int, sealed.code, 0), "%s", sealed.failure.sentence);
    cr_assert(same_voxels(&plain.voxels, &sealed.voxels), "%llu nodes, sealed %llu",
              (unsigned long long)plain.voxels.air_nodes, (unsigned long long)sealed.voxels.air_nodes);
    cr_assert(eq(u64, sealed.findings.sealed_links, 0));
    outcome_free(&plain);
    outcome_free(&sealed);
}

/* The room with a board that hangs 1.5 cm below the roof and ends 1.2 cm off a wall, and a pier with a groove
 * narrower than the seal, as deep as wide: everything that a seal finds there is inside the room. */
Test(seal, a_closed_room_stays_as_it_is)
{
    for (int turn = 0; turn < 3; ++turn) {
        const struct room_pose pose = pose_of(turn);
        struct mesh mesh = {0};
        box(&mesh, &pose, 0, 0, 0, ROOM_X, ROOM_Y, ROOM_Z);
        if (turn > 0) {
            box(&mesh, &pose, 0.012, 0.1, ROOM_Z - 0.025, 0.25, 0.4, ROOM_Z - 0.015);
            box(&mesh, &pose, 0.4, 0.1, 0, 0.45, 0.1495, 0.3);
            box(&mesh, &pose, 0.4, 0.1655, 0, 0.45, 0.2155, 0.3);
        }
        if (turn > 0) {
            struct mesh ribbons = {0};
            MUST(seal_mesh(&mesh, WIDTH, &ribbons, &failure));
            cr_assert(test_above((double)(ribbons.triangle_count), (double)(mesh.triangle_count)),
                      "nothing is tried here");
            mesh_free(&ribbons);
        }
        assert_seal_changes_nothing(&mesh, &pose, SPACING, WIDTH);
        mesh_free(&mesh);
    }
}

/* Boards at random slants less than the width apart, so that ribbons and fans cross one another between them.
 */
Test(seal, slots_between_boards_stay_air_to_the_last_node)
{
    uint64_t state = 5;
    for (int n = 0; n < 4; ++n) {
        const struct room_pose pose = room_pose_random(&state);
        struct mesh mesh = {0};
        box(&mesh, &pose, 0, 0, 0, ROOM_X, ROOM_Y, ROOM_Z);
        for (int board = 0; board < 40; ++board) {
            const struct room_pose turn = room_pose_random(&state);
            double corner[3] = {test_uniform(&state, 0.1, 0.5), test_uniform(&state, 0.1, 0.4), 0.1};
            double u[3], v[3];
            for (int axis = 0; axis < 3; ++axis) {
                u[axis] = 0.06 * turn.rotation[axis][0];
                v[axis] = 0.06 * turn.rotation[axis][1];
            }
            room_add_panel(&mesh, &pose, corner, u, v, NULL, 0);
        }
        assert_seal_changes_nothing(&mesh, &pose, 0.004, 0.03);
        mesh_free(&mesh);
    }
}

/* A groove of 1.5 cm in the floor: one as shallow as 3 cm is left alone, one 10 cm deep is closed. */
Test(seal, shallow_grooves_stay_and_deep_ones_are_closed)
{
    const double width = 0.015, spacing = 0.005;
    for (int deep = 0; deep < 2; ++deep) {
        const struct room_pose pose = room_pose_none();
        const double depth = deep ? 0.1 : 0.03;
        const double down[3] = {0, 0, -depth}, over[3] = {width, 0, 0};
        struct mesh mesh = {0};
        panel(&mesh, &pose, 0, 0, ROOM_Z, ALONG_X, ALONG_Y);
        panel(&mesh, &pose, 0, 0, 0, ALONG_X, ALONG_Z);
        panel(&mesh, &pose, 0, ROOM_Y, 0, ALONG_X, ALONG_Z);
        panel(&mesh, &pose, 0, 0, 0, ALONG_Y, ALONG_Z);
        panel(&mesh, &pose, ROOM_X, 0, 0, ALONG_Y, ALONG_Z);
        panel(&mesh, &pose, 0, 0, 0, (const double[3]){0.3, 0, 0}, ALONG_Y);
        panel(&mesh, &pose, 0.3 + width, 0, 0, (const double[3]){ROOM_X - 0.3 - width, 0, 0}, ALONG_Y);
        panel(&mesh, &pose, 0.3, 0, 0, ALONG_Y, down);
        panel(&mesh, &pose, 0.3 + width, 0, 0, ALONG_Y, down);
        panel(&mesh, &pose, 0.3, 0, -depth, over, ALONG_Y);
        panel(&mesh, &pose, 0.3, 0, 0, over, down);
        panel(&mesh, &pose, 0.3, ROOM_Y, 0, over, down);
        struct outcome plain = flood_sealed(&mesh, &pose, spacing, 0);
        struct outcome sealed = flood_sealed(&mesh, &pose, spacing, WIDTH);
        cr_assert(eq(int, plain.code, 0), "%s", plain.failure.sentence);
        cr_assert(eq(int, sealed.code, 0), "%s", sealed.failure.sentence);
        const double groove = depth * width * ROOM_Y / (spacing * spacing * spacing);
        const double gone = (double)plain.voxels.air_nodes - (double)sealed.voxels.air_nodes;
        cr_assert(test_near(gone, deep ? groove : 0, 0.5), "%g of %g nodes", gone, groove);
        cr_assert(eq(u64, sealed.findings.sealed_links, deep ? 300 : 0)); /* 3 x 100 over the mouth */
        outcome_free(&plain);
        outcome_free(&sealed);
        mesh_free(&mesh);
    }
}

Test(seal, ribbons_follow_the_model_and_stay_inside_its_box)
{
    const struct room_pose pose = pose_of(1);
    const double centre[2] = {0.245, 0.205};
    double hole[32][2], low[3], high[3], sealed_low[3], sealed_high[3];
    struct mesh mesh = {0}, sealed = {0};
    const size_t corners = room_hole(1, 0.015, 0, centre, hole);
    room_add_box(&mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){ROOM_X, ROOM_Y, ROOM_Z}, 2,
                 (const double(*)[2])hole, corners);
    MUST(seal_mesh(&mesh, WIDTH, &sealed, &failure));
    cr_assert(test_above((double)(sealed.triangle_count), (double)(mesh.triangle_count)));
    cr_assert(memcmp(sealed.vertex, mesh.vertex, mesh.vertex_count * sizeof *mesh.vertex) == 0);
    cr_assert(memcmp(sealed.triangle, mesh.triangle, mesh.triangle_count * sizeof *mesh.triangle) == 0);
    MUST(mesh_check(&sealed, &failure));
    MUST(mesh_bounds(&mesh, low, high, &failure));
    MUST(mesh_bounds(&sealed, sealed_low, sealed_high, &failure));
    cr_assert(memcmp(low, sealed_low, sizeof low) == 0 && memcmp(high, sealed_high, sizeof high) == 0);
    mesh_free(&sealed);
    const double bad[3] = {0, -0.01, NAN};
    for (int n = 0; n < 3; ++n)
        cr_assert(eq(int, seal_mesh(&mesh, bad[n], &sealed, &failure), FAILURE_INPUT));
    mesh_free(&mesh);
}

/* Holes of 1 to 2 h in random faces of rotated rooms: --seal with the width that the leak's sentence suggests
 * closes them. */
Test(seal, the_width_that_a_leak_suggests_closes_it)
{
    uint64_t state = 31;
    int closed = 0;
    for (int n = 0; n < 12; ++n) {
        const struct room_pose pose = room_pose_random(&state);
        const double centre[2] = {test_uniform(&state, 0.1, 0.3), test_uniform(&state, 0.1, 0.3)};
        struct mesh mesh = {0};
        double hole[32][2], centimetres = 0;
        const size_t corners = room_hole(n % 2, SPACING * test_uniform(&state, 1, 2), 1, centre, hole);
        room_add_box(&mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){ROOM_X, ROOM_Y, ROOM_Z},
                     (int)(test_random(&state) % 6), (const double(*)[2])hole, corners);
        struct outcome open = flood_sealed(&mesh, &pose, SPACING, 0);
        if (open.code == FAILURE_INPUT) {
            centimetres = 100 * open.failure.advice_value;
            cr_assert(open.failure.advice == ADVICE_OPEN_OR_SEAL && centimetres > 0, "%s",
                      open.failure.sentence);
            struct outcome sealed = flood_sealed(&mesh, &pose, SPACING, 0.01 * centimetres);
            cr_assert(eq(int, sealed.code, 0), "%s, then %s", open.failure.sentence, sealed.failure.sentence);
            ++closed;
            outcome_free(&sealed);
        }
        outcome_free(&open);
        mesh_free(&mesh);
    }
    cr_assert(test_at_least((double)(closed), (double)(6)));
}

/* Halls of free panels that ribbons alone closed on the coarser of these grids and not on the finer ones;
 * The whole test has 200 halls, down to 5 mm. The air is the same on all, so that nothing of it was filled.
 */
Test(seal, what_a_width_closes_on_one_grid_it_closes_on_every_finer_one)
{
    static const uint64_t some[] = {1, 5, 8, 13, 18};
    static const double grid[] = {0.3, 0.12, 0.046, 0.03, 0.023, 0.015, 0.01, 0.007, 0.005};
    const bool whole = test_share(10) == 10;
    for (size_t n = 0; n < (whole ? 200 : sizeof some / sizeof *some); ++n) {
        const uint64_t seed = whole ? n + 1 : some[n];
        struct panel_hall hall;
        double volume = 0;
        panel_hall_make(seed, &hall);
        for (size_t g = 0; g < (whole ? sizeof grid / sizeof *grid : 5); ++g) {
            uint64_t nodes = 0;
            cr_assert(eq(int, panel_hall_seal(&hall, grid[g], hall.gap, &nodes, &failure), 0),
                      "hall %llu on %g m: %s", (unsigned long long)seed, grid[g], failure.sentence);
            const double now = (double)nodes * grid[g] * grid[g] * grid[g];
            if (g >= 3)
                cr_assert(test_near(now / volume, 1, 0.03), "%g m3 on %g m, %g m3 before", now, grid[g],
                          volume);
            volume = now;
        }
        mesh_free(&hall.mesh);
    }
}

/* Halls sealed with part of what they need: the gap that is reported is one of the model that the width
 * leaves open, and no hole between ribbons. */
Test(seal, a_gap_wider_than_the_seal_is_told_with_its_own_width)
{
    static const uint64_t seed[] = {4, 5, 8, 9, 10, 13, 20};
    int reported = 0;
    for (size_t n = 0; n < sizeof seed / sizeof *seed; ++n) {
        struct panel_hall hall;
        panel_hall_make(seed[n], &hall);
        const double width = 0.7 * hall.gap;
        if (panel_hall_seal(&hall, 0.02, width, NULL, &failure) != 0) {
            const char *at = strstr(failure.sentence, "through a gap about ");
            double gap = 0;
            cr_assert(at != NULL && sscanf(at, "through a gap about %lf cm", &gap) == 1, "%s",
                      failure.sentence);
            cr_assert(test_above(0.01 * gap, 0.98 * width), "sealed to %g m, yet %s", width,
                      failure.sentence);
            ++reported;
        }
        mesh_free(&hall.mesh);
    }
    cr_assert(test_at_least(reported, 3), "%d leak", reported);
}

/* Nobody says where the room is, so that nothing can be plugged. */
Test(seal, fans_close_the_corners_between_ribbons)
{
    static const uint64_t seed[] = {5, 24};
    for (size_t n = 0; n < sizeof seed / sizeof *seed; ++n) {
        struct panel_hall hall;
        struct voxel_cavity cavity;
        size_t count = 0;
        panel_hall_make(seed[n], &hall);
        const struct voxelise_options options = {.seal_width = hall.gap, .threads = 2};
        const struct lattice lattice = fit(&hall.mesh, 0.02);
        MUST(voxel_cavities(&hall.mesh, &lattice, &options, 1, &cavity, &count, &failure));
        cr_assert(test_above((double)cavity.air_nodes * 8e-6, 1.5), "%llu nodes",
                  (unsigned long long)cavity.air_nodes);
        mesh_free(&hall.mesh);
    }
}
