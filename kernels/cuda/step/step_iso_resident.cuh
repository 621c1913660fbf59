/** An isotropic room that never leaves the chip, as in step_resident: one CTA an SM for all steps of a
 * batch. Both levels are in shared memory, with the states of the CTA's walls where they have any; values for
 * blocks of other CTAs pass the second-level cache. For rooms of at most 12 blocks an SM, without extra
 * links.
 *
 *   mapping    a CTA steps a contiguous range of ids, 128 threads a block, four nodes a thread, three blocks
 *              a thread; then a thread a cut node, whose 18 neighbours' places were found beforehand. The
 *              places of a lane's neighbours are in shared memory, since the step needs the registers
 *   a step     receive | barrier | whole nodes and cut nodes, over the older level | barrier | send. (CTAs
 *              with sources: one more barrier, to add their drives.) The levels change places, so nothing is
 *              exchanged
 *   messages   as there, a value and its step in one word of 8 bytes. A block shows its neighbours across
 *              faces 64 values and those across edges 8; a CTA receives each face and edge of another's block
 *              once, and no edge that is in a face that it receives. A pair of CTAs that has one message has
 *              one the other way too, so that two sets of words are enough, as there
 *   bytes      none a node; in words 8 bytes (16 in double) a value that passes, written and read
 *   predicted  2.9 us a step for a cross of 5 x 48^3 in single precision (a word's way through the second
 *              level 0.6, three barriers 0.15, nine blocks 1.3, cut nodes 0.4, messages 0.4), 6 for blocks
 *   measured   H200: 4.66 us (blocks 7.06 to 7.95), 2.14 for 5 x 32^3 (5.3 to 6.0). With what a lane looks up
 *              and sends in registers 5.37 and 2.47: 59 of them were spilled. With walls of six branches and
 *              their losses 6.6 for 5 x 48^3 (5.2 predicted), of which shares and materials found in every
 *              step were .15
 *   taught     six blocks an SM more cost 2.5 us, 800 cycles each, where their instructions would take 230.
 * A count by hand points to shared memory: some 500 wavefronts a block (rows 180, ends of rows 80 where 20
 * would do without conflicts, up to 170 for each 32 cut nodes of an x wall, messages 100). Two planes a
 * thread would read a third fewer rows: not tried
 */
#ifndef KERNELS_STEP_ISO_RESIDENT_CUH
#define KERNELS_STEP_ISO_RESIDENT_CUH

#include "kernels/cuda/step/gpu_iso.cuh"
#include "kernels/cuda/step/step_resident.cuh"

/** The values around a block, across each face and edge in the order of a cut node's neighbours: the index of
 * the first in the CTA's values, and above it their distance (see iso_resident_at()). */
struct alignas(16) iso_resident_block {
    uint32_t from[18];
    uint32_t tile;
};

/** A cut node: openings, plaquettes and gain as gpu_iso_cut, its own place in the CTA's values for the mark,
 * which of the wall nodes it is (RESIDENT_NONE: none), and places of its 18 neighbours, two a word. Where
 * walls have states `wall` is its first entry among the CTA's, and above it how many more it has. */
struct alignas(16) iso_resident_cut {
    uint4 first;
    uint2 second;
    uint32_t wall;
    uint32_t beside[9];
};
static_assert(sizeof(struct iso_resident_cut) == 64, "a thread reads a cut node as four 16-byte words");

/** A word to be sent at every step: where its first value is, above it how far the second, and where to. */
struct iso_resident_send {
    uint32_t from, to;
};

#define ISO_RESIDENT_MORE_AT 29 /* in iso_resident_cut.wall */
#define ISO_RESIDENT_ENTRY   ((1u << ISO_RESIDENT_MORE_AT) - 1u)

template <typename real> struct gpu_iso_resident {
    gpu_iso<real> room;
    const struct iso_resident_block *block; /* (blocks) by id, the first of 1: the last CTA may have fewer */
    const uint32_t *cut_first;              /* (ctas + 1) */
    const struct iso_resident_cut *cut;
    const uint32_t *send_first; /* (ctas + 1) */
    const struct iso_resident_send *send;
    const uint32_t *word_first; /* (ctas + 1) words that a CTA receives */
    uint4 *mail;                /* (2, words), zeroed at the start */
    uint32_t words;
    uint32_t ctas, blocks_each, blocks;
    uint32_t level_values; /* of a level in shared memory: its blocks, and received values */
    size_t state_bytes;    /* of the states of any CTA's walls, and the losses; in whole groups of entries */
    size_t shared_bytes;   /* of all this and of the lanes' data; values of sources come on top */
    gpu_walls<real> walls; /* those with states */
    const uint32_t *entry_first; /* (ctas + 1) */
};

