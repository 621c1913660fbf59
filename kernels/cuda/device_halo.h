/** The data by which an engine on a device steps one part of a room (../engine/engine_halo.h): lists of
 * values to send and receive, buffers for them, and a stream beside that of the steps.
 *
 *   steps    | surface |------- the rest -------|            | surface of the next step ..
 *   beside             | gather | out .. in | scatter |
 *
 * CUDA C++. Scattering writes u_old of ghosts, which no step reads.
 */
#ifndef KERNELS_DEVICE_HALO_H
#define KERNELS_DEVICE_HALO_H

#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/device_port.h"
extern "C" {
#include "kernels/scheme/halo_values.h"
}

/** Zeroed: a whole room. All but `with` is owned; freed by device_halo_free(). */
struct device_halo {
    const struct engine_halo *with;
    char *memory;
    uint64_t bytes; /* of memory */
    uint64_t *send, *receive;
    uint8_t *outer; /* (blocks + 1) 1: of the surface */
    char *out[2], *in;
    uint64_t exchanges;  /* until now */
    bool locked[2];      /* with->out and with->in are page-locked by us */
    cudaStream_t stream; /* beside the steps */
    cudaEvent_t stepped, arrived;
};

/** Tables and buffers for the part; `out` must be zeroed. FAILURE_CAPACITY with the bytes, FAILURE_OUTPUT. */
int device_halo_make(const struct engine_halo *with, uint32_t blocks, size_t real_bytes,
                     struct device_halo *out, struct failure *failure);
void device_halo_free(struct device_halo *halo);

/** Gather from a level beside `steps`, after the work that is on it now. */
template <typename real>
int device_halo_gather(struct device_halo *halo, const real *level, cudaStream_t steps,
                       struct failure *failure);
/** Exchange the gathered values, and scatter into a level; later work on `steps` waits for that. One begin()
 * and one finish() of the halo, also where the device fails: others wait for them. */
template <typename real>
int device_halo_trade(struct device_halo *halo, real *level, cudaStream_t steps, struct failure *failure);
/** Continue up to this number of exchanges, so that no other part waits for a failed device. */
void device_halo_skip(struct device_halo *halo, uint64_t exchanges);

#endif
