/** An engine that steps one part of a room (blocks/parts/part_grid.h): values that other parts read go out in
 * every step, and theirs come in.
 *
 *   step the surface ── barrier ── gather, begin │ step the rest .. │ finish, scatter ── barrier
 *                                  thread 0      │ all              │ thread 0
 *
 * What comes in is written over u_old of ghosts, which no step reads, so it may come at any time in the step.
 * On a device: kernels/cuda/device_halo.h.
 */
#ifndef KERNELS_ENGINE_HALO_H
#define KERNELS_ENGINE_HALO_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/halo_values.h"

struct engine;

/** From now on every step of the engine, of blocks, exchanges values. begin() and finish() are called by the
 * thread that called engine_run(), once a step, also of an engine that has failed. An engine of a device that
 * lacks memory for that has failed (engine_failed()). */
void engine_join(struct engine *engine, const struct engine_halo *halo);

/** Exchange the values of one level (0 u, 1 u_old) now, after the field was set. */
void engine_exchange(struct engine *engine, int level);

/* Within engine_run(). */
void engine_gather(const struct engine *engine, const void *level);
void engine_scatter(const struct engine *engine, void *level);
/** As often as others expect it of an engine that is lost. */
void engine_exchange_nothing(const struct engine *engine, uint64_t times);

#endif