/** The place in the CTA's values of node (x, y, z) of a block whose own start at `own`; each of the three may
 * be -1 or 8, two at most. Values across a face or an edge start at (0, 0, 0) of the remaining coordinates:
 * consecutive rows of x, else values at the given distance. */
__host__ __device__ __forceinline__ uint32_t iso_resident_at(const struct iso_resident_block &block,
                                                             uint32_t own, int x, int y, int z)
{
    const bool out_x = (x & ~7) != 0, out_y = (y & ~7) != 0, out_z = (z & ~7) != 0;
    const int right = x > 0, back = y > 0, top = z > 0;
    int which, along = 0, in_row = 0;
    if (out_x && out_y) {
        which = 6 + 2 * back + right;
        along = z;
    } else if (out_x && out_z) {
        which = 10 + 2 * top + right;
        along = y;
    } else if (out_y && out_z) {
        which = 14 + 2 * top + back;
        in_row = x;
    } else if (out_x) {
        which = right;
        along = 8 * z + y;
    } else if (out_y) {
        which = 2 + back;
        along = z;
        in_row = x;
    } else if (out_z) {
        which = 4 + top;
        along = y;
        in_row = x;
    } else {
        return own + (uint32_t)(x + 8 * y + 64 * z);
    }
    const uint32_t from = block.from[which];
    return (from & 0xFFFFu) + (from >> 16) * (uint32_t)along + (uint32_t)in_row;
}

/* ---- a step -------------------------------------------------------------------------------------------- */

/** Data of a lane for one of its blocks: places of rows around its own (y- y+ z- z+, then (y-,z-) (y+,z-)
 * (y-,z+) (y+,z+)) and of values beyond the ends of its own and the first four, two a word; its whole nodes,
 * a bit each. */
struct alignas(16) iso_resident_lane {
    uint32_t row[4], end[3];
    uint32_t open;
};
/** Data of all lanes, in shared memory: the step needs the registers. */
class iso_resident_lanes {
  public:
    __device__ __forceinline__ explicit iso_resident_lanes(void *shared)
        : words_(static_cast<uint4 *>(shared))
    {
    }
    __device__ __forceinline__ void keep(int round, const struct iso_resident_lane &lane)
    {
        uint4 *const to = words_ + 2 * round * RESIDENT_THREADS + threadIdx.x;
        to[0] = make_uint4(lane.row[0], lane.row[1], lane.row[2], lane.row[3]);
        to[RESIDENT_THREADS] = make_uint4(lane.end[0], lane.end[1], lane.end[2], lane.open);
    }
    __device__ __forceinline__ struct iso_resident_lane operator[](int round) const
    {
        const uint4 *const from = words_ + 2 * round * RESIDENT_THREADS + threadIdx.x;
        const uint4 row = from[0], end = from[RESIDENT_THREADS];
        return {{row.x, row.y, row.z, row.w}, {end.x, end.y, end.z}, end.w};
    }

  private:
    uint4 *words_;
};

__device__ __forceinline__ struct iso_resident_lane
iso_find_lane(const struct gpu_plane *plane, const struct iso_resident_block &block, uint32_t own, int thread)
{
    const int part = thread & 1, y = thread >> 1 & 7, z = thread >> 4, end = part == 0 ? -1 : 8;
    const auto row = [&](int dy, int dz) { return iso_resident_at(block, own, 0, y + dy, z + dz); };
    const auto beyond = [&](int dy, int dz) { return iso_resident_at(block, own, end, y + dy, z + dz); };
    struct iso_resident_lane lane;
    lane.row[0] = row(-1, 0) | row(1, 0) << 16;
    lane.row[1] = row(0, -1) | row(0, 1) << 16;
    lane.row[2] = row(-1, -1) | row(1, -1) << 16;
    lane.row[3] = row(-1, 1) | row(1, 1) << 16;
    lane.end[0] = beyond(-1, 0) | beyond(1, 0) << 16;
    lane.end[1] = beyond(0, -1) | beyond(0, 1) << 16;
    lane.end[2] = beyond(0, 0);
    lane.open = 15u;
    if (block.tile != GPU_TILE_FULL)
        lane.open = (uint32_t)(__ldg(&plane[8 * (size_t)block.tile + z].open) >> (8 * y + 4 * part)) & 15u;
    return lane;
}

