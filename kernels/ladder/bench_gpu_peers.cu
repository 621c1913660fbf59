/* The schemes of the literature on a GPU, and blocks of other sizes.
 *
 *   cmake -B build/cuda -DTRANSEPT_LADDER=on && cmake --build build/cuda --target bench_gpu_peers
 *   build/cuda/kernels/bench_gpu_peers               the built-in church to 1400 Hz, 20 million nodes timed
 *   build/cuda/kernels/bench_gpu_peers 710 8         fmax [Hz]; million nodes of the rooms that are timed
 *
 * One kernel steps every scheme of peer_schemes.h: a block and what its offsets reach are copied into shared
 * memory, then a thread a node adds the offsets. One for a staggered grid steps pressure and three velocities
 * (two passes a step; open blocks, since its walls are velocities of 0). peer_table.h says what the columns
 * of the last table are; its limit is a copy at 12 bytes a node.
 *
 * The 7-point scheme with a K-value of a byte a node is timed in blocks of other sizes, in the church and in
 * the cross of 5 cubes: bytes of pressures and K-values a node of air, and nodes of air a second.
 *
 * Every kernel must first produce the bits of peer_reference, or for sizes those of a loop over the room's
 * bounding box, in a small room: else status 1. Single precision. The best of 10 rounds. */
#include <cinttypes>

#include "kernels/ladder/bench_gpu_room.cuh"

extern "C" {
#include "kernels/ladder/peer_table.h"
}

#define CHECK_SPACING 0.4
#define CHECK_STEPS   5
#define STEPS         20 /* of a round */
#define ROUNDS        10

static double copy_rate; /* bytes read and written per second */

/* ---- schemes ---- */

struct peer_offsets_of {
    int shift[2][PEER_OFFSETS_MOST];
    float weight[PEER_OFFSETS_MOST];
};

__constant__ peer_offsets_of offsets_now;

struct peer_device {
    const block_id (*round)[PEER_ROUND];
    const uint64_t (*free)[BLOCK_EDGE];
    const uint64_t *first;
    const uint16_t *slot;
    const int16_t *target, *weight;
    const float *gain;
    float air;
};

template <int OFFSETS, int REACH, int AXES, bool HALF>
__global__ void __launch_bounds__(BLOCK_NODES)
    step_peer(const peer_device room, const float *__restrict__ u, float *__restrict__ u_old)
{
    constexpr int ROWS = BLOCK_EDGE + 2 * REACH, QUADS = PEER_ROW / 4;
    __shared__ float4 tile[ROWS * ROWS * QUADS];
    const float *const value = (const float *)tile;
    const unsigned id = blockIdx.x + 1, at = threadIdx.x;
    const block_id *const round = room.round[id];
    for (int n = (int)at; n < ROWS * ROWS * QUADS; n += BLOCK_NODES) {
        const int quad = n % QUADS, y = n / QUADS % ROWS - REACH, z = n / QUADS / ROWS - REACH;
        const int by = (y >= 0) + (y >= BLOCK_EDGE), bz = (z >= 0) + (z >= BLOCK_EDGE);
        const int bx = quad == 0 ? 0 : quad == 3 ? 2 : 1;
        if ((bx != 1) + (by != 1) + (bz != 1) > AXES)
            continue;
        const int x = quad == 0 || quad == 2 ? 4 : 0;
        tile[n] = *(const float4 *)(u + (size_t)round[bx + 3 * by + 9 * bz] * BLOCK_NODES +
                                    ((y & 7) << 3 | (z & 7) << 6) + x);
    }
    __syncthreads();
    float *const old = u_old + (size_t)id * BLOCK_NODES;
    const int z = (int)at >> 6, y = (int)at >> 3 & 7;
    if (room.free[id][z] >> (at & 63) & 1) {
        const float *const own = value + PEER_LEFT + (at & 7) + PEER_ROW * ((z + REACH) * ROWS + y + REACH);
        const float here = *own;
        float sum = 0;
#pragma unroll
        for (int o = 0; o < OFFSETS; ++o) {
            const int even = offsets_now.shift[0][o];
            const int shift = HALF && ((y ^ z) & 1) ? offsets_now.shift[1][o] : even;
            sum = fmaf(offsets_now.weight[o], own[shift] - here, sum);
        }
        old[at] = here + fmaf(room.air, sum, here - old[at]);
    }
    for (uint64_t r = room.first[id] + at; r < room.first[id + 1]; r += BLOCK_NODES) {
        const int node = room.slot[r];
        const float *const own = value + PEER_LEFT + (node & 7) +
                                 PEER_ROW * (((node >> 6) + REACH) * ROWS + (node >> 3 & 7) + REACH);
        const int16_t *const target = room.target + r * OFFSETS;
        float sum = 0;
        for (int o = 0; o < OFFSETS; ++o) {
            const float weight =
                room.weight == nullptr ? offsets_now.weight[o] : (float)room.weight[r * OFFSETS + o];
            sum = fmaf(weight, own[target[o]] - *own, sum);
        }
        const float gain = room.gain == nullptr ? room.air : room.gain[r];
        old[node] = *own + fmaf(gain, sum, *own - old[node]);
    }
}

