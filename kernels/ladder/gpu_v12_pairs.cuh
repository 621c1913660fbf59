/** v12: v11's lanes over pairs of x neighbours.
 *
 *   mapping    one thread four nodes of a row, 128 threads a CTA as in v8, but a warp holds one plane of two
 *              blocks, sixteen lanes each, and a CTA four planes of both. Where the launch order puts x
 *              neighbours side by side (GPU_PAIRED), their common face goes by a shuffle
 *   bytes      as v8; through the second level 9.5 KB a block in single precision instead of 11: an x face is
 *              64 sectors of 32 bytes, and of a pair's four two are left out; the planes between two CTAs
 *              of a pair are read twice
 *   predicted  11.5 us a step for a cross of 5 x 96^3 where v11 takes 12.3 and the second level is at three
 *              quarters of what it can do; nothing where memory is the limit
 *   measured   H200: 13.2 us for 5 x 96^3 (v11 in the same run: 12.2), 4.69 us for 5 x 64^3 (4.34), 24.7 us
 *              for 5 x 112^3 (23.3); in double 33.1 us for 5 x 96^3 (30.4)
 *   taught     the prediction was wrong again: a warp whose rows belong to two blocks reads more lines at a
 *              time than one that reads sixteen rows in a stretch, and the planes read twice eat what the
 *              faces save
 */
#ifndef KERNELS_LADDER_GPU_V12_PAIRS_CUH
#define KERNELS_LADDER_GPU_V12_PAIRS_CUH

#include "kernels/cuda/step/gpu_tap_ctas.cuh"

#define PAIR_PLANES 4 /* of both blocks, a warp each */

template <typename real, class taps_type>
__global__ void __launch_bounds__(LANES_THREADS, lanes_residents<real>())
    paired_kernel(gpu_room<real> room, taps_type taps, const real *u, real *u_old, bool back)
{
    if (blockIdx.x < tap_ctas(taps)) {
        tap_cta(room, taps, u, u_old);
        return;
    }
    const uint32_t place = order_place(taps, room.slots, back);
    const int part = (int)threadIdx.x & 1, second = (int)(threadIdx.x >> 4) & 1,
              y = (int)(threadIdx.x >> 1) & 7, z = PAIR_PLANES * (int)(place & 1u) + (int)(threadIdx.x >> 5),
              row = 8 * z + y;
    const struct gpu_block block = load_block(room.block + (place & ~1u) + second);
    const uint32_t tile = block.tile & GPU_TILE_MASK;
    uint32_t links = GPU_LINKS_ALL;
    const real *q_plane = room.q;
    if (tile != GPU_TILE_FULL) {
        links = load_links(room.tile + (size_t)tile * GPU_BLOCK_NODES + 8 * row, part);
        q_plane += __ldg(room.wall_first + block.self) + __ldg(room.plane_first + (size_t)tile * 8 + z);
    }
    real *const out = u_old + block_index(block.self) + 8 * row;
    const four<real> old = load_row<ACCESS_SECOND_LEVEL>(out, part);
    wait_for_step();
    const real *const here = u + block_index(block.self) + 8 * row;
    const real *const ym = y > 0 ? here - 8 : u + block_index(block.neighbour[2]) + 8 * row + 56;
    const real *const yp = y < 7 ? here + 8 : u + block_index(block.neighbour[3]) + 8 * row - 56;
    const real *const zm = z > 0 ? here - 64 : u + block_index(block.neighbour[4]) + 8 * row + 448;
    const real *const zp = z < 7 ? here + 64 : u + block_index(block.neighbour[5]) + 8 * row - 448;
    const bool load_x = (block.tile & GPU_PAIRED) == 0 || part == second;
    const four<real> centre = load_row<ACCESS_PLAIN>(here, part);
    around<real> near;
    near.zm = load_row<ACCESS_PLAIN>(zm, part);
    near.zp = load_row<ACCESS_PLAIN>(zp, part);
    near.ym = load_row<ACCESS_PLAIN>(ym, part);
    near.yp = load_row<ACCESS_PLAIN>(yp, part);
    real outer = 0;
    if (load_x) {
        const real *const row_m = u + block_index(block.neighbour[0]) + 8 * row, *const row_p =
                                                                                     u +
                                                                                     block_index(
                                                                                         block.neighbour[1]) +
                                                                                     8 * row;
        outer = load_wide<ACCESS_PLAIN>(part == 0 ? row_m + 7 : row_p);
    }
    const real face = __shfl_xor_sync(GPU_ALL_LANES, part == 0 ? centre.v[0] : centre.v[3], 17);
    outer = load_x ? outer : face;
    row_sides(centre, part, outer, &near.xm, &near.xp);
    four<real> next;
    if (__all_sync(GPU_ALL_LANES, tile == GPU_TILE_FULL))
        next = step_air(centre, old, near, room.lambda2);
    else
        next = step_mixed(centre, old, near, links, plane_q(links, q_plane), room.lambda2);
    if (block.self != 0 && (block.tile & GPU_SOURCE) == 0)
        store_row<ACCESS_STREAM>(out, part, next);
}

/** Step `n`, to and fro. `overlap` as for launch_step(). */
template <typename real, class taps_type>
cudaError_t step_pairs_in_turns(const gpu_room<real> &room, const taps_type &taps, const real *u, real *u_old,
                                bool overlap, uint64_t n, cudaStream_t stream)
{
    return launch_step(paired_kernel<real, taps_type>, tap_ctas(taps) + room.slots, overlap, stream, room,
                       taps, u, u_old, (n & 1) != 0);
}

#endif
