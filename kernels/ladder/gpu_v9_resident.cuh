/** v9: a room that never leaves the chip: one CTA an SM for all steps of a batch, u in shared memory, u_old
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
 *              thread 20.7 us for 5 x 96^3, where v8 takes 12.5: there the instructions of one CTA an SM
 *              are the limit, not memory
 *   taught     a step of a small room is a chain of latencies: what can be found once must not be found
 *              every step
 */
#ifndef KERNELS_LADDER_GPU_V9_RESIDENT_CUH
#define KERNELS_LADDER_GPU_V9_RESIDENT_CUH

#include <string.h>

#include "kernels/ladder/gpu_room.cuh"

#define RESIDENT_THREADS 512
#define RESIDENT_GROUPS  (RESIDENT_THREADS / 128)
#define RESIDENT_ROUNDS  3                                   /* blocks a thread */
#define RESIDENT_BLOCKS  (RESIDENT_GROUPS * RESIDENT_ROUNDS) /* most a CTA */
#define RESIDENT_NOBODY  UINT32_MAX
#define RESIDENT_IN_FACE 0x80000000u /* in resident_block.from: the values stand together, not in a block */

/** How a block finds its neighbours. */
struct alignas(16) resident_block {
    uint32_t from[6]; /* index into the CTA's shared values of the first of the 64 beyond a face |
                         RESIDENT_IN_FACE */
    uint32_t to[6];   /* message that carries the face's values, or RESIDENT_NOBODY */
    uint32_t tile, self;
};

template <typename real> struct gpu_resident {
    gpu_room<real> room;
    const struct resident_block *block; /* (ctas, blocks_each): self 0 where a CTA has fewer */
    const uint32_t *message_first;      /* (ctas + 1) messages that a CTA receives */
    uint4 *mail;                        /* (2, messages, 64 words of 8 or 16 bytes), zeroed at the start */
    uint32_t messages;
    uint32_t ctas, blocks_each;
    size_t shared_bytes;
};

/* Two words of 8 bytes. Each arrives whole, so each carries its own step. */
__device__ __forceinline__ uint4 read_mail(const uint4 *from)
{
    uint4 word;
    asm volatile("ld.volatile.global.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
                 : "l"(from)
                 : "memory");
    return word;
}
__device__ __forceinline__ void write_mail(uint4 *to, uint4 word)
{
    asm volatile("st.volatile.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(to), "r"(word.x), "r"(word.y),
                 "r"(word.z), "r"(word.w)
                 : "memory");
}

/** Values in one uint4 of mail. */
template <typename real> __host__ __device__ constexpr uint32_t mail_values()
{
    return 8 / (uint32_t)sizeof(real);
}
template <typename real> __host__ __device__ constexpr uint32_t message_words()
{
    return 64 / mail_values<real>();
}
__device__ __forceinline__ void open_mail(uint4 word, float *values)
{
    values[0] = __uint_as_float(word.x);
    values[1] = __uint_as_float(word.z);
}
__device__ __forceinline__ void open_mail(uint4 word, double *values)
{
    values[0] = __hiloint2double((int)word.z, (int)word.x);
}
__device__ __forceinline__ uint4 seal_mail(float a, float b, uint32_t step)
{
    return make_uint4(__float_as_uint(a), step, __float_as_uint(b), step);
}
__device__ __forceinline__ uint4 seal_mail(double a, uint32_t step)
{
    return make_uint4((uint32_t)__double2loint(a), step, (uint32_t)__double2hiint(a), step);
}

/** Send the lane's nodes of a row of a y or z face; `place` is the row's first place in the message. */
__device__ __forceinline__ void send_row(uint4 *message, int place, int part, const four<float> &a,
                                         uint32_t step)
{
    write_mail(message + (place + 4 * part) / 2, seal_mail(a.v[0], a.v[1], step));
    write_mail(message + (place + 4 * part) / 2 + 1, seal_mail(a.v[2], a.v[3], step));
}
__device__ __forceinline__ void send_row(uint4 *message, int place, int part, const four<double> &a,
                                         uint32_t step)
{
#pragma unroll
    for (int i = 0; i < 4; ++i)
        write_mail(message + place + 4 * part + i, seal_mail(a.v[i], step));
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
    write_mail(message + place, seal_mail(a, step));
}

