/** A room that never leaves the chip: one CTA an SM for all steps of a batch, u in shared memory, u_old
 * in registers, and only faces between SMs pass the second level. The best for rooms of at most 12 blocks
 * an SM.
 *
 *   mapping    a CTA steps a contiguous range of ids, 128 threads a block, four nodes a thread, three
 *              blocks a thread; the grid is co-resident (cooperative launch)
 *   a step     receive: faces from other CTAs into shared memory | barrier | compute into registers, send
 *              own faces | barrier | exchange: new values into shared memory, what was there into
 *              registers
 *   messages   a face value and the number of its step travel in one word, so that the word itself says
 *              that it has arrived: no flag, no fence, no barrier over the grid. Two sets of words, by
 *              parity of the step; a word is overwritten two steps later, which its writer reaches only
 *              after its reader has answered (every face goes both ways)
 *   bytes      none a node; 8 bytes (16 in double) a node of a face between CTAs, written and read
 *   predicted  1.2 us a step for a cross of 5 x 48^3 (a word's way through the second level 0.6, two
 *              barriers and the arithmetic 0.6), where one barrier over all CTAs cost 4.5; 5 us for 5 x
 *              96^3
 *   measured   H200: 2.19 us single, 4.7 us double (132 bytes of registers spill). A first form that
 *              looked neighbours and coefficients up at every step took 3.86 us, and with 17 blocks a
 *              thread 20.7 us for 5 x 96^3, where others take 12.5: there the instructions of one CTA an
 *              SM are the limit, not memory
 *   taught     a step of a small room is a chain of latencies: what can be found once must not be found
 *              every step
 */
#ifndef KERNELS_STEP_RESIDENT_CUH
#define KERNELS_STEP_RESIDENT_CUH

#include "kernels/cuda/step/gpu_headers.cuh"

#include "kernels/cuda/step/gpu_room.cuh"

#define RESIDENT_THREADS 512
#define RESIDENT_GROUPS  (RESIDENT_THREADS / 128)
#define RESIDENT_ROUNDS  3                                   /* blocks a thread */
#define RESIDENT_BLOCKS  (RESIDENT_GROUPS * RESIDENT_ROUNDS) /* most a CTA */
#define RESIDENT_NONE    UINT32_MAX
#define RESIDENT_IN_FACE 0x80000000u /* in resident_block.from: the values lie together, not in a block */

/** The neighbours of a block. */
struct alignas(16) resident_block {
    uint32_t from[6]; /* index into the CTA's shared values of the first of the 64 beyond a face |
                         RESIDENT_IN_FACE */
    uint32_t to[6];   /* message that carries the face's values, or RESIDENT_NONE */
    uint32_t tile, self;
};

template <typename real> struct gpu_resident {
    gpu_room<real> room;
    const struct resident_block *block; /* (ctas, blocks_each): self 0 where a CTA has fewer */
    const uint32_t *message_first;      /* (ctas + 1) messages that a CTA receives */
    uint4 *mail;                        /* (2, messages, 64 words of 8 or 16 bytes), zeroed at the start */
    uint32_t messages;
    uint32_t ctas, blocks_each;
    uint32_t face_values; /* of the messages of any CTA, in shared memory behind its blocks */
    size_t shared_bytes;  /* of both; values of sources come on top */
};

/** Sources and receivers of a resident room. A receiver's nodes may lie in several CTAs, and a node in the
 * taps of several receivers. So each sampled value is written once, side by side with those of its CTA, and
 * resident_sum_kernel adds them up after the batch. */
struct resident_source {
    double weight;
    uint32_t source;
    uint32_t place; /* (thread of the CTA * RESIDENT_ROUNDS + round) * 4 + value */
};
template <typename real> struct resident_taps {
    const uint32_t *sampled_first; /* (ctas + 1) */
    const uint32_t *sampled; /* (values) index in the CTA's shared values, by its place in a row of `value` */
    real *value;             /* (steps, values) */
    uint32_t values;
    const uint32_t *source_first;         /* (ctas + 1) */
    const struct resident_source *source; /* of a CTA by place, then source */
    const double *drive;                  /* (sources, batch) */
    uint64_t batch;
};
struct resident_no_taps {};

