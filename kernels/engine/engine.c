#include "kernels/engine/engine.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device_engine.h"
#include "kernels/engine/engine_halo.h"
#include "kernels/engine/engine_port.h"
#include "kernels/engine/engine_share.h"
#include "kernels/engine/engine_layer.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_wall_energy.h"
#include "kernels/engine/engine_walls.h"
#include "kernels/machine/machine_memory.h"

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

/* Zero both levels, each part by the thread that will step it. */
static void zero_levels(struct engine *engine)
{
#pragma omp parallel num_threads(engine->threads)
    {
        const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
        uint64_t first, last;
        engine_share_of(engine, thread, threads, &first, &last);
        /* Block 0 and the halo planes belong to no unit: the outer threads take them along. */
        const uint64_t begin = thread == 0 ? 0 : step_unit_index(&engine->room, first);
        const uint64_t end = thread == threads - 1 ? engine->length : step_unit_index(&engine->room, last);
        memset((char *)engine->u + begin * engine->real_bytes, 0,
               (size_t)((end - begin) * engine->real_bytes));
        memset((char *)engine->u_old + begin * engine->real_bytes, 0,
               (size_t)((end - begin) * engine->real_bytes));
        engine_zero_walls(engine, thread == 0 ? 0 : engine_unit_wall(engine, first),
                          thread == threads - 1 ? UINT64_MAX : engine_unit_wall(engine, last));
    }
}

static int allocate_pressures(struct engine *engine, struct failure *failure)
{
    const uint64_t pressures = engine_second_level(engine) + engine_level_bytes(engine);
    const uint64_t bytes = pressures + engine_wall_bytes(engine);
    const uint64_t available = machine_memory_available();
    if (bytes > available)
        return failure_advise(
            failure_set(
                failure, FAILURE_CAPACITY,
                "the pressures of %llu nodes in %s precision and their walls take %llu bytes, and this "
                "machine has %llu bytes free",
                (unsigned long long)engine->length, engine->real_bytes == 4 ? "single" : "double",
                (unsigned long long)bytes, (unsigned long long)available),
            failure, engine->real_bytes == 4 ? ADVICE_LESS_MEMORY : ADVICE_LESS_MEMORY_OR_SINGLE, 0);
    engine->memory = machine_memory_allocate(pressures);
    if (engine->memory == NULL)
        return failure_memory(failure, pressures, "pressures");
    engine->u = engine->memory;
    engine->u_old = (char *)engine->memory + engine_second_level(engine);
    engine->partial = calloc((size_t)engine->threads, sizeof *engine->partial);
    engine->share =
        aligned_alloc(_Alignof(struct engine_share), (size_t)engine->threads * sizeof *engine->share);
    engine->energy = calloc(engine_energy_pieces(engine), sizeof *engine->energy);
    if (engine->partial == NULL || engine->share == NULL || engine->energy == NULL)
        return failure_memory(failure,
                              (uint64_t)engine->threads * (sizeof *engine->partial + sizeof *engine->share),
                              "sums and shares of threads");
    for (int t = 0; t < engine->threads; ++t)
        atomic_init(&engine->share[t].taken, 0);
    return 0;
}

static void describe(struct engine *engine, const char *name)
{
    char threads[32] = "";
    if (engine->device == NULL)
        (void)snprintf(threads, sizeof threads, ", %d thread%s", engine->threads,
                       engine->threads == 1 ? "" : "s");
    (void)snprintf(engine->description, sizeof engine->description, "%s, %s, %s%s", name,
                   engine->options.layout == LAYOUT_BOX ? "box" : "blocks",
                   engine->options.precision == PRECISION_SINGLE ? "single" : "double", threads);
}

/* Pressures at rest and wall coefficients, on this machine's processors. */
static int start_on_host(struct engine *engine, const step_table *table, const char *name,
                         const struct engine_materials *materials, struct failure *failure)
{
    engine->advance = (*table)[engine->options.layout][engine->options.precision];
    TRY(allocate_pressures(engine, failure));
    TRY(engine_fill_walls(engine, materials, true, failure));
    TRY(engine_make_sheets(engine, failure));
    TRY(engine_make_layer(engine, failure));
    zero_levels(engine);
    describe(engine, name);
    return 0;
}

