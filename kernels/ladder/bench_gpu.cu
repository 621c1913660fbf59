/* Checks the kernels of the GPU and of the ladder, then times them against the GPU's copy bandwidth in the
 * same run.
 *
 *   cmake -B build/cuda -DTRANSEPT_LADDER=on && cmake --build build/cuda --target bench_gpu
 *   build/cuda/kernels/bench_gpu                    checks, then all rooms
 *   build/cuda/kernels/bench_gpu --check-only       small rooms only: for compute-sanitizer
 *   build/cuda/kernels/bench_gpu cross 512          checks, then this room (cube, cross, sphere; nodes)
 *   build/cuda/kernels/bench_gpu cross 512 tiles    only versions whose name holds this
 *   build/cuda/kernels/bench_gpu --isotropic ..     only kernels of the 19-point scheme
 *
 * Checks: whole numbers at lambda^2 = 1/4 between rigid walls, which no rounding touches, and random numbers
 * with absorbing walls, 8 steps each, all values compared with step_reference (the seed's: random numbers
 * with their own formula on the host). Before a kernel is timed, 4 steps at full size are compared with the
 * first kernel of the same form. One line a case: microseconds a step (median), node updates per second, the
 * share of copy bandwidth that the least traffic would take (12 or 24 bytes a stored node, 13 or 25 a box
 * node), and wrong=0/N. Exit status 1 when a value is wrong. */
#include <cinttypes>

#include "kernels/ladder/bench_gpu_iso.cuh"

#define CHECK_STEPS 8
#define ADMITTANCE  0.05
#define LAMBDA2     0.333
/* For the isotropic scheme, a multiple of 6 / 2^22 below 4/7.13: stable on staircases with masses of 1. */
#define LAMBDA2_ISOTROPIC (6 * 393216 / 4194304.0)

static double copy_rate; /* bytes read and written per second */

template <typename real> static const char *precision_name()
{
    return sizeof(real) == 4 ? "f32" : "f64";
}

/** u and u_old as every version starts. */
template <typename real> struct start_levels {
    std::vector<real> level[2];
    template <class room_type> explicit start_levels(const room_type &room)
    {
        for (int i = 0; i < 2; ++i) {
            level[i].resize(room.values);
            CUDA_MUST(cudaMemcpy(level[i].data(), room.start[i].data(), room.values * sizeof(real),
                                 cudaMemcpyDeviceToHost));
        }
    }
};

/** The newest level as step_reference leaves it after the check's steps. */
template <typename real, class room_type>
static std::vector<real> reference_steps(const room_type &room, double lambda2)
{
    start_levels<real> start(room);
    std::vector<real> *level = start.level, q(room.q.size());
    std::transform(room.q.begin(), room.q.end(), q.begin(), [](double value) { return (real)value; });
    const step_room reference = {&room.grid, nullptr, q.data(), lambda2, nullptr, nullptr, false};
    for (int n = 0; n < CHECK_STEPS; ++n) {
        step_reference[0][sizeof(real) == 8](&reference, level[0].data(), level[1].data(), 1,
                                             (uint64_t)room.grid.blocks + 1);
        std::swap(level[0], level[1]);
    }
    return level[0];
}

template <typename real> static std::vector<real> standard_steps(const iso_bench_room<real> &room)
{
    return std::vector<real>(room.values); /* no version needs it */
}
/** The same by the seed's formula. */
template <typename real> static std::vector<real> standard_steps(const bench_room<real> &room)
{
    start_levels<real> start(room);
    std::vector<real> *level = start.level;
    for (int n = 0; n < CHECK_STEPS; ++n) {
        for (uint32_t id = 1; id <= room.grid.blocks; ++id) {
            const block &here = room.grid.block[id];
            for (unsigned slot = 0; slot < BLOCK_NODES; ++slot) {
                const unsigned links = room.grid.tile[here.tile][slot];
                real beside[6];
                int k = 0;
                for (unsigned d = 0; d < 6; ++d) {
                    k += (int)(links >> d & 1u);
                    beside[d] =
                        links >> d & 1u ? level[0][step_block_neighbour(&here, id, slot, d)] : real(0);
                }
                const size_t at = (size_t)id * BLOCK_NODES + slot;
                const real sum =
                    ((beside[0] + beside[1]) + (beside[2] + beside[3])) + (beside[4] + beside[5]);
                if (k != 0)
                    level[1][at] = standard_step(room.form, k, level[0][at], level[1][at], sum);
            }
        }
        std::swap(level[0], level[1]);
    }
    return level[0];
}

