/** The isotropic scheme, a thread a node, all neighbours straight from memory.
 *
 *   mapping    512 threads a CTA, one CTA a block; a node's 18 neighbours by the ids of their blocks
 *   bytes      12 a stored node in single precision, 24 in double, if the first level found all else: 19
 *              words of 4 bytes a node go through it
 *   predicted  150 Gnode/s in single precision on the cross of 5 x 512^3: step_tiles with its 4-byte loads
 *              made 147, and three times its loads cost as much as its barrier; 95 in double
 *   measured   H200: 35.7 single, 34.5 double: 0.10 and 0.19 of copy; 430 us for 5 x 144^3
 *   taught     looking for the block of each of 18 neighbours costs more than all else: single precision
 *              gains nothing
 */
#ifndef KERNELS_LADDER_STEP_ISO_POINTS_CUH
#define KERNELS_LADDER_STEP_ISO_POINTS_CUH

#include "kernels/cuda/step/gpu_iso.cuh"

template <typename real>
__global__ void __launch_bounds__(GPU_BLOCK_NODES)
    iso_points_kernel(gpu_iso<real> room, const real *__restrict__ u, real *u_old)
{
    const struct gpu_iso_row &row = room.row[blockIdx.x];
    if (row.self == 0)
        return;
    const int slot = (int)threadIdx.x, x = slot & 7, y = slot >> 3 & 7, z = slot >> 6;
    const uint32_t tile = row.tile & GPU_ISO_TILE;
    const size_t at = block_index(row.self) + (size_t)slot;
    const real here = u[at], old = u_old[at];
    real near[18];
#pragma unroll
    for (int k = 0; k < 18; ++k)
        near[k] = u[point_index(row, x + iso_along(k, 0), y + iso_along(k, 1), z + iso_along(k, 2))];
    const struct gpu_plane plane = load_plane(room.plane + 8 * (size_t)tile + z);
    const uint64_t bit = UINT64_C(1) << (slot & 63);
    if (tile == GPU_TILE_FULL || (plane.open & bit) != 0) {
        const real own = scheme_plane(near[0] - here, near[1] - here, near[2] - here, near[3] - here),
                   below = scheme_plane(near[10] - near[4], near[11] - near[4], near[14] - near[4],
                                        near[15] - near[4]),
                   above = scheme_plane(near[12] - near[5], near[13] - near[5], near[16] - near[5],
                                        near[17] - near[5]),
                   edges = scheme_plane(near[6] - here, near[9] - here, near[7] - here, near[8] - here);
        u_old[at] = move_node(
            here, old, scheme_isotropic_sum(own, below, above, edges, (near[4] - here) + (near[5] - here)),
            room.sixth);
    } else if ((plane.cut & bit) != 0) {
        const uint64_t record =
            (row.cuts & GPU_ISO_FIRST) + plane.cuts_below + (uint64_t)__popcll(plane.cut & (bit - 1u));
        const struct gpu_iso_cut cut = {__ldg(room.cut_first + record), __ldg(room.cut_second + record)};
        /* Entries of the block's wall nodes before this one: every one of these shapes has a single material.
         */
        uint64_t wall = row.walls + plane.walls_below + (uint64_t)__popcll(plane.wall & (bit - 1u));
        const real d = here - old,
                   v = scheme_move(d, record_sum(cut, here, [&](int k, int) { return near[k]; }),
                                   (real)gain_of(cut));
        u_old[at] = record_end<real>(room, here, v, d + v, (mark_of(cut) & GPU_ISO_WALL) != 0, wall, 0);
    }
}

template <typename real>
cudaError_t step_iso_points(const gpu_iso<real> &room, const real *u, real *u_old, cudaStream_t stream)
{
    iso_points_kernel<real><<<room.slots, GPU_BLOCK_NODES, 0, stream>>>(room, u, u_old);
    return cudaGetLastError();
}

#endif
