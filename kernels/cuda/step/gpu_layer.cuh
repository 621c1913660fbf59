/** The layer behind the open faces of a room on a device (kernels/engine/engine_layer.h): a launch after
 * those of a step. In blocks most nodes are in columns (gpu_columns.cuh), which have the first CTAs; all
 * others are in the rows of kernels/scheme/layer_tables.h, a thread a node.
 *
 * u_old of a step is u of the step before. So the launch keeps u for the next one, and V of the node's walls;
 * a launch before the first step of a batch, or after losses of the air, fetches both. States, loss and held
 * value of a node in a row are loaded before the launch waits for the step. In a part of a room the nodes of
 * the surface come first.
 *
 * Traffic of a row in single precision, of one face: a node 48 bytes (u, u_new twice; held, loss, three
 * states twice), its row 5, its block's neighbours. Coefficients of many rows are the same and stay in
 * caches.
 */
#ifndef KERNELS_GPU_LAYER_CUH
#define KERNELS_GPU_LAYER_CUH

#include "kernels/cuda/step/gpu_columns.cuh"
#include "kernels/cuda/step/gpu_sheets.cuh"

template <typename real>
using scheme_layer_of =
    std::conditional_t<sizeof(real) == sizeof(float), struct scheme_layer_f32, struct scheme_layer_f64>;

/** Device pointers, as in struct step_layer; indices are the device's. */
template <typename real> struct gpu_layer {
    uint64_t rows;
    const struct layer_row *row; /* (rows + 1) */
    const struct layer_row_normal *normal;
    const struct layer_row_wall *wall;
    const struct layer_row_side *side;
    const real *weight, *terms;
    real *state, *loss, *held, *held_walls;
    const struct layer_place *place; /* in blocks */
    gpu_columns<real> columns;
    uint32_t column_ctas; /* of a launch, before those of rows */
    bool in_box;
    int64_t step[3];   /* of a box, from a node to the next along x, y, z */
    int64_t low, high; /* and the indices of all values, low .. high-1 */
};

/** Pressures around a node of a block. A position is x, y and z in the block, each plus 8 and a byte. */
template <typename real> struct layer_in_block {
    const real *u;
    const struct layer_place *place;
    uint32_t here;

    __device__ layer_in_block(const gpu_layer<real> &layer, const struct layer_row &row, unsigned lane,
                              const real *u_)
        : u(u_), place(layer.place + row.place),
          here(((uint32_t)row.index & 7u) + lane + ((uint32_t)row.index >> 3 & 7u) * 256u +
               ((uint32_t)row.index >> 6 & 7u) * 65536u + 0x080808u)
    {
    }
    __device__ __forceinline__ uint32_t step(int axis) const
    {
        return 1u << 8 * axis;
    }
    __device__ __forceinline__ real operator()(uint32_t at) const
    {
        const uint32_t block = (at >> 3 & 3u) + 3u * (at >> 11 & 3u) + 9u * (at >> 19 & 3u);
        return u[(uint64_t)place->block[block] * BLOCK_NODES +
                 ((at & 7u) | (at >> 8 & 7u) << 3 | (at >> 16 & 7u) << 6)];
    }
};

/** The same in a box, by index. */
template <typename real> struct layer_in_box {
    const gpu_layer<real> &layer;
    const real *u;
    int64_t here;

    __device__ layer_in_box(const gpu_layer<real> &layer_, const struct layer_row &row, unsigned lane,
                            const real *u_)
        : layer(layer_), u(u_), here((int64_t)row.index + lane)
    {
    }
    __device__ __forceinline__ int64_t step(int axis) const
    {
        return layer.step[axis];
    }
    /* Past the ends are only neighbours with a weight of 0. */
    __device__ __forceinline__ real operator()(int64_t at) const
    {
        return at >= layer.low && at < layer.high ? u[at] : real(0);
    }
};

/** Three states of a node and one of its directions. */
template <typename real> struct layer_states {
    real value[LAYER_STATES];

    __device__ __forceinline__ void load(const real *from)
    {
#pragma unroll
        for (unsigned s = 0; s < LAYER_STATES; ++s)
            value[s] = from[s * LAYER_LANES];
    }
    __device__ __forceinline__ void store(real *to) const
    {
#pragma unroll
        for (unsigned s = 0; s < LAYER_STATES; ++s)
            to[s * LAYER_LANES] = value[s];
    }
};

/** What one direction adds to the sum of a node: layer_flows() and scheme_layer(). */
template <typename real, class near_type>
__device__ __forceinline__ real pull_layer(const gpu_layer<real> &layer,
                                           const struct layer_row_normal &normal, unsigned lane,
                                           const near_type &near, real here, real *state)
{
    const struct layer_row_side &side = layer.side[normal.side];
    const int axis = normal.outward >> 1;
    const auto along = near.step(axis), out = normal.outward & 1 ? along : -along;
    real inwards = 0, outwards = 0;
    if (normal.shares) {
        const auto one = near.step((axis + 1) % 3), other = near.step((axis + 2) % 3);
#pragma unroll /* the twelve values are fetched at once */
        for (int k = 0; k < 4; ++k) {
            const auto across = k < 2 ? one : other, beside = k & 1 ? near.here + across : near.here - across;
            const real by = near(beside);
            inwards += (real)side.share[0][k][lane] * (by - near(beside - out));
            outwards += (real)side.share[1][k][lane] * (near(beside + out) - by);
        }
    }
    const real in = scheme_layer_flow((real)side.weight[0][lane], here - near(near.here - out), inwards),
               away = scheme_layer_flow((real)side.weight[1][lane], near(near.here + out) - here, outwards);
    scheme_layer_of<real> terms;
    const real *term = layer.terms + (size_t)normal.depths * LAYER_TERMS * LAYER_LANES + lane;
    decltype(&terms.node) const filter[] = {&terms.link[0], &terms.link[1], &terms.node};
#pragma unroll
    for (int f = 0; f < 3; ++f, term += 3 * LAYER_LANES)
        *filter[f] = {term[0], term[LAYER_LANES], term[2 * LAYER_LANES]};
    return scheme_layer(&terms, in, away, state);
}

