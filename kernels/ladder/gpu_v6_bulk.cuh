/** v6: both levels of several blocks by asynchronous bulk copies into shared memory (Hopper's
 * cp.async.bulk).
 *
 *   mapping    as v5, a warp two blocks; one lane a block asks for the block's u and u_old, 2 KiB (4 KiB)
 *              each, and the warp marches through shared memory once its mbarrier has counted the bytes
 *   bytes      12 a stored node in single precision, 24 in double; 8 (16) KiB of shared memory a warp
 *   predicted  0.75 of copy (prototype); the hope before it: one instruction moves what 128 loads did, and
 *              more bytes are in flight
 *   measured   H200, cross of 5 x 512^3: 295 Gnode/s single, 146 double: 0.824 and 0.815 of copy
 *   taught     shared memory is taken from the first level, which then holds the neighbours'
 *              faces no longer; bytes in flight were never short
 *
 * Needs compute capability 9.0.
 */
#ifndef KERNELS_LADDER_GPU_V6_BULK_CUH
#define KERNELS_LADDER_GPU_V6_BULK_CUH

#include "kernels/cuda/step/gpu_v4_march.cuh"

#define BULK_WARPS 2

__device__ __forceinline__ uint32_t shared_address(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}
__device__ __forceinline__ void barrier_start(uint64_t *barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ __forceinline__ void barrier_expect(uint64_t *barrier, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}
__device__ __forceinline__ void barrier_wait(uint64_t *barrier, uint32_t phase)
{
    asm volatile("{\n.reg .pred done;\n"
                 "again%=: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
                 "@!done bra again%=;\n}" ::"r"(shared_address(barrier)),
                 "r"(phase)
                 : "memory");
}
__device__ __forceinline__ void bulk_copy(void *to, const void *from, uint32_t bytes, uint64_t *barrier)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(barrier))
        : "memory");
}

template <typename real> struct alignas(128) bulk_stage {
    real u[GPU_BLOCK_NODES], u_old[GPU_BLOCK_NODES];
};

template <typename real>
__global__ void __launch_bounds__(BULK_WARPS * 32)
    bulk_kernel(gpu_room<real> room, const real *__restrict__ u, real *u_old)
{
    extern __shared__ __align__(128) unsigned char bulk_memory[];
    __shared__ uint64_t arrived[BULK_WARPS];
    const int lane = (int)threadIdx.x & 15, y = lane >> 1, part = lane & 1,
              second = (int)(threadIdx.x >> 4) & 1;
    bulk_stage<real> &stage = reinterpret_cast<bulk_stage<real> *>(bulk_memory)[threadIdx.x >> 4];
    uint64_t *const barrier = arrived + (threadIdx.x >> 5);
    const struct gpu_block block =
        load_block(room.block + blockIdx.x * (2 * BULK_WARPS) + (threadIdx.x >> 4));
    const size_t tile = block.tile & GPU_TILE_MASK;
    if ((threadIdx.x & 31) == 0)
        barrier_start(barrier, 2);
    __syncwarp();
    if (lane == 0) {
        barrier_expect(barrier, (uint32_t)sizeof stage);
        bulk_copy(stage.u, u + block_index(block.self), (uint32_t)sizeof stage.u, barrier);
        bulk_copy(stage.u_old, u_old + block_index(block.self), (uint32_t)sizeof stage.u_old, barrier);
    }
    const bool mixed = __any_sync(GPU_ALL_LANES, tile != GPU_TILE_FULL);
    const bool low_edge = y == 0, edge = low_edge || y == 7;
    const real *const beyond_y =
        u + block_index(low_edge ? block.neighbour[2] : block.neighbour[3]) + (low_edge ? 56 : 0);
    const real *const beyond_x =
        u + block_index(part == 0 ? block.neighbour[0] : block.neighbour[1]) + 8 * y + (part == 0 ? 7 : 0);
    const bool load_x = !((block.tile & GPU_PAIRED) != 0 && part != second);
    four<real> below = load_row<ACCESS_CONSTANT>(u + block_index(block.neighbour[4]) + 448 + 8 * y, part);
    const four<real> beyond_top =
        load_row<ACCESS_CONSTANT>(u + block_index(block.neighbour[5]) + 8 * y, part);
    uint64_t entry = 0, past = 0;
    if (mixed) {
        entry = room.wall_first[block.self];
        past = room.wall_first[block.self + 1];
    }
    barrier_wait(barrier, 0);

    four<real> centre = load_row<ACCESS_PLAIN>(stage.u + 8 * y, part);
#pragma unroll 2
    for (int z = 0; z < 8; ++z) {
        const four<real> above =
            z < 7 ? load_row<ACCESS_PLAIN>(stage.u + 64 * (z + 1) + 8 * y, part) : beyond_top;
        const four<real> old = load_row<ACCESS_PLAIN>(stage.u_old + 64 * z + 8 * y, part);
        four<real> foreign;
        if (edge)
            foreign = load_row<ACCESS_CONSTANT>(beyond_y + 64 * z, part);
        real outer = __shfl_xor_sync(GPU_ALL_LANES, part == 0 ? centre.v[0] : centre.v[3], 17);
        if (load_x)
            outer = __ldg(beyond_x + 64 * z);
        around<real> near;
        near.zm = below;
        near.zp = above;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            near.ym.v[i] = __shfl_up_sync(GPU_ALL_LANES, centre.v[i], 2, 16);
            near.yp.v[i] = __shfl_down_sync(GPU_ALL_LANES, centre.v[i], 2, 16);
            near.ym.v[i] = y == 0 ? foreign.v[i] : near.ym.v[i];
            near.yp.v[i] = y == 7 ? foreign.v[i] : near.yp.v[i];
        }
        row_sides(centre, part, outer, &near.xm, &near.xp);
        four<real> next;
        if (mixed) {
            /* The plane of u_old that was just read now holds the plane's coefficients. */
            const four<real> q = march_q(room, stage.u_old + 64 * z, z, &entry, past);
            const uint32_t links = load_links(room.tile + tile * GPU_BLOCK_NODES + 64 * z + 8 * y, part);
            next = step_mixed(centre, old, near, links, q, room.lambda2);
        } else {
            next = step_air(centre, old, near, room.lambda2);
        }
        if (block.self != 0)
            store_row<ACCESS_STREAM>(u_old + block_index(block.self) + 64 * z + 8 * y, part, next);
        below = centre;
        centre = above;
    }
}

template <typename real>
cudaError_t step_bulk(const gpu_room<real> &room, const real *u, real *u_old, cudaStream_t stream)
{
    const size_t bytes = 2 * BULK_WARPS * sizeof(bulk_stage<real>);
    bulk_kernel<real><<<room.slots / (2 * BULK_WARPS), BULK_WARPS * 32, bytes, stream>>>(room, u, u_old);
    return cudaGetLastError();
}

#endif
