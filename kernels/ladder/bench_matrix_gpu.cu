/* A step as a product with a sparse matrix by cuSPARSE, beside the stencil, on a GPU: a membrane, and a cube.
 * Both must give the same field. For processors: transept bench --matrix.
 *
 *   cmake --build build/cuda --target bench_matrix_gpu
 *   build/cuda/kernels/bench_matrix_gpu            membranes of 25 and 100 nodes a radius, a cube of 128^3
 *   build/cuda/kernels/bench_matrix_gpu 256        another cube
 *
 * One line a case: ns a node by stencil and by matrix, and how many times slower the matrix is. The
 * membrane's stencil is one launch a step, a thread a place of its square; the room's are those of runs, in
 * graphs. Status 1 where a field differs by more than 1e-11 of its largest value. */
#include <cusparse.h>

#include <cinttypes>
#include <cmath>
#include <vector>

#include "kernels/ladder/bench_gpu_room.cuh"

extern "C" {
#include "kernels/drum/membrane.h"
#include "kernels/engine/engine.h"
#include "kernels/engine/engine_fill.h"
#include "kernels/matrix/sparse_matrix.h"
}

#define THREADS 256
#define STEPS   400
#define SAME    1e-11

static void check_code(int code, const struct failure *failure)
{
    if (code != 0) {
        (void)std::fprintf(stderr, "bench_matrix_gpu: %s\n", failure->sentence);
        std::exit(code);
    }
}

static void sparse_must(cusparseStatus_t status)
{
    if (status != CUSPARSE_STATUS_SUCCESS) {
        (void)std::fprintf(stderr, "bench_matrix_gpu: %s\n", cusparseGetErrorString(status));
        std::exit(FAILURE_OUTPUT);
    }
}

template <typename item> static item *copy_to_device(const item *host, size_t count)
{
    item *device = nullptr;
    CUDA_MUST(cudaMalloc(&device, (count + 1) * sizeof *device));
    CUDA_MUST(cudaMemcpy(device, host, count * sizeof *device, cudaMemcpyHostToDevice));
    return device;
}

/* Seconds of a call of `work` on the GPU. */
template <typename work_type> static double seconds_of(work_type work)
{
    cudaEvent_t begin, end;
    float best = INFINITY;
    CUDA_MUST(cudaEventCreate(&begin));
    CUDA_MUST(cudaEventCreate(&end));
    for (int round = 0; round < 5; ++round) {
        float took = 0;
        CUDA_MUST(cudaEventRecord(begin));
        work();
        CUDA_MUST(cudaEventRecord(end));
        CUDA_MUST(cudaEventSynchronize(end));
        CUDA_MUST(cudaEventElapsedTime(&took, begin, end));
        best = std::fmin(best, took);
    }
    CUDA_MUST(cudaEventDestroy(begin));
    CUDA_MUST(cudaEventDestroy(end));
    return best * 1e-3;
}

/* ---- by matrix ----------------------------------------------------------------------------------------- */

__global__ void scale_kernel(size_t rows, const double *d, double *old)
{
    const size_t n = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (n < rows)
        old[n] *= d[n];
}

/* x+ = A x + d x_old, in place of x_old. */
struct matrix_steps {
    cusparseHandle_t handle = nullptr;
    cusparseSpMatDescr_t matrix = nullptr;
    cusparseDnVecDescr_t vector[2] = {};
    size_t rows;
    double *d, *level[2];
    void *buffer = nullptr;
    int now = 0;

