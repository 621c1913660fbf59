/** v10: v8 with the ends of rows kept together.
 *
 *   mapping    as v8
 *   idea       an x face is 64 values in 64 rows, and reading one value costs a sector of 32 bytes: 4 KB a
 *              block for the two faces, of 11 KB that a step moves through the second level in single
 *              precision. Here every block also writes the ends of its rows to two faces of 64 values that
 *              lie together, and reads its neighbours' from there: 512 bytes read and 512 written
 *   bytes      15 a stored node in single precision, 30 in double (12 and 24, and a quarter more for faces):
 *              for rooms that stay in the second level, where memory does not matter
 *   predicted  10 us a step for a cross of 5 x 96^3 where v8 takes 12.5; 2.4 us for 5 x 48^3, which waits
 *              for latencies
 *   measured   H200: 2.54 us for 5 x 48^3 (v8: 2.46), 4.63 for 5 x 64^3 (4.36), 7.80 for 5 x 80^3 (7.39),
 *              16.8 for 5 x 96^3 (12.5)
 *   taught     the prediction was wrong. Where everything fits the second level, writing the faces costs
 *              what reading them saves; at 35 MB of pressures in 63 MB of it a third of all reads go to
 *              memory already, and a quarter more to hold makes that worse
 */
#ifndef KERNELS_LADDER_GPU_V10_FACES_CUH
#define KERNELS_LADDER_GPU_V10_FACES_CUH

#include "kernels/cuda/step/gpu_v8_overlap.cuh"

#define FACE_VALUES 64 /* by row of the block */

/** Faces of both levels: (blocks + 1, 2, 64) values each, x = 0 then x = 7. Those of block 0 stay 0. */
template <typename real> struct kept_ends {
    const real *now;
    real *next;

    template <enum access CACHE>
    __device__ __forceinline__ real beyond(const struct gpu_block &block, const real *, int row,
                                           int part) const
    {
        const size_t face = part == 0 ? 2 * (size_t)block.neighbour[0] + 1 : 2 * (size_t)block.neighbour[1];
        return load_wide<CACHE>(now + face * FACE_VALUES + row);
    }
    __device__ __forceinline__ void keep(const struct gpu_block &block, int row, int part,
                                         const four<real> &a) const
    {
        next[(2 * (size_t)block.self + (size_t)part) * FACE_VALUES + row] = part == 0 ? a.v[0] : a.v[3];
    }
};

/** Faces of a level from its pressures: before the first step. One CTA of 128 threads a block. */
template <typename real> __global__ void faces_kernel(uint32_t blocks, const real *u, real *faces)
{
    const size_t id = (size_t)blockIdx.x + 1, side = threadIdx.x / FACE_VALUES,
                 row = threadIdx.x % FACE_VALUES;
    if (id <= blocks)
        faces[(2 * id + side) * FACE_VALUES + row] = u[id * GPU_BLOCK_NODES + 8 * row + 7 * side];
}

template <typename real>
cudaError_t find_faces(uint32_t blocks, const real *u, real *faces, cudaStream_t stream)
{
    faces_kernel<real><<<blocks, 2 * FACE_VALUES, 0, stream>>>(blocks, u, faces);
    return cudaGetLastError();
}

#endif
