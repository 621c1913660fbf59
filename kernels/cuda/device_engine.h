/** The part of an engine on a CUDA device: pressures, topology, taps, batches of steps.
 *
 * Engines are the only callers. All values that pass here are laid out as on the CPU: blocks by id and slot,
 * the box with its halo.
 */
#ifndef KERNELS_DEVICE_ENGINE_H
#define KERNELS_DEVICE_ENGINE_H

#include "geometry/base/failure.h"
#include "kernels/cuda/base/device_request.h"
#include "kernels/scheme/engine_parts.h"

#ifdef __cplusplus
extern "C" {
#endif

struct air_loss;
struct device_engine;
struct wall_terms;
struct engine_halo;
struct engine_layer;
struct engine_sheets;
struct membrane_plan;
struct device_port;
struct device_table;

/** The operations of an engine on a device. They make its device current in the calling thread. */
struct device_ops {
#define OPERATION(name, ...) int (*name)(struct device_engine * device, __VA_ARGS__)
#include "kernels/cuda/device_ops.h"
    void (*free)(struct device_engine *device);
    /** Bytes allocated on the device so far. */
    uint64_t (*bytes)(const struct device_engine *device);
    /** The port of an engine that has joined. */
    void (*port)(const struct device_engine *device, struct device_port *out);
};

/** The first members of an engine on a device. */
struct device_engine {
    const struct device_ops *ops;
    unsigned card;
    char name[192]; /* for messages: "cuda NVIDIA H200 march" */
};

/** Make it with zero pressure and no taps. FAILURE_CAPACITY without a device; also, with the bytes and before
 * large allocations, if they exceed the device's free memory. */
int device_engine_create(const struct device_table *table, struct device_engine **out,
                         const struct device_request *request, struct failure *failure);

#ifdef __cplusplus
}
#endif

#endif
