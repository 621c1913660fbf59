/** The isotropic scheme in a bounding box, a z march as in step_box.
 *
 *   mapping    as there; of each plane a lane loads its own stretch and those of the rows beside it, and
 *              keeps u and the sums of faces and of edges for the plane below, its own and the one above
 *   bytes      13 a box node in single precision, 25 in double, also where there is no air; rows beside
 *              come from the first level, three loads a plane as there, but of the plane above
 *   cut nodes  by kind bytes and ballots as in gpu_cuts.cuh; a lane that has one loads its 18 neighbours
 *              again. Nodes with extra links and walls with states follow in launches of their own
 *   predicted  0.8 of copy over 13 bytes a box node: step_box made 0.89, and this has three times its sums
 *   measured   bits only so far (tests/cuda/test_device_cuts.c): no time yet
 */
#ifndef KERNELS_STEP_ISO_BOX_CUH
#define KERNELS_STEP_ISO_BOX_CUH

#include "kernels/cuda/step/gpu_iso.cuh"
#include "kernels/cuda/step/step_box.cuh"

/** Arrays of a box in addition to gpu_box.cuts. */
struct gpu_iso_records {
    const uint64_t *first; /* (stretches + 1) records before a stretch of a row */
    const uint4 *cut_first;
    const uint2 *cut_second;
    uint32_t linked;
    const struct gpu_iso_linked *node; /* .wall: which of the wall nodes */
    const struct gpu_link *link;
};

/** A box of either kind of walls; its lambda2 is lambda2 / 6. */
template <class box_type> struct gpu_iso_box : box_type {
    struct gpu_iso_records records;
};

/** A lane's stretch of a plane, and the sums of faces and edges in it about its nodes. */
template <typename real> struct box_sums {
    sixteen_bytes<real> u, faces, edges;
};

/** A stretch with the neighbours of its nodes. All lanes take part. */
template <typename real>
__device__ __forceinline__ void stretch_sides(const real *from, sixteen_bytes<real> *u,
                                              sixteen_bytes<real> *left, sixteen_bytes<real> *right)
{
    constexpr int WIDTH = 16 / (int)sizeof(real);
    const int lane = (int)threadIdx.x & 31;
    *u = load_sixteen(from);
    real outer = 0;
    if (lane == 0 || lane == 31)
        outer = __ldg(from + (lane == 0 ? -1 : WIDTH));
    const real xm = __shfl_up_sync(GPU_ALL_LANES, u->v[WIDTH - 1], 1),
               xp = __shfl_down_sync(GPU_ALL_LANES, u->v[0], 1);
#pragma unroll
    for (int i = 0; i < WIDTH; ++i) {
        left->v[i] = i > 0 ? u->v[i - 1] : lane == 0 ? outer : xm;
        right->v[i] = i < WIDTH - 1 ? u->v[i + 1] : lane == 31 ? outer : xp;
    }
}

/** @param from   the stretch in a plane of the box, not in the padding before or after it */
template <typename real>
__device__ __forceinline__ box_sums<real> sums_of_plane(const real *from, size_t pitch)
{
    constexpr int WIDTH = 16 / (int)sizeof(real);
    box_sums<real> out;
    sixteen_bytes<real> left, right, low, low_left, low_right, high, high_left, high_right;
    stretch_sides(from, &out.u, &left, &right);
    stretch_sides(from - pitch, &low, &low_left, &low_right);
    stretch_sides(from + pitch, &high, &high_left, &high_right);
#pragma unroll
    for (int i = 0; i < WIDTH; ++i) {
        const real c = out.u.v[i];
        out.faces.v[i] = scheme_plane(left.v[i] - c, right.v[i] - c, low.v[i] - c, high.v[i] - c);
        out.edges.v[i] =
            scheme_plane(low_left.v[i] - c, high_right.v[i] - c, low_right.v[i] - c, high_left.v[i] - c);
    }
    return out;
}

/** Index of neighbour k of a node, less the node's. */
__device__ __forceinline__ ptrdiff_t box_along(int k, ptrdiff_t pitch, ptrdiff_t plane)
{
    return iso_along(k, 0) + iso_along(k, 1) * pitch + iso_along(k, 2) * plane;
}

/** Cut node i of the lane, at u[at + i]. */
template <typename real, class box_type>
__device__ __forceinline__ real box_record(const box_type &box, const struct gpu_iso_cut &cut, size_t at,
                                           real old, bool at_walls, uint64_t wall, const real *u)
{
    const ptrdiff_t plane = (ptrdiff_t)box.nodes[1] * (ptrdiff_t)box.pitch;
    const real here = u[at], d = here - old;
    const real sum = record_sum(cut, here, [&](int k, int weight) {
        return weight != 0 ? __ldg(u + (ptrdiff_t)at + box_along(k, (ptrdiff_t)box.pitch, plane)) : real(0);
    });
    const real v = scheme_move(d, sum, (real)gain_of(cut)), dv = d + v;
    if ((mark_of(cut) & GPU_ISO_LINKED) != 0)
        return old;
    if (!at_walls)
        return here + v;
    if constexpr (box_type::has_states) {
        box.walls.aside[wall] = dv;
        return v;
    } else {
        return scheme_wall(here, v, dv, __ldg(box.q + wall));
    }
}

