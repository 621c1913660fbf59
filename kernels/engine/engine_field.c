#include "kernels/engine/engine_field.h"

#include <math.h>

#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_state.h"

int engine_field_see(struct engine *engine, int level, struct engine_field *out, struct failure *failure)
{
    if (engine->ops->fetch == NULL)
        return failure_set(failure, FAILURE_INPUT,
                           "an engine on several devices or processes has no field in one piece: use one "
                           "device");
    if (!engine->ops->fetch(engine))
        return engine_failed(engine, failure);
    *out = (struct engine_field){.value = level == 0 ? engine->u : engine->u_old,
                                 .length = engine->length,
                                 .real_bytes = engine->real_bytes};
    return 0;
}

int engine_field_put(struct engine *engine, int level, const double *values, struct failure *failure)
{
    struct engine_field field;
    TRY(engine_field_see(engine, level, &field, failure));
    for (uint64_t index = 0; index < field.length; ++index)
        if (!isfinite(values[index]) && engine_is_air(engine, index))
            return failure_set(failure, FAILURE_INPUT, "value %llu of the field is %g: it must be finite",
                               (unsigned long long)index, values[index]);
    engine_map(engine);
    for (uint64_t index = 0; index < field.length; ++index)
        if (engine_is_air(engine, index))
            engine_put(engine, level == 0 ? engine->u : engine->u_old, index, values[index]);
    return engine_failed(engine, failure);
}
