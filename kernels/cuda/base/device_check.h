/** The message to the user for a failed CUDA call: exit status, cause and what to do, in one sentence.
 */
#ifndef KERNELS_DEVICE_CHECK_H
#define KERNELS_DEVICE_CHECK_H

#include <cuda_runtime.h>

#include "geometry/base/failure.h"

/** Make the failure of an error code.
 * @param cuda_error a cudaError_t, not cudaSuccess
 * @param call the call as written in the source; the message has the name before its bracket
 * @param purpose what the call was for, as it fits after "for": "the pressures", "a batch of steps"
 * @return FAILURE_CAPACITY if memory is short or no device can be used, and FAILURE_OUTPUT if the device
 * failed, or this program on it. Pure: does not access a device. */
int cuda_failure(int cuda_error, const char *call, const char *purpose, struct failure *failure);

/** The same, and clears the error in the runtime, so that a later cudaGetLastError() does not report a failed
 * cudaMalloc() again. (Errors that end a context stay.) */
static inline int device_fail(cudaError_t code, const char *call, const char *purpose,
                              struct failure *failure)
{
    (void)cudaGetLastError();
    return cuda_failure((int)code, call, purpose, failure);
}

/** Forward the failure of a CUDA call. */
#define DEVICE_TRY(call, purpose, failure)                                                                   \
    do {                                                                                                     \
        const cudaError_t device_try_code_ = (call);                                                         \
        if (device_try_code_ != cudaSuccess)                                                                 \
            return device_fail(device_try_code_, #call, (purpose), (failure));                               \
    } while (0)

#endif
