#include "kernels/ladder/peer_room.h"

#include <stdlib.h>
#include <string.h>

/* ---- a node of the grid and the room's place for it ---- */

uint64_t peer_index(const struct peer_room *room, block_id b, unsigned slot)
{
    unsigned at = slot;
    if (room->scheme->half) {
        const unsigned x = ((unsigned)room->grid->block[b].place[0] & 1u) << 3 | (slot & 7u);
        at = (slot & ~7u) | x >> 1;
    }
    return (uint64_t)room->home[b] * BLOCK_NODES + at;
}

bool peer_grid_node(const struct peer_room *room, uint64_t id, unsigned at, block_id *b, unsigned *slot)
{
    *b = room->part[id][0];
    *slot = at;
    if (room->scheme->half) {
        const unsigned x = 2 * (at & 7u) + ((at >> 3 ^ at >> 6) & 1u);
        *b = room->part[id][x >> 3];
        *slot = (at & ~7u) | (x & 7u);
    }
    return *b != 0 && block_is_air(room->grid, *b, *slot);
}

static bool has_record(const struct block_grid *grid, block_id b, unsigned slot)
{
    return grid->marks != NULL && (grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1) != 0;
}

double peer_gain(const struct peer_room *room, block_id b, unsigned slot)
{
    if (room->scheme->walls == PEER_PLAQUETTES && room->grid->lambda2 != 0 && has_record(room->grid, b, slot))
        return (double)(float)(CUT_WHOLE * room->grid->gain[block_cut_record(room->grid, b, slot)]);
    return room->lambda2 / room->scheme->parts;
}

/* ---- targets of offsets ---- */

/* Along an uncut link. */
static bool follow_link(const struct block_grid *grid, unsigned d, block_id *b, unsigned *slot)
{
    bool leaves;
    if ((grid->tile[grid->block[*b].tile][*slot] >> d & 1) == 0)
        return false;
    *slot = block_slot_beside(*slot, d, &leaves);
    *b = leaves ? grid->block[*b].neighbour[d] : *b;
    return true;
}

/* By a shortest way. */
static bool go_across(const struct block_grid *grid, const int by[3], block_id *b, unsigned *slot)
{
    bool there = true;
    for (int axis = 0; axis < 3; ++axis) {
        if (by[axis] == 0)
            continue;
        there = false;
        block_id at = *b;
        unsigned at_slot = *slot;
        int rest[3] = {by[0], by[1], by[2]};
        rest[axis] -= by[axis] > 0 ? 1 : -1;
        if (follow_link(grid, 2 * (unsigned)axis + (by[axis] > 0), &at, &at_slot) &&
            go_across(grid, rest, &at, &at_slot)) {
            *b = at;
            *slot = at_slot;
            return true;
        }
    }
    return there;
}

/* Along one axis, back where a link is cut: the nodes beyond a wall midway between two are images. */
static void go_mirrored(const struct block_grid *grid, const int by[3], block_id *b, unsigned *slot)
{
    const int axis = by[0] != 0 ? 0 : by[1] != 0 ? 1 : 2;
    unsigned d = 2 * (unsigned)axis + (by[axis] > 0);
    for (int n = abs(by[axis]); n > 0; --n)
        if (!follow_link(grid, d, b, slot))
            d ^= 1;
}

/* 6 a - n of a link, b of an edge, both of CUT_WHOLE. */
static int plaquette_parts(const struct block_grid *grid, const int by[3], block_id b, unsigned slot)
{
    const uint8_t *const plaquette =
        has_record(grid, b, slot) ? grid->plaquette[block_cut_record(grid, b, slot)] : NULL;
    const bool link = abs(by[0]) + abs(by[1]) + abs(by[2]) == 1;
    int parts = 0;
    for (unsigned e = 0; e < EDGES; ++e) {
        const unsigned d[2] = {edge_first_direction(e), edge_second_direction(e)};
        int of_offset = 0; /* directions of the edge that the offset goes */
        for (int n = 0; n < 2; ++n)
            of_offset += by[d[n] / 2] == (d[n] & 1 ? 1 : -1);
        if (of_offset == (link ? 1 : 2))
            parts += plaquette == NULL ? CUT_WHOLE : plaquette[e];
    }
    return link ? 6 * CUT_WHOLE - parts : parts;
}

int peer_follow(const struct peer_room *room, int o, block_id *b, unsigned *slot)
{
    const struct block_grid *const grid = room->grid;
    const int *const by = room->offset[o].by;
    int weight = room->offset[o].weight;
    if (room->scheme->walls == PEER_MIRROR) {
        go_mirrored(grid, by, b, slot);
        return weight;
    }
    if (room->scheme->walls == PEER_PLAQUETTES)
        weight = plaquette_parts(grid, by, *b, *slot) / CUT_WHOLE;
    return weight != 0 && go_across(grid, by, b, slot) ? weight : 0;
}