/** The entries of a lane among the walls first .. last-1 of its row. All lanes then push at once. */
template <typename real>
__device__ __forceinline__ layer_entries find_entries(const gpu_layer<real> &layer, uint32_t first,
                                                      uint32_t last, unsigned lane)
{
    layer_entries found = {};
    for (uint32_t w = first; w < last; ++w) {
        const struct layer_row_wall wall = layer.wall[w];
        if (wall.lane == lane)
            found = {wall.entry, wall.held, wall.count};
    }
    return found;
}

template <typename real>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    layer_hold_kernel(gpu_layer<real> layer, gpu_walls<real> walls, const real *u_old)
{
    if (blockIdx.x < layer.column_ctas) {
        hold_columns(layer.columns, walls, u_old, list_item());
        return;
    }
    const uint64_t n = list_item() - (uint64_t)layer.column_ctas * GPU_LAUNCH_THREADS;
    const unsigned lane = (unsigned)(n % LAYER_LANES);
    if (n >= layer.rows * LAYER_LANES)
        return;
    const struct layer_row *const row = layer.row + n / LAYER_LANES;
    if ((row[0].lanes >> lane & 1u) == 0)
        return;
    layer.held[n] = u_old[row[0].index + lane];
    const layer_entries entries = find_entries(layer, row[0].wall, row[1].wall, lane);
    hold_walls(entries, walls, layer.held_walls + entries.held);
}

template <typename real, class near_type, class units_type>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS, sizeof(real) == sizeof(float) ? 8 : 4)
    layer_kernel(gpu_layer<real> layer, gpu_walls<real> walls, units_type units, const real *u, real *u_new)
{
    if (blockIdx.x < layer.column_ctas) {
        step_columns(layer.columns, walls, layer.place, units, u, u_new, list_item());
        return;
    }
    const uint64_t n = list_item() - (uint64_t)layer.column_ctas * GPU_LAUNCH_THREADS;
    const unsigned lane = (unsigned)(n % LAYER_LANES);
    struct layer_row row = {};
    if (n < layer.rows * LAYER_LANES)
        row = layer.row[n / LAYER_LANES];
    const bool there = (row.lanes >> lane & 1u) != 0 && units(row.index);
    real *const first = layer.state + (size_t)row.first * LAYER_STATES * LAYER_LANES + lane;
    layer_states<real> state = {};
    real held = 0, loss = 0;
    uint32_t end = 0;
    layer_entries entries = {};
    if (there) {
        state.load(first);
        held = layer.held[n];
        loss = layer.loss[n];
        end = layer.row[n / LAYER_LANES + 1].first;
        entries = find_entries(layer, row.wall, layer.row[n / LAYER_LANES + 1].wall, lane);
    }
    wait_for_step();
    if (!there)
        return;
    const near_type near(layer, row, lane, u);
    const uint64_t at = row.index + lane;
    const real here = u[at], moved = u_new[at], y = moved - held;
    real sum = 0, *from = first;
    for (uint32_t k = row.first; k < end; ++k, from += LAYER_STATES * LAYER_LANES) {
        if (k > row.first)
            state.load(from);
        const struct layer_row_normal normal = layer.normal[k];
        sum += pull_layer(layer, normal, lane, near, here, state.value);
        state.store(from);
    }
    const real *const weight = layer.weight + (size_t)row.weight * 2 * LAYER_LANES + lane;
    const real push = scheme_layer_push(weight[0], sum, -weight[LAYER_LANES], y);
    layer.loss[n] = scheme_layer_loss(loss, push, y);
    u_new[at] = moved + push;
    layer.held[n] = here;
    if (entries.walls > 0) {
        push_walls(entries, walls, layer.held_walls + entries.held, y, push);
        hold_walls(entries, walls, layer.held_walls + entries.held);
    }
}

/** Threads of a launch. */
template <typename real> uint64_t layer_threads(const gpu_layer<real> &layer)
{
    return (uint64_t)layer.column_ctas * GPU_LAUNCH_THREADS + layer.rows * LAYER_LANES;
}

template <typename real>
cudaError_t step_layer_before(const gpu_layer<real> &layer, const gpu_walls<real> &walls, const real *u_old,
                              cudaStream_t stream)
{
    return launch_list(layer_hold_kernel<real>, layer_threads(layer), false, stream, layer, walls, u_old);
}

/** `overlap` as for launch_step(). */
template <typename real, class units_type = gpu_all_units>
cudaError_t step_layer_after(const gpu_layer<real> &layer, const gpu_walls<real> &walls, const real *u,
                             real *u_new, bool overlap, cudaStream_t stream,
                             const units_type &units = units_type())
{
    const auto kernel = layer.in_box ? layer_kernel<real, layer_in_box<real>, units_type>
                                     : layer_kernel<real, layer_in_block<real>, units_type>;
    return launch_list(kernel, layer_threads(layer), overlap, stream, layer, walls, units, u, u_new);
}

#endif
