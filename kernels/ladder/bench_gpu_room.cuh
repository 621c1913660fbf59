/** Rooms for bench_gpu: the seed's shapes as block grids, their data on the device, and their pressures in
 * the layouts of the seed's kernels. A program's own part: a CUDA call that fails ends it. */
#ifndef KERNELS_LADDER_BENCH_GPU_ROOM_CUH
#define KERNELS_LADDER_BENCH_GPU_ROOM_CUH

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/cuda/step/gpu_room.cuh"
#include "kernels/cuda/step/gpu_layouts.cuh"

#define _Static_assert static_assert /* the headers are C */
extern "C" {
#include "kernels/scheme/step.h"
#include "rooms/shapes/seed_shape.h"
}

#define CUDA_MUST(call)                                                                                      \
    do {                                                                                                     \
        const cudaError_t code_ = (call);                                                                    \
        if (code_ != cudaSuccess) {                                                                          \
            (void)std::fprintf(stderr, "bench_gpu: %s:%d: %s: %s\n", __FILE__, __LINE__, #call,              \
                               cudaGetErrorString(code_));                                                   \
            std::exit(FAILURE_OUTPUT);                                                                       \
        }                                                                                                    \
    } while (0)

/** Device memory with one owner. */
template <typename item> class device_array {
  public:
    device_array() = default;
    explicit device_array(size_t count) : count_(count)
    {
        CUDA_MUST(cudaMalloc(&items_, std::max<size_t>(count, 1) * sizeof(item)));
    }
    explicit device_array(const std::vector<item> &from) : device_array(from.size())
    {
        CUDA_MUST(cudaMemcpy(items_, from.data(), from.size() * sizeof(item), cudaMemcpyHostToDevice));
    }
    device_array(device_array &&other) noexcept
    {
        swap(other);
    }
    device_array &operator=(device_array &&other) noexcept
    {
        swap(other);
        return *this;
    }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;
    ~device_array()
    {
        (void)cudaFree(items_);
    }
    item *data() const
    {
        return items_;
    }
    size_t count() const
    {
        return count_;
    }
    void zero()
    {
        CUDA_MUST(cudaMemset(items_, 0, count_ * sizeof(item)));
    }
    void copy_from(const item *device)
    {
        CUDA_MUST(cudaMemcpy(items_, device, count_ * sizeof(item), cudaMemcpyDeviceToDevice));
    }

  private:
    void swap(device_array &other)
    {
        std::swap(items_, other.items_);
        std::swap(count_, other.count_);
    }
    item *items_ = nullptr;
    size_t count_ = 0;
};

/** Seconds of the fastest of `rounds` runs, by events of the device. */
template <typename work> static double best_seconds(int rounds, work &&run)
{
    cudaEvent_t begin, end;
    CUDA_MUST(cudaEventCreate(&begin));
    CUDA_MUST(cudaEventCreate(&end));
    float best = 1e30f;
    for (int i = 0; i < rounds; ++i) {
        float milliseconds = 0;
        CUDA_MUST(cudaEventRecord(begin));
        run();
        CUDA_MUST(cudaEventRecord(end));
        CUDA_MUST(cudaEventSynchronize(end));
        CUDA_MUST(cudaEventElapsedTime(&milliseconds, begin, end));
        best = std::min(best, milliseconds);
    }
    CUDA_MUST(cudaEventDestroy(begin));
    CUDA_MUST(cudaEventDestroy(end));
    return 1e-3 * (double)best;
}

/** The seed's cube, cross or sphere (rooms/shapes/seed_shape.h), of d nodes. */
struct bench_shape {
    const char *name;
    enum seed_shape shape;
    int64_t d;
};

/** The grid of a shape; freed by block_grid_free(). */
static int make_grid(const bench_shape &shape, block_grid *grid, failure *why)
{
    voxels room = {};
    TRY(seed_shape_voxels(shape.shape, shape.d, &room, why));
    const int code = block_grid_pack(&room, grid, why);
    voxels_free(&room);
    return code;
}

/** q of every wall entry (only a node's first counts), one admittance `g` everywhere. */
static std::vector<double> wall_coefficients(const block_grid &grid, double lambda2, double g)
{
    std::vector<double> q(grid.walls, 0);
    for (uint64_t w = 0, next; w < grid.walls; w = next) {
        double weight = 0;
        next = w;
        do
            weight += (double)grid.wall[next++].weight;
        while (next < grid.walls && (grid.wall[next].slot & WALL_CONTINUES));
        const double kappa = 0.5 * std::sqrt(lambda2) * weight * g;
        q[w] = kappa / (1 + kappa);
    }
    return q;
}

/** The same in the standard form: every cut link of these shapes weighs 1. */
template <typename real> static standard_form<real> standard_coefficients(double lambda2, double g)
{
    return {(real)lambda2, (real)(0.5 * std::sqrt(lambda2) * g)};
}

