#include "blocks/block_grid.h"

#include <stdlib.h>
#include <string.h>

#include "blocks/block_numbering.h"

void block_grid_free(struct block_grid *grid)
{
    free(grid->block);
    free(grid->tile);
    free(grid->wall_first);
    free(grid->wall);
    free(grid->find_table);
    free(grid->marks);
    free(grid->cut_first);
    free(grid->cut);
    free(grid->gain);
    free(grid->list_voxel);
    free(grid->extra_node);
    free(grid->extra_link);
    free(grid->merged_node);
    free(grid->edge);
    free(grid->plaquette);
    free(grid->sheet);
    free(grid->law);
    free(grid->ghost_open);
    *grid = (struct block_grid){0};
}

int block_grid_allocate_records(struct block_grid *next, bool isotropic, struct failure *failure)
{
    const size_t records = (size_t)next->cuts + 1;
    next->cut = malloc(records * sizeof *next->cut);
    next->gain = calloc(records, sizeof *next->gain);
    next->plaquette = isotropic ? malloc(records * sizeof *next->plaquette) : NULL;
    if (next->cut == NULL || next->gain == NULL || (isotropic && next->plaquette == NULL))
        return failure_memory(
            failure,
            records * (sizeof *next->cut + sizeof *next->gain + (isotropic ? sizeof *next->plaquette : 0)),
            "nodes at walls");
    return 0;
}

void block_grid_take_records(struct block_grid *grid, struct block_grid *next, const uint32_t *tile_of)
{
    struct block_grid old = {.tile = grid->tile,
                             .marks = grid->marks,
                             .cut_first = grid->cut_first,
                             .cut = grid->cut,
                             .gain = grid->gain,
                             .plaquette = grid->plaquette};
    grid->tiles = next->tiles;
    grid->tile = next->tile;
    grid->marks = next->marks;
    grid->cut_first = next->cut_first;
    grid->cuts = next->cuts;
    grid->cut = next->cut;
    grid->gain = next->gain;
    grid->plaquette = next->plaquette;
    for (block_id b = 1; b <= grid->blocks; b++)
        grid->block[b].tile = tile_of[b];
    *next = old;
}

block_id block_grid_find(const struct block_grid *grid, const int32_t place[3])
{
    if (grid->find_slots == 0)
        return 0;
    const uint32_t mask = grid->find_slots - 1;
    for (uint32_t slot = block_find_start(place) & mask; grid->find_table[slot] != 0;
         slot = (slot + 1) & mask) {
        const block_id b = grid->find_table[slot];
        if (memcmp(grid->block[b].place, place, sizeof grid->block[b].place) == 0)
            return b;
    }
    return 0;
}

uint64_t block_grid_index(const struct block_grid *grid, const int64_t node[3])
{
    int32_t place[3];
    for (int a = 0; a < 3; a++) {
        const int64_t at = block_place_of(node[a]);
        if (at < INT32_MIN || at > INT32_MAX)
            return UINT64_MAX;
        place[a] = (int32_t)at;
    }
    const block_id b = block_grid_find(grid, place);
    return b == 0 ? UINT64_MAX : (uint64_t)b * BLOCK_NODES + block_slot(node[0], node[1], node[2]);
}

uint64_t block_grid_home(const struct block_grid *grid, const int64_t node[3])
{
    const uint64_t index = block_grid_index(grid, node);
    if (index != UINT64_MAX &&
        block_is_air(grid, (block_id)(index / BLOCK_NODES), (unsigned)(index % BLOCK_NODES)))
        return index;
    const unsigned slot = block_slot(node[0], node[1], node[2]);
    uint64_t low = 0, high = grid->merged;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const struct merged_node *const merged = &grid->merged_node[middle];
        int64_t order = 0;
        for (int a = 2; a >= 0 && order == 0; a--)
            order = merged->place[a] - block_place_of(node[a]);
        order = order != 0 ? order : (int64_t)merged->slot - slot;
        if (order == 0)
            return (uint64_t)merged->block * BLOCK_NODES + merged->into;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return UINT64_MAX;
}

uint8_t block_grid_links(const struct block_grid *grid, const int64_t node[3])
{
    const uint64_t index = block_grid_index(grid, node);
    return index == UINT64_MAX ? 0 : grid->tile[grid->block[index / BLOCK_NODES].tile][index % BLOCK_NODES];
}

/* Bytes of conformal walls beyond wall entries. */
static uint64_t cut_bytes(const struct block_grid *grid)
{
    if (!grid->has_records)
        return 0;
    return ((uint64_t)grid->blocks + 2) * sizeof *grid->cut_first +
           (uint64_t)grid->tiles * sizeof *grid->marks +
           grid->cuts *
               (sizeof *grid->cut + sizeof *grid->gain + (grid->isotropic ? sizeof *grid->plaquette : 0)) +
           grid->list_nodes * sizeof *grid->list_voxel + grid->extra_nodes * sizeof *grid->extra_node +
           grid->extra_links * sizeof *grid->extra_link + grid->merged * sizeof *grid->merged_node;
}

struct block_bytes block_grid_bytes(const struct block_grid *grid, unsigned real_bytes)
{
    const uint64_t reals = 2 * (uint64_t)real_bytes;
    struct block_bytes bytes = {
        .blocks = ((uint64_t)grid->blocks + 1) * (BLOCK_NODES * reals + sizeof(struct block) +
                                                  (grid->isotropic ? sizeof *grid->edge : 0)) +
                  (uint64_t)grid->tiles * BLOCK_NODES,
        .walls = grid->walls * (sizeof(struct wall) + real_bytes) +
                 ((uint64_t)grid->blocks + 2) * sizeof *grid->wall_first + cut_bytes(grid) +
                 grid->sheets * sizeof *grid->sheet,
        .ideal = grid->air_nodes * (reals + 1),
        .seed_blocks = (uint64_t)grid->blocks * BLOCK_SEED_BYTES,
        .stored_nodes = (uint64_t)grid->blocks * BLOCK_NODES,
    };
    if (grid->blocks > 0) {
        uint64_t with_halo = 1, plane = 1, plane_with_halo = 1;
        bytes.box_nodes = 1;
        for (int a = 0; a < 3; a++) {
            const uint64_t nodes = (uint64_t)(grid->air_high[a] - grid->air_low[a] + 1);
            bytes.box_nodes *= nodes;
            with_halo *= nodes + 2;
            plane *= a < 2 ? nodes : 1;
            plane_with_halo *= a < 2 ? nodes + 2 : 1;
        }
        with_halo += (grid->list_nodes + plane - 1) / plane * plane_with_halo;
        bytes.box = with_halo * (reals + 1);
    }
    return bytes;
}
