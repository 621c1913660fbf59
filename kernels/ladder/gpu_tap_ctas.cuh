/** The CTAs of sources and receivers at the front of a step's grid, for v4 and v8. */
#ifndef KERNELS_LADDER_GPU_TAP_CTAS_CUH
#define KERNELS_LADDER_GPU_TAP_CTAS_CUH

#include "kernels/ladder/gpu_v3_lanes.cuh"

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
    launch.blockDim = dim3(LANES_THREADS);
    launch.stream = stream;
    launch.attrs = attribute;
    launch.numAttrs = overlap ? 1 : 0;
    return cudaLaunchKernelEx(&launch, kernel, given...);
}

/** What the CTAs at the front of a grid of 128 threads a CTA do: hear, or step a block that holds source
 * nodes.
 */
template <class room_type, typename real>
__device__ __forceinline__ void tap_cta(const room_type &room, const gpu_taps<real> &taps, const real *u,
                                        real *u_old)
{
    if (blockIdx.x < ear_ctas(taps)) {
        const gpu_ear<real> ear = find_ear(taps);
        wait_for_step();
        hear(taps, ear, u);
        return;
    }
    const struct gpu_block block = load_block(taps.source_block + (blockIdx.x - ear_ctas(taps)));
    uint32_t links = GPU_LINKS_ALL;
    const real *q_plane = room.q;
    lanes_walls(room, block, &links, &q_plane);
    const uint32_t first_drive = find_drive(taps, block_index(block.self) + 4 * threadIdx.x);
    const four<real> old = lanes_old<ACCESS_SECOND_LEVEL>(block, u_old);
    wait_for_step();
    lanes_step<real, ACCESS_PLAIN>(room, row_ends{}, taps, block, links, q_plane, first_drive, old, u, u_old);
}
template <class room_type, typename real>
__device__ __forceinline__ void tap_cta(const room_type &, const gpu_no_taps &, const real *, real *)
{
}

#endif
