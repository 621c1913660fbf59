/** Conformal walls: cut nodes, with openings and a mass of their own (../../scheme/scheme.h).
 *
 *   blocks   a plane of a tile has in four words which of its nodes are open, cut and at walls: a lane reads
 *            these instead of link bytes and knows its records and its wall nodes by counting bits, without
 *            ballots
 *   box      the same by node, in the bytes that are link bytes elsewhere, and by ballots
 *   records  openings and gain, 12 bytes a cut node, side by side by block or by stretch of a row
 *   linked   nodes with extra links are left alone by the step and taken by a launch of their own after it, a
 *            thread each: it finishes them, or leaves v and d + v for the walls' launch as the step does
 *
 * Rooms with staircase walls use none of this.
 */
#ifndef KERNELS_GPU_CUTS_CUH
#define KERNELS_GPU_CUTS_CUH

#include "kernels/cuda/step/gpu_walls.cuh"

#define GPU_CUT_LINKED 1u /* in cut_cell.reserved: the node has extra links */

/** Nodes of a plane of a tile, bit x + 8y, and how many the planes below it have. */
struct alignas(16) gpu_plane {
    uint64_t open; /* wholly open and no cut nodes */
    uint64_t cut, wall;
    uint32_t cuts_below, walls_below;
};
static_assert(sizeof(struct gpu_plane) == 32, "kernels read a plane as two 16-byte words");

/** A node with extra links, for a thread of their launch. */
struct alignas(16) gpu_linked_node {
    uint64_t place;
    uint64_t beside[6]; /* where `open` is not 0 */
    uint64_t first;     /* of its extra links */
    uint64_t wall;      /* which of the wall nodes it is, or GPU_NO_WALL */
    uint32_t links;
    float gain;
    uint8_t open[8]; /* six of them */
};
static_assert(sizeof(struct gpu_linked_node) == 96, "bytes of a node with extra links");
#define GPU_NO_WALL UINT64_MAX

struct gpu_link {
    uint64_t place; /* of the other end */
    int64_t weight; /* open; 6 open - crossed of the isotropic scheme */
};

/** Device pointers, borrowed. */
struct gpu_cuts {
    const struct gpu_plane *plane; /* (tiles, 8) blocks */
    const uint64_t *first;         /* (units + 1) records before a block or a stretch of a row */
    const uint2 *cell;             /* (records) struct cut_cell */
    const float *gain;             /* (records) */
    uint32_t linked;
    const struct gpu_linked_node *node; /* (linked) */
    const struct gpu_link *link;
};

/** A room, or a box, with conformal walls. */
template <class room_type> struct gpu_cut : room_type {
    static constexpr bool is_cut = true;
    struct gpu_cuts cuts;
};

/** A room or a box with conformal walls. */
template <class room_type> gpu_cut<room_type> gpu_cut_of(const room_type &room, const gpu_cuts &cuts)
{
    gpu_cut<room_type> out = {};
    static_cast<room_type &>(out) = room;
    out.cuts = cuts;
    return out;
}

__device__ __forceinline__ struct gpu_plane load_plane(const struct gpu_plane *from)
{
    const ulonglong2 *const words = reinterpret_cast<const ulonglong2 *>(from);
    const ulonglong2 a = __ldg(words), b = __ldg(words + 1);
    return {a.x, a.y, b.x, (uint32_t)b.y, (uint32_t)(b.y >> 32)};
}

/** The kinds and records of the nodes of a lane: bit i of a word is node i. */
template <int WIDTH> struct cut_nodes {
    uint32_t open, cut, wall, linked;
    uint64_t first_wall; /* which of the wall nodes the lane's first is */
    uint2 cell[WIDTH];
    float gain[WIDTH];
};

/** Records of the nodes whose kinds are known, from `first` on. */
template <int WIDTH>
__device__ __forceinline__ void load_cells(const gpu_cuts &cuts, uint64_t first, cut_nodes<WIDTH> *nodes)
{
    nodes->linked = 0;
#pragma unroll
    for (int i = 0; i < WIDTH; ++i) {
        const bool cut = (nodes->cut >> i & 1u) != 0;
        const uint64_t record = first + (uint64_t)__popc(nodes->cut & ((1u << i) - 1u));
        nodes->cell[i] = cut ? __ldg(cuts.cell + record) : make_uint2(0, 0);
        nodes->gain[i] = cut ? __ldg(cuts.gain + record) : 0.0f;
        nodes->linked |= (nodes->cell[i].y >> 24 & GPU_CUT_LINKED) << i;
    }
}

/** Four nodes of a plane from bit `shift` on, in a block whose records and wall nodes start at `first_cut`
 * and `first_wall`. */
__device__ __forceinline__ cut_nodes<4> plane_nodes(const gpu_cuts &cuts, const struct gpu_plane &plane,
                                                    unsigned shift, uint64_t first_cut, uint64_t first_wall)
{
    const uint64_t below = (UINT64_C(1) << shift) - 1u;
    cut_nodes<4> nodes;
    nodes.open = (uint32_t)(plane.open >> shift) & 15u;
    nodes.cut = (uint32_t)(plane.cut >> shift) & 15u;
    nodes.wall = (uint32_t)(plane.wall >> shift) & 15u;
    nodes.first_wall = first_wall + plane.walls_below + (uint64_t)__popcll(plane.wall & below);
    load_cells(cuts, first_cut + plane.cuts_below + (uint64_t)__popcll(plane.cut & below), &nodes);
    return nodes;
}

