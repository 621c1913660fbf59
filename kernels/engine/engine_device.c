/* An engine whose field is on a device: the copy on the host, and what happens when the device fails. */
#include <math.h>
#include <stdlib.h>

#include "kernels/cuda/device_engine.h"
#include "kernels/engine/engine.h"
#include "kernels/engine/engine_halo.h"
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

bool engine_fetch(struct engine *engine)
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

void engine_map(struct engine *engine)
{
    if (engine->device != NULL && engine_fetch(engine))
        engine->place = FIELD_ON_HOST;
}

void engine_run_on_device(struct engine *engine, uint64_t steps, const double *drive, double *output)
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

void engine_reset_on_device(struct engine *engine)
{
    struct failure failure = {0};
    if (engine->failure.code == FAILURE_NONE)
        (void)engine_keep(engine, engine->device->ops->reset(engine->device, &failure), &failure);
    engine->place = FIELD_ON_DEVICE;
    engine_forget_absorbed(engine);
    engine->steps = 0;
}
