/** Frequency-dependent walls: a launch over all wall nodes after that over the blocks, or over the box.
 *
 *   step       a lane that comes upon a wall node leaves v in its place of u_old and d + v in aside[], at the
 *              node's place in the compact list, which ballots give without a search
 *   walls      then a thread takes a node of the list: pulls of its entries one after the other
 *              (scheme_wall_pull), writes the new pressure, and the states of each entry (scheme_wall_keep)
 *   states     in groups of 32 entries: 32 values of V of branch 0, of its g, of V of branch 1 and so on,
 *              then of the losses; so a warp reads whole lines, all of a group lies together, and distances
 *              are constants of the code. In registers from pull to keep
 *   sources    drive wall nodes there, and all others in the step
 *
 * Layouts differ in the order of the list alone. Rooms whose walls have no states use gpu_room and gpu_box,
 * and none of this.
 */
#ifndef KERNELS_GPU_WALLS_CUH
#define KERNELS_GPU_WALLS_CUH

#include <type_traits>

#include "kernels/cuda/step/gpu_launch.cuh"
#include "kernels/cuda/step/gpu_taps.cuh"
#include "kernels/scheme/step.h"

/* A node in 16 bits: its place in its unit (a block, or a stretch of the box's rows), whether it is the first
 * wall node of that unit, how many entries it has beyond one, and whether a source drives it. Warps count the
 * units and first entries, from the counts before their group of nodes. */
#define GPU_NODE_OFFSET_BITS 9
#define GPU_NODE_OFFSET      ((1u << GPU_NODE_OFFSET_BITS) - 1u)
#define GPU_NODE_LEADS       (1u << GPU_NODE_OFFSET_BITS)
#define GPU_NODE_MORE        (GPU_NODE_OFFSET_BITS + 1)
#define GPU_NODE_MORE_BITS   3
#define GPU_NODE_DRIVEN      (1u << (GPU_NODE_MORE + GPU_NODE_MORE_BITS))
#define GPU_NODE_GROUP       32 /* a warp's */
static_assert(GPU_BLOCK_NODES - 1 <= GPU_NODE_OFFSET && STEP_NODE_ENTRIES - 1 < 1 << GPU_NODE_MORE_BITS,
              "a word of 16 bits holds every node");

/** Counts before a group: units with wall nodes, and entries beyond one a node. */
struct alignas(8) gpu_node_group {
    uint32_t units, more;
};

/* Values of a group of entries side by side, and from one branch to the next. */
#define GPU_ENTRIES 32
#define GPU_BRANCH  (2 * GPU_ENTRIES)

#define GPU_NARROW_ROWS 256 /* most materials that a byte can number */

template <typename real>
using scheme_material_of =
    std::conditional_t<sizeof(real) == sizeof(float), struct scheme_material_f32, struct scheme_material_f64>;

/** Device pointers, borrowed. */
template <typename real> struct gpu_walls {
    uint64_t nodes;
    const uint16_t *node;               /* (wall nodes) GPU_NODE_.. */
    const struct gpu_node_group *group; /* (groups of nodes) */
    const uint32_t *unit;               /* (units with wall nodes) */
    uint32_t unit_nodes;
    bool wide, ledger;
    const uint8_t *row; /* (1, entries) of `material`; where they are `wide` (2, entries), low bytes first:
                           choosing between bytes and words in a step takes eight registers */
    const real *share;  /* (entries) */
    const scheme_material_of<real> *material;
    real *state;       /* (entries / GPU_ENTRIES, planes, GPU_ENTRIES): V and g of each branch, losses */
    uint64_t entries;  /* with those that fill the last group */
    uint32_t branches; /* of the material that has most */
    real *aside;       /* (wall nodes) d + v of the step */

    __host__ __device__ uint32_t planes() const
    {
        return 2 * branches + (ledger ? 1 : 0);
    }
    /** V of branch 0 of an entry: branch m is GPU_BRANCH m values on, g GPU_ENTRIES after its V. */
    __host__ __device__ real *at(uint64_t entry) const
    {
        return state + (entry / GPU_ENTRIES * planes() * GPU_ENTRIES + entry % GPU_ENTRIES);
    }
    /** With a ledger. `there`: of at(). */
    __host__ __device__ real &loss(real *there) const
    {
        return there[(size_t)branches * GPU_BRANCH];
    }
};

/** A room with frequency-dependent walls; q is not read, but points at `walls.aside`, which has as many.
 */
