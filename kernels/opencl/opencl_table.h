/** The devices of OpenCL as a table (../cuda/device_table.h), so that an engine on one is an engine on a
 * device. What devices of CUDA have besides, these refuse by one sentence: parts of a room, ports for
 * messages, yardsticks. */
#ifndef KERNELS_OPENCL_TABLE_H
#define KERNELS_OPENCL_TABLE_H

#include "kernels/cuda/device_table.h"

extern const struct device_table device_opencl;

/** As device_table.engine_create. */
int opencl_engine_create(struct device_engine **out, const struct device_request *request,
                         struct failure *failure);

/** Bytes that an engine takes, taps included; and the amounts that a request has. */
double opencl_room_bytes(const struct device *device, const struct device_room *room);
struct device_room opencl_count_room(const struct device_request *request);

#endif
