/* Losses of the air in an engine: a pass over all values after a step, here on processors. In a part of a
 * room it includes the ghosts: their values and states are those of their owners, and so they remain,
 * although the values were sent before the losses. */
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_state.h"
#include "kernels/machine/machine_memory.h"
#include "kernels/scheme/air_loss.h"

struct engine_air {
    struct air_loss loss;
    void *state[AIR_LOSS_STATES]; /* (engine.length) as u; owned. NULL: on a device, or in parts */
};

int engine_set_air(struct engine *engine, const struct air_loss *loss, struct failure *failure)
{
    if (!air_loss_is_stable(loss) || (loss->states > 0 && loss->every == 0))
        return failure_set(failure, FAILURE_INPUT, "losses of the air must not make the energy grow");
    engine_free_air(engine);
    if (loss->states > 0) {
        engine->air = calloc(1, sizeof *engine->air);
        if (engine->air == NULL)
            return failure_memory(failure, sizeof *engine->air, "losses of the air");
        engine->air->loss = *loss;
    }
    const int code = engine->ops->make_air(engine, loss, failure);
    if (code != 0)
        engine_free_air(engine);
    else
        engine_reset(engine);
    return code;
}

int engine_make_air_on_host(struct engine *engine, const struct air_loss *loss, struct failure *failure)
{
    const uint64_t bytes = engine_level_bytes(engine), available = machine_memory_available();
    if (loss->states * bytes > available)
        return failure_advise(
            failure_set(failure, FAILURE_CAPACITY,
                        "the losses of the air take %llu bytes more, and this machine has %llu bytes free",
                        (unsigned long long)(loss->states * bytes), (unsigned long long)available),
            failure, ADVICE_LESS_MEMORY, 0);
    for (unsigned s = 0; s < loss->states; ++s)
        if ((engine->air->state[s] = machine_memory_allocate(bytes)) == NULL)
            return failure_memory(failure, bytes, "losses of the air");
    return 0;
}

const struct air_loss *engine_air_loss(const struct engine *engine)
{
    return engine->air != NULL ? &engine->air->loss : NULL;
}

void engine_free_air(struct engine *engine)
{
    for (unsigned s = 0; engine->air != NULL && s < AIR_LOSS_STATES; ++s)
        free(engine->air->state[s]);
    free(engine->air);
    engine->air = NULL;
}

uint64_t engine_air_bytes(const struct engine *engine)
{
    return engine->air != NULL ? engine->air->loss.states * engine_level_bytes(engine) : 0;
}

void engine_zero_air(const struct engine *engine, uint64_t begin, uint64_t end)
{
    for (unsigned s = 0; engine->air != NULL && s < engine->air->loss.states; ++s)
        memset((char *)engine->air->state[s] + begin * engine->real_bytes, 0,
               (size_t)((end - begin) * engine->real_bytes));
}

bool engine_air_is_due(const struct engine *engine, uint64_t step)
{
    return engine->air != NULL && (step + 1) % engine->air->loss.every == 0;
}

void engine_step_air(const struct engine *engine, void *u, void *u_new, uint64_t begin, uint64_t end)
{
    const uint64_t from = begin * engine->real_bytes;
    void *state[AIR_LOSS_STATES] = {NULL};
    for (unsigned s = 0; s < engine->air->loss.states; ++s)
        state[s] = (char *)engine->air->state[s] + from;
    air_loss_step(&engine->air->loss, engine->options.precision, (char *)u + from, (char *)u_new + from,
                  state, end - begin);
}

void *engine_level(const struct engine *engine, unsigned level)
{
    return level == 0 ? engine->u : level == 1 ? engine->u_old : engine->air->state[level - 2];
}
