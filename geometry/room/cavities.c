#include "geometry/room/cavity_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/voxel/block_bits.h"
#include "geometry/voxel/nearest_air.h"

static void list_cavity(struct cavity_list *list, const int64_t node[3], uint64_t air_nodes)
{
    size_t at = list->count;
    list->all_count++;
    list->all_air_nodes += air_nodes;
    while (at > 0 && list->cavity[at - 1].air_nodes < air_nodes)
        at--;
    if (at == list->limit)
        return;
    const size_t last = list->count < list->limit ? list->count++ : list->limit - 1;
    memmove(&list->cavity[at + 1], &list->cavity[at], (last - at) * sizeof *list->cavity);
    memcpy(list->cavity[at].node, node, sizeof list->cavity[at].node);
    list->cavity[at].air_nodes = air_nodes;
}

int cavity_list_find(struct flood *flood, struct cavity_list *list, struct failure *failure)
{
    const int64_t *blocks = flood->field->blocks;
    int32_t place[3];
    uint64_t index = 0;
    for (place[2] = 0; place[2] < blocks[2]; place[2]++)
        for (place[1] = 0; place[1] < blocks[1]; place[1]++)
            for (place[0] = 0; place[0] < blocks[0]; place[0]++, index++) {
                if ((flood->state[index] & (FLOOD_REACHED | FLOOD_HAS_CUTS)) == FLOOD_REACHED)
                    continue;
                uint64_t left[8];
                nearest_air_candidates(flood, true, place, left);
                for (int z = 0; z < 8; z++)
                    while (left[z] != 0) {
                        int64_t node[3];
                        uint64_t count, air[8];
                        block_bits_node(place, 64 * (unsigned)z + (unsigned)__builtin_ctzll(left[z]), node);
                        TRY(flood_from(flood, node, &count, failure));
                        list_cavity(list, node, count);
                        flood_block_air(flood, place, air);
                        for (int plane = 0; plane < 8; plane++)
                            left[plane] &= ~air[plane];
                    }
            }
    return 0;
}

/** Distance of every block position to the nearest one that is not all air of this flood, in blocks counting
 * diagonal steps as one, 255 at most: two sweeps over the box. The outside counts as not air. */
static void block_depths(const struct flood *flood, uint8_t *depth)
{
    const int64_t *blocks = flood->field->blocks;
    const int64_t row = blocks[0], layer = blocks[0] * blocks[1], places = layer * blocks[2];
    for (int64_t i = 0; i < places; i++)
        depth[i] = (flood->state[i] & (FLOOD_REACHED | FLOOD_HAS_CUTS)) == FLOOD_REACHED ? 255 : 0;
    for (int back = 0; back < 2; back++)
        for (int64_t step = 0; step < places; step++) {
            const int64_t i = back ? places - 1 - step : step;
            if (depth[i] == 0)
                continue;
            const int64_t at[3] = {i % row, i / row % blocks[1], i / layer};
            unsigned nearest = 254;
            /* The 13 neighbours that this sweep has passed. */
            for (int n = 0; n < 13; n++) {
                const int sign = back ? -1 : 1;
                const int offset[3] = {sign * (n % 3 - 1), sign * (n / 3 % 3 - 1), sign * (n / 9 - 1)};
                bool inside = true;
                for (int axis = 0; axis < 3; axis++)
                    inside = inside && at[axis] + offset[axis] >= 0 && at[axis] + offset[axis] < blocks[axis];
                const unsigned there =
                    inside ? depth[i + offset[0] + offset[1] * row + offset[2] * layer] : 0;
                nearest = there < nearest ? there : nearest;
            }
            depth[i] = (uint8_t)(nearest + 1 < depth[i] ? nearest + 1 : depth[i]);
        }
}

/** Nodes that are tried per cavity: enough to be well clear of walls, few enough to cost nothing. */
#define CANDIDATES 32768

int cavity_clear_node(const struct flood *flood, const struct clearance *tree, int64_t node[3],
                      struct failure *failure)
{
    const int64_t *blocks = flood->field->blocks;
    const struct lattice *lattice = &flood->field->lattice;
    const uint64_t places = (uint64_t)blocks[0] * (uint64_t)blocks[1] * (uint64_t)blocks[2];
    uint64_t deep_blocks = 0;
    uint8_t deepest = 0, *depth = malloc((size_t)places);
    if (depth == NULL)
        return failure_memory(failure, places, "the depth of cavities");
    block_depths(flood, depth);
    for (uint64_t i = 0; i < places; i++)
        deepest = depth[i] > deepest ? depth[i] : deepest;
    for (uint64_t i = 0; i < places; i++)
        deep_blocks += depth[i] == deepest && (flood->state[i] & FLOOD_REACHED) != 0;
    int stride = 1;
    while (stride < 8 && deep_blocks * 512 / (uint64_t)(stride * stride * stride) > CANDIDATES)
        stride *= 2;
    double position[3];
    lattice_position(lattice, node, position);
    double best = clearance_at(tree, position, INFINITY);
    uint64_t index = 0;
    int32_t place[3];
    for (place[2] = 0; place[2] < blocks[2]; place[2]++)
        for (place[1] = 0; place[1] < blocks[1]; place[1]++)
            for (place[0] = 0; place[0] < blocks[0]; place[0]++, index++) {
                if (depth[index] != deepest || (flood->state[index] & FLOOD_REACHED) == 0)
                    continue;
                uint64_t air[8];
                flood_block_air(flood, place, air);
                for (unsigned slot = 0; slot < 512; slot++) {
                    int64_t at[3];
                    block_bits_node(place, slot, at);
                    if (!block_bits_has(air, slot) || at[0] % stride != stride / 2 ||
                        at[1] % stride != stride / 2 || at[2] % stride != stride / 2)
                        continue;
                    lattice_position(lattice, at, position);
                    const double clear = clearance_at(tree, position, INFINITY);
                    /* Only a real gain moves the point, so that rounding does not choose between equals. */
                    if (clear > best * (1 + 1e-9)) {
                        best = clear;
                        memcpy(node, at, sizeof at);
                    }
                }
            }
    free(depth);
    return 0;
}
