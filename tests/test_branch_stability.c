/* 200,000 steps in single precision of a church whose walls remember: turned against the lattice, so that its
 * walls are stairs, with materials drawn at random and every area weight drawn anew. Energy only falls, and
 * nothing that rounding feeds grows. The church has some 10^4 nodes: with 10^5 (a spacing of 0.42 m, where
 * the same holds) the steps take minutes on a busy machine. */
#include <math.h>
#include <stdio.h>

#include "geometry/voxeliser.h"
#include "kernels/engine_fill.h"
#include "rooms/room_shape.h"
#include "tests/back_ends.h"
#include "tests/branch_materials.h"

#define LOOKS   20
#define LOUDEST 30.0 /* the field starts within 3 */
#if defined(__SANITIZE_ADDRESS__)
#define STEPS_A_LOOK 500
#else
#define STEPS_A_LOOK 10000
#endif

/* The built-in church, turned, as blocks. Returns how many materials it has. */
static size_t make_church(double spacing, struct block_grid *grid)
{
    const struct room_shape *shape = room_shape_find("church");
    const struct voxelise_options how = {.threads = 2};
    double value[ROOM_PARAMETERS_MAX], low[3], high[3];
    struct mesh mesh = {0};
    struct lattice lattice = {0};
    struct voxels voxels = {0};
    struct failure failure = {0};
    room_defaults(shape, value);
    cr_assert(room_set(shape, value, "turn", "23", &failure) == 0, "%s", failure.sentence);
    cr_assert(room_build(shape, value, &mesh, &failure) == 0, "%s", failure.sentence);
    cr_assert(mesh_bounds(&mesh, low, high, &failure) == 0, "%s", failure.sentence);
    cr_assert(lattice_fit(low, high, spacing, NULL, &lattice, &failure) == 0, "%s", failure.sentence);
    const struct mesh_marker *marker = &mesh.marker[0];
    const struct voxel_seed seed = {
        .kind = SEED_SOURCE,
        .name = "S1",
        .position = {marker->position[0], marker->position[1], marker->position[2]}};
    cr_assert(voxelise(&mesh, &lattice, &seed, 1, &how, &voxels, NULL, NULL, &failure) == 0, "%s",
              failure.sentence);
    cr_assert(block_grid_pack(&voxels, grid, &failure) == 0, "%s", failure.sentence);
    const size_t materials = mesh.material_count;
    voxels_free(&voxels);
    mesh_free(&mesh);
    return materials;
}

/* Of walls that take sound, and of walls that keep it: there rounding alone decides. */
static void draw(uint64_t *random, double period, bool lossless, size_t count, struct wall_material *material)
{
    draw_materials(random, period, count, 6, material);
    for (size_t m = 0; lossless && m < count; ++m)
        for (size_t b = 0; b < material[m].branches; ++b) {
            material[m].branch[b].E = 0.0;
            material[m].branch[b].D = fmax(material[m].branch[b].D, period);
        }
}

static void run(double spacing, bool inertance, bool lossless, uint64_t seed)
{
    struct block_grid grid = {0};
    struct time_step step;
    struct failure failure = {0};
    struct wall_material material[32] = {{0}};
    uint64_t random = seed;
    const size_t materials = make_church(spacing, &grid);
    cr_assert(materials >= 3 && materials <= 32 && grid.air_nodes > 4000, "%zu materials, %llu nodes",
              materials, (unsigned long long)grid.air_nodes);
    cr_assert(time_step_choose(spacing, 343.2, 0.0, &step, &failure) == 0);
    draw(&random, step.period, lossless, materials, material);
    for (uint64_t w = 0; w < grid.walls; ++w)
        grid.wall[w].weight = (float)test_uniform(&random, 0.0, 2.0);
    const struct wall_materials walls = {materials, material, inertance, false};
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct engine *engine = NULL;
    cr_assert(engine_create_walls(&engine, &grid, NULL, &step, &walls, &options, &failure) == 0, "%s",
              failure.sentence);
    engine_fill(engine, seed);
    const double start = engine_energy(engine);
    double previous = start;
    for (int look = 0; look < LOOKS; ++look) {
        engine_run(engine, STEPS_A_LOOK, NULL, NULL);
        const double energy = engine_energy(engine), loudest = engine_health(engine).largest;
        cr_assert(energy <= previous * (1.0 + 1e-6) && loudest < LOUDEST,
                  "%llu steps: energy %g after %g, %g", (unsigned long long)engine_steps(engine),
                  energy / start, previous / start, loudest);
        previous = energy;
    }
    cr_assert(lossless ? previous > 0.99 * start : previous < 0.5 * start);
    (void)fprintf(stderr,
                  "%llu nodes, %llu wall entries, inertance %d, %llu steps: %.6f of the energy is left\n",
                  (unsigned long long)grid.air_nodes, (unsigned long long)grid.walls, inertance,
                  (unsigned long long)engine_steps(engine), previous / start);
    engine_free(engine);
    block_grid_free(&grid);
}

Test(branch_stability, walls_drawn_at_random_only_take_energy_for_200000_steps)
{
    run(0.9, true, false, 51);
}

Test(branch_stability, first_order_walls_drawn_at_random_only_take_energy_for_200000_steps)
{
    run(1.2, false, false, 53);
}

Test(branch_stability, walls_without_resistance_keep_their_energy_for_200000_steps)
{
    run(1.2, true, true, 52);
}