/** What a lane keeps of one of its blocks from step to step: indices of its neighbours in the CTA's shared
 * values, messages that wait for its nodes (RESIDENT_NOBODY: none), link bytes and coefficients. */
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
    lane.to_y = y == 0 ? block.to[2] : y == 7 ? block.to[3] : RESIDENT_NOBODY;
    lane.to_z = z == 0 ? block.to[4] : z == 7 ? block.to[5] : RESIDENT_NOBODY;
    lane.links = GPU_LINKS_ALL;
    lane.q = {};
    if (block.tile != GPU_TILE_FULL) {
        lane.links = load_links(room.tile + (size_t)block.tile * GPU_BLOCK_NODES + 8 * row, part);
        lane.q = plane_q(lane.links,
                         room.q + room.wall_first[block.self] + room.plane_first[(size_t)block.tile * 8 + z]);
    }
    return lane;
}

/** Send what of the lane's four nodes lies on faces that others wait for. */
template <typename real>
__device__ __forceinline__ void send_faces(const gpu_resident<real> &resident,
                                           const resident_lane<real> &lane, int thread, const four<real> &a,
                                           uint32_t step)
{
    const int part = thread & 1, row = thread >> 1, y = row & 7, z = row >> 3;
    uint4 *const mail = resident.mail + (size_t)(step & 1u) * resident.messages * message_words<real>();
    if (lane.to_x != RESIDENT_NOBODY)
        send_value(mail + (size_t)lane.to_x * message_words<real>(), row, part == 0 ? a.v[0] : a.v[3], step);
    if (lane.to_y != RESIDENT_NOBODY)
        send_row(mail + (size_t)lane.to_y * message_words<real>(), 8 * z, part, a, step);
    if (lane.to_z != RESIDENT_NOBODY)
        send_row(mail + (size_t)lane.to_z * message_words<real>(), 8 * y, part, a, step);
}

/** Wait for all faces of a step and put them where the blocks look for them. */
template <typename real>
__device__ __forceinline__ void receive_faces(const gpu_resident<real> &resident, real *faces, uint32_t step)
{
    constexpr int BATCH = 4;
    const uint32_t first = __ldg(resident.message_first + blockIdx.x);
    const uint32_t words = (__ldg(resident.message_first + blockIdx.x + 1) - first) * message_words<real>();
    const uint4 *const mail =
        resident.mail + ((size_t)(step & 1u) * resident.messages + first) * message_words<real>();
    for (uint32_t start = threadIdx.x; start < words; start += BATCH * RESIDENT_THREADS) {
        uint4 word[BATCH];
        bool all;
        do {
            all = true;
#pragma unroll
            for (int i = 0; i < BATCH; ++i)
                if (start + (uint32_t)i * RESIDENT_THREADS < words)
                    word[i] = read_mail(mail + start + (uint32_t)i * RESIDENT_THREADS);
#pragma unroll
            for (int i = 0; i < BATCH; ++i)
                if (start + (uint32_t)i * RESIDENT_THREADS < words)
                    all = all && word[i].y == step && word[i].w == step;
        } while (!all);
#pragma unroll
        for (int i = 0; i < BATCH; ++i)
            if (start + (uint32_t)i * RESIDENT_THREADS < words)
                open_mail(word[i], faces + (start + (uint32_t)i * RESIDENT_THREADS) * mail_values<real>());
    }
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
template <typename real>
__global__ void __launch_bounds__(RESIDENT_THREADS, 1)
    resident_kernel(gpu_resident<real> resident, real *u, real *u_old, uint32_t steps, uint32_t tag)
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
    for (uint32_t n = 0; n < steps; ++n) {
        receive_faces(resident, faces, tag + n);
        __syncthreads();
#pragma unroll
        for (int r = 0; r < RESIDENT_ROUNDS; ++r)
            if (self[r] != 0)
                other[r] = resident_step(lane[r], shared, here[r], part, other[r], resident.room.lambda2);
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

template <typename real>
cudaError_t step_resident(const gpu_resident<real> &resident, real *u, real *u_old, uint32_t steps,
                          uint32_t tag, cudaStream_t stream)
{
    void *const kernel = (void *)resident_kernel<real>;
    const cudaError_t code =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)resident.shared_bytes);
    if (code != cudaSuccess)
        return code;
    gpu_resident<real> copy = resident;
    void *arguments[] = {&copy, &u, &u_old, &steps, &tag};
    return cudaLaunchCooperativeKernel(kernel, dim3(resident.ctas), dim3(RESIDENT_THREADS), arguments,
                                       resident.shared_bytes, stream);
}

#endif
