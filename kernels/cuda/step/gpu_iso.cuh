/** A room of the isotropic scheme on the device (../../scheme/scheme.h), as its block kernels see it.
 *
 *   rows      one a place in the launch order: the ids of 18 neighbours, tile, own id, where records and
 *             wall nodes start. Places go in fours, one CTA each; blocks of a four that follow one another
 *             in x say so
 *   planes    of a tile, as with conformal walls (gpu_cuts.cuh): which nodes are whole, which have a
 *             record
 *   records   24 bytes a cut node, by block and rising slot: openings, slot and marks, twelve plaquettes,
 *             gain
 *   walls     in the order of the records: a coefficient a wall node, or entries with states
 *   linked    nodes with extra links have a table of their own: a thread each, beside the sweep of blocks
 *
 * A sweep does not write the pressures of cut nodes, so any thread may process a record.
 */
#ifndef KERNELS_GPU_ISO_CUH
#define KERNELS_GPU_ISO_CUH

#include "kernels/cuda/step/gpu_cuts.cuh"

/* In gpu_iso_row.tile: the place before is the -x neighbour, the place after the +x one; a source is here. */
#define GPU_ISO_LEFT      0x80000000u
#define GPU_ISO_RIGHT     0x40000000u
#define GPU_ISO_SOURCE    0x20000000u
#define GPU_ISO_TILE      0x1FFFFFFFu
#define GPU_ISO_COUNT_AT  48 /* in .cuts: above it the number of records, below it the first */
#define GPU_ISO_FIRST     ((UINT64_C(1) << GPU_ISO_COUNT_AT) - 1u)
#define GPU_ISO_ROW_WORDS 24
#define GPU_ISO_RUN       4 /* places that are filled together */

struct alignas(16) gpu_iso_row {
    uint32_t edge[12];
    uint32_t beside[4]; /* -y +y -z +z */
    uint32_t end[2];    /* -x +x */
    uint32_t tile, self;
    uint64_t cuts;  /* first record, and how many */
    uint64_t walls; /* first wall node, or first wall entry where walls have states */
};
static_assert(sizeof(struct gpu_iso_row) == 4 * GPU_ISO_ROW_WORDS, "a warp reads a row a word a lane");
/* Words of it; the index of one of the first sixteen may depend on the lane. */
enum {
    GPU_ISO_WORD_EDGE = 0,
    GPU_ISO_WORD_BESIDE = 12,
    GPU_ISO_WORD_END = 16,
    GPU_ISO_WORD_TILE = 18,
    GPU_ISO_WORD_SELF = 19,
    GPU_ISO_WORD_CUTS = 20,
    GPU_ISO_WORD_WALLS = 22
};

/* In a record's mark, above its slot. */
#define GPU_ISO_SLOT      0x01FFu
#define GPU_ISO_LINKED    0x0200u
#define GPU_ISO_WALL      0x0400u
#define GPU_ISO_MORE_AT   11 /* entries of a wall node beyond one */
#define GPU_ISO_MORE_BITS 3

/** A record: .x openings -x +x -y +y, .y openings -z +z and mark << 16, .z and .w plaquettes in xy and xz,
 * byte by edge; in the other array those in yz, and the gain's bits. */
struct gpu_iso_cut {
    uint4 first;
    uint2 second;
};

/** A node with extra links. */
struct alignas(16) gpu_iso_linked {
    uint64_t place;
    uint64_t beside[18]; /* where faces and edges lead; 0 if their weight is 0 */
    uint64_t link;       /* its first extra link */
    uint64_t wall;       /* which of the wall nodes, or its first entry, as in rows; GPU_NO_WALL */
    uint32_t links, more;
    struct gpu_iso_cut record;
};
static_assert(sizeof(struct gpu_iso_linked) == 208, "bytes of a node with extra links");

/** Device pointers, borrowed. */
template <typename real> struct gpu_iso {
    using value = real;
    static constexpr bool has_states = false;
    const struct gpu_iso_row *row; /* (slots) */
    uint32_t slots;                /* a multiple of GPU_ORDER_PAD */
    const struct gpu_plane *plane; /* (tiles, 8) */
    const uint4 *cut_first;        /* (records) */
    const uint2 *cut_second;       /* (records) */
    const real *q;                 /* (wall nodes) */
    real sixth;                    /* lambda2 / 6 */
    uint32_t linked;
    const struct gpu_iso_linked *node; /* (linked) */
    const struct gpu_link *link;
};

/** With frequency-dependent walls of MOST branches at most, of which only the arrays by entry are used. */
template <typename real, int MOST_> struct gpu_iso_state : gpu_iso<real> {
    static constexpr bool has_states = true;
    static constexpr int MOST = MOST_;
    struct gpu_walls<real> walls;
};

/* ---- arithmetic ---------------------------------------------------------------------------------------- */

