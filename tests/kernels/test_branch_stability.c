/* 20,000 steps, or 200,000 of the whole test, in single precision of churches with frequency-dependent walls:
 * the built-in one turned against the lattice, so that its walls are stairs, and the real one on its grid for
 * 500 Hz, on a device. Materials are drawn at random and every area weight is drawn anew. Energy only falls,
 * and nothing that rounding feeds grows. */
#include "geometry/import/mesh_import.h"
#include "geometry/room/voxeliser.h"
#include "kernels/engine/engine_fill.h"
#include "rooms/shapes/room_shape.h"
#include "tests/accuracy/church_data.h"
#include "tests/support/back_ends.h"
#include "tests/support/branch_materials.h"
#include "tests/support/test_support.h"

#define LOOKS   20
#define LOUDEST 30.0 /* the field starts within 3 */
#if defined(__SANITIZE_ADDRESS__)
#define STEPS 10000
#else
#define STEPS 200000
#endif

/* The air around `place` as blocks. Returns how many materials the mesh has, and frees that. */
static size_t fill(struct mesh *mesh, const double place[3], double spacing, struct block_grid *grid)
{
    const struct voxelise_options how = {.threads = 2};
    const struct voxel_seed seed = {
        .kind = SEED_SOURCE, .name = "S1", .position = {place[0], place[1], place[2]}};
    const size_t materials = mesh->material_count;
    double low[3], high[3];
    struct lattice lattice = {0};
    struct voxels voxels = {0};
    MUST(mesh_bounds(mesh, low, high, &failure));
    MUST(lattice_fit(low, high, spacing, NULL, &lattice, &failure));
    MUST(voxelise(mesh, &lattice, &seed, 1, &how, &voxels, NULL, NULL, &failure));
    MUST(block_grid_pack(&voxels, grid, &failure));
    voxels_free(&voxels);
    mesh_free(mesh);
    return materials;
}

/* The built-in church, turned. */
static size_t built_in_church(double spacing, struct block_grid *grid)
{
    const struct room_shape *shape = room_shape_find("church");
    double value[ROOM_PARAMETERS_MAX], place[3];
    struct mesh mesh = {0};
    room_defaults(shape, value);
    MUST(room_set(shape, value, "turn", "23", &failure));
    MUST(room_build(shape, value, &mesh, &failure));
    memcpy(place, mesh.marker[0].position, sizeof place);
    return fill(&mesh, place, spacing, grid);
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

static void run(struct block_grid *grid, size_t materials, double spacing, enum backend backend,
                uint64_t steps, bool inertance, bool lossless, uint64_t seed)
{
    const struct time_step step = time_step_of(spacing, 343.2, 0.0);
    struct wall_material material[32] = {{0}};
    uint64_t random = seed;
    cr_assert(materials >= 3 && materials <= 32, "%zu materials", materials);
    draw(&random, step.period, lossless, materials, material);
    for (uint64_t w = 0; w < grid->walls; ++w)
        grid->wall[w].weight = (float)test_uniform(&random, 0.0, 2.0);
    const struct wall_materials walls = {materials, material, inertance, false};
    /* One thread: 10^5 nodes for 200,000 steps take 32 s of one processor, or 50 s shared by two. */
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, backend, SIMD_AUTO, 1};
    struct engine *engine = engine_of(grid, NULL, &step, NULL, 0, &walls, &options);
    engine_fill(engine, seed);
    const double start = engine_energy(engine);
    double previous = start;
    for (int look = 0; look < LOOKS; ++look) {
        engine_run(engine, steps / LOOKS, NULL, NULL);
        const double energy = engine_energy(engine), loudest = engine_health(engine).largest;
        cr_assert(energy <= previous * (1.0 + 1e-6) && loudest < LOUDEST,
                  "%llu steps: energy %g after %g, %g", (unsigned long long)engine_steps(engine),
                  energy / start, previous / start, loudest);
        previous = energy;
    }
    cr_assert(lossless ? previous > 0.99 * start : previous < 0.5 * start);
    (void)fprintf(stderr,
                  "%llu nodes, %llu wall entries, inertance %d, %llu steps: %.6f of the energy is left\n",
                  (unsigned long long)grid->air_nodes, (unsigned long long)grid->walls, inertance,
                  (unsigned long long)engine_steps(engine), previous / start);
    engine_free(engine);
    block_grid_free(grid);
}

static void run_built_in(double spacing, uint64_t nodes, uint64_t steps, bool inertance, bool lossless,
                         uint64_t seed)
{
    struct block_grid grid = {0};
    const size_t materials = built_in_church(spacing, &grid);
    cr_assert(grid.air_nodes >= nodes, "%llu nodes", (unsigned long long)grid.air_nodes);
    run(&grid, materials, spacing, BACKEND_CPU, steps, inertance, lossless, seed);
}

Test(branch_stability, walls_drawn_at_random_only_take_energy_in_35000_nodes)
{
    run_built_in(0.6, 35000, test_share(STEPS), true, false, 51);
}

Test(branch_stability, first_order_walls_drawn_at_random_only_take_energy)
{
    run_built_in(1.2, 4000, test_share(STEPS), false, false, 53);
}

Test(branch_stability, walls_without_resistance_keep_their_energy)
{
    run_built_in(1.2, 4000, test_share(STEPS), true, true, 52);
}

Test(branch_stability, on_a_device_the_real_church_for_500_hz_only_loses_energy_for_200000_steps)
{
    const double spacing = 343.2 / 500.0 / 10.5;
    const struct mesh_import_options import = {.metres_per_unit = 1.0, .up = UP_Z};
    struct church_places places;
    struct block_grid grid = {0};
    struct mesh mesh = {0};
    char folder[CHURCH_PATH_MAX], model[CHURCH_PATH_MAX + 16];
    if (!back_ends_is_thorough(false) || back_ends_device() == NULL)
        return;
    if (test_shared_data("ctk_church") == NULL)
        cr_skip("the real church is not on this machine");
    (void)snprintf(folder, sizeof folder, "%s", test_shared_data("ctk_church"));
    (void)snprintf(model, sizeof model, "%s/church.obj", folder);
    MUST(church_places_read(folder, &places, &failure));
    MUST(mesh_import(model, &import, &mesh, NULL, &failure));
    const size_t materials = fill(&mesh, places.source, spacing, &grid);
    run(&grid, materials, spacing, back_ends_backend(), STEPS, true, false, 54);
}
