/** Blocks of rooms about as large as the second-level cache. Lanes (gpu_lanes.cuh), with the start of a step
 * laid under the end of the one before (programmatic dependent launch), and every other step backwards.
 *
 *   overlap    a step's threads start while the step before still runs, read what that step does not
 *              change (ids, link bytes, where coefficients are, and u_old) and only then wait for u. This
 *              hides a launch and two dependent reads: H200, 5 x 48^3 2.46 us where lanes alone take 3.25,
 *              5 x 96^3 12.4 where they take 12.8; u_old before the wait 2.47 instead of 2.65 us. In large
 *              rooms it loses six per cent: threads that wait take the place of threads that work
 *   back       a room a little larger than the second level, always stepped from its first block to its last,
 *              finds nothing there. A step that starts where the last one ended finds the newest part, as
 *              much as the second level holds: 5 x 112^3 23.3 us where steps forwards take 27.9, 5 x 128^3
 *              37.2 for 39.7, in double 5 x 96^3 30.5 for 32.6
 *   taught     results must be streamed (evicted first): kept like other data they take 12.9 us for
 *              5 x 96^3 and 24.1 for 5 x 112^3. Persisting lines (access policy window) double the time of
 *              5 x 96^3
 *
 * The next step is let in only after this one's wait, so at most two are under way: step n + 1 starts when
 * step n - 1, which wrote its u_old, has ended. All other writers of u_old, drives or the count of steps done
 * must have ended by then too. u is read as plain data and u_old past the first level: the read-only path may
 * keep what it fetched before a write. Before compute capability 9.0 steps follow one another.
 */
#ifndef KERNELS_STEP_CACHED_BLOCKS_CUH
#define KERNELS_STEP_CACHED_BLOCKS_CUH

#include "kernels/cuda/step/gpu_tap_ctas.cuh"

template <typename real, class room_type, class taps_type>
__global__ void __launch_bounds__(LANES_THREADS, lanes_residents<real, room_type>())
    cached_blocks_kernel(room_type room, taps_type taps, const real *u, real *u_old, bool back)
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
        lanes_step<real, ACCESS_PLAIN>(room, gpu_no_taps{}, block, walls, 0, old, u, u_old);
}

/** `overlap` as for launch_step(); `back`: from the last block to the first. */
template <typename real, class room_type, class taps_type>
cudaError_t step_cached_blocks(const room_type &room, const taps_type &taps, const real *u, real *u_old,
                               bool overlap, bool back, cudaStream_t stream)
{
    return launch_step(cached_blocks_kernel<real, room_type, taps_type>, tap_ctas(taps) + room.slots, overlap,
                       stream, room, taps, u, u_old, back);
}

#endif
