#include "src/bench/bench_matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/drum/membrane.h"
#include "kernels/engine/engine_fill.h"
#include "kernels/engine/engine_state.h"
#include "kernels/matrix/sparse_matrix.h"
#include "src/base/print_json.h"
#include "src/base/table/json_values.h"

#define SECONDS 2.0 /* of measuring a case, unless given */
#define EDGE    64  /* of the cube, likewise */
#define ROUNDS  9   /* turns of the two; the best of each counts */
#define SAME    1e-11

/* Two ways of the same steps. */
struct pair {
    char name[48];
    double nodes, bytes;       /* of the matrix */
    struct membrane *membrane; /* or */
    struct engine *engine;
    struct sparse_steps *steps;
    double seconds[2],
        off; /* of a step by stencil and by matrix; largest difference over the largest value */
};

static int run_steps(struct pair *pair, int way, uint64_t steps, struct failure *failure)
{
    if (way == 1)
        return sparse_table->run(pair->steps, steps, failure);
    if (pair->engine != NULL)
        engine_run(pair->engine, steps, NULL, NULL);
    for (uint64_t n = 0; pair->engine == NULL && n < steps; ++n)
        membrane_step(pair->membrane);
    return 0;
}

static int time_round(struct pair *pair, int way, uint64_t steps, double *took, struct failure *failure)
{
    const double start = progress_clock();
    TRY(run_steps(pair, way, steps, failure));
    *took = progress_clock() - start;
    pair->seconds[way] = fmin(pair->seconds[way], *took / (double)steps);
    return 0;
}

static int time_pair(struct pair *pair, double seconds, struct failure *failure)
{
    uint64_t steps[2] = {1, 1};
    for (int way = 0; way < 2; way++) {
        pair->seconds[way] = INFINITY;
        for (double took = 0; took < seconds / (4 * ROUNDS); steps[way] *= 2)
            TRY(time_round(pair, way, steps[way], &took, failure));
    }
    for (int round = 0; round < 2 * ROUNDS; round++) {
        double took;
        TRY(time_round(pair, round % 2, steps[round % 2], &took, failure));
    }
    return 0;
}

/* The same start and number of steps; the largest difference. `index` holds the matrix' rows in the
 * engine or the membrane. */
static int compare_fields(struct pair *pair, uint64_t rows, const uint64_t *index, struct failure *failure)
{
    enum { STEPS = 50 };
    double largest = 0;
    for (int level = 0; level < 2; level++)
        for (uint64_t row = 0; row < rows; row++)
            sparse_table->level(pair->steps, level)[row] =
                pair->engine != NULL
                    ? engine_value(pair->engine, level == 0 ? pair->engine->u : pair->engine->u_old,
                                   index[row])
                    : (level == 0 ? pair->membrane->w : pair->membrane->w_old)[pair->membrane->node[row]];
    for (int way = 0; way < 2; way++)
        TRY(run_steps(pair, way, STEPS, failure));
    for (uint64_t row = 0; row < rows; row++) {
        const double value = pair->engine != NULL ? engine_value(pair->engine, pair->engine->u, index[row])
                                                  : pair->membrane->w[pair->membrane->node[row]];
        largest = fmax(largest, fabs(value));
        pair->off = fmax(pair->off, fabs(value - sparse_table->level(pair->steps, 0)[row]));
    }
    pair->off /= largest;
    return pair->off < SAME ? 0
                            : failure_set(failure, FAILURE_ANSWER_NO,
                                          "%s: stencil and matrix differ by %.3g of the largest value",
                                          pair->name, pair->off);
}

static int run_membrane(struct pair *pair, double across, struct bench *bench, double seconds,
                        struct failure *failure)
{
    const struct membrane_kind kind = {.radius = 0.328, .tension = 3500, .density = 0.262};
    struct membrane membrane = {0};
    struct step_matrix matrix = {0};
    TRY(membrane_make(&kind, kind.radius / across / 2 / sqrt(kind.tension / kind.density), 0, &membrane,
                      failure));
    for (size_t n = 0; n < membrane.nodes; n++)
        membrane.w[membrane.node[n]] = membrane.w_old[membrane.node[n]] = cos((double)(n * n % 97));
    pair->membrane = &membrane;
    pair->nodes = (double)membrane.nodes;
    (void)snprintf(pair->name, sizeof pair->name, "membrane, %zu nodes", membrane.nodes);
    int code = step_matrix_of_membrane(&membrane, &matrix, failure);
    pair->bytes = code == 0 ? (double)csr_bytes(&matrix.a) : 0;
    if (code == 0)
        code = sparse_table->create(&pair->steps, &matrix, bench->threads, failure);
    if (code == 0)
        code = compare_fields(pair, membrane.nodes, NULL, failure);
    if (code == 0)
        code = time_pair(pair, seconds, failure);
    sparse_table->free(pair->steps);
    step_matrix_free(&matrix);
    membrane_free(&membrane);
    return code;
}

