/** A level of pressure between the device's arrays and the host's: blocks as they are, the box from its pitch
 * to the host's halo and back. */
#ifndef KERNELS_DEVICE_VALUES_H
#define KERNELS_DEVICE_VALUES_H

#include "kernels/cuda/device_layout.h"

/** Where and in which form the values are; borrowed. */
struct device_values {
    const struct device_layout *layout;
    const struct box_grid *box; /* NULL: blocks */
    size_t real_bytes;
    uint64_t host_length; /* values of a level on the host */
};

/** The whole level; `level` points at index 0 of the blocks or at node (0,0,0) of the box. */
int device_values_read(const struct device_values *values, const void *level, void *host,
                       struct failure *failure);
int device_values_write(const struct device_values *values, void *level, const void *host,
                        struct failure *failure);

/** `count` values from the host's index `first` on. */
int device_values_read_part(const struct device_values *values, const void *level, uint64_t first,
                            uint64_t count, void *host, struct failure *failure);

/** The same to the device; of blocks alone. */
int device_values_write_part(const struct device_values *values, void *level, uint64_t first, uint64_t count,
                             const void *host, struct failure *failure);

#endif
