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

/** BLOCKS a CTA, PLANES a thread, RESIDENTS CTAs an SM that registers are rationed for. */
template <int BLOCKS_, int PLANES_, int RESIDENTS_> struct iso_shape {
    static constexpr int BLOCKS = BLOCKS_, PLANES = PLANES_, RESIDENTS = RESIDENTS_;
    static constexpr int LANES = 16 * 8 / PLANES;                 /* of a block */
    static constexpr int WARP_BLOCKS = LANES < 32 ? 32 / LANES : 1; /* blocks of a warp */
    static constexpr int THREADS = BLOCKS * LANES;
    static_assert(THREADS % 32 == 0 && GPU_ORDER_PAD % BLOCKS == 0, "whole warps and whole CTAs");
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

/** A row of the launch order, a word or two a lane: of the warp, or of sixteen lanes where it has two blocks. */
template <class shape> struct row_words {
    uint32_t low, high;

    __device__ __forceinline__ row_words(const struct gpu_iso_row *row)
    {
        const uint32_t *const words = reinterpret_cast<const uint32_t *>(row);
        const int lane = (int)threadIdx.x & (shape::LANES < 32 ? 15 : 31);
        low = lane < GPU_ISO_ROW_WORDS ? __ldg(words + lane) : 0u;
        high = shape::LANES < 32 && lane < GPU_ISO_ROW_WORDS - 16 ? __ldg(words + 16 + lane) : 0u;
    }
    /** All lanes take part. */
    __device__ __forceinline__ uint32_t operator[](int word) const
    {
        if (shape::LANES >= 32)
            return __shfl_sync(GPU_ALL_LANES, low, word);
        return word < 16 ? __shfl_sync(GPU_ALL_LANES, low, word, 16)
                         : __shfl_sync(GPU_ALL_LANES, high, word - 16, 16);
    }
    /** As above, one of the first sixteen. */
    __device__ __forceinline__ uint32_t early(int word) const
    {
        return __shfl_sync(GPU_ALL_LANES, low, word, shape::LANES < 32 ? 16 : 32);
    }
    __device__ __forceinline__ uint64_t pair(int word) const
    {
        return (uint64_t)(*this)[word + 1] << 32 | (*this)[word];
    }
};

/** Ask for a tile; `lane` counts the block's. What is beyond ends only where `marks` do not say that the neighbour is in
 * the CTA. All lanes take part. */
template <class shape, typename real>
__device__ __forceinline__ void ask_for_tile(iso_tile<real> &tile, const row_words<shape> &words, uint32_t marks,
                                             int lane, const real *u)
{
    constexpr int WIDTH = 16 / (int)sizeof(real), PARTS = 8 / WIDTH, LANES = shape::LANES; /* PARTS of a row */
    const int part = lane % PARTS * WIDTH, row = lane / PARTS;
    const real *const own = u + block_index(words[GPU_ISO_WORD_SELF]) + WIDTH * lane;
#pragma unroll
    for (int i = 0; i < 64 * PARTS; i += LANES) {
        const int at = i / PARTS + row;
        copy_sixteen(&tile.row[((at >> 3) + 1) * ISO_ROWS + (at & 7) + 1][part], own + WIDTH * i);
    }
    /* Rows beside the planes, and planes below and above. */
#pragma unroll
    for (int i = 0; i < 16 * PARTS; i += LANES) {
        const int at = i / PARTS + row, n = at & 7, high = at >> 3 & 1;
        const real *const y = u + block_index(words.early(GPU_ISO_WORD_BESIDE + high)),
                          *const z = u + block_index(words.early(GPU_ISO_WORD_BESIDE + 2 + high));
        if (16 * PARTS >= LANES || at < 16) {
            copy_sixteen(&tile.row[(n + 1) * ISO_ROWS + 9 * high][part], y + 64 * n + 56 * (1 - high) + part);
            copy_sixteen(&tile.row[9 * ISO_ROWS * high + n + 1][part], z + 8 * n + 448 * (1 - high) + part);
        }
    }
    {
        const int y = row & 1, z = row >> 1 & 1;
        const real *const edge = u + block_index(words.early(GPU_ISO_WORD_EDGE + 8 + (row & 3)));
        if (row < 4)
            copy_sixteen(&tile.row[9 * (ISO_ROWS * z + y)][part], edge + 448 * (1 - z) + 56 * (1 - y) + part);
    }
    /* Beyond ends: of the 64 rows, of those beside planes and of those below and above. */
#pragma unroll
    for (int side = 0; side < 2; ++side) {
        constexpr int BEYOND[2] = {ISO_BEYOND_LEFT, ISO_BEYOND_RIGHT};
        const bool wanted = (marks & (side ? GPU_ISO_RIGHT : GPU_ISO_LEFT)) == 0;
        const int end = side ? 0 : 7;
        if (__any_sync(GPU_ALL_LANES, wanted) == 0)
            continue;
        const real *const face = u + block_index(words[GPU_ISO_WORD_END + side]) + end + 8 * lane;
#pragma unroll
        for (int i = 0; i < 64; i += LANES) {
            const int at = i + lane;
            if (wanted && (LANES <= 64 || at < 64))
                copy_value(&tile.row[((at >> 3) + 1) * ISO_ROWS + (at & 7) + 1][BEYOND[side]], face + 8 * i);
        }
#pragma unroll
        for (int i = 0; i < 32; i += LANES) {
            const int at = i + lane, n = at & 7, high = at >> 3 & 1, z = at >> 4 & 1; /* across xy, then across xz */
            const real *const edge = u + block_index(words.early(GPU_ISO_WORD_EDGE + 4 * z + 2 * high + side)) + end;
            if (wanted && (LANES <= 32 || at < 32))
                copy_value(&tile.row[z ? 9 * ISO_ROWS * high + n + 1 : (n + 1) * ISO_ROWS + 9 * high][BEYOND[side]],
                           edge + (z ? 8 * n + 448 * (1 - high) : 64 * n + 56 * (1 - high)));
        }
    }
}

__device__ __forceinline__ void fetch_line(const void *from)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
}

