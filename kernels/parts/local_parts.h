/** Parts of a room in one process, each stepped by a thread and its OpenMP team, or by a card that a thread
 * of the host drives; values go through memory. */
#ifndef KERNELS_LOCAL_PARTS_H
#define KERNELS_LOCAL_PARTS_H

#include "kernels/parts/engine_in_parts.h"

struct device_table;

/** A link for engine_in_parts(), which ends it. Threads of the options are dealt out, at least one to each
 * part. FAILURE_CAPACITY where the system has no more threads. */
int local_parts(unsigned parts, struct part_link *out, struct failure *failure);

/** How cards give each other their values: HALO_QUEUED, straight from memory to memory, where all of them
 * reach one another, which they may from then on (device_reach()); else HALO_HOST, through page-locked
 * memory. */
enum halo_way local_devices_way(const struct device_table *table, unsigned cards, const unsigned *card);

/** The same for BACKEND_CUDA: part p on card[p] (kernels/cuda/base/device.h), copied. A card may have several
 * parts, for tests on machines that have one. `way` as local_devices_way() says, or HALO_HOST. Failures as
 * above, and of the cards where parts are started. */
int local_devices(const struct device_table *table, unsigned cards, const unsigned *card, enum halo_way way,
                  struct part_link *out, struct failure *failure);

#endif
