#include "geometry/voxel/flood.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/search_queue.h"
#include "geometry/voxel/block_bits.h"

/** The state of a flood. */
struct spread {
    struct flood *flood;
    struct search_queue queue; /* indices of places to visit */
    uint64_t count;            /* new nodes */
    struct failure *failure;
};

void flood_free(struct flood *flood)
{
    free(flood->state);
    free(flood->air);
    *flood = (struct flood){0};
}

int flood_start(const struct cut_field *field, bool open, struct flood *out, struct failure *failure)
{
    struct flood flood = {.field = field, .open = open};
    const uint64_t places =
        (uint64_t)field->blocks[0] * (uint64_t)field->blocks[1] * (uint64_t)field->blocks[2];
    flood.state = places <= SIZE_MAX ? calloc((size_t)places, 1) : NULL;
    flood.air = calloc(field->block_count + 1, sizeof *flood.air);
    if (flood.state == NULL || flood.air == NULL) {
        flood_free(&flood);
        return failure_memory(failure, places + field->block_count * sizeof *flood.air, "the flood fill");
    }
    for (size_t b = 0; b < field->block_count; b++) {
        const int32_t *place = field->block[b].place;
        if (box_has_place(field->blocks, place))
            flood.state[box_place_index(field->blocks, place)] = FLOOD_HAS_CUTS;
    }
    *out = flood;
    return 0;
}

void flood_block_air(const struct flood *flood, const int32_t place[3], uint64_t air[8])
{
    const uint8_t state = flood->state[box_place_index(flood->field->blocks, place)];
    if ((state & FLOOD_HAS_CUTS) != 0)
        memcpy(air, flood->air[cut_field_find(flood->field, place)], 8 * sizeof *air);
    else if ((state & FLOOD_REACHED) != 0)
        block_bits_inside(&flood->field->lattice, place, air);
    else
        memset(air, 0, 8 * sizeof *air);
}

bool flood_is_air(const struct flood *flood, const int64_t node[3])
{
    if (!lattice_has(&flood->field->lattice, node))
        return false;
    int32_t place[3];
    uint64_t air[8];
    block_bits_place(node, place);
    flood_block_air(flood, place, air);
    return block_bits_has(air, block_bits_slot(node));
}

bool flood_is_isolated(const struct cut_field *field, const int64_t node[3])
{
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (!cut_field_is_cut(field, node, (enum direction)direction))
            return false;
    return true;
}

static int enqueue_block(struct spread *spread, uint64_t index)
{
    if ((spread->flood->state[index] & FLOOD_QUEUED) != 0)
        return 0;
    spread->flood->state[index] |= FLOOD_QUEUED;
    return search_queue_push(&spread->queue, index, "the front of the flood fill", spread->failure);
}

/** Add air nodes to the block at `place`. */
static int add_air(struct spread *spread, const int32_t place[3], const uint64_t bits[8])
{
    struct flood *flood = spread->flood;
    const uint64_t index = box_place_index(flood->field->blocks, place);
    unsigned added = 0;
    if ((flood->state[index] & FLOOD_HAS_CUTS) != 0) {
        uint64_t *air = flood->air[cut_field_find(flood->field, place)];
        for (int z = 0; z < 8; z++) {
            added += (unsigned)__builtin_popcountll(bits[z] & ~air[z]);
            air[z] |= bits[z];
        }
    } else if ((flood->state[index] & FLOOD_REACHED) == 0) {
        uint64_t any = 0, inside[8];
        for (int z = 0; z < 8; z++)
            any |= bits[z];
        block_bits_inside(&flood->field->lattice, place, inside);
        added = any != 0 ? block_bits_count(inside) : 0;
    }
    if (added == 0)
        return 0;
    spread->count += added;
    flood->state[index] |= FLOOD_REACHED;
    return enqueue_block(spread, index);
}

/** Air that leaves the box through the given face of a block at its border, as bits of this block. */
static uint64_t exit_bits(const struct cut_field *field, const int32_t place[3], const uint64_t air[8],
                          const struct cut_block *block, enum direction direction, uint64_t bits[8])
{
    static const uint64_t none[8] = {0};
    const int axis = (int)direction / 2;
    uint64_t edge[8], closed[8] = {0}, any = 0;
    block_bits_edge(&field->lattice, place, direction, edge);
    if (direction % 2 == 0) {
        int32_t behind[3];
        box_place_next(place, (int)direction, behind);
        const struct cut_block *before = cut_field_block(field, behind);
        if (before != NULL) /* the link is stored at its low end, the node outside */
            block_bits_move(none, before->cut[axis], direction ^ 1, closed);
    } else if (block != NULL) {
        memcpy(closed, block->cut[axis], sizeof closed);
    }
    for (int z = 0; z < 8; z++) {
        bits[z] = air[z] & edge[z] & ~closed[z];
        any |= bits[z];
    }
    return any;
}