template <typename item> static std::vector<item> copy_items(const item *from, size_t count)
{
    return from == nullptr ? std::vector<item>() : std::vector<item>(from, from + count);
}

/* A row of the table of blocks around a block, and of its plane masks, as one item. */
struct round_row {
    block_id block[PEER_ROUND];
};
struct free_row {
    uint64_t plane[BLOCK_EDGE];
};

struct peer_on_device {
    explicit peer_on_device(const peer_room &of)
        : room(of), count((size_t)of.blocks + 1), records(of.first[of.blocks + 1]),
          round(copy_items((const round_row *)of.round, count)),
          free(copy_items((const free_row *)of.free, count)), first(copy_items(of.first, count + 1)),
          slot(copy_items(of.slot, records)), target(copy_items(of.target, records * (size_t)of.offsets)),
          weight(copy_items(of.weight, records * (size_t)of.offsets)), gain(copy_items(of.gain, records))
    {
        peer_offsets_of offsets = {};
        for (int o = 0; o < of.offsets; ++o) {
            offsets.shift[0][o] = of.shift[0][o];
            offsets.shift[1][o] = of.shift[1][o];
            offsets.weight[o] = (float)of.offset[o].weight;
        }
        CUDA_MUST(cudaMemcpyToSymbol(offsets_now, &offsets, sizeof offsets));
        for (int l = 0; l < 2; ++l) {
            start[l].resize(count * BLOCK_NODES);
            peer_fill(&room, l, start[l].data());
            level[l] = device_array<float>(start[l]);
        }
    }

    void run(int steps)
    {
        const peer_device device = {(const block_id(*)[PEER_ROUND])round.data(),
                                    (const uint64_t(*)[BLOCK_EDGE])free.data(),
                                    first.data(),
                                    slot.data(),
                                    target.data(),
                                    room.weight != nullptr ? weight.data() : nullptr,
                                    room.gain != nullptr ? gain.data() : nullptr,
                                    (float)(room.lambda2 / room.scheme->parts)};
        for (int t = 0; t < steps; ++t) {
            const float *const u = level[t & 1].data();
            float *const u_old = level[~t & 1].data();
#define STEP(scheme, offsets, reach, axes, half)                                                             \
    case scheme:                                                                                             \
        step_peer<offsets, reach, axes, half><<<room.blocks, BLOCK_NODES>>>(device, u, u_old);               \
        break
            switch ((int)(room.scheme - peer_scheme)) {
                STEP(PEER_7, 6, 1, 1, false);
                STEP(PEER_13, 12, 1, 2, true);
                STEP(PEER_19, 18, 1, 2, false);
                STEP(PEER_27, 26, 1, 3, false);
                STEP(PEER_LEGGY_2, 12, 2, 1, false);
                STEP(PEER_LEGGY_3, 18, 3, 1, false);
                STEP(PEER_LEGGY_4, 24, 4, 1, false);
            }
#undef STEP
            CUDA_MUST(cudaGetLastError());
        }
    }