/** Four nodes about themselves, in a plane: of faces or of edges. */
template <typename real>
__device__ __forceinline__ four<real> planes_of(const four<real> &u, const four<real> &a0,
                                                const four<real> &a1, const four<real> &b0,
                                                const four<real> &b1)
{
    four<real> sum;
#pragma unroll
    for (int i = 0; i < 4; ++i)
        sum.v[i] = scheme_plane(a0.v[i] - u.v[i], a1.v[i] - u.v[i], b0.v[i] - u.v[i], b1.v[i] - u.v[i]);
    return sum;
}

/** Offset of neighbour k along an axis: faces 0 .. 5, edges 6 .. 17. */
__host__ __device__ constexpr int iso_along(int k, int axis)
{
    return k < 6                      ? (k / 2 == axis ? 2 * (k & 1) - 1 : 0)
           : axis == (k < 14 ? 0 : 1) ? 2 * ((k - 6) & 1) - 1
           : axis == (k < 10 ? 1 : 2) ? 2 * ((k - 6) >> 1 & 1) - 1
                                      : 0;
}
static_assert(iso_along(6, 0) == -1 && iso_along(6, 1) == -1 && iso_along(6, 2) == 0 &&
                  iso_along(7, 0) == 1 && iso_along(8, 1) == 1 && iso_along(9, 1) == 1 &&
                  iso_along(10, 2) == -1 && iso_along(12, 2) == 1 && iso_along(14, 1) == -1 &&
                  iso_along(14, 2) == -1 && iso_along(15, 1) == 1 && iso_along(16, 2) == 1 &&
                  iso_along(13, 0) == 1,
              "edges are numbered as EDGES has them");

/** Place of the node (x, y, z) as seen from a block; each of the three may be -1 or 8, two at most. */
__device__ __forceinline__ size_t point_index(const struct gpu_iso_row &row, int x, int y, int z)
{
    const bool out_x = (x & ~7) != 0, out_y = (y & ~7) != 0, out_z = (z & ~7) != 0;
    const int right = x > 0, back = y > 0, top = z > 0;
    uint32_t id = row.self;
    if (out_x && out_y)
        id = __ldg(row.edge + 2 * back + right);
    else if (out_x && out_z)
        id = __ldg(row.edge + 4 + 2 * top + right);
    else if (out_y && out_z)
        id = __ldg(row.edge + 8 + 2 * top + back);
    else if (out_x)
        id = __ldg(row.end + right);
    else if (out_y)
        id = __ldg(row.beside + back);
    else if (out_z)
        id = __ldg(row.beside + 2 + top);
    return block_index(id) + (size_t)((x & 7) + 8 * (y & 7) + 64 * (z & 7));
}

/** Weight of neighbour k of a cut node: for a face 6 open less the plaquettes on it, for an edge its
 * plaquette. */
__device__ __forceinline__ void record_weights(const struct gpu_iso_cut &cut, int (&weight)[18])
{
    constexpr unsigned FIRST_LOW = 0x00010001u, FIRST_HIGH = 0x01000100u, SECOND_LOW = 0x00000101u,
                       SECOND_HIGH = 0x01010000u;
    const unsigned xy = cut.first.z, xz = cut.first.w, yz = cut.second.x;
    const unsigned on[6] = {__dp4a(xz, FIRST_LOW, __dp4a(xy, FIRST_LOW, 0u)),
                            __dp4a(xz, FIRST_HIGH, __dp4a(xy, FIRST_HIGH, 0u)),
                            __dp4a(yz, FIRST_LOW, __dp4a(xy, SECOND_LOW, 0u)),
                            __dp4a(yz, FIRST_HIGH, __dp4a(xy, SECOND_HIGH, 0u)),
                            __dp4a(yz, SECOND_LOW, __dp4a(xz, SECOND_LOW, 0u)),
                            __dp4a(yz, SECOND_HIGH, __dp4a(xz, SECOND_HIGH, 0u))};
#pragma unroll
    for (int k = 0; k < 6; ++k) {
        const unsigned open = (k < 4 ? cut.first.x >> (8 * k) : cut.first.y >> (8 * (k - 4))) & 0xFFu;
        weight[k] = (int)(6u * open) - (int)on[k];
    }
#pragma unroll
    for (int e = 0; e < 12; ++e)
        weight[6 + e] = (int)((e < 4 ? xy : e < 8 ? xz : yz) >> (8 * (e & 3)) & 0xFFu);
}

/** The sum of a cut node at u; value(k, weight): its neighbours, of weight 0 anything finite. */
template <typename real, class value_type>
__device__ __forceinline__ real record_sum(const struct gpu_iso_cut &cut, real u, const value_type &value)
{
    int weight[18];
    real term[18];
    record_weights(cut, weight);
#pragma unroll
    for (int k = 0; k < 18; ++k)
        term[k] = scheme_weighted(weight[k], value(k, weight[k]), u);
    return scheme_isotropic_cut(scheme_sum(term[0], term[1], term[2], term[3], term[4], term[5]),
                                scheme_plane(term[6], term[9], term[7], term[8]),
                                scheme_plane(term[10], term[13], term[11], term[12]),
                                scheme_plane(term[14], term[17], term[15], term[16]));
}
__device__ __forceinline__ float gain_of(const struct gpu_iso_cut &cut)
{
    return __uint_as_float(cut.second.y);
}
__device__ __forceinline__ uint32_t mark_of(const struct gpu_iso_cut &cut)
{
    return cut.first.y >> 16;
}
__device__ __forceinline__ uint32_t more_of(uint32_t mark)
{
    return mark >> GPU_ISO_MORE_AT & ((1u << GPU_ISO_MORE_BITS) - 1u);
}

