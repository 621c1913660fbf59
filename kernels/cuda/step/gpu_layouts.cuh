/** A room's field in the layouts of the seed's kernels and in a box: filled and converted on the device.
 *
 * All kernels use one CTA a block of room.block[], 512 threads, one a node.
 */
#ifndef KERNELS_GPU_LAYOUTS_CUH
#define KERNELS_GPU_LAYOUTS_CUH

#include "kernels/cuda/step/gpu_headers.cuh"
#include "kernels/cuda/step/gpu_room.cuh"
#include "kernels/cuda/step/seed_blocks.cuh"

/** Places of the nodes of a box layout: index = z plane + y row + x from node (0,0,0). */
struct box_shape {
    int nodes[3];
    size_t row, plane, origin, length;

    static box_shape of(const block_grid &grid, bool halo)
    {
        box_shape box;
        for (int a = 0; a < 3; ++a)
            box.nodes[a] = (int)(grid.air_high[a] - grid.air_low[a] + 1);
        const size_t x = (size_t)box.nodes[0], y = (size_t)box.nodes[1], z = (size_t)box.nodes[2];
        box.row = halo ? x + 2 : (x + 127) / 128 * 128;
        box.plane = box.row * (halo ? y + 2 : y);
        box.origin = halo ? box.plane + box.row + 1 : box.plane;
        box.length = box.plane * (z + 2);
        return box;
    }
};

/** Small whole numbers, or numbers of (-1, 1), at the nodes of the air; 0 elsewhere. One CTA a block. */
template <typename real>
__global__ void fill_kernel(gpu_room<real> room, real *field, uint32_t seed, bool whole)
{
    const gpu_block block = load_block(room.block + blockIdx.x);
    const size_t at = block_index(block.self) + threadIdx.x;
    uint64_t h = (at + 1) * UINT64_C(0x9E3779B97F4A7C15) + seed * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ h >> 29) * UINT64_C(0x94D049BB133111EB);
    const int bits = (int)(h >> 40) - (1 << 23);
    const real value = whole ? (real)(bits % 4) : (real)bits / (real)(1 << 23);
    const size_t tile = block.tile & GPU_TILE_MASK;
    field[at] = room.tile[tile * GPU_BLOCK_NODES + threadIdx.x] != 0 ? value : real(0);
}

/** Blocks to box, or back where TO_BOX is false. */
template <typename real, bool TO_BOX>
__global__ void box_field_kernel(gpu_room<real> room, const int *place, box_shape box, real *blocks,
                                 real *field)
{
    const gpu_block block = load_block(room.block + blockIdx.x);
    const size_t tile = block.tile & GPU_TILE_MASK;
    if (block.self == 0 || room.tile[tile * GPU_BLOCK_NODES + threadIdx.x] == 0)
        return;
    const int *const corner = place + 3 * (size_t)block.self;
    const size_t x = (size_t)(corner[0] + (int)(threadIdx.x & 7)),
                 y = (size_t)(corner[1] + (int)(threadIdx.x >> 3 & 7));
    const size_t z = (size_t)(corner[2] + (int)(threadIdx.x >> 6));
    const size_t in_box = box.origin + z * box.plane + y * box.row + x;
    const size_t in_blocks = block_index(block.self) + threadIdx.x;
    if (TO_BOX)
        field[in_box] = blocks[in_blocks];
    else
        blocks[in_blocks] = field[in_box];
}
/** Link bytes of the blocks to the box; `counts`: how many links instead. */
template <typename real>
__global__ void box_links_kernel(gpu_room<real> room, const int *place, box_shape box, uint8_t *links,
                                 bool counts)
{
    const gpu_block block = load_block(room.block + blockIdx.x);
    const size_t tile = block.tile & GPU_TILE_MASK;
    const uint8_t byte = room.tile[tile * GPU_BLOCK_NODES + threadIdx.x];
    if (block.self == 0 || byte == 0)
        return;
    const int *const corner = place + 3 * (size_t)block.self;
    const size_t x = (size_t)(corner[0] + (int)(threadIdx.x & 7)),
                 y = (size_t)(corner[1] + (int)(threadIdx.x >> 3 & 7));
    const size_t z = (size_t)(corner[2] + (int)(threadIdx.x >> 6));
    links[box.origin + z * box.plane + y * box.row + x] = counts ? (uint8_t)__popc(byte) : byte;
}

/** Blocks to the seed's structs, or back. */
template <typename real, bool TO_SEED>
__global__ void seed_field_kernel(gpu_room<real> room, seed_struct<real> *seed, real *u, real *u_old,
                                  int newer)
{
    const gpu_block block = load_block(room.block + blockIdx.x);
    const size_t at = block_index(block.self) + threadIdx.x;
    seed_struct<real> *const to = seed + block.self;
    if (TO_SEED) {
        to->level[newer][threadIdx.x] = u[at];
        to->level[1 - newer][threadIdx.x] = u_old[at];
        to->k[threadIdx.x] =
            (char)__popc(room.tile[(size_t)(block.tile & GPU_TILE_MASK) * GPU_BLOCK_NODES + threadIdx.x]);
        if (threadIdx.x < 6)
            to->neighbour[threadIdx.x] = (int)(&room.block[blockIdx.x].neighbour[0])[threadIdx.x];
    } else {
        u[at] = to->level[newer][threadIdx.x];
    }
}

#endif
