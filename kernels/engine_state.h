/** Inside of struct engine, shared by engine.c (stepping) and engine_monitor.c (looking at the field). */
#ifndef KERNELS_ENGINE_STATE_H
#define KERNELS_ENGINE_STATE_H

#include "kernels/engine.h"
#include "kernels/step.h"
#include "kernels/step_barrier.h"

/** A tap with its nodes found in the pressure arrays. */
struct engine_tap {
    unsigned count;
    uint64_t index[TAP_NODES_MAX];
    double weight[TAP_NODES_MAX]; /* receiver: of the tap; source: weight lambda2 / h (1 - q) */
};

/** What one thread found in its part of the field. */
struct engine_partial {
    double sum;
    double largest;
    uint64_t bad;       /* index of the first node that is not finite, or UINT64_MAX */
    uint8_t apart[104]; /* keeps two threads off one cache line */
};
_Static_assert(sizeof(struct engine_partial) == 128, "one pair of cache lines a thread");

struct engine {
    struct engine_options options;
    int threads;
    struct step_room room;
    struct time_step step;
    step_function *advance;
    void *memory;    /* both levels; owned */
    void *u, *u_old; /* inside memory; they change places with every step */
    uint64_t length; /* values in each */
    unsigned real_bytes;
    void *wall_q; /* owned; see step_room */
    uint64_t steps;
    size_t sources, receivers;
    struct engine_tap *source, *receiver; /* owned */
    struct engine_partial *partial;       /* (threads) owned */
    char description[96];
    struct step_barrier barrier;
};

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

#endif
