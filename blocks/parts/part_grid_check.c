#include <stdlib.h>
#include <string.h>

#include "blocks/grid_explain.h"
#include "blocks/parts/part_grid.h"
#include "blocks/sheets/sheet_links.h"

/* Check that the blocks around one block are those of the whole room. */
static int check_around(const struct block_grid *whole, const struct part_grid *part, block_id b,
                        struct failure *failure)
{
    const block_id global = part_global(part, b);
    for (unsigned d = 0; d < DIRECTIONS; d++)
        if (part_global(part, part->grid.block[b].neighbour[d]) != whole->block[global].neighbour[d])
            return EXPLAIN(
                failure, "part %u, block %u (%u of the room): neighbour %s is %u of the room, not %u",
                part->part, b, global, direction_name[d], part_global(part, part->grid.block[b].neighbour[d]),
                whole->block[global].neighbour[d]);
    for (unsigned e = 0; whole->isotropic && e < EDGES; e++)
        if (part_global(part, part->grid.edge[b][e]) != whole->edge[global][e])
            return EXPLAIN(
                failure, "part %u, block %u (%u of the room): across edge %u is %u of the room, not %u",
                part->part, b, global, e, part_global(part, part->grid.edge[b][e]), whole->edge[global][e]);
    return 0;
}

/* Compare the items of one block in the part and in the room. */
static bool same_items(const uint64_t *first, const void *items, block_id b, const uint64_t *whole_first,
                       const void *whole_items, block_id global, size_t each)
{
    const uint64_t count = first[b + 1] - first[b];
    return count == whole_first[global + 1] - whole_first[global] &&
           memcmp((const char *)items + first[b] * each,
                  (const char *)whole_items + whole_first[global] * each, (size_t)count * each) == 0;
}

static int check_contents(const struct block_grid *whole, const struct part_grid *part, block_id b,
                          struct failure *failure)
{
    const struct block_grid *const grid = &part->grid;
    const block_id global = part_global(part, b);
    const uint32_t own = grid->block[b].tile, tile = whole->block[global].tile;
    bool same = (own == TILE_FULL) == (tile == TILE_FULL) &&
                memcmp(grid->tile[own], whole->tile[tile], sizeof *grid->tile) == 0 &&
                same_items(grid->wall_first, grid->wall, b, whole->wall_first, whole->wall, global,
                           sizeof *grid->wall);
    if (whole->has_records)
        same = same && memcmp(&grid->marks[own], &whole->marks[tile], sizeof *grid->marks) == 0 &&
               same_items(grid->cut_first, grid->cut, b, whole->cut_first, whole->cut, global,
                          sizeof *grid->cut) &&
               same_items(grid->cut_first, grid->gain, b, whole->cut_first, whole->gain, global,
                          sizeof *grid->gain);
    if (whole->isotropic)
        same = same && same_items(grid->cut_first, grid->plaquette, b, whole->cut_first, whole->plaquette,
                                  global, sizeof *grid->plaquette);
    return same ? 0
                : EXPLAIN(
                      failure,
                      "part %u, block %u: its links, records or walls are not those of block %u of the room",
                      part->part, b, global);
}

/* Check that a step of the block reads only received values of ghosts. */
static int check_reads(const struct part_grid *part, const bool *received, block_id b,
                       struct failure *failure)
{
    const struct block_grid *const grid = &part->grid;
    const uint64_t own = ((uint64_t)grid->blocks + 1) * BLOCK_NODES;
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        for (unsigned d = 0; d < DIRECTIONS; d++) {
            bool leaves;
            const unsigned to = block_slot_beside(slot, d, &leaves);
            const uint64_t index = (uint64_t)grid->block[b].neighbour[d] * BLOCK_NODES + to;
            if (leaves && index >= own && !received[index - own])
                return EXPLAIN(failure, "part %u, block %u slot %u: the node %s of it is not received",
                               part->part, b, slot, direction_name[d]);
        }
        for (unsigned e = 0; grid->isotropic && e < EDGES; e++) {
            unsigned beyond;
            const unsigned to = block_slot_across(slot, e, &beyond);
            const block_id block = beyond == 0            ? b
                                   : beyond <= DIRECTIONS ? grid->block[b].neighbour[beyond - 1]
                                                          : grid->edge[b][beyond - 1 - DIRECTIONS];
            const uint64_t index = (uint64_t)block * BLOCK_NODES + to;
            if (index >= own && !received[index - own])
                return EXPLAIN(failure, "part %u, block %u slot %u: the node across edge %u is not received",
                               part->part, b, slot, e);
        }
    }
    return 0;
}

