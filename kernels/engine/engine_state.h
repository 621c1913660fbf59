/** Inside of struct engine, shared by engine.c (stepping) and the other engine_*.c. */
#ifndef KERNELS_ENGINE_STATE_H
#define KERNELS_ENGINE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "blocks/box_grid.h"
#include "kernels/cpu/step_barrier.h"
#include "kernels/scheme/engine_kinds.h"
#include "kernels/scheme/engine_parts.h"
#include "kernels/scheme/step.h"
#include "kernels/scheme/time_step.h"
#include "kernels/scheme/wall_terms.h"

_Static_assert(sizeof(struct engine_partial) == 128, "one pair of cache lines a thread");

/** Where the newest field of a device's engine is. */
enum field_place { FIELD_ON_DEVICE, FIELD_ON_BOTH, FIELD_ON_HOST };

struct device_engine;

struct engine {
    struct engine_options options;
    int threads;
    struct step_room room;
    struct time_step step;
    step_function *advance;
    void *memory;    /* both levels; owned. BACKEND_CUDA: a copy, made when first needed */
    void *u, *u_old; /* inside memory; they change places with every step */
    uint64_t length; /* values in each */
    unsigned real_bytes;
    void *wall_q;             /* owned; see step_room */
    struct step_walls walls;  /* of room.walls, where that is not NULL: arrays owned */
    struct wall_terms *terms; /* (walls.materials + 2) rows as step_wall_row() counts; owned */
    bool inertance;
    double *absorbed; /* (walls.materials + 1) with a ledger; owned */
    uint64_t steps;
    size_t sources, receivers;
    struct engine_tap *source, *receiver; /* owned */
    struct engine_partial *partial;       /* (threads) owned */
    char description[224];
    struct step_barrier barrier;
    struct device_engine *device; /* BACKEND_CUDA; owned */
    enum field_place place;       /* BACKEND_CUDA */
    bool taps_sent;               /* BACKEND_CUDA: the device has all of them */
    struct failure failure;       /* why the device is lost */
};

/** Fetch the field of a device to the host where that is not current. False when the engine is lost. */
bool engine_fetch(struct engine *engine);
/** Send what was set on the host. False when the engine is lost. */
bool engine_send(struct engine *engine);
/** Keep a failure of the device, or of memory; returns true when `code` is 0. */
bool engine_keep(struct engine *engine, int code, const struct failure *failure);
/** engine_run() and engine_reset() of an engine with a device. */
void engine_run_on_device(struct engine *engine, uint64_t steps, const double *drive, double *output);
void engine_reset_on_device(struct engine *engine);

#define ENGINE_ALIGNMENT 128u

static inline uint64_t engine_level_bytes(const struct engine *engine)
{
    return engine->length * engine->real_bytes;
}

/** Where the second level starts in `memory`: aligned as the first. */
static inline uint64_t engine_second_level(const struct engine *engine)
{
    return (engine_level_bytes(engine) + ENGINE_ALIGNMENT - 1) / ENGINE_ALIGNMENT * ENGINE_ALIGNMENT;
}

/** Wall entries of the layout that is stepped. */
static inline uint64_t engine_wall_count(const struct engine *engine)
{
    return engine->room.box != NULL ? engine->room.box->walls : engine->room.blocks->walls;
}

/** First wall entry at or past a unit. */
static inline uint64_t engine_unit_wall(const struct engine *engine, uint64_t unit)
{
    if (engine->room.box != NULL)
        return step_box_wall_from(engine->room.box, step_unit_index(&engine->room, unit));
    return engine->room.blocks->wall_first[unit];
}

/** Part `thread` of `threads` of the units of the engine's layout: contiguous, in order, disjoint, complete.
 */
static inline void engine_share(const struct engine *engine, int thread, int threads, uint64_t *first,
                                uint64_t *last)
{
    const uint64_t begin = step_first_unit(&engine->room), units = step_last_unit(&engine->room) - begin;
    const uint64_t n = (uint64_t)threads, t = (uint64_t)thread;
    *first = begin + units / n * t + (units % n < t ? units % n : t);
    *last = *first + units / n + (t < units % n ? 1 : 0);
}

/** Link byte at a pressure index. */
static inline unsigned engine_links(const struct engine *engine, uint64_t index)
{
    const struct step_room *room = &engine->room;
    if (room->box != NULL)
        return room->box->links[index];
    return room->blocks->tile[room->blocks->block[index / BLOCK_NODES].tile][index % BLOCK_NODES];
}

static inline double engine_value(const struct engine *engine, const void *level, uint64_t index)
{
    return engine->real_bytes == sizeof(float) ? (double)((const float *)level)[index]
                                               : ((const double *)level)[index];
}

/** Rounded to the run's real. */
static inline void engine_put(const struct engine *engine, void *array, uint64_t at, double value)
{
    if (engine->real_bytes == sizeof(float))
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

#endif
