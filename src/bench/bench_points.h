/** A driven source and receivers, included in timed steps on a device. */
#ifndef SRC_BENCH_POINTS_H
#define SRC_BENCH_POINTS_H

#include "kernels/engine/engine.h"
#include "src/bench/bench_rooms.h"

#define BENCH_RECEIVERS 16
/** Most steps of one engine_run(), and the length of a row of drive and output. */
#define BENCH_BATCH 512

/** Add one source in the middle of the blocks and BENCH_RECEIVERS receivers spread over them. Each is joined
 * to 64 nodes of open air (216 in the isotropic scheme) if a block of it is found, else to one node. */
int bench_add_points(const struct bench_room *room, struct engine *engine, struct failure *failure);

/** Run `steps` in batches of at most BENCH_BATCH, the source driven and the receivers read. Failures of
 * engine_failed().
 * @param seconds receives what engine_run() took in all [s]; may be NULL */
int bench_run_points(struct engine *engine, uint64_t steps, double *seconds, struct failure *failure);

#endif