/** Fetch what `count` cut nodes of a block from `first` on will ask for into the second level: their records, and the
 * states of as many wall entries from `wall` on. */
template <class shape, typename real, class room_type>
__device__ __forceinline__ void fetch_records(const room_type &room, uint64_t first, uint32_t count, uint64_t wall,
                                              int lane)
{
    constexpr int LANES = shape::LANES < 32 ? shape::LANES : 32;
    if (lane >= LANES)
        return;
    for (uint32_t n = 8 * (uint32_t)lane; n < count; n += 8 * LANES)
        fetch_line(room.cut_first + first + n);
    for (uint32_t n = 16 * (uint32_t)lane; n < count; n += 16 * LANES)
        fetch_line(room.cut_second + first + n);
    if constexpr (room_type::has_states) {
        constexpr uint32_t LINE = 128 / sizeof(real);
        const uint32_t lines = (count + LINE - 1) / LINE, planes = 2 * (uint32_t)room.walls.branches;
        for (uint32_t n = (uint32_t)lane; n < lines * planes; n += LANES) {
            const uint64_t at = wall + LINE * (uint64_t)(n % lines);
            if (at < room.walls.stride)
                fetch_line(room.walls.state + at + n / lines * room.walls.stride);
        }
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
/** EDGES_TOO: the sum over these, too. A difference is that of the node on its other side, less its sign. */
template <bool EDGES_TOO, typename real>
__device__ __forceinline__ iso_sums<real> plane_sums(const iso_lane_rows<real> &rows, int row)
{
    iso_sums<real> out;
    out.u = rows.load(row);
    const four<real> low = rows.load(row - 1), high = rows.load(row + 1), left = rows.lefts(row, out.u),
                     right = rows.rights(row, out.u);
    real along = out.u.v[0] - left.v[0];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const real next = right.v[i] - out.u.v[i];
        out.faces.v[i] = plane_of(-along, next, low.v[i] - out.u.v[i], high.v[i] - out.u.v[i]);
        along = next;
    }
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

/** What sources bring to the whole nodes of a block, where there are any: a lane a node. */
template <class shape, typename real, class room_type>
__device__ __forceinline__ void drive_whole(const room_type &room, const gpu_taps<real> &taps, bool driven,
                                            uint32_t tile, uint64_t index, real *u_old)
{
    constexpr uint32_t LANES = shape::LANES < 32 ? shape::LANES : 32;
    __syncwarp();
    if (!driven)
        return;
    for (uint32_t e = first_source(taps, index) + (threadIdx.x & (LANES - 1u));
         e < taps.source_nodes && taps.source[e].index < index + GPU_BLOCK_NODES; e += LANES) {
        const uint64_t at = taps.source[e].index;
        const uint32_t slot = (uint32_t)(at - index);
        if (e > 0 && taps.source[e - 1].index == at)
            continue; /* who has the node's first takes all */
        if (tile != GPU_TILE_FULL && (__ldg(&room.plane[8 * (size_t)tile + slot / 64].open) >> slot % 64 & 1u) == 0)
            continue;
        real next[1] = {u_old[at]};
        drive(taps, e, at, next);
        u_old[at] = next[0];
    }
}
template <class shape, typename real, class room_type>
__device__ __forceinline__ void drive_whole(const room_type &, const gpu_no_taps &, bool, uint32_t, uint64_t, real *)
{
}

/** The sweep of a block by its lanes: whole nodes. `open`(i): those of the lane in its plane i. `out`: the lane's place
 * in its first plane of u_old. */
template <class shape, typename real, class open_type>
__device__ __forceinline__ void sweep(const iso_lane_rows<real> &rows, four<real> *old, real sixth, real *out, bool ours,
                                      const open_type &open)
{
    constexpr int AHEAD = shape::PLANES < 4 ? shape::PLANES : 4; /* planes of u_old that are read before */
    const iso_sums<real> under = plane_sums<false>(rows, -ISO_ROWS);
    iso_sums<real> own = plane_sums<true>(rows, 0);
    four<real> below = under.faces, rise; /* from the plane below */
#pragma unroll
    for (int k = 0; k < 4; ++k)
        rise.v[k] = own.u.v[k] - under.u.v[k];
#pragma unroll
    for (int i = 0; i < shape::PLANES; ++i) {
        const int over = (i + 1) * ISO_ROWS;
        const iso_sums<real> above =
            i + 1 < shape::PLANES ? plane_sums<true>(rows, over) : plane_sums<false>(rows, over);
        four<real> next;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const real c = own.u.v[k], up = above.u.v[k] - c;
            next.v[k] = moved(c, old[i % AHEAD].v[k],
                              whole_sum(own.faces.v[k], below.v[k], above.faces.v[k], own.edges.v[k],
                                        -rise.v[k] + up),
                              sixth);
            rise.v[k] = up;
        }
        if (i + AHEAD < shape::PLANES)
            old[i % AHEAD] = load_row<ACCESS_PLAIN>(out + 64 * (i + AHEAD), 0);
        const uint32_t whole = open(i);
        if (ours && whole == 15u) {
            store_row<ACCESS_STREAM>(out + 64 * i, 0, next);
        } else if (ours) {
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if ((whole >> k & 1u) != 0)
                    out[64 * i + k] = next.v[k];
        }
        below = own.faces;
        own = above;
    }
}

/** The BLOCKS places from `place` on. */
template <class shape, typename real, class room_type, class taps_type>
__device__ __forceinline__ void step_places(const room_type &room, const taps_type &taps, iso_tile<real> *tiles,
                                            uint32_t place, const real *__restrict__ u, real *u_old)
{
    constexpr int AHEAD = shape::PLANES < 4 ? shape::PLANES : 4;
    const int which = (int)threadIdx.x / shape::LANES, lane = (int)threadIdx.x % shape::LANES;
    const row_words<shape> words(room.row + place + which);
    const uint32_t self = words[GPU_ISO_WORD_SELF];
    uint32_t marks = words[GPU_ISO_WORD_TILE];
    if (shape::BLOCKS < 4) /* fours are told of */
        marks &= ~((which == 0 ? GPU_ISO_LEFT : 0u) | (which + 1 == shape::BLOCKS ? GPU_ISO_RIGHT : 0u));
    const uint32_t tile_id = marks & GPU_ISO_TILE;
    const uint64_t index = block_index(self);
    const int part = lane & 1, y = row_of_lane(lane), z0 = (lane >> 4) * shape::PLANES;
    real *const out = u_old + index + 64 * z0 + 8 * y + 4 * part;
    ask_for_tile<shape>(tiles[which], words, marks, lane, u);
    four<real> old[AHEAD];
#pragma unroll
    for (int i = 0; i < AHEAD; ++i)
        old[i] = load_row<ACCESS_PLAIN>(out + 64 * i, 0);
    const bool mixed = __any_sync(GPU_ALL_LANES, tile_id != GPU_TILE_FULL) != 0;
    if (mixed) {
        const uint64_t cuts = words.pair(GPU_ISO_WORD_CUTS), wall = words.pair(GPU_ISO_WORD_WALLS);
        fetch_records<shape, real>(room, cuts & GPU_ISO_FIRST, (uint32_t)(cuts >> GPU_ISO_COUNT_AT), wall, lane);
    }
    copies_arrived();
    if (shape::THREADS > 32)
        __syncthreads();
    else
        __syncwarp();
    const iso_rows<real> rows(tiles + which, marks);
    sweep<shape>(iso_lane_rows<real>(rows, part, (z0 + 1) * ISO_ROWS + y + 1), old, room.sixth, out, self != 0,
                 [&](int i) {
                     return tile_id == GPU_TILE_FULL
                                ? 15u
                                : (uint32_t)(__ldg(&room.plane[8 * (size_t)tile_id + z0 + i].open) >>
                                             (8 * y + 4 * part)) &
                                      15u;
                 });
    const bool driven = (marks & GPU_ISO_SOURCE) != 0;
    if (mixed && lane < 32) {
        const uint64_t cuts = words.pair(GPU_ISO_WORD_CUTS), wall = words.pair(GPU_ISO_WORD_WALLS);
#pragma unroll 1
        for (int block = 0; block < shape::WARP_BLOCKS; ++block) {
            const int from = block * shape::LANES; /* a lane that has the block */
            const auto of = [&](auto value) { return __shfl_sync(GPU_ALL_LANES, value, from); };
            const uint64_t their = of(cuts);
            const uint32_t theirs = of(marks);
            step_records<shape>(room, taps, iso_rows<real>(tiles + of(which), theirs), their & GPU_ISO_FIRST,
                                (uint32_t)(their >> GPU_ISO_COUNT_AT), of(wall), (theirs & GPU_ISO_SOURCE) != 0,
                                of(index), u_old);
        }
    }
    if (driven && shape::LANES > 32) /* all of the block's warps have stored */
        asm volatile("bar.sync %0, %1;" ::"r"(1 + which), "n"(shape::LANES) : "memory");
    if (__any_sync(GPU_ALL_LANES, driven) != 0 && lane < 32)
        drive_whole<shape>(room, taps, driven, tile_id, index, u_old);
}

template <class shape, typename real, class room_type, class taps_type>
__global__ void __launch_bounds__(shape::THREADS, shape::RESIDENTS)
    iso_kernel(room_type room, taps_type taps, const real *__restrict__ u, real *u_old, bool back)
{
    extern __shared__ __align__(16) unsigned char iso_memory[];
    iso_tile<real> *const tiles = reinterpret_cast<iso_tile<real> *>(iso_memory);
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
    constexpr int bytes = shape::BLOCKS * (int)sizeof(iso_tile<real>);
    const auto kernel = iso_kernel<shape, real, room_type, taps_type>;
    if (bytes > 48 * 1024) {
        const cudaError_t code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (code != cudaSuccess)
            return code;
    }
    kernel<<<ear_ctas(taps) + linked_ctas(room) + room.slots / shape::BLOCKS, shape::THREADS, bytes, stream>>>(
        room, taps, u, u_old, back);
    return cudaGetLastError();
}

#endif
