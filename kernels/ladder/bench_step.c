/* How fast the CPU steps are, against the machine's in-place streaming limit, measured in the same run.
 *
 *   cmake --build build/default --target bench_step
 *   build/default/kernels/bench_step cube 512          cube, cross or pillars; nodes along an edge
 *   build/default/kernels/bench_step cross 256 50 1    rounds, of which the best counts for every case;
 * threads
 *
 * The limit: two arrays as large as the blocks' pressures, read both, write over the second; same threads,
 * same first touch. One line a case: node updates per second (stored nodes in blocks, nodes of the box in the
 * box) and their share of the limit. `pillars` is a cube whose air is broken by a solid node every 7 nodes:
 * no block is open air. Every case is checked against the portable blocks before it is timed; exit status 1
 * when the bits differ. */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine.h"
#include "kernels/machine_memory.h"

#define CHECK_STEPS 3

struct bench_case {
    struct engine_options options;
    const char *name;
    double best; /* seconds a step */
};

#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static void
stream_part(const float *restrict u, float *restrict u_old, uint64_t first, uint64_t last)
{
    for (uint64_t n = first; n < last; ++n)
        u_old[n] = u[n] + u[n] - u_old[n];
}

/* Seconds of one pass over two arrays of `length` floats. */
static double stream_pass(float *u, float *u_old, uint64_t length, int passes, int threads)
{
    const double start = omp_get_wtime();
#pragma omp parallel num_threads(threads)
    {
        const uint64_t part = length / (uint64_t)omp_get_num_threads() / 32 * 32;
        const uint64_t first = part * (uint64_t)omp_get_thread_num();
        const uint64_t last = omp_get_thread_num() == omp_get_num_threads() - 1 ? length : first + part;
        for (int pass = 0; pass < passes; ++pass) {
            stream_part(u, u_old, first, last);
#pragma omp barrier
        }
    }
    return (omp_get_wtime() - start) / passes;
}

static bool is_air(const char *shape, int64_t d, int64_t x, int64_t y, int64_t z)
{
    if (strcmp(shape, "cross") == 0)
        return x / d == 1 || y / d == 1;
    if (strcmp(shape, "pillars") == 0)
        return !(x % 7 == 3 && y % 7 == 3 && z % 7 == 3);
    return true;
}

static int make_room(const char *shape, int64_t d, struct box_grid *box, struct block_grid *blocks,
                     struct failure *failure)
{
    const int64_t low[3] = {0, 0, 0}, across = strcmp(shape, "cross") == 0 ? 3 * d : d;
    const int64_t nodes[3] = {across, across, d};
    uint8_t *links = malloc((size_t)(across * across * d));
    if (links == NULL)
        return failure_memory(failure, (unsigned long long)(across * across * d), "link bytes");
    for (int64_t z = 0; z < d; ++z)
        for (int64_t y = 0; y < across; ++y)
            for (int64_t x = 0; x < across; ++x)
                links[(z * across + y) * across + x] = is_air(shape, d, x, y, z) ? 0x3F : 0;
    int code = box_grid_from_links(low, nodes, links, NULL, NULL, box, failure);
    free(links);
    if (code == 0)
        code = block_grid_from_box(box, blocks, failure);
    return code;
}

