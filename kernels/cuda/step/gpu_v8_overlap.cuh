/** v8: the lanes of v3 with the start of a step laid under the end of the one before (programmatic
 * dependent launch). The best for small rooms that v9 cannot hold.
 *
 *   mapping    as v3
 *   idea       a step's threads start while the step before still runs, read what that step does not
 *              change (ids, link bytes, where coefficients are, and u_old) and only then wait for u
 *   bytes      as v3
 *   predicted  2.5 us a step for a cross of 5 x 48^3 where v3 takes 3.0, 11.5 us for 5 x 96^3 where v3
 *              takes 12.2: it hides a launch and two dependent reads, half a microsecond
 *   measured   H200: 2.46 us and 12.43 to 12.47 us (v3 in the same run 3.25 and 12.78)
 *   taught     u_old before the wait: 2.47 instead of 2.65 us. In large rooms it loses six per cent:
 *              threads that wait take the place of threads that work
 *
 * The next step is let in only after this one's wait, so at most two are under way: step n + 1 starts when
 * step n - 1, which wrote its u_old, has ended. Whatever else writes u_old, drives or the count of steps
 * done must have ended by then too. u is read as plain data and u_old past the first level: the read-only
 * path may keep what it fetched before a write. Before compute capability 9.0 steps follow one another as in
 * v3.
 */
#ifndef KERNELS_LADDER_GPU_V8_OVERLAP_CUH
#define KERNELS_LADDER_GPU_V8_OVERLAP_CUH

#include "kernels/cuda/step/gpu_tap_ctas.cuh"

template <typename real, class room_type, class ends_type, class taps_type>
__global__ void __launch_bounds__(LANES_THREADS, lanes_residents<real, room_type>())
    overlap_kernel(room_type room, ends_type ends, taps_type taps, const real *u, real *u_old, bool back)
{
    if (blockIdx.x < tap_ctas(taps)) {
        tap_cta(room, taps, u, u_old);
        return;
    }
    const struct gpu_block block = load_block(room.block + order_place(taps, room.slots, back));
    auto walls = lanes_open(room);
    if (block.self != 0)
        lanes_walls(room, block, &walls);
    const four<real> old = lanes_old<ACCESS_SECOND_LEVEL>(block, u_old);
    wait_for_step();
    if (block.self != 0 && (block.tile & GPU_SOURCE) == 0)
        lanes_step<real, ACCESS_PLAIN>(room, ends, gpu_no_taps{}, block, walls, 0, old, u, u_old);
}

/** `overlap` as for launch_step(). */
template <typename real, class room_type, class ends_type, class taps_type>
cudaError_t step_overlap(const room_type &room, const ends_type &ends, const taps_type &taps, const real *u,
                         real *u_old, bool overlap, bool back, cudaStream_t stream)
{
    return launch_step(overlap_kernel<real, room_type, ends_type, taps_type>, tap_ctas(taps) + room.slots,
                       overlap, stream, room, ends, taps, u, u_old, back);
}

#endif
