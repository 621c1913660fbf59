/** Columns of the layer behind open faces on a device (gpu_layer.cuh): a thread a column, outwards through
 * the nodes of a block that are behind one face.
 *
 *   group   up to 64 columns of a block with the same coefficients: x fastest, or y where columns go along x
 *   link    its flow, and its filter with its state, serve both of its nodes: 5 pressures, 8 coefficients and
 *           2 states a node instead of 15, 33 and 3
 *
 * Traffic in single precision: a node 44 bytes (u; u_new, held, loss, two states twice).
 */
#ifndef KERNELS_GPU_COLUMNS_CUH
#define KERNELS_GPU_COLUMNS_CUH

#include "kernels/cuda/step/gpu_sheets.cuh"
#include "kernels/scheme/layer_tables.h"

#define COLUMNS_OF_GROUP 64u

template <typename real>
using scheme_filter_of =
    std::conditional_t<sizeof(real) == sizeof(float), struct scheme_filter_f32, struct scheme_filter_f64>;

/** From the innermost node outwards; those past the last are 0. */
template <typename real> struct layer_column_terms {
    struct alignas(16) {
        real weight;
        scheme_filter_of<real> filter;
        real share[4];
    } link[LAYER_CELLS + 1];
    struct alignas(16) {
        real gain;
        scheme_filter_of<real> filter;
        real damp;
    } node[LAYER_CELLS];
};

/** The entries of a node, as hold_walls() and push_walls() take them. None: `walls` is 0. */
struct layer_entries {
    uint64_t wall, held;
    uint32_t walls;
};

struct layer_columns {
    uint64_t index;  /* pressure index of the block's first node */
    uint64_t which;  /* columns that exist */
    uint64_t first;  /* node of its first column, in units of 64 of held and loss .. */
    uint64_t states; /* .. and of its first state: links from `link` on, then nodes */
    uint32_t terms, place;
    uint8_t outward, inner, nodes, shares; /* direction, place of the innermost node along it, count */
    uint8_t link, links;                   /* those with a state */
    uint8_t walled;                        /* are the outermost nodes at walls with states? .. */
    uint32_t entries;                      /* .. then these are theirs, in units of 64 */
};

/** Device pointers. */
template <typename real> struct gpu_columns {
    uint64_t groups;
    const struct layer_columns *group;
    const layer_column_terms<real> *terms;
    const struct layer_entries *entries;
    real *state, *loss, *held, *held_walls;
};

/** Where a column and the four beside it are. */
template <typename real> struct column_around {
    const real *u;
    const struct layer_place *place;
    int block[5], slot[5], axis;

    static __device__ __forceinline__ int power(int axis)
    {
        return axis == 0 ? 1 : axis == 1 ? 3 : 9;
    }
    __device__ __forceinline__ column_around(const struct layer_columns &group,
                                             const struct layer_place *places, unsigned column,
                                             const real *u_)
        : u(u_), place(places + group.place), axis(group.outward >> 1)
    {
        const int low = axis == 0 ? 1 : 0;
        const int at[2] = {(int)(column & 7u), (int)(column >> 3)};
        block[0] = 13;
        slot[0] = at[0] << 3 * low | at[1] << 3 * (axis == 2 ? 1 : 2);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int across = (axis + 1 + (k >> 1)) % 3, way = k & 1 ? 1 : -1;
            const bool leaves = (across == low ? at[0] : at[1]) == (k & 1 ? 7 : 0);
            block[k + 1] = 13 + (leaves ? way * power(across) : 0);
            slot[k + 1] = slot[0] + ((leaves ? -7 * way : way) << 3 * across);
        }
    }
    /* Of a plane -1 .. 8 along the axis. */
    __device__ __forceinline__ const real *at(int k, int plane) const
    {
        const int past = plane < 0 ? -power(axis) : plane > 7 ? power(axis) : 0;
        return u + (uint64_t)place->block[block[k] + past] * BLOCK_NODES + slot[k] +
               ((plane & 7) << 3 * axis);
    }
};

