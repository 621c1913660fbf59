/** Masses of cut nodes (a whole node has 1), from the gains that a step multiplies their sums by. */
#ifndef KERNELS_DEVICE_MASSES_CUH
#define KERNELS_DEVICE_MASSES_CUH

#include "kernels/cuda/step/gpu_cuts.cuh"
#include "kernels/cuda/step/gpu_iso.cuh"

__device__ __forceinline__ double mass_of(double lambda2, float gain)
{
    return lambda2 / (CUT_WHOLE * (double)gain);
}

__device__ __forceinline__ double iso_mass(double lambda2, const struct gpu_iso_cut &cut)
{
    return lambda2 / (6.0 * CUT_WHOLE * (double)gain_of(cut));
}

#endif
