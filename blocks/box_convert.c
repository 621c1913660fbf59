#include <stdlib.h>
#include <string.h>

#include "blocks/block_assembly.h"
#include "blocks/block_numbering.h"
#include "blocks/box_grid.h"

/* Box coordinates of the first node of a block; they may lie outside the box. */
static void block_corner(const struct box_grid *box, const int32_t place[3], int64_t corner[3])
{
    for (int a = 0; a < 3; a++)
        corner[a] = (int64_t)place[a] * BLOCK_EDGE - box->low[a];
}

/* The part begin..end-1 of a block's 0..7 along each axis that lies in the box. */
static void clip_block(const struct box_grid *box, const int64_t corner[3], int begin[3], int end[3])
{
    for (int a = 0; a < 3; a++) {
        begin[a] = corner[a] < 0 ? (int)(corner[a] < -BLOCK_EDGE ? BLOCK_EDGE : -corner[a]) : 0;
        const int64_t left = box->nodes[a] - corner[a];
        end[a] = left < BLOCK_EDGE ? (int)(left < 0 ? 0 : left) : BLOCK_EDGE;
    }
}

static int by_node_then_material(const void *a, const void *b)
{
    const struct box_wall *left = a, *right = b;
    const uint64_t left_node = left->node & ~BOX_WALL_CONTINUES,
                   right_node = right->node & ~BOX_WALL_CONTINUES;
    if (left_node != right_node)
        return left_node < right_node ? -1 : 1;
    return (left->material > right->material) - (left->material < right->material);
}

/* Wall entries in the box's order: counted into its rows along x, then sorted within each row. */
static int walls_to_box(const struct block_grid *grid, struct box_grid *box, struct failure *failure)
{
    const uint64_t row_length = (uint64_t)box->nodes[0] + 2, rows = box->length / row_length;
    const size_t wall_bytes = ((size_t)grid->walls + 1) * sizeof *box->wall;
    uint64_t *row_end = calloc(rows + 1, sizeof *row_end);
    int code = 0;
    box->wall = malloc(wall_bytes);
    if (row_end == NULL || box->wall == NULL) {
        code =
            failure_memory(failure, wall_bytes + (rows + 1) * sizeof *row_end, "walls of the bounding box");
        goto done;
    }
    for (int fill = 0; fill < 2; fill++) {
        for (block_id b = 1; b <= grid->blocks; b++) {
            int64_t corner[3];
            block_corner(box, grid->block[b].place, corner);
            for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; w++) {
                const struct wall *wall = &grid->wall[w];
                const unsigned slot = wall->slot & WALL_SLOT;
                const uint64_t index = box_index(box, corner[0] + (slot & 7), corner[1] + (slot >> 3 & 7),
                                                 corner[2] + (slot >> 6));
                const uint64_t row = index / row_length;
                if (!fill)
                    row_end[row + 1]++;
                else
                    box->wall[row_end[row]++] = (struct box_wall){
                        .node = index | (wall->slot & WALL_CONTINUES ? BOX_WALL_CONTINUES : 0),
                        .material = wall->material,
                        .weight = wall->weight};
            }
        }
        if (!fill)
            for (uint64_t row = 0; row < rows; row++)
                row_end[row + 1] += row_end[row];
    }
#pragma omp parallel for schedule(dynamic, 256)
    for (uint64_t row = 0; row < rows; row++) {
        const uint64_t begin = row == 0 ? 0 : row_end[row - 1];
        if (row_end[row] - begin > 1)
            qsort(box->wall + begin, row_end[row] - begin, sizeof *box->wall, by_node_then_material);
    }
    box->walls = grid->walls;
    box->wall_nodes = grid->wall_nodes;
done:
    free(row_end);
    return code;
}

int box_grid_from_blocks(const struct block_grid *grid, struct box_grid *out, struct failure *failure)
{
    struct box_grid box = {.lattice = grid->lattice, .air_nodes = grid->air_nodes};
    int code = 0;
    for (int a = 0; a < 3; a++) {
        box.low[a] = grid->air_low[a];
        box.nodes[a] = grid->air_high[a] - grid->air_low[a] + 1;
    }
    if ((code = box_grid_allocate(&box, failure)) != 0)
        goto done;
#pragma omp parallel for schedule(static)
    for (block_id b = 1; b <= grid->blocks; b++) {
        const uint8_t *const links = grid->tile[grid->block[b].tile];
        int64_t corner[3];
        int begin[3], end[3];
        block_corner(&box, grid->block[b].place, corner);
        clip_block(&box, corner, begin, end);
        for (int z = begin[2]; z < end[2]; z++)
            for (int y = begin[1]; y < end[1]; y++)
                memcpy(box.links + box_index(&box, corner[0] + begin[0], corner[1] + y, corner[2] + z),
                       links + block_slot(begin[0], y, z), (size_t)(end[0] - begin[0]));
    }
    if ((code = walls_to_box(grid, &box, failure)) != 0)
        goto done;
    *out = box;
    box = (struct box_grid){0};
done:
    box_grid_free(&box);
    return code;
}