template <typename real, class units_type>
__device__ __forceinline__ void step_columns(const gpu_columns<real> &columns, const gpu_walls<real> &walls,
                                             const struct layer_place *places, const units_type &units,
                                             const real *__restrict__ u, real *__restrict__ u_new, uint64_t n)
{
    const unsigned column = (unsigned)(n % COLUMNS_OF_GROUP);
    struct layer_columns group = {};
    if (n / COLUMNS_OF_GROUP < columns.groups)
        group = columns.group[n / COLUMNS_OF_GROUP];
    const bool there = (group.which >> column & 1) != 0 && units(group.index);
    wait_for_step();
    if (!there)
        return;
    const layer_column_terms<real> &terms = columns.terms[group.terms];
    const int nodes = group.nodes, way = group.outward & 1 ? 1 : -1, axis = group.outward >> 1;
    real *link_state = columns.state + group.states * COLUMNS_OF_GROUP + column,
         *state = link_state + group.links * COLUMNS_OF_GROUP;
    real *loss = columns.loss + group.first * COLUMNS_OF_GROUP + column,
         *held = columns.held + group.first * COLUMNS_OF_GROUP + column;
    const column_around<real> near(group, places, column, u);
    const int64_t step = way * (1 << 3 * axis);
    real *to = u_new + group.index + near.slot[0] + (group.inner - way) * (1 << 3 * axis);
    const real *inside[5];
    real before[5] = {}, beyond[5] = {}, in = 0, inner = 0, y = 0, push = 0;
#pragma unroll
    for (int k = 0; k < 5; ++k)
        if (k == 0 || group.shares) {
            inside[k] = near.at(k, group.inner);
            before[k] = *near.at(k, group.inner - way);
            beyond[k] = *near.at(k, group.inner + way * nodes);
        }
    for (int j = 0; j <= nodes; ++j, to += step) {
        real now[5], moved = 0, was = 0, lost = 0, memory = 0, remembered = 0;
        const bool remembers = (unsigned)(j - group.link) < group.links;
#pragma unroll
        for (int k = 0; k < 5; ++k)
            if (k == 0 || group.shares) {
                now[k] = beyond[k];
                if (j < nodes)
                    now[k] = *inside[k];
                inside[k] += step;
            }
        if (remembers)
            remembered = *link_state;
        if (j > 0) {
            memory = *state;
            was = *held;
            lost = *loss;
            moved = *to;
        }
        const auto link = terms.link[j];
        real beside = 0;
        if (group.shares)
#pragma unroll
            for (int k = 0; k < 4; ++k)
                beside += link.share[k] * (now[k + 1] - before[k + 1]);
        const real away = scheme_layer_flow(link.weight, now[0] - before[0], beside),
                   outer = scheme_filter(&link.filter, away, &remembered);
        if (remembers) {
            *link_state = remembered;
            link_state += COLUMNS_OF_GROUP;
        }
        if (j > 0) {
            const auto node = terms.node[j - 1];
            const real sum = real(0) + scheme_layer_node(&node.filter, in, away, outer - inner, &memory);
            y = moved - was;
            push = scheme_layer_push(node.gain, sum, node.damp, y);
            *state = memory;
            *loss = scheme_layer_loss(lost, push, y);
            *held = before[0];
            *to = moved + push;
            state += COLUMNS_OF_GROUP;
            loss += COLUMNS_OF_GROUP;
            held += COLUMNS_OF_GROUP;
        }
        in = away;
        inner = outer;
#pragma unroll
        for (int k = 0; k < 5; ++k)
            before[k] = now[k];
    }
    if (group.walled) {
        const struct layer_entries entries =
            columns.entries[(uint64_t)group.entries * COLUMNS_OF_GROUP + column];
        push_walls(entries, walls, columns.held_walls + entries.held, y, push);
        hold_walls(entries, walls, columns.held_walls + entries.held);
    }
}

/** Before a step: keep u_old. */
template <typename real>
__device__ __forceinline__ void hold_columns(const gpu_columns<real> &columns, const gpu_walls<real> &walls,
                                             const real *u_old, uint64_t n)
{
    const unsigned column = (unsigned)(n % COLUMNS_OF_GROUP);
    if (n / COLUMNS_OF_GROUP >= columns.groups)
        return;
    const struct layer_columns &group = columns.group[n / COLUMNS_OF_GROUP];
    const int axis = group.outward >> 1, step = (group.outward & 1 ? 1 : -1) << 3 * axis;
    if ((group.which >> column & 1) == 0)
        return;
    const real *const from = u_old + group.index + (group.inner << 3 * axis) +
                             ((column & 7u) << (axis == 0 ? 3 : 0) | (column >> 3) << (axis == 2 ? 3 : 6));
    for (int j = 0; j < group.nodes; ++j)
        columns.held[(group.first + j) * COLUMNS_OF_GROUP + column] = from[j * step];
    if (group.walled) {
        const struct layer_entries entries =
            columns.entries[(uint64_t)group.entries * COLUMNS_OF_GROUP + column];
        hold_walls(entries, walls, columns.held_walls + entries.held);
    }
}

#endif
