/** Times steps next to the streaming limit, so that other load on the machine slows both.
 *
 * The limit, the blocks and the box take turns in short rounds. The best round of each counts, since other
 * programs can only slow a round. The median of the shares of single rounds is reported next to it. */
#ifndef SRC_BENCH_MEASURE_H
#define SRC_BENCH_MEASURE_H

#include "kernels/engine/engine.h"
#include "kernels/machine/stream_limit.h"

/** Fewest rounds of a measurement. */
#define BENCH_ROUNDS_LEAST 3

struct bench_speed {
    double seconds_per_step; /* of the best round */
    double limit;            /* node updates per second of the streaming limit, best of the same rounds */
    double median_share;     /* over rounds: node updates per second over those of the limit just before */
};

/** Step the engines of a room (by enum layout, `nodes` stored in each; NULL: this one is left out) for about
 * `seconds`, always the same
 * number of steps, against the limit. FAILURE_INTERRUPTED after Ctrl-C. */
int bench_measure(const struct stream_limit *limit, enum precision precision, struct engine *const engine[2],
                  const double nodes[2], double seconds, struct bench_speed speed[2],
                  struct failure *failure);

#endif
