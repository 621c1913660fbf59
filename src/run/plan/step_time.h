/** How long the steps of an engine take: what `plan`, `compare` of layouts and `bench` all time. */
#ifndef SRC_STEP_TIME_H
#define SRC_STEP_TIME_H

#include "kernels/engine/engine.h"

/** One engine_run() with these arguments by the clock: seconds of a step (`steps` at least 1). What happens
 * once (caches to be filled, kernels to be loaded) belongs into a run before it, whose time is not counted.
 */
double step_time(struct engine *engine, uint64_t steps, const double *drive, double *output);

#endif
