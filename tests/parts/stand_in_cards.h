/** Simulated CUDA devices, for machines without any. Their memory is that of the host, which steps them.
 * Their streams are threads with random delays, so that the order of waits between parts on several devices
 * is tested: a value that is read too early is wrong.
 *
 * A table of fakes (kernels/cuda/device_table.h) and the operations of an engine on a device:
 * pretended_back_ends. Each file that includes this has its own. No sources.
 */
#ifndef TESTS_STAND_IN_CARDS_H
#define TESTS_STAND_IN_CARDS_H

#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "blocks/box_grid.h"
#include "kernels/cuda/base/device.h"
#include "kernels/cuda/device_table.h"
#include "kernels/engine/engine.h"
#include "kernels/engine/engine_back_ends.h"
#include "kernels/engine/engine_wall_energy.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/scheme/membrane_step.h"
#include "kernels/engine/engine_state.h"
#include "kernels/scheme/air_loss.h"
#include "kernels/scheme/halo_values.h"

/* Set by a test. */
static struct {
    unsigned cards;
    bool no_taps;                                /* the card `fails_on` has no memory for taps */
    bool apart;                                  /* cards cannot read each other's memory */
    bool no_copy;                                /* no card has memory for a second copy of its field */
    bool no_air;                                 /* the card `fails_on` has none for losses of the air */
    uint64_t fails_after;                        /* steps before the failure of .. */
    unsigned fails_on;                           /* .. that card */
    unsigned copies, transfers_to_host, engines; /* counted */
} pretended = {.cards = 3, .fails_after = UINT64_MAX};

/* ---- streams ------------------------------------------------------------------------------------------- */

struct pretended_event {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t recorded, reached; /* records by the host, and those that streams have reached */
};

struct pretended_work {
    void (*run)(const struct pretended_work *work);
    struct pretended_engine *engine;
    struct pretended_event *event;
    uint64_t number;
    void *to;
    const void *from;
    size_t bytes;
    char *u, *u_old;
};

#define WORK_MOST 4096
struct pretended_stream {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct pretended_work work[WORK_MOST];
    uint64_t put, done, chance;
    bool over;
};

static void late(uint64_t *chance)
{
    *chance = *chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const struct timespec pause = {0, (long)(*chance >> 40) % 60000};
    if ((*chance >> 33) % 3 == 0)
        (void)nanosleep(&pause, NULL);
}

static void *stream_runs(void *context)
{
    struct pretended_stream *const stream = context;
    (void)pthread_mutex_lock(&stream->mutex);
    for (;;) {
        while (stream->done == stream->put && !stream->over)
            (void)pthread_cond_wait(&stream->changed, &stream->mutex);
        if (stream->done == stream->put)
            break;
        const struct pretended_work work = stream->work[stream->done % WORK_MOST];
        (void)pthread_mutex_unlock(&stream->mutex);
        late(&stream->chance);
        work.run(&work);
        (void)pthread_mutex_lock(&stream->mutex);
        stream->done++;
        (void)pthread_cond_broadcast(&stream->changed);
    }
    (void)pthread_mutex_unlock(&stream->mutex);
    return NULL;
}

static void stream_put(struct pretended_stream *stream, struct pretended_work work)
{
    (void)pthread_mutex_lock(&stream->mutex);
    while (stream->put - stream->done == WORK_MOST)
        (void)pthread_cond_wait(&stream->changed, &stream->mutex);
    stream->work[stream->put++ % WORK_MOST] = work;
    (void)pthread_cond_broadcast(&stream->changed);
    (void)pthread_mutex_unlock(&stream->mutex);
}

static void stream_wait(struct pretended_stream *stream)
{
    (void)pthread_mutex_lock(&stream->mutex);
    while (stream->done < stream->put)
        (void)pthread_cond_wait(&stream->changed, &stream->mutex);
    (void)pthread_mutex_unlock(&stream->mutex);
}

