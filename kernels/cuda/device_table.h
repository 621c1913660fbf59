/** The functions of CUDA that the program uses, as a table. base/device.h, device_engine.h and
 * device_yardstick.h call it. A test gives a table of fakes.
 */
#ifndef KERNELS_DEVICE_TABLE_H
#define KERNELS_DEVICE_TABLE_H

#include "kernels/cuda/base/device.h"
#include "kernels/cuda/device_engine.h"
#include "kernels/cuda/device_port.h"
#include "kernels/cuda/device_yardstick.h"

struct device_table {
#define FUNCTION(result, name, ...) result (*name)(__VA_ARGS__)
#include "kernels/cuda/device_functions.h"
};

/** That of the CUDA files; defined where nvcc compiled them. */
#ifdef __cplusplus
extern "C"
#endif
    extern const struct device_table device_cuda;

#endif
