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

#define ISO_ROWS 10 /* of a plane of a tile, and planes */

/** BLOCKS a CTA, PLANES a thread, RESIDENTS CTAs an SM that registers are rationed for; AHEAD: places of the launch
 * order by which what a CTA will read is fetched into the second level, 0 for none. */
template <int BLOCKS_, int PLANES_, int RESIDENTS_, int AHEAD_ = 0> struct iso_shape {
    static constexpr int BLOCKS = BLOCKS_, PLANES = PLANES_, RESIDENTS = RESIDENTS_, AHEAD = AHEAD_;
    static constexpr int LANES = 16 * 8 / PLANES; /* of a block */
    static constexpr int THREADS = BLOCKS * LANES;
    static_assert(LANES % 32 == 0 && GPU_ORDER_PAD % BLOCKS == 0, "whole warps and whole CTAs");
};

/** A row: eight nodes, what is beyond its right end and its left one. With twelve values of four bytes, and rows in the
 * order of row_of_lane(), no two lanes of eight meet in a bank; of eight bytes they do so in pairs, whatever is done. */
template <typename real> constexpr int ISO_PITCH = sizeof(real) == 4 ? 12 : 10;
#define ISO_BEYOND_RIGHT 8
#define ISO_BEYOND_LEFT  9

template <typename real> struct alignas(16) iso_tile {
    real row[ISO_ROWS * ISO_ROWS][ISO_PITCH<real>];
};

/** y of a lane of sixteen. */
__device__ __forceinline__ int row_of_lane(int lane)
{
    return (lane >> 1 & 3) * 2 + (lane >> 3 & 1);
}

__device__ __forceinline__ void copy_sixteen(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
}
template <typename real> __device__ __forceinline__ void copy_value(real *to, const real *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from),
                 "n"(sizeof(real))
                 : "memory");
}
__device__ __forceinline__ void copies_arrived()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/** Ask for a tile. `words`: of the row, one a lane of the warp; `lane` counts the block's. What is beyond ends only
 * where `marks` do not say that the neighbour is in the CTA. */
template <class shape, typename real>
__device__ __forceinline__ void ask_for_tile(iso_tile<real> &tile, uint32_t words, uint32_t marks, int lane,
                                             const real *u)
{
    constexpr int WIDTH = 16 / (int)sizeof(real), PARTS = 8 / WIDTH; /* of a row */
    const auto block_of = [&](int word) {
        return u + block_index(__shfl_sync(GPU_ALL_LANES, words, word));
    };
    const int part = lane % PARTS * WIDTH, row = lane / PARTS;
    const real *const own = block_of(GPU_ISO_WORD_SELF) + WIDTH * lane;
#pragma unroll
    for (int i = 0; i < 64 * PARTS; i += shape::LANES) {
        const int at = i / PARTS + row;
        copy_sixteen(&tile.row[((at >> 3) + 1) * ISO_ROWS + (at & 7) + 1][part], own + WIDTH * i);
    }
    /* Rows beside the planes, and planes below and above. */
#pragma unroll
    for (int i = 0; i < 16 * PARTS; i += shape::LANES) {
        const int at = i / PARTS + row, n = at & 7, high = at >> 3 & 1;
        const real *const y = block_of(2 + high), *const z = block_of(4 + high);
        if (16 * PARTS >= shape::LANES || at < 16) {
            copy_sixteen(&tile.row[(n + 1) * ISO_ROWS + 9 * high][part], y + 64 * n + 56 * (1 - high) + part);
            copy_sixteen(&tile.row[9 * ISO_ROWS * high + n + 1][part], z + 8 * n + 448 * (1 - high) + part);
        }
    }
    {
        const int y = row & 1, z = row >> 1 & 1;
        const real *const edge = block_of(GPU_ISO_WORD_EDGE + 8 + (row & 3));
        if (row < 4)
            copy_sixteen(&tile.row[9 * (ISO_ROWS * z + y)][part], edge + 448 * (1 - z) + 56 * (1 - y) + part);
    }
    /* Beyond ends: of the 64 rows, of those beside planes and of those below and above. */
#pragma unroll
    for (int side = 0; side < 2; ++side) {
        if ((marks & (side ? GPU_ISO_RIGHT : GPU_ISO_LEFT)) != 0)
            continue;
        constexpr int BEYOND[2] = {ISO_BEYOND_LEFT, ISO_BEYOND_RIGHT};
        const int end = side ? 0 : 7;
        const real *const face = block_of(side) + end + 8 * lane;
#pragma unroll
        for (int i = 0; i < 64; i += shape::LANES) {
            const int at = i + lane;
            if (shape::LANES <= 64 || at < 64)
                copy_value(&tile.row[((at >> 3) + 1) * ISO_ROWS + (at & 7) + 1][BEYOND[side]], face + 8 * i);
        }
        const int n = lane & 7, high = lane >> 3 & 1, z = lane >> 4 & 1; /* across xy, then across xz */
        const real *const edge = block_of(GPU_ISO_WORD_EDGE + 4 * z + 2 * high + side) + end;
        if (shape::LANES <= 32 || lane < 32)
            copy_value(&tile.row[z ? 9 * ISO_ROWS * high + n + 1 : (n + 1) * ISO_ROWS + 9 * high][BEYOND[side]],
                       edge + (z ? 8 * n + 448 * (1 - high) : 64 * n + 56 * (1 - high)));
    }
}

