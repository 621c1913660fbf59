/** The sheets of a room on a device (kernels/engine/engine_sheets.h): two launches around those of a step.
 *
 *   flows    before: a thread a link computes its flow from u and u_old, and what the sheet holds back
 *   held     before: a thread a node at a wall with states keeps what its losses need
 *   nodes    after: a thread a node adds what its links hold back, in their order, and pushes its walls;
 *            of a part of a room first the nodes of the surface, then the others
 *   keep, shift   around losses of the air: a thread a link
 *
 * Sheets are a few links, so these launches cost only their start: some microseconds a step.
 */
#ifndef KERNELS_GPU_SHEETS_CUH
#define KERNELS_GPU_SHEETS_CUH

#include "kernels/cuda/step/gpu_walls.cuh"
#include "kernels/scheme/sheet_tables.h"

template <typename real>
using scheme_sheet_of =
    std::conditional_t<sizeof(real) == sizeof(float), struct scheme_sheet_f32, struct scheme_sheet_f64>;

/** Device pointers; indices are the device's. */
template <typename real> struct gpu_sheets {
    uint64_t links, nodes;
    const uint64_t (*end)[2];           /* (links) */
    const scheme_sheet_of<real> *terms; /* (links) */
    const uint8_t *there;               /* (links) is it a sheet at all? */
    real *flow, *moved, *back, *loss;   /* (links) V, w, u_i - u_j - V, loss */
    const struct sheet_node *node;      /* (nodes + 1) */
    const uint64_t *use;                /* 2 link + .. */
    const real *weight;
    real *held;
    uint32_t helds; /* 0: no node is at such a wall */
};

template <typename real>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    sheet_flow_kernel(gpu_sheets<real> sheets, const real *u, const real *u_old)
{
    const uint64_t n = list_item();
    if (n >= sheets.links || sheets.there[n] == 0)
        return;
    const uint64_t low = sheets.end[n][0], high = sheets.end[n][1];
    const real difference = u[low] - u[high], before = u_old[low] - u_old[high];
    const scheme_sheet_of<real> terms = sheets.terms[n];
    real v = sheets.flow[n], w = sheets.moved[n];
    sheets.loss[n] = scheme_sheet(&terms, difference - before, &v, &w, sheets.loss[n]);
    sheets.flow[n] = v;
    sheets.moved[n] = w;
    sheets.back[n] = difference - v;
}

/** Before a step, keep V of a node's entries, which its push needs. */
template <typename real, class node_type>
__device__ __forceinline__ void hold_walls(const node_type &node, const gpu_walls<real> &walls, real *held)
{
    for (uint64_t entry = node.wall; entry < node.wall + node.walls; ++entry)
        for (uint64_t m = 0; m < walls.branches; ++m)
            *held++ = walls.at(entry)[m * GPU_BRANCH];
}

/** Push the walls of a node that the step has moved by y. @param held   V of its entries as before the step
 */
template <typename real, class node_type>
__device__ __forceinline__ void push_walls(const node_type &node, const gpu_walls<real> &walls,
                                           const real *held, real y, real push)
{
    for (uint64_t entry = node.wall; entry < node.wall + node.walls; ++entry) {
        real *const there = walls.at(entry);
        const real loss =
            scheme_sheet_wall(walls.material + wall_row(walls, entry), there, GPU_BRANCH, GPU_ENTRIES, held,
                              y, push, walls.ledger ? walls.loss(there) : real(0));
        held += walls.branches;
        if (walls.ledger)
            walls.loss(there) = loss;
    }
}

template <typename real>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    sheet_hold_kernel(gpu_sheets<real> sheets, gpu_walls<real> walls, const real *u_old)
{
    const uint64_t n = list_item();
    if (n >= sheets.nodes)
        return;
    const struct sheet_node node = sheets.node[n];
    if (node.walls == 0)
        return;
    real *const held = sheets.held + node.held;
    held[0] = u_old[node.index];
    hold_walls(node, walls, held + 1);
}

template <typename real, class units_type>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    sheet_node_kernel(gpu_sheets<real> sheets, gpu_walls<real> walls, units_type units, real *u_new)
{
    const uint64_t n = list_item();
    if (n >= sheets.nodes)
        return;
    const struct sheet_node node = sheets.node[n];
    if (!units(node.index))
        return;
    const uint64_t end = sheets.node[n + 1].first;
    real push = 0;
    for (uint64_t use = node.first; use < end; ++use)
        push = scheme_sheet_push(push, sheets.weight[use], sheets.back[sheets.use[use] >> 1], real(0));
    const real moved = u_new[node.index];
    const real *held = sheets.held + node.held;
    const real y = node.walls > 0 ? moved - *held++ : real(0);
    push_walls(node, walls, held, y, push);
    u_new[node.index] = moved + push;
}

/** Around losses of the air, which change u_old (engine_shift_sheets()): keep u_i - u_j, and then shift V. */
template <typename real>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    sheet_keep_kernel(gpu_sheets<real> sheets, const real *u_old)
{
    const uint64_t n = list_item();
    if (n < sheets.links && sheets.there[n] != 0)
        sheets.back[n] = u_old[sheets.end[n][0]] - u_old[sheets.end[n][1]];
}

template <typename real>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    sheet_shift_kernel(gpu_sheets<real> sheets, const real *u_old)
{
    const uint64_t n = list_item();
    if (n < sheets.links && sheets.there[n] != 0)
        sheets.flow[n] += u_old[sheets.end[n][0]] - u_old[sheets.end[n][1]] - sheets.back[n];
}

/** later, now (of u_i - u_j), V, w, loss of every link, for the host's sums. */
template <typename real>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    sheet_read_kernel(gpu_sheets<real> sheets, const real *u, const real *u_old, double (*out)[5])
{
    const uint64_t n = list_item();
    if (n >= sheets.links)
        return;
    const uint64_t low = sheets.end[n][0], high = sheets.end[n][1];
    out[n][0] = (double)u[low] - (double)u[high];
    out[n][1] = (double)u_old[low] - (double)u_old[high];
    out[n][2] = (double)sheets.flow[n];
    out[n][3] = (double)sheets.moved[n];
    out[n][4] = (double)sheets.loss[n];
}

template <typename real>
cudaError_t step_sheets_before(const gpu_sheets<real> &sheets, const gpu_walls<real> &walls, const real *u,
                               const real *u_old, cudaStream_t stream)
{
    const cudaError_t code =
        launch_list(sheet_flow_kernel<real>, sheets.links, false, stream, sheets, u, u_old);
    return code != cudaSuccess || sheets.helds == 0
               ? code
               : launch_list(sheet_hold_kernel<real>, sheets.nodes, false, stream, sheets, walls, u_old);
}

template <typename real, class units_type = gpu_all_units>
cudaError_t step_sheets_after(const gpu_sheets<real> &sheets, const gpu_walls<real> &walls, real *u_new,
                              cudaStream_t stream, const units_type &units = units_type())
{
    return launch_list(sheet_node_kernel<real, units_type>, sheets.nodes, false, stream, sheets, walls, units,
                       u_new);
}

#endif