/** The sources' nodes that this thread steps: first and past. */
template <typename real> __device__ __forceinline__ uint2 resident_sources(const resident_taps<real> &taps)
{
    const uint32_t past = __ldg(taps.source_first + blockIdx.x + 1);
    uint2 mine = make_uint2(__ldg(taps.source_first + blockIdx.x), 0);
    while (mine.x < past && taps.source[mine.x].place / (4 * RESIDENT_ROUNDS) < threadIdx.x)
        ++mine.x;
    mine.y = mine.x;
    while (mine.y < past && taps.source[mine.y].place / (4 * RESIDENT_ROUNDS) == threadIdx.x)
        ++mine.y;
    return mine;
}
__device__ __forceinline__ uint2 resident_sources(const resident_no_taps &)
{
    return make_uint2(0, 0);
}
/** The value that this thread sends at every step, and where the CTA's end; threads of CTAs that are sampled
 * much send more. */
struct resident_sampler {
    uint32_t first, past, from;
};
template <typename real>
__device__ __forceinline__ struct resident_sampler resident_find_sampler(const resident_taps<real> &taps)
{
    struct resident_sampler sampler = {};
    sampler.first = __ldg(taps.sampled_first + blockIdx.x) + threadIdx.x;
    sampler.past = __ldg(taps.sampled_first + blockIdx.x + 1);
    if (sampler.first < sampler.past)
        sampler.from = __ldg(taps.sampled + sampler.first);
    return sampler;
}
__device__ __forceinline__ struct resident_sampler resident_find_sampler(const resident_no_taps &)
{
    return {};
}
/** Send the values of step n that are sampled. */
template <typename real>
__device__ __forceinline__ void resident_sample(const resident_taps<real> &taps,
                                                const struct resident_sampler &sampler, const real *shared,
                                                uint32_t n)
{
    if (sampler.first >= sampler.past)
        return;
    real *const row = taps.value + (size_t)n * taps.values;
    row[sampler.first] = shared[sampler.from];
    for (uint32_t e = sampler.first + RESIDENT_THREADS; e < sampler.past; e += RESIDENT_THREADS)
        row[e] = shared[__ldg(taps.sampled + e)];
}
template <typename real>
__device__ __forceinline__ void resident_sample(const resident_no_taps &, const struct resident_sampler &,
                                                const real *, uint32_t)
{
}
/** Write the drive of each source node of the CTA in step n to shared memory, while faces are in transit. */
template <typename real>
__device__ __forceinline__ void resident_prepare(const resident_taps<real> &taps, real *brought, uint32_t n)
{
    const uint32_t first = __ldg(taps.source_first + blockIdx.x),
                   count = __ldg(taps.source_first + blockIdx.x + 1) - first;
    for (uint32_t e = threadIdx.x; e < count; e += RESIDENT_THREADS) {
        const struct resident_source *const node = taps.source + first + e;
        const double q = __ldg(taps.drive + (size_t)__ldg(&node->source) * taps.batch + n);
        brought[e] = (real)(__ldg(&node->weight) * q);
    }
}
template <typename real>
__device__ __forceinline__ void resident_prepare(const resident_no_taps &, real *, uint32_t)
{
}
/** Add it to the thread's new values, source after source. A silent source adds 0. */
template <typename real>
__device__ __forceinline__ void resident_drive(const resident_taps<real> &taps, const real *brought,
                                               uint2 mine, four<real> (&next)[RESIDENT_ROUNDS])
{
    if (mine.x == mine.y)
        return;
    const uint32_t first = __ldg(taps.source_first + blockIdx.x);
    for (uint32_t e = mine.x; e < mine.y; ++e) {
        const uint32_t place = __ldg(&taps.source[e].place) % (4 * RESIDENT_ROUNDS);
        const real moved = brought[e - first];
#pragma unroll
        for (uint32_t k = 0; k < 4 * RESIDENT_ROUNDS; ++k)
            if (place == k)
                next[k / 4].v[k % 4] += moved;
    }
}
template <typename real>
__device__ __forceinline__ void resident_drive(const resident_no_taps &, const real *, uint2,
                                               four<real> (&)[RESIDENT_ROUNDS])
{
}

#define RESIDENT_SUM_WARPS 4

/** Samples of a batch from the values that were sampled: sums in double in the order of the tap. `first`:
 * (receivers + 1) places in the lists of all taps, `place` in a row of values and `weight`. A warp makes 32
 * steps of a receiver: it reads the values of 32 nodes step by step, and each lane adds up those of one step.
 */
