#include <algorithm>
#include <cmath>

#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/base/device_check.h"
#include "kernels/cuda/base/device_memory.cuh"
#include "kernels/cuda/base/device_stopwatch.cuh"
#include "kernels/cuda/device_upload.cuh"
#include "kernels/cuda/step/gpu_layouts.cuh"

extern "C" {
#include "kernels/cuda/device_yardstick.h"
}

#define PURPOSE     "the first published kernels"
#define ROUNDS_MOST 1000

namespace {

/* The input of both kernels: the blocks in the form of the ladder, and a field in them. */
template <typename real> struct start_room {
    device_memory<gpu_block> block;
    device_memory<uint8_t> tile;
    device_memory<real> field; /* (blocks + 1, 512) */
    gpu_room<real> room = {};
};

uint32_t slots_of(const struct block_grid *grid)
{
    return (grid->blocks + GPU_ORDER_PAD - 1) / GPU_ORDER_PAD * GPU_ORDER_PAD;
}

uint64_t values_of(const struct block_grid *grid)
{
    return ((uint64_t)grid->blocks + 1) * BLOCK_NODES;
}

template <typename real>
int make_start(const struct block_grid *grid, struct start_room<real> *start, struct failure *failure)
{
    const uint32_t slots = slots_of(grid);
    const uint64_t tile_bytes = (uint64_t)grid->tiles * BLOCK_NODES;
    TRY(start->block.allocate(slots, PURPOSE, failure));
    TRY(start->tile.allocate(tile_bytes, PURPOSE, failure));
    TRY(start->field.allocate(values_of(grid), PURPOSE, failure));
    TRY(upload_order(grid, nullptr, false, slots, start->block.data(), failure));
    DEVICE_TRY(cudaMemcpy(start->tile.data(), grid->tile, tile_bytes, cudaMemcpyHostToDevice), PURPOSE,
               failure);
    DEVICE_TRY(cudaMemset(start->field.data(), 0, values_of(grid) * sizeof(real)), PURPOSE, failure);
    start->room.block = start->block.data();
    start->room.slots = grid->blocks; /* padding comes last and is left out */
    start->room.tile = start->tile.data();
    return 0;
}

/* A random field in the blocks, the same for the same seed. */
template <typename real>
int fill(const struct start_room<real> &start, uint32_t seed, struct failure *failure)
{
    fill_kernel<real><<<start.room.slots, GPU_BLOCK_NODES>>>(start.room, start.field.data(), seed, false);
    DEVICE_TRY(cudaGetLastError(), PURPOSE, failure);
    return 0;
}

/* The bounding box. */
template <typename real> class box_field {
  public:
    box_field(const struct block_grid *grid, const standard_form<real> &form)
        : grid_(grid), shape_(box_shape::of(*grid, true)), form_(form)
    {
    }
    double nodes() const
    {
        return (double)shape_.nodes[0] * shape_.nodes[1] * shape_.nodes[2];
    }
    int load(struct failure *failure)
    {
        struct start_room<real> start;
        device_memory<int> place; /* (blocks + 1, 3) first node from the low corner of the air */
        TRY(links_.allocate(shape_.length, PURPOSE, failure));
        for (device_memory<real> &level : level_)
            TRY(level.allocate(shape_.length, PURPOSE, failure));
        TRY(make_start(grid_, &start, failure));
        TRY(place.allocate(3 * ((uint64_t)grid_->blocks + 1), PURPOSE, failure));
        TRY(upload_places(place.data(), failure));
        DEVICE_TRY(cudaMemset(links_.data(), 0, shape_.length), PURPOSE, failure);
        box_links_kernel<real>
            <<<start.room.slots, GPU_BLOCK_NODES>>>(start.room, place.data(), shape_, links_.data(), true);
        DEVICE_TRY(cudaGetLastError(), PURPOSE, failure);
        for (int i = 0; i < 2; ++i) {
            DEVICE_TRY(cudaMemset(level_[i].data(), 0, shape_.length * sizeof(real)), PURPOSE, failure);
            TRY(fill(start, (uint32_t)i + 1, failure));
            box_field_kernel<real, true><<<start.room.slots, GPU_BLOCK_NODES>>>(
                start.room, place.data(), shape_, start.field.data(), level_[i].data());
            DEVICE_TRY(cudaGetLastError(), PURPOSE, failure);
        }
        DEVICE_TRY(cudaDeviceSynchronize(), PURPOSE, failure);
        return 0;
    }
    int step(struct failure *failure)
    {
        const seed_box<real> box = {{shape_.nodes[0], shape_.nodes[1], shape_.nodes[2]},
                                    shape_.row,
                                    shape_.plane,
                                    links_.data() + shape_.origin,
                                    form_};
        DEVICE_TRY(step_seed_box(box, level_[now_].data() + shape_.origin,
                                 level_[now_ ^ 1].data() + shape_.origin, nullptr),
                   PURPOSE, failure);
        now_ ^= 1;
        return 0;
    }

  private:
    int upload_places(int *to, struct failure *failure)
    {
        device_writer<int> writer(to);
        for (uint32_t id = 0; id <= grid_->blocks; ++id)
            for (int axis = 0; axis < 3; ++axis)
                TRY(writer.push(
                    (int)(BLOCK_EDGE * (int64_t)grid_->block[id].place[axis] - grid_->air_low[axis]),
                    failure));
        return writer.flush(failure);
    }
    const struct block_grid *grid_;
    const box_shape shape_;
    const standard_form<real> form_;
    device_memory<uint8_t> links_; /* counts of links */
    device_memory<real> level_[2];
    int now_ = 0;
};

/* The array of structs. */
template <typename real> class struct_field {
  public:
    struct_field(const struct block_grid *grid, const standard_form<real> &form) : grid_(grid), form_(form)
    {
    }
    double nodes() const
    {
        return (double)grid_->blocks * BLOCK_NODES;
    }
    int load(struct failure *failure)
    {
        struct start_room<real> start;
        TRY(blocks_.allocate((uint64_t)grid_->blocks + 1, PURPOSE, failure));
        TRY(make_start(grid_, &start, failure));
        TRY(fill(start, 1, failure));
        DEVICE_TRY(cudaMemset(blocks_.data(), 0, sizeof(seed_struct<real>)), PURPOSE, failure);
        /* At rest: both levels are the same. */
        seed_field_kernel<real, true><<<start.room.slots, GPU_BLOCK_NODES>>>(
            start.room, blocks_.data(), start.field.data(), start.field.data(), 0);
        DEVICE_TRY(cudaGetLastError(), PURPOSE, failure);
        DEVICE_TRY(cudaDeviceSynchronize(), PURPOSE, failure);
        return 0;
    }
    int step(struct failure *failure)
    {
        DEVICE_TRY(step_seed_blocks(blocks_.data(), grid_->blocks, newer_, form_, nullptr), PURPOSE, failure);
        newer_ ^= 1;
        return 0;
    }

  private:
    const struct block_grid *grid_;
    const standard_form<real> form_;
    device_memory<seed_struct<real>> blocks_;
    int newer_ = 0;
};

template <typename field>
int time_field(field &stepped, const struct device_yardstick *request, struct device_yardstick_speed *speed,
               struct failure *failure)
{
    double seconds[ROUNDS_MOST] = {}, taken = 0;
    device_stopwatch watch;
    TRY(stepped.load(failure));
    for (int round = -1; round < request->rounds; ++round) { /* the first does not count */
        TRY(watch.begin(PURPOSE, failure));
        for (int n = 0; n < request->steps; ++n)
            TRY(stepped.step(failure));
        TRY(watch.end(PURPOSE, &taken, failure));
        if (round >= 0)
            seconds[round] = taken / request->steps;
    }
    std::sort(seconds, seconds + request->rounds);
    speed->best = seconds[0];
    speed->median = seconds[request->rounds / 2];
    speed->nodes = stepped.nodes();
    return 0;
}

template <typename real>
int run(const struct block_grid *grid, const struct device_yardstick *request,
        struct device_yardstick_speed *speed, struct failure *failure)
{
    const standard_form<real> form = {(real)request->lambda2,
                                      (real)(0.5 * std::sqrt(request->lambda2) * request->admittance)};
    if (request->layout == LAYOUT_BOX) {
        box_field<real> box(grid, form);
        return time_field(box, request, speed, failure);
    }
    struct_field<real> blocks(grid, form);
    return time_field(blocks, request, speed, failure);
}

} // namespace

