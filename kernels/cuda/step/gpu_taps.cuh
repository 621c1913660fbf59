/** Sources and receivers inside a step.
 *
 *   receivers  extra CTAs at the front of a step's grid read u (step n), which the step does not write: one
 *              warp a receiver, summed in double in the tap's order
 *   sources    blocks that hold source nodes are marked, left out by the CTAs that step all others, and
 *              stepped by CTAs of their own behind those of the receivers, which add the drive to the new
 *              pressure before it is stored. (Looking for drives in all blocks costs two per cent in a large
 *              room and seven in a small one.) In the box single nodes are marked, in their link bytes
 *
 * Both look up sample n of a batch at `done` + the step's place in its graph, so that one graph serves for
 * all batches. Kernels get gpu_no_taps where nothing is to be driven or sampled: it costs nothing.
 */
#ifndef KERNELS_GPU_TAPS_CUH
#define KERNELS_GPU_TAPS_CUH

#include "kernels/cuda/step/gpu_headers.cuh"

#include "kernels/cuda/step/gpu_room.cuh"

#define GPU_TAP_WARPS 4 /* receivers a CTA; no step kernel's CTA has fewer warps */
#define GPU_TAP_NODES ((STENCIL_NODES_MAX + 31) / 32 * 32) /* room for a receiver's nodes, in whole warps */

/** One node of one source. */
struct gpu_source_node {
    uint64_t index; /* in the device's pressure arrays */
    double weight;
    unsigned long long source;
};

/** Device pointers, borrowed. */
template <typename real> struct gpu_taps {
    uint32_t receivers;
    const uint32_t *node_count;           /* (receivers) */
    const uint64_t *node;                 /* (receivers, GPU_TAP_NODES) indices; 0 past a receiver's count */
    const double *weight;                 /* (receivers, GPU_TAP_NODES); 0 past a receiver's count */
    double *output;                       /* (receivers, batch) */
    const struct gpu_source_node *source; /* (source_nodes) by rising index, then source */
    uint32_t source_nodes;
    uint32_t source_blocks;
    const struct gpu_block *source_block; /* (source_blocks) as in the launch order */
    const double *drive;                  /* (sources, batch) */
    uint64_t batch;                       /* steps that a row of output or drive holds */
    const uint64_t *done;                 /* steps of the batch before this graph */
    uint32_t step;                        /* of this launch within its graph */
};

struct gpu_no_taps {};

/** CTAs that sample receivers. */
template <typename real>
__host__ __device__ __forceinline__ uint32_t receiver_ctas(const gpu_taps<real> &taps)
{
    return (taps.receivers + GPU_TAP_WARPS - 1) / GPU_TAP_WARPS;
}
__host__ __device__ __forceinline__ uint32_t receiver_ctas(const gpu_no_taps &)
{
    return 0;
}
/** CTAs at the front of a grid of blocks that sample receivers or step blocks of sources. */
template <typename real> __host__ __device__ __forceinline__ uint32_t tap_ctas(const gpu_taps<real> &taps)
{
    return receiver_ctas(taps) + taps.source_blocks;
}
__host__ __device__ __forceinline__ uint32_t tap_ctas(const gpu_no_taps &)
{
    return 0;
}

/** The place of this CTA among `places` that step; `back`: counted from the end. */
template <class taps_type>
__device__ __forceinline__ uint32_t order_place(const taps_type &taps, uint32_t places, bool back)
{
    const uint32_t place = blockIdx.x - tap_ctas(taps);
    return back ? places - 1 - place : place;
}

template <typename real> __device__ __forceinline__ uint64_t tap_sample(const gpu_taps<real> &taps)
{
    return __ldg(taps.done) + taps.step;
}

/* Nodes of a receiver that a lane reads ahead: all 64 of the 7-point scheme's taps. Others, of which the
 * isotropic scheme's have up to 216, are read as they are added up: registers are those of the whole step. */
#define GPU_TAP_PARTS 2

/** The values that a lane of a sampling warp reads before it may read u. */
template <typename real> struct gpu_sampler {
    uint32_t receiver, count; /* count 0: no receiver */
    uint64_t sample;
    uint64_t node[GPU_TAP_PARTS];
    double weight[GPU_TAP_PARTS];
};

/** Get ready, in a CTA of receivers. */
template <typename real> __device__ __forceinline__ gpu_sampler<real> find_sampler(const gpu_taps<real> &taps)
{
    gpu_sampler<real> sampler = {};
    sampler.receiver = blockIdx.x * GPU_TAP_WARPS + (threadIdx.x >> 5);
    if ((threadIdx.x >> 5) >= GPU_TAP_WARPS || sampler.receiver >= taps.receivers)
        return sampler;
    sampler.count = __ldg(taps.node_count + sampler.receiver);
    sampler.sample = tap_sample(taps);
#pragma unroll
    for (uint32_t i = 0; i < GPU_TAP_PARTS; ++i) {
        const size_t at = (size_t)sampler.receiver * GPU_TAP_NODES + 32 * i + (threadIdx.x & 31u);
        sampler.node[i] = __ldg(taps.node + at);
        sampler.weight[i] = __ldg(taps.weight + at);
    }
    return sampler;
}

