/** A simulated CUDA device, and engines that compute nothing, to test on a machine without a GPU what the
 * program requests, what it chooses, and what it does after failures.
 *
 * Tables of fakes (kernels/cuda/device_table.h, kernels/engine/engine_ops.h): stand_in_back_ends. Each file
 * that includes this has its own.
 */
#ifndef TESTS_STAND_IN_DEVICE_H
#define TESTS_STAND_IN_DEVICE_H

#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/cuda/device_table.h"
#include "kernels/engine/engine.h"
#include "kernels/engine/engine_back_ends.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_state.h"
#include "src/base/progress_line.h"

#define STAND_IN_NEVER UINT64_MAX

/* The device, set by a test. */
static struct {
    bool present;
    unsigned cards;
    struct device device;
    double bytes_a_block; /* of device_room_bytes() */
    double copy_rate;
    double seconds_a_step[BACKENDS]; /* of an engine, by enum backend */
    uint64_t lives;                  /* steps of an engine on the device before it fails */
    bool look_fails;                 /* measuring the field fails, not a step */
    uint64_t energy_grows;           /* from this step on the field has far more energy */
} stand_in = {.present = true,
              .cards = 1,
              .device = {.name = "Stand-in 9000",
                         .compute_major = 9,
                         .driver_version = 13000,
                         .bytes_total = 160000000000,
                         .bytes_free = 150000000000,
                         .cache = 50000000},
              .bytes_a_block = 6144,
              .copy_rate = 4e12,
              .lives = STAND_IN_NEVER,
              .energy_grows = STAND_IN_NEVER};

/* Requests so far. */
static struct {
    unsigned looks, evictions, unmapped_sets, maps, runs_of_lost, gets_of_lost, engines[BACKENDS], room_count;
    uint64_t copied;                               /* bytes of an array */
    uint64_t blocks, wall_nodes, wall_nodes_there; /* of the last engine: as its grid says, and counted */
    struct device_room room[2];
} asked;

/* ---- a device -------------------------------------------------------------------------------------------
 */

static const char *stand_in_toolkit(void)
{
    return "13.0";
}

static bool stand_in_driver_installed(void)
{
    return stand_in.present;
}

static int stand_in_find_card(unsigned card, struct device *out, struct failure *why)
{
    asked.looks++;
    if (!stand_in.present)
        return failure_set(why, FAILURE_CAPACITY, "no NVIDIA driver is installed");
    if (card >= stand_in.cards)
        return failure_set(why, FAILURE_CAPACITY, "there is no device %u", card);
    *out = stand_in.device;
    return 0;
}

static unsigned stand_in_count(void)
{
    return stand_in.present ? stand_in.cards : 0;
}

static double stand_in_room_bytes(const struct device *device, const struct device_room *room)
{
    asked.room[asked.room_count++ % 2] = *room;
    return stand_in.bytes_a_block * room->blocks;
}

static int stand_in_copy_rate(uint64_t bytes, int passes, double *rate, struct failure *why)
{
    asked.copied = bytes;
    *rate = stand_in.copy_rate;
    return 0;
}

/* ---- engines that compute nothing -----------------------------------------------------------------------
 */

/* In engine.memory. */
struct stand_in_engine {
    uint64_t life; /* steps, of all sources */
    bool mapped;
};

static bool is_lost(const struct engine *engine)
{
    return engine->failure.code != FAILURE_NONE;
}

static void lose(struct engine *engine)
{
    const struct stand_in_engine *const own = engine->memory;
    struct failure why = {0};
    if (engine->options.backend == BACKEND_CUDA && own->life > stand_in.lives)
        (void)engine_keep(engine, failure_set(&why, FAILURE_OUTPUT, "the device fell off the bus"), &why);
}

static int stand_in_start(struct engine *engine, const struct engine_materials *materials,
                          struct failure *why)
{
    const struct block_grid *const blocks = engine->room.blocks;
    engine->memory = calloc(1, sizeof(struct stand_in_engine));
    if (engine->memory == NULL)
        return failure_memory(why, sizeof(struct stand_in_engine), "an engine");
    asked.engines[engine->options.backend]++;
    asked.blocks = blocks->blocks;
    asked.wall_nodes = blocks->wall_nodes;
    asked.wall_nodes_there = 0;
    for (uint64_t w = 0; w < blocks->walls; w++)
        asked.wall_nodes_there += (blocks->wall[w].slot & WALL_CONTINUES) == 0;
    engine_describe(engine, "a stand-in", "");
    return 0;
}

static int stand_in_add(struct engine *engine, bool source, const struct stencil *stencil,
                        const struct engine_tap *found, struct failure *why)
{
    return 0;
}

