/** v5: the march over pairs of x neighbours.
 *
 *   mapping    as v4, but where the launch order puts a block and its +x neighbour into one warp
 *              (GPU_PAIRED), their common face goes by a shuffle between the warp's halves
 *   bytes      12 a stored node in single precision, 24 in double. An x face is 64 values in 64 sectors of
 *              32 bytes, the most expensive of the six; pairing saves two of a pair's four
 *   predicted  0.94 of copy in single precision, 0.895 in double on the cross of 5 x 512^3 (prototype)
 *   measured   H200, alone in its process: 333.8 Gnode/s single, 163.8 double, 0.937 and 0.920 of copy
 *              (sphere of 768: 0.928 and 0.912); after all other versions in one process: 332.4 and 160.6,
 *              0.928 and 0.896
 *   taught     the shuffle gains nothing: v4, which launches the same pairs side by side and loads their
 *              common face through the first level, is as fast in single precision and 1.2 per cent faster
 *              in double
 */
#ifndef KERNELS_LADDER_GPU_V5_PAIRS_CUH
#define KERNELS_LADDER_GPU_V5_PAIRS_CUH

#include "kernels/cuda/step/gpu_v4_march.cuh"

template <typename real>
__global__ void __launch_bounds__(MARCH_WARPS * 32, march_residents<real>())
    pairs_kernel(gpu_room<real> room, const real *__restrict__ u, real *u_old)
{
    march_blocks<real, true>(room, u, u_old, blockIdx.x);
}

template <typename real>
cudaError_t step_pairs(const gpu_room<real> &room, const real *u, real *u_old, cudaStream_t stream)
{
    pairs_kernel<real><<<room.slots / (2 * MARCH_WARPS), MARCH_WARPS * 32, 0, stream>>>(room, u, u_old);
    return cudaGetLastError();
}

#endif
