/* The rate of the CPU steps, relative to the machine's in-place streaming limit in the same run.
 *
 *   cmake -B build/default -DTRANSEPT_LADDER=on && cmake --build build/default --target bench_step
 *   build/default/kernels/bench_step cube 512          cube or cross; nodes along an edge
 *   build/default/kernels/bench_step cross 256 50 1    rounds; threads
 *   build/default/kernels/bench_step cross 256 50 2 isotropic     that scheme alone; standard likewise
 *
 * The limit (stream_limit.h): two arrays as large as the blocks' pressures in single precision, the same
 * threads. `transept bench` has arrays and rooms well beyond the caches; this one is for trying kernels, and
 * fits small machines. Each round times the limit, then each scheme. One line a case and scheme: node updates
 * per second of its best round (stored nodes in blocks, nodes of the box in the box), their share of the best
 * limit, and the median over the rounds of the share of the round's own limit. Every case is checked against
 * the first before it is timed; exit status 1 when the bits differ. */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "kernels/engine/engine.h"
#include "kernels/engine/engine_fill.h"
#include "kernels/machine/stream_limit.h"
#include "rooms/shapes/seed_shape.h"

#define CHECK_STEPS 3
#define ADMITTANCE  0.05

#define SCHEMES 2

struct bench_case {
    struct engine_options options;
    const char *name;
};

static const char *const scheme_name[SCHEMES] = {"standard", "isotropic"};

struct bench_room {
    struct time_step step;
    struct box_grid box;
    struct block_grid blocks;
    uint64_t hash[2]; /* by precision, of the first case; 0: none yet */
};

/* Measurements of a case and a scheme; `share` (rounds). */
struct bench_result {
    double best; /* nodes a second */
    double *share;
};

static int make_room(const char *shape, int64_t d, enum scheme scheme, struct bench_room *room,
                     struct failure *failure)
{
    struct voxels voxels = {0};
    struct cut_masses masses;
    TRY(time_step_choose(scheme, 0.02, 343.2, 0.0, &room->step, failure));
    TRY(seed_shape_voxels(strcmp(shape, "cross") == 0 ? SEED_CROSS : SEED_CUBE, d, &voxels, failure));
    int code = block_grid_pack(&voxels, &room->blocks, failure);
    voxels_free(&voxels);
    TRY(code);
    if (scheme == SCHEME_ISOTROPIC) {
        TRY(block_grid_widen(&room->blocks, failure));
        TRY(cut_masses_make(&room->blocks, room->step.lambda2, &masses, failure));
    }
    TRY(box_grid_from_blocks(&room->blocks, &room->box, failure));
    /* Walls that absorb: their one material. */
    for (uint64_t w = 0; w < room->blocks.walls; ++w)
        room->blocks.wall[w].material = room->box.wall[w].material = 0;
    return 0;
}

/* An engine whose first steps have the bits of the room's other ones. */
static int make_engine(struct bench_room *room, const struct bench_case *one, struct engine **engine,
                       struct failure *failure)
{
    const double admittance[1] = {ADMITTANCE};
    uint64_t *const hash = &room->hash[one->options.precision];
    TRY(engine_create(engine, &room->blocks, one->options.layout == LAYOUT_BOX ? &room->box : NULL,
                      &room->step, admittance, 1, &one->options, failure));
    engine_fill(*engine, 1);
    engine_run(*engine, CHECK_STEPS, NULL, NULL);
    const uint64_t found = engine_hash(*engine);
    *hash = *hash == 0 ? found : *hash;
    return *hash == found ? 0
                          : failure_set(failure, FAILURE_ANSWER_NO, "%s, %s: other bits than the first case",
                                        one->name, scheme_name[room->step.scheme]);
}

static uint64_t nodes_of(const struct bench_room *room, enum layout layout)
{
    const int64_t *const nodes = room->box.nodes;
    return layout == LAYOUT_BOX ? (uint64_t)nodes[0] * (uint64_t)nodes[1] * (uint64_t)nodes[2]
                                : (uint64_t)room->blocks.blocks * BLOCK_NODES;
}