/* The CPU works; for a device the host sleeps. */
static void stand_in_pass(enum backend backend, double seconds)
{
    const struct timespec pause = {.tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    const double end = progress_clock() + seconds;
    if (backend_is_device(backend))
        (void)nanosleep(&pause, NULL);
    while (progress_clock() < end)
        ;
}

static void stand_in_run(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    struct stand_in_engine *const own = engine->memory;
    const double seconds = stand_in.seconds_a_step[engine->options.backend] * (double)steps;
    asked.runs_of_lost += is_lost(engine);
    own->life += steps;
    own->mapped = false;
    if (!stand_in.look_fails)
        lose(engine);
    for (size_t r = 0; output != NULL && r < engine->receivers; r++)
        for (uint64_t n = 0; n < steps; n++)
            output[r * steps + n] =
                is_lost(engine) ? (double)NAN : sin(0.2 * (double)(engine->steps + n)) / (double)(r + 1);
    engine->steps += steps;
    if (seconds > 0)
        stand_in_pass(engine->options.backend, seconds);
}

static void stand_in_reset(struct engine *engine)
{
}

static void stand_in_evict(const struct engine *engine)
{
    asked.evictions++;
}

static void stand_in_map(struct engine *engine)
{
    ((struct stand_in_engine *)engine->memory)->mapped = true;
    asked.maps++;
}

static double stand_in_get(struct engine *engine, int level, uint64_t index, const int64_t node[3])
{
    asked.gets_of_lost += is_lost(engine);
    return is_lost(engine) ? (double)NAN : 0;
}

static void stand_in_set(struct engine *engine, int level, uint64_t index, const int64_t node[3],
                         double value)
{
    if (!((const struct stand_in_engine *)engine->memory)->mapped)
        (void)__atomic_add_fetch(&asked.unmapped_sets, 1, __ATOMIC_RELAXED);
}

static void look(struct engine *engine)
{
    if (stand_in.look_fails)
        lose(engine);
}

static struct engine_partial stand_in_measure(struct engine *engine)
{
    look(engine);
    return (struct engine_partial){.sum = cut_masses_sum(engine->room.blocks),
                                   .bad = is_lost(engine) ? BLOCK_NODES : UINT64_MAX};
}

static double stand_in_energy(struct engine *engine)
{
    look(engine);
    return is_lost(engine) ? (double)NAN : engine->steps > stand_in.energy_grows ? 1e9 : 1;
}

static void stand_in_absorbed(struct engine *engine, double *absorbed)
{
}

static uint64_t stand_in_hash(struct engine *engine)
{
    look(engine);
    return is_lost(engine) ? 0 : 7;
}

static uint64_t stand_in_bytes(const struct engine *engine)
{
    return 0;
}

static bool stand_in_begin_recheck(struct engine *engine)
{
    return true;
}

static int stand_in_end_recheck(struct engine *engine, struct failure *why)
{
    return engine_failed(engine, why);
}

static const struct device_table stand_in_device_table = {.toolkit = stand_in_toolkit,
                                                          .driver_installed = stand_in_driver_installed,
                                                          .find_card = stand_in_find_card,
                                                          .count = stand_in_count,
                                                          .room_bytes = stand_in_room_bytes,
                                                          .copy_rate = stand_in_copy_rate};
static const struct engine_ops stand_in_engine_ops = {.start = stand_in_start,
                                                      .free = engine_free_here,
                                                      .add = stand_in_add,
                                                      .run = stand_in_run,
                                                      .reset = stand_in_reset,
                                                      .evict = stand_in_evict,
                                                      .map = stand_in_map,
                                                      .get = stand_in_get,
                                                      .set = stand_in_set,
                                                      .measure = stand_in_measure,
                                                      .energy = stand_in_energy,
                                                      .absorbed = stand_in_absorbed,
                                                      .hash = stand_in_hash,
                                                      .bytes = stand_in_bytes,
                                                      .threads = engine_threads_here,
                                                      .begin_recheck = stand_in_begin_recheck,
                                                      .end_recheck = stand_in_end_recheck};
static const struct engine_back_ends stand_in_back_ends = {
    .engine = {&stand_in_engine_ops, &stand_in_engine_ops, &stand_in_engine_ops},
    .device = {[BACKEND_CUDA] = &stand_in_device_table}};
/* The same, of OpenCL. */
static const struct engine_back_ends stand_in_opencl = {
    .engine = {&stand_in_engine_ops, &stand_in_engine_ops, &stand_in_engine_ops, &stand_in_engine_ops},
    .device = {[BACKEND_OPENCL] = &stand_in_device_table}};

#endif