    const peer_room &room;
    size_t count, records;
    device_array<round_row> round;
    device_array<free_row> free;
    device_array<uint64_t> first;
    device_array<uint16_t> slot;
    device_array<int16_t> target, weight;
    device_array<float> gain, level[2];
    std::vector<float> start[2];
};

static uint64_t count_differences(const std::vector<float> &expected, const device_array<float> &found)
{
    std::vector<float> value(expected.size());
    CUDA_MUST(cudaMemcpy(value.data(), found.data(), value.size() * sizeof(float), cudaMemcpyDeviceToHost));
    uint64_t wrong = 0;
    for (size_t n = 0; n < value.size(); ++n)
        wrong += value[n] == expected[n] ? 0 : 1;
    return wrong;
}

static int check_scheme(const block_grid &grid, int scheme, failure *why)
{
    peer_room room = {};
    TRY(peer_room_create(&grid, &peer_scheme[scheme], peer_stable_lambda2(scheme), &room, why));
    uint64_t wrong = 0;
    {
        peer_on_device device(room);
        std::vector<float> level[2] = {device.start[0], device.start[1]};
        for (int t = 0; t < CHECK_STEPS; ++t)
            peer_reference[PRECISION_SINGLE](&room, level[t & 1].data(), level[~t & 1].data(), 1,
                                             (uint64_t)room.blocks + 1);
        device.run(CHECK_STEPS);
        for (int l = 0; l < 2; ++l)
            wrong += count_differences(level[l], device.level[l]);
    }
    (void)std::printf("%-20s %8" PRIu64 " nodes, wrong=%" PRIu64 "\n", peer_scheme[scheme].name,
                      room.air_nodes, wrong);
    peer_room_free(&room);
    return wrong == 0 ? 0
                      : failure_set(why, FAILURE_ANSWER_NO, "%s: %" PRIu64 " values are not the reference's",
                                    peer_scheme[scheme].name, wrong);
}

static void time_scheme(peer_timed *timed)
{
    peer_on_device device(timed->room);
    const double seconds = best_seconds(ROUNDS, [&] { device.run(STEPS); }) / STEPS;
    const double stored = (double)timed->room.blocks * BLOCK_NODES;
    timed->best = (double)timed->room.air_nodes / seconds;
    (void)std::printf("%-20s %10d %10.1f us %10.2f Gnode/s %8.3f of copy\n", timed->room.scheme->name,
                      timed->room.offsets, 1e6 * seconds, timed->best * 1e-9,
                      12 * stored / seconds / copy_rate);
}

/* ---- the staggered grid ---- */

/* Pressures at nodes, the velocity towards the next node of each axis beside them. First velocities, then
 * pressures. */
__global__ void __launch_bounds__(BLOCK_NODES)
    step_velocities(const round_row *round, const float *__restrict__ p, float *vx, float *vy, float *vz)
{
    const unsigned id = blockIdx.x + 1, at = threadIdx.x, x = at & 7, y = at >> 3 & 7, z = at >> 6;
    const block_id *const beside = round[id].block;
    const size_t own = (size_t)id * BLOCK_NODES + at;
    const float here = p[own];
    vx[own] += here - (x < 7 ? p[own + 1] : p[(size_t)beside[14] * BLOCK_NODES + at - 7]);
    vy[own] += here - (y < 7 ? p[own + 8] : p[(size_t)beside[16] * BLOCK_NODES + at - 56]);
    vz[own] += here - (z < 7 ? p[own + 64] : p[(size_t)beside[22] * BLOCK_NODES + at - 448]);
}

