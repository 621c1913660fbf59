/* A sheet without thickness between two rooms that stand askew on the grid, with conformal walls, from a
 * mesh: nothing comes through, and each side of it is a wall of its room. */
#include "blocks/cut_masses.h"
#include "geometry/room/voxeliser.h"
#include "tests/support/box_room.h"
#include "tests/support/link_grids.h"
#include "tests/support/outcome.h"
#include "tests/support/solid_mesh.h"
#include "tests/support/thin_rooms.h"

#define PI      3.14159265358979323846
#define SPEED   340.0
#define SPACING 0.08
#define STEPS   4000

/* Two rooms side by side along x: to the sheet at 0, and beyond it [m]. */
static const double low[3] = {-1.4, -0.5, -0.4}, high[3] = {0.7, 0.5, 0.4};

struct pair {
    struct solid_pose pose;
    struct time_step step;
    struct block_grid blocks;
};

static void make_pair(struct pair *pair, bool joined)
{
    const double shift[3] = {0.013, 0.027, 0.041};
    const struct voxelise_options options = {.cells = true};
    struct mesh mesh = {0};
    struct lattice lattice;
    struct voxels voxels = {0};
    struct cut_masses masses;
    double least[3], most[3];
    memset(pair, 0, sizeof *pair);
    pair->pose = solid_pose_make(20 * PI / 180, 15 * PI / 180, shift);
    pair->step = time_step_of(SPACING, SPEED, sqrt(0.85 / 3));
    const uint16_t wall[6] = {solid_material(&mesh, "wall"), 0, 0, 0, 0, 0};
    if (joined) {
        solid_box(&mesh, &pair->pose, low, (const double[3]){0, high[1], high[2]}, wall, -1);
        solid_box(&mesh, &pair->pose, (const double[3]){0, low[1], low[2]}, high, wall, DIRECTION_XM);
    } else { /* the sheet is drawn up to walls that know nothing of it */
        solid_box(&mesh, &pair->pose, low, high, wall, -1);
        solid_panel(&mesh, &pair->pose, 0, 0, low + 1, high + 1, 0);
    }
    struct voxel_seed seed[2] = {{.kind = SEED_SOURCE, .name = "one", .position = {0}},
                                 {.kind = SEED_SOURCE, .name = "other", .position = {0}}};
    solid_place(&pair->pose, (const double[3]){-0.7, 0, 0}, seed[0].position);
    solid_place(&pair->pose, (const double[3]){0.35, 0, 0}, seed[1].position);
    MUST(mesh_bounds(&mesh, least, most, &failure));
    MUST(lattice_fit(least, most, SPACING, NULL, &lattice, &failure));
    MUST(voxelise(&mesh, &lattice, seed, 2, &options, &voxels, NULL, NULL, &failure));
    MUST(block_grid_pack(&voxels, &pair->blocks, &failure));
    cr_assert(pair->blocks.list_nodes > 0, "the sheet divides no voxel: no test");
    MUST(cut_masses_make(&pair->blocks, pair->step.lambda2, &masses, &failure));
    cr_expect(test_near(masses.volume * pow(SPACING, 3) / (2.1 * 1.0 * 0.8), 1, 1e-3), "volume %g",
              masses.volume * pow(SPACING, 3));
    voxels_free(&voxels);
    mesh_free(&mesh);
}

static struct stencil at(const struct pair *pair, double x, double y, double z)
{
    double position[3];
    int64_t base[3];
    struct stencil stencil;
    solid_place(&pair->pose, (const double[3]){x, y, z}, position);
    lattice_nearest(&pair->blocks.lattice, position, base);
    MUST(stencil_make(&pair->blocks, position, base, INTERPOLATION_CUBIC, &stencil, &failure));
    return stencil;
}

/* What microphones in both rooms hear of a source in one of them. */
static void sound(const struct pair *pair, bool beyond, double heard[2][STEPS])
{
    static const struct wall_material hard = {0};
    const struct wall_materials walls = {1, &hard, false, false};
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct engine *const engine = engine_of(&pair->blocks, NULL, &pair->step, NULL, 0, &walls, &options);
    const struct stencil source = beyond ? at(pair, 0.55, -0.35, -0.25) : at(pair, -1.25, -0.35, -0.25),
                         here = at(pair, -0.15, -0.35, -0.25), there = at(pair, 0.15, -0.35, -0.25);
    static double drive[STEPS];
    for (int n = 0; n < STEPS; n++) {
        const double t = ((double)n - 40) / 10; /* dies away above 10 points a wavelength; no mean */
        drive[n] = (1 - t * t) * exp(-t * t / 2);
    }
    MUST(engine_add_source(engine, &source, &failure));
    MUST(engine_add_receiver(engine, &here, &failure));
    MUST(engine_add_receiver(engine, &there, &failure));
    engine_run(engine, STEPS, drive, heard[0]);
    engine_free(engine);
}

static void try_pair(bool joined)
{
    static double heard[2][STEPS];
    struct pair pair;
    make_pair(&pair, joined);
    for (int beyond = 0; beyond < 2; beyond++) {
        /* Across the sheet, and along it. */
        const double length[2] = {beyond ? 0.7 : 1.4, 1.0};
        double loudest = 0;
        sound(&pair, beyond, heard);
        for (int n = 0; n < STEPS; n++) {
            loudest = fmax(loudest, fabs(heard[beyond][n]));
            cr_assert(heard[1 - beyond][n] == 0, "%g in the other room at step %d", heard[1 - beyond][n], n);
        }
        cr_assert(test_above(loudest, 0));
        for (int mode = 0; mode < 2; mode++) {
            const double exact = PI * SPEED / length[mode] * pair.step.period;
            const double error = frequency_of(heard[beyond] + 100, STEPS - 100, exact) / exact - 1;
            (void)fprintf(stderr, "%g m: %+.3f %%\n", length[mode], 100 * error);
            cr_expect(test_near(error, 0, 0.004), "%g m: off by %g", length[mode], error);
        }
    }
    block_grid_free(&pair.blocks);
}

Test(thin_walls, a_sheet_between_two_rooms_lets_nothing_through_and_is_a_wall_of_both)
{
    try_pair(true);
}

Test(thin_walls, so_does_one_that_is_drawn_up_to_walls_without_common_corners)
{
    try_pair(false);
}

/* board_sweep has the other places and the finer grid. */
Test(thin_walls, a_bench_stays_where_it_is_when_the_grid_moves)
{
    enum { PLACES = 4 };
    static const double spacing = 0.092,
                        moved[PLACES][3] = {{0, 0, 0}, {0, 0.375, 0}, {0, 0, 0.5}, {0, 0, 0.25}};
    static double heard[PLACES][THIN_RECEIVERS][THIN_SAMPLES];
    struct thin_room room;
    double least = 1;
    thin_room_bench(&room);
    for (int place = 0; place < PLACES; place++) {
        double phase[3];
        for (int axis = 0; axis < 3; axis++)
            phase[axis] = 0.004 + moved[place][axis] * spacing;
        thin_room_hear(&room, spacing, phase, false, heard[place]);
        for (int before = 0; before < place; before++)
            for (int r = 0; r < THIN_RECEIVERS; r++) {
                const double same = thin_room_correlation(heard[place][r], heard[before][r]);
                least = fmin(least, same);
                cr_expect(test_at_least(same, 0.99), "receiver %d, places %d and %d: %g", r, before, place,
                          same);
            }
    }
    mesh_free(&room.mesh);
    (void)fprintf(stderr, "correlation %.4f at least\n", least);
}