/* A box seen block by block. */
struct box_room {
    const struct box_grid *box;
    int32_t (*place)[3]; /* blocks with any link, rising in (z,y,x) */
    uint64_t *row_first; /* first wall entry of each row along x, and the number of entries at the end */
};

static void box_place(const void *room, size_t index, int32_t place[3])
{
    const struct box_room *box_room = room;
    memcpy(place, box_room->place[index], sizeof box_room->place[index]);
}

static bool box_links(const void *room, size_t index, uint8_t links[BLOCK_NODES])
{
    const struct box_room *box_room = room;
    const struct box_grid *const box = box_room->box;
    int64_t corner[3];
    int begin[3], end[3];
    block_corner(box, box_room->place[index], corner);
    clip_block(box, corner, begin, end);
    memset(links, 0, BLOCK_NODES);
    for (int z = begin[2]; z < end[2]; z++)
        for (int y = begin[1]; y < end[1]; y++)
            memcpy(links + block_slot(begin[0], y, z),
                   box->links + box_index(box, corner[0] + begin[0], corner[1] + y, corner[2] + z),
                   (size_t)(end[0] - begin[0]));
    for (int slot = 0; slot < BLOCK_NODES; slot++)
        if (links[slot] != BLOCK_LINKS_ALL)
            return true;
    return false;
}

/* First wall entry of a row at or after a node. */
static uint64_t wall_from(const struct box_room *room, uint64_t node)
{
    const struct box_grid *const box = room->box;
    const uint64_t row = node / (uint64_t)(box->nodes[0] + 2);
    uint64_t begin = room->row_first[row], end = room->row_first[row + 1];
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2;
        if ((box->wall[middle].node & ~BOX_WALL_CONTINUES) < node)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static unsigned box_walls(const void *room, size_t index, struct wall *entry)
{
    const struct box_room *box_room = room;
    const struct box_grid *const box = box_room->box;
    unsigned entries = 0;
    int64_t corner[3];
    int begin[3], end[3];
    block_corner(box, box_room->place[index], corner);
    clip_block(box, corner, begin, end);
    for (int z = begin[2]; z < end[2]; z++)
        for (int y = begin[1]; y < end[1]; y++) {
            const uint64_t first = box_index(box, corner[0] + begin[0], corner[1] + y, corner[2] + z);
            const uint64_t past = first + (uint64_t)(end[0] - begin[0]);
            for (uint64_t w = wall_from(box_room, first); w < box->walls; w++) {
                const uint64_t node = box->wall[w].node & ~BOX_WALL_CONTINUES;
                if (node >= past || entries == BLOCK_WALLS_MAX)
                    break;
                if (box->links[node] == 0)
                    continue;
                const unsigned slot = block_slot(begin[0], y, z) + (unsigned)(node - first);
                entry[entries++] = (struct wall){
                    .slot = (uint16_t)(slot | (box->wall[w].node & BOX_WALL_CONTINUES ? WALL_CONTINUES : 0)),
                    .material = box->wall[w].material,
                    .weight = box->wall[w].weight};
            }
        }
    return entries;
}

static void index_rows(const struct box_grid *box, uint64_t *row_first)
{
    const uint64_t row_length = (uint64_t)(box->nodes[0] + 2), rows = box->length / row_length;
    uint64_t next = 0;
    for (uint64_t w = 0; w < box->walls; w++)
        for (const uint64_t row = (box->wall[w].node & ~BOX_WALL_CONTINUES) / row_length; next <= row; next++)
            row_first[next] = w;
    for (; next <= rows; next++)
        row_first[next] = box->walls;
}

/* List the block places of a box that hold any link. `*count` of them, owned by the caller. */
static int list_places(const struct box_grid *box, int32_t (**places)[3], size_t *count,
                       struct failure *failure)
{
    int64_t first[3], extent[3];
    for (int a = 0; a < 3; a++) {
        first[a] = block_place_of(box->low[a]);
        extent[a] = block_place_of(box->low[a] + box->nodes[a] - 1) - first[a] + 1;
        if (first[a] < INT32_MIN || first[a] + extent[a] - 1 > INT32_MAX)
            return failure_set(failure, FAILURE_CAPACITY,
                               "node %lld lies past the lattice that 32-bit block places reach",
                               (long long)box->low[a]);
    }
    const size_t positions = (size_t)extent[0] * (size_t)extent[1] * (size_t)extent[2];
    uint8_t *holds = malloc(positions);
    int code = 0;
    if (holds == NULL)
        return failure_memory(failure, positions, "the block places of the bounding box");
    size_t held = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : held)
    for (size_t p = 0; p < positions; p++) {
        int32_t place[1][3] = {{(int32_t)(first[0] + (int64_t)(p % (size_t)extent[0])),
                                (int32_t)(first[1] + (int64_t)(p / (size_t)extent[0] % (size_t)extent[1])),
                                (int32_t)(first[2] + (int64_t)(p / (size_t)extent[0] / (size_t)extent[1]))}};
        const struct box_room one = {.box = box, .place = place};
        uint8_t links[BLOCK_NODES];
        (void)box_links(&one, 0, links);
        holds[p] = 0;
        for (int slot = 0; slot < BLOCK_NODES; slot++)
            holds[p] |= links[slot] != 0;
        held += holds[p];
    }
    int32_t(*list)[3] = malloc((held + 1) * sizeof *list);
    if (list == NULL) {
        code = failure_memory(failure, held * sizeof *list, "the block places of the bounding box");
        goto done;
    }
    size_t n = 0;
    for (size_t p = 0; p < positions; p++) {
        if (!holds[p])
            continue;
        list[n][0] = (int32_t)(first[0] + (int64_t)(p % (size_t)extent[0]));
        list[n][1] = (int32_t)(first[1] + (int64_t)(p / (size_t)extent[0] % (size_t)extent[1]));
        list[n][2] = (int32_t)(first[2] + (int64_t)(p / (size_t)extent[0] / (size_t)extent[1]));
        n++;
    }
    *places = list;
    *count = held;
done:
    free(holds);
    return code;
}

