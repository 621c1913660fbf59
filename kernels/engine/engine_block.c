/* Reading of one block, on the host or the device. */
#include <math.h>
#include <string.h>

#include "kernels/engine/engine.h"
#include "kernels/engine/engine_ask.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_state.h"

/* Read `count` values of a level from a pressure index on. False if the engine is lost. */
static bool read_values(const struct engine *engine, int level, uint64_t first, unsigned count,
                        double *values)
{
    union {
        float single[BLOCK_NODES];
        double twice[BLOCK_NODES];
    } part;
    if (engine->failure.code != FAILURE_NONE)
        return false;
    const char *const from = engine->place != FIELD_ON_DEVICE ? engine_level(engine, (unsigned)level) : NULL;
    if (from != NULL) {
        memcpy(&part, from + first * engine->real_bytes, count * engine->real_bytes);
    } else {
        /* Stores only the failure of the device; the field does not change. */
        struct engine *const asked = (struct engine *)engine;
        if (!ENGINE_ASK(asked, read_part, level, first, count, &part, &asked->failure))
            return false;
    }
    for (unsigned n = 0; n < count; ++n)
        values[n] = engine_value(engine, &part, n);
    return true;
}

/* Read a row of a block at node (x, y, z) of the box: the part within the box. */
static bool read_box_row(const struct engine *engine, int level, const int64_t at[3],
                         double values[BLOCK_EDGE])
{
    const struct box_grid *box = engine->room.box;
    const int64_t begin = at[0] < 0 ? -at[0] : 0;
    const int64_t end = box->nodes[0] - at[0] < BLOCK_EDGE ? box->nodes[0] - at[0] : BLOCK_EDGE;
    if (at[1] < 0 || at[2] < 0 || at[1] >= box->nodes[1] || at[2] >= box->nodes[2] || begin >= end)
        return true;
    return read_values(engine, level, box_index(box, at[0] + begin, at[1], at[2]), (unsigned)(end - begin),
                       values + begin);
}

bool engine_read_level(const struct engine *engine, int level, uint32_t block, double values[BLOCK_NODES])
{
    /* Stores only the failure; the field does not change. */
    return engine->ops->read_level((struct engine *)engine, level, block, values);
}

bool engine_read_here(struct engine *engine, int level, uint32_t block, double values[BLOCK_NODES])
{
    bool sound = true;
    for (unsigned slot = 0; slot < BLOCK_NODES; ++slot)
        values[slot] = 0;
    if (engine->room.box == NULL)
        sound = read_values(engine, level, (uint64_t)block * BLOCK_NODES, BLOCK_NODES, values);
    const struct block_grid *grid = engine->room.blocks;
    const bool listed = block >= block_list_first(grid);
    const uint64_t list = listed ? (uint64_t)(block - block_list_first(grid)) * BLOCK_NODES : 0;
    for (unsigned slot = 0; listed && sound && engine->room.box != NULL && slot < BLOCK_NODES; ++slot)
        if (list + slot < grid->list_nodes)
            sound = read_values(engine, level, engine_list_index(engine, list + slot), 1, values + slot);
    for (unsigned slot = 0; !listed && sound && engine->room.box != NULL && slot < BLOCK_NODES;
         slot += BLOCK_EDGE) {
        int64_t at[3];
        block_node(&engine->room.blocks->block[block], slot, at);
        for (int axis = 0; axis < 3; ++axis)
            at[axis] -= engine->room.box->low[axis];
        sound = read_box_row(engine, level, at, values + slot);
    }
    for (unsigned slot = 0; !sound && slot < BLOCK_NODES; ++slot)
        values[slot] = NAN;
    return sound;
}

void engine_read_block(const struct engine *engine, uint32_t block, double values[BLOCK_NODES])
{
    (void)engine_read_level(engine, 0, block, values);
}
