/** Blocks of the isotropic scheme: tiles with full halo in shared memory, four blocks of a row a CTA.
 *
 *   mapping    a CTA takes four places of the launch order, a warp a block: sixteen lanes a plane (a row of
 *              eight by two), each lane four planes upwards with u and the sums of faces and edges of its
 *              plane in registers. A tile is 10 x 10 rows of eight and two strips of values beyond their
 *              ends; where the neighbour in x is in the same CTA its tile is read instead of the strip, which
 *              stays empty
 *   bytes      12 a stored node in single precision, 24 in double; through the second level 276 sectors of
 *              32 bytes a block in single precision where 192 are the least: 36 of rows around the block,
 *              48 of strips. 96 bytes a block of ids. A cut node reads 24 bytes more and its coefficient,
 *              or the states of its walls
 *   cut nodes  the sweep leaves them alone; then a lane takes a record, finds its 18 neighbours in the tile
 *              and finishes the node, walls of either kind included. Nodes with extra links are CTAs of
 *              their own at the front of the same launch: one launch is a step
 *   sources    add to what their block's warp has stored; receivers are CTAs at the front
 *   predicted  0.90 of copy in single precision on the cross of 5 x 512^3, 0.86 on 5 x 296^3, 279 Gnode/s
 *              on 5 x 144^3 (a throwaway kernel of the same mapping); double not predicted
 *   measured   H200: 0.864, 0.847 and 254 (to and fro; 248 forwards); double 0.818 on 5 x 512^3. The first
 *              form took each difference twice, once for either end: 0.811 to 0.831, 0.814, 244; 0.811 in
 *              double
 *   taught     the GPU draws its 700 W in large rooms and slows to 1.6 to 1.9 GHz: instructions count. Taking
 *              a difference once in x and z made 4 to 5 % (903 instructions a block before, 438 of them
 *              sums). Left out, single precision, 5 x 144^3 and 5 x 512^3, where this took 60 us and 2.18 ms:
 *              eight CTAs an SM (64 registers) 66 and 2.38; rows of twelve values without bank conflicts,
 *              lanes taking rows 0 2 4 6 1 3 5 7, 73 and 2.5 to 2.7, since loads and stores of u_old then ask
 *              for half lines; two planes a thread and eight warps 69 and 2.6; eight planes a thread and two
 *              blocks a warp 79 and 2.5; eight blocks of a row a CTA 63 and 2.25; the next tile on its way
 *              while one is swept, 2 to 16 fours a CTA, 67 to 114 and 2.3 to 3.1; rows through the first
 *              level, 5 % slower. In double five CTAs an SM took 10 % longer. ncu, 5 x 144^3: the second
 *              level is 82 % busy, memory 63 %, 0.56 instructions a cycle and scheduler. The busy part is the
 *              path between its two halves (ltcfabric, 77 % in the church), so structure counts for little.
 *              Left out after that, 5 x 144^3 to and fro (57.4 us here that day), 5 x 512^3 (2.16 to 2.19 ms)
 *              and the church at 48 mm with states (88.0 to 88.6): cut nodes of a CTA's blocks by all of its
 *              warps after the sweep, 57.3 and 90 to 102 (predicted 75 for the church); u_old through shared
 *              memory, and cut nodes there, so that rows are stored whole, 58.1, 2.17 to 2.34 and 89.5; both,
 *              57.7, 2.18 and 88.9 (84); those at 64 registers 60 and 100; pairs of CTAs that read one
 *              another's tiles (a cluster), 72 (53), 2.7 and 113; u_old past the cache 90.4; states kept in
 *              the second level 87.4 to 88.3 (80); no fetching of states ahead 91.9; weights of cut nodes
 *              made reals by a sum instead of a conversion, 88.2; a P of a second difference along x and one
 *              along y, with 21.75 sums a node for 22.25, 59.4 forwards for 59.2 and 2.21 for 2.19
 */
#ifndef KERNELS_STEP_ISO_BLOCKS_CUH
#define KERNELS_STEP_ISO_BLOCKS_CUH

#include "kernels/cuda/step/gpu_iso.cuh"

#define ISO_ROWS  10                    /* of a plane of a tile, and planes */
#define ISO_STRIP (ISO_ROWS * ISO_ROWS) /* values beyond one end of the rows */

