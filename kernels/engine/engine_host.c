/* An engine on the CPU. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine.h"
#include "kernels/engine/engine_halo.h"
#include "kernels/engine/engine_layer.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_passes.h"
#include "kernels/engine/engine_port.h"
#include "kernels/engine/engine_share.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_state.h"
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

/* The steps of a back end, or NULL if this processor lacks the instructions. `name` is for messages. */
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

/* How the layer behind open faces is stepped with these steps. Those of AVX2 suffice for AVX-512. */
static step_layer_function *choose_layer(const step_table *table, enum precision precision)
{
    if (table == &step_reference)
        return NULL;
#if defined(__x86_64__)
    if (table != &step_portable)
        return step_layer_avx2[precision];
#endif
    return step_layer_portable[precision];
}

/* The values of a thread's share of units. Block 0 and the halo planes belong to no unit: the first and the
 * last thread have them. */
static void values_of(const struct engine *engine, int thread, int threads, uint64_t *begin, uint64_t *end)
{
    uint64_t first, last;
    engine_share_of(engine, thread, threads, &first, &last);
    *begin = thread == 0 ? 0 : step_unit_index(&engine->room, first);
    *end = thread == threads - 1 ? engine->length : step_unit_index(&engine->room, last);
}

/* Set both levels to 0, each share by the thread that will step it. */
static void zero_levels(struct engine *engine)
{
#pragma omp parallel num_threads(engine->threads)
    {
        const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
        uint64_t first, last, begin, end;
        engine_share_of(engine, thread, threads, &first, &last);
        values_of(engine, thread, threads, &begin, &end);
        memset((char *)engine->u + begin * engine->real_bytes, 0,
               (size_t)((end - begin) * engine->real_bytes));
        memset((char *)engine->u_old + begin * engine->real_bytes, 0,
               (size_t)((end - begin) * engine->real_bytes));
        engine_zero_air(engine, begin, end);
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
    /* A row of the layer behind open faces may read past its end. */
    engine->memory = machine_memory_allocate(pressures + ENGINE_ALIGNMENT);
    if (engine->memory == NULL)
        return failure_memory(failure, pressures, "pressures");
    engine->u = engine->memory;
    engine->u_old = (char *)engine->memory + engine_second_level(engine);
    engine->partial = calloc((size_t)engine->threads, sizeof *engine->partial);
    engine->share =
        aligned_alloc(_Alignof(struct engine_share), (size_t)engine->threads * sizeof *engine->share);
    engine->energy = calloc(engine_energy_pieces(engine), sizeof *engine->energy);
    engine->passes = calloc(1, sizeof *engine->passes);
    if (engine->partial == NULL || engine->share == NULL || engine->energy == NULL || engine->passes == NULL)
        return failure_memory(failure,
                              (uint64_t)engine->threads * (sizeof *engine->partial + sizeof *engine->share),
                              "sums and shares of threads");
    engine->passes->cache = machine_memory_cache();
    if (engine->passes->cache > PASSES_CACHE_MOST)
        engine->passes->cache = PASSES_CACHE_MOST;
    for (int t = 0; t < engine->threads; ++t)
        atomic_init(&engine->share[t].taken, 0);
    return 0;
}

/* Make pressures at rest and wall coefficients. */
static int start_host(struct engine *engine, const struct engine_materials *materials,
                      struct failure *failure)
{
    const char *name = NULL;
    char threads[32];
    const step_table *const table = choose_table(&engine->options, &name);
    if (table == NULL)
        return failure_set(failure, FAILURE_CAPACITY,
                           "this processor has no instructions for the engine '%s'", name);
    engine->advance = (*table)[engine->options.layout][engine->options.precision];
    engine->advance_layer = choose_layer(table, engine->options.precision);
    TRY(engine_plan_steps(engine, failure));
    TRY(allocate_pressures(engine, failure));
    TRY(engine_fill_walls(engine, materials, true, failure));
    TRY(engine_make_sheets(engine, failure));
    TRY(engine_make_layer(engine, failure));
    zero_levels(engine);
    (void)snprintf(threads, sizeof threads, ", %d thread%s", engine->threads,
                   engine->threads == 1 ? "" : "s");
    engine_describe(engine, name, threads);
    return 0;
}

/* ---- stepping ------------------------------------------------------------------------------------------ */

/* The units of a range to step: in a part with a halo, those that other parts read (surface), or the rest. */
enum units { UNITS_ALL, UNITS_SURFACE, UNITS_INNER };

/* Add drive sample n to the nodes of `u` in such units within the indices begin .. end-1. Rounded to the
 * run's real once. */
static void add_drive(const struct engine *engine, enum units units, void *u, uint64_t begin, uint64_t end,
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

static double read_tap(const struct engine *engine, const void *u, const struct engine_tap *tap)
{
    double sum = 0.0;
    for (unsigned k = 0; k < tap->count; ++k)
        sum += tap->weight[k] * engine_value(engine, u, tap->index[k]);
    return sum;
}

/* engine_layer.h, by units. */
static void hold_layer(const struct engine *engine, const void *u_old, uint64_t first, uint64_t last)
{
    engine_hold_layer(engine, u_old, step_unit_index(&engine->room, first),
                      step_unit_index(&engine->room, last));
}
static void step_layer(const struct engine *engine, const void *u, void *u_new, uint64_t first, uint64_t last)
{
    engine_step_layer(engine, u, u_new, step_unit_index(&engine->room, first),
                      step_unit_index(&engine->room, last));
}

/* The end of the consecutive units from surface unit number `from` on. */
static uint64_t end_of_run(const struct engine_halo *halo, uint64_t from, uint64_t end)
{
    uint64_t to = from + 1;
    while (to < end && halo->surface[to] == halo->surface[to - 1] + 1)
        ++to;
    return to;
}

/* Step a thread's share of the surface, in runs of consecutive units. */
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
        to = end_of_run(engine->halo, from, end);
        hold_layer(engine, u_old, unit[from], (uint64_t)unit[to - 1] + 1);
        engine->advance(&engine->room, u, u_old, unit[from], (uint64_t)unit[to - 1] + 1);
    }
    if (drive != NULL && begin < end)
        add_drive(engine, UNITS_SURFACE, u_old, (uint64_t)unit[begin] * BLOCK_NODES,
                  ((uint64_t)unit[end - 1] + 1) * BLOCK_NODES, drive, steps, n);
    if (begin < end)
        engine_step_sheets(engine, u, u_old, (uint64_t)unit[begin] * BLOCK_NODES,
                           ((uint64_t)unit[end - 1] + 1) * BLOCK_NODES, n, engine->halo->outer, true);
    for (uint64_t from = begin, to; from < end; from = to) {
        to = end_of_run(engine->halo, from, end);
        step_layer(engine, u, u_old, unit[from], (uint64_t)unit[to - 1] + 1);
    }
}

