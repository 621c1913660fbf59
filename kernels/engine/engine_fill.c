#include "kernels/engine/engine_fill.h"

#include <omp.h>

#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_share.h"
#include "kernels/engine/engine_state.h"
#include "kernels/scheme/fill_value.h"

int engine_fill_value(const int64_t node[3], int level, uint64_t seed)
{
    return fill_level(fill_bits(node[0], node[1], node[2], seed), level);
}

static void fill_node(const struct engine *engine, uint64_t index, const int64_t node[3], uint64_t seed)
{
    if (!engine_is_air(engine, index))
        return;
    const uint64_t list = engine_list_node(engine, index);
    const uint64_t bits =
        list != UINT64_MAX
            ? fill_list_bits(field_list_place_from((const int64_t(*)[3])engine->room.blocks->list_voxel, list,
                                                   engine->room.blocks->list_before),
                             seed)
            : fill_bits(node[0], node[1], node[2], seed);
    engine_put(engine, engine->u, index, fill_level(bits, 0));
    engine_put(engine, engine->u_old, index, fill_level(bits, 1));
}

/* One block, or one row of the box (halo rows and ends have no links). */
static void fill_unit(const struct engine *engine, uint64_t unit, uint64_t seed)
{
    const uint64_t begin = step_unit_index(&engine->room, unit);
    int64_t node[3];
    if (engine->room.box == NULL) {
        const struct block *block = &engine->room.blocks->block[unit];
        for (unsigned slot = 0; slot < BLOCK_NODES; ++slot) {
            block_node(block, slot, node);
            fill_node(engine, begin + slot, node, seed);
        }
        return;
    }
    const struct box_grid *box = engine->room.box;
    const int64_t rows = box->nodes[1] + 2;
    node[1] = box->low[1] + (int64_t)unit % rows - 1;
    node[2] = box->low[2] + (int64_t)unit / rows;
    for (int64_t x = 0; x < box->nodes[0]; ++x) {
        node[0] = box->low[0] + x;
        fill_node(engine, begin + (uint64_t)x + 1, node, seed);
    }
}

void engine_fill(struct engine *engine, uint64_t seed)
{
    engine->ops->fill(engine, seed);
}

void engine_fill_on_host(struct engine *engine, uint64_t seed)
{
#pragma omp parallel num_threads(engine->threads)
    {
        uint64_t first, last;
        engine_share_of(engine, omp_get_thread_num(), omp_get_num_threads(), &first, &last);
        for (uint64_t unit = first; unit < last; ++unit)
            fill_unit(engine, unit, seed);
    }
}