/** A node's product per lane, added to the sum in their order. */
__device__ __forceinline__ void add_products(double product, uint32_t count, double *sum)
{
    for (uint32_t k = 0; k < count; ++k)
        *sum += __shfl_sync(GPU_ALL_LANES, product, (int)k);
}

/** Read u and add up. Plain loads: in overlapped launches the read-only path may hold old values.
 */
template <typename real>
__device__ __forceinline__ void sample_receiver(const gpu_taps<real> &taps, const gpu_sampler<real> &sampler,
                                                const real *u)
{
    if (sampler.count == 0)
        return;
    double product[GPU_TAP_PARTS], sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < GPU_TAP_PARTS; ++i)
        product[i] = sampler.weight[i] * (double)u[sampler.node[i]];
#pragma unroll
    for (uint32_t i = 0; i < GPU_TAP_PARTS; ++i)
        if (sampler.count > 32 * i)
            add_products(product[i], min(sampler.count - 32 * i, 32u), &sum);
    for (uint32_t from = 32 * GPU_TAP_PARTS; from < sampler.count; from += 32) {
        const size_t at = (size_t)sampler.receiver * GPU_TAP_NODES + from + (threadIdx.x & 31u);
        add_products(__ldg(taps.weight + at) * (double)u[__ldg(taps.node + at)],
                     min(sampler.count - from, 32u), &sum);
    }
    if ((threadIdx.x & 31u) == 0)
        taps.output[(size_t)sampler.receiver * taps.batch + sampler.sample] = sum;
}
struct gpu_no_sampler {};
__device__ __forceinline__ gpu_no_sampler find_sampler(const gpu_no_taps &)
{
    return {};
}
template <typename real>
__device__ __forceinline__ void sample_receiver(const gpu_no_taps &, const gpu_no_sampler &, const real *)
{
}

/** First source node at or past an index. */
template <typename real>
__device__ __forceinline__ uint32_t first_source(const gpu_taps<real> &taps, uint64_t index)
{
    uint32_t low = 0, high = taps.source_nodes;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (__ldg(&taps.source[middle].index) < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/** If a source may drive a thread's nodes: the place to begin, read before the thread may read u. This also
 * prefetches the drive into the first-level cache. */
template <typename real>
__device__ __forceinline__ uint32_t find_drive(const gpu_taps<real> &taps, uint64_t index)
{
    const uint32_t first = first_source(taps, index);
    if (first < taps.source_nodes) {
        const double *const from =
            taps.drive + (size_t)__ldg(&taps.source[first].source) * taps.batch + tap_sample(taps);
        asm volatile("prefetch.global.L1 [%0];" ::"l"(from));
    }
    return first;
}
__device__ __forceinline__ uint32_t find_drive(const gpu_no_taps &, uint64_t)
{
    return 0;
}

/** A source moves no more than the node. */
struct push_nothing {
    template <typename real> __device__ __forceinline__ void operator()(int, real) const
    {
    }
};

/** Add the drives of sources to the nodes index .. index + WIDTH - 1, source after source, from `first` on
 * (of find_drive()), and call `pushed`. Bits of `left_out`: nodes that are driven elsewhere. Rounded to the
 * run's real once, as engine.c does. */
template <typename real, int WIDTH, class push_type = push_nothing>
__device__ __forceinline__ void add_drives(const gpu_taps<real> &taps, uint32_t first, uint64_t index,
                                           real (&next)[WIDTH], uint32_t left_out = 0,
                                           const push_type &pushed = {})
{
    for (uint32_t e = first; e < taps.source_nodes; ++e) {
        const struct gpu_source_node node = {__ldg(&taps.source[e].index), __ldg(&taps.source[e].weight),
                                             __ldg(&taps.source[e].source)};
        if (node.index >= index + WIDTH)
            break;
        const double q = __ldg(taps.drive + (size_t)node.source * taps.batch + tap_sample(taps));
        if (q == 0.0)
            continue;
        const real moved = (real)(node.weight * q);
#pragma unroll
        for (int i = 0; i < WIDTH; ++i)
            if (node.index == index + (uint64_t)i && (left_out >> i & 1u) == 0) {
                next[i] += moved;
                pushed(i, moved);
            }
    }
}
template <typename real, int WIDTH, class push_type = push_nothing>
__device__ __forceinline__ void add_drives(const gpu_no_taps &, uint32_t, uint64_t, real (&)[WIDTH],
                                           uint32_t = 0, const push_type & = {})
{
}

#endif
