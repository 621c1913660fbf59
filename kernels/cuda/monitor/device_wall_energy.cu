/* Energy that frequency-dependent walls hold and have absorbed: a thread a node of the list, as in a step. */
#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/monitor/device_monitor.h"
#include "kernels/cuda/monitor/device_sums.cuh"
#include "kernels/scheme/wall_terms.h"

#define ROWS_AT_ONCE 64u /* materials of which losses are added up in a launch */

namespace {

/* The weights of entries are not kept on the device. With t = 2 share/lambda = s/(mass (1 + kappa)), 1/(1 +
 * kappa) = 1 - sum(t kappa of a face) over the entries of the node, and a weight is a float. */
template <typename real>
__device__ double share_of(const gpu_walls<real> &walls, uint64_t entry, double lambda)
{
    return 2.0 * (double)walls.share[entry] / lambda;
}
template <typename real>
__device__ double rest_of(const gpu_walls<real> &walls, const struct wall_terms *terms,
                          const gpu_wall_node &node, double lambda)
{
    double rest = 1.0;
    for (uint64_t entry = node.first; entry <= node.first + node.more; ++entry)
        rest -= share_of(walls, entry, lambda) * terms[wall_row(walls, entry)].kappa;
    return rest;
}
template <typename real>
__device__ double weight_of(const gpu_walls<real> &walls, uint64_t entry, double lambda, double mass,
                            double rest)
{
    return (double)(float)(mass * share_of(walls, entry, lambda) / rest);
}

/* Masses of nodes: 1, or by their gains. */
struct node_masses {
    const float *gain;
    double lambda2, parts;

    __device__ double operator[](uint64_t n) const
    {
        return gain != nullptr ? lambda2 / (parts * (double)gain[n]) : 1.0;
    }
};

/* Energy of a node in units of 1/(2 lambda). */
template <typename real> struct held_energy {
    const struct wall_terms *terms;
    double lambda;
    bool inertance;

    __device__ double operator()(const gpu_walls<real> &walls, const gpu_wall_node &node, double mass) const
    {
        const double rest = rest_of(walls, terms, node, lambda);
        double held = 0.0;
        for (uint64_t entry = node.first; entry <= node.first + node.more; ++entry) {
            const struct wall_terms *const of = terms + wall_row(walls, entry);
            const real *const state = walls.at(entry);
            double sum = 0.0, flow = 0.0;
            for (unsigned m = 0; m < of->scheme.branches; ++m) {
                const double v = (double)state[m * GPU_BRANCH],
                             g = (double)state[m * GPU_BRANCH + GPU_ENTRIES];
                sum += wall_terms_branch_energy(of, m, v, g);
                flow += v;
            }
            held += weight_of(walls, entry, lambda, mass, rest) *
                    (sum + wall_terms_air_energy(inertance, lambda, flow));
        }
        return held;
    }
};

/* Losses of a node's entries of one material, in units of 1/(4 lambda). */
template <typename real> struct lost_energy {
    const struct wall_terms *terms;
    double lambda;
    uint32_t row;

    __device__ double operator()(const gpu_walls<real> &walls, const gpu_wall_node &node, double mass) const
    {
        double lost = 0.0;
        for (uint64_t entry = node.first; entry <= node.first + node.more; ++entry)
            if (wall_row(walls, entry) == row)
                lost += weight_of(walls, entry, lambda, mass, rest_of(walls, terms, node, lambda)) *
                        (double)walls.loss(walls.at(entry));
        return lost;
    }
};

/* The sum over a thread's nodes. All threads of the CTA take part. */
template <typename real, class part_type>
__device__ __forceinline__ double over_nodes(const gpu_walls<real> &walls, const node_masses &masses,
                                             const part_type &part)
{
    const uint32_t lane = threadIdx.x & 31u;
    double sum = 0.0;
    for (uint64_t group = ((uint64_t)blockIdx.x * SUM_THREADS + threadIdx.x) / GPU_NODE_GROUP;
         group * GPU_NODE_GROUP < walls.nodes; group += SUM_CTAS * SUM_WARPS) {
        const uint64_t n = group * GPU_NODE_GROUP + lane;
        const uint32_t word = n < walls.nodes ? (uint32_t)__ldg(walls.node + n) : 0u;
        const gpu_wall_node node = find_wall_node(walls, n, word);
        if (n < walls.nodes)
            sum += part(walls, node, masses[n]);
    }
    return sum;
}

template <typename real>
__global__ void __launch_bounds__(SUM_THREADS)
    held_kernel(gpu_walls<real> walls, node_masses masses, held_energy<real> energy, double *partial)
{
    const double all = gather_findings(over_nodes(walls, masses, energy));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}

/* Of `rows` materials from energy.row on; partial is (rows, SUM_CTAS). */
template <typename real>
__global__ void __launch_bounds__(SUM_THREADS)
    lost_kernel(gpu_walls<real> walls, node_masses masses, lost_energy<real> energy, uint32_t rows,
                double *partial)
{
    for (uint32_t r = 0; r < rows; ++r, ++energy.row) {
        const double all = gather_findings(over_nodes(walls, masses, energy));
        if (threadIdx.x == 0)
            partial[(size_t)r * SUM_CTAS + blockIdx.x] = all;
        __syncthreads(); /* all threads have read the gathered values */
    }
}

int send_terms(const struct device_wall_terms &of, device_memory<struct wall_terms> *terms,
               cudaStream_t stream, const char *purpose, struct failure *failure)
{
    TRY(terms->allocate(of.rows, purpose, failure));
    DEVICE_TRY(
        cudaMemcpyAsync(terms->data(), of.terms, of.rows * sizeof *of.terms, cudaMemcpyHostToDevice, stream),
        purpose, failure);
    return 0;
}

} // namespace