/** BLOCKS a CTA, PLANES a thread, RESIDENTS CTAs an SM that registers are rationed for. */
template <int BLOCKS_, int PLANES_, int RESIDENTS_> struct iso_shape {
    static constexpr int BLOCKS = BLOCKS_, PLANES = PLANES_, RESIDENTS = RESIDENTS_;
    static constexpr int LANES = 16 * 8 / PLANES; /* of a block */
    static constexpr int THREADS = BLOCKS * LANES;
    static_assert(LANES % 32 == 0 && GPU_ORDER_PAD % BLOCKS == 0, "whole warps and whole CTAs");
};

/** The shape in use. */
template <typename real> using iso_blocks_shape = iso_shape<GPU_ISO_RUN, 4, sizeof(real) == 4 ? 7 : 4>;

template <typename real> struct alignas(16) iso_tile {
    real row[ISO_ROWS * ISO_ROWS][8];
    real beyond[2][ISO_STRIP]; /* its left end and its right one, by row */
};

/* Copies that pass registers by; before compute capability 8.0 they do not. */
__device__ __forceinline__ void copy_sixteen(void *to, const void *from)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint32_t)__cvta_generic_to_shared(to)),
                 "l"(from)
                 : "memory");
#else
    *static_cast<uint4 *>(to) = *static_cast<const uint4 *>(from);
#endif
}
template <typename real> __device__ __forceinline__ void copy_value(real *to, const real *from)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((uint32_t)__cvta_generic_to_shared(to)),
                 "l"(from), "n"(sizeof(real))
                 : "memory");
#else
    *to = *from;
#endif
}
__device__ __forceinline__ void copies_arrived()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/** A row of the launch order, a word a lane of each warp. */
struct row_words {
    uint32_t word;

    __device__ __forceinline__ explicit row_words(const struct gpu_iso_row *row)
    {
        const uint32_t lane = threadIdx.x & 31u;
        word = lane < GPU_ISO_ROW_WORDS ? __ldg(reinterpret_cast<const uint32_t *>(row) + lane) : 0u;
    }
    /** All lanes take part. */
    __device__ __forceinline__ uint32_t operator[](int which) const
    {
        return __shfl_sync(GPU_ALL_LANES, word, which);
    }
    __device__ __forceinline__ uint64_t pair(int which) const
    {
        return (uint64_t)(*this)[which + 1] << 32 | (*this)[which];
    }
};

/** Request a tile; `lane` counts the block's lanes. Values beyond its ends are requested only if, by `marks`,
 * the neighbour is not in the CTA. All lanes take part. */
template <class shape, typename real>
__device__ __forceinline__ void ask_for_tile(iso_tile<real> &tile, const row_words &words, uint32_t marks,
                                             int lane, const real *u)
{
    constexpr int WIDTH = 16 / (int)sizeof(real), PARTS = 8 / WIDTH,
                  LANES = shape::LANES; /* PARTS of a row */
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
        const real *const y = u + block_index(words[GPU_ISO_WORD_BESIDE + high]),
                          *const z = u + block_index(words[GPU_ISO_WORD_BESIDE + 2 + high]);
        if (16 * PARTS >= LANES || at < 16) {
            copy_sixteen(&tile.row[(n + 1) * ISO_ROWS + 9 * high][part], y + 64 * n + 56 * (1 - high) + part);
            copy_sixteen(&tile.row[9 * ISO_ROWS * high + n + 1][part], z + 8 * n + 448 * (1 - high) + part);
        }
    }
    {
        const int y = row & 1, z = row >> 1 & 1;
        const real *const edge = u + block_index(words[GPU_ISO_WORD_EDGE + 8 + (row & 3)]);
        if (row < 4)
            copy_sixteen(&tile.row[9 * (ISO_ROWS * z + y)][part], edge + 448 * (1 - z) + 56 * (1 - y) + part);
    }
    /* Beyond ends: of the 64 rows, of those beside planes and of those below and above. */
#pragma unroll
    for (int side = 0; side < 2; ++side) {
        const int end = side ? 0 : 7;
        if ((marks & (side ? GPU_ISO_RIGHT : GPU_ISO_LEFT)) != 0)
            continue;
        const real *const face = u + block_index(words[GPU_ISO_WORD_END + side]) + end + 8 * lane;
#pragma unroll
        for (int i = 0; i < 64; i += LANES) {
            const int at = i + lane;
            if (LANES <= 64 || at < 64)
                copy_value(&tile.beyond[side][((at >> 3) + 1) * ISO_ROWS + (at & 7) + 1], face + 8 * i);
        }
#pragma unroll
        for (int i = 0; i < 32; i += LANES) {
            const int at = i + lane, n = at & 7, high = at >> 3 & 1,
                      z = at >> 4 & 1; /* across xy, then across xz */
            const real *const edge =
                u + block_index(words[GPU_ISO_WORD_EDGE + 4 * z + 2 * high + side]) + end;
            if (LANES <= 32 || at < 32)
                copy_value(
                    &tile.beyond[side][z ? 9 * ISO_ROWS * high + n + 1 : (n + 1) * ISO_ROWS + 9 * high],
                    edge + (z ? 8 * n + 448 * (1 - high) : 64 * n + 56 * (1 - high)));
        }
    }
}

