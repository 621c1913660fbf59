#include "kernels/engine.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine_state.h"
#include "kernels/machine_memory.h"

#define ALIGNMENT 128u

/* ---- walls --------------------------------------------------------------------------------------------- */

static double admittance_of(uint16_t material, const double *admittance)
{
    if (material == VOXELS_OPEN_FACE)
        return 1.0;
    if (material == VOXELS_NO_MATERIAL)
        return 0.0;
    return admittance[material];
}

static bool wall_continues(const struct engine *engine, uint64_t wall)
{
    const struct box_grid *box = engine->room.box;
    return box != NULL ? (box->wall[wall].node & BOX_WALL_CONTINUES) != 0
                       : (engine->room.blocks->wall[wall].slot & WALL_CONTINUES) != 0;
}

static uint64_t wall_count(const struct engine *engine)
{
    return engine->room.box != NULL ? engine->room.box->walls : engine->room.blocks->walls;
}

static uint16_t wall_material(const struct engine *engine, uint64_t wall)
{
    const struct box_grid *box = engine->room.box;
    return box != NULL ? box->wall[wall].material : engine->room.blocks->wall[wall].material;
}

static double wall_weight(const struct engine *engine, uint64_t wall)
{
    const struct box_grid *box = engine->room.box;
    return (double)(box != NULL ? box->wall[wall].weight : engine->room.blocks->wall[wall].weight);
}

/* q = kappa / (1 + kappa), kappa = lambda/2 sum(weight g), at each node's first entry. */
static void fill_wall_q(struct engine *engine, const double *admittance)
{
    const uint64_t walls = wall_count(engine);
    uint64_t next;
    for (uint64_t wall = 0; wall < walls; wall = next) {
        double sum = 0.0;
        next = wall;
        do {
            sum += wall_weight(engine, next) * admittance_of(wall_material(engine, next), admittance);
            if (engine->real_bytes == sizeof(float))
                ((float *)engine->wall_q)[next] = 0.0f;
            else
                ((double *)engine->wall_q)[next] = 0.0;
            ++next;
        } while (next < walls && wall_continues(engine, next));
        const double kappa = 0.5 * engine->step.courant * sum, q = kappa / (1.0 + kappa);
        if (engine->real_bytes == sizeof(float))
            ((float *)engine->wall_q)[wall] = (float)q;
        else
            ((double *)engine->wall_q)[wall] = q;
    }
}

/* The stored q of the node at a pressure index; 0 away from walls. */
static double wall_q_at(const struct engine *engine, uint64_t index)
{
    uint64_t wall, end;
    if (engine->room.box != NULL) {
        const struct box_grid *box = engine->room.box;
        wall = step_box_wall_from(box, index);
        if (wall == box->walls || box->wall[wall].node != index)
            return 0.0;
        return engine_value(engine, engine->wall_q, wall);
    }
    const struct block_grid *grid = engine->room.blocks;
    end = grid->wall_first[index / BLOCK_NODES + 1];
    for (wall = grid->wall_first[index / BLOCK_NODES]; wall < end; ++wall)
        if (grid->wall[wall].slot == index % BLOCK_NODES)
            return engine_value(engine, engine->wall_q, wall);
    return 0.0;
}

static int check_materials(const struct engine *engine, const double *admittance, size_t material_count,
                           struct failure *failure)
{
    for (size_t m = 0; m < material_count; ++m)
        if (!(admittance[m] >= 0.0 && isfinite(admittance[m])))
            return failure_set(
                failure, FAILURE_INPUT,
                "material %zu has the specific admittance %g: it must be finite and not negative", m,
                admittance[m]);
    const uint64_t walls = wall_count(engine);
    for (uint64_t wall = 0; wall < walls; ++wall) {
        const uint16_t material = wall_material(engine, wall);
        if (material < VOXELS_NO_MATERIAL && material >= material_count)
            return failure_set(failure, FAILURE_INPUT,
                               "wall entry %llu names material %u, but the table of admittances has %zu",
                               (unsigned long long)wall, (unsigned)material, material_count);
    }
    return 0;
}

/* ---- creation ------------------------------------------------------------------------------------------ */

#if defined(__x86_64__)
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

