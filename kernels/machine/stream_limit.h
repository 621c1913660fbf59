/** Streaming limit of this machine: the rate of reading u, reading the old u and writing over the old u.
 *
 * A step moves at least these bytes per node, so its share of the limit shows what a better kernel could
 * gain. Measure the limit next to the steps, because it depends on the load of the machine.
 */
#ifndef KERNELS_STREAM_LIMIT_H
#define KERNELS_STREAM_LIMIT_H

#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/engine_kinds.h"

/** Two arrays; start zeroed; stream_limit_free() accepts a zeroed one. */
struct stream_limit {
    void *u, *u_old; /* owned */
    uint64_t bytes;  /* of each array */
    int threads;     /* each has a part of its own, which it was the first to write */
};

/** Allocate and zero both arrays. `bytes` is rounded down to a multiple of 128 a thread; to measure memory it
 * must be several times machine_memory_cache(). FAILURE_CAPACITY with the bytes. */
int stream_limit_create(struct stream_limit *limit, uint64_t bytes, int threads, struct failure *failure);
void stream_limit_free(struct stream_limit *limit);

/** Seconds of one pass over the arrays as values of `precision`, the mean of `passes`. */
double stream_limit_pass(const struct stream_limit *limit, enum precision precision, int passes);

/** Number of nodes in a pass. */
double stream_limit_nodes(const struct stream_limit *limit, enum precision precision);

#endif
