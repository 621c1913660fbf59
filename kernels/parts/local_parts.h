/** Parts of a room in one process, each stepped by a thread and its OpenMP team; values go through memory. */
#ifndef KERNELS_LOCAL_PARTS_H
#define KERNELS_LOCAL_PARTS_H

#include "kernels/parts/engine_in_parts.h"

/** A link for engine_in_parts(), which ends it. Threads of the options are dealt out, at least one to each
 * part. FAILURE_CAPACITY where the system has no more threads. */
int local_parts(unsigned parts, struct part_link *out, struct failure *failure);

#endif