/** Blocks in launch order: by id, a block and its +x neighbour side by side where both are there. */
static std::vector<gpu_block> launch_order(const block_grid &grid)
{
    std::vector<gpu_block> order;
    std::vector<bool> placed(grid.blocks + 1, false);
    uint32_t single = 0; /* waits for another one to share a warp with */
    auto place = [&](uint32_t id) {
        gpu_block entry;
        memcpy(entry.neighbour, grid.block[id].neighbour, sizeof entry.neighbour);
        entry.tile = grid.block[id].tile;
        entry.self = id;
        order.push_back(entry);
        placed[id] = true;
    };
    for (uint32_t id = 1; id <= grid.blocks; ++id) {
        if (placed[id])
            continue;
        const bool odd = grid.block[id].place[0] & 1;
        const uint32_t first = odd ? grid.block[id].neighbour[0] : id;
        const uint32_t second = odd ? id : grid.block[id].neighbour[1];
        if (first != 0 && second != 0) {
            place(first);
            place(second);
        } else if (single != 0) {
            place(single);
            place(id);
            single = 0;
        } else {
            single = id;
        }
    }
    if (single != 0)
        place(single);
    while (order.size() % GPU_ORDER_PAD != 0)
        place(0);
    return order;
}

/** Everything on the device that one room and precision needs. */
template <typename real> struct bench_room {
    const block_grid &grid;
    size_t values; /* of a pressure array */
    std::vector<gpu_block> order;
    std::vector<double> q;
    gpu_room<real> room = {};
    standard_form<real> form;
    device_array<gpu_block> block;
    device_array<int> place; /* (blocks + 1, 3) first node from the low corner of the air */
    device_array<uint8_t> tile;
    device_array<uint16_t> plane_first, wall_slot;
    device_array<uint64_t> wall_first;
    device_array<real> wall_q;
    device_array<real> level[2], start[2]; /* u and u_old: as every version starts, and to work on */

    bench_room(const block_grid &from, double lambda2, double g)
        : grid(from), values(((size_t)from.blocks + 1) * GPU_BLOCK_NODES), order(launch_order(from)),
          q(wall_coefficients(from, lambda2, g)), form(standard_coefficients<real>(lambda2, g))
    {
        std::vector<uint64_t> first(grid.blocks + 2, 0);
        std::vector<uint16_t> slot;
        std::vector<real> coefficient;
        std::vector<int> corner(3 * ((size_t)grid.blocks + 1), 0);
        for (uint32_t id = 1; id <= grid.blocks; ++id) {
            first[id] = slot.size();
            for (uint64_t w = grid.wall_first[id]; w < grid.wall_first[id + 1]; ++w)
                if (!(grid.wall[w].slot & WALL_CONTINUES)) {
                    slot.push_back(grid.wall[w].slot & WALL_SLOT);
                    coefficient.push_back((real)q[w]);
                }
            for (int a = 0; a < 3; ++a)
                corner[3 * (size_t)id + (size_t)a] =
                    (int)(8 * (int64_t)grid.block[id].place[a] - grid.air_low[a]);
        }
        first[grid.blocks + 1] = slot.size();
        std::vector<uint16_t> below((size_t)grid.tiles * 8);
        for (size_t t = 0; t < grid.tiles; ++t) {
            uint16_t count = 0;
            for (size_t s = 0; s < GPU_BLOCK_NODES; ++s) {
                if (s % 64 == 0)
                    below[t * 8 + s / 64] = count;
                count = (uint16_t)(count + (grid.tile[t][s] != 0 && grid.tile[t][s] != BLOCK_LINKS_ALL));
            }
        }
        block = device_array<gpu_block>(order);
        place = device_array<int>(corner);
        tile = device_array<uint8_t>(
            std::vector<uint8_t>(grid.tile[0], grid.tile[0] + (size_t)grid.tiles * GPU_BLOCK_NODES));
        plane_first = device_array<uint16_t>(below);
        wall_first = device_array<uint64_t>(first);
        wall_slot = device_array<uint16_t>(slot);
        wall_q = device_array<real>(coefficient);
        for (int i = 0; i < 2; ++i)
            level[i] = device_array<real>(values);
        for (int i = 0; i < 2; ++i)
            start[i] = device_array<real>(values);
        room.block = block.data();
        room.slots = (uint32_t)order.size();
        room.tile = tile.data();
        room.plane_first = plane_first.data();
        room.wall_first = wall_first.data();
        room.wall_slot = wall_slot.data();
        room.q = wall_q.data();
        room.lambda2 = (real)lambda2;
    }
};

template <typename real> static void fill_start(bench_room<real> &room, bool whole)
{
    for (uint32_t i = 0; i < 2; ++i) {
        room.start[i].zero();
        fill_kernel<real>
            <<<room.room.slots, GPU_BLOCK_NODES>>>(room.room, room.start[i].data(), i + 1, whole);
        CUDA_MUST(cudaGetLastError());
    }
}

/** Values that differ; NaN differs from everything. */
template <typename real>
__global__ void differ_kernel(const real *a, const real *b, size_t values, unsigned long long *count)
{
    unsigned long long mine = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < values;
         i += (size_t)gridDim.x * blockDim.x)
        mine += !(a[i] == b[i]);
    if (mine != 0)
        atomicAdd(count, mine);
}
template <typename real> static unsigned long long count_wrong(const real *a, const real *b, size_t values)
{
    device_array<unsigned long long> count(1);
    count.zero();
    differ_kernel<real><<<1024, 256>>>(a, b, values, count.data());
    CUDA_MUST(cudaGetLastError());
    unsigned long long wrong = 0;
    CUDA_MUST(cudaMemcpy(&wrong, count.data(), sizeof wrong, cudaMemcpyDeviceToHost));
    return wrong;
}

#endif
