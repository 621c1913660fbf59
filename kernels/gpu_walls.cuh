/** Walls that remember, inside a step: the states of their branches, updated in their block's own pass.
 *
 *   planes     a lane that comes upon a wall node leaves v in its place of u_old and d + v in aside[], at the
 *              node's place in the compact list, which ballots tell: nothing is searched for
 *   nodes      then the same threads take one node of the list each, whatever rows these stand in: they
 *              ask the node's entries one after the other (scheme_wall_pull), write the new pressure and
 *              what each entry remembers of it (scheme_wall_keep)
 *   states     in planes, V and then g of each branch, so that nodes side by side in the list are side by
 *              side in memory; up to six branches wait in registers from the question to the answer
 *
 * So no thread looks at a pressure a second time but those of wall nodes, at once, and no step of walls
 * follows the step. Rooms whose walls have no states take gpu_room and gpu_box, and none of this.
 */
#ifndef KERNELS_GPU_WALLS_CUH
#define KERNELS_GPU_WALLS_CUH

#include "kernels/gpu_taps.cuh"

/* A node in one word: where it stands in its block or stretch of a row, the first of its entries counted from
 * that of the block or stretch, and how many more it has. */
#define GPU_NODE_PLACE_BITS 9
#define GPU_NODE_ENTRY_BITS 12
#define GPU_NODE_ENTRY      GPU_NODE_PLACE_BITS
#define GPU_NODE_MORE       (GPU_NODE_PLACE_BITS + GPU_NODE_ENTRY_BITS)

__host__ __device__ __forceinline__ uint32_t gpu_node_word(uint32_t place, uint32_t entry, uint32_t more)
{
    return place | entry << GPU_NODE_ENTRY | more << GPU_NODE_MORE;
}

template <typename real> struct scheme_material_of;
template <> struct scheme_material_of<float> {
    using type = struct scheme_material_f32;
};
template <> struct scheme_material_of<double> {
    using type = struct scheme_material_f64;
};

/** Device pointers, borrowed. A unit is a block by id, or a stretch of a row of the box. */
template <typename real> struct gpu_walls {
    const uint64_t *entry_first; /* (units + 1) */
    const uint32_t *node;        /* (wall nodes) gpu_node_word() */
    const uint16_t *row;         /* (entries) of `material` */
    const real *share;           /* (entries) */
    const typename scheme_material_of<real>::type *material;
    real *state;              /* (2 branches, stride) */
    uint64_t stride, springs; /* from one branch's V to the next, and from V to g */
    real *loss;               /* (entries); NULL without a ledger */
    real *aside;              /* (wall nodes) d + v of the step */
};

/** A room whose walls remember; q is not looked at, but points at `walls.aside`, which has as many. */
template <typename real> struct gpu_remembering_room : gpu_room<real> {
    static constexpr bool remembers = true;
    struct gpu_walls<real> walls;
};

__device__ __forceinline__ float wall_pull(const struct scheme_material_f32 *material, unsigned branches,
                                           const float *state, uint64_t stride, uint64_t springs, float dv,
                                           float *change)
{
    return scheme_wall_pull_of_f32(material, branches, state, stride, springs, dv, change);
}
__device__ __forceinline__ double wall_pull(const struct scheme_material_f64 *material, unsigned branches,
                                            const double *state, uint64_t stride, uint64_t springs, double dv,
                                            double *change)
{
    return scheme_wall_pull_of_f64(material, branches, state, stride, springs, dv, change);
}
__device__ __forceinline__ float wall_keep(const struct scheme_material_f32 *material, unsigned branches,
                                           float *state, uint64_t stride, uint64_t springs, float y,
                                           float change, float loss)
{
    return scheme_wall_keep_of_f32(material, branches, state, stride, springs, y, change, loss);
}
__device__ __forceinline__ double wall_keep(const struct scheme_material_f64 *material, unsigned branches,
                                            double *state, uint64_t stride, uint64_t springs, double y,
                                            double change, double loss)
{
    return scheme_wall_keep_of_f64(material, branches, state, stride, springs, y, change, loss);
}
__device__ __forceinline__ void wall_push(const struct scheme_material_f32 *material, float *state,
                                          uint64_t stride, uint64_t springs, float push)
{
    scheme_wall_push_f32(material, state, stride, springs, push);
}
__device__ __forceinline__ void wall_push(const struct scheme_material_f64 *material, double *state,
                                          uint64_t stride, uint64_t springs, double push)
{
    scheme_wall_push_f64(material, state, stride, springs, push);
}
__device__ __forceinline__ float wall_take(float w, float share, float pull)
{
    return scheme_wall_take_f32(w, share, pull);
}
__device__ __forceinline__ double wall_take(double w, double share, double pull)
{
    return scheme_wall_take_f64(w, share, pull);
}
__device__ __forceinline__ float air_move(float d, float sum, float lambda2)
{
    return scheme_move_f32(d, sum, lambda2);
}
__device__ __forceinline__ double air_move(double d, double sum, double lambda2)
{
    return scheme_move_f64(d, sum, lambda2);
}

