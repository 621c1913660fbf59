#include "kernels/engine_fill.h"

#include <omp.h>

#include "kernels/device_engine.h"
#include "kernels/engine_state.h"

/* SplitMix64's finaliser over a weighted sum of the coordinates: 32 bits for each level. */
static uint64_t node_bits(const int64_t node[3], uint64_t seed)
{
    uint64_t z = seed + (uint64_t)node[0] * UINT64_C(0x9E3779B97F4A7C15) +
                 (uint64_t)node[1] * UINT64_C(0xD1B54A32D192ED03) +
                 (uint64_t)node[2] * UINT64_C(0x8CB92BA72F3D8DD7);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int level_value(uint64_t bits, int level)
{
    return (int)((uint32_t)(bits >> 32 * level) % 7) - 3;
}

int engine_fill_value(const int64_t node[3], int level, uint64_t seed)
{
    return level_value(node_bits(node, seed), level);
}

static void fill_node(const struct engine *engine, uint64_t index, const int64_t node[3], uint64_t seed)
{
    if (engine_links(engine, index) == 0)
        return;
    const uint64_t bits = node_bits(node, seed);
    const int now = level_value(bits, 0), old = level_value(bits, 1);
    if (engine->real_bytes == sizeof(float)) {
        ((float *)engine->u)[index] = (float)now;
        ((float *)engine->u_old)[index] = (float)old;
    } else {
        ((double *)engine->u)[index] = now;
        ((double *)engine->u_old)[index] = old;
    }
}

/* One block, or one row of the box (halo rows and ends have no links). */
static void fill_unit(const struct engine *engine, uint64_t unit, uint64_t seed)
{
    const uint64_t begin = step_unit_index(&engine->room, unit);
    int64_t node[3];
    if (engine->room.box == NULL) {
        const struct block *block = &engine->room.blocks->block[unit];
        for (uint64_t slot = 0; slot < BLOCK_NODES; ++slot) {
            for (int axis = 0; axis < 3; ++axis)
                node[axis] = (int64_t)block->place[axis] * BLOCK_EDGE + (int64_t)(slot >> (3 * axis) & 7);
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
    if (engine->device != NULL) {
        struct failure failure = {0};
        (void)engine_keep(engine, device_engine_fill(engine->device, seed, &failure), &failure);
        engine->place = FIELD_ON_DEVICE;
        return;
    }
#pragma omp parallel num_threads(engine->threads)
    {
        uint64_t first, last;
        engine_share(engine, omp_get_thread_num(), omp_get_num_threads(), &first, &last);
        for (uint64_t unit = first; unit < last; ++unit)
            fill_unit(engine, unit, seed);
    }
}