template <typename real>
int device_wall_energy(const gpu_walls<real> &walls, const struct device_wall_terms &of, cudaStream_t stream,
                       double *energy, struct failure *failure)
{
    static const char purpose[] = "the energy of the walls";
    device_memory<struct wall_terms> terms;
    device_memory<double> partial;
    double part[SUM_CTAS], held = 0.0;
    TRY(send_terms(of, &terms, stream, purpose, failure));
    TRY(partial.allocate(SUM_CTAS, purpose, failure));
    held_kernel<real><<<SUM_CTAS, SUM_THREADS, 0, stream>>>(
        walls, node_masses{of.gain, of.lambda2, of.gain_parts},
        held_energy<real>{terms.data(), of.courant, of.inertance}, partial.data());
    DEVICE_TRY(cudaGetLastError(), purpose, failure);
    TRY(fetch(partial.data(), stream, part, purpose, failure));
    for (const double cta : part)
        held += cta;
    *energy = held / (2.0 * of.courant);
    return 0;
}

template <typename real>
int device_wall_losses(const gpu_walls<real> &walls, const struct device_wall_terms &of, size_t rows,
                       cudaStream_t stream, double *absorbed, struct failure *failure)
{
    static const char purpose[] = "the losses of the walls";
    device_memory<struct wall_terms> terms;
    device_memory<double> partial;
    TRY(send_terms(of, &terms, stream, purpose, failure));
    TRY(partial.allocate(ROWS_AT_ONCE * SUM_CTAS, purpose, failure));
    for (size_t first = 0; first < rows; first += ROWS_AT_ONCE) {
        const uint32_t count = rows - first < ROWS_AT_ONCE ? (uint32_t)(rows - first) : ROWS_AT_ONCE;
        lost_kernel<real><<<SUM_CTAS, SUM_THREADS, 0, stream>>>(
            walls, node_masses{of.gain, of.lambda2, of.gain_parts},
            lost_energy<real>{terms.data(), of.courant, (uint32_t)first}, count, partial.data());
        DEVICE_TRY(cudaGetLastError(), purpose, failure);
        for (uint32_t r = 0; r < count; ++r) {
            double part[SUM_CTAS], lost = 0.0;
            TRY(fetch(partial.data() + (size_t)r * SUM_CTAS, stream, part, purpose, failure));
            for (const double cta : part)
                lost += cta;
            absorbed[first + r] += lost / (4.0 * of.courant);
        }
    }
    const size_t group = walls.planes() * GPU_ENTRIES * sizeof(real);
    DEVICE_TRY(cudaMemset2DAsync(&walls.loss(walls.state), group, 0, GPU_ENTRIES * sizeof(real),
                                 walls.entries / GPU_ENTRIES, stream),
               purpose, failure);
    DEVICE_TRY(cudaStreamSynchronize(stream), purpose, failure);
    return 0;
}

#define INSTANTIATE(real)                                                                                    \
    template int device_wall_energy(const gpu_walls<real> &, const struct device_wall_terms &, cudaStream_t, \
                                    double *, struct failure *);                                             \
    template int device_wall_losses(const gpu_walls<real> &, const struct device_wall_terms &, size_t,       \
                                    cudaStream_t, double *, struct failure *);
INSTANTIATE(float)
INSTANTIATE(double)