static void stream_start(struct pretended_stream *stream, uint64_t seed)
{
    stream->chance = seed;
    (void)pthread_mutex_init(&stream->mutex, NULL);
    (void)pthread_cond_init(&stream->changed, NULL);
    (void)pthread_create(&stream->thread, NULL, stream_runs, stream);
}

static void stream_end(struct pretended_stream *stream)
{
    (void)pthread_mutex_lock(&stream->mutex);
    stream->over = true;
    (void)pthread_cond_broadcast(&stream->changed);
    (void)pthread_mutex_unlock(&stream->mutex);
    (void)pthread_join(stream->thread, NULL);
}

/* As CUDA's: a wait is for the record before it, and for nothing where there is none. */
static void reach_event(const struct pretended_work *work)
{
    (void)pthread_mutex_lock(&work->event->mutex);
    work->event->reached = work->number;
    (void)pthread_cond_broadcast(&work->event->changed);
    (void)pthread_mutex_unlock(&work->event->mutex);
}

static void await_event(const struct pretended_work *work)
{
    (void)pthread_mutex_lock(&work->event->mutex);
    while (work->event->reached < work->number)
        (void)pthread_cond_wait(&work->event->changed, &work->event->mutex);
    (void)pthread_mutex_unlock(&work->event->mutex);
}

static void put_event(struct pretended_stream *stream, struct pretended_event *event, bool record)
{
    (void)pthread_mutex_lock(&event->mutex);
    event->recorded += record;
    const uint64_t number = event->recorded;
    (void)pthread_mutex_unlock(&event->mutex);
    stream_put(stream, (struct pretended_work){
                           .run = record ? reach_event : await_event, .event = event, .number = number});
}

static struct pretended_event *event_make(void)
{
    struct pretended_event *const event = calloc(1, sizeof *event);
    assert(event != NULL);
    (void)pthread_mutex_init(&event->mutex, NULL);
    (void)pthread_cond_init(&event->changed, NULL);
    return event;
}

static void copy_bytes(const struct pretended_work *work)
{
    memcpy(work->to, work->from, work->bytes);
}

/* ---- ports --------------------------------------------------------------------------------------------- */

static bool pretended_reach(unsigned one, unsigned other)
{
    return one == other || !pretended.apart;
}

static int pretended_signal_make(unsigned card, void **out, struct failure *why)
{
    *out = event_make();
    return 0;
}

static void pretended_signal_free(void *signal)
{
    free(signal);
}

static int pretended_signal_send(const struct device_port *port, void *signal, struct failure *why)
{
    put_event(port->stream, signal, true);
    return 0;
}

static int pretended_signal_await(const struct device_port *port, void *signal, struct failure *why)
{
    put_event(port->stream, signal, false);
    return 0;
}

static int pretended_port_fetch(const struct device_port *port, uint64_t to, unsigned card, const char *from,
                                uint64_t bytes, struct failure *why)
{
    (void)__atomic_add_fetch(&pretended.copies, 1, __ATOMIC_RELAXED);
    stream_put(port->stream,
               (struct pretended_work){
                   .run = copy_bytes, .to = port->in + to, .from = from, .bytes = (size_t)bytes});
    return 0;
}

/* ---- engines ------------------------------------------------------------------------------------------- */

/* A membrane; its tables are those of a device. */
struct pretended_membrane {
    struct membrane_plan plan;
    struct membrane_tables tables;
    uint64_t *index;
    double *weight, *push;
};
#define PRETENDED_MEMBRANES 4

struct pretended_engine {
    struct device_engine base;
    unsigned membranes;
    struct pretended_membrane membrane[PRETENDED_MEMBRANES];
    struct engine view; /* for functions of engines on the CPU */
    struct step_walls walls;
    step_function *advance;
    char *level[2 + AIR_LOSS_STATES]; /* two of pressure, and states of the air's losses */
    struct air_loss air;
    int now;
    size_t receivers;
    struct engine_tap *receiver;
    char *copy; /* all levels, states, losses */
    const struct engine_halo *halo;
    char *out[2], *in;
    uint64_t exchanges, steps;
    double *output; /* of the run, (receivers, run) */
    uint64_t run;
    struct pretended_stream beside, stepping;
    struct pretended_event *stepped, *arrived;
};

