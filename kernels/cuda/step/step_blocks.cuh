/** Blocks of large rooms: a z march in registers.
 *
 *   mapping    sixteen lanes a block (8 rows, 2 lanes a row, four nodes a lane), two blocks a warp; each
 *              lane walks the eight planes upwards and keeps the plane below, its own and the one above in
 *              registers
 *   bytes      12 a stored node in single precision, 24 in double; z neighbours cost nothing, y neighbours
 *              a shuffle, and only rows at a block's edge read what lies beyond it
 *   walls      a plane's coefficients are scattered into 64 values of shared memory from the block's own
 *              range of the compact list: walking upwards, each entry is read once
 *   predicted  330 Gnode/s in single precision on the cross of 5 x 512^3 (throwaway kernel); double not
 *              predicted
 *   measured   H200, alone in its process: 334.7 single, 165.9 double, 0.940 and 0.932 of copy (0.933 and
 *              0.925 another time; sphere of 768: 0.930 and 0.922); after all other versions in one
 *              process: 326.3 and 162.6, 0.911 and 0.908
 *   taught     the second level's fabric and the first level's room are the limit: fewer loads a node win,
 *              and more shared memory than a few kilobytes an SM costs a fifth, because it is taken from
 *              the first level. In double, 5 CTAs an SM came to 0.915 of copy where 6 came to 0.799
 *   back       every other step from the last block to the first (step_cached_blocks.cuh): 5 x 160^3 70.2 us
 *              where steps forwards take 72.9; 5 x 512^3 0.7 per cent slower
 */
#ifndef KERNELS_STEP_BLOCKS_CUH
#define KERNELS_STEP_BLOCKS_CUH

#include "kernels/cuda/step/gpu_tap_ctas.cuh"

#define MARCH_WARPS 4
static_assert(GPU_ORDER_PAD % (2 * MARCH_WARPS) == 0, "the launch order is a whole number of CTAs");

/** CTAs an SM that the registers are rationed for: 1024 threads in single precision, 640 in double; with
 * conformal walls as many as need no registers in memory. */
template <typename real, class room_type = gpu_room<real>> constexpr int march_residents()
{
    return sizeof(real) == 4 ? (room_type::is_cut ? 7 : 8) : (room_type::is_cut ? 4 : 5);
}

/** Zero the plane's 64 coefficients and scatter those of plane z; `entry` moves on to the next plane. The
 * sixteen lanes of a block read sixteen entries at a time. */
template <typename real>
__device__ __forceinline__ four<real> march_q(const gpu_room<real> &room, real *q_plane, int z,
                                              uint64_t *entry, uint64_t past)
{
    const int lane = (int)threadIdx.x & 15, part = lane & 1;
    real *const row = q_plane + 8 * (lane >> 1);
    __syncwarp();
    store_row<ACCESS_PLAIN>(row, part, four<real>{{0, 0, 0, 0}});
    __syncwarp();
    for (bool more = true; __any_sync(GPU_ALL_LANES, more);) {
        const uint64_t mine = *entry + (uint64_t)lane;
        const int slot = more && mine < past ? room.wall_slot[mine] : -1;
        const bool in_plane = slot >= 0 && slot >> 6 == z;
        if (in_plane)
            q_plane[slot & 63] = room.q[mine];
        const uint32_t found = __ballot_sync(GPU_ALL_LANES, in_plane) >> (threadIdx.x & 16u) & 0xFFFFu;
        *entry += (uint64_t)__popc(found);
        more = found == 0xFFFFu;
    }
    __syncwarp();
    return load_row<ACCESS_PLAIN>(row, part);
}