/* The first units from `*from` on, below `last`, that are not at the surface, up to the result. False if
 * there are none. */
static bool next_inner(const struct engine_halo *halo, uint64_t *from, uint64_t last, uint64_t *to)
{
    uint64_t next = 0, high = halo->surfaces;
    LOWER_BOUND(next, high, at, halo->surface[at] < *from);
    for (; next < halo->surfaces && halo->surface[next] == *from; ++next)
        ++*from;
    *to = next < halo->surfaces && halo->surface[next] < last ? halo->surface[next] : last;
    return *from < last;
}

/* Step the units first .. last-1 that are not at the surface. */
static void step_inner(const struct engine *engine, const void *u, void *u_old, uint64_t first, uint64_t last)
{
    for (uint64_t from = first, to; next_inner(engine->halo, &from, last, &to); from = to) {
        hold_layer(engine, u_old, from, to);
        engine->advance(&engine->room, u, u_old, from, to);
    }
}

static void step_inner_layer(const struct engine *engine, const void *u, void *u_new, uint64_t first,
                             uint64_t last)
{
    for (uint64_t from = first, to; engine->layer != NULL && next_inner(engine->halo, &from, last, &to);
         from = to)
        step_layer(engine, u, u_new, from, to);
}

/* Send the values of the surface, after all threads have stepped it. */
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

/* Arguments of engine_run(), and the number of this step. */
struct batch {
    uint64_t steps;
    const double *drive;
    double *output;
    uint64_t n;
};