/** Nodes that the step neither finishes nor drives. */
template <class room_type, int WIDTH>
__device__ __forceinline__ uint32_t left_by_step(const cut_nodes<WIDTH> &nodes)
{
    return nodes.linked | (room_type::has_states ? nodes.wall : 0u);
}

/** The value that node i writes to u_old. `ours`: no other CTA steps it. */
template <class room_type, typename real, int WIDTH>
__device__ __forceinline__ real step_cut_node(const room_type &room, const cut_nodes<WIDTH> &nodes, int i,
                                              real u, real u_old, real xm, real xp, real ym, real yp, real zm,
                                              real zp, bool ours)
{
    real sum = 0, weight = room.lambda2;
    if ((nodes.cut >> i & 1u) != 0) {
        const uint32_t a = nodes.cell[i].x, b = nodes.cell[i].y;
        sum = scheme_sum(scheme_link(a & 0xFFu, xm, u), scheme_link(a >> 8 & 0xFFu, xp, u),
                         scheme_link(a >> 16 & 0xFFu, ym, u), scheme_link(a >> 24, yp, u),
                         scheme_link(b & 0xFFu, zm, u), scheme_link(b >> 8 & 0xFFu, zp, u));
        weight = (real)nodes.gain[i];
    } else if ((nodes.open >> i & 1u) != 0) {
        sum = scheme_sum(xm - u, xp - u, ym - u, yp - u, zm - u, zp - u);
    }
    const real d = u - u_old, v = scheme_move(d, sum, weight), dv = d + v;
    if ((nodes.linked >> i & 1u) != 0)
        return u_old;
    if ((nodes.wall >> i & 1u) == 0)
        return u + v;
    const uint64_t wall = nodes.first_wall + (uint64_t)__popc(nodes.wall & ((1u << i) - 1u));
    if constexpr (room_type::has_states) {
        if (ours)
            room.walls.aside[wall] = dv;
        return v;
    } else {
        return scheme_wall(u, v, dv, __ldg(room.q + wall));
    }
}

/** Four nodes of a row of a block. */
template <class room_type, typename real>
__device__ __forceinline__ four<real> step_cuts(const room_type &room, const cut_nodes<4> &nodes,
                                                const four<real> &u, const four<real> &u_old,
                                                const around<real> &near, bool ours)
{
    four<real> next;
#pragma unroll
    for (int i = 0; i < 4; ++i)
        next.v[i] = step_cut_node(room, nodes, i, u.v[i], u_old.v[i], near.xm.v[i], near.xp.v[i],
                                  near.ym.v[i], near.yp.v[i], near.zm.v[i], near.zp.v[i], ours);
    return next;
}

/** The value that a link leads to, where it is open. */
template <typename real>
__device__ __forceinline__ real load_beside(const real *u, uint64_t place, unsigned open)
{
    return open != 0 ? u[place] : real(0);
}

template <typename real, class room_type>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    linked_kernel(room_type room, gpu_taps<real> taps, const real *u, real *u_old)
{
    const uint32_t n = blockIdx.x * GPU_LAUNCH_THREADS + threadIdx.x;
    const bool any = n < room.cuts.linked;
    struct gpu_linked_node node = {};
    uint32_t first_drive = 0;
    if (any) {
        node = room.cuts.node[n];
        first_drive = find_drive(taps, node.place);
    }
    wait_for_step();
    if (!any)
        return;
    real link[6], extra = 0;
    const real here = u[node.place], d = here - __ldcg(u_old + node.place), gain = (real)node.gain;
#pragma unroll
    for (int k = 0; k < 6; ++k)
        link[k] = scheme_link(node.open[k], load_beside(u, node.beside[k], node.open[k]), here);
    real v = scheme_move(d, scheme_sum(link[0], link[1], link[2], link[3], link[4], link[5]), gain);
    for (uint32_t k = 0; k < node.links; ++k) {
        const struct gpu_link to = room.cuts.link[node.first + k];
        const real more = scheme_weighted((int)to.weight, u[to.place], here);
        extra = k > 0 ? extra + more : more;
    }
    if (node.links > 0)
        v = scheme_move(v, extra, gain);
    const real dv = d + v;
    if constexpr (room_type::has_states) {
        if (node.wall != GPU_NO_WALL) {
            u_old[node.place] = v;
            room.walls.aside[node.wall] = dv;
            return;
        }
    }
    real next[1] = {scheme_wall(here, v, dv, node.wall != GPU_NO_WALL ? __ldg(room.q + node.wall) : real(0))};
    add_drives(taps, first_drive, node.place, next);
    u_old[node.place] = next[0];
}

/** The nodes with extra links, which a step has skipped. `overlap` as for launch_step(). */
template <typename real, class room_type>
cudaError_t step_linked_after(const room_type &room, const gpu_taps<real> &taps, const real *u, real *u_old,
                              bool overlap, cudaStream_t stream)
{
    return launch_list(linked_kernel<real, room_type>, room.cuts.linked, overlap, stream, room, taps, u,
                       u_old);
}

#endif