static int make_engine(const struct box_grid *box, const struct block_grid *blocks,
                       const struct engine_options *options, struct engine **engine, struct failure *failure)
{
    const double admittance[1] = {0.05};
    struct time_step step;
    TRY(time_step_choose(0.02, 343.2, 0.0, &step, failure));
    TRY(engine_create(engine, blocks, options->layout == LAYOUT_BOX ? box : NULL, &step, admittance, 1,
                      options, failure));
    for (int64_t n = 0; n < 64; ++n) {
        const int64_t node[3] = {blocks->air_low[0] + (blocks->air_high[0] - blocks->air_low[0]) / 2,
                                 blocks->air_low[1] + (blocks->air_high[1] - blocks->air_low[1]) / 2 + n % 8,
                                 blocks->air_low[2] + n / 8};
        if (block_grid_links(blocks, node) != 0)
            engine_set(*engine, 0, node, 1.0 / (double)(n + 1));
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *shape = argc > 1 ? argv[1] : "cube";
    const int64_t d = argc > 2 ? strtoll(argv[2], NULL, 10) : 256;
    const int rounds = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 20;
    const int threads = argc > 4 ? (int)strtol(argv[4], NULL, 10) : omp_get_num_procs();
    struct failure failure = {0};
    struct box_grid box = {0};
    struct block_grid blocks = {0};
    struct bench_case cases[] = {
        {{LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 0}, "blocks single", 1e9},
        {{LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AVX2, 0}, "blocks single avx2", 1e9},
        {{LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_PORTABLE, 0}, "blocks single portable", 1e9},
        {{LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 0}, "blocks double", 1e9},
        {{LAYOUT_BOX, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 0}, "box single", 1e9},
        {{LAYOUT_BOX, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 0}, "box double", 1e9},
    };
    const size_t count = sizeof cases / sizeof *cases;
    float *u = NULL, *u_old = NULL;
    uint64_t hash[2] = {0, 0};
    int code = make_room(shape, d, &box, &blocks, &failure);
    if (code != 0)
        goto done;
    const uint64_t stored = (uint64_t)blocks.blocks * BLOCK_NODES;
    const uint64_t dense = (uint64_t)box.nodes[0] * (uint64_t)box.nodes[1] * (uint64_t)box.nodes[2];
    u = machine_memory_allocate(stored * sizeof *u);
    u_old = machine_memory_allocate(stored * sizeof *u);
    if (u == NULL || u_old == NULL) {
        code = failure_memory(&failure, 2 * stored * sizeof *u, "the streaming limit");
        goto done;
    }
    (void)printf("%s %" PRId64 ": %" PRIu64 " stored nodes, %" PRIu64 " nodes in the box, %" PRIu32
                 " tiles\n",
                 shape, d, stored, dense, blocks.tiles);
    memset(u, 0, stored * sizeof *u);
    memset(u_old, 0, stored * sizeof *u);
    const int passes = (int)(1 + 60000000 / stored);
    double limit = 1e9;
    for (size_t c = 0; c < count; ++c) {
        struct engine *engine = NULL;
        cases[c].options.threads = threads;
        if ((code = make_engine(&box, &blocks, &cases[c].options, &engine, &failure)) != 0)
            goto done;
        engine_run(engine, CHECK_STEPS, NULL, NULL);
        const int precision = cases[c].options.precision;
        if (hash[precision] == 0)
            hash[precision] = engine_hash(engine);
        if (hash[precision] != engine_hash(engine)) {
            code =
                failure_set(&failure, FAILURE_ANSWER_NO, "%s: other bits than the first case", cases[c].name);
            engine_free(engine);
            goto done;
        }
        for (int round = 0; round < rounds; ++round) {
            const double pass = stream_pass(u, u_old, stored, passes, threads);
            limit = pass < limit ? pass : limit;
            const double start = omp_get_wtime();
            engine_run(engine, (uint64_t)passes, NULL, NULL);
            const double seconds = (omp_get_wtime() - start) / passes;
            cases[c].best = seconds < cases[c].best ? seconds : cases[c].best;
        }
        engine_free(engine);
    }
    (void)printf("%-24s %6.3f Gnode/s\n", "limit single", (double)stored / limit * 1e-9);
    for (size_t c = 0; c < count; ++c) {
        const uint64_t nodes = cases[c].options.layout == LAYOUT_BOX ? dense : stored;
        const double reals = cases[c].options.precision == PRECISION_SINGLE ? 1.0 : 2.0;
        const double rate = (double)nodes / cases[c].best;
        (void)printf("%-24s %6.3f Gnode/s  %5.3f of the limit  %8.3f ms a step\n", cases[c].name, rate * 1e-9,
                     rate * reals * limit / (double)stored, cases[c].best * 1e3);
    }
done:
    free(u);
    free(u_old);
    block_grid_free(&blocks);
    box_grid_free(&box);
    if (code != 0)
        (void)fprintf(stderr, "bench_step: %s\n", failure.sentence);
    return code;
}