/* Sample the receivers of a share. Shares without units, in a small room, have none. */
static void sample_all(const struct engine *engine, const struct engine_piece *piece, int threads,
                       const void *u, const struct batch *batch)
{
    const uint64_t begin = step_first_unit(&engine->room), units = step_last_unit(&engine->room) - begin;
    const bool few = units < (uint64_t)threads; /* one unit a share then */
    const uint64_t own = few ? piece->first - begin : (uint64_t)piece->share;
    const uint64_t shares = few ? units : (uint64_t)threads;
    for (uint64_t r = own; r < engine->receivers; r += shares)
        batch->output[r * batch->steps + batch->n] = read_tap(engine, u, &engine->receiver[r]);
}

/* A thread's work of a step. The step ends when all units are stepped, by any thread; the others do not wait
 * for a suspended thread that has no piece. */
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
        if (halo) {
            step_inner(engine, u, u_new, piece.first, piece.last);
        } else {
            hold_layer(engine, u_new, piece.first, piece.last);
            engine->advance(room, u, u_new, piece.first, piece.last);
        }
        if (batch->drive != NULL)
            add_drive(engine, halo ? UNITS_INNER : UNITS_ALL, u_new, step_unit_index(room, piece.first),
                      step_unit_index(room, piece.last), batch->drive, batch->steps, batch->n);
        engine_step_sheets(engine, u, u_new, step_unit_index(room, piece.first),
                           step_unit_index(room, piece.last), batch->n, halo ? engine->halo->outer : NULL,
                           false);
        if (halo)
            step_inner_layer(engine, u, u_new, piece.first, piece.last);
        else
            step_layer(engine, u, u_new, piece.first, piece.last);
        done += piece.last - piece.first;
    }
    if (halo && thread == 0) {
        receive_ghosts(engine, u_new);
        done++; /* the barrier counts it as one more unit */
    }
    const uint64_t units = step_last_unit(room) - step_first_unit(room);
    const bool port = engine->port != NULL;
    if (port && engine_step_port(engine, u, u_new, done, units))
        done++; /* likewise */
    step_barrier_arrive(&engine->step_end, done, units + halo + port);
}

/* Sample the receivers whose first node is in the blocks of a run. */
static void sample_run(const struct engine *engine, const struct step_fronts *fronts,
                       const struct front_run *run, const void *u, const struct batch *batch)
{
    uint64_t next = 0, high = fronts->receivers;
    LOWER_BOUND(next, high, at, fronts->read_first[at] < run->first);
    for (; next < fronts->receivers && fronts->read_first[next] < run->last; ++next) {
        const size_t r = fronts->receiver[next];
        batch->output[r * batch->steps + batch->n] = read_tap(engine, u, &engine->receiver[r]);
    }
}

/* The two levels as step n of a batch finds them: level[n & 1] is u. */
struct levels {
    void *level[2];
};

/* A thread's list of a round, in the pass whose first step is batch->n. */
static void step_list(const struct engine *engine, const struct step_fronts *fronts,
                      const struct front_list *list, const struct levels *levels, const struct batch *batch)
{
    for (size_t k = 0; k < list->runs; ++k) {
        const struct front_run *const run = &list->run[k];
        struct batch now = *batch;
        now.n += run->step - 1u;
        const void *const u = levels->level[now.n & 1];
        void *const u_new = levels->level[~now.n & 1];
        if (now.output != NULL)
            sample_run(engine, fronts, run, u, &now);
        engine->advance(&engine->room, u, u_new, run->first, run->last);
        if (run->driven && now.drive != NULL)
            add_drive(engine, UNITS_ALL, u_new, (uint64_t)run->first * BLOCK_NODES,
                      (uint64_t)run->last * BLOCK_NODES, now.drive, now.steps, now.n);
    }
}

/* A thread's work of a round: lists that no other has begun, its own first. */
static void step_round(struct engine *engine, int thread, int threads, struct step_fronts *fronts,
                       unsigned round, const struct levels *levels, const struct batch *batch, uint64_t phase)
{
    uint64_t done = 0;
    for (int k = 0; k < fronts->lists; ++k) {
        const int n = (int)(((int64_t)thread * fronts->lists / threads + k) % fronts->lists);
        if (!step_fronts_take(fronts, n, phase))
            continue;
        step_list(engine, fronts, step_fronts_list(fronts, round, n), levels, batch);
        ++done;
    }
    step_barrier_arrive(&engine->step_end, done, (uint64_t)fronts->lists);
}

/* A thread's share of the losses of the air, if step `n` of the batch ends with them. Here threads wait for
 * each other. */
