/** A level of pressure between the device's arrays and the host's: blocks as they are, the box from its pitch
 * to the host's halo and back. */
#ifndef KERNELS_DEVICE_VALUES_H
#define KERNELS_DEVICE_VALUES_H

#include "kernels/cuda/device_layout.h"

/** The place and form of the values; borrowed. */
struct device_values {
    const struct device_layout *layout;
    const struct box_grid *box; /* NULL: blocks */
    size_t real_bytes;
    uint64_t host_length; /* values of a level on the host */
};

/** A second copy of the data on a device, there: written by the stream of the steps, read by a stream of its
 * own while steps continue. Zeroed is empty; device_copy_free(). */
struct device_copy {
    char *memory;  /* on the device */
    char *through; /* page-locked on the host: reads pass through it, a piece at a time */
    cudaStream_t stream;
};

/** Memory for `bytes`, unless it is there already. False, without a change, if the device lacks this much
 * free memory and a reserve, or the host lacks page-locked memory. */
bool device_copy_make(struct device_copy *copy, uint64_t bytes);
/** `bytes` of it from `first` on; waits for them alone. From any thread with this device current, one at a
 * time. */
int device_copy_read(const struct device_copy *copy, uint64_t first, uint64_t bytes, void *host,
                     struct failure *failure);
void device_copy_free(struct device_copy *copy);

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
