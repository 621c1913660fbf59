#include "kernels/engine/engine_halo.h"

#include <assert.h>
#include <string.h>

#include "kernels/engine/engine_ask.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_state.h"

void engine_join(struct engine *engine, const struct engine_halo *halo)
{
    assert(engine->room.box == NULL && (engine->device != NULL || halo->way == HALO_HOST));
    engine->halo = halo;
    engine->taps_sent = false;
    if (engine->device != NULL)
        (void)ENGINE_ASK(engine, join, halo, &engine->failure);
}

void engine_gather(const struct engine *engine, const void *level)
{
    const struct engine_halo *const halo = engine->halo;
    if (engine->real_bytes == sizeof(float))
        for (uint64_t n = 0; n < halo->sends; ++n)
            ((float *)halo->out)[n] = ((const float *)level)[halo->send[n]];
    else
        for (uint64_t n = 0; n < halo->sends; ++n)
            ((double *)halo->out)[n] = ((const double *)level)[halo->send[n]];
}

void engine_scatter(const struct engine *engine, void *level)
{
    const struct engine_halo *const halo = engine->halo;
    if (engine->real_bytes == sizeof(float))
        for (uint64_t n = 0; n < halo->receives; ++n)
            ((float *)level)[halo->receive[n]] = ((const float *)halo->in)[n];
    else
        for (uint64_t n = 0; n < halo->receives; ++n)
            ((double *)level)[halo->receive[n]] = ((const double *)halo->in)[n];
}

void engine_complete_exchanges(const struct engine *engine, uint64_t times)
{
    for (uint64_t n = 0; engine->halo != NULL && n < times; ++n) {
        engine->halo->begin(engine->halo->context);
        engine->halo->finish(engine->halo->context);
    }
}

void engine_exchange(struct engine *engine, int level)
{
    engine->ops->exchange(engine, level);
}

void engine_exchange_on_host(struct engine *engine, int level)
{
    void *const values = engine_level(engine, (unsigned)level);
    engine_gather(engine, values);
    engine->halo->begin(engine->halo->context);
    engine->halo->finish(engine->halo->context);
    engine_scatter(engine, values);
}