/** Prefetch `count` items into the second-level cache: by one instruction of one lane where a device has it,
 * else line by line by a warp. */
template <typename item>
__device__ __forceinline__ void fetch_items(const item *from, uint32_t count, int lane)
{
    const uint32_t bytes = count * (uint32_t)sizeof(item);
#if __CUDA_ARCH__ >= 900
    const uint64_t at = (uint64_t)from, start = at & ~UINT64_C(15);
    const uint32_t size = ((uint32_t)(at - start) + bytes + 15u) & ~15u;
    if (lane == 0)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(start), "r"(size));
#else
    for (uint32_t n = 128 * (uint32_t)lane; n < bytes; n += 128 * 32)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(reinterpret_cast<const char *>(from) + n));
#endif
}

/** Prefetch for `count` cut nodes of a block from `first` on: their records, and all data of as many wall
 * entries from `wall` on. */
template <typename real, class room_type>
__device__ __forceinline__ void fetch_records(const room_type &room, uint64_t first, uint32_t count,
                                              uint64_t wall, int lane)
{
    if (lane >= 32 || count == 0)
        return;
    fetch_items(room.cut_first + first, count, lane);
    fetch_items(room.cut_second + first, count, lane);
    if constexpr (room_type::has_states) {
        if (wall >= room.walls.entries)
            return;
        const uint32_t some = (uint32_t)min((uint64_t)count, room.walls.entries - wall),
                       groups = ((uint32_t)(wall % GPU_ENTRIES) + some + GPU_ENTRIES - 1) / GPU_ENTRIES;
        fetch_items(room.walls.row + wall, some, lane);
        fetch_items(room.walls.share + wall, some, lane);
        fetch_items(room.walls.at(wall - wall % GPU_ENTRIES), groups * room.walls.planes() * GPU_ENTRIES,
                    lane);
    }
}

/** Rows of a block's tile, and the values beyond their ends, by row at this distance. */
template <typename real> struct iso_rows {
    const real *row, *beyond[2];
    int apart[2];

    __device__ __forceinline__ iso_rows(const iso_tile<real> *tile, uint32_t marks)
    {
        const bool left = (marks & GPU_ISO_LEFT) != 0, right = (marks & GPU_ISO_RIGHT) != 0;
        row = tile->row[0];
        beyond[0] = left ? tile[-1].row[0] + 7 : tile->beyond[0];
        beyond[1] = right ? tile[1].row[0] : tile->beyond[1];
        apart[0] = left ? 8 : 1;
        apart[1] = right ? 8 : 1;
    }
    /** Node x of a row, -1 and 8 included. */
    __device__ __forceinline__ real value(int at, int x) const
    {
        return x < 0 ? beyond[0][at * apart[0]] : x > 7 ? beyond[1][at * apart[1]] : row[8 * at + x];
    }
};

/** The same as a lane sees them: its four nodes, and those beside them. */
template <typename real> struct iso_lane_rows {
    const real *nodes, *outer;
    int apart, part;

    __device__ __forceinline__ iso_lane_rows(const iso_rows<real> &rows, int lane_part, int first_row)
    {
        part = lane_part;
        apart = part == 0 ? rows.apart[0] : rows.apart[1];
        nodes = rows.row + 8 * first_row + 4 * part;
        outer = (part == 0 ? rows.beyond[0] : rows.beyond[1]) + first_row * apart;
    }
    __device__ __forceinline__ four<real> load(int row) const
    {
        return load_row<ACCESS_PLAIN>(nodes + 8 * row, 0);
    }
    /** All lanes take part. */
    __device__ __forceinline__ void sides(int row, const four<real> &u, four<real> *left,
                                          four<real> *right) const
    {
        row_sides(u, part, outer[row * apart], left, right);
    }
};

/** A lane's four nodes of a plane of the tile, and the sums of their faces and edges in it about themselves.
 */
template <typename real> struct iso_sums {
    four<real> u, faces, edges;
};
/** All lanes take part. EDGES_TOO: the sum over edges, too. A difference is that of the node on its other
 * side, less its sign. */
