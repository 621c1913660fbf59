/** v20: a plane of the box in shared memory and a queue along z in registers, the "slicing" of Lopez and
 * others (2013; Micikevicius 2009 before them), in our words.
 *
 *   mapping    a thread a column of 32 planes, 32 x 8 a CTA; it keeps the planes below, its own and above,
 *              and what lies beside is read from the tile of the plane, two of which take turns: one barrier
 *              a plane. By a link byte a node ("box") or by column extents ("col"), which leave out planes
 *              where none of the CTA's columns is air
 *   bytes      13 a box node in single precision, 25 in double; by columns 12 and 24 a node of air
 *   predicted  theirs was 1.4 times their naive kernel, on a card with little of a first level. H200, cube of
 *              768: by bytes 0.50 of copy, as v0, 165 Gnode/s single and 120 double; by columns as v18, 197
 *              and 125: the tile does what the first level does
 *   measured   by bytes 128 and 89 (0.76 and 0.70 of v0's rate), by columns 100 and 78: the barrier of a
 * plane costs, and the tile saves nothing
 */
#ifndef KERNELS_LADDER_GPU_V20_SLICING_CUH
#define KERNELS_LADDER_GPU_V20_SLICING_CUH

#include "kernels/ladder/gpu_v18_columns.cuh"

template <bool BY_COLUMNS, typename real>
__global__ void __launch_bounds__(32 * COLUMN_ROWS)
    slicing_kernel(const __grid_constant__ column_room<real> room, const real *__restrict__ u, real *u_old)
{
    __shared__ real tiles[2][COLUMN_ROWS + 2][34];
    __shared__ int low, high;
    const int i = (int)threadIdx.x + 1, j = (int)threadIdx.y + 1;
    const int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * COLUMN_ROWS + threadIdx.y);
    const bool inside = x < room.nodes[0] && y < room.nodes[1];
    const size_t column = inside ? (size_t)y * room.row + (size_t)x : 0;
    int z = (int)blockIdx.z * COLUMN_PLANES, past = min(z + COLUMN_PLANES, room.nodes[2]);
    column_cursor own = BY_COLUMNS ? column_cursor(room, column) : column_cursor();
    columns_beside beside = BY_COLUMNS ? columns_beside(room, column) : columns_beside();
    if (BY_COLUMNS) {
        if (i == 1 && j == 1) {
            low = past;
            high = z;
        }
        __syncthreads();
        if (inside && own.next != own.past) {
            atomicMin(&low, max(__ldg(&room.run[own.next].x), z));
            atomicMax(&high, min(__ldg(&room.run[own.past - 1].y), past));
        }
        __syncthreads();
        z = low;
        past = high;
    }
    if (z >= past)
        return;
    size_t at = (size_t)z * room.plane + column;
    real below = inside ? u[(long long)at - (long long)room.plane] : real(0), here = inside ? u[at] : real(0);
    for (; z < past; ++z, at += room.plane) {
        real(*const tile)[34] = tiles[z & 1];
        const real *const around = u + at;
        real above = 0;
        uint32_t links = 0;
        if (inside) {
            above = around[room.plane];
            tile[j][i] = here;
            if (i == 1)
                tile[j][0] = around[-1];
            if (i == 32 || x + 1 == room.nodes[0])
                tile[j][i + 1] = around[1];
            if (j == 1)
                tile[0][i] = around[-(long long)room.row];
            if (j == COLUMN_ROWS || y + 1 == room.nodes[1])
                tile[j + 1][i] = around[room.row];
            if (!BY_COLUMNS)
                links = __ldg(room.links + at);
            else if (own.air(room.run, z))
                links = beside.links(room.run, z) | (z > own.low ? 16u : 0u) | (z + 1 < own.end ? 32u : 0u);
        }
        __syncthreads();
        if (links != 0)
            u_old[at] = step_node(here, u_old[at], links, tile[j][i - 1], tile[j][i + 1], tile[j - 1][i],
                                  tile[j + 1][i], below, above, room.lambda2, column_q(room, links));
        below = here;
        here = above;
    }
}

template <bool BY_COLUMNS, typename real>
cudaError_t step_slicing(const column_room<real> &room, const real *u, real *u_old, cudaStream_t stream)
{
    const dim3 threads(32, COLUMN_ROWS),
        grid((unsigned)(room.nodes[0] + 31) / 32, (unsigned)(room.nodes[1] + COLUMN_ROWS - 1) / COLUMN_ROWS,
             (unsigned)(room.nodes[2] + COLUMN_PLANES - 1) / COLUMN_PLANES);
    slicing_kernel<BY_COLUMNS><<<grid, threads, 0, stream>>>(room, u, u_old);
    return cudaGetLastError();
}

#endif
