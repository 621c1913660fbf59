/* An engine whose field is on a device: the copy on the host, and what happens when the device fails. */
#include <math.h>
#include <stdlib.h>

#include "kernels/cuda/device_engine.h"
#include "kernels/engine/engine.h"
#include "kernels/engine/engine_halo.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_wall_energy.h"
#include "kernels/machine/machine_memory.h"

bool engine_keep(struct engine *engine, int code, const struct failure *failure)
{
    if (code != 0 && engine->failure.code == FAILURE_NONE)
        engine->failure = *failure;
    return code == 0;
}

int engine_failed(const struct engine *engine, struct failure *failure)
{
    if (engine->failure.code == FAILURE_NONE)
        return 0;
    return failure_forward(failure, &engine->failure);
}

/* Memory for the copy of both levels. */
static int make_copy(struct engine *engine, struct failure *failure)
{
    const uint64_t bytes = engine_level_bytes(engine);
    if (engine->memory != NULL)
        return 0;
    const uint64_t pressures = engine_second_level(engine) + bytes, available = machine_memory_available();
    if (pressures > available)
        return failure_advise(
            failure_set(failure, FAILURE_CAPACITY,
                        "a copy of the device's pressures takes %llu bytes, and this machine has %llu "
                        "bytes free",
                        (unsigned long long)pressures, (unsigned long long)available),
            failure, ADVICE_COARSER_GRID, 0);
    engine->memory = machine_memory_allocate(pressures);
    if (engine->memory == NULL)
        return failure_memory(failure, pressures, "a copy of the device's pressures");
    engine->u = engine->memory;
    engine->u_old = (char *)engine->memory + engine_second_level(engine);
    return 0;
}

static bool fetch(struct engine *engine)
{
    struct failure failure = {0};
    if (engine->failure.code != FAILURE_NONE)
        return false;
    if (engine->place != FIELD_ON_DEVICE)
        return true;
    int code = make_copy(engine, &failure);
    if (code == 0)
        code = engine->device->ops->read(engine->device, 0, engine->u, &failure);
    if (code == 0)
        code = engine->device->ops->read(engine->device, 1, engine->u_old, &failure);
    if (code == 0)
        engine->place = FIELD_ON_BOTH;
    return engine_keep(engine, code, &failure);
}

bool engine_send(struct engine *engine)
{
    struct failure failure = {0};
    if (engine->failure.code != FAILURE_NONE)
        return false;
    if (engine->place != FIELD_ON_HOST)
        return true;
    int code = engine->device->ops->write(engine->device, 0, engine->u, &failure);
    if (code == 0)
        code = engine->device->ops->write(engine->device, 1, engine->u_old, &failure);
    if (code == 0)
        engine->place = FIELD_ON_BOTH;
    return engine_keep(engine, code, &failure);
}

static void map(struct engine *engine)
{
    if (fetch(engine))
        engine->place = FIELD_ON_HOST;
}

static void run(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    struct failure failure = {0};
    bool sound = engine_send(engine);
    if (sound && !engine->taps_sent) {
        sound = engine_keep(engine,
                            engine->device->ops->set_taps(engine->device, engine->sources, engine->source,
                                                          engine->receivers, engine->receiver, &failure),
                            &failure);
        engine->taps_sent = sound;
    }
    if (sound)
        sound = engine_keep(engine, engine->device->ops->run(engine->device, steps, drive, output, &failure),
                            &failure);
    else
        engine_exchange_nothing(engine, steps);
    if (!sound && output != NULL)
        for (uint64_t n = 0; n < engine->receivers * steps; ++n)
            output[n] = NAN;
    engine->place = FIELD_ON_DEVICE;
    engine->steps += steps;
}

static void reset(struct engine *engine)
{
    struct failure failure = {0};
    if (engine->failure.code == FAILURE_NONE)
        (void)engine_keep(engine, engine->device->ops->reset(engine->device, &failure), &failure);
    engine->place = FIELD_ON_DEVICE;
    engine_forget_absorbed(engine);
}

static void fill(struct engine *engine, uint64_t seed)
{
    struct failure failure = {0};
    (void)engine_keep(engine, engine->device->ops->fill(engine->device, seed, &failure), &failure);
    engine->place = FIELD_ON_DEVICE;
}

/* A field is looked at on the device; where the host holds a newer one, that goes there before. */
static struct engine_partial measure(struct engine *engine)
{
    struct engine_partial whole = {.sum = NAN, .plain = NAN, .largest = NAN, .bad = BLOCK_NODES};
    struct failure failure = {0};
    if (engine_send(engine))
        (void)engine_keep(engine, engine->device->ops->measure(engine->device, &whole, &failure), &failure);
    return whole;
}

static double energy(struct engine *engine)
{
    struct failure failure = {0};
    double sum = NAN, held = 0.0;
    if (!engine_send(engine) ||
        !engine_keep(engine, engine->device->ops->energy(engine->device, &sum, &failure), &failure))
        return NAN;
    sum += engine_sheet_energy(engine, 0.0);
    if (engine->room.walls == NULL || engine->walls.branches == 0)
        return sum;
    const int code = engine->device->ops->wall_energy(engine->device, engine->terms, engine->step.courant,
                                                      engine->inertance, &held, &failure);
    return engine_keep(engine, code, &failure) ? sum + held : NAN;
}

static uint64_t hash(struct engine *engine)
{
    struct failure failure = {0};
    uint64_t found = 0;
    if (engine_send(engine))
        (void)engine_keep(engine, engine->device->ops->hash(engine->device, &found, &failure), &failure);
    return found;
}

static uint64_t bytes(const struct engine *engine)
{
    return engine->device->ops->bytes(engine->device);
}

/* ---- a part of a room ---------------------------------------------------------------------------------- */

static void join(struct engine *engine)
{
    struct failure failure = {0};
    (void)engine_keep(engine, engine->device->ops->join(engine->device, engine->halo, &failure), &failure);
}

/* What is lost exchanges too: others wait for it. */
static void exchange(struct engine *engine, int level)
{
    struct failure failure = {0};
    if (engine_send(engine)) {
        (void)engine_keep(engine, engine->device->ops->exchange(engine->device, level, &failure), &failure);
        engine->place = FIELD_ON_DEVICE;
    } else {
        engine_exchange_nothing(engine, 1);
    }
}

const struct engine_ops engine_on_device = {.free = engine_free_here,
                                            .add = engine_add_here,
                                            .run = run,
                                            .reset = reset,
                                            .fetch = fetch,
                                            .map = map,
                                            .get = engine_get_here,
                                            .set = engine_set_here,
                                            .read_level = engine_read_here,
                                            .fill = fill,
                                            .measure = measure,
                                            .energy = energy,
                                            .absorbed = engine_absorbed_here,
                                            .hash = hash,
                                            .bytes = bytes,
                                            .threads = engine_threads_here,
                                            .join = join,
                                            .exchange = exchange};
