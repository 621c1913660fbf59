/** Calls from the files of an engine to its device. */
#ifndef KERNELS_ENGINE_ASK_H
#define KERNELS_ENGINE_ASK_H

#include "kernels/cuda/device_engine.h"
#include "kernels/engine/engine_state.h"

/** Call an operation of the engine's device (../cuda/device_ops.h). The last argument is &engine->failure: an
 * engine whose device has failed is lost. False if the engine is lost, by this call or before it. */
#define ENGINE_ASK(engine, operation, ...)                                                                   \
    ((engine)->failure.code == FAILURE_NONE &&                                                               \
     (engine)->device->ops->operation((engine)->device, __VA_ARGS__) == 0)

#endif
