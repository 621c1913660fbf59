/* How long a step takes: a piece of the room is stepped, and larger rooms are predicted from it. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/plaquettes.h"
#include "kernels/machine/machine_memory.h"
#include "rooms/shapes/seed_shape.h"
#include "src/base/progress_line.h"
#include "src/plan/estimate.h"
#include "src/plan/step_time.h"
#include "src/setup/room_engine.h"

/* Measured in the church to 1420 Hz, walls of six branches with an account: the processors' time in each
 * function of a step. Only their ratio to a node matters, and only as far as the piece that is measured is
 * not like the room. */
#define CUT_WORK  12.0
#define WALL_WORK 10.0

double estimate_work(const struct room_estimate *estimate, double nodes, double cuts, double walls)
{
    return nodes + (estimate->backend == BACKEND_CUDA ? 0.0 : CUT_WORK * cuts + WALL_WORK * walls);
}

double estimate_step_seconds(const struct room_estimate *estimate, double nodes)
{
    const struct step_speed *speed = &estimate->speed[estimate->backend];
    if (speed->samples == 0)
        return 0;
    if (nodes > speed->cached_nodes && speed->seconds_a_node_uncached > 0)
        return nodes * speed->seconds_a_node_uncached;
    const struct speed_sample *small = &speed->sample[0], *large = &speed->sample[speed->samples - 1];
    if (nodes >= large->nodes || large->nodes <= small->nodes)
        return large->seconds * nodes / large->nodes;
    const double share = fmax(0, (nodes - small->nodes) / (large->nodes - small->nodes));
    return small->seconds + share * (large->seconds - small->seconds);
}

static void add_sample(struct step_speed *speed, double nodes, struct step_pace pace)
{
    const struct speed_sample sample = {nodes, pace.alone};
    speed->taken = 1 - pace.alone / pace.now;
    const bool first = speed->samples > 0 && nodes < speed->sample[0].nodes;
    if (first)
        speed->sample[1] = speed->sample[0];
    speed->sample[first || speed->samples == 0 ? 0 : 1] = sample;
    speed->samples = speed->samples == 0 ? 1 : 2;
}

static void leave_out(block_id *neighbour, int count, uint32_t most)
{
    for (int n = 0; n < count; n++)
        if (neighbour[n] > most)
            neighbour[n] = 0;
}

/* The first `count` blocks of a grid as a grid of their own, all or some that have a place: `block` and
 * `edge` of it are owned. Tiles, walls and cut nodes are borrowed; blocks outside are replaced by the empty
 * one, further pieces of air left out. False when memory ran out. */
static bool cut_piece(const struct block_grid *grid, uint32_t count, struct block_grid *piece)
{
    struct block *block = malloc(((size_t)count + 1) * sizeof *block);
    block_id(*edge)[EDGES] = grid->isotropic ? malloc(((size_t)count + 1) * sizeof *edge) : NULL;
    if (block == NULL || (grid->isotropic && edge == NULL)) {
        free(block);
        free(edge);
        return false;
    }
    memcpy(block, grid->block, ((size_t)count + 1) * sizeof *block);
    if (edge != NULL)
        memcpy(edge, grid->edge, ((size_t)count + 1) * sizeof *edge);
    for (uint32_t b = 1; b <= count; b++) {
        leave_out(block[b].neighbour, DIRECTIONS, count);
        if (edge != NULL)
            leave_out(edge[b], EDGES, count);
    }
    *piece = *grid;
    piece->blocks = count;
    piece->block = block;
    piece->edge = edge;
    piece->walls = grid->wall_first[count + 1];
    piece->wall_nodes = 0;
    for (uint64_t w = 0; w < piece->walls; w++)
        piece->wall_nodes += (grid->wall[w].slot & WALL_CONTINUES) == 0;
    if (grid->has_records && count < grid->blocks) {
        piece->cuts = grid->cut_first[count + 1];
        piece->list_blocks = 0;
        piece->list_nodes = piece->extra_nodes = piece->extra_links = 0;
    }
    return true;
}

/* Steps in which a device's time shows beside that of starting and awaiting them. */
#define DEVICE_BATCH 64