double cuda_yardstick_bytes(const struct block_grid *grid, const struct device_yardstick *request)
{
    const double real = request->precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    const double blocks = (double)grid->blocks + 1;
    const double start =
        (double)slots_of(grid) * sizeof(gpu_block) + ((double)grid->tiles + blocks * real) * BLOCK_NODES;
    if (request->layout == LAYOUT_BLOCKS)
        return start + blocks * (request->precision == PRECISION_SINGLE ? sizeof(seed_struct<float>)
                                                                        : sizeof(seed_struct<double>));
    return start + blocks * 3 * sizeof(int) + (double)box_shape::of(*grid, true).length * (1 + 2 * real);
}

int cuda_yardstick(const struct block_grid *grid, const struct device_yardstick *request,
                   struct device_yardstick_speed *speed, struct failure *failure)
{
    const double bytes = cuda_yardstick_bytes(grid, request);
    size_t bytes_free = 0, bytes_total = 0;
    DEVICE_TRY(cudaMemGetInfo(&bytes_free, &bytes_total), PURPOSE, failure);
    if (request->rounds < 1 || request->rounds > ROUNDS_MOST || request->steps < 1)
        return failure_set(failure, FAILURE_INPUT,
                           "%d rounds of %d steps: 1 to %d rounds of 1 or more can be timed", request->rounds,
                           request->steps, ROUNDS_MOST);
    if (bytes > (double)bytes_free)
        return failure_set(
            failure, FAILURE_CAPACITY,
            "the first published kernels take %.0f bytes for this room, and the device has %llu free", bytes,
            (unsigned long long)bytes_free);
    return request->precision == PRECISION_SINGLE ? run<float>(grid, request, speed, failure)
                                                  : run<double>(grid, request, speed, failure);
}