template <typename real> struct gpu_state_room : gpu_room<real> {
    static constexpr bool has_states = true;
    struct gpu_walls<real> walls;
};

/** The value that a node of any kind writes to u_old: the new pressure, or v at a wall; d + v goes to *dv. */
template <typename real>
__device__ __forceinline__ real start_node(real u, real u_old, uint32_t links, real xm, real xp, real ym,
                                           real yp, real zm, real zp, real lambda2, bool wall, real *dv)
{
    const real sum = scheme_sum(links & 1u ? xm - u : real(0), links & 2u ? xp - u : real(0),
                                links & 4u ? ym - u : real(0), links & 8u ? yp - u : real(0),
                                links & 16u ? zm - u : real(0), links & 32u ? zp - u : real(0));
    const real d = u - u_old, v = scheme_move(d, sum, lambda2);
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

/** The place of a node's pressure, and its entries. */
struct gpu_wall_node {
    uint64_t place, first;
    uint32_t more;
};

/** Node n, of which the word is `word`; past the last node, with a word of 0, nothing. All lanes take part: a
 * warp asks for the nodes of a group in their order. */
template <typename real>
__device__ __forceinline__ gpu_wall_node find_wall_node(const gpu_walls<real> &walls, uint64_t n,
                                                        uint32_t word)
{
    const uint32_t below = (1u << (threadIdx.x & 31u)) - 1u, up_to = 2u * below + 1u;
    const uint32_t leads = __ballot_sync(GPU_ALL_LANES, (word & GPU_NODE_LEADS) != 0);
    gpu_wall_node node = {0, n, word >> GPU_NODE_MORE & ((1u << GPU_NODE_MORE_BITS) - 1u)};
#pragma unroll
    for (int bit = 0; bit < GPU_NODE_MORE_BITS; ++bit)
        node.first += (uint32_t)__popc(__ballot_sync(GPU_ALL_LANES, node.more >> bit & 1u) & below) << bit;
    if (n < walls.nodes) {
        const uint2 before = __ldg(reinterpret_cast<const uint2 *>(walls.group + n / GPU_NODE_GROUP));
        const uint32_t unit = __ldg(walls.unit + (before.x + (uint32_t)__popc(leads & up_to) - 1u));
        node.place = (uint64_t)unit * walls.unit_nodes + (word & GPU_NODE_OFFSET);
        node.first += before.y;
    }
    return node;
}

template <typename real>
__device__ __forceinline__ uint32_t wall_row(const gpu_walls<real> &walls, uint64_t entry)
{
    uint32_t row = __ldg(walls.row + entry);
    if (walls.wide)
        row |= (uint32_t)__ldg(walls.row + walls.entries + entry) << 8;
    return row;
}

/** One entry on its way through a step; MOST branches are kept in registers. Materials have zeros past their
 * own, as the states have, and these change no bit of a sum. ON_CHIP: the states of all entries are in shared
 * memory. */
template <int MOST, typename real, bool ON_CHIP = false> struct wall_entry {
    const scheme_material_of<real> *material;
    real *there, state[2 * MOST], lost, share, change;

    /* Past the first-level cache: in overlapped launches it may hold old values. */
    static __device__ __forceinline__ real value(const real *from)
    {
        if constexpr (ON_CHIP)
            return *from;
        else
            return __ldcg(from);
    }
    /** What no step changes. */
    __device__ __forceinline__ void begin(const gpu_walls<real> &walls, uint64_t entry)
    {
        there = walls.at(entry);
        share = __ldg(walls.share + entry);
        material = walls.material + wall_row(walls, entry);
    }
    __device__ __forceinline__ void take_states(const gpu_walls<real> &walls)
    {
#pragma unroll
        for (int m = 0; m < MOST; ++m) {
            const bool is_there = m < (int)walls.branches;
            state[m] = is_there ? value(there + m * GPU_BRANCH) : real(0);
            state[MOST + m] = is_there ? value(there + m * GPU_BRANCH + GPU_ENTRIES) : real(0);
        }
        lost = walls.ledger ? value(&walls.loss(there)) : real(0);
    }
    /** None of these loads waits for another but the material for its row. */
    __device__ __forceinline__ void load(const gpu_walls<real> &walls, uint64_t entry)
    {
        begin(walls, entry);
        take_states(walls);
    }
    /** w after this entry. */
    __device__ __forceinline__ real pull(real w, real dv)
    {
        return scheme_wall_take(w, share, scheme_wall_pull(material, MOST, state, 1, MOST, dv, &change));
    }
    __device__ __forceinline__ void keep(const gpu_walls<real> &walls, real y)
    {
        const real after = scheme_wall_keep(material, MOST, state, 1, MOST, y, change, lost);
#pragma unroll
        for (int m = 0; m < MOST; ++m)
            if (m < (int)material->branches) {
                there[m * GPU_BRANCH] = state[m];
                there[m * GPU_BRANCH + GPU_ENTRIES] = state[MOST + m];
            }
        if (walls.ledger)
            walls.loss(there) = after;
    }
};

/** w of a wall node from its v and d + v, by the pulls of its entries in their order; `entry` is the first,
 * loaded. The values that keep_entries() needs of a single entry stay in it, in registers. */
template <class entry_type, typename real>
__device__ __forceinline__ real pull_entries(const gpu_walls<real> &walls, entry_type *entry, real v, real dv,
                                             uint64_t first, uint32_t more)
{
    real w = entry->pull(v, dv);
    for (uint32_t k = 1; k <= more; ++k) {
        entry->load(walls, first + k);
        w = entry->pull(w, dv);
    }
    return w;
}

/** The states of the entries after a step that moved their node by y. */
template <class entry_type, typename real>
__device__ __forceinline__ void keep_entries(const gpu_walls<real> &walls, entry_type *entry, real dv, real y,
                                             uint64_t first, uint32_t more)
{
    if (more == 0) {
        entry->keep(walls, y);
    } else {
        for (uint32_t k = 0; k <= more; ++k) {
            entry->load(walls, first + k);
            (void)entry->pull(real(0), dv);
            entry->keep(walls, y);
        }
    }
}

/** The further work of add_drives() where it moves a wall node. */
template <typename real> struct push_entries {
    const gpu_walls<real> &walls;
    uint64_t first;
    uint32_t more;
    __device__ __forceinline__ void operator()(int, real moved) const
    {
        for (uint32_t k = 0; k <= more; ++k)
            scheme_wall_push(walls.material + wall_row(walls, first + k), walls.at(first + k), GPU_BRANCH,
                             GPU_ENTRIES, moved);
    }
};

/** The nodes that a launch finishes: all, .. */
struct gpu_all_units {
    __device__ __forceinline__ bool operator()(uint64_t) const
    {
        return true;
    }
};
/** .. or those of blocks that have a mark, or have none. */
struct gpu_marked_units {
    const uint8_t *mark;
    uint8_t wanted;
    __device__ __forceinline__ bool operator()(uint64_t place) const
    {
        return __ldg(mark + place / GPU_BLOCK_NODES) == wanted;
    }
};

template <int MOST, typename real, class units_type>
__global__ void __launch_bounds__(GPU_LAUNCH_THREADS)
    wall_kernel(gpu_walls<real> walls, gpu_taps<real> taps, units_type units, const real *u, real *u_old)
{
    const uint64_t n = list_item();
    const uint32_t word = n < walls.nodes ? (uint32_t)__ldg(walls.node + n) : 0u;
    const gpu_wall_node node = find_wall_node(walls, n, word);
    wait_for_step();
    if (n >= walls.nodes || !units(node.place))
        return;
    const uint64_t place = node.place, first = node.first;
    const uint32_t more = node.more;
    const real v = __ldcg(u_old + place), dv = __ldcg(walls.aside + n), here = u[place];
    wall_entry<MOST, real> entry;
    entry.load(walls, first);
    const real w = pull_entries(walls, &entry, v, dv, first, more), y = (dv - v) + w;
    real next[1] = {here + w};
    keep_entries(walls, &entry, dv, y, first, more);
    if ((word & GPU_NODE_DRIVEN) != 0)
        add_drives(taps, find_drive(taps, place), place, next, 0, push_entries<real>{walls, first, more});
    u_old[place] = next[0];
}

/** Finish the wall nodes that a step has left in u_old. `overlap` as for launch_step(). */
template <typename real, class units_type = gpu_all_units>
cudaError_t step_walls_after(const gpu_walls<real> &walls, const gpu_taps<real> &taps, const real *u,
                             real *u_old, bool overlap, cudaStream_t stream,
                             const units_type &units = units_type())
{
    const auto kernel = walls.branches <= 6 ? wall_kernel<6, real, units_type>
                                            : wall_kernel<WALL_BRANCHES_MAX, real, units_type>;
    return launch_list(kernel, walls.nodes, overlap, stream, walls, taps, units, u, u_old);
}

#endif