/* A run steps in batches of tens of milliseconds; in shorter ones it shows how long a thread takes to start.
 */
#define BATCH_SECONDS 0.01

/* Batches that are taken even if they need longer than they should, up to a limit: on a busy machine a step
 * takes many times as long, and one of them says little. */
#define BATCHES_LEAST 6
#define SECONDS_MOST  0.6

/* Step for so many seconds. The first `least` steps warm the caches, and as many more give the size of a
 * batch; with `cold` every step is a batch, and starts with the pressures out of the caches, as they are in a
 * room that no cache holds. */
static struct step_pace time_steps(struct engine *engine, double seconds, bool cold, uint64_t least,
                                   int processors)
{
    enum { BATCHES = 256 };
    const double begun = progress_clock();
    struct step_batch taken[BATCHES] = {step_batch_time(engine, least)};
    if (progress_clock() - begun >= SECONDS_MOST)
        return step_pace_of(taken, 1, processors);
    if (!cold)
        taken[0] = step_batch_time(engine, least);
    const uint64_t wanted = cold ? 1 : (uint64_t)(BATCH_SECONDS * (double)least / fmax(taken[0].wall, 1e-6));
    const uint64_t batch = wanted > least ? wanted : least;
    size_t count = 0;
    double spent = progress_clock() - begun, round = 0;
    while (count < BATCHES && spent + round < (count < BATCHES_LEAST ? SECONDS_MOST : seconds)) {
        if (cold)
            engine_evict(engine);
        taken[count++] = step_batch_time(engine, batch);
        round = progress_clock() - begun - spent;
        spent += round;
    }
    return step_pace_of(taken, count > 0 ? count : 1, processors);
}

/* A cube in a box: every node is stored, so the speed is that of any box. */
static int make_cube(double bytes, const struct time_step *step, struct block_grid *grid,
                     struct box_grid *box, double real, struct failure *failure)
{
    struct voxels voxels = {0};
    struct cut_masses masses = {0};
    const int64_t edge = (int64_t)cbrt(bytes / (2 * real + 1)) - 2;
    int code = seed_shape_voxels(SEED_CUBE, edge < 8 ? 8 : edge, &voxels, failure);
    if (code == 0)
        code = block_grid_pack(&voxels, grid, failure);
    if (code == 0 && step->scheme == SCHEME_ISOTROPIC)
        code = block_grid_widen(grid, failure);
    if (code == 0 && step->scheme == SCHEME_ISOTROPIC)
        code = cut_masses_make(grid, step->lambda2, &masses, failure);
    if (code == 0)
        code = box_grid_from_blocks(grid, box, failure);
    voxels_free(&voxels);
    return code;
}

/* Steps of a room that the device's cache does not hold go at the speed of its memory: two values read and
 * one written a node, in a box also its link byte, at this share of the rate of a copy. */
#define DEVICE_SHARE      0.9
#define ISOTROPIC_SHARE   0.84
#define DEVICE_COPY_BYTES (UINT64_C(256) << 20)
#define DEVICE_COPIES     5

static int measure_device_memory(const struct room_setup *setup, bool boxed, struct step_speed *speed,
                                 struct failure *failure)
{
    const double real = estimate_real_bytes(setup);
    const struct device *device = &setup->backend.device;
    const uint64_t most = device->bytes_free / 10;
    const double share = setup->request.grid.scheme == SCHEME_ISOTROPIC ? ISOTROPIC_SHARE : DEVICE_SHARE;
    double rate = 0;
    if (speed->seconds_a_node_uncached > 0)
        return 0;
    TRY(device_copy_rate(most < DEVICE_COPY_BYTES ? most : DEVICE_COPY_BYTES, DEVICE_COPIES, &rate, failure));
    speed->cached_nodes = (double)device->cache / (2 * real);
    speed->seconds_a_node_uncached = (3 * real + (boxed ? 1 : 0)) / (share * rate);
    return 0;
}

int estimate_threads(const struct room_setup *setup, enum backend backend)
{
    const int asked = setup->request.engine.threads;
    if (backend == BACKEND_CUDA)
        return 0;
    return backend == BACKEND_REFERENCE ? 1 : asked > 0 ? asked : omp_get_max_threads();
}