static int streamed_passes(const struct stream_limit *limit)
{
    return (int)(1 + 60000000.0 / (double)(limit->bytes / sizeof(float)));
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Rounds of one case: the limit, then every requested scheme. */
static int time_case(const struct bench_case *one, struct bench_room *room, const bool *wanted, int rounds,
                     const struct stream_limit *limit, double *limit_rate, struct bench_result *result,
                     struct failure *failure)
{
    struct engine *engine[SCHEMES] = {NULL, NULL};
    const enum precision precision = one->options.precision;
    int code = 0;
    for (int s = 0; code == 0 && s < SCHEMES; ++s)
        if (wanted[s])
            code = make_engine(&room[s], one, &engine[s], failure);
    for (int round = 0; code == 0 && round < rounds; ++round) {
        const int passes = streamed_passes(limit);
        const double streamed =
            stream_limit_nodes(limit, precision) / stream_limit_pass(limit, precision, passes);
        *limit_rate = streamed > *limit_rate ? streamed : *limit_rate;
        for (int s = 0; s < SCHEMES; ++s) {
            if (engine[s] == NULL)
                continue;
            const double start = omp_get_wtime();
            engine_run(engine[s], (uint64_t)passes, NULL, NULL);
            const double rate =
                (double)nodes_of(&room[s], one->options.layout) * passes / (omp_get_wtime() - start);
            result[s].best = rate > result[s].best ? rate : result[s].best;
            result[s].share[round] = rate / streamed;
        }
    }
    for (int s = 0; s < SCHEMES; ++s)
        engine_free(engine[s]);
    return code;
}

int main(int argc, char **argv)
{
    const char *shape = argc > 1 ? argv[1] : "cube";
    const int64_t d = argc > 2 ? strtoll(argv[2], NULL, 10) : 256;
    const int asked = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 20, rounds = asked > 0 ? asked : 1;
    const int threads = argc > 4 ? (int)strtol(argv[4], NULL, 10) : omp_get_num_procs();
    const bool wanted[SCHEMES] = {argc < 6 || strcmp(argv[5], scheme_name[0]) == 0,
                                  argc < 6 || strcmp(argv[5], scheme_name[1]) == 0};
    static struct bench_room room[SCHEMES];
    struct bench_case cases[] = {
        {{LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, threads}, "blocks single"},
        {{LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AVX2, threads}, "blocks single avx2"},
        {{LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_PORTABLE, threads}, "blocks single portable"},
        {{LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, threads}, "blocks double"},
        {{LAYOUT_BOX, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, threads}, "box single"},
        {{LAYOUT_BOX, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, threads}, "box double"},
    };
    struct failure failure = {0};
    struct stream_limit limit = {0};
    double limit_rate[2] = {0, 0};
    double *const shares = calloc(SCHEMES * (size_t)rounds, sizeof *shares);
    int code = shares != NULL ? 0 : failure_memory(&failure, SCHEMES * (uint64_t)rounds * 8, "shares");
    const struct bench_room *any = &room[wanted[0] ? 0 : 1];
    for (int s = 0; code == 0 && s < SCHEMES; ++s)
        if (wanted[s])
            code = make_room(shape, d, (enum scheme)s, &room[s], &failure);
    const uint64_t stored = nodes_of(any, LAYOUT_BLOCKS);
    if (code == 0)
        code = stream_limit_create(&limit, stored * sizeof(float), threads, &failure);
    if (code == 0)
        (void)printf("%s %" PRId64 ": %" PRIu64 " stored nodes, %" PRIu64 " nodes in the box, %" PRIu64
                     " cut nodes of the isotropic scheme\n",
                     shape, d, stored, nodes_of(any, LAYOUT_BOX), room[SCHEME_ISOTROPIC].blocks.cuts);
    for (size_t c = 0; code == 0 && c < sizeof cases / sizeof *cases; ++c) {
        struct bench_result result[SCHEMES] = {{0, shares}, {0, shares + rounds}};
        double *const rate = &limit_rate[cases[c].options.precision];
        code = time_case(&cases[c], room, wanted, rounds, &limit, rate, result, &failure);
        for (int s = 0; code == 0 && s < SCHEMES; ++s) {
            if (!wanted[s])
                continue;
            qsort(result[s].share, (size_t)rounds, sizeof(double), by_size);
            (void)printf("%-24s %-10s %6.3f of %6.3f Gnode/s: %5.3f of the limit, median %5.3f\n",
                         cases[c].name, scheme_name[s], result[s].best * 1e-9, *rate * 1e-9,
                         result[s].best / *rate, result[s].share[rounds / 2]);
        }
    }
    for (int s = 0; s < SCHEMES; ++s) {
        block_grid_free(&room[s].blocks);
        box_grid_free(&room[s].box);
    }
    stream_limit_free(&limit);
    free(shares);
    if (code != 0)
        (void)fprintf(stderr, "bench_step: %s\n", failure.sentence);
    return code;
}
