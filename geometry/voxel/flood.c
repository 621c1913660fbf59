#include "geometry/voxel/flood.h"

#include <stdlib.h>
#include <string.h>

#define COLUMN_0 UINT64_C(0x0101010101010101) /* x = 0 of every y */
#define COLUMN_7 UINT64_C(0x8080808080808080)
#define ROW_0    UINT64_C(0x00000000000000FF) /* y = 0 */
#define ROW_7    UINT64_C(0xFF00000000000000)

/** Blocks to visit: one wave while the next one gathers. */
struct waves {
    uint64_t *now, *next; /* indices of places */
    size_t now_count, next_count, now_capacity, next_capacity;
};

/** A flood on its way. */
struct spread {
    struct flood *flood;
    struct waves waves;
    uint64_t count; /* nodes that were new */
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
        bool in_box = true;
        for (int axis = 0; axis < 3; axis++)
            in_box = in_box && place[axis] >= 0 && place[axis] < field->blocks[axis];
        if (in_box)
            flood.state[flood_place_index(field, place)] = FLOOD_HAS_CUTS;
    }
    *out = flood;
    return 0;
}

void flood_block_inside(const struct cut_field *field, const int32_t place[3], uint64_t inside[8])
{
    int64_t count[3]; /* nodes of the block inside, along each axis */
    for (int axis = 0; axis < 3; axis++) {
        count[axis] = field->lattice.nodes[axis] - (int64_t)place[axis] * 8;
        count[axis] = count[axis] < 8 ? count[axis] : 8;
    }
    const uint64_t columns = COLUMN_0 * ((UINT64_C(1) << count[0]) - 1);
    const uint64_t rows = count[1] == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * count[1]) - 1;
    for (int z = 0; z < 8; z++)
        inside[z] = z < count[2] ? columns & rows : 0;
}

void flood_block_air(const struct flood *flood, const int32_t place[3], uint64_t air[8])
{
    const uint8_t state = flood->state[flood_place_index(flood->field, place)];
    if ((state & FLOOD_HAS_CUTS) != 0)
        memcpy(air, flood->air[cut_field_find(flood->field, place)], 8 * sizeof *air);
    else if ((state & FLOOD_REACHED) != 0)
        flood_block_inside(flood->field, place, air);
    else
        memset(air, 0, 8 * sizeof *air);
}

bool flood_is_air(const struct flood *flood, const int64_t node[3])
{
    if (!flood_inside(flood->field, node))
        return false;
    const int32_t place[3] = {(int32_t)(node[0] >> 3), (int32_t)(node[1] >> 3), (int32_t)(node[2] >> 3)};
    uint64_t air[8];
    flood_block_air(flood, place, air);
    return (air[node[2] & 7] >> ((node[0] & 7) | (node[1] & 7) << 3) & 1) != 0;
}

bool flood_is_isolated(const struct cut_field *field, const int64_t node[3])
{
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (!cut_field_is_cut(field, node, (enum direction)direction))
            return false;
    return true;
}

/** The block with cuts at a place, or NULL. */
static const struct cut_block *find_block(const struct cut_field *field, const int32_t place[3])
{
    const size_t found = cut_field_find(field, place);
    return found != SIZE_MAX ? &field->block[found] : NULL;
}

static int enqueue(struct spread *spread, uint64_t index)
{
    struct waves *waves = &spread->waves;
    if ((spread->flood->state[index] & FLOOD_QUEUED) != 0)
        return 0;
    if (waves->next_count == waves->next_capacity) {
        const size_t capacity = waves->next_capacity != 0 ? 2 * waves->next_capacity : 1024;
        uint64_t *grown = realloc(waves->next, capacity * sizeof *grown);
        if (grown == NULL)
            return failure_memory(spread->failure, capacity * sizeof *grown, "the front of the flood fill");
        waves->next = grown;
        waves->next_capacity = capacity;
    }
    spread->flood->state[index] |= FLOOD_QUEUED;
    waves->next[waves->next_count++] = index;
    return 0;
}

/** Give air nodes to the block at `place`, which may hold some already. */
static int add_air(struct spread *spread, const int32_t place[3], const uint64_t bits[8])
{
    struct flood *flood = spread->flood;
    const uint64_t index = flood_place_index(flood->field, place);
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
        flood_block_inside(flood->field, place, inside);
        for (int z = 0; any != 0 && z < 8; z++)
            added += (unsigned)__builtin_popcountll(inside[z]);
    }
    if (added == 0)
        return 0;
    spread->count += added;
    flood->state[index] |= FLOOD_REACHED;
    return enqueue(spread, index);
}

/** Spread the air of a block with cuts over its own uncut links until nothing changes. Along x and y, links
 * are joined to runs of 2 and 4, so a row of eight fills in three steps. */