__global__ void __launch_bounds__(BLOCK_NODES)
    step_pressures(const round_row *round, float lambda2, float *p, const float *__restrict__ vx,
                   const float *__restrict__ vy, const float *__restrict__ vz)
{
    const unsigned id = blockIdx.x + 1, at = threadIdx.x, x = at & 7, y = at >> 3 & 7, z = at >> 6;
    const block_id *const beside = round[id].block;
    const size_t own = (size_t)id * BLOCK_NODES + at;
    const float dx = vx[own] - (x > 0 ? vx[own - 1] : vx[(size_t)beside[12] * BLOCK_NODES + at + 7]);
    const float dy = vy[own] - (y > 0 ? vy[own - 8] : vy[(size_t)beside[10] * BLOCK_NODES + at + 56]);
    const float dz = vz[own] - (z > 0 ? vz[own - 64] : vz[(size_t)beside[4] * BLOCK_NODES + at + 448]);
    p[own] = fmaf(-lambda2, (dx + dy) + dz, p[own]);
}

static void time_staggered(const peer_room &room)
{
    const size_t count = (size_t)room.blocks + 1;
    device_array<round_row> round(copy_items((const round_row *)room.round, count));
    device_array<float> value[4];
    for (auto &array : value) {
        array = device_array<float>(count * BLOCK_NODES);
        array.zero();
    }
    const double seconds =
        best_seconds(ROUNDS,
                     [&] {
                         for (int t = 0; t < STEPS; ++t) {
                             step_velocities<<<room.blocks, BLOCK_NODES>>>(round.data(), value[0].data(),
                                                                           value[1].data(), value[2].data(),
                                                                           value[3].data());
                             step_pressures<<<room.blocks, BLOCK_NODES>>>(round.data(), 1.0f / 3,
                                                                          value[0].data(), value[1].data(),
                                                                          value[2].data(), value[3].data());
                             CUDA_MUST(cudaGetLastError());
                         }
                     }) /
        STEPS;
    const double stored = (double)room.blocks * BLOCK_NODES;
    (void)std::printf("%-20s %10s %10.1f us %10.2f Gnode/s %8.3f of copy at 48 bytes\n", "staggered", "-",
                      1e6 * seconds, (double)room.air_nodes / seconds * 1e-9,
                      48 * stored / seconds / copy_rate);
}

/* ---- blocks of other sizes ---- */

/* A room of blocks of EX x EY x EZ nodes; block 0 is empty. */
struct sized_room {
    std::vector<uint32_t> beside; /* (blocks + 1, 6) across x-, x+, y-, y+, z-, z+ */
    std::vector<uint8_t> k;       /* (blocks + 1, nodes) open links; 0 outside the air */
    std::vector<uint64_t> node;   /* (blocks + 1, nodes) place in the bounding box */
    size_t blocks = 0, air = 0;
};

/* Air of a grid in its bounding box, with a node of nothing around it. */
struct boxed_air {
    int64_t size[3];
    std::vector<uint8_t> air;
    explicit boxed_air(const block_grid &grid)
    {
        int64_t high[3] = {0, 0, 0}, low[3] = {INT64_MAX, INT64_MAX, INT64_MAX};
        for (int pass = 0; pass < 2; ++pass) {
            for (block_id b = 1; b <= grid.blocks; ++b)
                for (unsigned slot = 0; slot < BLOCK_NODES; ++slot) {
                    int64_t at[3];
                    if (grid.tile[grid.block[b].tile][slot] == 0)
                        continue;
                    block_node(&grid.block[b], slot, at);
                    for (int d = 0; d < 3 && pass == 0; ++d) {
                        low[d] = std::min(low[d], at[d]);
                        high[d] = std::max(high[d], at[d]);
                    }
                    if (pass == 1)
                        air[(size_t)place(at[0] - low[0] + 1, at[1] - low[1] + 1, at[2] - low[2] + 1)] = 1;
                }
            for (int d = 0; d < 3 && pass == 0; ++d)
                size[d] = high[d] - low[d] + 3;
            if (pass == 0)
                air.resize((size_t)(size[0] * size[1] * size[2]));
        }
    }
    int64_t place(int64_t x, int64_t y, int64_t z) const
    {
        return x + size[0] * (y + size[1] * z);
    }
    unsigned links(int64_t n) const
    {
        const int64_t y = size[0], z = size[0] * size[1];
        return air[(size_t)n] == 0
                   ? 0u
                   : (unsigned)(air[(size_t)(n - 1)] + air[(size_t)(n + 1)] + air[(size_t)(n - y)] +
                                air[(size_t)(n + y)] + air[(size_t)(n - z)] + air[(size_t)(n + z)]);
    }
};