static int start_on_device(struct engine *engine, const struct engine_materials *materials,
                           struct failure *failure)
{
    const struct device_request request = {engine->options.layout, engine->options.precision, &engine->room,
                                           engine->card, engine->length};
    TRY(engine_fill_walls(engine, materials, false, failure));
    TRY(device_engine_create(&engine->device, &request, failure));
    TRY(engine_make_sheets(engine, failure));
    TRY(engine_make_layer(engine, failure));
    engine->place = FIELD_ON_DEVICE;
    describe(engine, engine->device->name);
    return 0;
}

/* Walls without states: the sums of 1/E. Returns NULL without memory. */
static double *admittances_of(const struct wall_materials *walls)
{
    double *admittance = calloc(walls->count + 1, sizeof *admittance);
    for (size_t m = 0; admittance != NULL && m < walls->count; ++m)
        for (size_t b = 0; b < walls->material[m].branches; ++b)
            admittance[m] += 1.0 / walls->material[m].branch[b].E;
    return admittance;
}

static int choose_walls(struct engine *engine, const struct engine_materials *given,
                        struct engine_materials *chosen, double **owned, struct failure *failure)
{
    *chosen = *given;
    TRY(engine_check_materials(engine, given, failure));
    if (given->walls == NULL)
        return 0;
    if (engine_walls_have_states(engine, given->walls))
        return engine_make_materials(engine, given->walls, failure);
    chosen->admittance = *owned = admittances_of(given->walls);
    chosen->walls = NULL;
    return *owned == NULL ? failure_memory(failure, given->count * sizeof **owned, "admittances") : 0;
}

/* A grid is for one scheme, masses are of one lambda^2, and such walls stand where they are. */
static int check_masses(const struct block_grid *grid, const struct time_step *step,
                        const struct engine_materials *materials, struct failure *failure)
{
    if (grid->isotropic != (step->scheme == SCHEME_ISOTROPIC))
        return failure_set(failure, FAILURE_INPUT, "the grid is for %d points, and the step for %d",
                           grid->isotropic ? 19 : 7, step->scheme == SCHEME_ISOTROPIC ? 19 : 7);
    if (!grid->has_records)
        return 0;
    if (grid->lambda2 == 0.0)
        return failure_set(failure, FAILURE_INPUT, "the nodes of the grid have no masses yet");
    if (grid->lambda2 != step->lambda2)
        return failure_set(failure, FAILURE_INPUT,
                           "the masses of the grid's nodes are for lambda^2 = %.9g, and the step has %.9g",
                           grid->lambda2, step->lambda2);
    if (materials->walls != NULL && materials->walls->inertance)
        return failure_set(failure, FAILURE_INPUT,
                           "%s: there is no half cell of air before them for an inertance",
                           grid->isotropic ? "walls of the 19-point scheme stand where they are"
                                           : "conformal walls stand where they are");
    return 0;
}

static int create(struct engine **out, const struct block_grid *blocks, const struct box_grid *box,
                  const struct time_step *step, const struct engine_materials *materials,
                  const struct engine_options *options, unsigned card, struct failure *failure)
{
    assert(blocks != NULL);
    assert((options->layout == LAYOUT_BOX) == (box != NULL));
    assert(box == NULL || (box->has_records == blocks->has_records && box->isotropic == blocks->isotropic));
    const bool cuda = options->backend == BACKEND_CUDA;
    const char *name = NULL;
    TRY(check_masses(blocks, step, materials, failure));
    const step_table *table = cuda ? NULL : choose_table(options, &name);
    if (table == NULL && !cuda)
        return failure_set(failure, FAILURE_CAPACITY,
                           "this processor has no instructions for the engine '%s'", name);

    /* Aligned for the barrier; its size is a multiple of that. */
    struct engine *engine = aligned_alloc(_Alignof(struct engine), sizeof *engine);
    if (engine == NULL)
        return failure_memory(failure, sizeof *engine, "an engine");
    memset(engine, 0, sizeof *engine);
    engine->ops = cuda ? &engine_on_device : &engine_on_host;
    engine->options = *options;
    engine->card = card;
    engine->threads = options->backend == BACKEND_REFERENCE ? 1
                      : options->threads > 0                ? options->threads
                                                            : omp_get_max_threads();
    engine->room.blocks = blocks;
    engine->room.box = box;
    engine->room.lambda2 = step->lambda2;
    engine->step = *step;
    engine->real_bytes = options->precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    engine->length =
        box != NULL ? box->length : ((uint64_t)blocks->blocks + blocks->ghosts + 1) * BLOCK_NODES;
    int error = step_barrier_init(&engine->barrier);
    if (error == 0 && (error = step_barrier_init(&engine->step_end)) != 0)
        step_barrier_destroy(&engine->barrier);
    if (error != 0) {
        free(engine);
        return failure_set(failure, FAILURE_CAPACITY, "the system has no room for one more lock (error %d)",
                           error);
    }
    struct engine_materials chosen;
    double *owned = NULL;
    int code = choose_walls(engine, materials, &chosen, &owned, failure);
    if (code == 0)
        code = cuda ? start_on_device(engine, &chosen, failure)
                    : start_on_host(engine, table, name, &chosen, failure);
    free(owned);
    if (code == 0) {
        *out = engine;
        engine = NULL;
    }
    engine_free(engine);
    return code;
}

