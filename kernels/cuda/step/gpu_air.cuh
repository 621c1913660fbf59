/** Losses of the air (kernels/scheme/air_loss.h) on a device: a launch over all values once a step is made. A
 * thread has 16 bytes of each array. The roundings are those of processors, since nothing is contracted
 * (-fmad=false). */
#ifndef KERNELS_GPU_AIR_CUH
#define KERNELS_GPU_AIR_CUH

#include "kernels/cuda/step/gpu_launch.cuh"
#include "kernels/scheme/scheme.h"
extern "C" {
#include "kernels/scheme/air_loss.h"
}

template <typename real> struct gpu_air {
    unsigned states; /* 0: no losses */
    uint64_t values; /* of each array, whole packs of them */
    real follow[AIR_LOSS_STATES], half[AIR_LOSS_STATES];
    real *state[AIR_LOSS_STATES]; /* (values) */
};

template <typename real> struct alignas(16) air_pack {
    static constexpr unsigned SIZE = 16 / sizeof(real);
    real value[SIZE];
};

template <unsigned STATES, typename real>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    air_kernel(gpu_air<real> air, air_pack<real> *u, air_pack<real> *u_new)
{
    const uint64_t n = list_item();
    if (n >= air.values / air_pack<real>::SIZE)
        return;
    air_pack<real> before = u[n], after = u_new[n], z[STATES];
    for (unsigned s = 0; s < STATES; ++s)
        z[s] = reinterpret_cast<const air_pack<real> *>(air.state[s])[n];
    for (unsigned k = 0; k < air_pack<real>::SIZE; ++k) {
        const real v = after.value[k] - before.value[k];
        real lost = 0;
        for (unsigned s = 0; s < STATES; ++s) {
            const real share = scheme_air(v, air.half[s], air.follow[s], &z[s].value[k]);
            lost = s == 0 ? share : lost + share;
        }
        after.value[k] -= lost;
        before.value[k] += lost;
    }
    u[n] = before;
    u_new[n] = after;
    for (unsigned s = 0; s < STATES; ++s)
        reinterpret_cast<air_pack<real> *>(air.state[s])[n] = z[s];
}

/** The levels from their first value on. Nothing is launched without states. */
template <unsigned STATES = AIR_LOSS_STATES, typename real>
cudaError_t step_air_after(const gpu_air<real> &air, real *u, real *u_new, cudaStream_t stream)
{
    if constexpr (STATES == 0)
        return cudaSuccess;
    else if (air.states != STATES)
        return step_air_after<STATES - 1>(air, u, u_new, stream);
    else
        return launch_list(air_kernel<STATES, real>, air.values / air_pack<real>::SIZE, false, stream, air,
                           reinterpret_cast<air_pack<real> *>(u), reinterpret_cast<air_pack<real> *>(u_new));
}

#endif
