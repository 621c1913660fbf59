/** v15: the isotropic scheme, tiles with full halo in shared memory, four blocks of a row a CTA.
 *
 *   mapping    a CTA takes four places of the launch order, a warp a block: sixteen lanes a plane (a row of eight
 *              by two), each lane four planes upwards with P, D and u of its plane in registers. A tile is 10 x
 *              10 rows of eight and two strips of what lies beyond their ends; the strip of a side where the
 *              neighbour is in the same CTA stays empty, its tile is read instead
 *   bytes      12 a stored node in single precision, 24 in double; through the second level 1.56 times u, and
 *              with four blocks in a row a sector for every end of a row at two of eight sides. A cut node reads
 *              24 bytes more and its coefficient
 *   cut nodes  the sweep leaves them alone; then a lane takes a record, finds its 18 neighbours in the tile and
 *              finishes the node, walls included. Nodes with extra links are CTAs of their own at the front
 *   sources    add to what their block's warp has stored; receivers are CTAs at the front
 */
#ifndef KERNELS_LADDER_GPU_V15_ISO_ROWS_CUH
#define KERNELS_LADDER_GPU_V15_ISO_ROWS_CUH

#include "kernels/cuda/step/gpu_iso.cuh"

#define ISO_ROWS  10                    /* of a plane of a tile, and planes */
#define ISO_PLANE (ISO_ROWS * 8)        /* values of a plane */
#define ISO_TILE  (ISO_ROWS * ISO_PLANE)
#define ISO_STRIP (ISO_ROWS * ISO_ROWS) /* values beyond one end of the rows */
#define ISO_HALO_ROWS 36

/** BLOCKS a CTA, PLANES a thread, RESIDENTS CTAs an SM that registers are rationed for; FIRST_LEVEL: whole rows
 * through it. */
template <int BLOCKS_, int PLANES_, int RESIDENTS_, bool FIRST_LEVEL_ = false> struct iso_shape {
    static constexpr int BLOCKS = BLOCKS_, PLANES = PLANES_, RESIDENTS = RESIDENTS_;
    static constexpr int LANES = 16 * 8 / PLANES; /* of a block */
    static constexpr int THREADS = BLOCKS * LANES;
    static constexpr bool FIRST_LEVEL = FIRST_LEVEL_;
    static_assert(LANES % 32 == 0 && GPU_ORDER_PAD % BLOCKS == 0, "whole warps and whole CTAs");
};

template <typename real> struct alignas(16) iso_tile {
    real u[ISO_TILE];
    real strip[2][ISO_STRIP];
};

template <bool FIRST_LEVEL> __device__ __forceinline__ void copy_sixteen(void *to, const void *from)
{
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(to);
    if (FIRST_LEVEL)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
    else
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
}
template <typename real> __device__ __forceinline__ void copy_value(real *to, const real *from)
{
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(sizeof(real)) : "memory");
}
__device__ __forceinline__ void copies_arrived()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/** A row of the halo of a tile, from which block (a word of gpu_iso_row) and where: rows beside the planes,
 * planes below and above, and the four rows at edges. */
struct iso_halo_row {
    int word, from, to;
};
__device__ __forceinline__ iso_halo_row halo_row(int row)
{
    const int high = row >> 3 & 1, at = row & 7;
    if (row < 16)
        return {2 + high, 64 * at + (high ? 0 : 56), (at + 1) * ISO_ROWS + (high ? 9 : 0)};
    if (row < 32)
        return {4 + high, (high ? 0 : 448) + 8 * at, (high ? 9 * ISO_ROWS : 0) + at + 1};
    const int y = row & 1, z = row >> 1 & 1; /* row - 32: an edge in yz */
    return {GPU_ISO_WORD_EDGE + 8 + (row & 3), (z ? 0 : 448) + (y ? 0 : 56), (z ? 9 * ISO_ROWS : 0) + (y ? 9 : 0)};
}

/** A value of a strip: 64 of the face, then sixteen across edges in xy and in xz. */
__device__ __forceinline__ iso_halo_row strip_value(int n, int side)
{
    const int high = n >> 3 & 1, at = n & 7, end = side ? 0 : 7;
    if (n < 64)
        return {side, 8 * n + end, ((n >> 3) + 1) * ISO_ROWS + at + 1};
    if (n < 80)
        return {GPU_ISO_WORD_EDGE + 2 * high + side, 64 * at + (high ? 0 : 56) + end,
                (at + 1) * ISO_ROWS + (high ? 9 : 0)};
    return {GPU_ISO_WORD_EDGE + 4 + 2 * high + side, (high ? 0 : 448) + 8 * at + end,
            (high ? 9 * ISO_ROWS : 0) + at + 1};
}