int engine_create(struct engine **out, const struct block_grid *blocks, const struct box_grid *box,
                  const struct time_step *step, const double *admittance, size_t material_count,
                  const struct engine_options *options, struct failure *failure)
{
    const struct engine_materials materials = {.count = material_count, .admittance = admittance};
    return create(out, blocks, box, step, &materials, options, 0, failure);
}

int engine_create_walls(struct engine **out, const struct block_grid *blocks, const struct box_grid *box,
                        const struct time_step *step, const struct wall_materials *walls,
                        const struct engine_options *options, struct failure *failure)
{
    const struct engine_materials materials = {.count = walls->count, .walls = walls};
    return create(out, blocks, box, step, &materials, options, 0, failure);
}

int engine_create_part(struct engine **out, const struct block_grid *blocks, const struct time_step *step,
                       size_t material_count, const double *admittance, const struct wall_materials *walls,
                       const struct engine_options *options, unsigned card, struct failure *failure)
{
    const struct engine_materials materials = {
        .count = material_count, .admittance = walls != NULL ? NULL : admittance, .walls = walls};
    return create(out, blocks, NULL, step, &materials, options, card, failure);
}

void engine_free(struct engine *engine)
{
    if (engine != NULL)
        engine->ops->free(engine);
}

void engine_free_here(struct engine *engine)
{
    step_barrier_destroy(&engine->barrier);
    step_barrier_destroy(&engine->step_end);
    if (engine->device != NULL)
        engine->device->ops->free(engine->device);
    free(engine->memory);
    engine_free_walls(engine);
    engine_free_sheets(engine);
    engine_free_layer(engine);
    engine_free_port(engine);
    free(engine->source);
    free(engine->receiver);
    free(engine->partial);
    free(engine->share);
    free(engine->energy);
    free(engine);
}

uint64_t engine_wall_entry_bytes(const struct wall_materials *walls, enum precision precision)
{
    const uint64_t real = precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    return walls == NULL ? real : real * (1 + 2 * wall_materials_states(walls) + walls->ledger);
}

/* ---- taps ---------------------------------------------------------------------------------------------- */

uint64_t engine_node_index(const struct engine *engine, const int64_t node[3])
{
    const struct box_grid *box = engine->room.box;
    const uint64_t index =
        box != NULL ? box_grid_index(box, node) : block_grid_index(engine->room.blocks, node);
    if (index == UINT64_MAX || !engine_is_air(engine, index) || engine_list_node(engine, index) != UINT64_MAX)
        return UINT64_MAX;
    return index;
}

/* The nodes of a stencil, with its weights. */
static int find_tap(const struct engine *engine, const struct stencil *stencil, struct engine_tap *out,
                    struct failure *failure)
{
    struct engine_tap found = {.count = stencil->count};
    if (stencil->count == 0 || stencil->count > STENCIL_NODES_MAX)
        return failure_set(failure, FAILURE_INPUT,
                           "a source or receiver is joined to %u nodes: 1 to %d can be", stencil->count,
                           STENCIL_NODES_MAX);
    for (unsigned n = 0; n < stencil->count; ++n) {
        const int64_t *node = stencil->node[n];
        found.index[n] = engine_node_index(engine, node);
        found.weight[n] = stencil->weight[n];
        if (found.index[n] == UINT64_MAX)
            return failure_set(
                failure, FAILURE_INPUT,
                "a source or receiver is joined to the node (%lld,%lld,%lld), which is not air",
                (long long)node[0], (long long)node[1], (long long)node[2]);
        if (!isfinite(stencil->weight[n]))
            return failure_set(failure, FAILURE_INPUT, "a source or receiver has the weight %g at a node",
                               stencil->weight[n]);
    }
    *out = found;
    return 0;
}