/** What a node of any kind leaves in u_old: the new pressure, or v at a wall; d + v goes to *dv. */
template <typename real>
__device__ __forceinline__ real start_node(real u, real u_old, uint32_t links, real xm, real xp, real ym,
                                           real yp, real zm, real zp, real lambda2, bool wall, real *dv)
{
    const real sum =
        sum_of(links & 1u ? xm - u : real(0), links & 2u ? xp - u : real(0), links & 4u ? ym - u : real(0),
               links & 8u ? yp - u : real(0), links & 16u ? zm - u : real(0), links & 32u ? zp - u : real(0));
    const real d = u - u_old, v = air_move(d, sum, lambda2);
    *dv = d + v;
    return wall ? v : u + v;
}

/** Four nodes of any kind, of which `bits` are at walls. `aside` is the place of the lane's first wall node.
 * `ours`: no other CTA steps this block. */
template <typename real>
__device__ __forceinline__ four<real> start_mixed(const four<real> &u, const four<real> &u_old,
                                                  const around<real> &near, uint32_t links, uint32_t bits,
                                                  real lambda2, real *aside, bool ours)
{
    four<real> next;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        real dv;
        next.v[i] = start_node(u.v[i], u_old.v[i], links >> (8 * i), near.xm.v[i], near.xp.v[i], near.ym.v[i],
                               near.yp.v[i], near.zm.v[i], near.zp.v[i], lambda2, (bits >> i & 1u) != 0, &dv);
        if (ours && (bits >> i & 1u) != 0)
            aside[__popc(bits & ((1u << i) - 1u))] = dv;
    }
    return next;
}

/** An entry that is its node's only one, with all its states in registers: new pressure to *u_old, which
 * holds v. Materials have zeros past their own branches, up to MOST. */
template <int MOST, enum access CACHE, typename real>
__device__ __forceinline__ void finish_entry(const gpu_walls<real> &walls, uint64_t entry, real v, real dv,
                                             const real *u, real *u_old)
{
    const auto *const material = walls.material + __ldg(walls.row + entry);
    const unsigned branches = material->branches;
    real *const there = walls.state + entry;
    real state[2 * MOST], change = 0;
#pragma unroll
    for (int m = 0; m < MOST; ++m) {
        state[m] = m < branches ? there[m * walls.stride] : real(0);
        state[MOST + m] = m < branches ? there[walls.springs + m * walls.stride] : real(0);
    }
    const real share = __ldg(walls.share + entry), here = load_wide<CACHE>(u);
    real loss = walls.loss != nullptr ? walls.loss[entry] : real(0);
    const real pull = wall_pull(material, MOST, state, 1, MOST, dv, &change), w = wall_take(v, share, pull);
    *u_old = here + w;
    loss = wall_keep(material, MOST, state, 1, MOST, (dv - v) + w, change, loss);
#pragma unroll
    for (int m = 0; m < MOST; ++m)
        if (m < branches) {
            there[m * walls.stride] = state[m];
            there[walls.springs + m * walls.stride] = state[MOST + m];
        }
    if (walls.loss != nullptr)
        walls.loss[entry] = loss;
}

/** Finish wall node `node`, one of a unit whose entries start at `entries` and whose pressures at `u` and
 * `u_old`. What other threads have left there must be visible to this one. */