static void *zeroed(uint64_t bytes)
{
    void *const memory = aligned_alloc(128, ((size_t)bytes + 255) / 128 * 128);
    assert(memory != NULL);
    memset(memory, 0, ((size_t)bytes + 255) / 128 * 128);
    return memory;
}

static uint64_t level_size(const struct pretended_engine *engine)
{
    return engine->view.length * engine->view.real_bytes;
}

/* As engine_read_level() counts them. */
static char *pretended_level(const struct pretended_engine *engine, int level)
{
    return engine->level[level < 2 ? engine->now ^ level : level];
}

static int pretended_levels(const struct pretended_engine *engine)
{
    return 2 + (int)engine->air.states;
}

static int pretended_set_air(struct device_engine *device, const struct air_loss *loss, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    for (unsigned s = 0; s < engine->air.states; s++)
        free(engine->level[2 + s]);
    free(engine->copy);
    engine->copy = NULL;
    engine->air = (struct air_loss){0};
    if (pretended.no_air && loss->states > 0 && engine->base.card == pretended.fails_on)
        return failure_set(why, FAILURE_CAPACITY, "card %u has no room for losses of the air",
                           engine->base.card);
    engine->air = *loss;
    for (unsigned s = 0; s < loss->states; s++)
        engine->level[2 + s] = zeroed(level_size(engine));
    return 0;
}

/* ---- membranes ----------------------------------------------------------------------------------------- */

static int pretended_add_port(struct device_engine *device, uint64_t count, const uint64_t *index,
                              const double *weight, const struct membrane_plan *plan, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    assert(engine->membranes < PRETENDED_MEMBRANES && count == plan->ports);
    struct pretended_membrane *const own = &engine->membrane[engine->membranes];
    struct membrane_tables *const m = &own->tables;
    own->plan = *plan;
    TRY(membrane_tables_make(plan, m, why));
    m->figure = zeroed(MEMBRANE_FIGURES * sizeof *m->figure);
    m->before = zeroed(count * sizeof *m->before);
    m->w = zeroed(3 * (uint64_t)plan->nodes * sizeof *m->w);
    m->slot = zeroed(sizeof *m->slot);
    m->pressure = zeroed(count * sizeof *m->pressure);
    m->at = zeroed(plan->nodes * sizeof *m->at);
    m->blows = zeroed((MEMBRANE_BLOWS + (uint64_t)plan->mallets) * sizeof *m->blows);
    own->index = zeroed(count * sizeof *own->index);
    own->weight = zeroed(count * sizeof *own->weight);
    own->push = zeroed(count * sizeof *own->push);
    memcpy(own->index, index, count * sizeof *index);
    memcpy(own->weight, weight, count * sizeof *weight);
    engine->membranes++;
    return 0;
}

static void free_membrane(struct pretended_membrane *own)
{
    struct membrane_tables *const m = &own->tables;
    free(m->figure);
    free(m->before);
    free(m->w);
    free(m->slot);
    free(m->pressure);
    free(m->at);
    free(m->blows);
    free(m->force);
    free(own->index);
    free(own->weight);
    free(own->push);
    membrane_tables_free(m);
}

static void move_reals(double *there, double **state, uint64_t count, bool back)
{
    memcpy(back ? *state : there, back ? there : *state, (size_t)count * sizeof *there);
    *state += count;
}

static int pretended_move_port(struct device_engine *device, uint64_t port, double *state, bool back,
                               struct failure *why)
{
    const struct membrane_tables *const m = &((struct pretended_engine *)device)->membrane[port].tables;
    move_reals(m->figure, &state, MEMBRANE_FIGURES, back);
    move_reals(m->before, &state, m->ports, back);
    move_reals(membrane_level(m, 0), &state, m->nodes, back);
    move_reals(membrane_level(m, 1), &state, m->nodes, back);
    return 0;
}