/** Fetch rows of the launch order, and what of u and u_old belongs to a block of it, into the second level. */
template <class shape, typename real, class room_type>
__device__ __forceinline__ void fetch_ahead(const room_type &room, uint32_t place, int lane, const real *u,
                                            const real *u_old)
{
    if (shape::AHEAD == 0 || place >= room.slots || lane >= 32)
        return;
    const uint64_t index = block_index(__ldg(&room.row[place].self));
    const int lines = (int)(GPU_BLOCK_NODES * sizeof(real) / 128);
    for (int n = lane; n < 2 * lines; n += 32) {
        const real *const level = n < lines ? u : u_old;
        asm volatile("prefetch.global.L2 [%0];" ::"l"(level + index + (size_t)(n % lines) * (128 / sizeof(real))));
    }
}

/** Rows of a block's tile, and from where to read what is beyond their ends: value `row` of these, a pitch apart. */
template <typename real> struct iso_rows {
    const real *row, *left, *right;

    __device__ __forceinline__ iso_rows(const iso_tile<real> *tile, uint32_t marks)
    {
        row = tile->row[0];
        left = (marks & GPU_ISO_LEFT) != 0 ? tile[-1].row[0] + 7 : row + ISO_BEYOND_LEFT;
        right = (marks & GPU_ISO_RIGHT) != 0 ? tile[1].row[0] : row + ISO_BEYOND_RIGHT;
    }
    /** Node x of a row, -1 and 8 included. */
    __device__ __forceinline__ real value(int at, int x) const
    {
        const real *const from = x < 0 ? left : x > 7 ? right : row + x;
        return from[at * ISO_PITCH<real>];
    }
};

/** The same as a lane sees them: its four nodes, the one before and the one after. */
template <typename real> struct iso_lane_rows {
    const real *four_nodes, *left, *right;

    __device__ __forceinline__ iso_lane_rows(const iso_rows<real> &rows, int part, int first_row)
    {
        const int at = first_row * ISO_PITCH<real>;
        four_nodes = rows.row + 4 * part + at;
        left = (part == 0 ? rows.left : rows.row + 3) + at;
        right = (part == 0 ? rows.row + 4 : rows.right) + at;
    }
    __device__ __forceinline__ four<real> load(int row) const
    {
        return load_row<ACCESS_PLAIN>(four_nodes + row * ISO_PITCH<real>, 0);
    }
    __device__ __forceinline__ four<real> lefts(int row, const four<real> &u) const
    {
        return {{left[row * ISO_PITCH<real>], u.v[0], u.v[1], u.v[2]}};
    }
    __device__ __forceinline__ four<real> rights(int row, const four<real> &u) const
    {
        return {{u.v[1], u.v[2], u.v[3], right[row * ISO_PITCH<real>]}};
    }
};

