/** The layer behind the open faces of a room on a device (kernels/engine/engine_layer.h): two launches around
 * those of a step, a thread a node. Before: keep the values that the push needs. After: the push, and the
 * walls of the node.
 */
#ifndef KERNELS_GPU_LAYER_CUH
#define KERNELS_GPU_LAYER_CUH

#include "kernels/cuda/step/gpu_sheets.cuh"
#include "kernels/scheme/layer_tables.h"

#define LAYER_STATES 3

template <typename real>
using scheme_layer_of =
    std::conditional_t<sizeof(real) == sizeof(float), struct scheme_layer_f32, struct scheme_layer_f64>;

/** Device pointers; indices are the device's. */
template <typename real> struct gpu_layer {
    uint64_t nodes;
    struct layer_around around;
    const struct layer_node *node;     /* (nodes + 1) */
    const struct layer_normal *normal; /* (normals) */
    const scheme_layer_of<real> *terms;
    const real *gain, *damp;
    real *state, *loss, *held;
};

template <typename real>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    layer_hold_kernel(gpu_layer<real> layer, gpu_walls<real> walls, const real *u_old)
{
    const uint64_t n = list_item();
    if (n >= layer.nodes)
        return;
    const struct layer_node node = layer.node[n];
    hold_node(node, walls, u_old, layer.held);
}

template <typename real>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    layer_node_kernel(gpu_layer<real> layer, gpu_walls<real> walls, const real *u, real *u_new)
{
    const uint64_t n = list_item();
    if (n >= layer.nodes)
        return;
    const struct layer_node node = layer.node[n];
    const uint64_t end = layer.node[n + 1].first;
    real sum = 0;
    for (uint64_t k = node.first; k < end; ++k) {
        const struct layer_normal normal = layer.normal[k];
        real flow[2];
        layer_flows(&layer.around, &node, &normal, u, flow);
        sum +=
            scheme_layer(layer.terms + (normal.depth - 1), flow[0], flow[1], layer.state + LAYER_STATES * k);
    }
    const real *held = layer.held + node.held;
    const real moved = u_new[node.index], y = moved - *held++;
    const real push = scheme_layer_push(layer.gain[n], sum, layer.damp[n], y);
    layer.loss[n] = scheme_layer_loss(layer.loss[n], push, y);
    push_walls(node, walls, held, y, push);
    u_new[node.index] = moved + push;
}

template <typename real>
cudaError_t step_layer_before(const gpu_layer<real> &layer, const gpu_walls<real> &walls, const real *u_old,
                              cudaStream_t stream)
{
    return launch_list(layer_hold_kernel<real>, layer.nodes, false, stream, layer, walls, u_old);
}

template <typename real>
cudaError_t step_layer_after(const gpu_layer<real> &layer, const gpu_walls<real> &walls, const real *u,
                             real *u_new, cudaStream_t stream)
{
    return launch_list(layer_node_kernel<real>, layer.nodes, false, stream, layer, walls, u, u_new);
}

#endif
