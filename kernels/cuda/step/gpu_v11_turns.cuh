/** v11: every other step goes backwards through the room.
 *
 *   mapping    as v8, or as v4
 *   idea       a room a little larger than the second level, always stepped from its first block to its
 *              last, finds nothing there: what a step needs first is what was left longest ago. A step that
 *              starts where the last one ended finds the newest part, as much as the second level holds
 *   bytes      as v8 and v4; through memory only what the second level does not hold
 *   predicted  cross of 5 x 96^3 (35 MB of pressures): 11 us where v8 takes 12.5; 5 x 128^3 (84 MB): 33 us
 *              where v3 takes 40; nothing in large rooms
 *   measured   H200, lanes: 12.3 us for 5 x 96^3, 23.3 us for 5 x 112^3 where v8 takes 27.9, 37.2 us for 5 x
 *              128^3 where v3 takes 39.7; in double 30.5 us for 5 x 96^3 where v8 takes 32.6. March: 70.2 us
 *              for 5 x 160^3 where v4 takes 72.9; a cross of 5 x 512^3 0.7 per cent slower than v4
 *   taught     results must be streamed as in v8 (evicted first): kept like other data they take 12.9 us for
 *              5 x 96^3 and 24.1 for 5 x 112^3. Asking for persisting lines (access policy window) doubles
 *              the time of 5 x 96^3
 */
#ifndef KERNELS_LADDER_GPU_V11_TURNS_CUH
#define KERNELS_LADDER_GPU_V11_TURNS_CUH

#include "kernels/cuda/step/gpu_v4_march.cuh"
#include "kernels/cuda/step/gpu_v8_overlap.cuh"

/** Step `n` by lanes. */
template <typename real, class room_type, class taps_type>
cudaError_t step_lanes_in_turns(const room_type &room, const taps_type &taps, const real *u, real *u_old,
                                bool overlap, uint64_t n, cudaStream_t stream)
{
    return step_overlap(room, row_ends{}, taps, u, u_old, overlap, (n & 1) != 0, stream);
}

/** Step `n` by the march. */
template <typename real, class room_type, class taps_type>
cudaError_t step_march_in_turns(const room_type &room, const taps_type &taps, const real *u, real *u_old,
                                uint64_t n, cudaStream_t stream)
{
    return step_march(room, taps, u, u_old, (n & 1) != 0, stream);
}

#endif
