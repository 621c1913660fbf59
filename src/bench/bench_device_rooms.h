/** Rooms for a device: made on the host, and left out or refused where host or device does not hold them. */
#ifndef SRC_BENCH_DEVICE_ROOMS_H
#define SRC_BENCH_DEVICE_ROOMS_H

#include "src/bench/bench.h"

/** There are fewer bytes than needed: FAILURE_CAPACITY where the room was asked for, else it is only printed.
 * @param what  "cross 5 x 512^3 in blocks, double,"
 * @param where what has `available` bytes free: a device's name, "this machine's memory" */
int bench_leave_out(struct bench *bench, bool must_fit, const char *what, double needed, double available,
                    const char *where, struct failure *failure);

/** Does the device hold an engine of the room now, with the source and receivers of bench_points.h? */
int bench_fits_device(struct bench *bench, const struct bench_target *target, const struct bench_room *room,
                      int precision, int layout, bool *fits, struct failure *failure);

/** The target in blocks; `*made` is false where it was left out. */
int bench_make_target(struct bench *bench, const struct bench_target *target, struct bench_room *room,
                      bool *made, struct failure *failure);

/** Its box too, likewise. */
int bench_make_target_box(struct bench *bench, const struct bench_target *target, struct bench_room *room,
                          bool *made, struct failure *failure);

#endif
