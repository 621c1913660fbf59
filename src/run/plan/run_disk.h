/** What a run leaves on the disk. */
#ifndef SRC_RUN_DISK_H
#define SRC_RUN_DISK_H

#include "src/setup/room_setup.h"

/** Bytes of all files of a run whose responses last `duration` [s] and end at `highest` [Hz]: responses to
 * the byte, tables, drawings and the model about. */
double run_disk_bytes(const struct room_setup *setup, double highest, double duration);

#endif