template <enum access CACHE, typename real>
__device__ __forceinline__ void finish_node(const gpu_walls<real> &walls, uint64_t node, uint64_t entries,
                                            const real *u, real *u_old)
{
    const uint32_t word = __ldg(walls.node + node), place = word & ((1u << GPU_NODE_PLACE_BITS) - 1u),
                   more = word >> GPU_NODE_MORE;
    const uint64_t first = entries + (word >> GPU_NODE_ENTRY & ((1u << GPU_NODE_ENTRY_BITS) - 1u));
    const real v = __ldcg(u_old + place), dv = __ldcg(walls.aside + node);
    real w = v, change = 0;
    if (more == 0 && walls.springs <= 6 * walls.stride) {
        finish_entry<6, CACHE>(walls, first, v, dv, u + place, u_old + place);
        return;
    }
    for (uint32_t k = 0; k <= more; ++k) {
        const uint64_t entry = first + k;
        const auto *const material = walls.material + __ldg(walls.row + entry);
        const real pull = wall_pull(material, material->branches, walls.state + entry, walls.stride,
                                    walls.springs, dv, &change);
        w = wall_take(w, __ldg(walls.share + entry), pull);
    }
    u_old[place] = load_wide<CACHE>(u + place) + w;
    const real y = (dv - v) + w;
    for (uint32_t k = 0; k <= more; ++k) {
        const uint64_t entry = first + k;
        const auto *const material = walls.material + __ldg(walls.row + entry);
        real *const state = walls.state + entry;
        if (more != 0) /* of the last entry it is known; the states have not changed */
            (void)wall_pull(material, material->branches, state, walls.stride, walls.springs, dv, &change);
        const real loss = wall_keep(material, material->branches, state, walls.stride, walls.springs, y,
                                    change, walls.loss != nullptr ? walls.loss[entry] : real(0));
        if (walls.loss != nullptr)
            walls.loss[entry] = loss;
    }
}

/** A source has moved wall node `node` by `push` after its step. */
template <typename real>
__device__ __forceinline__ void push_node(const gpu_walls<real> &walls, uint64_t node, uint64_t entries,
                                          real push)
{
    const uint32_t word = __ldg(walls.node + node);
    const uint64_t first = entries + (word >> GPU_NODE_ENTRY & ((1u << GPU_NODE_ENTRY_BITS) - 1u));
    for (uint32_t k = 0; k <= word >> GPU_NODE_MORE; ++k)
        wall_push(walls.material + __ldg(walls.row + first + k), walls.state + first + k, walls.stride,
                  walls.springs, push);
}

/** What drive() does besides where it moves node i of a thread whose wall nodes are `bits`, the first of them
 * `node`. */
template <typename real> struct push_walls {
    const gpu_walls<real> &walls;
    uint64_t node, entries;
    uint32_t bits;
    __device__ __forceinline__ void operator()(int i, real moved) const
    {
        if ((bits >> i & 1u) != 0)
            push_node(walls, node + (uint64_t)__popc(bits & ((1u << i) - 1u)), entries, moved);
    }
};

/** Wall nodes of the blocks of one CTA, in its shared memory. */
template <int BLOCKS> struct wall_share {
    uint64_t node[BLOCKS], entry[BLOCKS];
    uint32_t id[BLOCKS], count[BLOCKS];
};

/** Finish the wall nodes of all blocks of a CTA, each thread taking every blockDim.x-th of them. `block`:
 * which of them the thread has stepped; one thread of each `leads`; `walled`: it has walls and is ours. All
 * threads take part. */
template <enum access CACHE, int BLOCKS, typename real>
__device__ __forceinline__ void finish_blocks(const gpu_remembering_room<real> &room,
                                              struct wall_share<BLOCKS> *share, uint32_t block, bool leads,
                                              uint32_t id, bool walled, const real *u, real *u_old)
{
    if (leads) {
        const uint64_t first = walled ? __ldg(room.wall_first + id) : 0;
        share->node[block] = first;
        share->count[block] = walled ? (uint32_t)(__ldg(room.wall_first + id + 1) - first) : 0;
        share->entry[block] = walled ? __ldg(room.walls.entry_first + id) : 0;
        share->id[block] = id;
    }
    if (!__syncthreads_or(walled)) /* after it, what the planes left is there for all */
        return;
    uint32_t n = threadIdx.x, b = 0;
    for (;;) {
        while (b < BLOCKS && n >= share->count[b])
            n -= share->count[b++];
        if (b == BLOCKS)
            break;
        const size_t at = block_index(share->id[b]);
        finish_node<CACHE>(room.walls, share->node[b] + n, share->entry[b], u + at, u_old + at);
        n += blockDim.x;
    }
}

#endif
