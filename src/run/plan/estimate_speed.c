/* Measures the time of a step on a piece of the room, and predicts it for larger rooms. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/plaquettes.h"
#include "kernels/machine/machine_memory.h"
#include "rooms/shapes/seed_shape.h"
#include "src/base/progress_line.h"
#include "src/run/plan/estimate.h"
#include "src/run/plan/step_time.h"
#include "src/setup/room_engine.h"

/* Measured in the church to 1420 Hz, with walls of six branches and an account: the processors' time in
 * each function of a step. Only the ratios to a node matter, and only as far as the measured piece
 * differs from the room. */
#define CUT_WORK  12.0
#define WALL_WORK 10.0

static double work_of(enum backend backend, double nodes, double cuts, double walls)
{
    return nodes + (backend_is_device(backend) ? 0.0 : CUT_WORK * cuts + WALL_WORK * walls);
}

double estimate_step_seconds(const struct room_estimate *estimate, double nodes, double cuts, double walls)
{
    const struct step_speed *speed = &estimate->speed[estimate->backend];
    const double work = work_of(estimate->backend, nodes, cuts, walls);
    if (speed->samples == 0)
        return 0;
    if (work > speed->cached_nodes && speed->seconds_a_node_uncached > 0)
        return work * speed->seconds_a_node_uncached;
    const struct speed_sample *small = &speed->sample[0], *large = &speed->sample[speed->samples - 1];
    if (work >= large->nodes || large->nodes <= small->nodes)
        return large->seconds * work / large->nodes;
    const double share = fmax(0, (work - small->nodes) / (large->nodes - small->nodes));
    return small->seconds + share * (large->seconds - small->seconds);
}

double estimate_air_seconds(const struct room_estimate *estimate, double nodes, const struct air_loss *loss)
{
    const struct step_speed *speed = &estimate->speed[estimate->backend];
    const double levels = 2 + loss->states; /* cached_nodes is for 2 */
    if (loss->states == 0 || nodes * levels / 2 <= speed->cached_nodes)
        return 0;
    return nodes * speed->seconds_a_node_uncached * air_loss_traffic(loss) / 3;
}

static void add_sample(struct step_speed *speed, double nodes, double seconds)
{
    const bool first = speed->samples > 0 && nodes < speed->sample[0].nodes;
    if (first)
        speed->sample[1] = speed->sample[0];
    speed->sample[first || speed->samples == 0 ? 0 : 1] = (struct speed_sample){nodes, seconds};
    speed->samples = speed->samples == 0 ? 1 : 2;
}

static void leave_out(block_id *neighbour, int count, uint32_t most)
{
    for (int n = 0; n < count; n++)
        if (neighbour[n] > most)
            neighbour[n] = 0;
}

/* The first `count` blocks of a grid, or all that have a place, as a grid of their own: its `block` and
 * `edge` are owned. Tiles, walls and cut nodes are borrowed. Blocks outside are replaced by the empty
 * one, and further pieces of air are left out. False if memory ran out. */
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

/* Steps enough that starting and awaiting them takes little of a device's time. */
#define DEVICE_BATCH 64

/* A run steps in batches of tens of milliseconds; shorter ones measure the start of threads. */
#define BATCH_SECONDS 0.01

/* A step alone takes at most this times its share of the processors' time; the rest is waiting for other
 * programs. */
#define BUSY 1.25

/* Seconds of a step on an idle machine; `threads` is 0 for a device, which only the clock can time. */
static double step_alone(struct engine *engine, uint64_t steps, int threads)
{
    const double begun = progress_worked();
    const double wall = step_time(engine, steps, NULL, NULL);
    const double worked = (progress_worked() - begun) / (double)steps;
    return threads > 0 ? fmin(wall, BUSY * worked / threads) : wall; /* NAN counts as a wall */
}

/* The fastest batch, since other programs can only slow steps. The first `least` steps warm the caches.
 * With `cold` every step is a batch that starts with the pressures out of the caches, as in a room that
 * no cache holds. */
static double time_steps(struct engine *engine, double seconds, bool cold, uint64_t least, int threads)
{
    const double begun = progress_clock();
    double fastest = step_alone(engine, least, threads);
    const uint64_t wanted = cold ? 1 : (uint64_t)(BATCH_SECONDS / fmax(fastest, 1e-6));
    const uint64_t batch = wanted > least ? wanted : least;
    do {
        if (cold)
            engine_evict(engine);
        fastest = fmin(fastest, step_alone(engine, batch, threads));
    } while (progress_clock() - begun < seconds);
    return fastest;
}

