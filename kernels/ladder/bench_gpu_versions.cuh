/** One interface to all kernels for bench_gpu: load the room's start, run steps, return the newest level. */
#ifndef KERNELS_LADDER_BENCH_GPU_VERSIONS_CUH
#define KERNELS_LADDER_BENCH_GPU_VERSIONS_CUH

#include <memory>
#include <string>

#include "kernels/cuda/step/step_blocks.cuh"
#include "kernels/cuda/step/step_box.cuh"
#include "kernels/cuda/step/step_cached_blocks.cuh"
#include "kernels/cuda/step/step_resident.cuh"
#include "kernels/ladder/bench_gpu_room.cuh"
#include "kernels/ladder/step_lanes.cuh"
#include "kernels/ladder/step_tiles.cuh"

template <typename real> class version {
  public:
    /** `nodes` that a step updates, and `bytes` that count as traffic a node; `standard` form: other
     * roundings; `in_graph`: launched step by step. */
    version(const char *version_name, double step_nodes, double node_bytes, bool standard_form = false,
            bool step_by_step = true)
        : name(version_name), nodes(step_nodes), bytes(node_bytes), standard(standard_form),
          in_graph(step_by_step)
    {
    }
    virtual ~version() = default;
    /** From room.start; allocates at the first call. */
    virtual void load() = 0;
    virtual void run(int steps, cudaStream_t stream) = 0;
    /** Newest level in blocks, on the device, valid until the next call of anything. */
    virtual const real *newest() = 0;

    const std::string name;
    const double nodes, bytes;
    const bool standard, in_graph;
};

/** The nodes that a step of all blocks updates. */
template <typename real> static double block_nodes(const bench_room<real> &room)
{
    return (double)room.grid.blocks * GPU_BLOCK_NODES;
}

template <typename real> class block_version : public version<real> {
  public:
    typedef cudaError_t step_function(const gpu_room<real> &, const real *, real *, int, cudaStream_t);
    block_version(const char *name, bench_room<real> &room, step_function *step)
        : version<real>(name, block_nodes(room), 3 * sizeof(real)), room_(room), step_(step)
    {
    }
    void load() override
    {
        for (int i = 0; i < 2; ++i)
            room_.level[i].copy_from(room_.start[i].data());
        now_ = 0;
    }
    void run(int steps, cudaStream_t stream) override
    {
        for (int n = 0; n < steps; ++n, now_ ^= 1)
            CUDA_MUST(
                step_(room_.room, room_.level[now_].data(), room_.level[now_ ^ 1].data(), now_, stream));
    }
    const real *newest() override
    {
        return room_.level[now_].data();
    }

  private:
    bench_room<real> &room_;
    step_function *step_;
    int now_ = 0;
};

/* Kernels as block_version calls them: nothing is driven or sampled. `n`: the parity of the step. */
#define ALONE(name, call)                                                                                    \
    template <typename real>                                                                                 \
    static cudaError_t name(const gpu_room<real> &room, const real *u, real *u_old, int n,                   \
                            cudaStream_t stream)                                                             \
    {                                                                                                        \
        (void)n;                                                                                             \
        return call;                                                                                         \
    }
ALONE(tiles, step_tiles(room, u, u_old, stream))
ALONE(lanes, step_lanes(room, u, u_old, stream))
ALONE(blocks, step_blocks(room, gpu_no_taps{}, u, u_old, false, stream))
ALONE(blocks_in_turns, step_blocks(room, gpu_no_taps{}, u, u_old, n != 0, stream))
ALONE(cached, step_cached_blocks(room, gpu_no_taps{}, u, u_old, true, false, stream))
ALONE(cached_in_turns, step_cached_blocks(room, gpu_no_taps{}, u, u_old, true, n != 0, stream))