template <typename real>
__global__ void resident_sum_kernel(const real *value, uint32_t values, const uint32_t *first,
                                    const uint32_t *place, const double *weight, uint32_t receivers,
                                    uint32_t steps, uint64_t batch, double *output)
{
    __shared__ real tile[RESIDENT_SUM_WARPS][32][33];
    const uint32_t lane = threadIdx.x & 31u, groups = (steps + 31) / 32;
    const uint64_t warp = (uint64_t)blockIdx.x * RESIDENT_SUM_WARPS + threadIdx.x / 32;
    const uint32_t receiver = (uint32_t)(warp / groups), begin = (uint32_t)(warp % groups) * 32,
                   some = min(steps - begin, 32u);
    real(*const mine)[33] = tile[threadIdx.x / 32];
    if (receiver >= receivers)
        return;
    const uint32_t past = __ldg(first + receiver + 1);
    double sum = 0;
    for (uint32_t k = __ldg(first + receiver); k < past; k += 32) {
        const uint32_t nodes = min(past - k, 32u);
        if (lane < nodes) {
            const real *const from = value + (size_t)begin * values + __ldg(place + k + lane);
#pragma unroll 8
            for (uint32_t n = 0; n < some; ++n)
                mine[n][lane] = from[(size_t)n * values];
        }
        __syncwarp();
        for (uint32_t i = 0; lane < some && i < nodes; ++i)
            sum += __ldg(weight + k + i) * (double)mine[lane][i];
        __syncwarp();
    }
    if (lane < some)
        output[(size_t)receiver * batch + begin + lane] = sum;
}

/* Two words of 8 bytes. Each arrives whole, so each carries its own step. */
__device__ __forceinline__ uint4 read_word(const uint4 *from)
{
    uint4 word;
    asm volatile("ld.volatile.global.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
                 : "l"(from)
                 : "memory");
    return word;
}
__device__ __forceinline__ void write_word(uint4 *to, uint4 word)
{
    asm volatile("st.volatile.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(to), "r"(word.x), "r"(word.y),
                 "r"(word.z), "r"(word.w)
                 : "memory");
}

/** Values in one uint4 of mail. */
template <typename real> __host__ __device__ constexpr uint32_t word_values()
{
    return 8 / (uint32_t)sizeof(real);
}
template <typename real> __host__ __device__ constexpr uint32_t message_words()
{
    return 64 / word_values<real>();
}
__device__ __forceinline__ void unpack_word(uint4 word, float *values)
{
    values[0] = __uint_as_float(word.x);
    values[1] = __uint_as_float(word.z);
}
__device__ __forceinline__ void unpack_word(uint4 word, double *values)
{
    values[0] = __hiloint2double((int)word.z, (int)word.x);
}
__device__ __forceinline__ uint4 pack_word(float a, float b, uint32_t step)
{
    return make_uint4(__float_as_uint(a), step, __float_as_uint(b), step);
}
__device__ __forceinline__ uint4 pack_word(double a, uint32_t step)
{
    return make_uint4((uint32_t)__double2loint(a), step, (uint32_t)__double2hiint(a), step);
}

/** Send the lane's nodes of a row of a y or z face; `place` is the row's first place in the message. */
__device__ __forceinline__ void send_row(uint4 *message, int place, int part, const four<float> &a,
                                         uint32_t step)
{
    write_word(message + (place + 4 * part) / 2, pack_word(a.v[0], a.v[1], step));
    write_word(message + (place + 4 * part) / 2 + 1, pack_word(a.v[2], a.v[3], step));
}
__device__ __forceinline__ void send_row(uint4 *message, int place, int part, const four<double> &a,
                                         uint32_t step)
{
#pragma unroll
    for (int i = 0; i < 4; ++i)
        write_word(message + place + 4 * part + i, pack_word(a.v[i], step));
}
/** Send one value of an x face. */
__device__ __forceinline__ void send_value(uint4 *message, int place, float a, uint32_t step)
{
    const uint2 word = make_uint2(__float_as_uint(a), step);
    asm volatile("st.volatile.global.v2.u32 [%0], {%1,%2};" ::"l"(reinterpret_cast<uint2 *>(message) + place),
                 "r"(word.x), "r"(word.y)
                 : "memory");
}
__device__ __forceinline__ void send_value(uint4 *message, int place, double a, uint32_t step)
{
    write_word(message + place, pack_word(a, step));
}

