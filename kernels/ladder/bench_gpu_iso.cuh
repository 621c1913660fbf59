/** Rooms of the isotropic scheme for bench_gpu, and its kernels. */
#ifndef KERNELS_LADDER_BENCH_GPU_ISO_CUH
#define KERNELS_LADDER_BENCH_GPU_ISO_CUH

#include "kernels/ladder/bench_gpu_versions.cuh"

#include "kernels/cuda/device_iso_plan.cuh"
#include "kernels/cuda/step/step_iso_blocks.cuh"
#include "kernels/ladder/step_iso_points.cuh"

extern "C" {
#include "blocks/plaquettes.h"
}

/** The grid of a shape for the isotropic scheme at lambda2, with staircase walls and masses of 1; stability
 * needs no others here. */
static int make_iso_grid(const bench_shape &shape, double lambda2, block_grid *grid, failure *why)
{
    TRY(make_grid(shape, grid, why));
    TRY(block_grid_widen(grid, why));
    for (uint64_t c = 0; c < grid->cuts; ++c)
        grid->gain[c] = (float)(lambda2 / block_gain_parts(grid));
    grid->lambda2 = lambda2;
    return 0;
}

#define ISO_MUST(call)                                                                                       \
    do {                                                                                                     \
        failure why_ = {};                                                                                   \
        if ((call) != 0) {                                                                                   \
            (void)std::fprintf(stderr, "bench_gpu: %s\n", why_.sentence);                                    \
            std::exit(FAILURE_OUTPUT);                                                                       \
        }                                                                                                    \
    } while (0)

/** Everything on the device that one room and precision needs, laid out as an engine does. */
template <typename real> struct iso_bench_room {
    const block_grid &grid;
    size_t values;
    std::vector<double> q;
    device_array<char> memory;
    gpu_iso<real> room = {};
    struct level_array {
        real *at = nullptr;
        size_t values = 0;
        real *data() const
        {
            return at;
        }
        void copy_from(const real *device)
        {
            CUDA_MUST(cudaMemcpy(at, device, values * sizeof(real), cudaMemcpyDeviceToDevice));
        }
    } level[2];
    device_array<real> start[2];

    iso_bench_room(const block_grid &from, double lambda2, double g)
        : grid(from), values(((size_t)from.blocks + 1) * GPU_BLOCK_NODES),
          q(wall_coefficients(from, lambda2, g))
    {
        struct device card = {};
        struct device_room counts = {};
        counts.layout = LAYOUT_BLOCKS;
        counts.precision = sizeof(real) == sizeof(float) ? PRECISION_SINGLE : PRECISION_DOUBLE;
        counts.blocks = (double)grid.blocks;
        counts.tiles = (double)grid.tiles;
        counts.wall_nodes = (double)grid.wall_nodes;
        counts.has_records = counts.isotropic = true;
        counts.cuts = (double)grid.cuts;
        const struct device_layout layout = device_lay_out(&card, &counts);
        memory = device_array<char>(layout.bytes);
        std::vector<real> coefficient(q.size());
        std::transform(q.begin(), q.end(), coefficient.begin(), [](double value) { return (real)value; });
        ISO_MUST(upload_iso<real>(&grid, nullptr, layout, memory.data(), &why_));
        ISO_MUST(upload_block_walls(&grid, coefficient.data(), memory.data() + layout.wall_first, nullptr,
                                    memory.data() + layout.q, &why_));
        room = device_iso_room<real>(layout, lambda2, memory.data());
        for (int i = 0; i < 2; ++i) {
            level[i] = {reinterpret_cast<real *>(memory.data() + layout.level[i]), values};
            start[i] = device_array<real>(values);
        }
    }
};

/** As fill_kernel, by planes. One CTA a block of the launch order. */
template <typename real>
__global__ void iso_fill_kernel(gpu_iso<real> room, real *field, uint32_t seed, bool whole)
{
    const struct gpu_iso_row &row = room.row[blockIdx.x];
    const size_t at = block_index(row.self) + threadIdx.x;
    uint64_t h = (at + 1) * UINT64_C(0x9E3779B97F4A7C15) + seed * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ h >> 29) * UINT64_C(0x94D049BB133111EB);
    const int bits = (int)(h >> 40) - (1 << 23);
    const struct gpu_plane plane =
        load_plane(room.plane + 8 * (size_t)(row.tile & GPU_ISO_TILE) + threadIdx.x / 64);
    const bool air = row.self != 0 && ((plane.open | plane.cut) >> threadIdx.x % 64 & 1u) != 0;
    if (row.self != 0)
        field[at] = !air ? real(0) : whole ? (real)(bits % 4) : (real)bits / (real)(1 << 23);
}