static void strike_membrane(struct pretended_membrane *own, uint64_t steps)
{
    struct membrane_tables *const m = &own->tables;
    free(m->force);
    m->force = zeroed(((uint64_t)m->mallets + 1) * steps * sizeof *m->force);
    m->blows[0] = own->plan.strike(own->plan.context, (uint64_t)m->figure[MEMBRANE_STEPS], steps,
                                   m->blows + MEMBRANE_BLOWS, m->force);
    m->blows[1] = (uint32_t)steps;
    m->blows[2] = 0;
}

/* As membrane_kernel of a device, whose threads are the lanes. */
static void step_membrane(const struct pretended_engine *engine, const struct pretended_membrane *own,
                          const void *u)
{
    const struct membrane_tables *const m = &own->tables;
    double lane[3][MEMBRANE_LANES] = {0};
    for (uint32_t p = 0; p < m->ports; p++)
        membrane_hear(m, p, engine_value(&engine->view, u, own->index[p]));
    for (uint32_t n = 0; n < m->nodes; n++)
        membrane_load(m, n);
    membrane_hit(m);
    for (uint32_t n = 0; n < m->nodes; n++)
        membrane_predict(m, n, &lane[0][n % MEMBRANE_LANES], &lane[1][n % MEMBRANE_LANES]);
    const double theta = membrane_theta(&m->terms, membrane_sum_lanes(lane[0]), membrane_sum_lanes(lane[1]));
    for (uint32_t n = 0; n < m->nodes; n++)
        membrane_bend(m, n, theta);
    for (uint32_t n = 0; n < m->nodes; n++)
        membrane_end(m, n, &lane[2][n % MEMBRANE_LANES]);
    membrane_count(m, theta, membrane_sum_lanes(lane[2]));
    for (uint32_t p = 0; p < m->ports; p++)
        own->push[p] = own->weight[p] * membrane_give(m, p);
}

/* Of the surface or of the rest, once these are stepped. */
static void push_nodes(const struct pretended_engine *engine, const struct pretended_membrane *own,
                       void *u_new, bool surface)
{
    for (uint32_t p = 0; p < own->plan.ports; p++) {
        if (engine->halo->outer[own->index[p] / BLOCK_NODES] != surface)
            continue;
        if (engine->view.real_bytes == sizeof(float))
            ((float *)u_new)[own->index[p]] += (float)own->push[p];
        else
            ((double *)u_new)[own->index[p]] += own->push[p];
    }
}

static void pretended_free(struct device_engine *device)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    stream_end(&engine->stepping);
    stream_end(&engine->beside);
    (void)pretended_set_air(device, &(struct air_loss){0}, NULL);
    for (unsigned m = 0; m < engine->membranes; m++)
        free_membrane(&engine->membrane[m]);
    for (int n = 0; n < 2; n++) {
        free(engine->level[n]);
        free(engine->out[n]);
    }
    free(engine->in);
    free(engine->copy);
    free(engine->walls.state);
    free(engine->walls.loss);
    free(engine->receiver);
    free(engine->stepped);
    free(engine->arrived);
    free(engine);
}

static uint64_t pretended_bytes(const struct device_engine *device)
{
    const struct pretended_engine *const engine = (const struct pretended_engine *)device;
    return (uint64_t)pretended_levels(engine) * level_size(engine);
}

static int pretended_set_taps(struct device_engine *device, size_t sources, const struct engine_tap *source,
                              size_t receivers, const struct engine_tap *receiver, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    assert(sources == 0);
    if (pretended.no_taps && engine->base.card == pretended.fails_on)
        return failure_set(why, FAILURE_CAPACITY, "card %u has no room for receivers", engine->base.card);
    free(engine->receiver);
    engine->receivers = receivers;
    engine->receiver = malloc((receivers + 1) * sizeof *receiver);
    assert(engine->receiver != NULL);
    if (receivers > 0)
        memcpy(engine->receiver, receiver, receivers * sizeof *receiver);
    return 0;
}

static int pretended_join(struct device_engine *device, const struct engine_halo *halo, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    engine->halo = halo;
    for (int n = 0; n < 2; n++)
        engine->out[n] = zeroed(halo->sends * engine->view.real_bytes);
    engine->in = zeroed(halo->receives * engine->view.real_bytes);
    return 0;
}