/** Ask for a tile. `words`: of the row, one a lane of the warp; `lane` counts the block's. Strips only where
 * `marks` do not say that the neighbour is in the CTA. */
template <class shape, typename real>
__device__ __forceinline__ void ask_for_tile(iso_tile<real> &tile, uint32_t words, uint32_t marks, int lane,
                                             const real *u)
{
    constexpr int WIDTH = 16 / (int)sizeof(real), PARTS = 8 / WIDTH; /* of a row */
    const real *const own = u + block_index(__shfl_sync(GPU_ALL_LANES, words, GPU_ISO_WORD_SELF));
#pragma unroll
    for (int i = 0; i < 64 * PARTS; i += shape::LANES) {
        const int row = (i + lane) / PARTS, part = (i + lane) % PARTS;
        copy_sixteen<shape::FIRST_LEVEL>(
            tile.u + 8 * (((row >> 3) + 1) * ISO_ROWS + (row & 7) + 1) + WIDTH * part, own + WIDTH * (i + lane));
    }
#pragma unroll
    for (int i = 0; i < ISO_HALO_ROWS * PARTS; i += shape::LANES) {
        const int n = i + lane, part = n % PARTS;
        const iso_halo_row row = halo_row(n / PARTS);
        const uint32_t id = __shfl_sync(GPU_ALL_LANES, words, row.word & 31);
        if (n < ISO_HALO_ROWS * PARTS)
            copy_sixteen<shape::FIRST_LEVEL>(tile.u + 8 * row.to + WIDTH * part,
                                             u + block_index(id) + row.from + WIDTH * part);
    }
#pragma unroll
    for (int side = 0; side < 2; ++side) {
        if ((marks & (side ? GPU_ISO_RIGHT : GPU_ISO_LEFT)) != 0)
            continue;
#pragma unroll
        for (int i = 0; i < 96; i += shape::LANES) {
            const iso_halo_row at = strip_value(i + lane, side);
            const uint32_t id = __shfl_sync(GPU_ALL_LANES, words, at.word & 31);
            if (i + lane < 96)
                copy_value(tile.strip[side] + at.to, u + block_index(id) + at.from);
        }
    }
}

/** What lies beyond the ends of a tile's rows: value `row` of each side. */
template <typename real> struct iso_ends {
    const real *beyond[2];
    int stride[2];

    __device__ __forceinline__ iso_ends(const iso_tile<real> *tile, uint32_t marks)
    {
        const bool left = (marks & GPU_ISO_LEFT) != 0, right = (marks & GPU_ISO_RIGHT) != 0;
        beyond[0] = left ? tile[-1].u + 7 : tile->strip[0];
        beyond[1] = right ? tile[1].u : tile->strip[1];
        stride[0] = left ? 8 : 1;
        stride[1] = right ? 8 : 1;
    }
};

/** Node x of a row, -1 and 8 included. */
template <typename real>
__device__ __forceinline__ real tile_value(const iso_tile<real> &tile, const iso_ends<real> &ends, int row, int x)
{
    return x < 0   ? ends.beyond[0][row * ends.stride[0]]
           : x > 7 ? ends.beyond[1][row * ends.stride[1]]
                   : tile.u[8 * row + x];
}

/** A lane's four nodes of a plane of the tile, and the sums of their faces and edges in it about themselves. */
template <typename real> struct iso_sums {
    four<real> u, faces, edges;
};
/** All lanes take part. EDGES: the sum over these, too. */
template <bool EDGES_TOO, typename real>
__device__ __forceinline__ iso_sums<real> plane_sums(const iso_tile<real> &tile, const real *beyond, int stride,
                                                     int row, int part)
{
    iso_sums<real> out;
    four<real> left, right;
    out.u = load_row<ACCESS_PLAIN>(tile.u + 8 * row, part);
    const four<real> low = load_row<ACCESS_PLAIN>(tile.u + 8 * (row - 1), part),
                     high = load_row<ACCESS_PLAIN>(tile.u + 8 * (row + 1), part);
    row_sides(out.u, part, beyond[row * stride], &left, &right);
    out.faces = planes_of(out.u, left, right, low, high);
    if (EDGES_TOO) {
        four<real> low_left, low_right, high_left, high_right;
        row_sides(low, part, beyond[(row - 1) * stride], &low_left, &low_right);
        row_sides(high, part, beyond[(row + 1) * stride], &high_left, &high_right);
        out.edges = planes_of(out.u, low_left, high_right, low_right, high_left);
    }
    return out;
}