/** One small room, both kinds of numbers. Returns how many kernels were wrong. */
template <typename real, class room_type>
static int check_room(const bench_shape &shape, const block_grid &grid)
{
    int bad = 0;
    for (const bool whole : {true, false}) {
        const double lambda2 = grid.isotropic ? grid.lambda2 : whole ? 0.25 : LAMBDA2;
        room_type room(grid, lambda2, whole ? 0 : ADMITTANCE);
        fill_start(room, whole);
        const device_array<real> expected(reference_steps<real>(room, lambda2));
        const device_array<real> standard(whole ? reference_steps<real>(room, lambda2)
                                                : standard_steps(room));
        for (auto &v : all_versions(room)) {
            v->load();
            v->run(CHECK_STEPS - 3, nullptr);
            v->run(3, nullptr);
            const unsigned long long wrong =
                count_wrong(v->standard ? standard.data() : expected.data(), v->newest(), room.values);
            (void)std::printf("check %-14s %s %" PRId64 " %s %-6s wrong=%llu/%zu\n", v->name.c_str(),
                              shape.name, shape.d, precision_name<real>(), whole ? "whole" : "random", wrong,
                              room.values);
            bad += wrong != 0;
        }
    }
    return bad;
}

/** Median microseconds a step. */
template <typename real> static double time_version(version<real> &v, size_t values, cudaStream_t stream)
{
    const bool small = values < ((size_t)1 << 24);
    const int steps = small ? 100 : 20, rounds = small ? 41 : 9;
    cudaEvent_t begin, end;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    CUDA_MUST(cudaEventCreate(&begin));
    CUDA_MUST(cudaEventCreate(&end));
    if (v.in_graph) {
        CUDA_MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        v.run(steps, stream);
        CUDA_MUST(cudaStreamEndCapture(stream, &graph));
        CUDA_MUST(cudaGraphInstantiate(&executable, graph, 0));
    }
    std::vector<double> microseconds;
    for (int round = -1; round < rounds; ++round) { /* the first does not count */
        CUDA_MUST(cudaEventRecord(begin, stream));
        if (v.in_graph)
            CUDA_MUST(cudaGraphLaunch(executable, stream));
        else
            v.run(steps, stream);
        CUDA_MUST(cudaEventRecord(end, stream));
        CUDA_MUST(cudaEventSynchronize(end));
        float milliseconds = 0;
        CUDA_MUST(cudaEventElapsedTime(&milliseconds, begin, end));
        if (round >= 0)
            microseconds.push_back(1e3 * (double)milliseconds / steps);
    }
    if (v.in_graph) {
        CUDA_MUST(cudaGraphExecDestroy(executable));
        CUDA_MUST(cudaGraphDestroy(graph));
    }
    CUDA_MUST(cudaEventDestroy(begin));
    CUDA_MUST(cudaEventDestroy(end));
    std::sort(microseconds.begin(), microseconds.end());
    return microseconds[microseconds.size() / 2];
}