template <typename real> static void fill_start(iso_bench_room<real> &room, bool whole)
{
    for (uint32_t i = 0; i < 2; ++i) {
        room.start[i].zero();
        iso_fill_kernel<real>
            <<<room.room.slots, GPU_BLOCK_NODES>>>(room.room, room.start[i].data(), i + 1, whole);
        CUDA_MUST(cudaGetLastError());
    }
}

template <typename real> class iso_version : public version<real> {
  public:
    typedef cudaError_t step_function(const gpu_iso<real> &, const real *, real *, int, cudaStream_t);
    iso_version(const char *name, iso_bench_room<real> &room, step_function *step)
        : version<real>(name, (double)room.grid.blocks * GPU_BLOCK_NODES, 3 * sizeof(real)), room_(room),
          step_(step)
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
    iso_bench_room<real> &room_;
    int now_ = 0;
    step_function *step_;
};

template <typename real> class iso_resident_version : public chip_version<real, iso_bench_room<real>> {
  public:
    iso_resident_version(const char *name, iso_bench_room<real> &room)
        : chip_version<real, iso_bench_room<real>>(name, room)
    {
        iso_resident_tables tables = {};
        ISO_MUST(iso_resident_plan(&room.grid, 0, (uint32_t)this->sms_, (size_t)this->shared_, &tables,
                                   &resident_, &this->fits_, &why_));
        if (this->fits_)
            send(tables);
        iso_resident_tables_free(&tables);
    }
    void run(int steps, cudaStream_t stream) override
    {
        CUDA_MUST(step_iso_resident(resident_, resident_no_taps{}, 0, this->room_.level[0].data(),
                                    this->room_.level[1].data(), (uint32_t)steps, this->take_tags(steps),
                                    stream));
    }

  private:
    template <typename item> static device_array<item> copy_of(const item *from, size_t count)
    {
        return device_array<item>(std::vector<item>(from, from + count));
    }
    void send(const iso_resident_tables &tables)
    {
        const size_t ctas = resident_.ctas;
        block_ = copy_of(tables.block, resident_.blocks);
        cut_ = copy_of(tables.cut, tables.cut_first[ctas]);
        send_ = copy_of(tables.send, tables.send_first[ctas]);
        cut_first_ = copy_of(tables.cut_first, ctas + 1);
        send_first_ = copy_of(tables.send_first, ctas + 1);
        word_first_ = copy_of(tables.word_first, ctas + 1);
        this->mail_ = device_array<uint4>((size_t)2 * resident_.words);
        resident_.room = this->room_.room;
        resident_.block = block_.data();
        resident_.cut = cut_.data();
        resident_.send = send_.data();
        resident_.cut_first = cut_first_.data();
        resident_.send_first = send_first_.data();
        resident_.word_first = word_first_.data();
        resident_.mail = this->mail_.data();
    }
    gpu_iso_resident<real> resident_ = {};
    device_array<iso_resident_block> block_;
    device_array<iso_resident_cut> cut_;
    device_array<iso_resident_send> send_;
    device_array<uint32_t> cut_first_, send_first_, word_first_;
};

template <typename real>
static cudaError_t iso_points(const gpu_iso<real> &room, const real *u, real *u_old, int, cudaStream_t stream)
{
    return step_iso_points(room, u, u_old, stream);
}
/** `TURNS`: every other step backwards. */
template <typename real, bool TURNS>
static cudaError_t iso_blocks(const gpu_iso<real> &room, const real *u, real *u_old, int n,
                              cudaStream_t stream)
{
    return step_iso_blocks<iso_blocks_shape<real>>(room, gpu_no_taps{}, u, u_old, TURNS && n != 0, stream);
}

/** All of the isotropic scheme, in the order of the ladder. */
template <typename real>
static std::vector<std::unique_ptr<version<real>>> all_versions(iso_bench_room<real> &room)
{
    std::vector<std::unique_ptr<version<real>>> list;
    auto add = [&](const char *name, typename iso_version<real>::step_function *step) {
        list.emplace_back(new iso_version<real>(name, room, step));
    };
    add("iso points", iso_points<real>);
    add("iso blocks", iso_blocks<real, false>);
    add("iso turns", iso_blocks<real, true>);
    std::unique_ptr<iso_resident_version<real>> resident(
        new iso_resident_version<real>("iso resident", room));
    if (resident->fits())
        list.emplace_back(std::move(resident));
    return list;
}

#endif