/** The cut nodes of a block, a lane each: `first` and on, of `count`; their walls from `wall` on. */
template <class shape, typename real, class room_type, class taps_type>
__device__ __forceinline__ void
step_records(const room_type &room, const taps_type &taps, const iso_tile<real> &tile, const iso_ends<real> &ends,
             uint64_t first, uint32_t count, uint64_t wall, bool driven, uint64_t index, real *u_old)
{
    const uint32_t lane = threadIdx.x & 31u;
    for (uint32_t base = 0; base < count; base += 32) {
        const bool any = base + lane < count;
        struct gpu_iso_cut cut = {make_uint4(0, 0, 0, 0), make_uint2(0, 0)};
        if (any) {
            cut.first = __ldg(room.cut_first + first + base + lane);
            cut.second = __ldg(room.cut_second + first + base + lane);
        }
        const uint32_t mark = mark_of(cut), slot = mark & GPU_ISO_SLOT;
        uint32_t walls;
        const uint64_t entry = wall + walls_before(mark, &walls);
        wall += walls;
        if (!any || (mark & GPU_ISO_LINKED) != 0)
            continue;
        const int x = (int)(slot & 7u), row = (int)((slot >> 6) + 1) * ISO_ROWS + (int)(slot >> 3 & 7u) + 1;
        const real here = tile.u[8 * row + x], d = here - u_old[index + slot];
        const real sum = record_sum(cut, here, [&](int k) {
            const int to = row + iso_along(k, 1) + ISO_ROWS * iso_along(k, 2);
            return iso_along(k, 0) == 0 ? tile.u[8 * to + x] : tile_value(tile, ends, to, x + iso_along(k, 0));
        });
        const real v = air_move(d, sum, (real)gain_of(cut));
        const bool at_walls = (mark & GPU_ISO_WALL) != 0;
        real next[1] = {record_end<real>(room, here, v, d + v, at_walls, entry, more_of(mark))};
        if (driven)
            drive_record(room, taps, index + slot, next, at_walls, entry, more_of(mark));
        u_old[index + slot] = next[0];
    }
}

/** What sources bring to the whole nodes of a block, a lane a node. */
template <typename real, class room_type>
__device__ __forceinline__ void drive_whole(const room_type &room, const gpu_taps<real> &taps, uint32_t tile,
                                            uint64_t index, real *u_old)
{
    for (uint32_t e = first_source(taps, index) + (threadIdx.x & 31u);
         e < taps.source_nodes && taps.source[e].index < index + GPU_BLOCK_NODES; e += 32) {
        const uint64_t at = taps.source[e].index;
        const uint32_t slot = (uint32_t)(at - index);
        if (e > 0 && taps.source[e - 1].index == at)
            continue; /* who has the node's first takes all */
        if ((__ldg(&room.plane[8 * (size_t)tile + slot / 64].open) >> slot % 64 & 1u) == 0)
            continue;
        real next[1] = {u_old[at]};
        drive(taps, e, at, next);
        u_old[at] = next[0];
    }
}
template <typename real, class room_type>
__device__ __forceinline__ void drive_whole(const room_type &, const gpu_no_taps &, uint32_t, uint64_t, real *)
{
}

