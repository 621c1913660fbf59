/** Makes rooms for a device on the host; skips or refuses those that do not fit host or device. */
#ifndef SRC_BENCH_DEVICE_ROOMS_H
#define SRC_BENCH_DEVICE_ROOMS_H

#include "src/bench/bench.h"

/** Handle too few bytes: FAILURE_CAPACITY if the room was requested, else only printed.
 * @param what  "cross 5 x 512^3 in blocks, double,"
 * @param where holder of the `available` bytes: a device's name, "this machine's memory" */
int bench_leave_out(struct bench *bench, bool must_fit, const char *what, double needed, double available,
                    const char *where, struct failure *failure);

/** Check if the device can hold an engine of the room now, with the source and receivers of bench_points.h.
 */
int bench_fits_device(struct bench *bench, const struct bench_target *target, const struct bench_room *room,
                      int precision, int layout, bool *fits, struct failure *failure);

/** Make the target in blocks; `*made` is false if it was left out. */
int bench_make_target(struct bench *bench, const struct bench_target *target, struct bench_room *room,
                      bool *made, struct failure *failure);

/** Make its box too, likewise. */
int bench_make_target_box(struct bench *bench, const struct bench_target *target, struct bench_room *room,
                          bool *made, struct failure *failure);

#endif