/* What a step adds at the nodes of a source. */
static void weigh_source(const struct engine *engine, struct engine_tap *added)
{
    for (unsigned n = 0; n < added->count; ++n) {
        added->weight[n] *= engine->step.lambda2 / engine->step.spacing /
                            engine_mass(engine, engine_record(engine, added->index[n])) *
                            (1.0 - engine_wall_q_at(engine, added->index[n]));
        if (engine->room.walls != NULL)
            added->walls[n] = engine_wall_at(engine, added->index[n], &added->wall[n]);
    }
}

int engine_add_here(struct engine *engine, bool source, const struct stencil *stencil,
                    const struct engine_tap *found, struct failure *failure)
{
    (void)stencil;
    struct engine_tap **const list = source ? &engine->source : &engine->receiver;
    const size_t count = source ? engine->sources : engine->receivers;
    struct engine_tap *const grown = realloc(*list, (count + 1) * sizeof **list);
    if (grown == NULL)
        return failure_memory(failure, (count + 1) * sizeof **list, "sources and receivers");
    *list = grown;
    grown[count] = *found;
    if (source)
        weigh_source(engine, &grown[count]);
    engine->taps_sent = false;
    return 0;
}

int engine_add_source(struct engine *engine, const struct stencil *stencil, struct failure *failure)
{
    struct engine_tap found;
    TRY(find_tap(engine, stencil, &found, failure));
    TRY(engine->ops->add(engine, true, stencil, &found, failure));
    ++engine->sources;
    return 0;
}

int engine_add_receiver(struct engine *engine, const struct stencil *stencil, struct failure *failure)
{
    struct engine_tap found;
    TRY(find_tap(engine, stencil, &found, failure));
    TRY(engine->ops->add(engine, false, stencil, &found, failure));
    ++engine->receivers;
    return 0;
}

size_t engine_sources(const struct engine *engine)
{
    return engine->sources;
}

size_t engine_receivers(const struct engine *engine)
{
    return engine->receivers;
}

/* ---- stepping ------------------------------------------------------------------------------------------ */

/* Which units of a range are meant: of a part with a halo, those that others read or the rest. */
enum units { UNITS_ALL, UNITS_SURFACE, UNITS_INNER };

/* Add drive sample n to the nodes of `u` in such units within the indices begin .. end-1. Rounded to the
 * run's real once. */
static void inject(const struct engine *engine, enum units units, void *u, uint64_t begin, uint64_t end,
                   const double *drive, uint64_t steps, uint64_t n)
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
            if (units != UNITS_ALL && engine->halo->outer[at / BLOCK_NODES] != (units == UNITS_SURFACE))
                continue;
            if (engine->real_bytes == sizeof(float))
                ((float *)u)[at] += (float)(tap->weight[k] * q);
            else
                ((double *)u)[at] += tap->weight[k] * q;
            if (tap->walls[k] > 0)
                engine_push_walls(engine, tap->wall[k], tap->walls[k], tap->weight[k] * q);
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

/* A thread's share of the surface: runs of units that follow one another. */
static void step_surface(const struct engine *engine, int thread, int threads, const void *u, void *u_old,
                         const double *drive, uint64_t steps, uint64_t n)
{
    const block_id *const unit = engine->halo->surface;
    const uint64_t units = engine->halo->surfaces;
    const uint64_t begin = units * (uint64_t)thread / (uint64_t)threads,
                   end = units * ((uint64_t)thread + 1) / (uint64_t)threads;
    if (begin < end)
        engine_hold_sheets(engine, u_old, (uint64_t)unit[begin] * BLOCK_NODES,
                           ((uint64_t)unit[end - 1] + 1) * BLOCK_NODES);
    for (uint64_t from = begin, to; from < end; from = to) {
        for (to = from + 1; to < end && unit[to] == unit[to - 1] + 1; ++to)
            ;
        engine->advance(&engine->room, u, u_old, unit[from], (uint64_t)unit[to - 1] + 1);
    }
    if (drive != NULL && begin < end)
        inject(engine, UNITS_SURFACE, u_old, (uint64_t)unit[begin] * BLOCK_NODES,
               ((uint64_t)unit[end - 1] + 1) * BLOCK_NODES, drive, steps, n);
    if (begin < end)
        engine_step_sheets(engine, u, u_old, (uint64_t)unit[begin] * BLOCK_NODES,
                           ((uint64_t)unit[end - 1] + 1) * BLOCK_NODES, n, engine->halo->outer, true);
}