template <typename real, class room_type>
static int time_room(const bench_shape &shape, const block_grid &grid, const char *only, cudaStream_t stream)
{
    int bad = 0;
    room_type room(grid, grid.isotropic ? grid.lambda2 : LAMBDA2, ADMITTANCE);
    fill_start(room, false);
    device_array<real> expected[2]; /* by form */
    for (auto &v : all_versions(room)) {
        if (only != nullptr && v->name.find(only) == std::string::npos)
            continue;
        v->load();
        v->run(4, stream);
        CUDA_MUST(cudaStreamSynchronize(stream));
        const real *const newest = v->newest();
        device_array<real> &right = expected[v->standard];
        if (right.count() == 0) {
            right = device_array<real>(room.values);
            right.copy_from(newest);
        }
        const unsigned long long wrong = count_wrong(right.data(), newest, room.values);
        bad += wrong != 0;
        v->load();
        const double us = time_version(*v, room.values, stream);
        const double rate = v->nodes / us * 1e6;
        (void)std::printf("%-14s %s %" PRId64 " %s %10.2f us  %7.1f Gnode/s  %5.3f of copy at %2.0f bytes  "
                          "wrong=%llu/%zu\n",
                          v->name.c_str(), shape.name, shape.d, precision_name<real>(), us, rate * 1e-9,
                          rate * v->bytes / copy_rate, v->bytes, wrong, room.values);
        (void)std::fflush(stdout);
        v.reset();
    }
    return bad;
}

/** Read u, read u_old, write over u_old, without any stencil: the time of a perfect step. */
template <typename real, typename vector>
__global__ void stream_kernel(const vector *__restrict__ u, vector *u_old, size_t count, real factor)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const vector a = __ldg(u + i);
    vector b = u_old[i];
    const real *const from = reinterpret_cast<const real *>(&a);
    real *const to = reinterpret_cast<real *>(&b);
    for (size_t k = 0; k < sizeof(vector) / sizeof(real); ++k)
        to[k] = from[k] + factor * to[k];
    __stcs(u_old + i, b);
}

static void measure_limits()
{
    cudaDeviceProp properties;
    CUDA_MUST(cudaGetDeviceProperties(&properties, 0));
    size_t vacant = 0, total = 0;
    CUDA_MUST(cudaMemGetInfo(&vacant, &total));
    const size_t bytes = std::min(vacant / 4, (size_t)4 << 30) / 4096 * 4096;
    device_array<char> a(bytes), b(bytes);
    a.zero();
    b.zero();
    copy_rate = 2.0 * (double)bytes / best_seconds(10, [&] {
                    CUDA_MUST(cudaMemcpyAsync(b.data(), a.data(), bytes, cudaMemcpyDeviceToDevice));
                });
    const double single = best_seconds(10, [&] {
        stream_kernel<float, float4>
            <<<(unsigned)(bytes / 4096), 256>>>(reinterpret_cast<const float4 *>(a.data()),
                                                reinterpret_cast<float4 *>(b.data()), bytes / 16, 0.5f);
        CUDA_MUST(cudaGetLastError());
    });
    const double twice = best_seconds(10, [&] {
        stream_kernel<double, double2>
            <<<(unsigned)(bytes / 4096), 256>>>(reinterpret_cast<const double2 *>(a.data()),
                                                reinterpret_cast<double2 *>(b.data()), bytes / 16, 0.5);
        CUDA_MUST(cudaGetLastError());
    });
    (void)std::printf("%s, %d SMs: copy %.0f GB/s; in-place stream f32 %.3f, f64 %.3f of copy\n",
                      properties.name, properties.multiProcessorCount, copy_rate * 1e-9,
                      3.0 * (double)bytes / single / copy_rate, 3.0 * (double)bytes / twice / copy_rate);
}

/** Check or time one shape, in both precisions. */
template <class room32, class room64>
static int visit_grid(const bench_shape &shape, const block_grid &grid, bool check, const char *only,
                      cudaStream_t stream)
{
    return check ? check_room<float, room32>(shape, grid) + check_room<double, room64>(shape, grid)
                 : time_room<float, room32>(shape, grid, only, stream) +
                       time_room<double, room64>(shape, grid, only, stream);
}