static void pretended_port(const struct device_engine *device, struct device_port *out)
{
    const struct pretended_engine *const engine = (const struct pretended_engine *)device;
    *out = (struct device_port){
        engine->base.card, (void *)&engine->beside, {engine->out[0], engine->out[1]}, engine->in};
}

static void move_values(const struct pretended_engine *engine, bool gather, char *level, char *values)
{
    const struct engine_halo *const halo = engine->halo;
    const size_t real = engine->view.real_bytes;
    for (uint64_t n = 0; n < (gather ? halo->sends : halo->receives); n++)
        if (gather)
            memcpy(values + n * real, level + halo->send[n] * real, real);
        else
            memcpy(level + halo->receive[n] * real, values + n * real, real);
}

static void gather_values(const struct pretended_work *work)
{
    move_values(work->engine, true, work->u_old, work->to);
}

static void scatter_values(const struct pretended_work *work)
{
    move_values(work->engine, false, work->u_old, work->engine->in);
}

static void step_these(const struct pretended_work *work, bool surface)
{
    const struct pretended_engine *const engine = work->engine;
    for (block_id id = 1; id <= engine->view.room.blocks->blocks; id++)
        if (engine->halo == NULL || engine->halo->outer[id] == surface)
            engine->advance(&engine->view.room, work->u, work->u_old, id, (uint64_t)id + 1);
    for (unsigned m = 0; m < engine->membranes; m++)
        push_nodes(engine, &engine->membrane[m], work->u_old, surface);
}

static void step_surface_units(const struct pretended_work *work)
{
    const struct pretended_engine *const engine = work->engine;
    for (size_t r = 0; engine->output != NULL && r < engine->receivers; r++) {
        double sum = 0.0;
        for (unsigned k = 0; k < engine->receiver[r].count; k++)
            sum += engine->receiver[r].weight[k] *
                   engine_value(&engine->view, work->u, engine->receiver[r].index[k]);
        engine->output[r * engine->run + work->number] = sum;
    }
    for (unsigned m = 0; m < engine->membranes; m++)
        step_membrane(engine, &engine->membrane[m], work->u);
    step_these(work, true);
}

static void step_other_units(const struct pretended_work *work)
{
    step_these(work, false);
}

/* Send the values of a level to the other parts. */
static void pretend_gather(struct pretended_engine *engine, char *level)
{
    char *const out = engine->out[engine->exchanges & 1];
    put_event(&engine->stepping, engine->stepped, true);
    put_event(&engine->beside, engine->stepped, false);
    stream_put(&engine->beside,
               (struct pretended_work){.run = gather_values, .engine = engine, .to = out, .u_old = level});
    if (engine->halo->way == HALO_HOST)
        stream_put(&engine->beside,
                   (struct pretended_work){.run = copy_bytes,
                                           .to = engine->halo->out,
                                           .from = out,
                                           .bytes = (size_t)(engine->halo->sends * engine->view.real_bytes)});
}

static void pretend_trade(struct pretended_engine *engine, char *level)
{
    const struct engine_halo *const halo = engine->halo;
    if (halo->way != HALO_QUEUED)
        stream_wait(&engine->beside);
    halo->begin(halo->context);
    halo->finish(halo->context);
    engine->exchanges++;
    if (halo->way == HALO_HOST) {
        (void)__atomic_add_fetch(&pretended.transfers_to_host, 1, __ATOMIC_RELAXED);
        stream_put(&engine->beside,
                   (struct pretended_work){.run = copy_bytes,
                                           .to = engine->in,
                                           .from = halo->in,
                                           .bytes = (size_t)(halo->receives * engine->view.real_bytes)});
    }
    stream_put(&engine->beside,
               (struct pretended_work){.run = scatter_values, .engine = engine, .u_old = level});
    put_event(&engine->beside, engine->arrived, true);
    put_event(&engine->stepping, engine->arrived, false);
}

