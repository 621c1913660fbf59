/** Nodes that another system reads and moves after every step (kernels/engine/engine_port.h). It is stepped
 * on the host, which takes two launches, two small copies and a wait a step.
 *
 *   read   a thread a node: u of the step's start, in double
 *   push   a thread a node: adds the push, rounded once
 */
#ifndef KERNELS_GPU_PORTS_CUH
#define KERNELS_GPU_PORTS_CUH

#include "kernels/cuda/step/gpu_launch.cuh"

template <typename real>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    port_read_kernel(uint64_t count, const uint64_t *index, const real *u, double *value)
{
    const uint64_t n = list_item();
    if (n < count)
        value[n] = (double)u[index[n]];
}

template <typename real>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    port_push_kernel(uint64_t count, const uint64_t *index, const double *push, real *u_new)
{
    const uint64_t n = list_item();
    if (n < count)
        u_new[index[n]] += (real)push[n];
}

#endif
