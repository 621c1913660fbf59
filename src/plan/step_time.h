/** How long the steps of an engine take: what `plan`, `compare` of layouts and `bench` all time. */
#ifndef SRC_STEP_TIME_H
#define SRC_STEP_TIME_H

#include "kernels/engine/engine.h"

/** One engine_run() with these arguments by the clock: seconds of a step (`steps` at least 1). What happens
 * once (caches to be filled, kernels to be loaded) belongs into a run before it, whose time is not counted.
 */
double step_time(struct engine *engine, uint64_t steps, const double *drive, double *output);

/** Some steps by two clocks: on the wall, and what the processors worked for them together [s]. */
struct step_batch {
    uint64_t steps;
    double wall, worked; /* worked: NAN where it is not known */
};

/** engine_run() of so many steps by both. */
struct step_batch step_batch_time(struct engine *engine, uint64_t steps);

/** Seconds of a step: where the machine does nothing else, and as it is now. */
struct step_pace {
    double alone, now;
};

/** A step of a batch takes no longer by itself than STEP_PACE_BUSY times its share of what the processors
 * worked: more is waiting for something else that has them. */
#define STEP_PACE_BUSY 1.25

/** What batches say (`count` at least 1; sorted on return). `now` is their mean. `alone` is the time that a
 * quarter of them keep to, each as long as the wall or STEP_PACE_BUSY says, whichever is less: others stretch
 * steps, and push the pressures out of the caches, but shorten none. So whatever else runs, alone stays
 * within STEP_PACE_BUSY times what the processors work for a step, and at most now. `processors` is the
 * number of threads, or 0 for a device, which only the wall times. */
struct step_pace step_pace_of(struct step_batch *batch, size_t count, int processors);

#endif
