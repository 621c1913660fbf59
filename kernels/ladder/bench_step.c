/* How fast the CPU steps are, against the machine's in-place streaming limit, measured in the same run.
 *
 *   cmake --build build/default --target bench_step
 *   build/default/kernels/bench_step cube 512          cube or cross; nodes along an edge
 *   build/default/kernels/bench_step cross 256 50 1    rounds, of which the best counts for every case;
 * threads
 *
 * The limit (stream_limit.h): two arrays as large as the blocks' pressures in single precision, the same
 * threads. `transept bench` has arrays and rooms well beyond the caches; this one is for trying kernels, and
 * fits small machines. One line a case: node updates per second (stored nodes in blocks, nodes of the box in
 * the box) and their share of the limit. Every case is checked against the first before it is timed; exit
 * status 1 when the bits differ. */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine.h"
#include "kernels/engine/engine_fill.h"
#include "kernels/machine/stream_limit.h"
#include "rooms/shapes/seed_shape.h"

#define CHECK_STEPS 3

struct bench_case {
    struct engine_options options;
    const char *name;
    double best; /* seconds a step */
};

static int make_room(const char *shape, int64_t d, struct box_grid *box, struct block_grid *blocks,
                     struct failure *failure)
{
    struct voxels voxels = {0};
    TRY(seed_shape_voxels(strcmp(shape, "cross") == 0 ? SEED_CROSS : SEED_CUBE, d, &voxels, failure));
    int code = block_grid_pack(&voxels, blocks, failure);
    voxels_free(&voxels);
    if (code == 0)
        code = box_grid_from_blocks(blocks, box, failure);
    /* Walls that absorb: their one material. */
    for (uint64_t w = 0; code == 0 && w < blocks->walls; ++w)
        blocks->wall[w].material = box->wall[w].material = 0;
    return code;
}

static int make_engine(const struct box_grid *box, const struct block_grid *blocks,
                       const struct engine_options *options, struct engine **engine, struct failure *failure)
{
    const double admittance[1] = {0.05};
    struct time_step step;
    TRY(time_step_choose(SCHEME_STANDARD, 0.02, 343.2, 0.0, &step, failure));
    TRY(engine_create(engine, blocks, options->layout == LAYOUT_BOX ? box : NULL, &step, admittance, 1,
                      options, failure));
    engine_fill(*engine, 1);
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
    struct stream_limit limit = {0};
    double limit_rate[2] = {0, 0};
    uint64_t hash[2] = {0, 0};
    int code = make_room(shape, d, &box, &blocks, &failure);
    if (code != 0)
        goto done;
    const uint64_t stored = (uint64_t)blocks.blocks * BLOCK_NODES;
    const uint64_t dense = (uint64_t)box.nodes[0] * (uint64_t)box.nodes[1] * (uint64_t)box.nodes[2];
    if ((code = stream_limit_create(&limit, stored * sizeof(float), threads, &failure)) != 0)
        goto done;
    (void)printf("%s %" PRId64 ": %" PRIu64 " stored nodes, %" PRIu64 " nodes in the box, %" PRIu32
                 " tiles\n",
                 shape, d, stored, dense, blocks.tiles);
    const int passes = (int)(1 + 60000000 / stored);
    for (size_t c = 0; c < count; ++c) {
        struct engine *engine = NULL;
        cases[c].options.threads = threads;
        if ((code = make_engine(&box, &blocks, &cases[c].options, &engine, &failure)) != 0)
            goto done;
        engine_run(engine, CHECK_STEPS, NULL, NULL);
        const enum precision precision = cases[c].options.precision;
        if (hash[precision] == 0)
            hash[precision] = engine_hash(engine);
        if (hash[precision] != engine_hash(engine)) {
            code =
                failure_set(&failure, FAILURE_ANSWER_NO, "%s: other bits than the first case", cases[c].name);
            engine_free(engine);
            goto done;
        }
        for (int round = 0; round < rounds; ++round) {
            const double streamed =
                stream_limit_nodes(&limit, precision) / stream_limit_pass(&limit, precision, passes);
            limit_rate[precision] = streamed > limit_rate[precision] ? streamed : limit_rate[precision];
            const double start = omp_get_wtime();
            engine_run(engine, (uint64_t)passes, NULL, NULL);
            const double seconds = (omp_get_wtime() - start) / passes;
            cases[c].best = seconds < cases[c].best ? seconds : cases[c].best;
        }
        engine_free(engine);
    }
    (void)printf("%-24s %6.3f Gnode/s\n%-24s %6.3f Gnode/s\n", "limit single",
                 limit_rate[PRECISION_SINGLE] * 1e-9, "limit double", limit_rate[PRECISION_DOUBLE] * 1e-9);
    for (size_t c = 0; c < count; ++c) {
        const uint64_t nodes = cases[c].options.layout == LAYOUT_BOX ? dense : stored;
        const double rate = (double)nodes / cases[c].best;
        (void)printf("%-24s %6.3f Gnode/s  %5.3f of the limit  %8.3f ms a step\n", cases[c].name, rate * 1e-9,
                     rate / limit_rate[cases[c].options.precision], cases[c].best * 1e3);
    }
done:
    stream_limit_free(&limit);
    block_grid_free(&blocks);
    box_grid_free(&box);
    if (code != 0)
        (void)fprintf(stderr, "bench_step: %s\n", failure.sentence);
    return code;
}