template <typename real> struct iso_row {
    four<real> u, left, right;
};
/** All lanes take part, as in all that calls it. */
template <typename real>
__device__ __forceinline__ iso_row<real> iso_load(const real *level, uint32_t row, uint32_t end, int part)
{
    iso_row<real> out;
    out.u = load_row<ACCESS_PLAIN>(level + row, part);
    row_sides(out.u, part, level[end], &out.left, &out.right);
    return out;
}

/** P of a row between two others, as scheme.h has it. A difference along x is that of the node on its other
 * side, less its sign. */
template <typename real>
__device__ __forceinline__ four<real> iso_faces(const iso_row<real> &own, const four<real> &low,
                                                const four<real> &high)
{
    four<real> sum;
    real along = own.u.v[0] - own.left.v[0];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const real next = own.right.v[i] - own.u.v[i];
        sum.v[i] = scheme_plane(-along, next, low.v[i] - own.u.v[i], high.v[i] - own.u.v[i]);
        along = next;
    }
    return sum;
}

/** The lane's four nodes, whole or not. */
template <typename real>
__device__ __forceinline__ four<real> iso_resident_step(const struct iso_resident_lane &lane,
                                                        const real *level, uint32_t here, int part,
                                                        const four<real> &old, real sixth)
{
    const iso_row<real> own = iso_load(level, here, lane.end[2], part);
    four<real> z, below, above, faces, edges, next;
    {
        const iso_row<real> under = iso_load(level, lane.row[1] & 0xFFFFu, lane.end[1] & 0xFFFFu, part);
        below = iso_faces(under, load_row<ACCESS_PLAIN>(level + (lane.row[2] & 0xFFFFu), part),
                          load_row<ACCESS_PLAIN>(level + (lane.row[2] >> 16), part));
        const iso_row<real> over = iso_load(level, lane.row[1] >> 16, lane.end[1] >> 16, part);
        above = iso_faces(over, load_row<ACCESS_PLAIN>(level + (lane.row[3] & 0xFFFFu), part),
                          load_row<ACCESS_PLAIN>(level + (lane.row[3] >> 16), part));
#pragma unroll
        for (int i = 0; i < 4; ++i)
            z.v[i] = (under.u.v[i] - own.u.v[i]) + (over.u.v[i] - own.u.v[i]);
    }
    {
        const iso_row<real> low = iso_load(level, lane.row[0] & 0xFFFFu, lane.end[0] & 0xFFFFu, part),
                            high = iso_load(level, lane.row[0] >> 16, lane.end[0] >> 16, part);
        faces = iso_faces(own, low.u, high.u);
        edges = planes_of(own.u, low.left, high.right, low.right, high.left);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        next.v[i] =
            move_node(own.u.v[i], old.v[i],
                      scheme_isotropic_sum(faces.v[i], below.v[i], above.v[i], edges.v[i], z.v[i]), sixth);
    return next;
}

/** MOST: branches of walls with states; 0 without. */
template <int MOST, typename real> using iso_resident_entry = wall_entry<(MOST > 0 ? MOST : 1), real, true>;

/** The first entry of a cut node, up to its states. */
template <int MOST, typename real>
__device__ __forceinline__ void iso_resident_begin(const struct iso_resident_cut &node,
                                                   const gpu_walls<real> &walls,
                                                   iso_resident_entry<MOST, real> *entry)
{
    if (MOST > 0 && node.wall != RESIDENT_NONE)
        entry->begin(walls, node.wall & ISO_RESIDENT_ENTRY);
}

/** A cut node, from `level` over `older`. `entry`: of iso_resident_begin(), as afterwards. */
template <int MOST, typename real>
__device__ __forceinline__ void
iso_resident_record(const struct iso_resident_cut &node, real q, const gpu_walls<real> &walls,
                    iso_resident_entry<MOST, real> *entry, const real *level, real *older)
{
    const struct gpu_iso_cut cut = {node.first, node.second};
    const uint32_t place = mark_of(cut);
    const real here = level[place], d = here - older[place];
    const real sum = record_sum(
        cut, here, [&](int k, int) { return level[node.beside[k / 2] >> (16 * (k & 1)) & 0xFFFFu]; });
    const real v = scheme_move(d, sum, (real)gain_of(cut)), dv = d + v;
    if constexpr (MOST > 0) {
        real w = v;
        if (node.wall != RESIDENT_NONE) {
            const uint64_t first = node.wall & ISO_RESIDENT_ENTRY;
            const uint32_t more = node.wall >> ISO_RESIDENT_MORE_AT;
            entry->take_states(walls);
            w = pull_entries(walls, entry, v, dv, first, more);
            keep_entries(walls, entry, dv, (dv - v) + w, first, more);
            if (more > 0)
                entry->begin(walls, first);
        }
        older[place] = here + w;
    } else {
        older[place] = scheme_wall(here, v, dv, q);
    }
}

/** The states of a CTA's walls in shared memory: groups of entries as in device memory. */
template <typename real> class iso_resident_states {
  public:
    __device__ __forceinline__ iso_resident_states(const gpu_iso_resident<real> &resident, void *shared)
        : there_(resident.walls), shared_(static_cast<real *>(shared)),
          first_(__ldg(resident.entry_first + blockIdx.x)),
          past_(__ldg(resident.entry_first + blockIdx.x + 1)), group_(there_.planes() * GPU_ENTRIES)
    {
    }
    __device__ __forceinline__ void fetch() const
    {
        for (uint32_t i = threadIdx.x; i < values(); i += RESIDENT_THREADS)
            shared_[i] = there_.at(start())[i];
    }
    /** Back, but for entries of other CTAs in the first and the last group. */
    __device__ __forceinline__ void keep() const
    {
        for (uint32_t i = threadIdx.x; i < values(); i += RESIDENT_THREADS) {
            const uint32_t entry = start() + i / group_ * GPU_ENTRIES + i % GPU_ENTRIES;
            if (entry >= first_ && entry < past_)
                there_.at(start())[i] = shared_[i];
        }
    }
    /** The walls with entries counted from the first group on. */
    __device__ __forceinline__ gpu_walls<real> walls() const
    {
        gpu_walls<real> out = there_;
        out.row += start();
        out.share += start();
        out.state = shared_;
        return out;
    }

  private:
    __device__ __forceinline__ uint32_t start() const
    {
        return first_ / GPU_ENTRIES * GPU_ENTRIES;
    }
    __device__ __forceinline__ uint32_t values() const
    {
        return first_ == past_ ? 0 : (past_ - start() + GPU_ENTRIES - 1) / GPU_ENTRIES * group_;
    }
    gpu_walls<real> there_;
    real *shared_;
    uint32_t first_, past_, group_;
};

__device__ __forceinline__ struct iso_resident_cut iso_load_cut(const struct iso_resident_cut *from)
{
    struct iso_resident_cut out;
    const uint4 *const words = reinterpret_cast<const uint4 *>(from);
    uint4 *const to = reinterpret_cast<uint4 *>(&out);
#pragma unroll
    for (int i = 0; i < (int)(sizeof out / sizeof *words); ++i)
        to[i] = __ldg(words + i);
    return out;
}
template <typename real>
__device__ __forceinline__ real iso_resident_q(const gpu_iso<real> &room, const struct iso_resident_cut &node)
{
    return node.wall == RESIDENT_NONE ? real(0) : __ldg(room.q + node.wall);
}

__device__ __forceinline__ void iso_send_word(uint4 *mail, const float *level, struct iso_resident_send send,
                                              uint32_t step)
{
    const uint32_t from = send.from & 0xFFFFu;
    write_word(mail + send.to, pack_word(level[from], level[from + (send.from >> 16)], step));
}
__device__ __forceinline__ void iso_send_word(uint4 *mail, const double *level, struct iso_resident_send send,
                                              uint32_t step)
{
    write_word(mail + send.to, pack_word(level[send.from & 0xFFFFu], step));
}

/** Send all words of a CTA. */
template <typename real>
__device__ __forceinline__ void iso_send(const gpu_iso_resident<real> &resident, const real *level,
                                         uint32_t step)
{
    constexpr uint32_t BATCH = 4;
    const uint32_t past = __ldg(resident.send_first + blockIdx.x + 1);
    const uint2 *const send = reinterpret_cast<const uint2 *>(resident.send);
    uint4 *const mail = resident.mail + (size_t)(step & 1u) * resident.words;
    for (uint32_t n = __ldg(resident.send_first + blockIdx.x) + threadIdx.x; n < past;
         n += BATCH * RESIDENT_THREADS) {
        uint2 word[BATCH];
#pragma unroll
        for (uint32_t i = 0; i < BATCH; ++i)
            if (n + i * RESIDENT_THREADS < past)
                word[i] = __ldg(send + n + i * RESIDENT_THREADS);
#pragma unroll
        for (uint32_t i = 0; i < BATCH; ++i)
            if (n + i * RESIDENT_THREADS < past)
                iso_send_word(mail, level, {word[i].x, word[i].y}, step);
    }
}

/** Wait for all words of a step and put their values side by side. */
template <typename real>
__device__ __forceinline__ void iso_receive(const gpu_iso_resident<real> &resident, real *values,
                                            uint32_t step)
{
    const uint32_t first = __ldg(resident.word_first + blockIdx.x);
    receive_words(resident.mail + (size_t)(step & 1u) * resident.words + first,
                  __ldg(resident.word_first + blockIdx.x + 1) - first, values, step);
}

/** Add sources to the new level: the thread of a node's first source adds them all. */
template <typename real>
__device__ __forceinline__ void iso_resident_drive(const resident_taps<real> &taps, const real *brought,
                                                   real *level)
{
    const uint32_t first = __ldg(taps.source_first + blockIdx.x),
                   past = __ldg(taps.source_first + blockIdx.x + 1);
    if (first == past)
        return;
    __syncthreads();
    for (uint32_t e = first + threadIdx.x; e < past; e += RESIDENT_THREADS) {
        const uint32_t place = __ldg(&taps.source[e].place);
        if (e > first && __ldg(&taps.source[e - 1].place) == place)
            continue;
        real next = level[place];
        for (uint32_t k = e; k < past && __ldg(&taps.source[k].place) == place; ++k)
            next += brought[k - first];
        level[place] = next;
    }
}
template <typename real>
__device__ __forceinline__ void iso_resident_drive(const resident_no_taps &, const real *, real *)
{
}

/** As resident_kernel. */
template <int MOST, typename real, class taps_type>
__global__ void __launch_bounds__(RESIDENT_THREADS, 1)
    iso_resident_kernel(gpu_iso_resident<real> resident, taps_type taps, real *u, real *u_old, uint32_t steps,
                        uint32_t tag)
{
    extern __shared__ __align__(16) unsigned char iso_resident_memory[];
    real *const shared = reinterpret_cast<real *>(iso_resident_memory);
    real *const after = shared + 2 * (size_t)resident.level_values;
    iso_resident_lanes lanes(reinterpret_cast<unsigned char *>(after) + resident.state_bytes);
    gpu_walls<real> walls = {};
    if constexpr (MOST > 0) {
        const iso_resident_states<real> states(resident, after);
        states.fetch();
        walls = states.walls();
    }
    real *const brought = reinterpret_cast<real *>(iso_resident_memory + resident.shared_bytes);
    const uint32_t own_values = resident.blocks_each * GPU_BLOCK_NODES;
    const int thread = (int)threadIdx.x & 127, part = thread & 1;
    const uint32_t row = (uint32_t)thread >> 1, group = threadIdx.x >> 7;
    const uint32_t first = blockIdx.x * resident.blocks_each,
                   blocks = min(resident.blocks_each, resident.blocks - first);
    for (int r = 0; r < RESIDENT_ROUNDS; ++r) {
        const uint32_t local = (uint32_t)r * RESIDENT_GROUPS + group;
        if (local >= blocks)
            break;
        const uint32_t own = local * GPU_BLOCK_NODES, here = own + 8 * row;
        const size_t at = block_index(first + local + 1) + 8 * row;
        lanes.keep(r, iso_find_lane(resident.room.plane, resident.block[first + local], own, thread));
        store_row<ACCESS_PLAIN>(shared + here, part, load_row<ACCESS_PLAIN>(u + at, part));
        store_row<ACCESS_PLAIN>(shared + resident.level_values + here, part,
                                load_row<ACCESS_PLAIN>(u_old + at, part));
    }
    const uint32_t cut_first = __ldg(resident.cut_first + blockIdx.x) + threadIdx.x,
                   cut_past = __ldg(resident.cut_first + blockIdx.x + 1);
    struct iso_resident_cut cut = {};
    iso_resident_entry<MOST, real> entry;
    real q = 0;
    if (cut_first < cut_past) {
        cut = iso_load_cut(resident.cut + cut_first);
        iso_resident_begin<MOST>(cut, walls, &entry);
        if constexpr (MOST == 0)
            q = iso_resident_q(resident.room, cut);
    }
    const struct resident_sampler sampler = resident_find_sampler(taps);
    real *level = shared, *older = shared + resident.level_values;
    __syncthreads();
    iso_send(resident, level, tag);
    for (uint32_t n = 0; n < steps; ++n) {
        resident_prepare(taps, brought, n);
        iso_receive(resident, level + own_values, tag + n);
        __syncthreads();
        resident_sample(taps, sampler, level, n);
#pragma unroll 1
        for (int r = 0; r < RESIDENT_ROUNDS; ++r) {
            const uint32_t local = (uint32_t)r * RESIDENT_GROUPS + group,
                           here = local * GPU_BLOCK_NODES + 8 * row;
            if (local >= blocks)
                break;
            const struct iso_resident_lane lane = lanes[r];
            const four<real> next = iso_resident_step(
                lane, level, here, part, load_row<ACCESS_PLAIN>(older + here, part), resident.room.sixth);
            if (lane.open == 15u) {
                store_row<ACCESS_PLAIN>(older + here, part, next);
            } else {
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    if ((lane.open >> i & 1u) != 0)
                        older[here + 4 * (uint32_t)part + (uint32_t)i] = next.v[i];
            }
        }
        if (cut_first < cut_past)
            iso_resident_record<MOST>(cut, q, walls, &entry, level, older);
        for (uint32_t c = cut_first + RESIDENT_THREADS; c < cut_past; c += RESIDENT_THREADS) {
            const struct iso_resident_cut more = iso_load_cut(resident.cut + c);
            iso_resident_entry<MOST, real> further;
            iso_resident_begin<MOST>(more, walls, &further);
            iso_resident_record<MOST>(more, MOST > 0 ? real(0) : iso_resident_q(resident.room, more), walls,
                                      &further, level, older);
        }
        iso_resident_drive(taps, brought, older);
        __syncthreads();
        if (n + 1 < steps)
            iso_send(resident, older, tag + n + 1);
        real *const other = level;
        level = older;
        older = other;
    }
    if constexpr (MOST > 0)
        iso_resident_states<real>(resident, after).keep();
    for (int r = 0; r < RESIDENT_ROUNDS; ++r) {
        const uint32_t local = (uint32_t)r * RESIDENT_GROUPS + group,
                       here = local * GPU_BLOCK_NODES + 8 * row;
        if (local >= blocks)
            break;
        const size_t at = block_index(first + local + 1) + 8 * row;
        store_row<ACCESS_PLAIN>(u + at, part, load_row<ACCESS_PLAIN>(level + here, part));
        store_row<ACCESS_PLAIN>(u_old + at, part, load_row<ACCESS_PLAIN>(older + here, part));
    }
}

/** @param source_bytes as for step_resident() */
template <typename real, class taps_type>
cudaError_t step_iso_resident(const gpu_iso_resident<real> &resident, const taps_type &taps,
                              size_t source_bytes, real *u, real *u_old, uint32_t steps, uint32_t tag,
                              cudaStream_t stream)
{
    const auto kernel = resident.state_bytes == 0 ? iso_resident_kernel<0, real, taps_type>
                        : resident.walls.branches <= 6
                            ? iso_resident_kernel<6, real, taps_type>
                            : iso_resident_kernel<WALL_BRANCHES_MAX, real, taps_type>;
    return launch_resident(kernel, resident, resident.shared_bytes + source_bytes, taps, u, u_old, steps, tag,
                           stream);
}

#endif
