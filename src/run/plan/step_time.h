/** The time of an engine's steps, for `plan`, `compare` of layouts and `bench`. */
#ifndef SRC_STEP_TIME_H
#define SRC_STEP_TIME_H

#include "kernels/engine/engine.h"

/** Time one engine_run() with these arguments by the clock: seconds of a step (`steps` at least 1). Work
 * that is done once (caches, kernels) belongs into a run before it, which is not timed. */
double step_time(struct engine *engine, uint64_t steps, const double *drive, double *output);

#endif