int block_grid_from_box(const struct box_grid *grid, struct block_grid *out, struct failure *failure)
{
    struct box_room room = {.box = grid};
    const uint64_t rows = grid->length / (uint64_t)(grid->nodes[0] + 2);
    size_t count = 0;
    int code = list_places(grid, &room.place, &count, failure);
    if (code != 0)
        return code;
    room.row_first = malloc((rows + 1) * sizeof *room.row_first);
    if (room.row_first == NULL) {
        code = failure_memory(failure, (rows + 1) * sizeof *room.row_first, "the walls of the bounding box");
        goto done;
    }
    index_rows(grid, room.row_first);
    const struct block_supply supply = {.room = &room,
                                        .lattice = grid->lattice,
                                        .count = count,
                                        .place = box_place,
                                        .links = box_links,
                                        .walls = box_walls};
    code = block_grid_assemble(&supply, out, failure);
done:
    free(room.place);
    free(room.row_first);
    return code;
}

static void copy_value(unsigned char *to, const unsigned char *from, unsigned real_bytes)
{
    if (real_bytes == sizeof(float))
        memcpy(to, from, sizeof(float));
    else
        memcpy(to, from, sizeof(double));
}

static uint64_t index_in_box(const struct box_grid *box, const int64_t corner[3], unsigned slot)
{
    return box_index(box, corner[0] + (slot & 7), corner[1] + (slot >> 3 & 7), corner[2] + (slot >> 6));
}

void field_to_box(const struct block_grid *blocks, const struct box_grid *box, unsigned real_bytes,
                  const void *blocks_field, void *box_field)
{
    const unsigned char *const from = blocks_field;
    unsigned char *const to = box_field;
    memset(to, 0, (size_t)box->length * real_bytes);
#pragma omp parallel for schedule(static)
    for (block_id b = 1; b <= blocks->blocks; b++) {
        const uint8_t *const links = blocks->tile[blocks->block[b].tile];
        int64_t corner[3];
        block_corner(box, blocks->block[b].place, corner);
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
            if (links[slot] != 0)
                copy_value(to + (size_t)index_in_box(box, corner, slot) * real_bytes,
                           from + ((size_t)b * BLOCK_NODES + slot) * real_bytes, real_bytes);
    }
}

void field_to_blocks(const struct block_grid *blocks, const struct box_grid *box, unsigned real_bytes,
                     const void *box_field, void *blocks_field)
{
    const unsigned char *const from = box_field;
    unsigned char *const to = blocks_field;
    memset(to, 0, ((size_t)blocks->blocks + 1) * BLOCK_NODES * real_bytes);
#pragma omp parallel for schedule(static)
    for (block_id b = 1; b <= blocks->blocks; b++) {
        const uint8_t *const links = blocks->tile[blocks->block[b].tile];
        int64_t corner[3];
        block_corner(box, blocks->block[b].place, corner);
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
            if (links[slot] != 0)
                copy_value(to + ((size_t)b * BLOCK_NODES + slot) * real_bytes,
                           from + (size_t)index_in_box(box, corner, slot) * real_bytes, real_bytes);
    }
}
