/** v14: the isotropic scheme, one block a CTA, its tile with full halo in shared memory.
 *
 *   mapping    v15's kernel with one block a CTA, 128 threads, a plane a thread: nothing of a plane is kept
 *              for the next one, and both strips come from memory
 *   bytes      12 a stored node in single precision, 24 in double; through the second level 1.56 times u
 *              and two sectors of 32 bytes for every row of the halo but those at z edges
 *   predicted  230 Gnode/s in single precision on the cross of 5 x 512^3: strips are 192 sectors a block
 *              beside 256 of u, u_old and what is written; 130 in double
 *   measured   H200, before differences were shared: 116 single, 75 double: 0.32 and 0.42 of copy; 158 us
 *              for 5 x 144^3
 *   taught     a plane a thread takes the sums of three planes for one: arithmetic, not memory
 */
#ifndef KERNELS_LADDER_GPU_V14_ISO_TILES_CUH
#define KERNELS_LADDER_GPU_V14_ISO_TILES_CUH

#include "kernels/cuda/step/gpu_v15_iso_rows.cuh"

template <typename real> using iso_tiles_shape = iso_shape<1, 1, sizeof(real) == 4 ? 12 : 8>;

#endif