static void fill_block(uint64_t air[8], const struct cut_block *block, const uint64_t inside[8])
{
    uint64_t x1[8], x2[8], x4[8], y1[8], y2[8], y4[8], up[8];
    for (int z = 0; z < 8; z++) {
        x1[z] = ~block->cut[0][z] & ~COLUMN_7 & inside[z] & inside[z] >> 1;
        x2[z] = x1[z] & x1[z] >> 1;
        x4[z] = x2[z] & x2[z] >> 2;
        y1[z] = ~block->cut[1][z] & inside[z] & inside[z] >> 8;
        y2[z] = y1[z] & y1[z] >> 8;
        y4[z] = y2[z] & y2[z] >> 16;
        up[z] = z < 7 ? ~block->cut[2][z] & inside[z] & inside[z + 1] : 0;
    }
    bool changed = true;
    for (int sweep = 0; changed; sweep++) {
        changed = false;
        for (int step = 0; step < 8; step++) {
            const int z = sweep % 2 == 0 ? step : 7 - step;
            uint64_t a = air[z], before;
            if (z > 0)
                a |= air[z - 1] & up[z - 1];
            if (z < 7)
                a |= air[z + 1] & up[z];
            do {
                before = a;
                a |= (a & x1[z]) << 1 | (a >> 1 & x1[z]);
                a |= (a & x2[z]) << 2 | (a >> 2 & x2[z]);
                a |= (a & x4[z]) << 4 | (a >> 4 & x4[z]);
                a |= (a & y1[z]) << 8 | (a >> 8 & y1[z]);
                a |= (a & y2[z]) << 16 | (a >> 16 & y2[z]);
                a |= (a & y4[z]) << 32 | (a >> 32 & y4[z]);
            } while (a != before);
            changed = changed || a != air[z];
            air[z] = a;
        }
    }
}

/** Air that leaves a block through a face over uncut links, as bits of the block behind it; NULL stands for a
 * block without cuts. */
static uint64_t face_bits(const uint64_t air[8], const struct cut_block *block,
                          const struct cut_block *behind, enum direction direction, uint64_t bits[8])
{
    uint64_t any = 0;
    const int axis = (int)direction / 2;
    for (int z = 0; z < 8; z++) {
        const uint64_t up = block != NULL ? air[z] & ~block->cut[axis][z] : air[z];
        const uint64_t down = air[z];
        switch (direction) {
        case DIRECTION_XM:
            bits[z] = (down & COLUMN_0) << 7;
            break;
        case DIRECTION_XP:
            bits[z] = (up & COLUMN_7) >> 7;
            break;
        case DIRECTION_YM:
            bits[z] = (down & ROW_0) << 56;
            break;
        case DIRECTION_YP:
            bits[z] = (up & ROW_7) >> 56;
            break;
        case DIRECTION_ZM:
            bits[z] = z == 7 ? air[0] : 0;
            break;
        case DIRECTION_ZP:
            bits[z] = z == 0 ? (block != NULL ? air[7] & ~block->cut[2][7] : air[7]) : 0;
            break;
        }
        if (direction % 2 == 0 && behind != NULL)
            bits[z] &= ~behind->cut[axis][z];
        any |= bits[z];
    }
    return any;
}

/** Air that leaves the box through the given face of a block at its edge, as bits of this block. */
static uint64_t exit_bits(const struct cut_field *field, const int32_t place[3], const uint64_t air[8],
                          const struct cut_block *block, enum direction direction, uint64_t bits[8])
{
    const int axis = (int)direction / 2;
    const struct cut_block *before = NULL;
    int last =
        (int)((field->lattice.nodes[axis] - 1) & 7); /* coordinate of the box's last node in the block */
    if (direction % 2 == 0) {
        int32_t behind[3] = {place[0], place[1], place[2]};
        behind[axis]--;
        before = find_block(field, behind);
        block = NULL;
        last = 0;
    }
    uint64_t any = 0;
    for (int z = 0; z < 8; z++) {
        uint64_t out = air[z], closed = 0;
        if (axis == 0) {
            out &= COLUMN_0 << last;
            closed = before != NULL ? before->cut[0][z] >> 7 : 0;
        } else if (axis == 1) {
            out &= ROW_0 << 8 * last;
            closed = before != NULL ? before->cut[1][z] >> 56 : 0;
        } else {
            out &= z == last ? UINT64_MAX : 0;
            closed = before != NULL ? before->cut[2][7] : 0;
        }
        bits[z] = out & ~closed & (block != NULL ? ~block->cut[axis][z] : UINT64_MAX);
        any |= bits[z];
    }
    return any;
}