/* What is no surface of the units first .. last-1. */
static void step_inner(const struct engine *engine, const void *u, void *u_old, uint64_t first, uint64_t last)
{
    const struct engine_halo *const halo = engine->halo;
    uint64_t next = 0, high = halo->surfaces, from = first;
    LOWER_BOUND(next, high, at, halo->surface[at] < first);
    for (; next < halo->surfaces && halo->surface[next] < last; ++next) {
        if (from < halo->surface[next])
            engine->advance(&engine->room, u, u_old, from, halo->surface[next]);
        from = (uint64_t)halo->surface[next] + 1;
    }
    if (from < last)
        engine->advance(&engine->room, u, u_old, from, last);
}

/* Once all have stepped the surface, its values go out. */
static void send_surface(struct engine *engine, int thread, int threads, const void *u_new)
{
    step_barrier_wait(&engine->barrier, (unsigned)threads);
    if (thread == 0) {
        engine_gather(engine, u_new);
        engine->halo->begin(engine->halo->context);
    }
}

static void receive_ghosts(const struct engine *engine, void *u_new)
{
    engine->halo->finish(engine->halo->context);
    engine_scatter(engine, u_new);
}

/* What engine_run() is called with, and which of its steps this is. */
struct batch {
    uint64_t steps;
    const double *drive;
    double *output;
    uint64_t n;
};

/* The receivers that go with a share: shares without a unit, of a small room, have none. */
static void sample_all(const struct engine *engine, const struct engine_piece *piece, int threads,
                       const void *u, const struct batch *batch)
{
    const uint64_t begin = step_first_unit(&engine->room), units = step_last_unit(&engine->room) - begin;
    const bool few = units < (uint64_t)threads; /* one unit a share then */
    const uint64_t own = few ? piece->first - begin : (uint64_t)piece->share;
    const uint64_t shares = few ? units : (uint64_t)threads;
    for (uint64_t r = own; r < engine->receivers; r += shares)
        batch->output[r * batch->steps + batch->n] = sample(engine, u, &engine->receiver[r]);
}

/* All that a thread finds to do of a step. The step is over once its units are stepped, whoever did it: a
 * thread that is kept from its processor while it has no piece is not waited for. */
static void step_pieces(struct engine *engine, int thread, int threads, const void *u, void *u_new,
                        const struct batch *batch, uint64_t step)
{
    const struct step_room *const room = &engine->room;
    const bool halo = engine->halo != NULL;
    uint64_t done = 0;
    struct engine_piece piece;
    if (halo) {
        step_surface(engine, thread, threads, u, u_new, batch->drive, batch->steps, batch->n);
        send_surface(engine, thread, threads, u_new);
    }
    while (engine_share_take(engine, thread, threads, step, &piece)) {
        if (piece.opens && batch->output != NULL)
            sample_all(engine, &piece, threads, u, batch);
        engine_hold_sheets(engine, u_new, step_unit_index(room, piece.first),
                           step_unit_index(room, piece.last));
        engine_hold_layer(engine, u_new, step_unit_index(room, piece.first),
                          step_unit_index(room, piece.last));
        if (halo)
            step_inner(engine, u, u_new, piece.first, piece.last);
        else
            engine->advance(room, u, u_new, piece.first, piece.last);
        if (batch->drive != NULL)
            inject(engine, halo ? UNITS_INNER : UNITS_ALL, u_new, step_unit_index(room, piece.first),
                   step_unit_index(room, piece.last), batch->drive, batch->steps, batch->n);
        engine_step_sheets(engine, u, u_new, step_unit_index(room, piece.first),
                           step_unit_index(room, piece.last), batch->n, halo ? engine->halo->outer : NULL,
                           false);
        engine_step_layer(engine, u, u_new, step_unit_index(room, piece.first),
                          step_unit_index(room, piece.last));
        done += piece.last - piece.first;
    }
    if (halo && thread == 0) {
        receive_ghosts(engine, u_new);
        done++; /* it is waited for, as one more unit */
    }
    const uint64_t units = step_last_unit(room) - step_first_unit(room);
    const bool port = engine->port != NULL;
    if (port && engine_step_port(engine, u, u_new, done, units))
        done++; /* and so is that */
    step_barrier_arrive(&engine->step_end, done, units + halo + port);
}

void engine_run(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    engine->ops->run(engine, steps, drive, output);
}