template <int EX, int EY, int EZ> static sized_room make_sized(const boxed_air &box)
{
    const int64_t edge[3] = {EX, EY, EZ}, nodes = EX * EY * EZ;
    int64_t count[3];
    sized_room room;
    for (int d = 0; d < 3; ++d)
        count[d] = (box.size[d] + edge[d] - 1) / edge[d];
    std::vector<uint32_t> id((size_t)((count[0] + 2) * (count[1] + 2) * (count[2] + 2)), 0);
    auto at = [&](int64_t x, int64_t y, int64_t z) -> uint32_t & {
        return id[(size_t)(x + 1 + (count[0] + 2) * (y + 1 + (count[1] + 2) * (z + 1)))];
    };
    room.k.assign((size_t)nodes, 0);
    room.node.assign((size_t)nodes, 0);
    for (int64_t z = 0; z < count[2]; ++z)
        for (int64_t y = 0; y < count[1]; ++y)
            for (int64_t x = 0; x < count[0]; ++x) {
                std::vector<uint8_t> k((size_t)nodes, 0);
                std::vector<uint64_t> node((size_t)nodes, 0);
                size_t air = 0;
                for (int64_t n = 0; n < nodes; ++n) {
                    const int64_t p[3] = {x * EX + n % EX, y * EY + n / EX % EY, z * EZ + n / EX / EY};
                    if (p[0] >= box.size[0] || p[1] >= box.size[1] || p[2] >= box.size[2])
                        continue;
                    node[(size_t)n] = (uint64_t)box.place(p[0], p[1], p[2]);
                    k[(size_t)n] = (uint8_t)box.links((int64_t)node[(size_t)n]);
                    air += box.air[node[(size_t)n]];
                }
                if (air == 0)
                    continue;
                room.air += air;
                at(x, y, z) = (uint32_t)++room.blocks;
                room.k.insert(room.k.end(), k.begin(), k.end());
                room.node.insert(room.node.end(), node.begin(), node.end());
            }
    room.beside.assign(6 * (room.blocks + 1), 0);
    for (int64_t z = 0; z < count[2]; ++z)
        for (int64_t y = 0; y < count[1]; ++y)
            for (int64_t x = 0; x < count[0]; ++x) {
                const uint32_t own = at(x, y, z);
                const uint32_t around[6] = {at(x - 1, y, z), at(x + 1, y, z), at(x, y - 1, z),
                                            at(x, y + 1, z), at(x, y, z - 1), at(x, y, z + 1)};
                for (int d = 0; own != 0 && d < 6; ++d)
                    room.beside[6 * own + (size_t)d] = around[d];
            }
    return room;
}

static __host__ __device__ float step_of(float xm, float xp, float ym, float yp, float zm, float zp, int k,
                                         float here, float old)
{
    const float sum = ((xm + xp) + (ym + yp)) + (zm + zp);
    return here + fmaf(0.25f, fmaf((float)-k, here, sum), here - old);
}

