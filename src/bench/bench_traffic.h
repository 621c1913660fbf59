/** Counts the bytes that the parts of a room send one another in a step, as the parts are made. */
#ifndef SRC_BENCH_TRAFFIC_H
#define SRC_BENCH_TRAFFIC_H

#include "kernels/parts/engine_in_parts.h"

struct bench_traffic {
    uint64_t bytes, messages; /* in a step, of all parts together */
};

/** Replace `link` by one that forwards everything and counts parts that start into `traffic`, which must
 * outlive the link. FAILURE_MEMORY; the link is then ended. */
int bench_count_traffic(struct part_link *link, struct bench_traffic *traffic, struct failure *failure);

#endif