/* As in a room that no cache holds, in the fastest of the passes that the engine of a run can make. What
 * waits for the range of another thread is then in no cache; in the piece it still is. `warm`: seconds of a
 * step of the piece in its caches. */
static double time_cold(struct engine *engine, double warm, bool single, double seconds, int threads)
{
    double fastest = INFINITY, slower = 0;
    for (unsigned pass = 1; pass <= (single ? 1 : ENGINE_PASS_MOST); pass++) {
        engine_set_pass(engine, pass);
        if (engine_pass(engine) != pass)
            break;
        const double cold =
            time_steps(engine, seconds / (single ? 1 : ENGINE_PASS_MOST), true, pass, threads);
        if (pass == 1)
            slower = fmax(0, cold - warm);
        const double step = cold + engine_pass_late(engine, pass) * slower;
        if (step < (pass == 1 ? 1 : ENGINE_PASS_GAIN) * fastest)
            fastest = step;
    }
    return fastest;
}

/* Steps of a room beyond the device's cache run at the speed of its memory: two values read and one
 * written a node, in a box also its link byte, at this share of the rate of a copy. */
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
    TRY(device_copy_rate(backend_choice_devices(&setup->backend),
                         most < DEVICE_COPY_BYTES ? most : DEVICE_COPY_BYTES, DEVICE_COPIES, &rate, failure));
    speed->cached_nodes = (double)device->cache / (2 * real);
    speed->seconds_a_node_uncached = (3 * real + (boxed ? 1 : 0)) / (share * rate);
    return 0;
}

int estimate_threads(const struct room_setup *setup, enum backend backend)
{
    const int asked = (int)setup->request.engine.threads;
    if (backend_is_device(backend))
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
    const bool on_device = backend_is_device(estimate->backend);
    /* The reference is slow: a sixteenth of the nodes keeps its first step short. */
    const double bytes =
        0.9 * (double)ESTIMATE_SPEED_BYTES / (engine_options.backend == BACKEND_REFERENCE ? 16 : 1);
    struct block_grid piece = {0};
    struct engine *engine = NULL;
    if (speed->samples == 2)
        return 0;
    const bool boxed = engine_options.layout == LAYOUT_BOX;
    engine_options.layout = LAYOUT_BLOCKS; /* a node of a box takes about as long */
    const struct wall_materials walls =
        room_wall_materials(setup, &setup->grid, !setup->request.plan.both_layouts);
    const double walls_of_block = (double)grid->walls / grid->blocks *
                                  (double)engine_wall_entry_bytes(&walls, setup->request.engine.precision);
    const double most = bytes / (2 * BLOCK_NODES * real + (double)sizeof(struct block) + walls_of_block);
    const uint32_t placed = block_list_first(grid) - 1, count = most < placed         ? (uint32_t)most
                                                                : most < grid->blocks ? placed
                                                                                      : grid->blocks;
    if (!cut_piece(grid, count, &piece))
        return failure_memory(failure, (count + UINT64_C(1)) * sizeof(struct block),
                              "a measurement of the speed");
    const double nodes = (double)count * BLOCK_NODES;
    const double work = work_of(estimate->backend, nodes, (double)piece.cuts, (double)piece.walls);
    const double seconds = 0.9 * ESTIMATE_SPEED_SECONDS;
    /* A piece much smaller than the caches does not represent larger rooms. */
    const bool evicts = !on_device && nodes * 2 * real >= (double)ESTIMATE_SPEED_BYTES / 8;
    int code = room_engine_create(&engine, setup, &setup->grid, &piece, NULL, &setup->grid.step,
                                  &engine_options, !setup->request.plan.both_layouts, failure);
    if (code != 0)
        goto done;
    if (on_device)
        engine_run(engine, 1, NULL, NULL); /* work that is done once: loading kernels, preparing batches */
    const int threads = estimate_threads(setup, estimate->backend);
    const double warm =
        time_steps(engine, evicts ? 0.5 * seconds : seconds, false, on_device ? DEVICE_BATCH : 1, threads);
    add_sample(speed, work, warm);
    code = engine_failed(engine, failure);
    if (code == 0 && on_device)
        code = measure_device_memory(setup, boxed, speed, failure);
    if (evicts) {
        speed->cached_nodes = (double)machine_memory_cache() / (2 * real);
        speed->seconds_a_node_uncached =
            time_cold(engine, warm, boxed || setup->hosts.ranks > 1 || room_loses_in_steps(setup),
                      0.5 * seconds, threads) /
            work;
    }
done:
    engine_free(engine);
    free(piece.block);
    free(piece.edge);
    return code;
}