    matrix_steps(const struct step_matrix &step, const double *u, const double *u_old) : rows(step.a.rows)
    {
        const double one = 1;
        const uint64_t entries = step.a.first[rows];
        std::vector<int32_t> first(step.a.first, step.a.first + rows + 1),
            column(step.a.column, step.a.column + entries);
        size_t bytes = 0;
        d = copy_to_device(step.d, rows);
        level[0] = copy_to_device(u, rows);
        level[1] = copy_to_device(u_old, rows);
        sparse_must(cusparseCreate(&handle));
        sparse_must(cusparseCreateCsr(
            &matrix, (int64_t)rows, (int64_t)rows, (int64_t)entries, copy_to_device(first.data(), rows + 1),
            copy_to_device(column.data(), entries), copy_to_device(step.a.value, entries), CUSPARSE_INDEX_32I,
            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
        for (int n = 0; n < 2; ++n)
            sparse_must(cusparseCreateDnVec(&vector[n], (int64_t)rows, level[n], CUDA_R_64F));
        sparse_must(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, vector[0],
                                            &one, vector[1], CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG2, &bytes));
        CUDA_MUST(cudaMalloc(&buffer, bytes + 1));
    }

    void run(int steps)
    {
        const double one = 1;
        for (int n = 0; n < steps; ++n, now ^= 1) {
            scale_kernel<<<(unsigned)((rows + THREADS - 1) / THREADS), THREADS>>>(rows, d, level[now ^ 1]);
            CUDA_MUST(cudaGetLastError());
            sparse_must(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, vector[now],
                                     &one, vector[now ^ 1], CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG2, buffer));
        }
    }

    std::vector<double> newest() const
    {
        std::vector<double> out(rows);
        CUDA_MUST(cudaMemcpy(out.data(), level[now], rows * sizeof(double), cudaMemcpyDeviceToHost));
        return out;
    }
};

/* The line of a case; 1 where the fields differ. */
static int print_result(const char *name, const std::vector<double> &stencil,
                        const std::vector<double> &matrix, double seconds, double seconds_matrix)
{
    double largest = 0, off = 0;
    for (size_t n = 0; n < stencil.size(); ++n) {
        largest = std::fmax(largest, std::fabs(stencil[n]));
        off = std::fmax(off, std::fabs(stencil[n] - matrix[n]));
    }
    const double nodes = (double)stencil.size();
    const bool same = off <= SAME * largest && largest > 0;
    (void)std::printf(
        "%-24s stencil %8.4f ns a node, matrix %8.4f ns: %6.2f times slower (fields differ by %.1g%s)\n",
        name, 1e9 * seconds / nodes, 1e9 * seconds_matrix / nodes, seconds_matrix / seconds, off / largest,
        same ? "" : ": WRONG");
    return same ? 0 : 1;
}

/* ---- a membrane ---------------------------------------------------------------------------------------- */

/* As membrane_step() without losses and pressure. */
__global__ void membrane_kernel(size_t side, double a, const double *inside, const double *diagonal,
                                const double *w, double *old)
{
    const size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x + 1, y = (size_t)blockIdx.y + 1;
    const size_t n = y * side + x;
    if (x + 1 < side)
        old[n] =
            inside[n] * ((2 * w[n] - old[n]) +
                         a * (((w[n - 1] + w[n + 1]) + (w[n - side] + w[n + side])) - diagonal[n] * w[n]));
}

static int compare_membrane(double across)
{
    struct failure failure = {};
    struct membrane membrane = {};
    struct step_matrix step = {};
    const struct membrane_kind kind = {0.328, 3500, 0.262, 0, 0};
    check_code(membrane_make(&kind, kind.radius / across / 2 / std::sqrt(kind.tension / kind.density), 0,
                             &membrane, &failure),
               &failure);
    check_code(step_matrix_of_membrane(&membrane, &step, &failure), &failure);
    std::vector<double> start(membrane.nodes);
    for (size_t n = 0; n < membrane.nodes; ++n)
        start[n] = membrane.w[membrane.node[n]] = membrane.w_old[membrane.node[n]] =
            std::cos((double)(n * n % 97));
    const size_t places = membrane.side * membrane.side;
    double *const w[2] = {copy_to_device(membrane.w, places), copy_to_device(membrane.w_old, places)},
                  *const inside = copy_to_device(membrane.there, places),
                  *const diagonal = copy_to_device(membrane.diagonal, places);
    const double a =
        kind.tension * membrane.k * membrane.k / (kind.density * membrane.pitch * membrane.pitch);
    int now = 0;
    const auto stencil = [&] {
        for (int n = 0; n < STEPS; ++n, now ^= 1)
            membrane_kernel<<<dim3((unsigned)((membrane.side + 127) / 128), (unsigned)membrane.side - 2),
                              128>>>(membrane.side, a, inside, diagonal, w[now], w[now ^ 1]);
        CUDA_MUST(cudaGetLastError());
    };
    matrix_steps matrix(step, start.data(), start.data());
    stencil();
    matrix.run(STEPS);
    std::vector<double> square(places), field(membrane.nodes);
    CUDA_MUST(cudaMemcpy(square.data(), w[now], places * sizeof(double), cudaMemcpyDeviceToHost));
    for (size_t n = 0; n < membrane.nodes; ++n)
        field[n] = square[membrane.node[n]];
    const std::vector<double> other = matrix.newest();
    const double seconds = seconds_of(stencil) / STEPS,
                 by_matrix = seconds_of([&] { matrix.run(STEPS); }) / STEPS;
    char name[48];
    (void)std::snprintf(name, sizeof name, "membrane, %zu nodes", membrane.nodes);
    const int wrong = print_result(name, field, other, seconds, by_matrix);
    step_matrix_free(&step);
    membrane_free(&membrane);
    return wrong;
}

