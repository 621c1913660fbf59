/* Rooms as column extents (Lopez and others, 2013), kernels/ladder/column_extents.h: the same room and the
 * same bits as the program's own. */
#include "kernels/engine/engine_fill.h"
#include "kernels/ladder/column_extents.h"
#include "rooms/shapes/seed_shape.h"
#include "tests/support/lossy_room.h"

#define G     0.3
#define STEPS 7

static struct column_extents extents_of(const struct block_grid *grid)
{
    struct column_extents extents = {.columns = 0};
    MUST(column_extents_make(grid, &extents, &failure));
    return extents;
}

static struct block_grid seed_grid(enum seed_shape shape, int64_t nodes)
{
    struct voxels voxels = {0};
    struct block_grid grid = {0};
    MUST(seed_shape_voxels(shape, nodes, &voxels, &failure));
    MUST(block_grid_pack(&voxels, &grid, &failure));
    voxels_free(&voxels);
    return grid;
}

/* Nodes of chance are solid, so a column has many stretches; no link is cut but at these. */
static struct block_grid speckled_grid(void)
{
    struct lossy_room *const room = room_ragged(8, 21, 19, 45, 0.1, 0.0, 0);
    struct block_grid grid = room->blocks;
    box_grid_free(&room->box);
    free(room->link);
    free(room);
    return grid;
}

/* A node's place among the columns' pressures. */
static uint64_t place_of(const struct block_grid *grid, const struct column_extents *extents,
                         const int64_t node[3])
{
    const uint64_t x = (uint64_t)(node[0] - grid->air_low[0]), y = (uint64_t)(node[1] - grid->air_low[1]);
    return ((y + 1) * ((uint64_t)extents->nodes[0] + 2) + x + 1) * column_pitch(extents) +
           (uint64_t)(node[2] - grid->air_low[2]) + 1;
}

/* One wall all round: what a node touches of it is its cut links. */
static void wall_round(struct block_grid *grid)
{
    for (block_id b = 1; b <= grid->blocks; ++b)
        for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; ++w) {
            struct wall *const wall = &grid->wall[w];
            const uint8_t links = grid->tile[grid->block[b].tile][wall->slot & WALL_SLOT];
            wall->material = 0;
            wall->weight = (wall->slot & WALL_CONTINUES) != 0 ? 0.0F : (float)(6 - __builtin_popcount(links));
        }
}

static void compare(struct block_grid *grid, enum precision precision)
{
    const struct engine_options options = {LAYOUT_BLOCKS, precision, BACKEND_REFERENCE, SIMD_AUTO, 1};
    const struct time_step step = time_step_of(1.0, 343.2, 0.0);
    const double admittance = G;
    const size_t real = precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    struct column_extents extents = extents_of(grid);
    double q[7];
    void *level[2];
    wall_round(grid);
    struct engine *const engine = engine_of(grid, NULL, &step, &admittance, 1, NULL, &options);
    engine_fill(engine, 1);
    for (int l = 0; l < 2; ++l) {
        level[l] = calloc(extents.columns * column_pitch(&extents), real);
        cr_assert(level[l] != NULL);
    }
    uint64_t nodes = 0, of_runs = 0;
    for (uint32_t r = 0; r < extents.begin[extents.columns]; ++r)
        of_runs += (uint64_t)(extents.run[r].past - extents.run[r].low);
    for (int pass = 0; pass < 2; ++pass) {
        for (uint64_t n = BLOCK_NODES; n < ((uint64_t)grid->blocks + 1) * BLOCK_NODES; ++n) {
            const struct block *const block = &grid->block[n / BLOCK_NODES];
            int64_t node[3];
            if (grid->tile[block->tile][n % BLOCK_NODES] == 0)
                continue;
            block_node(block, n % BLOCK_NODES, node);
            const uint64_t at = place_of(grid, &extents, node);
            nodes += pass == 0;
            for (int l = 0; l < 2; ++l) {
                float *const single = (float *)level[l] + at;
                double *const twice = (double *)level[l] + at;
                const double wanted = engine_get(engine, l, node);
                if (pass == 1)
                    cr_assert(wanted == (precision == PRECISION_SINGLE ? (double)*single : *twice));
                else if (precision == PRECISION_SINGLE)
                    *single = (float)wanted;
                else
                    *twice = wanted;
            }
        }
        column_losses(step.lambda2, G, q);
        for (int n = 0; pass == 0 && n < STEPS; ++n) {
            void *const old = level[1];
            column_step(&extents, precision, step.lambda2, q, level[0], old, 0, extents.columns);
            level[1] = level[0];
            level[0] = old;
        }
        engine_run(engine, pass == 0 ? STEPS : 0, NULL, NULL);
    }
    cr_assert(nodes == of_runs && nodes == grid->air_nodes);
    engine_free(engine);
    column_extents_free(&extents);
    free(level[0]);
    free(level[1]);
}

Test(column_extents, columns_hold_the_air_and_step_it_with_the_bits_of_the_reference)
{
    struct block_grid grid[] = {seed_grid(SEED_CUBE, 29), seed_grid(SEED_CROSS, 13),
                                seed_grid(SEED_SPHERE, 40), speckled_grid()};
    for (size_t g = 0; g < sizeof grid / sizeof *grid; ++g) {
        for (int precision = 0; precision < 2; ++precision)
            compare(&grid[g], (enum precision)precision);
        block_grid_free(&grid[g]);
    }
}

Test(column_extents, a_wall_between_two_nodes_of_air_is_refused)
{
    struct lossy_room *const room = room_ragged(2, 12, 12, 12, 0.0, 0.05, 0);
    struct column_extents extents;
    MUST_FAIL(column_extents_make(&room->blocks, &extents, &failure), FAILURE_INPUT, "between two nodes");
    room_free(room);
}
