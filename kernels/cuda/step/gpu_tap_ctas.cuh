/** The CTAs of sources and receivers at the front of a step's grid, for step_blocks and step_cached_blocks.
 */
#ifndef KERNELS_GPU_TAP_CTAS_CUH
#define KERNELS_GPU_TAP_CTAS_CUH

#include "kernels/cuda/step/gpu_lanes.cuh"

/** The work of the CTAs at the front of a grid of 128 threads a CTA: sample receivers, or step a block that
 * holds source nodes.
 */
template <class room_type, typename real>
__device__ __forceinline__ void tap_cta(const room_type &room, const gpu_taps<real> &taps, const real *u,
                                        real *u_old)
{
    if (blockIdx.x < receiver_ctas(taps)) {
        const gpu_sampler<real> sampler = find_sampler(taps);
        wait_for_step();
        sample_receiver(taps, sampler, u);
        return;
    }
    const struct gpu_block block = load_block(taps.source_block + (blockIdx.x - receiver_ctas(taps)));
    auto walls = lanes_open(room);
    lanes_walls(room, block, &walls);
    const uint32_t first_drive = find_drive(taps, block_index(block.self) + 4 * threadIdx.x);
    const four<real> old = lanes_old<ACCESS_SECOND_LEVEL>(block, u_old);
    wait_for_step();
    lanes_step<real, ACCESS_PLAIN>(room, taps, block, walls, first_drive, old, u, u_old);
}
template <class room_type, typename real>
__device__ __forceinline__ void tap_cta(const room_type &, const gpu_no_taps &, const real *, real *)
{
}

#endif
