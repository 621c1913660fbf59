#include "geometry/voxel/wall_distance.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/voxel/block_bits.h"

#define NEAR_MAX        (UINT32_MAX / 512u)
#define PARALLEL_BLOCKS 4096 /* fewer are done before threads have started */

uint32_t wall_position(const struct wall_distance *walls, const int32_t place[3])
{
    size_t position = 0;
    for (int axis = 2; axis >= 0; --axis) {
        const int64_t at = (int64_t)place[axis] + 1;
        if (at < 0 || at >= walls->sides[axis])
            return WALL_NONE;
        position = position * (size_t)walls->sides[axis] + (size_t)at;
    }
    return (uint32_t)position;
}

void wall_place(const struct wall_distance *walls, uint32_t position, int32_t place[3])
{
    int64_t rest = position;
    for (int axis = 0; axis < 3; ++axis) {
        place[axis] = (int32_t)(rest % walls->sides[axis] - 1);
        rest /= walls->sides[axis];
    }
}

/* Slot of a position in the table, or its free slot. */
static uint32_t probe_slot(const struct wall_distance *walls, uint32_t position)
{
    uint32_t at = (position * UINT32_C(2654435769)) & walls->find_mask;
    while (walls->find_table[at] != WALL_NONE &&
           wall_position(walls, walls->near[walls->find_table[at]].place) != position)
        at = (at + 1) & walls->find_mask;
    return at;
}

uint32_t wall_near(const struct wall_distance *walls, uint32_t position)
{
    return walls->find_table[probe_slot(walls, position)];
}

static int table_grow(struct wall_distance *walls, struct failure *failure)
{
    const size_t slots = walls->find_table == NULL ? 1024 : 2 * ((size_t)walls->find_mask + 1);
    uint32_t *table = malloc(slots * sizeof *table);
    struct wall_block *near_block = realloc(walls->near, slots / 2 * sizeof *near_block);
    if (near_block != NULL)
        walls->near = near_block;
    if (table == NULL || near_block == NULL) {
        free(table);
        return failure_memory(failure, slots * (sizeof *table + sizeof *near_block / 2), "blocks near walls");
    }
    free(walls->find_table);
    walls->find_table = table;
    walls->find_mask = (uint32_t)(slots - 1);
    memset(table, 0xff, slots * sizeof *table);
    for (size_t n = 0; n < walls->near_count; ++n)
        table[probe_slot(walls, wall_position(walls, walls->near[n].place))] = (uint32_t)n;
    return 0;
}

static int add_near(struct wall_distance *walls, const int32_t place[3], struct failure *failure)
{
    const uint32_t position = wall_position(walls, place);
    if (position == WALL_NONE)
        return 0;
    if (walls->find_table == NULL || walls->near_count >= ((size_t)walls->find_mask + 1) / 2)
        TRY(table_grow(walls, failure));
    const uint32_t at = probe_slot(walls, position);
    if (walls->find_table[at] != WALL_NONE)
        return 0;
    if (walls->near_count >= NEAR_MAX)
        return failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                          "the search for a leak reaches its limit of %u blocks near walls",
                                          NEAR_MAX),
                              failure, ADVICE_COARSER_GRID, 0);
    struct wall_block *block = &walls->near[walls->near_count];
    memcpy(block->place, place, sizeof block->place);
    const size_t cut = cut_field_find(walls->field, place);
    block->cut = cut == SIZE_MAX ? WALL_NONE : (uint32_t)cut;
    walls->find_table[at] = (uint32_t)walls->near_count++;
    return 0;
}

static int add_all_near(struct wall_distance *walls, struct failure *failure)
{
    for (size_t n = 0; n < walls->field->block_count; ++n) {
        const int32_t *place = walls->field->block[n].place;
        for (int around = 0; around < 27; ++around) {
            const int32_t next[3] = {place[0] + around % 3 - 1, place[1] + around / 3 % 3 - 1,
                                     place[2] + around / 9 - 1};
            TRY(add_near(walls, next, failure));
        }
    }
    for (size_t n = 0; n < walls->near_count; ++n) {
        for (int direction = 0; direction < DIRECTIONS; ++direction) {
            int32_t next[3];
            box_place_next(walls->near[n].place, direction, next);
            const uint32_t position = wall_position(walls, next);
            walls->near[n].neighbour[direction] =
                position == WALL_NONE ? WALL_NONE : wall_near(walls, position);
        }
    }
    return 0;
}

bool wall_is_cut(const struct wall_distance *walls, uint32_t near_index, unsigned slot,
                 enum direction direction)
{
    static const unsigned stride[3] = {1, 8, 64};
    const unsigned axis = (unsigned)direction / 2;
    if (direction % 2 == 0) { /* the link is stored at its low end, the neighbour */
        if ((slot / stride[axis] & 7) == 0) {
            near_index = walls->near[near_index].neighbour[direction];
            slot += 7 * stride[axis];
        } else {
            slot -= stride[axis];
        }
    }
    const uint32_t cut = near_index == WALL_NONE ? WALL_NONE : walls->near[near_index].cut;
    return cut != WALL_NONE && block_bits_has(walls->field->block[cut].cut[axis], slot);
}