/** Data that a lane keeps for one of its blocks from step to step: indices of its neighbours in the CTA's
 * shared values, messages that wait for its nodes (RESIDENT_NONE: none), link bytes and coefficients. */
template <typename real> struct resident_lane {
    uint32_t xs, ym, yp, zm, zp;
    uint32_t to_x, to_y, to_z;
    uint32_t links;
    four<real> q;
};

/** All lanes of the warp take part. */
template <typename real>
__device__ __forceinline__ resident_lane<real>
find_lane(const gpu_room<real> &room, const struct resident_block &block, uint32_t here, int thread)
{
    const int part = thread & 1;
    const uint32_t row = (uint32_t)thread >> 1, y = row & 7u, z = row >> 3;
    auto beyond = [](uint32_t from, uint32_t count, uint32_t stride) {
        return (from & ~RESIDENT_IN_FACE) + count * ((from & RESIDENT_IN_FACE) != 0 ? 8u : stride);
    };
    resident_lane<real> lane;
    const uint32_t side = part == 0 ? block.from[0] : block.from[1];
    lane.xs = (side & ~RESIDENT_IN_FACE) + row * ((side & RESIDENT_IN_FACE) != 0 ? 1u : 8u);
    lane.ym = y > 0 ? here + 8 * row - 8 : beyond(block.from[2], z, 64);
    lane.yp = y < 7 ? here + 8 * row + 8 : beyond(block.from[3], z, 64);
    lane.zm = z > 0 ? here + 8 * row - 64 : beyond(block.from[4], y, 8);
    lane.zp = z < 7 ? here + 8 * row + 64 : beyond(block.from[5], y, 8);
    lane.to_x = part == 0 ? block.to[0] : block.to[1];
    lane.to_y = y == 0 ? block.to[2] : y == 7 ? block.to[3] : RESIDENT_NONE;
    lane.to_z = z == 0 ? block.to[4] : z == 7 ? block.to[5] : RESIDENT_NONE;
    lane.links = GPU_LINKS_ALL;
    lane.q = {};
    if (block.tile != GPU_TILE_FULL) {
        lane.links = load_links(room.tile + (size_t)block.tile * GPU_BLOCK_NODES + 8 * row, part);
        lane.q = plane_q(lane.links,
                         room.q + room.wall_first[block.self] + room.plane_first[(size_t)block.tile * 8 + z]);
    }
    return lane;
}

/** Send those of the lane's four nodes that lie on faces that others wait for. */
template <typename real>
__device__ __forceinline__ void send_faces(const gpu_resident<real> &resident,
                                           const resident_lane<real> &lane, int thread, const four<real> &a,
                                           uint32_t step)
{
    const int part = thread & 1, row = thread >> 1, y = row & 7, z = row >> 3;
    uint4 *const mail = resident.mail + (size_t)(step & 1u) * resident.messages * message_words<real>();
    if (lane.to_x != RESIDENT_NONE)
        send_value(mail + (size_t)lane.to_x * message_words<real>(), row, part == 0 ? a.v[0] : a.v[3], step);
    if (lane.to_y != RESIDENT_NONE)
        send_row(mail + (size_t)lane.to_y * message_words<real>(), 8 * z, part, a, step);
    if (lane.to_z != RESIDENT_NONE)
        send_row(mail + (size_t)lane.to_z * message_words<real>(), 8 * y, part, a, step);
}

/** Wait for so many words of a step and put their values side by side. */
template <typename real>
__device__ __forceinline__ void receive_words(const uint4 *mail, uint32_t words, real *values, uint32_t step)
{
    constexpr int BATCH = 4;
    for (uint32_t start = threadIdx.x; start < words; start += BATCH * RESIDENT_THREADS) {
        uint4 word[BATCH];
        bool all;
        do {
            all = true;
#pragma unroll
            for (int i = 0; i < BATCH; ++i)
                if (start + (uint32_t)i * RESIDENT_THREADS < words)
                    word[i] = read_word(mail + start + (uint32_t)i * RESIDENT_THREADS);
#pragma unroll
            for (int i = 0; i < BATCH; ++i)
                if (start + (uint32_t)i * RESIDENT_THREADS < words)
                    all = all && word[i].y == step && word[i].w == step;
        } while (!all);
#pragma unroll
        for (int i = 0; i < BATCH; ++i)
            if (start + (uint32_t)i * RESIDENT_THREADS < words)
                unpack_word(word[i], values + (start + (uint32_t)i * RESIDENT_THREADS) * word_values<real>());
    }
}

