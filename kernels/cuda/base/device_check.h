/** What a CUDA call that failed means to the user: exit status, cause and what to do, in one sentence.
 */
#ifndef KERNELS_DEVICE_CHECK_H
#define KERNELS_DEVICE_CHECK_H

#include <cuda_runtime.h>

#include "geometry/base/failure.h"

/** Make the failure of an error code.
 * @param cuda_error a cudaError_t, not cudaSuccess
 * @param call    the call as written in the source; the sentence names what precedes its bracket
 * @param purpose what the call was for, as it fits after "for": "the pressures", "a batch of steps"
 * @return FAILURE_CAPACITY when memory is short or there is no device to be used, and FAILURE_OUTPUT when the
 *         device failed, or this program did on it. Pure: asks no device. */
int cuda_failure(int cuda_error, const char *call, const char *purpose, struct failure *failure);

/** The same, and the error is forgotten by the runtime, so that a later cudaGetLastError() does not report a
 * refused cudaMalloc() again. (Errors that end a context stay.) */
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
