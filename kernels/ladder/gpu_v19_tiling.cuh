/** v19: tiles of the box in shared memory, the "tiling" of Lopez and others (2013), in our words.
 *
 *   mapping    one thread a node, 32 x 4 x 4 a CTA; the tile with a layer around it in shared memory, then
 *              seven reads of it. The room by a link byte a node ("box") or by column extents ("col")
 *   bytes      13 a box node in single precision, 25 in double; by columns 12 and 24 a node of air, five
 *              stretches looked up a node
 *   predicted  H200, cube of 768: below v0, since the first level does for v0 what the tile does, and there
 *              are barriers besides (v2 lost half to them): by bytes 0.40 of copy, 132 Gnode/s single, 95
 *              double; by columns 125 and 90, for the five look-ups
 *   measured   by bytes 96 and 80 (0.57 and 0.63 of v0's rate), by columns 64 and 54
 */
#ifndef KERNELS_LADDER_GPU_V19_TILING_CUH
#define KERNELS_LADDER_GPU_V19_TILING_CUH

#include "kernels/ladder/gpu_v18_columns.cuh"

#define TILING_Y 4
#define TILING_Z 4

/** Link byte of a node; 0 for what is not air. */
template <bool BY_COLUMNS, typename real>
__device__ __forceinline__ uint32_t links_of(const column_room<real> &room, size_t column, int z)
{
    if (!BY_COLUMNS)
        return __ldg(room.links + (size_t)z * room.plane + column);
    column_cursor own(room, column);
    if (!own.air(room.run, z))
        return 0;
    columns_beside beside(room, column);
    return beside.links(room.run, z) | (z > own.low ? 16u : 0u) | (z + 1 < own.end ? 32u : 0u);
}

template <bool BY_COLUMNS, typename real>
__global__ void __launch_bounds__(32 * TILING_Y * TILING_Z)
    tiling_kernel(const __grid_constant__ column_room<real> room, const real *__restrict__ u, real *u_old)
{
    __shared__ real tile[TILING_Z + 2][TILING_Y + 2][34];
    const int i = (int)threadIdx.x + 1, j = (int)threadIdx.y + 1, k = (int)threadIdx.z + 1;
    const int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * TILING_Y + threadIdx.y),
              z = (int)(blockIdx.z * TILING_Z + threadIdx.z);
    const bool inside = x < room.nodes[0] && y < room.nodes[1] && z < room.nodes[2];
    const size_t column = (size_t)y * room.row + (size_t)x;
    const real *const here = u + (size_t)z * room.plane + column;
    const uint32_t links = inside ? links_of<BY_COLUMNS>(room, column, z) : 0u;
    if (__syncthreads_or(links != 0) == 0)
        return;
    if (inside) {
        tile[k][j][i] = *here;
        if (i == 1)
            tile[k][j][0] = here[-1];
        if (i == 32 || x + 1 == room.nodes[0])
            tile[k][j][i + 1] = here[1];
        if (j == 1)
            tile[k][0][i] = here[-(long long)room.row];
        if (j == TILING_Y || y + 1 == room.nodes[1])
            tile[k][j + 1][i] = here[room.row];
        if (k == 1)
            tile[0][j][i] = here[-(long long)room.plane];
        if (k == TILING_Z || z + 1 == room.nodes[2])
            tile[k + 1][j][i] = here[room.plane];
    }
    __syncthreads();
    if (links == 0)
        return;
    real *const old = u_old + (size_t)z * room.plane + column;
    *old = step_node(tile[k][j][i], *old, links, tile[k][j][i - 1], tile[k][j][i + 1], tile[k][j - 1][i],
                     tile[k][j + 1][i], tile[k - 1][j][i], tile[k + 1][j][i], room.lambda2,
                     column_q(room, links));
}

template <bool BY_COLUMNS, typename real>
cudaError_t step_tiling(const column_room<real> &room, const real *u, real *u_old, cudaStream_t stream)
{
    const dim3 threads(32, TILING_Y, TILING_Z),
        grid((unsigned)(room.nodes[0] + 31) / 32, (unsigned)(room.nodes[1] + TILING_Y - 1) / TILING_Y,
             (unsigned)(room.nodes[2] + TILING_Z - 1) / TILING_Z);
    tiling_kernel<BY_COLUMNS><<<grid, threads, 0, stream>>>(room, u, u_old);
    return cudaGetLastError();
}

#endif