static bool lose_in_air(struct engine *engine, int thread, int threads, const struct levels *levels,
                        uint64_t n)
{
    uint64_t begin, end;
    if (!engine_air_is_due(engine, engine->steps + n))
        return false;
    values_of(engine, thread, threads, &begin, &end);
    engine_step_air(engine, levels->level[n & 1], levels->level[~n & 1], begin, end);
    step_barrier_wait(&engine->barrier, (unsigned)threads);
    if (engine->sheets != NULL) {
        if (thread == 0)
            engine_shift_sheets(engine, levels->level[n & 1], n + 1);
        step_barrier_wait(&engine->barrier, (unsigned)threads);
    }
    return true;
}

/* Steps of a batch from batch->n on. A step, or a round of a pass, ends when all of it is stepped, by any
 * thread; there are as many rounds as steps. */
static void run_stretch(struct engine *engine, const struct engine_stretch *stretch,
                        const struct levels *levels, const struct batch *batch)
{
    const uint64_t begun = step_barrier_phase(&engine->step_end);
#pragma omp parallel num_threads(engine->threads)
    {
        const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
        uint64_t aired = 0; /* steps after which this thread has looked for losses of the air */
        for (;;) {
            const uint64_t phase = step_barrier_phase(&engine->step_end), past = phase - begun;
            struct batch now = *batch;
            /* A thread may find that several steps have ended, but no step begins before all have done this.
             */
            bool waited = false;
            for (; engine->air != NULL && aired < past && !waited; ++aired)
                waited = lose_in_air(engine, thread, threads, levels, batch->n + aired);
            if (waited)
                continue;
            now.n += past / stretch->pass * stretch->pass;
            /* Only thread 0 stops an engine, within a step; the others see it after that step. */
            if (past >= stretch->steps || engine->stopped)
                break;
            if (stretch->fronts != NULL)
                step_round(engine, thread, threads, stretch->fronts, (unsigned)(past % stretch->pass), levels,
                           &now, phase);
            else
                step_pieces(engine, thread, threads, levels->level[now.n & 1], levels->level[~now.n & 1],
                            &now, phase);
            step_barrier_await(&engine->step_end, phase);
        }
    }
}

static void run_host(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    const struct levels levels = {{engine->u, engine->u_old}};
    struct batch batch = {steps, drive, output, 0};
    engine_begin_sheets(engine);
    while (batch.n < steps && !engine->stopped) {
        const struct engine_stretch stretch = engine_next_stretch(engine, steps - batch.n);
        engine->room.fetchless = stretch.fetchless;
        const double begun = omp_get_wtime();
        run_stretch(engine, &stretch, &levels, &batch);
        engine_keep_turn(engine, &stretch, omp_get_wtime() - begun);
        batch.n += stretch.steps;
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

/* ---- the rest ------------------------------------------------------------------------------------------ */

static void evict_field(const struct engine *engine)
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

static void reset_host(struct engine *engine)
{
    zero_levels(engine);
    engine_zero_sheets(engine);
    engine_zero_layer(engine);
    engine_forget_absorbed(engine);
}

static uint64_t count_bytes(const struct engine *engine)
{
    return 2 * engine_level_bytes(engine) + engine_wall_bytes(engine) + engine_sheet_bytes(engine) +
           engine_layer_bytes(engine) + engine_air_bytes(engine);
}

static bool fetch_field(struct engine *engine)
{
    (void)engine;
    return true;
}

const struct engine_ops engine_on_host = {.start = start_host,
                                          .free = engine_free_here,
                                          .add = engine_add_here,
                                          .run = run_host,
                                          .reset = reset_host,
                                          .evict = evict_field,
                                          .make_air = engine_make_air_on_host,
                                          .fetch = fetch_field,
                                          .get = engine_get_here,
                                          .set = engine_set_here,
                                          .read_level = engine_read_here,
                                          .fill = engine_fill_on_host,
                                          .measure = engine_measure_on_host,
                                          .energy = engine_energy_on_host,
                                          .absorbed = engine_absorbed_here,
                                          .open_image = engine_open_image_on_host,
                                          .copy_image = engine_copy_image_on_host,
                                          .hash = engine_hash_on_host,
                                          .bytes = count_bytes,
                                          .threads = engine_threads_here,
                                          .exchange = engine_exchange_on_host};
