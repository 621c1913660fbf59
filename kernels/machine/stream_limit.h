/** How fast this machine can do what a step cannot avoid: read u, read the old u, write over the old u.
 *
 * The same bytes per node as a step in place, with no neighbours, links or walls: a step's share of it says
 * how much a better kernel could still win. Measured beside the steps, because it changes with whatever else
 * the machine does.
 */
#ifndef KERNELS_STREAM_LIMIT_H
#define KERNELS_STREAM_LIMIT_H

#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/engine_kinds.h"

/** Two arrays; start zeroed, stream_limit_free() takes a zeroed one. */
struct stream_limit {
    void *u, *u_old; /* owned */
    uint64_t bytes;  /* of each array */
    int threads;     /* each has its own part, which it was the first to touch */
};

/** Allocate and zero both arrays. `bytes` is rounded down to a multiple of 128 a thread; to say anything
 * about memory it must be several times machine_memory_cache(). FAILURE_CAPACITY with the bytes. */
int stream_limit_create(struct stream_limit *limit, uint64_t bytes, int threads, struct failure *failure);
void stream_limit_free(struct stream_limit *limit);

/** Seconds of one pass over the arrays as values of `precision`, the mean of `passes`. */
double stream_limit_pass(const struct stream_limit *limit, enum precision precision, int passes);

/** Nodes that one pass updates. */
double stream_limit_nodes(const struct stream_limit *limit, enum precision precision);

#endif