/** Wait for all faces of a step and put them where the blocks read them. */
template <typename real>
__device__ __forceinline__ void receive_faces(const gpu_resident<real> &resident, real *faces, uint32_t step)
{
    const uint32_t first = __ldg(resident.message_first + blockIdx.x);
    receive_words(resident.mail + ((size_t)(step & 1u) * resident.messages + first) * message_words<real>(),
                  (__ldg(resident.message_first + blockIdx.x + 1) - first) * message_words<real>(), faces,
                  step);
}

/** Four nodes from shared memory. The form with links serves the open air too: its coefficients are 0. */
template <typename real>
__device__ __forceinline__ four<real> resident_step(const resident_lane<real> &lane, const real *shared,
                                                    uint32_t here, int part, const four<real> &old,
                                                    real lambda2)
{
    const four<real> centre = load_row<ACCESS_PLAIN>(shared + here, part);
    const real outer = shared[lane.xs];
    around<real> near;
    near.ym = load_row<ACCESS_PLAIN>(shared + lane.ym, part);
    near.yp = load_row<ACCESS_PLAIN>(shared + lane.yp, part);
    near.zm = load_row<ACCESS_PLAIN>(shared + lane.zm, part);
    near.zp = load_row<ACCESS_PLAIN>(shared + lane.zp, part);
    row_sides(centre, part, outer, &near.xm, &near.xp);
    return step_mixed(centre, old, near, lane.links, lane.q, lambda2);
}

/** `steps` steps from (u, u_old), which then hold the two newest levels again. `tag` numbers the first step's
 * messages: 1 at first, later the last call's tag + steps. */
template <typename real, class taps_type>
__global__ void __launch_bounds__(RESIDENT_THREADS, 1)
    resident_kernel(gpu_resident<real> resident, taps_type taps, real *u, real *u_old, uint32_t steps,
                    uint32_t tag)
{
    extern __shared__ __align__(16) unsigned char resident_memory[];
    real *const shared = reinterpret_cast<real *>(resident_memory);
    real *const faces = shared + (size_t)resident.blocks_each * GPU_BLOCK_NODES;
    const int thread = (int)threadIdx.x & 127, part = thread & 1;
    const uint32_t row = (uint32_t)thread >> 1, group = threadIdx.x >> 7;
    resident_lane<real> lane[RESIDENT_ROUNDS];
    four<real> other[RESIDENT_ROUNDS]; /* u_old, and between compute and exchange the new u */
    uint32_t self[RESIDENT_ROUNDS], here[RESIDENT_ROUNDS];
#pragma unroll
    for (int r = 0; r < RESIDENT_ROUNDS; ++r) {
        const uint32_t local = (uint32_t)r * RESIDENT_GROUPS + group;
        here[r] = local * GPU_BLOCK_NODES + 8 * row;
        self[r] = 0;
        if (local >= resident.blocks_each)
            continue;
        const struct resident_block block = resident.block[(size_t)blockIdx.x * resident.blocks_each + local];
        self[r] = block.self;
        if (block.self == 0)
            continue;
        lane[r] = find_lane(resident.room, block, local * GPU_BLOCK_NODES, thread);
        const size_t at = block_index(block.self) + 8 * row;
        const four<real> a = load_row<ACCESS_PLAIN>(u + at, part);
        other[r] = load_row<ACCESS_PLAIN>(u_old + at, part);
        store_row<ACCESS_PLAIN>(shared + here[r], part, a);
        send_faces(resident, lane[r], thread, a, tag);
    }
    const uint2 driven = resident_sources(taps);
    const struct resident_sampler sampler = resident_find_sampler(taps);
    real *const brought = faces + resident.face_values;
    for (uint32_t n = 0; n < steps; ++n) {
        resident_prepare(taps, brought, n);
        receive_faces(resident, faces, tag + n);
        __syncthreads();
        resident_sample(taps, sampler, shared, n);
#pragma unroll
        for (int r = 0; r < RESIDENT_ROUNDS; ++r)
            if (self[r] != 0)
                other[r] = resident_step(lane[r], shared, here[r], part, other[r], resident.room.lambda2);
        resident_drive(taps, brought, driven, other);
        if (n + 1 < steps) {
#pragma unroll
            for (int r = 0; r < RESIDENT_ROUNDS; ++r)
                if (self[r] != 0)
                    send_faces(resident, lane[r], thread, other[r], tag + n + 1);
        }
        __syncthreads();
#pragma unroll
        for (int r = 0; r < RESIDENT_ROUNDS; ++r)
            if (self[r] != 0) {
                const four<real> a = load_row<ACCESS_PLAIN>(shared + here[r], part);
                store_row<ACCESS_PLAIN>(shared + here[r], part, other[r]);
                other[r] = a;
            }
    }
#pragma unroll
    for (int r = 0; r < RESIDENT_ROUNDS; ++r)
        if (self[r] != 0) {
            const size_t at = block_index(self[r]) + 8 * row;
            store_row<ACCESS_PLAIN>(u + at, part, load_row<ACCESS_PLAIN>(shared + here[r], part));
            store_row<ACCESS_PLAIN>(u_old + at, part, other[r]);
        }
}

