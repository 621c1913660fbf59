/** Wide loads and lane shuffles (gpu_lanes.cuh), each step a launch of its own.
 *
 *   predicted  317 Gnode/s in single precision in large rooms, 3.0 us a step for a cross of 5 x 48^3 and
 *              12 us for 5 x 96^3 in graphs
 *   measured   H200: 283 Gnode/s (double 147) on the cross of 5 x 512^3; 3.05 to 3.25 us and 12.5 to 12.8 us
 *   taught     all threads of a block at once hide latency best, so it wins in small rooms. One block a
 *              CTA at 10 CTAs an SM: two blocks a CTA took 13.4 us where this took 12.5 to 12.8; 12 CTAs
 *              an SM (40 registers) 18 us. Results streamed (evicted first): 13.4 us instead of 15.0 at
 *              two blocks a CTA
 */
#ifndef KERNELS_LADDER_STEP_LANES_CUH
#define KERNELS_LADDER_STEP_LANES_CUH

#include "kernels/cuda/step/gpu_lanes.cuh"

template <typename real>
__global__ void __launch_bounds__(LANES_THREADS, lanes_residents<real>())
    lanes_kernel(gpu_room<real> room, const real *__restrict__ u, real *u_old)
{
    const struct gpu_block block = load_block(room.block + blockIdx.x);
    if (block.self == 0)
        return;
    auto walls = lanes_open(room);
    lanes_walls(room, block, &walls);
    const four<real> old = lanes_old<ACCESS_PLAIN>(block, u_old);
    lanes_step<real, ACCESS_CONSTANT>(room, gpu_no_taps{}, block, walls, 0, old, u, u_old);
}

template <typename real>
cudaError_t step_lanes(const gpu_room<real> &room, const real *u, real *u_old, cudaStream_t stream)
{
    lanes_kernel<real><<<room.slots, LANES_THREADS, 0, stream>>>(room, u, u_old);
    return cudaGetLastError();
}

#endif