/* ---- blocks ---- */

static int32_t place_here(const struct peer_room *room, int32_t x)
{
    return room->scheme->half ? x >> 1 : x;
}

/* The block of the grid at a place of the room's, `part` 0 or 1 of it. */
static block_id find_block(const struct peer_room *room, const int32_t place[3], int part)
{
    if (!room->scheme->half)
        return part == 0 ? block_grid_find(room->grid, place) : 0;
    return block_grid_find(room->grid, (int32_t[3]){2 * place[0] + part, place[1], place[2]});
}

static void number_blocks(struct peer_room *room)
{
    const struct block_grid *const grid = room->grid;
    for (block_id b = 1; b <= grid->blocks; ++b) {
        const int32_t *const at = grid->block[b].place;
        const int32_t place[3] = {place_here(room, at[0]), at[1], at[2]};
        const block_id part[2] = {find_block(room, place, 0), find_block(room, place, 1)};
        const block_id other = part[0] == b ? part[1] : part[0];
        room->home[b] = other != 0 && other < b ? room->home[other] : ++room->blocks;
        memcpy(room->part[room->home[b]], part, sizeof part);
    }
}

static void find_round(struct peer_room *room, block_id id)
{
    const block_id b = room->part[id][0] != 0 ? room->part[id][0] : room->part[id][1];
    const int32_t *const at = room->grid->block[b].place;
    for (int n = 0; n < PEER_ROUND; ++n) {
        const int32_t place[3] = {place_here(room, at[0]) + n % 3 - 1, at[1] + n / 3 % 3 - 1,
                                  at[2] + n / 9 - 1};
        const block_id first = find_block(room, place, 0);
        room->round[id][n] = room->home[first != 0 ? first : find_block(room, place, 1)];
    }
}

/* Only open air in it and around it, so all its nodes are free. */
static bool is_deep(const struct peer_room *room, block_id id)
{
    for (int n = 0; n < PEER_ROUND; ++n)
        for (int part = 0; part < (room->scheme->half ? 2 : 1); ++part)
            if (room->grid->block[room->part[room->round[id][n]][part]].tile != TILE_FULL)
                return false;
    return true;
}

/* ---- records ---- */

static int count_rows(const struct peer_room *room)
{
    return BLOCK_EDGE + 2 * room->reach;
}

static int place_in_tile(const struct peer_room *room, const int64_t by[3])
{
    return (int)(by[0] + PEER_ROW * (by[1] + count_rows(room) * by[2]));
}

/* Offsets of a node, `target` and `weight` for each; true where it is free. */
static bool follow_all(const struct peer_room *room, uint64_t id, unsigned at, int16_t *target,
                       int16_t *weight)
{
    block_id b;
    unsigned slot;
    int64_t node[3], there[3];
    (void)peer_grid_node(room, id, at, &b, &slot);
    block_node(&room->grid->block[b], slot, node);
    const int *const shift = room->shift[(at >> 3 ^ at >> 6) & 1u];
    bool free = room->scheme->walls != PEER_PLAQUETTES || !has_record(room->grid, b, slot);
    for (int o = 0; o < room->offsets; ++o) {
        block_id to = b;
        unsigned to_slot = slot;
        const int of = peer_follow(room, o, &to, &to_slot);
        weight[o] = (int16_t)of;
        target[o] = 0;
        if (of != 0) {
            block_node(&room->grid->block[to], to_slot, there);
            const int64_t by[3] = {room->scheme->half ? (there[0] >> 1) - (node[0] >> 1) : there[0] - node[0],
                                   there[1] - node[1], there[2] - node[2]};
            target[o] = (int16_t)place_in_tile(room, by);
        }
        free = free && of == room->offset[o].weight && target[o] == shift[o];
    }
    return free;
}

/* Find the free nodes, and count the others. */
static void mark_free(struct peer_room *room)
{
    int16_t target[PEER_OFFSETS_MOST], weight[PEER_OFFSETS_MOST];
    for (block_id id = 1; id <= room->blocks; ++id) {
        uint64_t records = 0;
        if (is_deep(room, id)) {
            memset(room->free[id], 0xFF, sizeof room->free[id]);
            room->air_nodes += BLOCK_NODES;
        } else {
            for (unsigned at = 0; at < BLOCK_NODES; ++at) {
                block_id b;
                unsigned slot;
                if (!peer_grid_node(room, id, at, &b, &slot))
                    continue;
                ++room->air_nodes;
                if (follow_all(room, id, at, target, weight))
                    room->free[id][at >> 6] |= UINT64_C(1) << (at & 63);
                else
                    ++records;
            }
        }
        room->first[id + 1] = room->first[id] + records;
    }
}

