/** The seed's two GPU kernels, as they were published in 2017, timed on one of our rooms; `bench` prints them
 * beside its own figures. Their form of the scheme rounds differently, so no engine steps with them;
 * bench_gpu of kernels/ladder checks their values (seed_box.cuh, seed_blocks.cuh).
 *
 * All walls have one admittance; there are no sources and receivers.
 */
#ifndef KERNELS_DEVICE_YARDSTICK_H
#define KERNELS_DEVICE_YARDSTICK_H

#include "blocks/block_grid.h"
#include "geometry/base/failure.h"
#include "kernels/scheme/engine_kinds.h"

#ifdef __cplusplus
extern "C" {
#endif

struct device_table;

struct device_yardstick {
    enum layout layout; /* LAYOUT_BOX: the bounding box; LAYOUT_BLOCKS: the array of structs */
    enum precision precision;
    double lambda2, admittance; /* (-) */
    int steps, rounds;          /* steps of each round; rounds at least 1 and at most 1000 */
};

struct device_yardstick_speed {
    double best, median; /* over the rounds [s/step] */
    double nodes;        /* that a step updates: those of the air's box, or 512 a block */
};

/** True if the table has these kernels; the functions below need them. */
bool device_has_yardstick(const struct device_table *table);

/** Bytes of device memory that this takes. */
double device_yardstick_bytes(const struct device_table *table, const struct block_grid *grid,
                              const struct device_yardstick *request);

/** Put the room on the device with a random field, step one round that does not count, then time `rounds`.
 * All memory is freed. FAILURE_CAPACITY with the bytes, before they are allocated, when they are more than
 * the device has free; FAILURE_OUTPUT when the device fails. */
int device_yardstick(const struct device_table *table, const struct block_grid *grid,
                     const struct device_yardstick *request, struct device_yardstick_speed *speed,
                     struct failure *failure);

#ifdef __cplusplus
}
#endif

#endif
