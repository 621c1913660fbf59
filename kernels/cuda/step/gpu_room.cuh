/** A room on the device, as kernels over blocks see it, and the functions of a lane over four nodes.
 *
 *   pressures    (blocks + 1, 512), index = id * 512 + slot as on the CPU; block 0 stays 0
 *   block[slot]  one per place in the launch order: neighbours' ids, tile, own id; padded with id 0
 *   wall_first   (blocks + 2) by id: the block's wall nodes in wall_slot[] and q[], by rising slot
 *   plane_first  (tiles, 8) wall nodes of the tile below plane z: q of a node follows from its rank alone
 *
 * Two lanes share a row of eight nodes, sixteen a plane; lane part p holds nodes 4p .. 4p+3, one wide load in
 * single precision and two in double. (Double rows as 2p, 2p+1, 4+2p, 5+2p, so that each load takes whole
 * sectors, came to 0.898 of copy where these came to 0.915, on the cross of 5 x 512^3: the other half of a
 * sector is in the first level by then, and more values have to be shuffled.)
 */
#ifndef KERNELS_GPU_ROOM_CUH
#define KERNELS_GPU_ROOM_CUH

#include <stddef.h>
#include <stdint.h>

#include "kernels/scheme/scheme.h"

#define GPU_BLOCK_NODES 512
#define GPU_TILE_FULL   1u
#define GPU_SOURCE      0x40000000u /* in gpu_block.tile: some node of the block is a source's */
#define GPU_TILE_MASK   0x3FFFFFFFu
#define GPU_LINKS_ALL   0x3F3F3F3Fu
#define GPU_ALL_LANES   0xFFFFFFFFu
#define GPU_ORDER_PAD   16 /* the launch order is padded to a multiple of this */

struct alignas(16) gpu_block {
    uint32_t neighbour[6]; /* ids, -x +x -y +y -z +z; 0 none */
    uint32_t tile;         /* | GPU_SOURCE */
    uint32_t self;         /* id; 0: padding, to be read but not written */
};
static_assert(sizeof(struct gpu_block) == 32, "kernels read a block's row as two 16-byte words");

/** Everything but the pressures. Device pointers, borrowed. */
template <typename real> struct gpu_room {
    using value = real;
    static constexpr bool has_states = false; /* true in gpu_walls.cuh */
    static constexpr bool is_cut = false;     /* true in gpu_cuts.cuh */
    const struct gpu_block *block;            /* (slots) */
    uint32_t slots;
    const uint8_t *tile;         /* (tiles, 512) link bytes */
    const uint16_t *plane_first; /* (tiles, 8) */
    const uint64_t *wall_first;  /* (blocks + 2) */
    const uint16_t *wall_slot;
    const real *q; /* kappa / (1 + kappa) a wall node */
    real lambda2;
};

/** Four nodes of one row. */
template <typename real> struct four {
    real v[4];
};

/** Ways to read or write memory: through the read-only path, as any data, as data not needed again, past the
 * first level. */
enum access { ACCESS_CONSTANT, ACCESS_PLAIN, ACCESS_STREAM, ACCESS_SECOND_LEVEL };

template <enum access ACCESS, typename vector> __device__ __forceinline__ vector load_wide(const vector *from)
{
    return ACCESS == ACCESS_CONSTANT       ? __ldg(from)
           : ACCESS == ACCESS_STREAM       ? __ldcs(from)
           : ACCESS == ACCESS_SECOND_LEVEL ? __ldcg(from)
                                           : *from;
}
template <enum access ACCESS, typename vector>
__device__ __forceinline__ void store_wide(vector *to, const vector &value)
{
    if (ACCESS == ACCESS_STREAM)
        __stcs(to, value);
    else
        *to = value;
}

/** The lane's nodes of a row of eight. */
template <enum access ACCESS> __device__ __forceinline__ four<float> load_row(const float *row, int part)
{
    const float4 a = load_wide<ACCESS>(reinterpret_cast<const float4 *>(row) + part);
    return {a.x, a.y, a.z, a.w};
}
template <enum access ACCESS> __device__ __forceinline__ four<double> load_row(const double *row, int part)
{
    const double2 a = load_wide<ACCESS>(reinterpret_cast<const double2 *>(row) + 2 * part);
    const double2 b = load_wide<ACCESS>(reinterpret_cast<const double2 *>(row) + 2 * part + 1);
    return {a.x, a.y, b.x, b.y};
}
template <enum access ACCESS>
__device__ __forceinline__ void store_row(float *row, int part, const four<float> &a)
{
    store_wide<ACCESS>(reinterpret_cast<float4 *>(row) + part, make_float4(a.v[0], a.v[1], a.v[2], a.v[3]));
}
template <enum access ACCESS>
__device__ __forceinline__ void store_row(double *row, int part, const four<double> &a)
{
    store_wide<ACCESS>(reinterpret_cast<double2 *>(row) + 2 * part, make_double2(a.v[0], a.v[1]));
    store_wide<ACCESS>(reinterpret_cast<double2 *>(row) + 2 * part + 1, make_double2(a.v[2], a.v[3]));
}