template <bool EDGES_TOO, typename real>
__device__ __forceinline__ iso_sums<real> plane_sums(const iso_lane_rows<real> &rows, int row)
{
    iso_sums<real> out;
    out.u = rows.load(row);
    const four<real> low = rows.load(row - 1), high = rows.load(row + 1);
    four<real> left, right;
    rows.sides(row, out.u, &left, &right);
    real along = out.u.v[0] - left.v[0];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const real next = right.v[i] - out.u.v[i];
        out.faces.v[i] = scheme_plane(-along, next, low.v[i] - out.u.v[i], high.v[i] - out.u.v[i]);
        along = next;
    }
    if (EDGES_TOO) {
        four<real> low_left, low_right, high_left, high_right;
        rows.sides(row - 1, low, &low_left, &low_right);
        rows.sides(row + 1, high, &high_left, &high_right);
        out.edges = planes_of(out.u, low_left, high_right, low_right, high_left);
    }
    return out;
}

/** The cut nodes of a block, a lane each: `first` and on, of `count`; their walls from `wall` on. */
template <typename real, class room_type, class taps_type>
__device__ __forceinline__ void step_records(const room_type &room, const taps_type &taps,
                                             const iso_rows<real> &rows, uint64_t first, uint32_t count,
                                             uint64_t wall, bool driven, uint64_t index, real *u_old)
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
        const real here = rows.row[8 * row + x], d = here - u_old[index + slot];
        const real sum = record_sum(cut, here, [&](int k, int) {
            const int to = row + iso_along(k, 1) + ISO_ROWS * iso_along(k, 2);
            return iso_along(k, 0) == 0 ? rows.row[8 * to + x] : rows.value(to, x + iso_along(k, 0));
        });
        const real v = scheme_move(d, sum, (real)gain_of(cut));
        const bool at_walls = (mark & GPU_ISO_WALL) != 0;
        real next[1] = {record_end<real>(room, here, v, d + v, at_walls, entry, more_of(mark))};
        if (driven)
            drive_record(room, taps, index + slot, next, at_walls, entry, more_of(mark));
        u_old[index + slot] = next[0];
    }
}

/** Add sources to the whole nodes of a block that this warp has stepped: a lane a node. */
template <class shape, typename real, class room_type>
__device__ __forceinline__ void drive_whole(const room_type &room, const gpu_taps<real> &taps, uint32_t tile,
                                            uint64_t index, real *u_old)
{
    const uint32_t warp = threadIdx.x % shape::LANES / 32;
    __syncwarp();
    for (uint32_t e = first_source(taps, index) + (threadIdx.x & 31u);
         e < taps.source_nodes && taps.source[e].index < index + GPU_BLOCK_NODES; e += 32) {
        const uint64_t at = taps.source[e].index;
        const uint32_t slot = (uint32_t)(at - index);
        if (e > 0 && taps.source[e - 1].index == at)
            continue; /* the thread of the node's first source adds them all */
        if (slot / 64 / (2 * shape::PLANES) != warp)
            continue;
        if (tile != GPU_TILE_FULL &&
            (__ldg(&room.plane[8 * (size_t)tile + slot / 64].open) >> slot % 64 & 1u) == 0)
            continue;
        real next[1] = {u_old[at]};
        add_drives(taps, e, at, next);
        u_old[at] = next[0];
    }
}
template <class shape, typename real, class room_type>
__device__ __forceinline__ void drive_whole(const room_type &, const gpu_no_taps &, uint32_t, uint64_t,
                                            real *)
{
}

/** The sweep of a block by its lanes: whole nodes. `open`(i): those of the lane in its plane i. `out`: the
 * lane's place in its first plane of u_old, whose values `old` has. */