static void run_on_host(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    const uint64_t begun = step_barrier_phase(&engine->step_end);
    engine_begin_sheets(engine);
#pragma omp parallel num_threads(engine->threads)
    {
        const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
        for (;;) {
            const uint64_t step = step_barrier_phase(&engine->step_end), n = step - begun;
            /* Thread 0 alone stops an engine, within a step: all others see it when that step is over. */
            if (n >= steps || engine->stopped)
                break;
            const void *u = n & 1 ? engine->u_old : engine->u;
            void *u_new = n & 1 ? engine->u : engine->u_old;
            step_pieces(engine, thread, threads, u, u_new, &(struct batch){steps, drive, output, n}, step);
            step_barrier_await(&engine->step_end, step);
        }
    }
    if (steps & 1) {
        void *swap = engine->u;
        engine->u = engine->u_old;
        engine->u_old = swap;
        if (engine->sheets != NULL)
            engine->sheets->now ^= 1;
    }
    engine->steps += steps;
}

void engine_evict(const struct engine *engine)
{
    if (engine->ops->evict != NULL)
        engine->ops->evict(engine);
}

static void evict_on_host(const struct engine *engine)
{
    const uint64_t bytes = engine_second_level(engine) + engine_level_bytes(engine);
    const uint64_t threads = (uint64_t)engine->threads;
#pragma omp parallel for num_threads(engine->threads) schedule(static)
    for (uint64_t t = 0; t < threads; ++t) {
        const uint64_t begin = bytes * t / threads, end = bytes * (t + 1) / threads;
        machine_memory_evict((const char *)engine->memory + begin, end - begin);
    }
    if (engine->room.walls != NULL)
        machine_memory_evict(engine->walls.state,
                             2 * engine->walls.branches * engine->walls.stride * engine->real_bytes);
}

uint64_t engine_steps(const struct engine *engine)
{
    return engine->steps;
}

void engine_reset(struct engine *engine)
{
    engine->ops->reset(engine);
    engine->steps = 0;
}

static void reset_on_host(struct engine *engine)
{
    zero_levels(engine);
    engine_zero_sheets(engine);
    engine_zero_layer(engine);
    engine_forget_absorbed(engine);
}

void engine_map(struct engine *engine)
{
    if (engine->ops->map != NULL)
        engine->ops->map(engine);
}

double engine_get(const struct engine *engine, int level, const int64_t node[3])
{
    const uint64_t index = engine_node_index(engine, node);
    assert(index != UINT64_MAX);
    /* Only the copy of the field changes, not the field. */
    return engine->ops->get((struct engine *)engine, level, index, node);
}

double engine_get_here(struct engine *engine, int level, uint64_t index, const int64_t node[3])
{
    (void)node;
    return engine->ops->fetch(engine) ? engine_value(engine, level == 0 ? engine->u : engine->u_old, index)
                                      : NAN;
}

void engine_set(struct engine *engine, int level, const int64_t node[3], double value)
{
    const uint64_t index = engine_node_index(engine, node);
    assert(index != UINT64_MAX);
    engine->ops->set(engine, level, index, node, value);
}

void engine_set_here(struct engine *engine, int level, uint64_t index, const int64_t node[3], double value)
{
    (void)node;
    engine_map(engine);
    if (engine->failure.code == FAILURE_NONE)
        engine_put(engine, level == 0 ? engine->u : engine->u_old, index, value);
}

uint64_t engine_bytes(const struct engine *engine)
{
    return engine->ops->bytes(engine);
}

static uint64_t bytes_on_host(const struct engine *engine)
{
    return 2 * engine_level_bytes(engine) + engine_wall_bytes(engine) + engine_sheet_bytes(engine) +
           engine_layer_bytes(engine);
}

uint32_t engine_threads_here(const struct engine *engine)
{
    return (uint32_t)engine->threads;
}

enum precision engine_precision(const struct engine *engine)
{
    return engine->options.precision;
}

const char *engine_description(const struct engine *engine)
{
    return engine->description;
}

static bool fetch_on_host(struct engine *engine)
{
    (void)engine;
    return true;
}

const struct engine_ops engine_on_host = {.free = engine_free_here,
                                          .add = engine_add_here,
                                          .run = run_on_host,
                                          .reset = reset_on_host,
                                          .evict = evict_on_host,
                                          .fetch = fetch_on_host,
                                          .get = engine_get_here,
                                          .set = engine_set_here,
                                          .read_level = engine_read_here,
                                          .fill = engine_fill_on_host,
                                          .measure = engine_measure_on_host,
                                          .energy = engine_energy_on_host,
                                          .absorbed = engine_absorbed_here,
                                          .hash = engine_hash_on_host,
                                          .bytes = bytes_on_host,
                                          .threads = engine_threads_here,
                                          .exchange = engine_exchange_on_host};