/** Link bytes of the lane's nodes, byte i for value i. */
__device__ __forceinline__ uint32_t load_links(const uint8_t *row, int part)
{
    return __ldg(reinterpret_cast<const uint32_t *>(row) + part);
}

/** x neighbours of the lane's nodes. `outer` is the node beyond the row's end that this lane is next to: x =
 * -1 for part 0, x = 8 for part 1. All lanes take part. */
template <typename real>
__device__ __forceinline__ void row_sides(const four<real> &u, int part, real outer, four<real> *left,
                                          four<real> *right)
{
    const real inner = __shfl_xor_sync(GPU_ALL_LANES, part == 0 ? u.v[3] : u.v[0], 1);
    *left = {part == 0 ? outer : inner, u.v[0], u.v[1], u.v[2]};
    *right = {u.v[1], u.v[2], u.v[3], part == 0 ? inner : outer};
}

/** The new pressure of a node away from walls. */
template <typename real> __device__ __forceinline__ real move_node(real u, real u_old, real sum, real lambda2)
{
    return u + scheme_move(u - u_old, sum, lambda2);
}

/** Neighbours of four nodes. */
template <typename real> struct around {
    four<real> xm, xp, ym, yp, zm, zp;
};

/** One node from its link bits (0x3F: all), walls included. */
template <typename real>
__device__ __forceinline__ real step_node(real u, real u_old, uint32_t links, real xm, real xp, real ym,
                                          real yp, real zm, real zp, real lambda2, real q)
{
    const real sum = scheme_sum(links & 1u ? xm - u : real(0), links & 2u ? xp - u : real(0),
                                links & 4u ? ym - u : real(0), links & 8u ? yp - u : real(0),
                                links & 16u ? zm - u : real(0), links & 32u ? zp - u : real(0));
    return scheme_update(u, u_old, sum, lambda2, q);
}

/** Four nodes of open air. */
template <typename real>
__device__ __forceinline__ four<real> step_air(const four<real> &u, const four<real> &u_old,
                                               const around<real> &near, real lambda2)
{
    four<real> next;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const real c = u.v[i];
        next.v[i] = move_node(c, u_old.v[i],
                              scheme_sum(near.xm.v[i] - c, near.xp.v[i] - c, near.ym.v[i] - c,
                                         near.yp.v[i] - c, near.zm.v[i] - c, near.zp.v[i] - c),
                              lambda2);
    }
    return next;
}

/** Four nodes of any kind. */
template <typename real>
__device__ __forceinline__ four<real> step_mixed(const four<real> &u, const four<real> &u_old,
                                                 const around<real> &near, uint32_t links,
                                                 const four<real> &q, real lambda2)
{
    four<real> next;
#pragma unroll
    for (int i = 0; i < 4; ++i)
        next.v[i] = step_node(u.v[i], u_old.v[i], links >> (8 * i), near.xm.v[i], near.xp.v[i], near.ym.v[i],
                              near.yp.v[i], near.zm.v[i], near.zp.v[i], lambda2, q.v[i]);
    return next;
}

/** Bit i: node i is a wall node, that is air with a cut link. */
__device__ __forceinline__ uint32_t wall_bits(uint32_t links)
{
    uint32_t bits = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const uint32_t byte = links >> (8 * i) & 0xFFu;
        bits |= (byte != 0 && byte != 0x3Fu) ? 1u << i : 0u;
    }
    return bits;
}

/** Wall nodes of the lanes before this one among the sixteen that hold its plane. All lanes take part. */
__device__ __forceinline__ int plane_rank(uint32_t bits)
{
    const uint32_t half = threadIdx.x & 16u, below = (1u << (threadIdx.x & 15u)) - 1u;
    int rank = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i)
        rank += __popc(__ballot_sync(GPU_ALL_LANES, bits >> i & 1u) >> half & below);
    return rank;
}

/** q of the lane's nodes from their rank among the wall nodes of the plane; 0 away from walls. `first` is the
 * coefficient of the plane's first wall node. All lanes take part. */
template <typename real> __device__ __forceinline__ four<real> plane_q(uint32_t links, const real *first)
{
    const uint32_t bits = wall_bits(links);
    const int rank = plane_rank(bits);
    four<real> q;
#pragma unroll
    for (int i = 0; i < 4; ++i)
        q.v[i] = bits >> i & 1u ? __ldg(first + rank + __popc(bits & ((1u << i) - 1u))) : real(0);
    return q;
}

/** Row of a block in launch order, in two wide loads. */
__device__ __forceinline__ struct gpu_block load_block(const struct gpu_block *from)
{
    const uint4 *const words = reinterpret_cast<const uint4 *>(from);
    const uint4 a = __ldg(words), b = __ldg(words + 1);
    return {{a.x, a.y, a.z, a.w, b.x, b.y}, b.z, b.w};
}

__device__ __forceinline__ size_t block_index(uint32_t id)
{
    return (size_t)id * GPU_BLOCK_NODES;
}

#endif
