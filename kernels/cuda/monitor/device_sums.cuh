/** Sums over all of a field, or of its walls: 1024 CTAs of 256 threads each add up their part, a CTA stores
 * one partial result, and the host adds these in order. So there are no atomics, and sums depend neither on
 * the device nor on earlier runs. */
#ifndef KERNELS_DEVICE_SUMS_CUH
#define KERNELS_DEVICE_SUMS_CUH

#include "kernels/cuda/base/device_memory.cuh"

#define SUM_CTAS    1024u
#define SUM_THREADS 256u
#define SUM_WARPS   (SUM_THREADS / 32u)

__device__ __forceinline__ uint64_t add_findings(uint64_t a, uint64_t b)
{
    return a + b;
}
__device__ __forceinline__ double add_findings(double a, double b)
{
    return a + b;
}

/** Combine one finding of each thread of a CTA, in a fixed order; each thread gets the result. A finding is a
 * number or has an add_findings() of its own. */
template <typename finding> __device__ __forceinline__ finding gather_findings(const finding &mine)
{
    __shared__ finding shared[SUM_THREADS];
    shared[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned half = SUM_THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            shared[threadIdx.x] = add_findings(shared[threadIdx.x], shared[threadIdx.x + half]);
        __syncthreads();
    }
    return shared[0];
}

/** Findings of all CTAs, on the host. */
template <typename finding>
int fetch(const finding *partial, cudaStream_t stream, finding (&found)[SUM_CTAS], const char *purpose,
          struct failure *failure)
{
    DEVICE_TRY(cudaMemcpyAsync(found, partial, sizeof found, cudaMemcpyDeviceToHost, stream), purpose,
               failure);
    DEVICE_TRY(cudaStreamSynchronize(stream), purpose, failure);
    return 0;
}

#endif