/* ---- a room -------------------------------------------------------------------------------------------- */

static int compare_room(int64_t edge)
{
    struct failure failure = {};
    struct voxels voxels = {};
    struct block_grid grid = {};
    struct time_step step = {};
    struct step_matrix made = {};
    struct engine *host = nullptr, *card = nullptr;
    uint64_t *index = nullptr;
    const double admittance[1] = {0.05};
    struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 0};
    check_code(seed_shape_voxels(SEED_CUBE, edge, &voxels, &failure), &failure);
    check_code(block_grid_pack(&voxels, &grid, &failure), &failure);
    voxels_free(&voxels);
    for (uint64_t n = 0; n < grid.walls; ++n)
        grid.wall[n].material = 0;
    check_code(time_step_choose(SCHEME_STANDARD, 1, 343.2, 0, &step, &failure), &failure);
    check_code(engine_create(&host, &grid, nullptr, &step, admittance, 1, &options, &failure), &failure);
    options.backend = BACKEND_CUDA;
    check_code(engine_create(&card, &grid, nullptr, &step, admittance, 1, &options, &failure), &failure);
    check_code(step_matrix_of_room(host, &made, &index, &failure), &failure);
    engine_fill(host, 7);
    engine_fill(card, 7);
    std::vector<double> u(made.a.rows), u_old(made.a.rows), field(made.a.rows);
    for (uint64_t row = 0; row < made.a.rows; ++row) {
        int64_t node[3];
        block_node(&grid.block[index[row] / BLOCK_NODES], (unsigned)(index[row] % BLOCK_NODES), node);
        u[row] = engine_get(host, 0, node);
        u_old[row] = engine_get(host, 1, node);
    }
    matrix_steps matrix(made, u.data(), u_old.data());
    engine_run(card, STEPS, nullptr, nullptr);
    matrix.run(STEPS);
    double values[BLOCK_NODES];
    uint64_t block = 0;
    for (uint64_t row = 0; row < made.a.rows; ++row) {
        if (index[row] / BLOCK_NODES != block)
            engine_read_block(card, (uint32_t)(block = index[row] / BLOCK_NODES), values);
        field[row] = values[index[row] % BLOCK_NODES];
    }
    const std::vector<double> other = matrix.newest();
    /* engine_run() waits for the GPU. */
    const double seconds = seconds_of([&] { engine_run(card, STEPS, nullptr, nullptr); }) / STEPS,
                 by_matrix = seconds_of([&] { matrix.run(STEPS); }) / STEPS;
    check_code(engine_failed(card, &failure), &failure);
    char name[48];
    (void)std::snprintf(name, sizeof name, "room, cube of %" PRId64 "^3", edge);
    const int wrong = print_result(name, field, other, seconds, by_matrix);
    step_matrix_free(&made);
    std::free(index);
    engine_free(host);
    engine_free(card);
    block_grid_free(&grid);
    return wrong;
}

int main(int argc, char **argv)
{
    const int64_t edge = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 128;
    if (edge < 8 || edge > 600) {
        (void)std::fprintf(stderr, "usage: bench_matrix_gpu [NODES]: 8 to 600\n");
        return FAILURE_INPUT;
    }
    int wrong = compare_membrane(25);
    wrong += compare_membrane(100);
    wrong += compare_room(edge);
    return wrong != 0 ? FAILURE_ANSWER_NO : 0;
}