/** The seed's box and ours. */
template <typename real> class box_version : public version<real> {
  public:
    box_version(const char *name, bench_room<real> &room, bool seed)
        : version<real>(name, box_nodes(box_shape::of(room.grid, seed)), 3 * sizeof(real) + 1, seed),
          room_(room), shape_(box_shape::of(room.grid, seed)), seed_(seed)
    {
    }
    void load() override
    {
        const unsigned slots = room_.room.slots;
        if (links_.count() == 0) {
            links_ = device_array<uint8_t>(shape_.length);
            links_.zero();
            box_links_kernel<real>
                <<<slots, GPU_BLOCK_NODES>>>(room_.room, room_.place.data(), shape_, links_.data(), seed_);
            CUDA_MUST(cudaGetLastError());
            for (int i = 0; i < 2; ++i)
                level_[i] = device_array<real>(shape_.length);
            if (!seed_)
                find_walls();
        }
        for (int i = 0; i < 2; ++i) {
            level_[i].zero();
            box_field_kernel<real, true><<<slots, GPU_BLOCK_NODES>>>(room_.room, room_.place.data(), shape_,
                                                                     room_.start[i].data(), level_[i].data());
            CUDA_MUST(cudaGetLastError());
        }
        now_ = 0;
    }
    void run(int steps, cudaStream_t stream) override
    {
        for (int n = 0; n < steps; ++n, now_ ^= 1) {
            const real *const u = level_[now_].data() + shape_.origin;
            real *const u_old = level_[now_ ^ 1].data() + shape_.origin;
            if (seed_) {
                const seed_box<real> box = {{shape_.nodes[0], shape_.nodes[1], shape_.nodes[2]},
                                            shape_.row,
                                            shape_.plane,
                                            links_.data() + shape_.origin,
                                            room_.form};
                CUDA_MUST(step_seed_box(box, u, u_old, stream));
            } else {
                const gpu_box<real> box = {{shape_.nodes[0], shape_.nodes[1], shape_.nodes[2]},
                                           shape_.row,
                                           links_.data() + shape_.origin,
                                           wall_first_.data(),
                                           wall_q_.data(),
                                           room_.room.lambda2};
                CUDA_MUST(step_box(box, gpu_no_taps{}, u, u_old, stream));
            }
        }
    }
    const real *newest() override
    {
        room_.level[0].zero();
        box_field_kernel<real, false><<<room_.room.slots, GPU_BLOCK_NODES>>>(
            room_.room, room_.place.data(), shape_, room_.level[0].data(), level_[now_].data());
        CUDA_MUST(cudaGetLastError());
        return room_.level[0].data();
    }

  private:
    static double box_nodes(const box_shape &shape)
    {
        return (double)shape.nodes[0] * shape.nodes[1] * shape.nodes[2];
    }
    /** Coefficients in the order of the box, and where each stretch of a row starts. */
    void find_walls()
    {
        const block_grid &grid = room_.grid;
        const size_t stretch = (size_t)box_stretch<real>();
        std::vector<std::pair<size_t, real>> wall;
        for (uint32_t id = 1; id <= grid.blocks; ++id)
            for (uint64_t w = grid.wall_first[id]; w < grid.wall_first[id + 1]; ++w) {
                if (grid.wall[w].slot & WALL_CONTINUES)
                    continue;
                size_t at[3];
                for (int a = 0; a < 3; ++a)
                    at[a] = (size_t)(8 * (int64_t)grid.block[id].place[a] - grid.air_low[a] +
                                     (grid.wall[w].slot >> (3 * a) & 7));
                wall.push_back({at[2] * shape_.plane + at[1] * shape_.row + at[0], (real)room_.q[w]});
            }
        std::sort(wall.begin(), wall.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
        std::vector<uint64_t> first((size_t)shape_.nodes[2] * shape_.plane / stretch + 1);
        std::vector<real> q(wall.size());
        size_t w = 0;
        for (size_t s = 0; s < first.size(); ++s) {
            while (w < wall.size() && wall[w].first < s * stretch)
                ++w;
            first[s] = w;
        }
        for (size_t i = 0; i < wall.size(); ++i)
            q[i] = wall[i].second;
        wall_first_ = device_array<uint64_t>(first);
        wall_q_ = device_array<real>(q);
    }
    bench_room<real> &room_;
    box_shape shape_;
    bool seed_;
    device_array<uint8_t> links_;
    device_array<real> level_[2], wall_q_;
    device_array<uint64_t> wall_first_;
    int now_ = 0;
};

template <typename real> class seed_blocks_version : public version<real> {
  public:
    seed_blocks_version(const char *name, bench_room<real> &room)
        : version<real>(name, block_nodes(room), 3 * sizeof(real), true), room_(room)
    {
    }
    void load() override
    {
        if (blocks_.count() == 0)
            blocks_ = device_array<seed_struct<real>>((size_t)room_.grid.blocks + 1);
        newer_ = 0;
        seed_field_kernel<real, true><<<room_.room.slots, GPU_BLOCK_NODES>>>(
            room_.room, blocks_.data(), room_.start[0].data(), room_.start[1].data(), newer_);
        CUDA_MUST(cudaGetLastError());
        /* Block 0, which padding of the launch order wrote or which nothing wrote. */
        CUDA_MUST(cudaMemset(blocks_.data(), 0, sizeof(seed_struct<real>)));
    }
    void run(int steps, cudaStream_t stream) override
    {
        for (int n = 0; n < steps; ++n, newer_ ^= 1)
            CUDA_MUST(step_seed_blocks(blocks_.data(), room_.grid.blocks, newer_, room_.form, stream));
    }
    const real *newest() override
    {
        room_.level[0].zero();
        seed_field_kernel<real, false><<<room_.room.slots, GPU_BLOCK_NODES>>>(
            room_.room, blocks_.data(), room_.level[0].data(), nullptr, newer_);
        CUDA_MUST(cudaGetLastError());
        return room_.level[0].data();
    }

  private:
    bench_room<real> &room_;
    device_array<seed_struct<real>> blocks_;
    int newer_ = 0;
};

/** A room that stays on the chip during a run, in a `room_type` of its start and levels. */
template <typename real, class room_type> class chip_version : public version<real> {
  public:
    chip_version(const char *name, room_type &room)
        : version<real>(name, (double)room.grid.blocks * GPU_BLOCK_NODES, 3 * sizeof(real), false, false),
          room_(room)
    {
        int device = 0;
        CUDA_MUST(cudaGetDevice(&device));
        CUDA_MUST(cudaDeviceGetAttribute(&sms_, cudaDevAttrMultiProcessorCount, device));
        CUDA_MUST(cudaDeviceGetAttribute(&shared_, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    }
    bool fits() const
    {
        return fits_;
    }
    void load() override
    {
        for (int i = 0; i < 2; ++i)
            room_.level[i].copy_from(room_.start[i].data());
        mail_.zero();
        tag_ = 1;
    }
    const real *newest() override
    {
        return room_.level[0].data();
    }

  protected:
    /** The tag of the first of so many steps. */
    uint32_t take_tags(int steps)
    {
        tag_ += (uint32_t)steps;
        return tag_ - (uint32_t)steps;
    }
    room_type &room_;
    device_array<uint4> mail_;
    int sms_ = 0, shared_ = 0;
    bool fits_ = false;

  private:
    uint32_t tag_ = 1;
};

template <typename real> class resident_version : public chip_version<real, bench_room<real>> {
    using base = chip_version<real, bench_room<real>>;

  public:
    resident_version(const char *name, bench_room<real> &room) : base(name, room)
    {
        this->fits_ = plan((uint32_t)this->sms_, (size_t)this->shared_);
    }
    void run(int steps, cudaStream_t stream) override
    {
        CUDA_MUST(step_resident(resident_, resident_no_taps{}, 0, this->room_.level[0].data(),
                                this->room_.level[1].data(), (uint32_t)steps, this->take_tags(steps),
                                stream));
    }

  private:
    bool plan(uint32_t sms, size_t shared_most)
    {
        std::vector<resident_block> block((size_t)sms * RESIDENT_BLOCKS);
        std::vector<uint32_t> first(sms + 1, 0);
        if (!resident_plan(&this->room_.grid, sms, shared_most, block.data(), first.data(), &resident_))
            return false;
        block_ = device_array<resident_block>(block);
        first_ = device_array<uint32_t>(first);
        this->mail_ = device_array<uint4>((size_t)2 * resident_.messages * message_words<real>());
        resident_.room = this->room_.room;
        resident_.block = block_.data();
        resident_.message_first = first_.data();
        resident_.mail = this->mail_.data();
        return true;
    }
    gpu_resident<real> resident_ = {};
    device_array<resident_block> block_;
    device_array<uint32_t> first_;
};

/** All that can step the room, in the order of the ladder. */
template <typename real>
static std::vector<std::unique_ptr<version<real>>> all_versions(bench_room<real> &room)
{
    std::vector<std::unique_ptr<version<real>>> list;
    list.emplace_back(new box_version<real>("seed box", room, true));
    list.emplace_back(new seed_blocks_version<real>("seed blocks", room));
    list.emplace_back(new block_version<real>("tiles", room, tiles<real>));
    list.emplace_back(new block_version<real>("lanes", room, lanes<real>));
    list.emplace_back(new block_version<real>("blocks", room, blocks<real>));
    list.emplace_back(new block_version<real>("blocks turns", room, blocks_in_turns<real>));
    list.emplace_back(new block_version<real>("cached", room, cached<real>));
    list.emplace_back(new block_version<real>("cached turns", room, cached_in_turns<real>));
    list.emplace_back(new box_version<real>("box", room, false));
    std::unique_ptr<resident_version<real>> resident(new resident_version<real>("resident", room));
    if (resident->fits())
        list.emplace_back(std::move(resident));
    return list;
}

#endif
