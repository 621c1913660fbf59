/** The membranes of a room on a device (kernels/scheme/membrane_step.h), two launches around a step:
 *
 *   membrane_kernel   before: a CTA a membrane steps it from u; its threads are the lanes of its sums
 *   port_kernel       after: a CTA a membrane adds its push to u_new, each rounded once; of a part of a room
 *                     first the nodes of the surface, then the others
 *
 * A timpano has 1,600 (147 Hz) to 6,800 nodes (73 Hz) on a grid of 40 mm, and 208 ports on either side: 3 to
 * 14 nodes a thread.
 */
#ifndef KERNELS_GPU_MEMBRANES_CUH
#define KERNELS_GPU_MEMBRANES_CUH

#include "kernels/cuda/step/gpu_launch.cuh"
#include "kernels/cuda/step/gpu_walls.cuh"
extern "C" {
#include "kernels/scheme/membrane_step.h"
}

/** Device pointers; indices are the device's. */
struct gpu_membrane {
    struct membrane_tables tables;
    const uint64_t *index; /* (ports) */
    const double *weight;  /* (ports) of a flow */
    double *push;          /* (ports) */
};

/** The sum over the lanes, for all of them. `lane` is shared. */
__device__ __forceinline__ double sum_lanes(double own, double *lane)
{
    __syncthreads();
    lane[threadIdx.x] = own;
    for (unsigned half = MEMBRANE_LANES / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            lane[threadIdx.x] += lane[threadIdx.x + half];
    }
    __syncthreads();
    return lane[0];
}

template <typename real>
__global__ void __launch_bounds__(MEMBRANE_LANES) membrane_kernel(const gpu_membrane *all, const real *u)
{
    __shared__ double lane[2][MEMBRANE_LANES];
    const gpu_membrane membrane = all[blockIdx.x];
    struct membrane_tables m = membrane.tables;
    uint32_t slot = *m.slot;
    m.slot = &slot;
    const uint32_t first = threadIdx.x;
    for (uint32_t p = first; p < m.ports; p += MEMBRANE_LANES)
        membrane_hear(&m, p, (double)u[membrane.index[p]]);
    __syncthreads();
    for (uint32_t n = first; n < m.nodes; n += MEMBRANE_LANES)
        membrane_load(&m, n);
    __syncthreads();
    if (first == 0)
        membrane_hit(&m);
    __syncthreads();
    double stretches = 0, square = 0, lost = 0;
    for (uint32_t n = first; n < m.nodes; n += MEMBRANE_LANES)
        membrane_predict(&m, n, &stretches, &square);
    const double all_stretches = sum_lanes(stretches, lane[0]), all_square = sum_lanes(square, lane[1]);
    const double theta = membrane_theta(&m.terms, all_stretches, all_square);
    for (uint32_t n = first; n < m.nodes; n += MEMBRANE_LANES)
        membrane_bend(&m, n, theta);
    __syncthreads();
    for (uint32_t n = first; n < m.nodes; n += MEMBRANE_LANES)
        membrane_end(&m, n, &lost);
    const double all_lost = sum_lanes(lost, lane[0]);
    if (first == 0) {
        membrane_count(&m, theta, all_lost);
        *membrane.tables.slot = slot;
    }
    for (uint32_t p = first; p < m.ports; p += MEMBRANE_LANES)
        membrane.push[p] = membrane.weight[p] * membrane_give(&m, p);
}

template <typename real, class units_type>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    port_kernel(const gpu_membrane *all, units_type units, real *u_new)
{
    const gpu_membrane &membrane = all[blockIdx.x];
    for (uint32_t p = threadIdx.x; p < membrane.tables.ports; p += GPU_LAUNCH_THREADS)
        if (units(membrane.index[p]))
            u_new[membrane.index[p]] += (real)membrane.push[p];
}

template <typename real>
cudaError_t step_membranes_before(const gpu_membrane *all, uint32_t count, const real *u, cudaStream_t stream)
{
    if (count == 0)
        return cudaSuccess;
    membrane_kernel<real><<<count, MEMBRANE_LANES, 0, stream>>>(all, u);
    return cudaGetLastError();
}

template <typename real, class units_type = gpu_all_units>
cudaError_t step_membranes_after(const gpu_membrane *all, uint32_t count, real *u_new, cudaStream_t stream,
                                 const units_type &units = {})
{
    if (count == 0)
        return cudaSuccess;
    port_kernel<real><<<count, GPU_LAUNCH_THREADS, 0, stream>>>(all, units, u_new);
    return cudaGetLastError();
}

#endif