/** Two blocks of a warp. */
template <typename real, class room_type>
__device__ __forceinline__ void march_blocks(const room_type &room, const real *__restrict__ u, real *u_old,
                                             uint32_t place)
{
    /* On an H200, read-only against plain: 0.918 and 0.913 of copy in single precision, 0.843 and 0.881 in
     * double. A lane reads only words that nobody but itself writes, and writes them later. */
    constexpr enum access OLD = sizeof(real) == 4 ? ACCESS_CONSTANT : ACCESS_PLAIN;
    __shared__ real q_tile[room_type::has_states || room_type::is_cut ? 1 : 2 * MARCH_WARPS][64];
    const int lane = (int)threadIdx.x & 15, y = lane >> 1, part = lane & 1;
    const struct gpu_block block = load_block(room.block + place * (2 * MARCH_WARPS) + (threadIdx.x >> 4));
    const uint32_t tile = block.tile & GPU_TILE_MASK;
    const bool mixed = __any_sync(GPU_ALL_LANES, tile != GPU_TILE_FULL);
    const bool ours = block.self != 0 && (block.tile & GPU_SOURCE) == 0;
    const real *const here = u + block_index(block.self) + 8 * y;
    real *const out = u_old + block_index(block.self) + 8 * y;
    const real *const beyond_top = u + block_index(block.neighbour[5]) + 8 * y;
    const bool low_edge = y == 0, edge = low_edge || y == 7;
    const real *const beyond_y =
        u + block_index(low_edge ? block.neighbour[2] : block.neighbour[3]) + (low_edge ? 56 : 0);
    const real *const beyond_x =
        u + block_index(part == 0 ? block.neighbour[0] : block.neighbour[1]) + 8 * y + (part == 0 ? 7 : 0);
    uint64_t entry = 0, past = 0;
    [[maybe_unused]] uint64_t first_cut = 0;

    four<real> below = load_row<ACCESS_CONSTANT>(u + block_index(block.neighbour[4]) + 448 + 8 * y, part);
    four<real> centre = load_row<ACCESS_CONSTANT>(here, part);
    auto step_plane = [&](int z, bool at_walls) {
        const four<real> above = load_row<ACCESS_CONSTANT>(z < 7 ? here + 64 * (z + 1) : beyond_top, part);
        const four<real> old = load_row<OLD>(out + 64 * z, part);
        four<real> foreign;
        if (edge)
            foreign = load_row<ACCESS_CONSTANT>(beyond_y + 64 * z, part);
        const real outer = __ldg(beyond_x + 64 * z);
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
        if constexpr (room_type::is_cut) {
            if (at_walls)
                next = step_cuts(room,
                                 plane_nodes(room.cuts, load_plane(room.cuts.plane + (size_t)tile * 8 + z),
                                             4 * (unsigned)lane, first_cut, entry),
                                 centre, old, near, ours);
            else
                next = step_air(centre, old, near, room.lambda2);
        } else if (at_walls) {
            const uint32_t links =
                load_links(room.tile + (size_t)tile * GPU_BLOCK_NODES + 64 * z + 8 * y, part);
            if constexpr (room_type::has_states) {
                const uint32_t bits = wall_bits(links);
                real *const aside = room.walls.aside + entry +
                                    __ldg(room.plane_first + (size_t)tile * 8 + z) + plane_rank(bits);
                next = start_mixed(centre, old, near, links, bits, room.lambda2, aside, ours);
            } else {
                const four<real> q = march_q(room, q_tile[threadIdx.x >> 4], z, &entry, past);
                next = step_mixed(centre, old, near, links, q, room.lambda2);
            }
        } else {
            next = step_air(centre, old, near, room.lambda2);
        }
        if (ours)
            store_row<ACCESS_STREAM>(out + 64 * z, part, next);
        below = centre;
        centre = above;
    };
    if (!mixed) {
#pragma unroll
        for (int z = 0; z < 8; ++z)
            step_plane(z, false);
    } else {
        entry = room.wall_first[block.self];
        past = room.wall_first[block.self + 1];
        if constexpr (room_type::is_cut)
            first_cut = room.cuts.first[block.self];
/* Once if walls are conformal: twice needs more registers than there are. */
#pragma unroll(room_type::is_cut ? 1 : 2)
        for (int z = 0; z < 8; ++z)
            step_plane(z, true);
    }
}

template <typename real, class room_type, class taps_type>
__global__ void __launch_bounds__(MARCH_WARPS * 32, march_residents<real, room_type>())
    blocks_kernel(room_type room, taps_type taps, const real *__restrict__ u, real *u_old, bool back)
{
    if (blockIdx.x < tap_ctas(taps))
        tap_cta(room, taps, u, u_old);
    else
        march_blocks<real>(room, u, u_old, order_place(taps, room.slots / (2 * MARCH_WARPS), back));
}

/** `back`: from the last block to the first. */
template <typename real, class room_type, class taps_type>
cudaError_t step_blocks(const room_type &room, const taps_type &taps, const real *u, real *u_old, bool back,
                        cudaStream_t stream)
{
    blocks_kernel<real><<<tap_ctas(taps) + room.slots / (2 * MARCH_WARPS), MARCH_WARPS * 32, 0, stream>>>(
        room, taps, u, u_old, back);
    return cudaGetLastError();
}

#endif