/** A lane's four nodes of a plane of the tile, and the sums of their faces and edges in it about themselves. */
template <typename real> struct iso_sums {
    four<real> u, faces, edges;
};
/** EDGES_TOO: the sum over these, too. */
template <bool EDGES_TOO, typename real>
__device__ __forceinline__ iso_sums<real> plane_sums(const iso_lane_rows<real> &rows, int row)
{
    iso_sums<real> out;
    out.u = rows.load(row);
    const four<real> low = rows.load(row - 1), high = rows.load(row + 1);
    out.faces = planes_of(out.u, rows.lefts(row, out.u), rows.rights(row, out.u), low, high);
    if (EDGES_TOO)
        out.edges = planes_of(out.u, rows.lefts(row - 1, low), rows.rights(row + 1, high), rows.rights(row - 1, low),
                              rows.lefts(row + 1, high));
    return out;
}

/** The cut nodes of a block, a lane each: `first` and on, of `count`; their walls from `wall` on. */
template <class shape, typename real, class room_type, class taps_type>
__device__ __forceinline__ void
step_records(const room_type &room, const taps_type &taps, const iso_rows<real> &rows, uint64_t first,
             uint32_t count, uint64_t wall, bool driven, uint64_t index, real *u_old)
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
        const uint64_t entry = wall + walls_before<room_type::has_states>(mark, &walls);
        wall += walls;
        if (!any || (mark & GPU_ISO_LINKED) != 0)
            continue;
        const int x = (int)(slot & 7u), row = (int)((slot >> 6) + 1) * ISO_ROWS + (int)(slot >> 3 & 7u) + 1;
        const real here = rows.row[row * ISO_PITCH<real> + x], d = here - u_old[index + slot];
        const real sum = record_sum(cut, here, [&](int k, int) {
            const int to = row + iso_along(k, 1) + ISO_ROWS * iso_along(k, 2);
            return iso_along(k, 0) == 0 ? rows.row[to * ISO_PITCH<real> + x] : rows.value(to, x + iso_along(k, 0));
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
    const int part = lane & 1, y = row_of_lane(lane), z0 = (lane >> 4) * shape::PLANES;
    real *const out = u_old + index + 64 * z0 + 8 * y;
    ask_for_tile<shape>(tile, words, marks, lane, u);
    four<real> old[shape::PLANES];
#pragma unroll
    for (int i = 0; i < shape::PLANES; ++i)
        old[i] = load_row<ACCESS_PLAIN>(out + 64 * i, part);
    fetch_ahead<shape>(room, place + which + shape::AHEAD, lane, u, u_old);
    copies_arrived();
    if (shape::BLOCKS > 1 || shape::LANES > 32)
        __syncthreads();
    else
        __syncwarp();
    if (self == 0)
        return;
    const iso_rows<real> rows(&tile, marks);
    const iso_lane_rows<real> mine(rows, part, (z0 + 1) * ISO_ROWS + y + 1);
    iso_sums<real> below = plane_sums<false>(mine, -ISO_ROWS), own = plane_sums<true>(mine, 0);
#pragma unroll
    for (int i = 0; i < shape::PLANES; ++i) {
        const int over = (i + 1) * ISO_ROWS;
        const iso_sums<real> above =
            i + 1 < shape::PLANES ? plane_sums<true>(mine, over) : plane_sums<false>(mine, over);
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
            open = (uint32_t)(__ldg(&room.plane[8 * (size_t)tile_id + z0 + i].open) >> (8 * y + 4 * part)) & 15u;
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
        step_records<shape>(room, taps, rows, cuts & GPU_ISO_FIRST, (uint32_t)(cuts >> GPU_ISO_COUNT_AT), walls,
                            (marks & GPU_ISO_SOURCE) != 0, index, u_old);
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