static void fill_records(struct peer_room *room)
{
    int16_t spare[PEER_OFFSETS_MOST];
    const size_t offsets = (size_t)room->offsets;
    for (block_id id = 1; id <= room->blocks; ++id) {
        uint64_t r = room->first[id];
        for (unsigned at = 0; at < BLOCK_NODES && r < room->first[id + 1]; ++at) {
            block_id b;
            unsigned slot;
            if ((room->free[id][at >> 6] >> (at & 63) & 1) != 0 || !peer_grid_node(room, id, at, &b, &slot))
                continue;
            (void)follow_all(room, id, at, room->target + r * offsets,
                             room->weight != NULL ? room->weight + r * offsets : spare);
            if (room->gain != NULL)
                room->gain[r] = (float)peer_gain(room, b, slot);
            room->slot[r++] = (uint16_t)at;
        }
    }
}

static int no_memory(struct peer_room *room, struct failure *failure)
{
    peer_room_free(room);
    return failure_set(failure, FAILURE_CAPACITY, "no memory for a room of %u blocks", room->grid->blocks);
}

static void take_offsets(struct peer_room *room)
{
    room->offsets = peer_offsets(room->scheme, room->offset);
    room->reach = peer_reach(room->scheme);
    for (int o = 0; o < room->offsets; ++o) {
        const int *const by = room->offset[o].by;
        const int axes = (by[0] != 0) + (by[1] != 0) + (by[2] != 0);
        room->axes = axes > room->axes ? axes : room->axes;
        for (int odd = 0; odd < 2; ++odd) {
            const int64_t to[3] = {room->scheme->half ? (odd + by[0]) >> 1 : by[0], by[1], by[2]};
            room->shift[odd][o] = place_in_tile(room, to);
        }
    }
}

int peer_room_create(const struct block_grid *grid, const struct peer_scheme *scheme, double lambda2,
                     struct peer_room *out, struct failure *failure)
{
    struct peer_room room = {.grid = grid, .scheme = scheme, .lambda2 = lambda2};
    const bool plaquettes = scheme->walls == PEER_PLAQUETTES;
    if (plaquettes && (!grid->isotropic || (grid->lambda2 != 0 && grid->lambda2 != lambda2)))
        return failure_set(failure, FAILURE_INPUT, "the grid has no plaquettes, or masses for %g of lambda^2",
                           grid->lambda2);
    take_offsets(&room);
    const size_t blocks = (size_t)grid->blocks + 2;
    room.home = calloc(blocks, sizeof *room.home);
    room.part = calloc(blocks, sizeof *room.part);
    room.round = calloc(blocks, sizeof *room.round);
    room.free = calloc(blocks, sizeof *room.free);
    room.first = calloc(blocks, sizeof *room.first);
    if (room.home == NULL || room.part == NULL || room.round == NULL || room.free == NULL ||
        room.first == NULL)
        return no_memory(&room, failure);
    number_blocks(&room);
    for (block_id id = 1; id <= room.blocks; ++id)
        find_round(&room, id);
    mark_free(&room);
    const size_t records = room.first[room.blocks + 1], targets = records * (size_t)room.offsets;
    room.slot = malloc(records * sizeof *room.slot + 1);
    room.target = malloc(targets * sizeof *room.target + 1);
    room.weight = plaquettes ? malloc(targets * sizeof *room.weight + 1) : NULL;
    const bool masses = plaquettes && grid->lambda2 != 0;
    room.gain = masses ? malloc(records * sizeof *room.gain + 1) : NULL;
    if (room.slot == NULL || room.target == NULL || (plaquettes && room.weight == NULL) ||
        (masses && room.gain == NULL))
        return no_memory(&room, failure);
    fill_records(&room);
    *out = room;
    return 0;
}

void peer_room_free(struct peer_room *room)
{
    free(room->home);
    free(room->part);
    free(room->round);
    free(room->free);
    free(room->first);
    free(room->slot);
    free(room->target);
    free(room->weight);
    free(room->gain);
    *room = (struct peer_room){.grid = room->grid};
}

uint64_t peer_room_bytes(const struct peer_room *room)
{
    const uint64_t records = room->first[room->blocks + 1];
    const uint64_t of_block = sizeof *room->round + sizeof *room->free + sizeof *room->first;
    const uint64_t of_offset = sizeof *room->target + (room->weight != NULL ? sizeof *room->weight : 0);
    return room->blocks * of_block + records * (sizeof *room->slot + of_offset * (uint64_t)room->offsets +
                                                (room->gain != NULL ? sizeof *room->gain : 0));
}

peer_step_function *const *peer_fastest(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return peer_avx2;
#endif
    return peer_portable;
}
