/* Functions shared by engines on the CPU and on a device: all but the field is on the host. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/engine/engine_layer.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_passes.h"
#include "kernels/engine/engine_port.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_walls.h"

void engine_describe(struct engine *engine, const char *name, const char *threads)
{
    (void)snprintf(engine->description, sizeof engine->description, "%s, %s, %s%s", name,
                   engine->options.layout == LAYOUT_BOX ? "box" : "blocks",
                   engine->options.precision == PRECISION_SINGLE ? "single" : "double", threads);
}

void engine_free_here(struct engine *engine)
{
    step_barrier_destroy(&engine->barrier);
    step_barrier_destroy(&engine->step_end);
    free(engine->memory);
    engine_free_walls(engine);
    engine_free_sheets(engine);
    engine_free_layer(engine);
    engine_free_air(engine);
    engine_free_port(engine);
    engine_free_passes(engine);
    free(engine->source);
    free(engine->receiver);
    free(engine->partial);
    free(engine->share);
    free(engine->energy);
    free(engine);
}

/* Weights of a source at its nodes within a step. */
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

double engine_get_here(struct engine *engine, int level, uint64_t index, const int64_t node[3])
{
    (void)node;
    return engine->ops->fetch(engine) ? engine_value(engine, level == 0 ? engine->u : engine->u_old, index)
                                      : NAN;
}

void engine_set_here(struct engine *engine, int level, uint64_t index, const int64_t node[3], double value)
{
    (void)node;
    if (engine->ops->map != NULL)
        engine->ops->map(engine);
    if (engine->failure.code == FAILURE_NONE)
        engine_put(engine, level == 0 ? engine->u : engine->u_old, index, value);
}

uint32_t engine_threads_here(const struct engine *engine)
{
    return (uint32_t)engine->threads;
}