static int run_room(struct pair *pair, int64_t edge, struct bench *bench, double seconds,
                    struct failure *failure)
{
    const struct engine_options options = bench_engine_options(bench, PRECISION_DOUBLE, LAYOUT_BLOCKS);
    struct bench_room room = {0};
    struct step_matrix matrix = {0};
    struct time_step step;
    uint64_t *index = NULL;
    (void)snprintf(pair->name, sizeof pair->name, "room, cube of %lld^3", (long long)edge);
    int code = bench_room_make(BENCH_CUBE, SCHEME_STANDARD, edge, bench->threads, &room, failure);
    if (code == 0)
        code = time_step_choose(SCHEME_STANDARD, 1, 343.2, 0, &step, failure);
    if (code == 0)
        code = engine_create(&pair->engine, &room.blocks, NULL, &step, room.admittance, room.materials,
                             &options, failure);
    if (code == 0) {
        engine_fill(pair->engine, BENCH_FILL_SEED);
        pair->nodes = (double)room.blocks.air_nodes;
        code = step_matrix_of_room(pair->engine, &matrix, &index, failure);
    }
    pair->bytes = code == 0 ? (double)csr_bytes(&matrix.a) : 0;
    if (code == 0)
        code = sparse_table->create(&pair->steps, &matrix, bench->threads, failure);
    if (code == 0)
        code = compare_fields(pair, matrix.a.rows, index, failure);
    if (code == 0)
        code = time_pair(pair, seconds, failure);
    sparse_table->free(pair->steps);
    step_matrix_free(&matrix);
    free(index);
    engine_free(pair->engine);
    bench_room_free(&room);
    return code;
}

static void write_case(const struct pair *pair, cJSON *cases)
{
    if (cases == NULL) {
        printf(
            "%-26s stencil %8.3g ns a node, matrix %8.3g ns: %5.2f times slower (%.3g MB; fields differ by "
            "%.1g)\n",
            pair->name, 1e9 * pair->seconds[0] / pair->nodes, 1e9 * pair->seconds[1] / pair->nodes,
            pair->seconds[1] / pair->seconds[0], pair->bytes / 1e6, pair->off);
        (void)fflush(stdout);
        return;
    }
    JSON_PUT(json_append_object(cases), {"what", OF_TEXT(pair->name)}, {"nodes", OF_NUMBER(pair->nodes)},
             {"seconds_stencil", OF_NUMBER(pair->seconds[0])},
             {"seconds_matrix", OF_NUMBER(pair->seconds[1])},
             {"times_slower", OF_NUMBER(pair->seconds[1] / pair->seconds[0])},
             {"bytes_matrix", OF_NUMBER(pair->bytes)}, {"difference", OF_NUMBER(pair->off)});
}

int bench_matrix(struct bench *bench, struct failure *failure)
{
    static const double across[] = {25, 100};
    const double seconds = bench->own.time > 0 ? bench->own.time / 3 : SECONDS;
    cJSON *object = bench->options->json ? cJSON_CreateObject() : NULL, *cases = NULL;
    int code = sparse_table != NULL
                   ? 0
                   : failure_set(failure, FAILURE_CAPACITY,
                                 "this program was built without SuiteSparse:GraphBLAS, which multiplies by "
                                 "sparse matrices (Debian: libgraphblas-dev)");
    if (object != NULL) {
        JSON_PUT(object, {"version", OF_TEXT(TRANSEPT_VERSION)}, {"threads", OF_NUMBER(bench->threads)});
        cases = json_list_in(object, "cases");
    }
    for (size_t n = 0; code == 0 && n < 3; n++) {
        struct pair pair = {0};
        code = n < 2 ? run_membrane(&pair, across[n], bench, seconds, failure)
                     : run_room(&pair, bench->own.edge > 0 ? bench->own.edge : EDGE, bench, seconds, failure);
        if (code == 0)
            write_case(&pair, cases);
    }
    if (code == 0 && object != NULL)
        return print_json(object, failure);
    cJSON_Delete(object);
    return code;
}
