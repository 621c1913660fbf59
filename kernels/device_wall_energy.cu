/* What walls that remember hold: a thread takes a node of the list, as in a step. */
#include "kernels/device_headers.cuh"

#include "kernels/device_monitor.h"
#include "kernels/device_sums.cuh"
#include "kernels/wall_terms.h"

#define PURPOSE "the energy of the walls"

/* Of the entries of a node, in units of 1/(2 lambda). Their weights are not kept on the device. With t = 2
 * share/lambda = s/(1 + kappa), 1/(1 + kappa) = 1 - sum(t kappa of a face), and a weight is a float. */
template <typename real>
__device__ double held_at(const gpu_walls<real> &walls, const struct wall_terms *terms,
                          const gpu_wall_node &node, double lambda, bool inertance)
{
    double rest = 1.0, held = 0.0;
    for (uint64_t entry = node.first; entry <= node.first + node.more; ++entry)
        rest -= 2.0 * (double)walls.share[entry] / lambda * terms[wall_row(walls, entry)].kappa;
    for (uint64_t entry = node.first; entry <= node.first + node.more; ++entry) {
        const struct wall_terms *const of = terms + wall_row(walls, entry);
        const double weight = (double)(float)(2.0 * (double)walls.share[entry] / (lambda * rest));
        const real *const state = walls.state + entry;
        double sum = 0.0, flow = 0.0;
        for (unsigned m = 0; m < of->scheme.branches; ++m) {
            const double v = (double)state[m * walls.stride],
                         g = (double)state[(walls.branches + m) * walls.stride];
            sum += wall_terms_branch_energy(of, m, v, g);
            flow += v;
        }
        held += weight * (sum + wall_terms_air_energy(inertance, lambda, flow));
    }
    return held;
}

template <typename real>
__global__ void __launch_bounds__(SUM_THREADS)
    wall_energy_kernel(gpu_walls<real> walls, const struct wall_terms *terms, double lambda, bool inertance,
                       double *partial)
{
    const uint32_t lane = threadIdx.x & 31u;
    double held = 0.0;
    for (uint64_t group = ((uint64_t)blockIdx.x * SUM_THREADS + threadIdx.x) / GPU_NODE_GROUP;
         group * GPU_NODE_GROUP < walls.nodes; group += SUM_CTAS * SUM_WARPS) {
        const uint64_t n = group * GPU_NODE_GROUP + lane;
        const uint32_t word = n < walls.nodes ? (uint32_t)__ldg(walls.node + n) : 0u;
        const gpu_wall_node node = find_wall_node(walls, n, word);
        if (n < walls.nodes)
            held += held_at(walls, terms, node, lambda, inertance);
    }
    const double all = gather(held);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}

template <typename real>
int device_wall_energy(const gpu_walls<real> &walls, const struct device_wall_terms &of, cudaStream_t stream,
                       double *energy, struct failure *failure)
{
    device_memory<struct wall_terms> terms;
    device_memory<double> partial;
    double part[SUM_CTAS], held = 0.0;
    TRY(terms.allocate(of.rows, PURPOSE, failure));
    TRY(partial.allocate(SUM_CTAS, PURPOSE, failure));
    DEVICE_TRY(
        cudaMemcpyAsync(terms.data(), of.terms, of.rows * sizeof *of.terms, cudaMemcpyHostToDevice, stream),
        PURPOSE, failure);
    wall_energy_kernel<real>
        <<<SUM_CTAS, SUM_THREADS, 0, stream>>>(walls, terms.data(), of.courant, of.inertance, partial.data());
    DEVICE_TRY(cudaGetLastError(), PURPOSE, failure);
    TRY(fetch(partial, stream, part, PURPOSE, failure));
    for (const double cta : part)
        held += cta;
    *energy = held / (2.0 * of.courant);
    return 0;
}

template int device_wall_energy(const gpu_walls<float> &, const struct device_wall_terms &, cudaStream_t,
                                double *, struct failure *);
template int device_wall_energy(const gpu_walls<double> &, const struct device_wall_terms &, cudaStream_t,
                                double *, struct failure *);