static void lose_values(const struct pretended_work *work)
{
    const struct pretended_engine *const engine = work->engine;
    air_loss_step(&engine->air, engine->view.real_bytes == 4 ? PRECISION_SINGLE : PRECISION_DOUBLE, work->u,
                  work->u_old, (void *const *)(engine->level + 2), engine->view.length);
}

static void pretend_step(struct pretended_engine *engine, uint64_t n, uint64_t begun)
{
    char *const u = engine->level[engine->now], *const u_old = engine->level[engine->now ^ 1];
    const struct pretended_work work = {.engine = engine, .number = n, .u = u, .u_old = u_old};
    struct pretended_work surface = work, rest = work, loss = work;
    surface.run = step_surface_units;
    rest.run = step_other_units;
    loss.run = lose_values;
    stream_put(&engine->stepping, surface);
    if (engine->halo != NULL)
        pretend_gather(engine, u_old);
    stream_put(&engine->stepping, rest);
    if (engine->halo != NULL)
        pretend_trade(engine, u_old);
    if (engine->air.states > 0 && (begun + 1) % engine->air.every == 0)
        stream_put(&engine->stepping, loss);
    engine->now ^= 1;
    engine->steps++;
}

static int pretended_run(struct device_engine *device, uint64_t begun, uint64_t steps, const double *drive,
                         double *output, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    const uint64_t exchanges = engine->exchanges + steps;
    int code = 0;
    engine->output = output;
    engine->run = steps;
    for (unsigned m = 0; m < engine->membranes; m++)
        strike_membrane(&engine->membrane[m], steps);
    for (uint64_t n = 0; code == 0 && n < steps; n++)
        if (engine->base.card == pretended.fails_on && engine->steps == pretended.fails_after)
            code = failure_set(why, FAILURE_OUTPUT, "card %u fell off the bus", engine->base.card);
        else
            pretend_step(engine, n, begun + n);
    while (engine->halo != NULL && engine->exchanges < exchanges) {
        engine->halo->begin(engine->halo->context);
        engine->halo->finish(engine->halo->context);
        engine->exchanges++;
    }
    stream_wait(&engine->stepping);
    stream_wait(&engine->beside);
    return code;
}

static int pretended_exchange(struct device_engine *device, int level, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    char *const values = engine->level[engine->now ^ level];
    pretend_gather(engine, values);
    pretend_trade(engine, values);
    stream_wait(&engine->stepping);
    return 0;
}

static int pretended_reset(struct device_engine *device, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    const uint64_t real = engine->view.real_bytes;
    for (int n = 0; n < pretended_levels(engine); n++)
        memset(engine->level[n], 0, (size_t)level_size(engine));
    if (engine->walls.state != NULL)
        memset(engine->walls.state, 0, (size_t)(2 * engine->walls.branches * engine->walls.stride * real));
    if (engine->walls.loss != NULL)
        memset(engine->walls.loss, 0, (size_t)(engine->walls.stride * real));
    return 0;
}

static int move_level(struct device_engine *device, int level, uint64_t first, uint64_t count, void *values,
                      bool write)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    const size_t real = engine->view.real_bytes;
    char *const there = pretended_level(engine, level) + first * real;
    memcpy(write ? there : values, write ? values : there, (size_t)count * real);
    return 0;
}

static int pretended_read_part(struct device_engine *device, int level, uint64_t first, uint64_t count,
                               void *values, struct failure *why)
{
    return move_level(device, level, first, count, values, false);
}

static int pretended_write_part(struct device_engine *device, int level, uint64_t first, uint64_t count,
                                const void *values, struct failure *why)
{
    return move_level(device, level, first, count, (void *)(uintptr_t)values, true);
}

static int pretended_read(struct device_engine *device, int level, void *values, struct failure *why)
{
    return move_level(device, level, 0, ((struct pretended_engine *)device)->view.length, values, false);
}

static int pretended_write(struct device_engine *device, int level, const void *values, struct failure *why)
{
    return move_level(device, level, 0, ((struct pretended_engine *)device)->view.length,
                      (void *)(uintptr_t)values, true);
}

