/** The values that a part of a room exchanges in a step, as an engine of either kind sees them; usable in C
 * and CUDA. */
#ifndef KERNELS_HALO_VALUES_H
#define KERNELS_HALO_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "blocks/block_layout.h"

/** The place of the values when begin() is called. */
enum halo_way {
    HALO_HOST,   /* in `out` and `in`, on the host; those that go out are there */
    HALO_DEVICE, /* in the device's memory (device_ops.port); those that go out are there */
    HALO_QUEUED  /* likewise, but on their way: begin() and finish() only put work on the port's stream */
};

/** All borrowed; kept as long as the engine. */
struct engine_halo {
    uint64_t sends, receives;
    const uint64_t *send, *receive; /* pressure indices, (sends) and (receives) */
    uint32_t surfaces;
    const block_id *surface; /* (surfaces) units with a value in `send`, rising */
    const bool *outer;       /* (blocks + 1) the same by unit */
    enum halo_way way;       /* HALO_HOST on processors */
    void *out, *in;          /* (sends), (receives) in the run's real */
    void *context;
    void (*begin)(void *context);  /* the values of a step may go out; they are not touched before .. */
    void (*finish)(void *context); /* .. this has returned and those of the others are there */
};

#endif
