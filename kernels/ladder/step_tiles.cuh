/** Tiles in shared memory on separate topology.
 *
 *   mapping    one thread a node, 512 a CTA, one CTA a block; as seed_blocks, but the levels are aligned
 *              arrays of their own, and link bytes and walls are read only in blocks that are not open air
 *   bytes      12 a stored node in single precision, 24 in double; the six faces, 3 (6) useful bytes a
 *              node, but the x faces come in sectors of 32 bytes
 *   predicted  200 to 280 Gnode/s in single precision: one node a thread is many instructions a byte
 *   measured   H200, cross of 5 x 512^3: 147 single, 100 double: 0.41 and 0.56 of copy, far below
 *   taught     the layout alone reaches 1.4 times their rate; the tile, its barrier and 4-byte loads lose the
 *              rest
 */
#ifndef KERNELS_LADDER_STEP_TILES_CUH
#define KERNELS_LADDER_STEP_TILES_CUH

#include "kernels/cuda/step/gpu_room.cuh"

template <typename real>
__global__ void __launch_bounds__(512)
    tiles_kernel(gpu_room<real> room, const real *__restrict__ u, real *u_old)
{
    __shared__ real tile[10][10][10];
    __shared__ real q_tile[GPU_BLOCK_NODES];
    const struct gpu_block block = load_block(room.block + blockIdx.x);
    if (block.self == 0)
        return;
    const int slot = (int)threadIdx.x, x = slot & 7, y = slot >> 3 & 7, z = slot >> 6;
    const size_t at = block_index(block.self) + (size_t)slot;
    const real old = u_old[at], here = u[at];
    tile[z + 1][y + 1][x + 1] = here;
    if (x == 0)
        tile[z + 1][y + 1][0] = u[block_index(block.neighbour[0]) + (size_t)slot + 7];
    if (x == 7)
        tile[z + 1][y + 1][9] = u[block_index(block.neighbour[1]) + (size_t)slot - 7];
    if (y == 0)
        tile[z + 1][0][x + 1] = u[block_index(block.neighbour[2]) + (size_t)slot + 56];
    if (y == 7)
        tile[z + 1][9][x + 1] = u[block_index(block.neighbour[3]) + (size_t)slot - 56];
    if (z == 0)
        tile[0][y + 1][x + 1] = u[block_index(block.neighbour[4]) + (size_t)slot + 448];
    if (z == 7)
        tile[9][y + 1][x + 1] = u[block_index(block.neighbour[5]) + (size_t)slot - 448];
    const bool mixed = (block.tile & GPU_TILE_MASK) != GPU_TILE_FULL;
    uint32_t links = 0x3F;
    real q = 0;
    if (mixed) {
        links = room.tile[(size_t)(block.tile & GPU_TILE_MASK) * GPU_BLOCK_NODES + (size_t)slot];
        q_tile[slot] = 0;
        __syncthreads();
        const uint64_t past = room.wall_first[block.self + 1];
        for (uint64_t w = room.wall_first[block.self] + (uint64_t)slot; w < past; w += GPU_BLOCK_NODES)
            q_tile[room.wall_slot[w]] = room.q[w];
    }
    __syncthreads();
    if (mixed)
        q = q_tile[slot];
    u_old[at] = step_node(here, old, links, tile[z + 1][y + 1][x], tile[z + 1][y + 1][x + 2],
                          tile[z + 1][y][x + 1], tile[z + 1][y + 2][x + 1], tile[z][y + 1][x + 1],
                          tile[z + 2][y + 1][x + 1], room.lambda2, q);
}

template <typename real>
cudaError_t step_tiles(const gpu_room<real> &room, const real *u, real *u_old, cudaStream_t stream)
{
    tiles_kernel<real><<<room.slots, GPU_BLOCK_NODES, 0, stream>>>(room, u, u_old);
    return cudaGetLastError();
}

#endif