/** The 19-point stencil of a march (step_box.cuh). */
template <typename real> struct box_nineteen {
    static constexpr int WIDTH = 16 / (int)sizeof(real), STRETCH = box_stretch<real>(),
                         RESIDENTS = sizeof(real) == 4 ? 3 : 2, UNROLL = 1;
    box_sums<real> below, own, above;

    template <class box_type>
    __device__ __forceinline__ void start(const box_type &box, const real *from, size_t plane, int z_first)
    {
        below = {};
        own = sums_of_plane(from, box.pitch);
        if (z_first > 0)
            below = sums_of_plane(from - plane, box.pitch);
    }
    template <class box_type>
    __device__ __forceinline__ void rise(const box_type &box, const real *from, size_t plane, int z)
    {
        above = {};
        if (z + 1 < box.nodes[2])
            above = sums_of_plane(from + plane, box.pitch);
    }
    template <class box_type>
    __device__ __forceinline__ sixteen_bytes<real> step(const box_type &box, const real *u, size_t at,
                                                        uint32_t kinds, const sixteen_bytes<real> &old,
                                                        uint32_t *left_out) const
    {
        const uint32_t open = kind_bits<WIDTH>(kinds, GPU_BOX_OPEN),
                       cut = kind_bits<WIDTH>(kinds, GPU_BOX_CUT),
                       wall = kind_bits<WIDTH>(kinds, GPU_BOX_WALL);
        *left_out = box_type::has_states ? wall : 0u;
        sixteen_bytes<real> next;
#pragma unroll
        for (int i = 0; i < WIDTH; ++i) {
            const real c = own.u.v[i];
            const real moved_to =
                move_node(c, old.v[i],
                          scheme_isotropic_sum(own.faces.v[i], below.faces.v[i], above.faces.v[i],
                                               own.edges.v[i], (below.u.v[i] - c) + (above.u.v[i] - c)),
                          box.lambda2);
            next.v[i] = (open >> i & 1u) != 0 ? moved_to : old.v[i];
        }
        if (__any_sync(GPU_ALL_LANES, cut != 0) != 0) {
            const uint64_t first_wall =
                __ldg(box.wall_first + at / STRETCH) + (uint64_t)stretch_rank<real>(wall);
            const uint64_t first =
                __ldg(box.records.first + at / STRETCH) + (uint64_t)stretch_rank<real>(cut);
#pragma unroll
            for (int i = 0; i < WIDTH; ++i) {
                if ((cut >> i & 1u) == 0)
                    continue;
                const uint64_t record = first + (uint64_t)__popc(cut & ((1u << i) - 1u));
                const struct gpu_iso_cut it = {__ldg(box.records.cut_first + record),
                                               __ldg(box.records.cut_second + record)};
                next.v[i] = box_record(box, it, at + (size_t)i, old.v[i], (wall >> i & 1u) != 0,
                                       first_wall + (uint64_t)__popc(wall & ((1u << i) - 1u)), u);
                *left_out |= (mark_of(it) & GPU_ISO_LINKED) != 0 ? 1u << i : 0u;
            }
        }
        return next;
    }
    __device__ __forceinline__ void shift()
    {
        below = own;
        own = above;
    }
};

/** Nodes with extra links of the box, which its step has skipped. */
template <typename real, class box_type, class taps_type>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    iso_box_linked_kernel(box_type box, taps_type taps, const real *u, real *u_old)
{
    const uint32_t n = blockIdx.x * GPU_LAUNCH_THREADS + threadIdx.x;
    if (n >= box.records.linked)
        return;
    const struct gpu_iso_linked *const node = box.records.node + n;
    const uint64_t place = node->place;
    real dv;
    const real v = linked_move(node, box.records.link, u, u_old, &dv), here = u[place];
    const bool at_walls = node->wall != GPU_NO_WALL;
    if constexpr (box_type::has_states) {
        if (at_walls) {
            u_old[place] = v;
            box.walls.aside[node->wall] = dv;
            return;
        }
    }
    real next[1] = {at_walls ? scheme_wall(here, v, dv, __ldg(box.q + node->wall)) : here + v};
    add_drives(taps, find_drive(taps, place), place, next);
    u_old[place] = next[0];
}

/** All of a step but walls with states. */
template <typename real, class box_type, class taps_type>
cudaError_t step_iso_box(const box_type &box, const taps_type &taps, const real *u, real *u_old,
                         cudaStream_t stream)
{
    const cudaError_t code = launch_box<box_nineteen<real>>(box, taps, u, u_old, stream);
    return code != cudaSuccess ? code
                               : launch_list(iso_box_linked_kernel<real, box_type, taps_type>,
                                             box.records.linked, false, stream, box, taps, u, u_old);
}

#endif