static void record_escape(struct flood *flood, const int32_t place[3], const uint64_t bits[8],
                          enum direction direction)
{
    unsigned z = 0;
    while (bits[z] == 0)
        z++;
    flood->escaped = true;
    flood->exit_direction = direction;
    block_bits_node(place, 64 * z + (unsigned)__builtin_ctzll(bits[z]), flood->exit_node);
}

/** Flood one block, and add its air to its neighbours. */
static int visit_block(struct spread *spread, uint64_t index)
{
    struct flood *flood = spread->flood;
    const struct cut_field *field = flood->field;
    int32_t place[3];
    const struct cut_block *block = NULL;
    uint64_t air[8];
    box_place_at(field->blocks, index, place);
    flood->state[index] &= (uint8_t)~FLOOD_QUEUED;
    block_bits_inside(&field->lattice, place, air);
    if ((flood->state[index] & FLOOD_HAS_CUTS) != 0) {
        block = cut_field_block(field, place);
        uint64_t *own = flood->air[block - field->block];
        const unsigned before = block_bits_count(own);
        block_bits_fill(own, block->cut, air);
        memcpy(air, own, sizeof air);
        spread->count += block_bits_count(air) - before;
    }
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int32_t behind[3];
        uint64_t bits[8];
        box_place_next(place, direction, behind);
        if (!box_has_place(field->blocks, behind)) {
            if (!flood->open && !flood->outside_in &&
                exit_bits(field, place, air, block, (enum direction)direction, bits) != 0) {
                record_escape(flood, place, bits, (enum direction)direction);
                return 0;
            }
            continue;
        }
        const uint8_t state = flood->state[box_place_index(field->blocks, behind)];
        if ((state & (FLOOD_HAS_CUTS | FLOOD_REACHED)) == FLOOD_REACHED)
            continue;
        const struct cut_block *block_behind = NULL;
        if ((state & FLOOD_HAS_CUTS) != 0 && direction % 2 == 0)
            block_behind = cut_field_block(field, behind);
        if (block_bits_cross(air, block != NULL ? block->cut : NULL,
                             block_behind != NULL ? block_behind->cut : NULL, (enum direction)direction,
                             bits) != 0)
            TRY(add_air(spread, behind, bits));
    }
    return 0;
}

/** Visit blocks until nothing changes or the flood escapes. Frees the queue. */
static int spread_out(struct spread *spread)
{
    const volatile sig_atomic_t *interrupted = spread->flood->field->interrupted;
    uint64_t index;
    int result = 0;
    while (result == 0 && !spread->flood->escaped && search_queue_pop(&spread->queue, &index))
        result = interrupted != NULL && *interrupted != 0 ? failure_interrupted(spread->failure)
                                                          : visit_block(spread, index);
    search_queue_free(&spread->queue);
    return result;
}

int flood_from(struct flood *flood, const int64_t node[3], uint64_t *count, struct failure *failure)
{
    struct spread spread = {.flood = flood, .failure = failure};
    int32_t place[3];
    uint64_t bits[8] = {0};
    block_bits_place(node, place);
    block_bits_add(bits, block_bits_slot(node));
    int result = add_air(&spread, place, bits);
    const int spread_result = spread_out(&spread);
    result = result != 0 ? result : spread_result;
    if (count != NULL)
        *count = spread.count;
    return result;
}

/** Start the outside's flood at one place of one face of the box. */
static int open_face(struct spread *spread, const int32_t place[3], enum direction direction)
{
    const struct cut_field *field = spread->flood->field;
    uint64_t inside[8], bits[8];
    block_bits_inside(&field->lattice, place, inside);
    if (exit_bits(field, place, inside, cut_field_block(field, place), direction, bits) == 0)
        return 0;
    return add_air(spread, place, bits);
}

int flood_from_outside(struct flood *flood, struct failure *failure)
{
    struct spread spread = {.flood = flood, .failure = failure};
    const int64_t *blocks = flood->field->blocks;
    int result = 0;
    flood->outside_in = true;
    for (int direction = 0; direction < DIRECTIONS && result == 0; direction++) {
        const int axis = direction / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        int32_t place[3];
        place[axis] = direction % 2 == 0 ? 0 : (int32_t)(blocks[axis] - 1);
        for (place[v] = 0; place[v] < blocks[v] && result == 0; place[v]++)
            for (place[u] = 0; place[u] < blocks[u] && result == 0; place[u]++)
                result = open_face(&spread, place, (enum direction)direction);
    }
    const int spread_result = spread_out(&spread);
    return result != 0 ? result : spread_result;
}
