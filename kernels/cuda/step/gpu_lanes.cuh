/** Four nodes of a row a thread, all threads of a block at once: wide loads and lane shuffles, no shared
 * memory.
 *
 *   mapping    128 threads a CTA, one block a CTA
 *   bytes      12 a stored node in single precision, 24 in double; y and z neighbours are wide loads that
 *              the first level answers, the inner x neighbour is a shuffle, the outer one a load of one
 *              value
 *   walls      q of a wall node is at its rank among the wall nodes of its plane, counted by ballots:
 *              no shared memory, no search, no slot numbers read
 */
#ifndef KERNELS_GPU_LANES_CUH
#define KERNELS_GPU_LANES_CUH

#include "kernels/cuda/step/gpu_cuts.cuh"

#define LANES_THREADS 128

/** CTAs an SM that the registers are rationed for. */
template <typename real, class room_type = gpu_room<real>> constexpr int lanes_residents()
{
    return sizeof(real) == 4 ? (room_type::is_cut ? 8 : 10) : (room_type::is_cut ? 5 : 6);
}

/** The data that steps do not change: link bytes and where the plane's coefficients start. */
template <typename real> struct lane_links {
    uint32_t links;
    const real *q_plane;
};
template <typename real>
__device__ __forceinline__ void lanes_walls(const gpu_room<real> &room, const struct gpu_block &block,
                                            lane_links<real> *walls)
{
    const int thread = (int)threadIdx.x;
    const size_t tile = block.tile & GPU_TILE_MASK;
    if (tile == GPU_TILE_FULL)
        return;
    walls->links = load_links(room.tile + tile * GPU_BLOCK_NODES + 8 * (thread >> 1), thread & 1);
    walls->q_plane =
        room.q + __ldg(room.wall_first + block.self) + __ldg(room.plane_first + tile * 8 + (thread >> 4));
}

/** With conformal walls cut nodes and their records instead. */
template <class room_type>
__device__ __forceinline__ void lanes_walls(const gpu_cut<room_type> &room, const struct gpu_block &block,
                                            cut_nodes<4> *walls)
{
    const size_t tile = block.tile & GPU_TILE_MASK;
    if (tile != GPU_TILE_FULL)
        *walls = plane_nodes(room.cuts, load_plane(room.cuts.plane + tile * 8 + (threadIdx.x >> 4)),
                             4 * (threadIdx.x & 15u), __ldg(room.cuts.first + block.self),
                             __ldg(room.wall_first + block.self));
}

/** The base of both: open air. */
template <class room_type> __device__ __forceinline__ auto lanes_open(const room_type &room)
{
    if constexpr (room_type::is_cut)
        return cut_nodes<4>{};
    else
        return lane_links<typename room_type::value>{GPU_LINKS_ALL, room.q};
}

/** The u_old of the thread's four nodes. */
template <enum access OLD, typename real>
__device__ __forceinline__ four<real> lanes_old(const struct gpu_block &block, const real *u_old)
{
    return load_row<OLD>(u_old + block_index(block.self) + 8 * (threadIdx.x >> 1), (int)threadIdx.x & 1);
}

/** Four nodes of the block, from u read as CACHE says, from their u_old and the result of lanes_walls(). */
template <typename real, enum access CACHE, class room_type, class walls_type, class taps_type>
__device__ __forceinline__ void
lanes_step(const room_type &room, const taps_type &taps, const struct gpu_block &block,
           const walls_type &walls, uint32_t first_drive, const four<real> &old, const real *u, real *u_old)
{
    const int part = (int)threadIdx.x & 1, row = (int)threadIdx.x >> 1, y = row & 7, z = row >> 3;
    const real *const here = u + block_index(block.self) + 8 * row;
    const real *const ym = y > 0 ? here - 8 : u + block_index(block.neighbour[2]) + 8 * row + 56;
    const real *const yp = y < 7 ? here + 8 : u + block_index(block.neighbour[3]) + 8 * row - 56;
    const real *const zm = z > 0 ? here - 64 : u + block_index(block.neighbour[4]) + 8 * row + 448;
    const real *const zp = z < 7 ? here + 64 : u + block_index(block.neighbour[5]) + 8 * row - 448;
    const four<real> centre = load_row<CACHE>(here, part);
    around<real> near;
    near.zm = load_row<CACHE>(zm, part);
    near.zp = load_row<CACHE>(zp, part);
    near.ym = load_row<CACHE>(ym, part);
    near.yp = load_row<CACHE>(yp, part);
    const real *const beyond_m = u + block_index(block.neighbour[0]) + 8 * row + 7;
    const real *const beyond_p = u + block_index(block.neighbour[1]) + 8 * row;
    const real outer = load_wide<CACHE>(part == 0 ? beyond_m : beyond_p);
    row_sides(centre, part, outer, &near.xm, &near.xp);
    four<real> next;
    uint32_t at_walls = 0; /* and finished, and driven, later */
    if ((block.tile & GPU_TILE_MASK) == GPU_TILE_FULL) {
        next = step_air(centre, old, near, room.lambda2);
    } else if constexpr (room_type::is_cut) {
        at_walls = left_by_step<room_type>(walls);
        next = step_cuts(room, walls, centre, old, near, true);
    } else if constexpr (room_type::has_states) {
        at_walls = wall_bits(walls.links);
        const uint64_t node = (uint64_t)(walls.q_plane - room.q) + (uint64_t)plane_rank(at_walls);
        next = start_mixed(centre, old, near, walls.links, at_walls, room.lambda2, room.walls.aside + node,
                           true);
    } else {
        next = step_mixed(centre, old, near, walls.links, plane_q(walls.links, walls.q_plane), room.lambda2);
    }
    add_drives(taps, first_drive, block_index(block.self) + 4 * threadIdx.x, next.v, at_walls);
    store_row<ACCESS_STREAM>(u_old + block_index(block.self) + 8 * row, part, next);
}

#endif
