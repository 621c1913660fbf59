/** The ladder's kernels behind one face for bench_gpu: load the room's start, run steps, give the newest
 * level. */
#ifndef KERNELS_LADDER_BENCH_GPU_VERSIONS_CUH
#define KERNELS_LADDER_BENCH_GPU_VERSIONS_CUH

#include <memory>
#include <string>

#include "kernels/ladder/bench_gpu_room.cuh"
#include "kernels/ladder/gpu_v2_tiles.cuh"
#include "kernels/ladder/gpu_v5_pairs.cuh"
#include "kernels/ladder/gpu_v6_bulk.cuh"
#include "kernels/cuda/step/gpu_v7_box_march.cuh"
#include "kernels/ladder/gpu_v10_faces.cuh"
#include "kernels/cuda/step/gpu_v11_turns.cuh"
#include "kernels/ladder/gpu_v12_pairs.cuh"
#include "kernels/ladder/gpu_v19_tiling.cuh"
#include "kernels/ladder/gpu_v20_slicing.cuh"
#include "kernels/cuda/step/gpu_v9_resident.cuh"

extern "C" {
#include "kernels/ladder/column_extents.h"
}

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

/** What a step of all blocks updates. */
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

  protected:
    bench_room<real> &room_;
    int now_ = 0;

  private:
    step_function *step_;
};

/* The ladder's kernels as block_version calls them: nothing is driven or sampled. */
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
ALONE(march, step_march(room, gpu_no_taps{}, u, u_old, false, stream))
ALONE(pairs, step_pairs(room, u, u_old, stream))
ALONE(bulk, step_bulk(room, u, u_old, stream))
ALONE(overlap, step_overlap(room, row_ends{}, gpu_no_taps{}, u, u_old, true, false, stream))
ALONE(lanes_in_turns, step_lanes_in_turns(room, gpu_no_taps{}, u, u_old, true, (uint64_t)n, stream))
ALONE(pairs_in_turns, step_pairs_in_turns(room, gpu_no_taps{}, u, u_old, true, (uint64_t)n, stream))
ALONE(march_in_turns, step_march_in_turns(room, gpu_no_taps{}, u, u_old, (uint64_t)n, stream))

/** v10: faces beside the pressures. */
template <typename real> class faces_version : public block_version<real> {
  public:
    faces_version(const char *name, bench_room<real> &room) : block_version<real>(name, room, nullptr)
    {
    }
    void load() override
    {
        block_version<real>::load();
        for (device_array<real> &faces : faces_) {
            if (faces.count() == 0)
                faces = device_array<real>(((size_t)this->room_.grid.blocks + 1) * 2 * FACE_VALUES);
            faces.zero();
        }
        CUDA_MUST(
            find_faces(this->room_.grid.blocks, this->room_.level[0].data(), faces_[0].data(), nullptr));
    }
    void run(int steps, cudaStream_t stream) override
    {
        for (int n = 0; n < steps; ++n, this->now_ ^= 1) {
            const int now = this->now_;
            const kept_ends<real> ends = {faces_[now].data(), faces_[now ^ 1].data()};
            CUDA_MUST(step_overlap(this->room_.room, ends, gpu_no_taps{}, this->room_.level[now].data(),
                                   this->room_.level[now ^ 1].data(), true, false, stream));
        }
    }

  private:
    device_array<real> faces_[2];
};

/** v0 and v7: pressures in a box. */
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
                CUDA_MUST(step_box_march(box, gpu_no_taps{}, u, u_old, stream));
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

