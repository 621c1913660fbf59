/** Parts of a room in one process. A thread steps each part with an OpenMP team or on a device; the parts
 * exchange values through memory. */
#ifndef KERNELS_LOCAL_PARTS_H
#define KERNELS_LOCAL_PARTS_H

#include "kernels/parts/engine_in_parts.h"

struct device_table;

/** Make a link for engine_in_parts(), which ends it. The threads of the options are divided among the parts,
 * at least one each. FAILURE_CAPACITY if the system has no more threads. */
int local_parts(unsigned parts, struct part_link *out, struct failure *failure);

/** The way in which these devices exchange values: HALO_QUEUED, directly between their memories, if every
 * pair allows it (device_reach(), which enables it); else HALO_HOST, through page-locked memory. */
enum halo_way local_devices_way(const struct device_table *table, unsigned cards, const unsigned *card);

/** The same for BACKEND_CUDA: part p on card[p] (kernels/cuda/base/device.h), which is copied. A device may
 * have several parts, for tests. `way` is that of local_devices_way(), or HALO_HOST. Failures as above; those
 * of the devices come when parts are started. */
int local_devices(const struct device_table *table, unsigned cards, const unsigned *card, enum halo_way way,
                  struct part_link *out, struct failure *failure);

#endif
