#include "blocks/parts/part_count.h"

#include <math.h>
#include <stdlib.h>

#include "blocks/block_numbering.h"
#include "blocks/sheets/sheet_links.h"

void part_count_whole(const struct block_grid *whole, struct part_counts *out)
{
    *out = (struct part_counts){.blocks = whole->blocks,
                                .tiles = whole->tiles,
                                .walls = (double)whole->walls,
                                .cuts = (double)whole->cuts,
                                .list_nodes = (double)whole->list_nodes,
                                .linked_nodes = (double)whole->extra_nodes,
                                .extra_links = (double)whole->extra_links,
                                .sheets = (double)whole->sheets,
                                .has_records = whole->has_records,
                                .isotropic = whole->isotropic};
}

/* A count in progress: the ids of the part, and which blocks and tiles were met. */
struct count {
    const struct block_grid *whole;
    block_id dense, dense_end, list, list_end;
    uint8_t *met_block, *met_tile;
    uint64_t ghosts, tiles, values;
};

static bool mark_met(uint8_t *met, uint64_t n)
{
    const uint8_t bit = (uint8_t)(1u << (n & 7));
    const bool is_new = (met[n >> 3] & bit) == 0;
    met[n >> 3] |= bit;
    return is_new;
}

static bool is_own(const struct count *count, block_id block)
{
    return (block >= count->dense && block < count->dense_end) ||
           (block >= count->list && block < count->list_end);
}

static void look_at(struct count *count, block_id other, unsigned values)
{
    if (other == 0 || is_own(count, other))
        return;
    count->ghosts += mark_met(count->met_block, other);
    count->values += values;
}

static void count_blocks(struct count *count, block_id first, block_id end)
{
    const struct block_grid *const whole = count->whole;
    for (block_id b = first; b < end; b++) {
        const struct block *const block = &whole->block[b];
        for (unsigned d = 0; d < 6; d++)
            look_at(count, block->neighbour[d], BLOCK_EDGE * BLOCK_EDGE);
        for (unsigned e = 0; whole->isotropic && e < EDGES; e++)
            look_at(count, whole->edge[b][e], BLOCK_EDGE);
        count->tiles += block->tile > TILE_FULL && mark_met(count->met_tile, block->tile);
    }
}

static void count_links(struct count *count, block_id first, block_id end, struct part_counts *out)
{
    const struct block_grid *const whole = count->whole;
    if (!whole->has_records)
        return;
    const uint64_t last = block_extra_from(whole, end);
    for (uint64_t n = block_extra_from(whole, first); n < last; n++) {
        const struct extra_node *const node = &whole->extra_node[n];
        for (uint64_t k = node->first; k < node->first + node->links; k++)
            look_at(count, whole->extra_link[k].block, 1);
        out->linked_nodes += 1;
        out->extra_links += node->links;
    }
}

static double count_items(const uint64_t *first, const struct count *count)
{
    return first == NULL ? 0
                         : (double)(first[count->dense_end] - first[count->dense]) +
                               (double)(first[count->list_end] - first[count->list]);
}

int part_count(const struct block_grid *whole, const struct partition *partition, unsigned part,
               struct part_counts *out, struct failure *failure)
{
    struct count count = {.whole = whole,
                          .dense = partition->dense[part],
                          .dense_end = partition->dense[part + 1],
                          .list = partition->list[part],
                          .list_end = partition->list[part + 1],
                          .met_block = calloc((size_t)whole->blocks / 8 + 1, 1),
                          .met_tile = calloc((size_t)whole->tiles / 8 + 1, 1)};
    struct part_counts part_counts = {.has_records = whole->has_records, .isotropic = whole->isotropic};
    if (count.met_block == NULL || count.met_tile == NULL) {
        free(count.met_block);
        free(count.met_tile);
        return failure_memory(failure, ((uint64_t)whole->blocks + whole->tiles) / 8 + 2, "a part's surface");
    }
    count_blocks(&count, count.dense, count.dense_end);
    count_blocks(&count, count.list, count.list_end);
    count_links(&count, count.dense, count.dense_end, &part_counts);
    count_links(&count, count.list, count.list_end, &part_counts);
    part_counts.blocks = (double)(count.dense_end - count.dense) + (double)(count.list_end - count.list);
    part_counts.ghosts = (double)count.ghosts;
    part_counts.tiles = (double)count.tiles + 2;
    part_counts.walls = count_items(whole->wall_first, &count);
    part_counts.cuts = count_items(whole->cut_first, &count);
    part_counts.list_nodes =
        fmin((double)(count.list_end - count.list) * BLOCK_NODES, (double)whole->list_nodes);
    part_counts.values = (double)count.values;
    for (uint64_t n = 0; n < whole->sheets; n++)
        part_counts.sheets +=
            is_own(&count, whole->sheet[n].block) || is_own(&count, sheet_link_high(whole, &whole->sheet[n]));
    free(count.met_block);
    free(count.met_tile);
    *out = part_counts;
    return 0;
}

void part_count_largest(const struct part_counts *whole, unsigned parts, double wall_cost,
                        struct part_counts *out)
{
    const double costly = whole->has_records ? whole->cuts : whole->walls;
    const double share = (whole->blocks + wall_cost * costly / BLOCK_NODES) / parts;
    *out = *whole;
    out->blocks = fmin(whole->blocks, ceil(share));
    out->tiles = fmin(whole->tiles, out->blocks);
    out->ghosts = parts == 1 ? 0 : fmin(whole->blocks - out->blocks, PART_GHOSTS * pow(out->blocks, 2.0 / 3));
    out->values = PART_GHOST_VALUES * out->ghosts;
    out->walls /= parts;
    out->cuts /= parts;
    out->list_nodes /= parts;
    out->linked_nodes /= parts;
    out->extra_links /= parts;
}

double part_grid_bytes(const struct part_counts *part)
{
    const double stored = part->blocks + part->ghosts + 1, records = part->has_records ? 1 : 0,
                 wide = part->isotropic ? 1 : 0,
                 slots = block_find_slots((uint32_t)fmin(part->blocks, BLOCKS_MAX));
    return stored * ((double)sizeof(struct block) + wide * EDGES * sizeof(block_id)) +
           slots * sizeof(block_id) + (part->blocks + 2) * (1 + records) * sizeof(uint64_t) +
           part->tiles * (BLOCK_NODES + records * sizeof(struct tile_marks)) +
           part->walls * sizeof(struct wall) +
           part->cuts * (sizeof(struct cut_cell) + sizeof(float) + wide * EDGES) +
           part->list_nodes * 3 * sizeof(int64_t) + part->linked_nodes * sizeof(struct extra_node) +
           part->extra_links * sizeof(struct extra_link) + part->sheets * sizeof(struct sheet_link) +
           part->ghosts * 2 * sizeof(block_id) + part->values * 2 * sizeof(uint64_t);
}

double part_bytes(const struct part_counts *part, unsigned levels, unsigned real_bytes,
                  double wall_entry_bytes)
{
    return part_grid_bytes(part) +
           (double)levels * real_bytes * BLOCK_NODES * (part->blocks + part->ghosts + 1) +
           part->walls * wall_entry_bytes + part->values * 2 * real_bytes + part->blocks;
}
