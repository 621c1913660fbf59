/* Sources and receivers of an engine on an OpenCL device. The device reads values and adds pushes; weights
 * and sums are the host's, in double, as on processors. */
#include <stdlib.h>

#include "kernels/opencl/opencl_engine.h"

#define BATCH_STEPS 1024
#define BATCH_REALS (UINT64_C(1) << 22)

void opencl_free_taps(struct opencl_engine *engine)
{
    struct opencl_taps *const taps = &engine->taps;
    free(taps->receiver_nodes);
    free(taps->receiver_weight);
    free(taps->push_source);
    free(taps->push_weight);
    free(taps->pushed);
    free(taps->sampled);
    *taps = (struct opencl_taps){0};
}

/* A push of a source on a node, to be sorted. */
struct push {
    uint64_t index, order; /* order: that of the sources and their nodes */
    double weight;
    uint32_t source, entry, walls;
};

static int compare_pushes(const void *one, const void *other)
{
    const struct push *const a = one, *const b = other;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static uint64_t count_nodes(size_t taps, const struct engine_tap *tap)
{
    uint64_t nodes = 0;
    for (size_t t = 0; t < taps; ++t)
        nodes += tap[t].count;
    return nodes;
}

static void list_pushes(size_t sources, const struct engine_tap *source, struct push *push)
{
    uint64_t n = 0;
    for (size_t s = 0; s < sources; ++s)
        for (unsigned k = 0; k < source[s].count; ++k, ++n)
            push[n] = (struct push){source[s].index[k],          n,
                                    source[s].weight[k],         (uint32_t)s,
                                    (uint32_t)source[s].wall[k], source[s].walls[k]};
    qsort(push, n, sizeof *push, compare_pushes);
}

/* The nodes of sorted pushes. Returns their number. */
static uint64_t list_driven(const struct push *push, struct opencl_taps *taps, struct step_driven *driven)
{
    uint64_t nodes = 0;
    for (uint64_t n = 0; n < taps->pushes; ++n) {
        taps->push_source[n] = push[n].source;
        taps->push_weight[n] = push[n].weight;
        if (n == 0 || push[n].index != push[n - 1].index)
            driven[nodes++] =
                (struct step_driven){push[n].index, (uint32_t)n, 0, push[n].entry, push[n].walls};
        ++driven[nodes - 1].pushes;
    }
    return nodes;
}

static int make_pushes(struct opencl_engine *engine, const struct push *push, struct step_driven *driven,
                       struct failure *failure)
{
    struct opencl_taps *const taps = &engine->taps;
    const uint64_t count = list_driven(push, taps, driven);
    TRY(opencl_make(engine, taps->batch * taps->pushes * engine->real, NULL, "sources", &taps->push,
                    failure));
    TRY(opencl_make(engine, count * sizeof *driven, driven, "sources", &taps->driven, failure));
    TRY(opencl_begin_pass(engine, PASS_PUSH_TAPS, "push_nodes", count, failure));
    OPENCL_ARGUE(engine, PASS_PUSH_TAPS, taps->driven, taps->push);
    opencl_argue_u64(engine, PASS_PUSH_TAPS, 0);
    opencl_argue_memory(engine, PASS_PUSH_TAPS, engine->wall_row);
    opencl_argue_walls(engine, PASS_PUSH_TAPS);
    opencl_argue_memory(engine, PASS_PUSH_TAPS, engine->material);
    return 0;
}

static int make_receivers(struct opencl_engine *engine, size_t receivers, const struct engine_tap *receiver,
                          uint64_t *index, struct failure *failure)
{
    struct opencl_taps *const taps = &engine->taps;
    uint64_t n = 0;
    for (size_t r = 0; r < receivers; ++r) {
        taps->receiver_nodes[r] = receiver[r].count;
        for (unsigned k = 0; k < receiver[r].count; ++k, ++n) {
            index[n] = receiver[r].index[k];
            taps->receiver_weight[n] = receiver[r].weight[k];
        }
    }
    TRY(opencl_make(engine, taps->batch * n * engine->real, NULL, "receivers", &taps->sample, failure));
    TRY(opencl_make(engine, n * sizeof *index, index, "receivers", &taps->node, failure));
    TRY(opencl_begin_pass(engine, PASS_READ_TAPS, "read_nodes", n, failure));
    OPENCL_ARGUE(engine, PASS_READ_TAPS, taps->node, taps->sample);
    opencl_argue_u64(engine, PASS_READ_TAPS, 0);
    return 0;
}

int opencl_set_taps(struct device_engine *device, size_t sources, const struct engine_tap *source,
                    size_t receivers, const struct engine_tap *receiver, struct failure *failure)
{
    struct opencl_engine *const engine = (struct opencl_engine *)device;
    struct opencl_taps *const taps = &engine->taps;
    opencl_drop(engine, &taps->push);
    opencl_drop(engine, &taps->sample);
    opencl_drop(engine, &taps->driven);
    opencl_drop(engine, &taps->node);
    opencl_free_taps(engine);
    taps->sources = sources;
    taps->receivers = receivers;
    taps->nodes = count_nodes(receivers, receiver);
    taps->pushes = count_nodes(sources, source);
    const uint64_t most = taps->nodes + taps->pushes, reals = BATCH_REALS / (most + 1);
    taps->batch = reals < 1 ? 1 : reals < BATCH_STEPS ? reals : BATCH_STEPS;
    taps->receiver_nodes = calloc(receivers + 1, sizeof *taps->receiver_nodes);
    taps->receiver_weight = calloc(taps->nodes + 1, sizeof *taps->receiver_weight);
    taps->push_source = calloc(taps->pushes + 1, sizeof *taps->push_source);
    taps->push_weight = calloc(taps->pushes + 1, sizeof *taps->push_weight);
    taps->pushed = calloc(taps->batch * taps->pushes + 1, engine->real);
    taps->sampled = calloc(taps->batch * taps->nodes + 1, engine->real);
    struct push *const push = calloc(taps->pushes + 1, sizeof *push);
    struct step_driven *const driven = calloc(taps->pushes + 1, sizeof *driven);
    uint64_t *const index = calloc(taps->nodes + 1, sizeof *index);
    int code = 0;
    if (taps->receiver_nodes == NULL || taps->receiver_weight == NULL || taps->push_source == NULL ||
        taps->push_weight == NULL || taps->pushed == NULL || taps->sampled == NULL || push == NULL ||
        driven == NULL || index == NULL) {
        code = failure_memory(failure, taps->batch * most * engine->real, "sources and receivers");
    } else {
        list_pushes(sources, source, push);
        code = make_pushes(engine, push, driven, failure);
        if (code == 0)
            code = make_receivers(engine, receivers, receiver, index, failure);
    }
    free(push);
    free(driven);
    free(index);
    return code;
}

int opencl_send_pushes(struct opencl_engine *engine, uint64_t first, uint64_t steps, uint64_t all,
                       const double *drive, struct failure *failure)
{
    struct opencl_taps *const taps = &engine->taps;
    for (uint64_t n = 0; n < steps; ++n)
        for (uint64_t p = 0; p < taps->pushes; ++p) {
            const double moved = taps->push_weight[p] * drive[taps->push_source[p] * all + first + n];
            if (engine->real == sizeof(float))
                ((float *)taps->pushed)[n * taps->pushes + p] = (float)moved;
            else
                ((double *)taps->pushed)[n * taps->pushes + p] = moved;
        }
    return opencl_write(engine, taps->push, 0, steps * taps->pushes * engine->real, taps->pushed, failure);
}

int opencl_fetch_samples(struct opencl_engine *engine, uint64_t first, uint64_t steps, uint64_t all,
                         double *output, struct failure *failure)
{
    struct opencl_taps *const taps = &engine->taps;
    TRY(opencl_read(engine, taps->sample, 0, steps * taps->nodes * engine->real, taps->sampled, failure));
    for (uint64_t n = 0; n < steps; ++n) {
        uint64_t at = 0;
        for (uint64_t r = 0; r < taps->receivers; ++r) {
            double sum = 0.0;
            for (uint32_t k = 0; k < taps->receiver_nodes[r]; ++k, ++at)
                sum += taps->receiver_weight[at] *
                       (engine->real == sizeof(float)
                            ? (double)((const float *)taps->sampled)[n * taps->nodes + at]
                            : ((const double *)taps->sampled)[n * taps->nodes + at]);
            output[r * all + first + n] = sum;
        }
    }
    return 0;
}
