/** A CUDA device that is none, engines that compute nothing and a host with as much memory as a test says:
 * what the program asks of them, chooses by them, and does when they fail, on a machine without a GPU.
 *
 * Defines every function of kernels/cuda/base/device.h, kernels/engine/engine.h and
 * kernels/machine/machine_memory.h that the program calls outside of `bench`, and command_with_options(), so
 * that the linker takes none of the real ones. For one file of a test program.
 */
#ifndef TESTS_STAND_IN_DEVICE_H
#define TESTS_STAND_IN_DEVICE_H

#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/cuda/base/device.h"
#include "kernels/engine/engine_image.h"
#include "kernels/engine/engine_layer.h"
#include "kernels/engine/engine_recheck.h"
#include "kernels/mpi/ranks.h"
#include "kernels/parts/engine_in_parts.h"
#include "kernels/machine/machine_memory.h"
#include "src/base/progress_line.h"
#include "src/cli/commands.h"

#define STAND_IN_NEVER UINT64_MAX

/* What the device is, set by a test. */
static struct {
    bool present;
    unsigned cards;
    uint64_t host_bytes; /* available on the host */
    struct device device;
    double bytes_a_block; /* of device_room_bytes() */
    double copy_rate;
    double seconds_a_step[3]; /* of an engine, by enum backend */
    uint64_t lives;           /* steps of an engine on the device before it fails */
    bool look_fails;          /* a look at the field fails, not a step */
    uint64_t energy_grows;    /* from this step on the field has far more energy */
} stand_in = {.present = true,
              .cards = 1,
              .host_bytes = 16000000000,
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

/* What was asked of it. */
static struct {
    unsigned looks, evictions, unmapped_sets, maps, runs_of_lost, gets_of_lost, engines[3], room_count;
    uint64_t copied;                               /* bytes of an array */
    uint64_t blocks, wall_nodes, wall_nodes_there; /* of the last engine: as its grid says, and counted */
    struct device_room room[2];
} asked;

const char *device_toolkit(void)
{
    return "13.0";
}

bool device_driver_installed(void)
{
    return stand_in.present;
}

int device_find(struct device *out, struct failure *why)
{
    asked.looks++;
    if (!stand_in.present)
        return failure_set(why, FAILURE_CAPACITY, "no NVIDIA driver is installed");
    *out = stand_in.device;
    return 0;
}

int device_find_card(unsigned card, struct device *out, struct failure *why)
{
    return device_find(out, why);
}

unsigned device_count(void)
{
    return stand_in.present ? stand_in.cards : 0;
}

double device_room_bytes(const struct device *device, const struct device_room *room)
{
    asked.room[asked.room_count++ % 2] = *room;
    return stand_in.bytes_a_block * room->blocks;
}

void device_room_walls(struct device_room *room, const struct wall_materials *walls, double entries)
{
    room->wall_entries = entries;
    room->wall_materials = (double)walls->count;
    room->ledger = walls->ledger;
}

int device_copy_rate(uint64_t bytes, int passes, double *rate, struct failure *why)
{
    asked.copied = bytes;
    *rate = stand_in.copy_rate;
    return 0;
}

uint64_t machine_memory_shared(void)
{
    return stand_in.host_bytes;
}
uint64_t machine_memory_peak(void)
{
    return 0;
}
uint64_t machine_memory_available(void)
{
    return stand_in.host_bytes;
}

void *machine_memory_allocate(uint64_t bytes)
{
    return malloc((size_t)bytes);
}

uint64_t machine_memory_cache(void)
{
    return 32000000;
}

void machine_memory_evict(const void *memory, uint64_t bytes)
{
}

struct engine {
    enum backend backend;
    uint64_t steps, life;
    size_t sources, receivers;
    bool mapped, lost;
};

int engine_create(struct engine **out, const struct block_grid *blocks, const struct box_grid *box,
                  const struct time_step *step, const double *admittance, size_t material_count,
                  const struct engine_options *options, struct failure *why)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return failure_memory(why, sizeof **out, "an engine");
    (*out)->backend = options->backend;
    asked.engines[options->backend]++;
    asked.blocks = blocks->blocks;
    asked.wall_nodes = blocks->wall_nodes;
    asked.wall_nodes_there = 0;
    for (uint64_t w = 0; w < blocks->walls; w++)
        asked.wall_nodes_there += (blocks->wall[w].slot & WALL_CONTINUES) == 0;
    return 0;
}

int engine_create_walls(struct engine **out, const struct block_grid *blocks, const struct box_grid *box,
                        const struct time_step *step, const struct wall_materials *walls,
                        const struct engine_options *options, struct failure *why)
{
    return engine_create(out, blocks, box, step, NULL, 0, options, why);
}

uint64_t engine_wall_entry_bytes(const struct wall_materials *walls, enum precision precision)
{
    return precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
}

void engine_free(struct engine *engine)
{
    free(engine);
}

size_t engine_sources(const struct engine *engine)
{
    return engine->sources;
}

size_t engine_receivers(const struct engine *engine)
{
    return engine->receivers;
}

int engine_add_source(struct engine *engine, const struct stencil *stencil, struct failure *why)
{
    engine->sources++;
    return 0;
}

int engine_add_receiver(struct engine *engine, const struct stencil *stencil, struct failure *why)
{
    engine->receivers++;
    return 0;
}