/** One CTA an SM, all at once. */
template <class room_type, class taps_type, typename real>
cudaError_t launch_resident(void (*kernel)(room_type, taps_type, real *, real *, uint32_t, uint32_t),
                            room_type room, size_t shared_bytes, taps_type taps, real *u, real *u_old,
                            uint32_t steps, uint32_t tag, cudaStream_t stream)
{
    const cudaError_t code =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes);
    if (code != cudaSuccess)
        return code;
    void *arguments[] = {&room, &taps, &u, &u_old, &steps, &tag};
    return cudaLaunchCooperativeKernel((void *)kernel, dim3(room.ctas), dim3(RESIDENT_THREADS), arguments,
                                       shared_bytes, stream);
}

/** @param source_bytes shared memory for values of sources: a real for each source node of any CTA */
template <typename real, class taps_type>
cudaError_t step_resident(const gpu_resident<real> &resident, const taps_type &taps, size_t source_bytes,
                          real *u, real *u_old, uint32_t steps, uint32_t tag, cudaStream_t stream)
{
    return launch_resident(resident_kernel<real, taps_type>, resident, resident.shared_bytes + source_bytes,
                           taps, u, u_old, steps, tag, stream);
}

/** Blocks to CTAs, and one message for every face between two of them. The host's arrays are the caller's:
 * `block` (sms * RESIDENT_BLOCKS), `first` (sms + 1). Fills in of `out` messages, ctas, blocks_each and
 * shared_bytes; false when the room is too large for so many SMs of so much shared memory. */
template <typename real>
bool resident_plan(const struct block_grid *grid, uint32_t sms, size_t shared_most,
                   struct resident_block *block, uint32_t *first, gpu_resident<real> *out)
{
    static const uint32_t face_start[6] = {7, 0, 56, 0, 448, 0};
    const uint32_t each = (grid->blocks + sms - 1) / sms, ctas = (grid->blocks + each - 1) / each;
    uint32_t messages = 0, most = 0;
    if (each > RESIDENT_BLOCKS)
        return false;
    for (uint32_t n = 0; n < ctas * each; ++n) {
        block[n] = {};
        for (uint32_t &to : block[n].to)
            to = RESIDENT_NONE;
    }
    for (uint32_t id = 1; id <= grid->blocks; ++id) {
        const uint32_t cta = (id - 1) / each, local = (id - 1) % each;
        struct resident_block &mine = block[id - 1];
        if (local == 0)
            first[cta] = messages;
        mine.tile = grid->block[id].tile;
        mine.self = id;
        for (uint32_t d = 0; d < 6; ++d) {
            const uint32_t other = grid->block[id].neighbour[d];
            mine.from[d] = local * GPU_BLOCK_NODES;
            if (other != 0 && (other - 1) / each == cta) {
                mine.from[d] = (other - 1) % each * GPU_BLOCK_NODES + face_start[d];
            } else if (other != 0) {
                mine.from[d] = (each * GPU_BLOCK_NODES + (messages - first[cta]) * 64) | RESIDENT_IN_FACE;
                block[other - 1].to[d ^ 1u] = messages++;
            }
        }
        most = messages - first[cta] > most ? messages - first[cta] : most;
    }
    first[ctas] = messages;
    out->messages = messages;
    out->ctas = ctas;
    out->blocks_each = each;
    out->face_values = most * 64;
    out->shared_bytes = ((size_t)each * GPU_BLOCK_NODES + out->face_values) * sizeof(real);
    return out->shared_bytes <= shared_most;
}

#endif