static void note_escape(struct flood *flood, const int32_t place[3], const uint64_t bits[8],
                        enum direction direction)
{
    flood->escaped = true;
    flood->exit_direction = direction;
    for (int z = 7; z >= 0; z--)
        if (bits[z] != 0) {
            const int row = __builtin_ctzll(bits[z]);
            flood->exit_node[0] = (int64_t)place[0] * 8 + (row & 7);
            flood->exit_node[1] = (int64_t)place[1] * 8 + (row >> 3);
            flood->exit_node[2] = (int64_t)place[2] * 8 + z;
        }
}

/** Settle one block and hand its air on to its neighbours. */
static int visit(struct spread *spread, uint64_t index)
{
    struct flood *flood = spread->flood;
    const struct cut_field *field = flood->field;
    const uint64_t row = index / (uint64_t)field->blocks[0];
    const int32_t place[3] = {(int32_t)(index % (uint64_t)field->blocks[0]),
                              (int32_t)(row % (uint64_t)field->blocks[1]),
                              (int32_t)(row / (uint64_t)field->blocks[1])};
    const struct cut_block *block = NULL;
    uint64_t air[8];
    flood->state[index] &= (uint8_t)~FLOOD_QUEUED;
    flood_block_inside(field, place, air);
    if ((flood->state[index] & FLOOD_HAS_CUTS) != 0) {
        block = find_block(field, place);
        uint64_t *own = flood->air[block - field->block];
        unsigned before = 0, after = 0;
        for (int z = 0; z < 8; z++)
            before += (unsigned)__builtin_popcountll(own[z]);
        fill_block(own, block, air);
        memcpy(air, own, sizeof air);
        for (int z = 0; z < 8; z++)
            after += (unsigned)__builtin_popcountll(air[z]);
        spread->count += after - before;
    }
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        const int axis = direction / 2;
        int32_t behind[3] = {place[0], place[1], place[2]};
        behind[axis] += direction % 2 == 0 ? -1 : 1;
        uint64_t bits[8];
        if (behind[axis] < 0 || behind[axis] >= field->blocks[axis]) {
            if (!flood->open && !flood->outside_in &&
                exit_bits(field, place, air, block, (enum direction)direction, bits) != 0) {
                note_escape(flood, place, bits, (enum direction)direction);
                return 0;
            }
            continue;
        }
        const uint8_t state = flood->state[flood_place_index(field, behind)];
        if ((state & (FLOOD_HAS_CUTS | FLOOD_REACHED)) == FLOOD_REACHED)
            continue;
        const struct cut_block *block_behind = NULL;
        if ((state & FLOOD_HAS_CUTS) != 0 && direction % 2 == 0)
            block_behind = find_block(field, behind);
        if (face_bits(air, block, block_behind, (enum direction)direction, bits) != 0)
            TRY(add_air(spread, behind, bits));
    }
    return 0;
}

/** Visit blocks until nothing changes or the flood escapes; frees the waves. */
static int spread_out(struct spread *spread)
{
    struct waves *waves = &spread->waves;
    int result = 0;
    while (result == 0 && waves->next_count != 0 && !spread->flood->escaped) {
        const volatile sig_atomic_t *interrupted = spread->flood->field->interrupted;
        if (interrupted != NULL && *interrupted != 0) {
            result = failure_set(spread->failure, FAILURE_INTERRUPTED, "interrupted; nothing was written");
            break;
        }
        struct waves turned = {waves->next, waves->now,           waves->next_count,
                               0,           waves->next_capacity, waves->now_capacity};
        *waves = turned;
        for (size_t i = 0; i < waves->now_count && result == 0 && !spread->flood->escaped; i++)
            result = visit(spread, waves->now[i]);
    }
    free(waves->now);
    free(waves->next);
    *waves = (struct waves){0};
    return result;
}

int flood_from(struct flood *flood, const int64_t node[3], uint64_t *count, struct failure *failure)
{
    struct spread spread = {.flood = flood, .failure = failure};
    const int32_t place[3] = {(int32_t)(node[0] >> 3), (int32_t)(node[1] >> 3), (int32_t)(node[2] >> 3)};
    uint64_t bits[8] = {0};
    bits[node[2] & 7] = UINT64_C(1) << ((node[0] & 7) | (node[1] & 7) << 3);
    int result = add_air(&spread, place, bits);
    const int spread_result = spread_out(&spread);
    result = result != 0 ? result : spread_result;
    if (count != NULL)
        *count = spread.count;
    return result;
}

/** Let the outside in through one face of the box at one place. */
static int open_face(struct spread *spread, const int32_t place[3], enum direction direction)
{
    const struct cut_field *field = spread->flood->field;
    uint64_t inside[8], bits[8];
    flood_block_inside(field, place, inside);
    if (exit_bits(field, place, inside, find_block(field, place), direction, bits) == 0)
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