typedef uint64_t planes[8];

/* Add to `out` all nodes one step along an axis from `in`, which differs from it. */
static void spread_step(const struct wall_distance *walls, const planes *in, int axis, planes *out)
{
#pragma omp parallel for schedule(static) if (walls->near_count > PARALLEL_BLOCKS)
    for (size_t n = 0; n < walls->near_count; ++n) {
        for (int up = 0; up < 2; ++up) {
            const uint32_t source = walls->near[n].neighbour[2 * axis + !up];
            uint64_t step[8];
            block_bits_move(in[n], source == WALL_NONE ? NULL : in[source], (enum direction)(2 * axis + up),
                            step);
            for (int z = 0; z < 8; ++z)
                out[n][z] |= step[z] | in[n][z];
        }
    }
}

/* Nodes with a cut link, at either end. */
static void mark_touching(const struct wall_distance *walls, planes *out)
{
    static const uint64_t none[3][8] = {{0}};
    for (size_t n = 0; n < walls->near_count; ++n) {
        const struct wall_block *block = &walls->near[n];
        const uint64_t(*cut)[8] =
            block->cut == WALL_NONE ? none : (const uint64_t(*)[8])walls->field->block[block->cut].cut;
        for (int axis = 0; axis < 3; ++axis) {
            const uint32_t below = block->neighbour[2 * axis];
            const uint32_t below_cut = below == WALL_NONE ? WALL_NONE : walls->near[below].cut;
            uint64_t high[8];
            block_bits_move(cut[axis],
                            below_cut == WALL_NONE ? NULL : walls->field->block[below_cut].cut[axis],
                            (enum direction)(2 * axis + 1), high);
            for (int z = 0; z < 8; ++z)
                out[n][z] |= cut[axis][z] | high[z];
        }
    }
}

static int find_levels(struct wall_distance *walls, struct failure *failure)
{
    const size_t bytes = walls->near_count * sizeof(planes);
    planes *reached = calloc(walls->near_count, sizeof *reached);
    planes *wider = calloc(walls->near_count, sizeof *wider);
    int code = 0;
    if (reached == NULL || wider == NULL) {
        code = failure_memory(failure, 2 * bytes, "distances from walls");
        goto done;
    }
    memset(walls->level, WALL_LEVELS, walls->near_count * sizeof *walls->level);
    mark_touching(walls, reached);
    for (int level = 1; level < WALL_LEVELS; ++level) {
#pragma omp parallel for schedule(static) if (walls->near_count > PARALLEL_BLOCKS)
        for (size_t n = 0; n < walls->near_count; ++n) {
            for (unsigned slot = 0; slot < 512; ++slot) {
                if (walls->level[n][slot] == WALL_LEVELS && (reached[n][slot / 64] >> slot % 64 & 1))
                    walls->level[n][slot] = (uint8_t)level;
            }
        }
        if (level % 2 == 0) {
            memcpy(wider, reached, bytes);
            for (int axis = 0; axis < 3; ++axis)
                spread_step(walls, (const planes *)reached, axis, wider);
            planes *const swapped = reached;
            reached = wider;
            wider = swapped;
        } else {
            for (int axis = 0; axis < 3; ++axis) {
                memset(wider, 0, bytes);
                spread_step(walls, (const planes *)reached, axis, wider);
                planes *const swapped = reached;
                reached = wider;
                wider = swapped;
            }
        }
    }
done:
    free(reached);
    free(wider);
    return code;
}

int wall_distance_make(const struct cut_field *field, struct wall_distance *out, struct failure *failure)
{
    struct wall_distance walls = {.field = field};
    int code = 0;
    double positions = 1;
    for (int axis = 0; axis < 3; ++axis) {
        walls.sides[axis] = field->blocks[axis] + 2;
        positions *= (double)walls.sides[axis];
    }
    if (positions >= (double)WALL_NONE)
        return failure_advise(
            failure_set(
                failure, FAILURE_CAPACITY,
                "the search for a leak holds at most %u blocks of 8x8x8 nodes in the room's box, not %.0f",
                WALL_NONE, positions),
            failure, ADVICE_COARSER_GRID, 0);
    walls.position_count = (size_t)walls.sides[0] * (size_t)walls.sides[1] * (size_t)walls.sides[2];
    if ((code = table_grow(&walls, failure)) != 0 || (code = add_all_near(&walls, failure)) != 0)
        goto done;
    walls.level = malloc((walls.near_count > 0 ? walls.near_count : 1) * sizeof *walls.level);
    if (walls.level == NULL) {
        code = failure_memory(failure, walls.near_count * sizeof *walls.level, "distances from walls");
        goto done;
    }
    if ((code = find_levels(&walls, failure)) != 0)
        goto done;
    *out = walls;
    walls = (struct wall_distance){0};
done:
    wall_distance_free(&walls);
    return code;
}

void wall_distance_free(struct wall_distance *walls)
{
    free(walls->near);
    free(walls->level);
    free(walls->find_table);
    *walls = (struct wall_distance){0};
}
