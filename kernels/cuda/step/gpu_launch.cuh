/** Launches of which one may start before the one before it has ended (programmatic dependent launch). */
#ifndef KERNELS_GPU_LAUNCH_CUH
#define KERNELS_GPU_LAUNCH_CUH

#include "kernels/cuda/step/gpu_headers.cuh"

#define GPU_LAUNCH_THREADS 128

/** Wait for u, then let the next step's threads in. */
__device__ __forceinline__ void wait_for_step()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/** Launch a kernel that calls wait_for_step(), 128 threads a CTA. `overlap`: it may start before the one
 * before it in the stream has ended; the device, and the code it runs, must be of compute capability 9.0 or
 * later. */
template <class... parameters, class... arguments>
cudaError_t launch_step(void (*kernel)(parameters...), uint32_t ctas, bool overlap, cudaStream_t stream,
                        const arguments &...given)
{
    cudaLaunchAttribute attribute[1] = {};
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t launch = {};
    launch.gridDim = dim3(ctas);
    launch.blockDim = dim3(GPU_LAUNCH_THREADS);
    launch.stream = stream;
    launch.attrs = attribute;
    launch.numAttrs = overlap ? 1 : 0;
    return cudaLaunchKernelEx(&launch, kernel, given...);
}

/** A launch before or after a step with a thread an item of a list; none where the list is empty. `overlap`
 * as for launch_step(), whose kernels wait_for_step(). */
template <class... parameters, class... arguments>
cudaError_t launch_list(void (*kernel)(parameters...), uint64_t count, bool overlap, cudaStream_t stream,
                        const arguments &...given)
{
    const uint64_t ctas = (count + GPU_LAUNCH_THREADS - 1) / GPU_LAUNCH_THREADS;
    return ctas == 0 ? cudaSuccess : launch_step(kernel, (uint32_t)ctas, overlap, stream, given...);
}

/** The item of the calling thread. */
__device__ __forceinline__ uint64_t list_item()
{
    return (uint64_t)blockIdx.x * GPU_LAUNCH_THREADS + threadIdx.x;
}

#endif