template <typename real> class resident_version : public version<real> {
  public:
    resident_version(const char *name, bench_room<real> &room)
        : version<real>(name, block_nodes(room), 3 * sizeof(real), false, false), room_(room)
    {
        int device = 0, sms = 0, shared = 0;
        CUDA_MUST(cudaGetDevice(&device));
        CUDA_MUST(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
        CUDA_MUST(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
        fits_ = plan((uint32_t)sms, (size_t)shared);
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
    void run(int steps, cudaStream_t stream) override
    {
        CUDA_MUST(step_resident(resident_, resident_no_taps{}, 0, room_.level[0].data(),
                                room_.level[1].data(), (uint32_t)steps, tag_, stream));
        tag_ += (uint32_t)steps;
    }
    const real *newest() override
    {
        return room_.level[0].data();
    }

  private:
    bool plan(uint32_t sms, size_t shared_most)
    {
        std::vector<resident_block> block((size_t)sms * RESIDENT_BLOCKS);
        std::vector<uint32_t> first(sms + 1, 0);
        if (!resident_plan(&room_.grid, sms, shared_most, block.data(), first.data(), &resident_))
            return false;
        block_ = device_array<resident_block>(block);
        first_ = device_array<uint32_t>(first);
        mail_ = device_array<uint4>((size_t)2 * resident_.messages * message_words<real>());
        resident_.room = room_.room;
        resident_.block = block_.data();
        resident_.message_first = first_.data();
        resident_.mail = mail_.data();
        return true;
    }
    bench_room<real> &room_;
    gpu_resident<real> resident_ = {};
    device_array<resident_block> block_;
    device_array<uint32_t> first_;
    device_array<uint4> mail_;
    uint32_t tag_ = 1;
    bool fits_ = false;
};

/** v18 to v20: pressures in a box with a halo, the room by column extents or by a link byte a node. */
template <typename real> class columns_version : public version<real> {
  public:
    typedef cudaError_t step_function(const column_room<real> &, const real *, real *, cudaStream_t);
    columns_version(const char *name, bench_room<real> &room, step_function *step, bool by_columns)
        : version<real>(name, by_columns ? (double)room.grid.air_nodes : box_nodes(room.grid),
                        3 * sizeof(real) + (by_columns ? 0 : 1)),
          room_(room), shape_(box_shape::of(room.grid, true)), step_(step), by_columns_(by_columns)
    {
    }
    void load() override
    {
        const unsigned slots = room_.room.slots;
        if (q_.count() == 0)
            find_room();
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
        for (int n = 0; n < steps; ++n, now_ ^= 1)
            CUDA_MUST(step_(box_, level_[now_].data() + shape_.origin,
                            level_[now_ ^ 1].data() + shape_.origin, stream));
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
    static double box_nodes(const block_grid &grid)
    {
        const box_shape shape = box_shape::of(grid, true);
        return (double)shape.nodes[0] * shape.nodes[1] * shape.nodes[2];
    }
    void find_room()
    {
        double q[7];
        column_losses(room_.lambda2, room_.admittance, q);
        q_ = device_array<real>(std::vector<real>(q, q + 7));
        box_ = {{shape_.nodes[0], shape_.nodes[1], shape_.nodes[2]},
                shape_.row,
                shape_.plane,
                nullptr,
                nullptr,
                nullptr,
                q_.data(),
                room_.room.lambda2};
        for (int i = 0; i < 2; ++i)
            level_[i] = device_array<real>(shape_.length);
        if (!by_columns_) {
            links_ = device_array<uint8_t>(shape_.length);
            links_.zero();
            box_links_kernel<real><<<room_.room.slots, GPU_BLOCK_NODES>>>(room_.room, room_.place.data(),
                                                                          shape_, links_.data(), false);
            CUDA_MUST(cudaGetLastError());
            box_.links = links_.data() + shape_.origin;
            return;
        }
        failure why = {};
        column_extents extents = {};
        if (column_extents_make(&room_.grid, &extents, &why) != 0) {
            (void)std::fprintf(stderr, "bench_gpu: %s\n", why.sentence);
            std::exit(why.code);
        }
        std::vector<int2> run(extents.begin[extents.columns]);
        for (size_t r = 0; r < run.size(); ++r)
            run[r] = make_int2(extents.run[r].low, extents.run[r].past);
        begin_ =
            device_array<uint32_t>(std::vector<uint32_t>(extents.begin, extents.begin + extents.columns + 1));
        run_ = device_array<int2>(run);
        box_.begin = begin_.data() + shape_.row + 1;
        box_.run = run_.data();
        column_extents_free(&extents);
    }
    bench_room<real> &room_;
    box_shape shape_;
    step_function *step_;
    bool by_columns_;
    column_room<real> box_ = {};
    device_array<real> level_[2], q_;
    device_array<uint8_t> links_;
    device_array<uint32_t> begin_;
    device_array<int2> run_;
    int now_ = 0;
};

/** All that can step the room, in the order of the ladder. */
template <typename real>
static std::vector<std::unique_ptr<version<real>>> all_versions(bench_room<real> &room)
{
    std::vector<std::unique_ptr<version<real>>> list;
    list.emplace_back(new box_version<real>("v0 seed box", room, true));
    list.emplace_back(new seed_blocks_version<real>("v1 seed blocks", room));
    list.emplace_back(new block_version<real>("v2 tiles", room, tiles<real>));
    list.emplace_back(new block_version<real>("v3 lanes", room, lanes<real>));
    list.emplace_back(new block_version<real>("v4 march", room, march<real>));
    list.emplace_back(new block_version<real>("v5 pairs", room, pairs<real>));
    list.emplace_back(new block_version<real>("v6 bulk", room, bulk<real>));
    list.emplace_back(new box_version<real>("v7 box march", room, false));
    list.emplace_back(new block_version<real>("v8 overlap", room, overlap<real>));
    list.emplace_back(new faces_version<real>("v10 faces", room));
    list.emplace_back(new block_version<real>("v11 lanes", room, lanes_in_turns<real>));
    list.emplace_back(new block_version<real>("v12 pairs", room, pairs_in_turns<real>));
    list.emplace_back(new block_version<real>("v11 march", room, march_in_turns<real>));
    list.emplace_back(new columns_version<real>("v18 columns", room, step_columns<real>, true));
    list.emplace_back(new columns_version<real>("v19 tiling box", room, step_tiling<false, real>, false));
    list.emplace_back(new columns_version<real>("v19 tiling col", room, step_tiling<true, real>, true));
    list.emplace_back(new columns_version<real>("v20 slice box", room, step_slicing<false, real>, false));
    list.emplace_back(new columns_version<real>("v20 slice col", room, step_slicing<true, real>, true));
    std::unique_ptr<resident_version<real>> resident(new resident_version<real>("v9 resident", room));
    if (resident->fits())
        list.emplace_back(std::move(resident));
    return list;
}

#endif
