/** What the parts of a room send one another in a step, counted as they are made. */
#ifndef SRC_BENCH_TRAFFIC_H
#define SRC_BENCH_TRAFFIC_H

#include "kernels/parts/engine_in_parts.h"

struct bench_traffic {
    uint64_t bytes, messages; /* in a step, of all parts together */
};

/** `link` takes the place of what it was: everything is handed on, and parts that start are counted into
 * `traffic`, which must outlive the link. FAILURE_MEMORY, and the link is ended. */
int bench_count_traffic(struct part_link *link, struct bench_traffic *traffic, struct failure *failure);

#endif
