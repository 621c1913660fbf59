#include "kernels/cpu/step_plan.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/lower_bound.h"
#include "kernels/machine/machine_memory.h"

/* ---- groups -------------------------------------------------------------------------------------------- */

/* The values of the group in hand, and a hash table of those that are stored: 0 or a number + 1. */
struct maker {
    struct step_plan *plan;
    uint64_t group;
    _Alignas(64) unsigned char values[STEP_GROUP_BYTES(STEP_LANES_MAX)];
    uint32_t *table;
    uint64_t slots;
    uint64_t room; /* values that are allocated */
    bool failed;   /* no memory for more */
};

static void put_record(struct maker *maker, unsigned lane, const struct cut_cell *cut,
                       const uint8_t plaquette[EDGES], float gain)
{
    const size_t lanes = maker->plan->lanes;
    float *const gains = (float *)(void *)maker->values;
    int16_t *const face = (int16_t *)(void *)(gains + lanes);
    uint8_t *const edge = (uint8_t *)(void *)(face + DIRECTIONS * lanes);
    int weight[DIRECTIONS];
    step_face_weights(cut, plaquette, weight);
    gains[lane] = gain;
    for (unsigned d = 0; d < DIRECTIONS; ++d)
        face[d * lanes + lane] = (int16_t)weight[d];
    for (unsigned e = 0; e < EDGES; ++e)
        edge[e * lanes + lane] = plaquette[e];
}

/* Store the values of the group in hand as the last. */
static void add_values(struct maker *maker)
{
    struct step_plan *const plan = maker->plan;
    const size_t bytes = STEP_GROUP_BYTES(plan->lanes);
    if (plan->distinct == maker->room) {
        const uint64_t room = 2 * maker->room + 64;
        void *const grown = machine_memory_allocate(room * bytes);
        maker->failed = grown == NULL;
        if (maker->failed)
            return;
        if (plan->distinct > 0)
            memcpy(grown, plan->values, plan->distinct * bytes);
        free(plan->values);
        plan->values = grown;
        maker->room = room;
    }
    memcpy((char *)plan->values + plan->distinct++ * bytes, maker->values, bytes);
}

/* End the group in hand: if there are arrays, store its values unless they are stored. */
static void end_group(struct maker *maker)
{
    struct step_plan *const plan = maker->plan;
    const size_t bytes = STEP_GROUP_BYTES(plan->lanes);
    if (maker->table != NULL && !maker->failed) {
        char *const all = plan->values;
        uint64_t hash = 0, word;
        for (size_t at = 0; at < bytes; at += sizeof word) {
            memcpy(&word, maker->values + at, sizeof word);
            hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
            hash ^= hash >> 32;
        }
        uint64_t slot = hash & (maker->slots - 1);
        while (maker->table[slot] != 0 &&
               memcmp(all + (maker->table[slot] - 1) * bytes, maker->values, bytes) != 0)
            slot = (slot + 1) & (maker->slots - 1);
        if (maker->table[slot] == 0) {
            add_values(maker);
            maker->table[slot] = (uint32_t)plan->distinct;
        }
        plan->values_of[maker->group] = maker->table[slot] - 1;
        memset(maker->values, 0, bytes);
    }
    ++maker->group;
}

static void walk_blocks(const struct block_grid *grid, struct maker *maker)
{
    struct step_plan *const plan = maker->plan;
    uint64_t record = 0;
    for (uint64_t id = 0; id <= grid->blocks; ++id) {
        const uint64_t *const cut = grid->marks[grid->block[id].tile].cut;
        if (plan->first_group != NULL)
            plan->first_group[id] = maker->group;
        for (unsigned at = 0; id > 0 && at < BLOCK_NODES; at += plan->lanes) {
            const uint64_t bits = cut[at >> 6] >> (at & 63u) & ((UINT64_C(1) << plan->lanes) - 1);
            for (uint64_t rest = bits; rest != 0; rest &= rest - 1, ++record)
                put_record(maker, (unsigned)__builtin_ctzll(rest), &grid->cut[record],
                           grid->plaquette[record], grid->gain[record]);
            if (bits != 0)
                end_group(maker);
        }
    }
    if (plan->first_group != NULL)
        plan->first_group[grid->blocks + 1] = maker->group;
}

/* Where `lanes` nodes from the first on would read past the arrays, they start before it. */
static void walk_box(const struct box_grid *box, struct maker *maker)
{
    struct step_plan *const plan = maker->plan;
    const uint64_t row = (uint64_t)box->nodes[0] + 2, around = row * ((uint64_t)box->nodes[1] + 2) + row + 1;
    const uint64_t needed = around + plan->lanes, latest = box->length - needed;
    for (uint64_t record = 0; record < box->cuts; end_group(maker)) {
        const uint64_t node = box->cut_node[record], past = (node / STEP_PART + 1) * STEP_PART;
        const uint64_t start = box->length >= around + needed && node > latest ? latest : node;
        uint64_t stop = (node / row + 1) * row;
        unsigned lanes = 0;
        stop = stop < past ? stop : past;
        stop = stop < start + plan->lanes ? stop : start + plan->lanes;
        for (; record < box->cuts && box->cut_node[record] < stop; ++record) {
            const unsigned lane = (unsigned)(box->cut_node[record] - start);
            lanes |= 1u << lane;
            put_record(maker, lane, &box->cut[record], box->plaquette[record], box->gain[record]);
        }
        if (plan->start != NULL) {
            plan->start[maker->group] = start;
            plan->cut[maker->group] = (uint16_t)lanes;
        }
    }
}

uint64_t step_plan_group_from(const struct step_plan *plan, uint64_t index)
{
    uint64_t low = 0, high = plan->groups;
    LOWER_BOUND(low, high, at, plan->start[at] + (unsigned)__builtin_ctz(plan->cut[at]) < index);
    return low;
}