/* The table of the back end asked for, or NULL where this processor lacks it. `name` is for people. */
static const step_table *choose_table(const struct engine_options *options, const char **name)
{
    if (options->backend == BACKEND_REFERENCE) {
        *name = "reference";
        return &step_reference;
    }
#if defined(__x86_64__)
    if (options->simd == SIMD_AVX512 || (options->simd == SIMD_AUTO && has_avx512())) {
        *name = "cpu avx512";
        return has_avx512() ? &step_avx512 : NULL;
    }
    if (options->simd == SIMD_AVX2 || (options->simd == SIMD_AUTO && has_avx2())) {
        *name = "cpu avx2";
        return has_avx2() ? &step_avx2 : NULL;
    }
#else
    if (options->simd == SIMD_AVX512 || options->simd == SIMD_AVX2) {
        *name = options->simd == SIMD_AVX512 ? "cpu avx512" : "cpu avx2";
        return NULL;
    }
#endif
    *name = "cpu portable";
    return &step_portable;
}

static uint64_t level_bytes(const struct engine *engine)
{
    return engine->length * engine->real_bytes;
}

/* Where the second level starts in `memory`: aligned as the first. */
static uint64_t second_level(const struct engine *engine)
{
    return (level_bytes(engine) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Zero both levels, each part by the thread that will step it. */
static void zero_levels(struct engine *engine)
{
#pragma omp parallel num_threads(engine->threads)
    {
        const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
        uint64_t first, last;
        engine_share(engine, thread, threads, &first, &last);
        /* Block 0 and the halo planes belong to no unit: the outer threads take them along. */
        const uint64_t begin = thread == 0 ? 0 : step_unit_index(&engine->room, first);
        const uint64_t end = thread == threads - 1 ? engine->length : step_unit_index(&engine->room, last);
        memset((char *)engine->u + begin * engine->real_bytes, 0,
               (size_t)((end - begin) * engine->real_bytes));
        memset((char *)engine->u_old + begin * engine->real_bytes, 0,
               (size_t)((end - begin) * engine->real_bytes));
    }
}

static int allocate(struct engine *engine, struct failure *failure)
{
    const uint64_t walls = wall_count(engine);
    const uint64_t pressures = second_level(engine) + level_bytes(engine);
    const uint64_t bytes = pressures + walls * engine->real_bytes;
    const uint64_t available = machine_memory_available();
    if (bytes > available)
        return failure_set(
            failure, FAILURE_CAPACITY,
            "the pressures of %llu nodes in %s precision and their walls take %llu bytes, and this "
            "machine has %llu bytes free: use a lower --fmax, a larger --spacing%s, or a machine with "
            "more memory",
            (unsigned long long)engine->length, engine->real_bytes == 4 ? "single" : "double",
            (unsigned long long)bytes, (unsigned long long)available,
            engine->real_bytes == 4 ? "" : ", --precision single");
    engine->memory = machine_memory_allocate(pressures);
    if (engine->memory == NULL)
        return failure_memory(failure, pressures, "pressures");
    engine->u = engine->memory;
    engine->u_old = (char *)engine->memory + second_level(engine);
    engine->wall_q = malloc(walls > 0 ? (size_t)(walls * engine->real_bytes) : 1);
    if (engine->wall_q == NULL)
        return failure_memory(failure, walls * engine->real_bytes, "wall coefficients");
    engine->partial = calloc((size_t)engine->threads, sizeof *engine->partial);
    if (engine->partial == NULL)
        return failure_memory(failure, (uint64_t)engine->threads * sizeof *engine->partial,
                              "sums of threads");
    return 0;
}

static void describe(struct engine *engine, const char *name)
{
    (void)snprintf(engine->description, sizeof engine->description, "%s, %s, %s, %d thread%s", name,
                   engine->options.layout == LAYOUT_BOX ? "box" : "blocks",
                   engine->options.precision == PRECISION_SINGLE ? "single" : "double", engine->threads,
                   engine->threads == 1 ? "" : "s");
}

int engine_create(struct engine **out, const struct block_grid *blocks, const struct box_grid *box,
                  const struct time_step *step, const double *admittance, size_t material_count,
                  const struct engine_options *options, struct failure *failure)
{
    assert(blocks != NULL);
    assert((options->layout == LAYOUT_BOX) == (box != NULL));
    int code = 0;
    const char *name;
    const step_table *table = choose_table(options, &name);
    if (table == NULL)
        return failure_set(failure, FAILURE_CAPACITY,
                           "this processor has no instructions for the engine '%s'", name);

    /* Aligned for the barrier; its size is a multiple of that. */
    struct engine *engine = aligned_alloc(_Alignof(struct engine), sizeof *engine);
    if (engine == NULL)
        return failure_memory(failure, sizeof *engine, "an engine");
    memset(engine, 0, sizeof *engine);
    engine->options = *options;
    engine->threads = options->backend == BACKEND_REFERENCE ? 1
                      : options->threads > 0                ? options->threads
                                                            : omp_get_num_procs();
    engine->room.blocks = blocks;
    engine->room.box = box;
    engine->room.lambda2 = step->lambda2;
    engine->step = *step;
    engine->advance = (*table)[options->layout][options->precision];
    engine->real_bytes = options->precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    engine->length = box != NULL ? box->length : ((uint64_t)blocks->blocks + 1) * BLOCK_NODES;
    describe(engine, name);
    const int error = step_barrier_init(&engine->barrier);
    if (error != 0) {
        free(engine);
        return failure_set(failure, FAILURE_CAPACITY, "the system has no room for one more lock (error %d)",
                           error);
    }
    if ((code = check_materials(engine, admittance, material_count, failure)) != 0)
        goto done;
    if ((code = allocate(engine, failure)) != 0)
        goto done;
    engine->room.wall_q = engine->wall_q;
    fill_wall_q(engine, admittance);
    zero_levels(engine);
    *out = engine;
    engine = NULL;
done:
    engine_free(engine);
    return code;
}

void engine_free(struct engine *engine)
{
    if (engine == NULL)
        return;
    step_barrier_destroy(&engine->barrier);
    free(engine->memory);
    free(engine->wall_q);
    free(engine->source);
    free(engine->receiver);
    free(engine->partial);
    free(engine);
}

/* ---- taps ---------------------------------------------------------------------------------------------- */

/* Pressure index of a lattice node, or UINT64_MAX where it is not air. */
static uint64_t node_index(const struct engine *engine, const int64_t node[3])
{
    if (block_grid_links(engine->room.blocks, node) == 0)
        return UINT64_MAX;
    if (engine->room.box != NULL)
        return box_grid_index(engine->room.box, node);
    /* Rounds down, also where a coordinate is negative. */
    int32_t place[3];
    for (int axis = 0; axis < 3; ++axis)
        place[axis] = (int32_t)((node[axis] - (node[axis] & 7)) / 8);
    return (uint64_t)block_grid_find(engine->room.blocks, place) * BLOCK_NODES +
           block_slot(node[0], node[1], node[2]);
}

static int add_tap(struct engine *engine, const struct tap *tap, struct engine_tap **list, size_t *count,
                   struct failure *failure)
{
    struct engine_tap found = {.count = tap->count};
    if (tap->count == 0 || tap->count > TAP_NODES_MAX)
        return failure_set(failure, FAILURE_INPUT,
                           "a source or receiver is joined to %u nodes: 1 to %d can be", tap->count,
                           TAP_NODES_MAX);
    for (unsigned n = 0; n < tap->count; ++n) {
        const int64_t *node = tap->node[n];
        found.index[n] = node_index(engine, node);
        found.weight[n] = tap->weight[n];
        if (found.index[n] == UINT64_MAX)
            return failure_set(
                failure, FAILURE_INPUT,
                "a source or receiver is joined to the node (%lld,%lld,%lld), which is not air",
                (long long)node[0], (long long)node[1], (long long)node[2]);
        if (!isfinite(tap->weight[n]))
            return failure_set(failure, FAILURE_INPUT, "a source or receiver has the weight %g at a node",
                               tap->weight[n]);
    }
    struct engine_tap *grown = realloc(*list, (*count + 1) * sizeof **list);
    if (grown == NULL)
        return failure_memory(failure, (*count + 1) * sizeof **list, "sources and receivers");
    *list = grown;
    grown[(*count)++] = found;
    return 0;
}

int engine_add_source(struct engine *engine, const struct tap *tap, size_t *index, struct failure *failure)
{
    TRY(add_tap(engine, tap, &engine->source, &engine->sources, failure));
    struct engine_tap *added = &engine->source[engine->sources - 1];
    for (unsigned n = 0; n < added->count; ++n)
        added->weight[n] *=
            engine->step.lambda2 / engine->step.spacing * (1.0 - wall_q_at(engine, added->index[n]));
    if (index != NULL)
        *index = engine->sources - 1;
    return 0;
}

int engine_add_receiver(struct engine *engine, const struct tap *tap, size_t *index, struct failure *failure)
{
    TRY(add_tap(engine, tap, &engine->receiver, &engine->receivers, failure));
    if (index != NULL)
        *index = engine->receivers - 1;
    return 0;
}

/* ---- stepping ------------------------------------------------------------------------------------------ */

/* Add drive sample n to the nodes of `u` within the indices begin .. end-1. Rounded to the run's real once.
 */
static void inject(const struct engine *engine, void *u, uint64_t begin, uint64_t end, const double *drive,
                   uint64_t steps, uint64_t n)
{
    for (size_t s = 0; s < engine->sources; ++s) {
        const double q = drive[s * steps + n];
        const struct engine_tap *tap = &engine->source[s];
        if (q == 0.0)
            continue;
        for (unsigned k = 0; k < tap->count; ++k) {
            const uint64_t at = tap->index[k];
            if (at < begin || at >= end)
                continue;
            if (engine->real_bytes == sizeof(float))
                ((float *)u)[at] += (float)(tap->weight[k] * q);
            else
                ((double *)u)[at] += tap->weight[k] * q;
        }
    }
}

static double sample(const struct engine *engine, const void *u, const struct engine_tap *tap)
{
    double sum = 0.0;
    for (unsigned k = 0; k < tap->count; ++k)
        sum += tap->weight[k] * engine_value(engine, u, tap->index[k]);
    return sum;
}

void engine_run(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
#pragma omp parallel num_threads(engine->threads)
    {
        const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
        uint64_t first, last;
        engine_share(engine, thread, threads, &first, &last);
        const uint64_t begin = step_unit_index(&engine->room, first),
                       end = step_unit_index(&engine->room, last);
        void *u = engine->u, *u_old = engine->u_old;
        for (uint64_t n = 0; n < steps; ++n) {
            if (output != NULL)
                for (size_t r = (size_t)thread; r < engine->receivers; r += (size_t)threads)
                    output[r * steps + n] = sample(engine, u, &engine->receiver[r]);
            if (first < last)
                engine->advance(&engine->room, u, u_old, first, last);
            if (drive != NULL)
                inject(engine, u_old, begin, end, drive, steps, n);
            void *swap = u;
            u = u_old;
            u_old = swap;
            /* One wait a step: nobody writes over a level that a neighbour still reads. */
            step_barrier_wait(&engine->barrier, (unsigned)threads);
        }
    }
    if (steps & 1) {
        void *swap = engine->u;
        engine->u = engine->u_old;
        engine->u_old = swap;
    }
    engine->steps += steps;
}

void engine_evict(const struct engine *engine)
{
    const uint64_t bytes = second_level(engine) + level_bytes(engine);
    const uint64_t threads = (uint64_t)engine->threads;
#pragma omp parallel for num_threads(engine->threads) schedule(static)
    for (uint64_t t = 0; t < threads; ++t) {
        const uint64_t begin = bytes * t / threads, end = bytes * (t + 1) / threads;
        machine_memory_evict((const char *)engine->memory + begin, end - begin);
    }
}

uint64_t engine_steps(const struct engine *engine)
{
    return engine->steps;
}

void engine_reset(struct engine *engine)
{
    zero_levels(engine);
    engine->steps = 0;
}

double engine_get(const struct engine *engine, int level, const int64_t node[3])
{
    const uint64_t index = node_index(engine, node);
    assert(index != UINT64_MAX);
    return engine_value(engine, level == 0 ? engine->u : engine->u_old, index);
}

void engine_set(struct engine *engine, int level, const int64_t node[3], double value)
{
    const uint64_t index = node_index(engine, node);
    void *to = level == 0 ? engine->u : engine->u_old;
    assert(index != UINT64_MAX);
    if (engine->real_bytes == sizeof(float))
        ((float *)to)[index] = (float)value;
    else
        ((double *)to)[index] = value;
}

uint64_t engine_bytes(const struct engine *engine)
{
    return 2 * level_bytes(engine) + wall_count(engine) * engine->real_bytes;
}

const char *engine_description(const struct engine *engine)
{
    return engine->description;
}