static uint64_t pretended_planes(const struct pretended_engine *engine)
{
    return engine->walls.state != NULL ? 2 * (uint64_t)engine->walls.branches : 0;
}

/* Of `count` entries, plane by plane. */
static void pretended_entries(const struct pretended_engine *engine, const char *state, const char *loss,
                              uint64_t first, uint64_t count, char *values)
{
    const uint64_t real = engine->view.real_bytes, stride = engine->walls.stride;
    for (uint64_t plane = 0; plane < pretended_planes(engine); plane++, values += count * real)
        memcpy(values, state + (plane * stride + first) * real, (size_t)(count * real));
    if (engine->walls.ledger)
        memcpy(values, loss + first * real, (size_t)(count * real));
}

static int pretended_read_entries(struct device_engine *device, uint64_t first, uint64_t count, void *values,
                                  struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    pretended_entries(engine, engine->walls.state, engine->walls.loss, first, count, values);
    return 0;
}

static int pretended_copy(struct device_engine *device, bool *made, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    const uint64_t level = level_size(engine), plane = engine->walls.stride * engine->view.real_bytes,
                   states = pretended_planes(engine) * plane,
                   levels = (uint64_t)pretended_levels(engine) * level;
    *made = !pretended.no_copy;
    if (!*made)
        return 0;
    if (engine->copy == NULL)
        engine->copy = zeroed(levels + states + plane);
    for (int n = 0; n < pretended_levels(engine); n++)
        memcpy(engine->copy + (uint64_t)n * level, pretended_level(engine, n), (size_t)level);
    if (states > 0)
        memcpy(engine->copy + levels, engine->walls.state, (size_t)states);
    if (engine->walls.ledger)
        memcpy(engine->copy + levels + states, engine->walls.loss, (size_t)plane);
    return 0;
}

static int pretended_read_copied_part(struct device_engine *device, int level, uint64_t first, uint64_t count,
                                      void *values, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    const uint64_t real = engine->view.real_bytes;
    memcpy(values, engine->copy + ((uint64_t)level * engine->view.length + first) * real,
           (size_t)(count * real));
    return 0;
}

static int pretended_read_copied_entries(struct device_engine *device, uint64_t first, uint64_t count,
                                         void *values, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    const char *const state = engine->copy + (uint64_t)pretended_levels(engine) * level_size(engine);
    pretended_entries(engine, state,
                      state + pretended_planes(engine) * engine->walls.stride * engine->view.real_bytes,
                      first, count, values);
    return 0;
}

/* ---- looking at the field ------------------------------------------------------------------------------ */

static const struct engine *pretended_view(struct pretended_engine *engine)
{
    engine->view.u = engine->level[engine->now];
    engine->view.u_old = engine->level[engine->now ^ 1];
    return &engine->view;
}

static int pretended_measure(struct device_engine *device, struct engine_partial *found, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    const struct engine *const view = pretended_view(engine);
    *found = (struct engine_partial){.bad = UINT64_MAX};
    for (uint64_t n = (uint64_t)view->room.blocks->blocks * BLOCK_NODES + BLOCK_NODES; n-- > BLOCK_NODES;) {
        const double value = engine_value(view, view->u, n);
        if (!isfinite(value))
            found->bad = n;
        else
            found->largest = fmax(found->largest, fabs(value));
    }
    return 0;
}

static int pretended_hash(struct device_engine *device, uint64_t *hash, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    const struct engine *const view = pretended_view(engine);
    *hash = block_field_hash(view->room.blocks, view->real_bytes, view->u);
    return 0;
}

/* The field and walls of the card as an engine on the host, for sums of energy. */
static struct engine pretended_host(struct pretended_engine *engine, const struct wall_terms *terms,
                                    double courant)
{
    struct engine host = *pretended_view(engine);
    host.threads = 1;
    host.walls = engine->walls;
    host.terms = (struct wall_terms *)terms;
    host.step.courant = courant;
    return host;
}

static int pretended_energy(struct device_engine *device, double *energy, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    struct engine host = pretended_host(engine, NULL, 1.0);
    host.room.walls = NULL;
    host.energy = calloc(engine_energy_pieces(&host), sizeof *host.energy);
    *energy = engine_energy_on_host(&host);
    free(host.energy);
    return 0;
}