static int check_extra(const struct block_grid *whole, const struct part_grid *part, const bool *received,
                       struct failure *failure)
{
    const struct block_grid *const grid = &part->grid;
    for (uint64_t n = 0; n < grid->extra_nodes; n++) {
        const struct extra_node *const node = &grid->extra_node[n];
        const block_id global = part_global(part, node->block);
        uint64_t at = block_extra_from(whole, global);
        while (at < whole->extra_nodes && whole->extra_node[at].block == global &&
               whole->extra_node[at].slot != node->slot)
            at++;
        bool same = at < whole->extra_nodes && whole->extra_node[at].block == global &&
                    whole->extra_node[at].links == node->links;
        for (unsigned k = 0; same && k < node->links; k++) {
            const struct extra_link *const link = &grid->extra_link[node->first + k],
                                           *const meant = &whole->extra_link[whole->extra_node[at].first + k];
            same = part_global(part, link->block) == meant->block && link->slot == meant->slot &&
                   link->open == meant->open && link->crossed == meant->crossed &&
                   (link->block <= grid->blocks ||
                    received[(uint64_t)(link->block - grid->blocks - 1) * BLOCK_NODES + link->slot]);
        }
        if (!same)
            return EXPLAIN(
                failure,
                "part %u, block %u slot %u: its extra links are not those of the room, or a node at "
                "their end is not received",
                part->part, node->block, node->slot);
    }
    return 0;
}

/* Check every link with an end in the part that a sheet cuts; those that begin in ghosts come last. */
static int check_sheets(const struct block_grid *whole, const struct part_grid *part, struct failure *failure)
{
    const struct block_grid *const grid = &part->grid;
    uint64_t at = 0;
    for (int ghosts = 0; ghosts < 2; ghosts++)
        for (uint64_t n = 0; n < whole->sheets; n++) {
            struct sheet_link meant = whole->sheet[n];
            const block_id high = sheet_link_high(whole, &meant);
            const bool begins = part_local(part, meant.block) != 0;
            if (begins != (ghosts == 0) || (!begins && part_local(part, high) == 0))
                continue;
            const struct sheet_link *const link = at < grid->sheets ? &grid->sheet[at++] : NULL;
            if (link != NULL)
                meant.block = link->block;
            if (link == NULL || part_global(part, link->block) != whole->sheet[n].block ||
                part_global(part, sheet_link_high(grid, link)) != high ||
                memcmp(link, &meant, sizeof meant) != 0)
                return EXPLAIN(failure, "part %u: link %llu that a sheet cuts is not that of the room",
                               part->part, (unsigned long long)n);
        }
    return at == grid->sheets && (at == 0 || grid->laws == whole->laws)
               ? 0
               : EXPLAIN(failure, "part %u: %llu links that sheets cut, not %llu", part->part,
                         (unsigned long long)grid->sheets, (unsigned long long)at);
}

int part_grid_check(const struct block_grid *whole, const struct partition *partition,
                    const struct part_grid *part, struct failure *failure)
{
    const struct block_grid *const grid = &part->grid;
    const uint64_t own = ((uint64_t)grid->blocks + 1) * BLOCK_NODES;
    bool *const received = calloc((size_t)grid->ghosts * BLOCK_NODES + 1, sizeof *received);
    if (received == NULL)
        return failure_memory(failure, (uint64_t)grid->ghosts * BLOCK_NODES + 1,
                              "checking a part of the room");
    int code = 0;
    for (uint64_t n = 0; n < part->receives; n++)
        received[part->receive[n] - own] = true;
    for (uint32_t n = 0; code == 0 && n < grid->ghosts; n++)
        if (partition_owner(partition, part->ghost[n]) == part->part ||
            (n > 0 && part->ghost[n] <= part->ghost[n - 1]))
            code = EXPLAIN(failure, "part %u: ghost %u is block %u of the room, its own or out of order",
                           part->part, n, part->ghost[n]);
    for (block_id b = 1; code == 0 && b <= grid->blocks; b++) {
        code = check_around(whole, part, b, failure);
        if (code == 0)
            code = check_contents(whole, part, b, failure);
        if (code == 0)
            code = check_reads(part, received, b, failure);
    }
    if (code == 0)
        code = check_sheets(whole, part, failure);
    if (code == 0 && whole->has_records)
        code = check_extra(whole, part, received, failure);
    free(received);
    return code;
}