/* ---- the end of a cut node's step ------------------------------------------------------------------------
 */

/** Wall nodes of the lanes before this one, or their entries where walls have states. `mark` is 0 without a
 * node. All lanes take part; *all: of the warp. */
template <bool ENTRIES> __device__ __forceinline__ uint32_t walls_before(uint32_t mark, uint32_t *all)
{
    const uint32_t below = (1u << (threadIdx.x & 31u)) - 1u;
    const uint32_t walls = __ballot_sync(GPU_ALL_LANES, (mark & GPU_ISO_WALL) != 0);
    uint32_t before = (uint32_t)__popc(walls & below);
    *all = (uint32_t)__popc(walls);
    if (ENTRIES) {
#pragma unroll
        for (int bit = 0; bit < GPU_ISO_MORE_BITS; ++bit) {
            const uint32_t lanes = __ballot_sync(GPU_ALL_LANES, more_of(mark) >> bit & 1u);
            before += (uint32_t)__popc(lanes & below) << bit;
            *all += (uint32_t)__popc(lanes) << bit;
        }
    }
    return before;
}

/** The new pressure of a cut node from v and d + v. `wall`: its place, as in rows. */
template <typename real, class room_type>
__device__ __forceinline__ real record_end(const room_type &room, real u, real v, real dv, bool at_walls,
                                           uint64_t wall, uint32_t more)
{
    if (!at_walls)
        return u + v;
    if constexpr (room_type::has_states) {
        wall_entry<room_type::MOST, real> entry;
        entry.load(room.walls, wall);
        const real w = pull_entries(room.walls, &entry, v, dv, wall, more), y = (dv - v) + w;
        keep_entries(room.walls, &entry, dv, y, wall, more);
        return u + w;
    }
    return scheme_wall(u, v, dv, __ldg(room.q + wall));
}

/** Add a source to a cut node, and to the states of its walls. */
template <typename real, class room_type, class taps_type>
__device__ __forceinline__ void drive_record(const room_type &room, const taps_type &taps, uint64_t place,
                                             real (&next)[1], bool at_walls, uint64_t wall, uint32_t more)
{
    const uint32_t first = find_drive(taps, place);
    if constexpr (room_type::has_states) {
        if (at_walls) {
            add_drives(taps, first, place, next, 0, push_entries<real>{room.walls, wall, more});
            return;
        }
    }
    add_drives(taps, first, place, next);
}

/* ---- nodes with extra links ------------------------------------------------------------------------------
 */

template <class room_type> __host__ __device__ __forceinline__ uint32_t linked_ctas(const room_type &room)
{
    return (room.linked + GPU_LAUNCH_THREADS - 1) / GPU_LAUNCH_THREADS;
}

/** v of a node with extra links, and d + v. */
template <typename real>
__device__ __forceinline__ real linked_move(const struct gpu_iso_linked *node, const struct gpu_link *link,
                                            const real *u, const real *u_old, real *dv)
{
    const struct gpu_iso_cut cut = node->record;
    const real here = u[node->place], d = here - u_old[node->place], gain = (real)gain_of(cut);
    const real sum = record_sum(cut, here, [&](int k, int) { return u[node->beside[k]]; });
    real v = scheme_move(d, sum, gain), extra = 0;
    for (uint32_t k = 0; k < node->links; ++k) {
        const struct gpu_link to = link[node->link + k];
        const real more = scheme_weighted((int)to.weight, u[to.place], here);
        extra = k > 0 ? extra + more : more;
    }
    if (node->links > 0)
        v = scheme_move(v, extra, gain);
    *dv = d + v;
    return v;
}

/** Node n of the linked ones. */
template <typename real, class room_type, class taps_type>
__device__ __forceinline__ void linked_step(const room_type &room, const taps_type &taps, uint32_t n,
                                            const real *u, real *u_old)
{
    if (n >= room.linked)
        return;
    const struct gpu_iso_linked *const node = room.node + n;
    const uint64_t place = node->place;
    real dv;
    const real v = linked_move(node, room.link, u, u_old, &dv);
    const bool at_walls = node->wall != GPU_NO_WALL;
    real next[1] = {record_end<real>(room, u[place], v, dv, at_walls, node->wall, node->more)};
    drive_record(room, taps, place, next, at_walls, node->wall, node->more);
    u_old[place] = next[0];
}

#endif