static int pretended_wall_energy(struct device_engine *device, const struct wall_terms *terms, double courant,
                                 bool inertance, double *energy, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    struct engine host = pretended_host(engine, terms, courant);
    host.inertance = inertance;
    *energy = engine_wall_energy(&host, host.walls.state, 0, engine_wall_count(&host)) / (2.0 * courant);
    return 0;
}

static int pretended_add_absorbed(struct device_engine *device, const struct wall_terms *terms,
                                  double courant, double *absorbed, struct failure *why)
{
    struct pretended_engine *const engine = (struct pretended_engine *)device;
    struct engine host = pretended_host(engine, terms, courant);
    host.absorbed = absorbed;
    engine_collect_losses_here(&host);
    return 0;
}

/* The operations that parts use. */
static const struct device_ops pretended_ops = {.free = pretended_free,
                                                .bytes = pretended_bytes,
                                                .set_taps = pretended_set_taps,
                                                .join = pretended_join,
                                                .port = pretended_port,
                                                .set_air = pretended_set_air,
                                                .run = pretended_run,
                                                .exchange = pretended_exchange,
                                                .add_port = pretended_add_port,
                                                .move_port = pretended_move_port,
                                                .reset = pretended_reset,
                                                .read_part = pretended_read_part,
                                                .write_part = pretended_write_part,
                                                .read = pretended_read,
                                                .write = pretended_write,
                                                .read_entries = pretended_read_entries,
                                                .copy = pretended_copy,
                                                .read_copied_part = pretended_read_copied_part,
                                                .read_copied_entries = pretended_read_copied_entries,
                                                .measure = pretended_measure,
                                                .hash = pretended_hash,
                                                .energy = pretended_energy,
                                                .wall_energy = pretended_wall_energy,
                                                .add_absorbed = pretended_add_absorbed};

static int pretended_engine_create(struct device_engine **out, const struct device_request *request,
                                   struct failure *why)
{
    const struct block_grid *const grid = request->room->blocks;
    if (request->card >= pretended.cards)
        return failure_set(why, FAILURE_CAPACITY, "there is no GPU %u", request->card);
    struct pretended_engine *const engine = zeroed(sizeof *engine);
    engine->base = (struct device_engine){&pretended_ops, request->card, "cuda pretended"};
    engine->view.room = *request->room;
    engine->view.length = request->length;
    engine->view.real_bytes = request->precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    engine->advance = step_reference[LAYOUT_BLOCKS][request->precision];
    for (int n = 0; n < 2; n++)
        engine->level[n] = zeroed(request->length * engine->view.real_bytes);
    if (request->room->walls != NULL) {
        engine->walls = *request->room->walls;
        engine->walls.stride = (grid->walls + 63) / 64 * 64;
        engine->walls.state =
            zeroed(2 * engine->walls.branches * engine->walls.stride * engine->view.real_bytes);
        engine->walls.loss =
            engine->walls.ledger ? zeroed(engine->walls.stride * engine->view.real_bytes) : NULL;
        engine->view.room.walls = &engine->walls;
    }
    engine->stepped = event_make();
    engine->arrived = event_make();
    stream_start(&engine->beside, 2 * pretended.engines + 1);
    stream_start(&engine->stepping, 2 * pretended.engines + 2);
    pretended.engines++;
    *out = &engine->base;
    return 0;
}

static const struct device_table pretended_table = {.reach = pretended_reach,
                                                    .engine_create = pretended_engine_create,
                                                    .signal_make = pretended_signal_make,
                                                    .signal_send = pretended_signal_send,
                                                    .signal_await = pretended_signal_await,
                                                    .port_fetch = pretended_port_fetch,
                                                    .signal_free = pretended_signal_free};
static const struct engine_back_ends pretended_back_ends = {
    .engine = {&engine_on_host, &engine_on_host, &engine_on_device},
    .device = {[BACKEND_CUDA] = &pretended_table}};

#endif