/* Processors work while a device is waited for. */
static void stand_in_pass(enum backend backend, double seconds)
{
    const struct timespec pause = {.tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    const double end = progress_clock() + seconds;
    if (backend == BACKEND_CUDA)
        (void)nanosleep(&pause, NULL);
    while (progress_clock() < end)
        ;
}

void engine_run(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    const double seconds = stand_in.seconds_a_step[engine->backend] * (double)steps;
    asked.runs_of_lost += engine->lost;
    engine->life += steps;
    engine->mapped = false;
    if (engine->backend == BACKEND_CUDA && !stand_in.look_fails && engine->life > stand_in.lives)
        engine->lost = true;
    for (size_t r = 0; output != NULL && r < engine->receivers; r++)
        for (uint64_t n = 0; n < steps; n++)
            output[r * steps + n] =
                engine->lost ? (double)NAN : sin(0.2 * (double)(engine->steps + n)) / (double)(r + 1);
    engine->steps += steps;
    if (seconds > 0)
        stand_in_pass(engine->backend, seconds);
}

int engine_failed(const struct engine *engine, struct failure *why)
{
    return engine->lost ? failure_set(why, FAILURE_OUTPUT, "the device fell off the bus") : 0;
}

uint64_t engine_recheck_apart(const struct engine *engine)
{
    return STAND_IN_NEVER;
}

struct engine_recheck *engine_recheck_begin(const struct engine *engine)
{
    return NULL;
}

int engine_recheck_end(struct engine_recheck *check, const struct engine *engine, struct failure *why)
{
    return engine_failed(engine, why);
}

/* There is one rank. */
void ranks_hosts(struct rank_host *out)
{
}
unsigned ranks_count(void)
{
    return 1;
}
bool ranks_lost(void)
{
    return false;
}
void ranks_leave_word(const char *text)
{
}

int ranks_parts(struct part_link *out, struct failure *why)
{
    return failure_set(why, FAILURE_OUTPUT, "there are no ranks");
}

enum halo_way local_devices_way(unsigned cards, const unsigned *card)
{
    return HALO_HOST;
}

int local_devices(unsigned cards, const unsigned *card, enum halo_way way, struct part_link *out,
                  struct failure *why)
{
    return failure_set(why, FAILURE_OUTPUT, "there are no parts");
}

int engine_in_parts(struct engine **out, const struct block_grid *blocks, const struct part_setup *setup,
                    double wall_cost, const struct part_link *link, struct failure *why)
{
    return failure_set(why, FAILURE_OUTPUT, "there are no ranks");
}

void engine_map(struct engine *engine)
{
    engine->mapped = true;
    asked.maps++;
}

void engine_evict(const struct engine *engine)
{
    asked.evictions++;
}

uint64_t engine_steps(const struct engine *engine)
{
    return engine->steps;
}

void engine_reset(struct engine *engine)
{
    engine->steps = 0;
}

double engine_get(const struct engine *engine, int level, const int64_t node[3])
{
    asked.gets_of_lost += engine->lost;
    return engine->lost ? (double)NAN : 0;
}

void engine_set(struct engine *engine, int level, const int64_t node[3], double value)
{
    if (!engine->mapped)
        (void)__atomic_add_fetch(&asked.unmapped_sets, 1, __ATOMIC_RELAXED);
}

static void look(const struct engine *engine)
{
    if (engine->backend == BACKEND_CUDA && stand_in.look_fails && engine->life > stand_in.lives)
        ((struct engine *)engine)->lost = true;
}

struct engine_health engine_health(const struct engine *engine)
{
    look(engine);
    return (struct engine_health){.finite = !engine->lost, .mean_square = 1};
}

void engine_absorbed(struct engine *engine, double *absorbed)
{
}

double engine_energy(const struct engine *engine)
{
    look(engine);
    return engine->lost ? (double)NAN : engine->steps > stand_in.energy_grows ? 1e9 : 1;
}

uint64_t engine_hash(const struct engine *engine)
{
    look(engine);
    return engine->lost ? 0 : 7;
}

uint64_t engine_bytes(const struct engine *engine)
{
    return 0;
}

const char *engine_description(const struct engine *engine)
{
    return engine->backend == BACKEND_CUDA ? "a stand-in for a device" : "a stand-in for processors";
}

/* No run here takes so long that it would be saved. */
struct engine_image_form engine_image_form(const struct engine *engine)
{
    return (struct engine_image_form){0};
}

uint64_t engine_layer_bytes_of(uint64_t nodes, unsigned real_bytes)
{
    return 0;
}

uint64_t engine_image_bytes(const struct engine *engine, uint32_t first, uint32_t last)
{
    return 0;
}

int engine_image_open_copy(struct engine *engine, struct engine_image **out, struct failure *why)
{
    *out = NULL;
    return 0;
}
int engine_image_open(struct engine *engine, bool set, struct engine_image **out, struct failure *why)
{
    *out = NULL;
    return engine_failed(engine, why);
}

int engine_image_get(struct engine_image *image, uint32_t first, uint32_t last, void *bytes,
                     struct failure *why)
{
    return 0;
}

int engine_image_set(struct engine_image *image, uint32_t first, uint32_t last, const void *bytes,
                     struct failure *why)
{
    return 0;
}

uint64_t engine_image_get_steps(const struct engine *engine, double *absorbed)
{
    return engine->steps;
}

void engine_image_set_steps(struct engine *engine, uint64_t steps, const double *absorbed)
{
    engine->steps = steps;
}

int engine_image_close(struct engine_image *image, struct failure *why)
{
    return 0;
}

/* src/cli/help.c has these, with all commands behind it. */
void help_command(FILE *stream, const struct command *command, const struct option_set *extra)
{
}

int command_with_options(const struct command *command, int argc, char **argv, const struct option_set *extra,
                         command_run *body, struct failure *why)
{
    struct options options;
    int code = options_parse(command->bit, command->name, command->subject, argc, argv, extra, &options, why);
    if (code == 0)
        code = body(&options, why);
    options_free(&options);
    return code;
}

#endif
