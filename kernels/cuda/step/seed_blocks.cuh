/** The seed's blocks, an array of structs, each stepped out of a 10^3 tile in shared memory
 * (seed_layout.h; in our words).
 *
 *   mapping    one thread a node, 512 a CTA, one CTA a block; threads on a face fetch the node beyond it
 *   form       standard, as seed_box
 *   bytes      13 a stored node in single precision, 25 in double (shares count 12 and 24, as for all
 *              blocks), and 24 a block; but the struct is 4632 (8728) bytes, so that no row of a tile
 *              starts on a sector, and u, u1 and k share lines
 *   predicted  124 Gnode/s in single precision (throwaway kernel)
 *   measured   H200, cross of 5 x 512^3: 108 single, 87 double: 0.30 and 0.49 of copy
 *   taught     what one node needs must not be in one struct: topology, links and each level apart,
 *              aligned
 */
#ifndef KERNELS_SEED_BLOCKS_CUH
#define KERNELS_SEED_BLOCKS_CUH

#include "kernels/cuda/step/seed_box.cuh"

/** seed_block of seed_layout.h with the precision open; which of the two levels is the newer alternates. */
template <typename real> struct seed_struct {
    int neighbour[6];
    real level[2][512];
    char k[512];
};

template <typename real>
__global__ void __launch_bounds__(512)
    seed_blocks_kernel(seed_struct<real> *blocks, int newer, standard_form<real> form)
{
    __shared__ real tile[10][10][10];
    seed_struct<real> *const block = blocks + 1 + blockIdx.x;
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, z = (int)threadIdx.z, slot = x + 8 * y + 64 * z;
    const real *const u = block->level[newer];
    tile[z + 1][y + 1][x + 1] = u[slot];
    if (x == 0)
        tile[z + 1][y + 1][0] = blocks[block->neighbour[0]].level[newer][slot + 7];
    if (x == 7)
        tile[z + 1][y + 1][9] = blocks[block->neighbour[1]].level[newer][slot - 7];
    if (y == 0)
        tile[z + 1][0][x + 1] = blocks[block->neighbour[2]].level[newer][slot + 56];
    if (y == 7)
        tile[z + 1][9][x + 1] = blocks[block->neighbour[3]].level[newer][slot - 56];
    if (z == 0)
        tile[0][y + 1][x + 1] = blocks[block->neighbour[4]].level[newer][slot + 448];
    if (z == 7)
        tile[9][y + 1][x + 1] = blocks[block->neighbour[5]].level[newer][slot - 448];
    __syncthreads();
    const int k = block->k[slot];
    if (k == 0)
        return;
    const real sum = ((tile[z + 1][y + 1][x] + tile[z + 1][y + 1][x + 2]) +
                      (tile[z + 1][y][x + 1] + tile[z + 1][y + 2][x + 1])) +
                     (tile[z][y + 1][x + 1] + tile[z + 2][y + 1][x + 1]);
    real *const out = &block->level[1 - newer][slot];
    *out = standard_step(form, k, tile[z + 1][y + 1][x + 1], *out, sum);
}

/** Level `newer` is u; the other becomes the step after it. */
template <typename real>
cudaError_t step_seed_blocks(seed_struct<real> *blocks, uint32_t count, int newer,
                             const standard_form<real> &form, cudaStream_t stream)
{
    seed_blocks_kernel<real><<<count, dim3(8, 8, 8), 0, stream>>>(blocks, newer, form);
    return cudaGetLastError();
}

#endif