/* ---- runs ---------------------------------------------------------------------------------------------- */

static void walk_walls(const struct step_room *room, unsigned width, struct step_plan *plan)
{
    const struct block_grid *const grid = room->blocks;
    const struct wall *const wall = grid->wall;
    uint64_t runs = 0;
    for (uint64_t id = 0; id <= grid->blocks; ++id) {
        const uint64_t last = grid->wall_first[id + 1];
        if (plan->first_run != NULL)
            plan->first_run[id] = runs;
        for (uint64_t entry = grid->wall_first[id], from; entry < last; ++runs) {
            struct step_run run = {.row = STEP_RUN_NODE};
            from = entry;
            while (entry < last && entry - from < width && wall[entry].material == wall[from].material &&
                   !(entry + 1 < last && (wall[entry + 1].slot & WALL_CONTINUES)))
                ++entry;
            if (entry > from)
                run.row = (uint16_t)step_wall_row(room->walls, wall[from].material);
            else
                do
                    ++entry;
                while (entry < last && (wall[entry].slot & WALL_CONTINUES));
            run.count = (uint16_t)(entry - from);
            if (plan->run != NULL)
                plan->run[runs] = run;
        }
    }
    if (plan->first_run != NULL)
        plan->first_run[grid->blocks + 1] = runs;
    plan->runs = runs;
    for (uint64_t entry = 0; plan->slot != NULL && entry < grid->walls; ++entry)
        plan->slot[entry] = wall[entry].slot & WALL_SLOT;
}

/* ---- the plan ------------------------------------------------------------------------------------------ */

/* Count groups and runs and, if there are arrays, fill them. `table`: for values, or NULL. False without
 * memory. */
static bool walk(const struct step_room *room, struct step_plan *plan, uint32_t *table, uint64_t slots)
{
    struct maker maker = {.plan = plan, .table = table, .slots = slots};
    if (room->blocks->isotropic && room->box != NULL)
        walk_box(room->box, &maker);
    else if (room->blocks->isotropic)
        walk_blocks(room->blocks, &maker);
    plan->groups = maker.group;
    if (room->walls != NULL && room->box == NULL)
        walk_walls(room, plan->width, plan);
    return !maker.failed;
}

void step_plan_count(const struct step_room *room, unsigned lanes, unsigned width, struct step_plan *plan)
{
    *plan = (struct step_plan){.lanes = lanes, .width = width};
    (void)walk(room, plan, NULL, 0);
}

/* The arrays of a counted plan and their bytes. */
#define ARRAYS 8
struct array {
    void **at;
    uint64_t bytes;
};
static void list_arrays(const struct step_room *room, struct step_plan *plan, struct array array[ARRAYS])
{
    const bool box = room->box != NULL, walls = room->walls != NULL && !box;
    const bool blocks_cut = room->blocks->isotropic && !box;
    const uint64_t blocks = (uint64_t)room->blocks->blocks + 2, groups = plan->groups;
    if (plan->lanes == 0) {
        memset(array, 0, ARRAYS * sizeof *array);
        return;
    }
    const struct array all[ARRAYS] = {
        {&plan->values, plan->distinct * STEP_GROUP_BYTES(plan->lanes)},
        {(void **)&plan->values_of, groups * sizeof *plan->values_of},
        {(void **)&plan->first_group, blocks_cut ? blocks * sizeof *plan->first_group : 0},
        {(void **)&plan->start, box ? groups * sizeof *plan->start : 0},
        {(void **)&plan->cut, box ? groups * sizeof *plan->cut : 0},
        {(void **)&plan->run, plan->runs * sizeof *plan->run},
        {(void **)&plan->first_run, walls ? blocks * sizeof *plan->first_run : 0},
        {(void **)&plan->slot, walls ? (room->blocks->walls + STEP_LANES_MAX) * sizeof *plan->slot : 0},
    };
    memcpy(array, all, sizeof all);
}

uint64_t step_plan_bytes(const struct step_room *room, struct step_plan *plan)
{
    struct array array[ARRAYS];
    uint64_t bytes = 0;
    list_arrays(room, plan, array);
    for (int i = 0; i < ARRAYS; ++i)
        bytes += array[i].bytes;
    return bytes;
}

int step_plan_make(const struct step_room *room, struct step_plan *plan, struct failure *failure)
{
    struct array array[ARRAYS];
    uint64_t slots = 16;
    plan->distinct = 0;
    list_arrays(room, plan, array);
    for (int i = 0; i < ARRAYS; ++i)
        if (array[i].bytes > 0 && (*array[i].at = machine_memory_allocate(array[i].bytes)) == NULL)
            return failure_memory(failure, array[i].bytes, "the plan of nodes at walls");
    if (plan->slot != NULL)
        memset(plan->slot, 0, (room->blocks->walls + STEP_LANES_MAX) * sizeof *plan->slot);
    while (slots < 2 * plan->groups)
        slots *= 2;
    uint32_t *const table = calloc(slots, sizeof *table);
    if (table == NULL)
        return failure_memory(failure, slots * sizeof *table, "the plan of nodes at walls");
    const bool made = walk(room, plan, table, slots);
    free(table);
    return made ? 0
                : failure_memory(failure, plan->distinct * STEP_GROUP_BYTES(plan->lanes),
                                 "the plan of nodes at walls");
}

void step_plan_free(struct step_plan *plan)
{
    free(plan->values);
    free(plan->values_of);
    free(plan->first_group);
    free(plan->start);
    free(plan->cut);
    free(plan->run);
    free(plan->first_run);
    free(plan->slot);
    *plan = (struct step_plan){.lanes = 0};
}