/** The BLOCKS places from `place` on. */
template <class shape, typename real, class room_type, class taps_type>
__device__ __forceinline__ void step_places(const room_type &room, const taps_type &taps, iso_tile<real> *tiles,
                                            uint32_t place, const real *__restrict__ u, real *u_old)
{
    const int which = (int)threadIdx.x / shape::LANES, lane = (int)threadIdx.x % shape::LANES;
    iso_tile<real> &tile = tiles[which];
    uint32_t words = 0;
    if ((threadIdx.x & 31u) < GPU_ISO_ROW_WORDS)
        words = __ldg(reinterpret_cast<const uint32_t *>(room.row + place + which) + (threadIdx.x & 31u));
    const uint32_t self = __shfl_sync(GPU_ALL_LANES, words, GPU_ISO_WORD_SELF);
    uint32_t marks = __shfl_sync(GPU_ALL_LANES, words, GPU_ISO_WORD_TILE);
    if (shape::BLOCKS < 4) /* fours are told of */
        marks &= ~((which == 0 ? GPU_ISO_LEFT : 0u) | (which + 1 == shape::BLOCKS ? GPU_ISO_RIGHT : 0u));
    const uint32_t tile_id = marks & GPU_ISO_TILE;
    const uint64_t index = block_index(self);
    const int part = lane & 1, y = lane >> 1 & 7, z0 = (lane >> 4) * shape::PLANES;
    real *const out = u_old + index + 64 * z0 + 8 * y;
    ask_for_tile<shape>(tile, words, marks, lane, u);
    four<real> old[shape::PLANES];
#pragma unroll
    for (int i = 0; i < shape::PLANES; ++i)
        old[i] = load_row<ACCESS_PLAIN>(out + 64 * i, part);
    copies_arrived();
    if (shape::BLOCKS > 1 || shape::LANES > 32)
        __syncthreads();
    else
        __syncwarp();
    if (self == 0)
        return;
    const iso_ends<real> ends(&tile, marks);
    const real *const beyond = ends.beyond[part];
    const int stride = ends.stride[part], row0 = (z0 + 1) * ISO_ROWS + y + 1;
    iso_sums<real> below = plane_sums<false>(tile, beyond, stride, row0 - ISO_ROWS, part);
    iso_sums<real> own = plane_sums<true>(tile, beyond, stride, row0, part);
#pragma unroll
    for (int i = 0; i < shape::PLANES; ++i) {
        const int over = row0 + (i + 1) * ISO_ROWS;
        const iso_sums<real> above = i + 1 < shape::PLANES ? plane_sums<true>(tile, beyond, stride, over, part)
                                                           : plane_sums<false>(tile, beyond, stride, over, part);
        four<real> next;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const real c = own.u.v[k];
            next.v[k] = moved(c, old[i].v[k],
                              whole_sum(own.faces.v[k], below.faces.v[k], above.faces.v[k], own.edges.v[k],
                                        (below.u.v[k] - c) + (above.u.v[k] - c)),
                              room.sixth);
        }
        uint32_t open = 15u;
        if (tile_id != GPU_TILE_FULL)
            open = (uint32_t)(__ldg(&room.plane[8 * (size_t)tile_id + z0 + i].open) >> (4 * (lane & 15))) & 15u;
        if (open == 15u) {
            store_row<ACCESS_STREAM>(out + 64 * i, part, next);
        } else {
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if ((open >> k & 1u) != 0)
                    out[64 * i + 4 * part + k] = next.v[k];
        }
        below = own;
        own = above;
    }
    if (tile_id != GPU_TILE_FULL && lane < 32) {
        const uint64_t cuts = (uint64_t)__shfl_sync(GPU_ALL_LANES, words, GPU_ISO_WORD_CUTS + 1) << 32 |
                              __shfl_sync(GPU_ALL_LANES, words, GPU_ISO_WORD_CUTS);
        const uint64_t walls = (uint64_t)__shfl_sync(GPU_ALL_LANES, words, GPU_ISO_WORD_WALLS + 1) << 32 |
                               __shfl_sync(GPU_ALL_LANES, words, GPU_ISO_WORD_WALLS);
        step_records<shape>(room, taps, tile, ends, cuts & GPU_ISO_FIRST, (uint32_t)(cuts >> GPU_ISO_COUNT_AT),
                            walls, (marks & GPU_ISO_SOURCE) != 0, index, u_old);
    }
    if ((marks & GPU_ISO_SOURCE) != 0) {
        if (shape::LANES > 32) /* all of the block's warps have stored */
            asm volatile("bar.sync %0, %1;" ::"r"(1 + which), "n"(shape::LANES) : "memory");
        else
            __syncwarp();
        if (lane < 32)
            drive_whole(room, taps, tile_id, index, u_old);
    }
}

template <class shape, typename real, class room_type, class taps_type>
__global__ void __launch_bounds__(shape::THREADS, shape::RESIDENTS)
    iso_kernel(room_type room, taps_type taps, const real *__restrict__ u, real *u_old, bool back)
{
    __shared__ iso_tile<real> tiles[shape::BLOCKS];
    const uint32_t ears = ear_ctas(taps), front = ears + linked_ctas(room);
    if (blockIdx.x < ears) {
        sample(taps, find_sampler(taps), u);
    } else if (blockIdx.x < front) {
        if (threadIdx.x < GPU_LAUNCH_THREADS)
            linked_step(room, taps, (blockIdx.x - ears) * GPU_LAUNCH_THREADS + threadIdx.x, u, u_old);
    } else {
        const uint32_t place = blockIdx.x - front, places = room.slots / shape::BLOCKS;
        step_places<shape>(room, taps, tiles, (back ? places - 1 - place : place) * shape::BLOCKS, u, u_old);
    }
}

/** One step. CTAs have 128 threads at least where there are taps or linked nodes. */
template <class shape, typename real, class room_type, class taps_type>
cudaError_t step_iso(const room_type &room, const taps_type &taps, const real *u, real *u_old, bool back,
                     cudaStream_t stream)
{
    iso_kernel<shape, real><<<ear_ctas(taps) + linked_ctas(room) + room.slots / shape::BLOCKS, shape::THREADS, 0,
                              stream>>>(room, taps, u, u_old, back);
    return cudaGetLastError();
}

#endif