template <int EX, int EY, int EZ, int THREADS>
__global__ void __launch_bounds__(THREADS)
    step_sized(const uint32_t *__restrict__ beside, const uint8_t *__restrict__ links,
               const float *__restrict__ u, float *__restrict__ u_old)
{
    constexpr int NODES = EX * EY * EZ, PLANE = EX * EY;
    __shared__ float tile[NODES];
    const size_t id = blockIdx.x + 1;
    const float *const own = u + id * NODES;
    for (int n = (int)threadIdx.x; n < NODES; n += THREADS)
        tile[n] = own[n];
    __syncthreads();
    auto across = [&](int d, int n) { return u[(size_t)beside[6 * id + (size_t)d] * NODES + (size_t)n]; };
    for (int n = (int)threadIdx.x; n < NODES; n += THREADS) {
        const int k = links[id * NODES + (size_t)n], x = n % EX, y = n / EX % EY, z = n / PLANE;
        if (k == 0)
            continue;
        const float xm = x > 0 ? tile[n - 1] : across(0, n + EX - 1);
        const float xp = x < EX - 1 ? tile[n + 1] : across(1, n - EX + 1);
        const float ym = y > 0 ? tile[n - EX] : across(2, n + PLANE - EX);
        const float yp = y < EY - 1 ? tile[n + EX] : across(3, n - PLANE + EX);
        const float zm = z > 0 ? tile[n - PLANE] : across(4, n + NODES - PLANE);
        const float zp = z < EZ - 1 ? tile[n + PLANE] : across(5, n - NODES + PLANE);
        float *const old = u_old + id * NODES + n;
        *old = step_of(xm, xp, ym, yp, zm, zp, k, tile[n], *old);
    }
}

static float start_value(uint64_t node, int level)
{
    return (float)(int)((node * UINT64_C(2654435761) >> (7 + level)) & 15) - 7;
}

template <int EX, int EY, int EZ> static int visit_size(const char *name, const boxed_air &box, bool check)
{
    constexpr int NODES = EX * EY * EZ, THREADS = NODES < BLOCK_NODES ? NODES : BLOCK_NODES;
    const sized_room room = make_sized<EX, EY, EZ>(box);
    device_array<uint32_t> beside(room.beside);
    device_array<uint8_t> k(room.k);
    device_array<float> level[2];
    std::vector<float> start[2];
    for (int l = 0; l < 2; ++l) {
        start[l].resize(room.k.size());
        for (size_t n = 0; n < start[l].size(); ++n)
            start[l][n] = room.k[n] != 0 ? start_value(room.node[n], l) : 0;
        level[l] = device_array<float>(start[l]);
    }
    auto run = [&](int steps) {
        for (int t = 0; t < steps; ++t) {
            step_sized<EX, EY, EZ, THREADS><<<(unsigned)room.blocks, THREADS>>>(
                beside.data(), k.data(), level[t & 1].data(), level[~t & 1].data());
            CUDA_MUST(cudaGetLastError());
        }
    };
    if (check) {
        std::vector<float> boxed[2];
        const int64_t row = box.size[0], plane = box.size[0] * box.size[1];
        for (int l = 0; l < 2; ++l) {
            boxed[l].assign(box.air.size(), 0);
            for (size_t n = 0; n < boxed[l].size(); ++n)
                boxed[l][n] = box.links((int64_t)n) != 0 ? start_value(n, l) : 0;
        }
        for (int t = 0; t < CHECK_STEPS; ++t) {
            const float *const u = boxed[t & 1].data();
            for (int64_t n = plane; n < (int64_t)box.air.size() - plane; ++n) {
                const int links = (int)box.links(n);
                float *const old = &boxed[~t & 1][(size_t)n];
                if (links != 0)
                    *old = step_of(u[n - 1], u[n + 1], u[n - row], u[n + row], u[n - plane], u[n + plane],
                                   links, u[n], *old);
            }
        }
        run(CHECK_STEPS);
        uint64_t wrong = 0;
        for (int l = 0; l < 2; ++l) {
            for (size_t n = 0; n < start[l].size(); ++n)
                start[l][n] = room.k[n] != 0 ? boxed[l][room.node[n]] : 0;
            wrong += count_differences(start[l], level[l]);
        }
        (void)std::printf("%-8s %2dx%2dx%2d wrong=%" PRIu64 "\n", name, EX, EY, EZ, wrong);
        return wrong == 0 ? 0 : FAILURE_ANSWER_NO;
    }
    const double seconds = best_seconds(ROUNDS, [&] { run(STEPS); }) / STEPS,
                 stored = (double)(room.blocks * NODES);
    (void)std::printf("%-8s %2dx%2dx%2d %9zu blocks %6.2f bytes a node of air, %5.1f %% stored in vain, "
                      "%8.1f us %7.2f Gnode/s of air, %.3f of copy at 13 bytes stored\n",
                      name, EX, EY, EZ, room.blocks,
                      (double)(room.blocks * (9 * NODES + 6 * sizeof(uint32_t))) / (double)room.air,
                      100 * (1 - (double)room.air / stored), 1e6 * seconds, (double)room.air / seconds * 1e-9,
                      13 * stored / seconds / copy_rate);
    return 0;
}

