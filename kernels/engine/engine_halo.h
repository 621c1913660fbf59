/** An engine that steps one part of a room (blocks/parts/part_grid.h): values that other parts read go out in
 * every step, and theirs come in.
 *
 *   step the surface ── barrier ── gather, begin │ step the rest .. │ finish, scatter ── barrier
 *                                  thread 0      │ all              │ thread 0
 *
 * What comes in is written over u_old of ghosts, which no step reads, so it may come at any time in the step.
 */
#ifndef KERNELS_ENGINE_HALO_H
#define KERNELS_ENGINE_HALO_H

#include <stdint.h>

#include "blocks/block_layout.h"

/** All borrowed; kept as long as the engine. */
struct engine_halo {
    uint64_t sends, receives;
    const uint64_t *send, *receive; /* pressure indices, (sends) and (receives) */
    uint32_t surfaces;
    const block_id *surface; /* (surfaces) units with a value in `send`, rising */
    const bool *outer;       /* (blocks + 1) the same by unit */
    void *out, *in;          /* (sends), (receives) in the run's real */
    void *context;
    void (*begin)(void *context);  /* `out` holds the values of a step; it is not touched before .. */
    void (*finish)(void *context); /* .. this has returned and `in` holds those of the others */
};

struct engine;

/** From now on every step of the engine, of blocks on this machine's processors, exchanges values. begin()
 * and finish() are called by the thread that called engine_run(). */
void engine_join(struct engine *engine, const struct engine_halo *halo);

/** Exchange the values of one level (0 u, 1 u_old) now, after the field was set. */
void engine_exchange(struct engine *engine, int level);

/* Within engine_run(). */
void engine_gather(const struct engine *engine, const void *level);
void engine_scatter(const struct engine *engine, void *level);

#endif