static int time_shape(const bench_shape &shape, bool isotropic, bool check, const char *only,
                      cudaStream_t stream)
{
    failure why = {};
    block_grid grid = {};
    if ((isotropic ? make_iso_grid(shape, LAMBDA2_ISOTROPIC, &grid, &why) : make_grid(shape, &grid, &why)) !=
        0) {
        (void)std::fprintf(stderr, "bench_gpu: %s\n", why.sentence);
        std::exit(why.code);
    }
    (void)std::printf("%s %" PRId64 ": %" PRIu32 " blocks, %" PRIu32 " tiles, %" PRIu64
                      " nodes of air, %" PRIu64 " at walls, %" PRIu64 " cut\n",
                      shape.name, shape.d, grid.blocks, grid.tiles, grid.air_nodes, grid.wall_nodes,
                      grid.cuts);
    const int bad =
        isotropic
            ? visit_grid<iso_bench_room<float>, iso_bench_room<double>>(shape, grid, check, only, stream)
            : visit_grid<bench_room<float>, bench_room<double>>(shape, grid, check, only, stream);
    block_grid_free(&grid);
    return bad;
}

int main(int argc, char **argv)
{
    static const bench_shape small[] = {
        {"cross", SEED_CROSS, 20}, {"sphere", SEED_SPHERE, 50}, {"cube", SEED_CUBE, 37}};
    static const bench_shape rooms[] = {{"cross", SEED_CROSS, 48},
                                        {"cross", SEED_CROSS, 96},
                                        {"cross", SEED_CROSS, 512},
                                        {"sphere", SEED_SPHERE, 768},
                                        {"cube", SEED_CUBE, 768}};
    static const bench_shape isotropic_rooms[] = {{"cross", SEED_CROSS, 512}, {"cross", SEED_CROSS, 296},
                                                  {"cross", SEED_CROSS, 176}, {"cross", SEED_CROSS, 144},
                                                  {"cross", SEED_CROSS, 120}, {"sphere", SEED_SPHERE, 368},
                                                  {"cross", SEED_CROSS, 48},  {"cross", SEED_CROSS, 32}};
    const bool only_isotropic = argc > 1 && std::strcmp(argv[1], "--isotropic") == 0;
    if (only_isotropic) {
        --argc;
        ++argv;
    }
    const bool check_only = argc > 1 && std::strcmp(argv[1], "--check-only") == 0;
    bench_shape asked = {};
    for (const bench_shape &shape : small)
        if (argc > 2 && std::strcmp(argv[1], shape.name) == 0)
            asked = {shape.name, shape.shape, std::strtoll(argv[2], nullptr, 10)};
    if (argc > 1 && !check_only && asked.d < 1) {
        (void)std::fprintf(
            stderr, "usage: bench_gpu [--isotropic] [--check-only | cube|cross|sphere NODES [VERSION]]\n");
        return FAILURE_INPUT;
    }
    int bad = 0;
    for (const bench_shape &shape : small)
        bad += (only_isotropic ? 0 : time_shape(shape, false, true, nullptr, nullptr)) +
               time_shape(shape, true, true, nullptr, nullptr);
    (void)std::printf("check: %d wrong\n", bad);
    if (bad != 0 || check_only)
        return bad != 0 ? FAILURE_ANSWER_NO : 0;
    measure_limits();
    cudaStream_t stream;
    CUDA_MUST(cudaStreamCreate(&stream));
    if (argc < 2) {
        for (const bench_shape &shape : rooms)
            bad += only_isotropic ? 0 : time_shape(shape, false, false, nullptr, stream);
        for (const bench_shape &shape : isotropic_rooms)
            bad += time_shape(shape, true, false, nullptr, stream);
    } else {
        const char *const name = argc > 3 ? argv[3] : nullptr;
        bad += (only_isotropic ? 0 : time_shape(asked, false, false, name, stream)) +
               time_shape(asked, true, false, name, stream);
    }
    CUDA_MUST(cudaStreamDestroy(stream));
    return bad != 0 ? FAILURE_ANSWER_NO : 0;
}