static int visit_sizes(const char *name, const block_grid &grid, bool check)
{
    const boxed_air box(grid);
    int code = visit_size<4, 4, 4>(name, box, check);
    code = code != 0 ? code : visit_size<8, 8, 8>(name, box, check);
    code = code != 0 ? code : visit_size<8, 8, 16>(name, box, check);
    return code != 0 ? code : visit_size<16, 16, 16>(name, box, check);
}

/* ---- all ---- */

static void measure_copy()
{
    const size_t bytes = (size_t)2 << 30;
    device_array<char> a(bytes), b(bytes);
    a.zero();
    copy_rate = 2.0 * (double)bytes / best_seconds(ROUNDS, [&] {
                    CUDA_MUST(cudaMemcpyAsync(b.data(), a.data(), bytes, cudaMemcpyDeviceToDevice));
                });
    (void)std::printf("copy %.0f GB/s\n", copy_rate * 1e-9);
}

static int check_all(double *volume, failure *why)
{
    block_grid grid = {};
    int code = peer_church(CHECK_SPACING, 2, &grid, why);
    *volume = (double)grid.air_nodes * std::pow(CHECK_SPACING, 3);
    for (int s = 0; code == 0 && s < PEER_SCHEMES; ++s)
        code = check_scheme(grid, s, why);
    if (code == 0 && visit_sizes("church", grid, true) != 0)
        code = failure_set(why, FAILURE_ANSWER_NO, "blocks of another size give other values");
    block_grid_free(&grid);
    return code;
}

static int time_schemes(double fmax, const block_grid &grid, failure *why)
{
    peer_timed timed[PEER_SCHEMES] = {};
    int code = 0;
    for (int s = 0; code == 0 && s < PEER_SCHEMES; ++s)
        code = peer_room_create(&grid, &peer_scheme[s], peer_stable_lambda2(s), &timed[s].room, why);
    for (int s = 0; code == 0 && s < PEER_SCHEMES; ++s)
        time_scheme(&timed[s]);
    if (code == 0) {
        time_staggered(timed[PEER_7].room);
        peer_print_tables(timed, (double)grid.air_nodes * std::pow(grid.lattice.spacing, 3), fmax,
                          copy_rate / 12);
    }
    for (peer_timed &one : timed)
        peer_room_free(&one.room);
    return code;
}

int main(int argc, char **argv)
{
    const double fmax = argc > 1 ? std::strtod(argv[1], nullptr) : 1400;
    const double nodes = argc > 2 ? std::strtod(argv[2], nullptr) * 1e6 : 20e6;
    failure why = {};
    block_grid church = {}, cross = {};
    double volume = 0;
    int code = 0;
    if (!(fmax > 0 && nodes >= 1e5 && nodes <= 1e9))
        code = failure_set(&why, FAILURE_INPUT, "bench_gpu_peers [fmax] [million nodes]");
    if (code == 0)
        code = check_all(&volume, &why);
    if (code == 0)
        measure_copy();
    if (code == 0)
        code = peer_church(std::cbrt(volume / nodes), 2, &church, &why);
    if (code == 0)
        code = time_schemes(fmax, church, &why);
    if (code == 0) {
        (void)visit_sizes("church", church, false);
        code = make_grid({"cross", SEED_CROSS, (int64_t)std::cbrt(nodes / 5)}, &cross, &why);
    }
    if (code == 0)
        (void)visit_sizes("cross", cross, false);
    if (code != 0)
        (void)std::fprintf(stderr, "bench_gpu_peers: %s\n", why.sentence);
    block_grid_free(&church);
    block_grid_free(&cross);
    return code;
}