template <class shape, typename real, class open_type>
__device__ __forceinline__ void sweep_planes(const iso_lane_rows<real> &rows,
                                             const four<real> (&old)[shape::PLANES], real sixth, real *out,
                                             const open_type &open)
{
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
            next.v[k] = move_node(c, old[i].v[k],
                                  scheme_isotropic_sum(own.faces.v[k], below.v[k], above.faces.v[k],
                                                       own.edges.v[k], -rise.v[k] + up),
                                  sixth);
            rise.v[k] = up;
        }
        const uint32_t whole = open(i);
        if (whole == 15u) {
            store_row<ACCESS_STREAM>(out + 64 * i, 0, next);
        } else {
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
__device__ __forceinline__ void step_places(const room_type &room, const taps_type &taps,
                                            iso_tile<real> *tiles, uint32_t place, const real *__restrict__ u,
                                            real *u_old)
{
    const int which = (int)threadIdx.x / shape::LANES, lane = (int)threadIdx.x % shape::LANES;
    const int part = lane & 1, y = lane >> 1 & 7, z0 = (lane >> 4) * shape::PLANES;
    const row_words words(room.row + place + which);
    const uint32_t self = words[GPU_ISO_WORD_SELF];
    uint32_t marks = words[GPU_ISO_WORD_TILE];
    if (shape::BLOCKS < GPU_ISO_RUN)
        marks &= ~((which == 0 ? GPU_ISO_LEFT : 0u) | (which + 1 == shape::BLOCKS ? GPU_ISO_RIGHT : 0u));
    const uint32_t tile_id = marks & GPU_ISO_TILE;
    const uint64_t index = block_index(self);
    real *const out = u_old + index + 64 * z0 + 8 * y + 4 * part;
    ask_for_tile<shape>(tiles[which], words, marks, lane, u);
    four<real> old[shape::PLANES];
#pragma unroll
    for (int i = 0; i < shape::PLANES; ++i)
        old[i] = load_row<ACCESS_PLAIN>(out + 64 * i, 0);
    if (tile_id != GPU_TILE_FULL) {
        const uint64_t cuts = words.pair(GPU_ISO_WORD_CUTS), wall = words.pair(GPU_ISO_WORD_WALLS);
        fetch_records<real>(room, cuts & GPU_ISO_FIRST, (uint32_t)(cuts >> GPU_ISO_COUNT_AT), wall, lane);
    }
    copies_arrived();
    __syncthreads();
    if (self == 0)
        return;
    const iso_rows<real> rows(tiles + which, marks);
    sweep_planes<shape>(iso_lane_rows<real>(rows, part, (z0 + 1) * ISO_ROWS + y + 1), old, room.sixth, out,
                        [&](int i) {
                            return tile_id == GPU_TILE_FULL
                                       ? 15u
                                       : (uint32_t)(__ldg(&room.plane[8 * (size_t)tile_id + z0 + i].open) >>
                                                    (8 * y + 4 * part)) &
                                             15u;
                        });
    const bool driven = (marks & GPU_ISO_SOURCE) != 0;
    if (tile_id != GPU_TILE_FULL && lane < 32) {
        const uint64_t cuts = words.pair(GPU_ISO_WORD_CUTS), wall = words.pair(GPU_ISO_WORD_WALLS);
        step_records(room, taps, rows, cuts & GPU_ISO_FIRST, (uint32_t)(cuts >> GPU_ISO_COUNT_AT), wall,
                     driven, index, u_old);
    }
    if (driven)
        drive_whole<shape>(room, taps, tile_id, index, u_old);
}

template <class shape, typename real, class room_type, class taps_type>
__global__ void __launch_bounds__(shape::THREADS, shape::RESIDENTS)
    iso_blocks_kernel(room_type room, taps_type taps, const real *__restrict__ u, real *u_old, bool back)
{
    extern __shared__ __align__(16) unsigned char iso_memory[];
    iso_tile<real> *const tiles = reinterpret_cast<iso_tile<real> *>(iso_memory);
    const uint32_t samplers = receiver_ctas(taps), front = samplers + linked_ctas(room);
    if (blockIdx.x < samplers) {
        sample_receiver(taps, find_sampler(taps), u);
    } else if (blockIdx.x < front) {
        if (shape::THREADS == GPU_LAUNCH_THREADS || threadIdx.x < GPU_LAUNCH_THREADS)
            linked_step(room, taps, (blockIdx.x - samplers) * GPU_LAUNCH_THREADS + threadIdx.x, u, u_old);
    } else {
        const uint32_t cta = back ? gridDim.x - 1 - blockIdx.x : blockIdx.x - front;
        step_places<shape>(room, taps, tiles, cta * shape::BLOCKS, u, u_old);
    }
}

/** One step. CTAs have 128 threads at least where there are taps or linked nodes. */
template <class shape, typename real, class room_type, class taps_type>
cudaError_t step_iso_blocks(const room_type &room, const taps_type &taps, const real *u, real *u_old,
                            bool back, cudaStream_t stream)
{
    constexpr int bytes = shape::BLOCKS * (int)sizeof(iso_tile<real>);
    const auto kernel = iso_blocks_kernel<shape, real, room_type, taps_type>;
    if (bytes > 48 * 1024) {
        const cudaError_t code =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (code != cudaSuccess)
            return code;
    }
    kernel<<<receiver_ctas(taps) + linked_ctas(room) + room.slots / shape::BLOCKS, shape::THREADS, bytes,
             stream>>>(room, taps, u, u_old, back);
    return cudaGetLastError();
}

#endif