int estimate_measure(const struct room_setup *setup, const struct block_grid *grid,
                     struct room_estimate *estimate, struct failure *failure)
{
    const double real = estimate_real_bytes(setup);
    struct step_speed *speed = &estimate->speed[estimate->backend];
    struct engine_options engine_options = room_engine_options(setup, (double)grid->blocks * BLOCK_NODES);
    engine_options.backend = estimate->backend;
    const bool on_device = estimate->backend == BACKEND_CUDA;
    /* The reference takes its time: a sixteenth of the nodes keeps its first step short. */
    const double bytes =
        0.9 * (double)ESTIMATE_SPEED_BYTES / (engine_options.backend == BACKEND_REFERENCE ? 16 : 1);
    struct block_grid piece = {0}, cube = {0};
    struct box_grid box = {0};
    struct engine *engine = NULL;
    double nodes = 0, work = 0;
    int code = 0;
    if (speed->samples == 2)
        return 0;
    if (engine_options.layout == LAYOUT_BOX) {
        double wanted = 2 * real + 1;
        for (int axis = 0; axis < 3; axis++)
            wanted *= (double)(grid->air_high[axis] - grid->air_low[axis] + 3);
        if ((code = make_cube(fmin(bytes, wanted), &setup->grid.step, &cube, &box, real, failure)) != 0)
            goto done;
        nodes = (double)box.length;
        work = estimate_work(estimate, nodes, (double)cube.cuts, (double)cube.walls);
    } else {
        const struct wall_materials walls =
            room_wall_materials(setup, &setup->grid, !setup->request.plan.both_layouts);
        const double walls_of_block =
            (double)grid->walls / grid->blocks *
            (double)engine_wall_entry_bytes(&walls, setup->request.engine.precision);
        const double most = bytes / (2 * BLOCK_NODES * real + (double)sizeof(struct block) + walls_of_block);
        const uint32_t placed = block_list_first(grid) - 1, count = most < placed         ? (uint32_t)most
                                                                    : most < grid->blocks ? placed
                                                                                          : grid->blocks;
        if (!cut_piece(grid, count, &piece)) {
            code = failure_memory(failure, (count + UINT64_C(1)) * sizeof(struct block),
                                  "a measurement of the speed");
            goto done;
        }
        nodes = (double)count * BLOCK_NODES;
        work = estimate_work(estimate, nodes, (double)piece.cuts, (double)piece.walls);
    }
    const bool boxed = engine_options.layout == LAYOUT_BOX;
    code = room_engine_create(&engine, setup, &setup->grid, boxed ? &cube : &piece, boxed ? &box : NULL,
                              &setup->grid.step, &engine_options, !setup->request.plan.both_layouts, failure);
    if (code != 0)
        goto done;
    const int processors = estimate_threads(setup, estimate->backend);
    const double seconds = 0.9 * ESTIMATE_SPEED_SECONDS;
    if (on_device) {
        engine_run(engine, 1, NULL, NULL); /* what happens once: kernels are loaded, batches laid out */
        add_sample(speed, work, time_steps(engine, seconds, false, DEVICE_BATCH, processors));
        if ((code = engine_failed(engine, failure)) == 0)
            code = measure_device_memory(setup, boxed, speed, failure);
        goto done;
    }
    /* A piece that is much smaller than the caches is no measure of rooms that are larger. */
    const bool measures_memory = nodes * 2 * real >= (double)ESTIMATE_SPEED_BYTES / 8;
    add_sample(speed, work,
               time_steps(engine, measures_memory ? 0.5 * seconds : seconds, false, 1, processors));
    if (measures_memory) {
        const struct step_pace pace = time_steps(engine, 0.5 * seconds, true, 1, processors);
        speed->cached_nodes = (double)machine_memory_cache() / (2 * real);
        speed->seconds_a_node_uncached = pace.alone / work;
    }
done:
    engine_free(engine);
    free(piece.block);
    free(piece.edge);
    box_grid_free(&box);
    block_grid_free(&cube);
    return code;
}
