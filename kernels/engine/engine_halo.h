/** An engine that steps one part of a room (blocks/parts/part_grid.h). In every step it sends the values that
 * other parts read, and receives theirs.
 *
 *   step the surface ── barrier ── gather, begin │ step the rest .. │ finish, scatter ── barrier
 *                                  thread 0      │ all              │ thread 0
 *
 * Received values overwrite u_old of ghosts, which no step reads, so they may arrive at any time in the step.
 * On a device: kernels/cuda/device_halo.h.
 */
#ifndef KERNELS_ENGINE_HALO_H
#define KERNELS_ENGINE_HALO_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/halo_values.h"

struct engine;

/** Exchange values in every step from now on. The engine steps blocks. The thread that calls engine_run()
 * calls begin() and finish() once a step, also after the engine has failed. If a device lacks memory for
 * this, the engine has failed (engine_failed()). */
void engine_join(struct engine *engine, const struct engine_halo *halo);

/** Exchange the values of one level (engine_read_level()), after the field was set. */
void engine_exchange(struct engine *engine, int level);

/* Within engine_run(). */
void engine_gather(const struct engine *engine, const void *level);
void engine_scatter(const struct engine *engine, void *level);
/** Call begin() and finish() of a lost engine, because the other parts wait for its values. */
void engine_complete_exchanges(const struct engine *engine, uint64_t times);

#endif
