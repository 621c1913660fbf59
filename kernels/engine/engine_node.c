/* Places of the nodes of an engine, and its failure. */
#include "kernels/engine/engine.h"
#include "kernels/engine/engine_state.h"

uint64_t engine_node_index(const struct engine *engine, const int64_t node[3])
{
    const struct box_grid *box = engine->room.box;
    const uint64_t index =
        box != NULL ? box_grid_index(box, node) : block_grid_index(engine->room.blocks, node);
    if (index == UINT64_MAX || !engine_is_air(engine, index) || engine_list_node(engine, index) != UINT64_MAX)
        return UINT64_MAX;
    return index;
}

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
