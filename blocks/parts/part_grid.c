#include "blocks/parts/part_grid.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/block_numbering.h"
#include "blocks/sheets/sheet_links.h"

/* ---- values read from other parts ---------------------------------------------------------------------- */

/* A set of nodes of a block that another part reads, as one number that sorts by that part, then block:
 * owner, block of the whole room, nodes. The nodes are a face 0 .. 5, an edge 6 .. 17, or a single node 32 +
 * slot. */
#define WHICH_BITS 10
#define EDGE_FROM  DIRECTIONS
#define SLOT_FROM  32u

static uint64_t key_of(unsigned owner, block_id block, unsigned which)
{
    return (uint64_t)owner << (32 + WHICH_BITS) | (uint64_t)block << WHICH_BITS | which;
}
static unsigned key_owner(uint64_t key)
{
    return (unsigned)(key >> (32 + WHICH_BITS));
}
static block_id key_block(uint64_t key)
{
    return (block_id)(key >> WHICH_BITS);
}

/* Keys of both directions of an exchange; only counts if the arrays are NULL. */
struct wishes {
    uint64_t *read, *sent;
    size_t reads, sends;
};

static void add_wish(struct wishes *wishes, uint64_t read, uint64_t sent)
{
    if (wishes->read != NULL) {
        wishes->read[wishes->reads] = read;
        wishes->sent[wishes->sends] = sent;
    }
    wishes->reads++;
    wishes->sends++;
}

/* Stencil and extra links are symmetric, so every value that is read one way has a counterpart the other way.
 */
static void collect_beside(const struct block_grid *whole, const struct partition *partition,
                           const struct part_grid *part, block_id b, struct wishes *wishes)
{
    for (unsigned d = 0; d < DIRECTIONS; d++) {
        const block_id other = whole->block[b].neighbour[d];
        if (other == 0 || part_local(part, other) != 0)
            continue;
        const unsigned owner = partition_owner(partition, other);
        add_wish(wishes, key_of(owner, other, d ^ 1), key_of(owner, b, d));
    }
    for (unsigned e = 0; whole->isotropic && e < EDGES; e++) {
        const block_id other = whole->edge[b][e];
        if (other == 0 || part_local(part, other) != 0)
            continue;
        const unsigned owner = partition_owner(partition, other);
        add_wish(wishes, key_of(owner, other, EDGE_FROM + (e ^ 3)), key_of(owner, b, EDGE_FROM + e));
    }
}

static void collect_extra(const struct block_grid *whole, const struct partition *partition,
                          const struct part_grid *part, block_id first, block_id last, struct wishes *wishes)
{
    if (!whole->has_records)
        return;
    const uint64_t end = block_extra_from(whole, last);
    for (uint64_t n = block_extra_from(whole, first); n < end; n++) {
        const struct extra_node *const node = &whole->extra_node[n];
        for (uint64_t k = node->first; k < node->first + node->links; k++) {
            const struct extra_link *const link = &whole->extra_link[k];
            if (part_local(part, link->block) != 0)
                continue;
            const unsigned owner = partition_owner(partition, link->block);
            add_wish(wishes, key_of(owner, link->block, SLOT_FROM + link->slot),
                     key_of(owner, node->block, SLOT_FROM + node->slot));
        }
    }
}

static void collect_wishes(const struct block_grid *whole, const struct partition *partition,
                           const struct part_grid *part, struct wishes *wishes)
{
    const unsigned p = part->part;
    wishes->reads = wishes->sends = 0;
    for (block_id b = partition->dense[p]; b < partition->dense[p + 1]; b++)
        collect_beside(whole, partition, part, b, wishes);
    collect_extra(whole, partition, part, partition->dense[p], partition->dense[p + 1], wishes);
    collect_extra(whole, partition, part, partition->list[p], partition->list[p + 1], wishes);
}

static int by_key(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}
static int by_id(const void *a, const void *b)
{
    const block_id x = *(const block_id *)a, y = *(const block_id *)b;
    return (x > y) - (x < y);
}

/* ---- exchange ------------------------------------------------------------------------------------------ */

static bool is_among(unsigned which, unsigned slot)
{
    const unsigned at[3] = {slot & 7, slot >> 3 & 7, slot >> 6};
    if (which >= SLOT_FROM)
        return slot == which - SLOT_FROM;
    if (which < EDGE_FROM)
        return at[which / 2] == (which & 1 ? 7 : 0);
    const unsigned e = which - EDGE_FROM;
    return at[edge_first_axis(e)] == (edge_first_direction(e) & 1 ? 7 : 0) &&
           at[edge_second_axis(e)] == (edge_second_direction(e) & 1 ? 7 : 0);
}

static block_id part_block(const struct part_grid *part, block_id global)
{
    const block_id own = global == 0 ? 0 : part_local(part, global);
    if (global == 0 || own != 0)
        return own;
    uint64_t low = 0, high = part->grid.ghosts;
    LOWER_BOUND(low, high, at, part->ghost[at] < global);
    assert(low < part->grid.ghosts && part->ghost[low] == global);
    return part->grid.blocks + 1 + (block_id)low;
}

/* The pressure indices of sorted keys, in order, each once; only their number if `out` is NULL. `ends` (peers
 * + 1), or NULL, receives the start of each peer's indices. */
static uint64_t expand_keys(const struct part_grid *part, const uint64_t *key, size_t keys, uint64_t *out,
                            uint64_t *ends)
{
    uint64_t count = 0;
    unsigned peer = 0;
    for (size_t n = 0; n < keys;) {
        const size_t first = n;
        bool read[BLOCK_NODES] = {false};
        for (; n < keys && key[n] >> WHICH_BITS == key[first] >> WHICH_BITS; n++)
            for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
                read[slot] |= is_among((unsigned)(key[n] & ((1u << WHICH_BITS) - 1)), slot);
        if (ends != NULL)
            for (; peer < part->peers && part->peer[peer].part <= key_owner(key[first]); peer++)
                ends[peer] = count;
        const uint64_t from =
            out != NULL ? (uint64_t)part_block(part, key_block(key[first])) * BLOCK_NODES : 0;
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
            if (read[slot]) {
                if (out != NULL)
                    out[count] = from + slot;
                count++;
            }
    }
    if (ends != NULL)
        ends[part->peers] = count;
    return count;
}

static int no_memory(struct failure *failure, uint64_t bytes)
{
    return failure_memory(failure, bytes, "a part of the room");
}

/* Ghosts: the blocks that are read, rising. There are at most as many as keys. */
static int find_ghosts(const struct wishes *wishes, struct part_grid *part, struct failure *failure)
{
    uint32_t ghosts = 0;
    part->ghost = malloc((wishes->reads + 1) * sizeof *part->ghost);
    if (part->ghost == NULL)
        return no_memory(failure, (wishes->reads + 1) * sizeof *part->ghost);
    for (size_t n = 0; n < wishes->reads; n++)
        if (n == 0 || wishes->read[n] >> WHICH_BITS != wishes->read[n - 1] >> WHICH_BITS)
            part->ghost[ghosts++] = key_block(wishes->read[n]);
    qsort(part->ghost, ghosts, sizeof *part->ghost, by_id);
    if ((uint64_t)part->grid.blocks + ghosts > BLOCKS_MAX)
        return failure_set(failure, FAILURE_CAPACITY,
                           "a part has %u blocks and reads of %u more: the limit is %u", part->grid.blocks,
                           ghosts, (unsigned)BLOCKS_MAX);
    part->grid.ghosts = ghosts;
    return 0;
}

static int find_peers(const struct wishes *wishes, struct part_grid *part, struct failure *failure)
{
    unsigned peers = 0;
    for (size_t n = 0; n < wishes->reads; n++)
        peers += n == 0 || key_owner(wishes->read[n]) != key_owner(wishes->read[n - 1]);
    part->peer = calloc((size_t)peers + 1, sizeof *part->peer);
    if (part->peer == NULL)
        return no_memory(failure, ((uint64_t)peers + 1) * sizeof *part->peer);
    for (size_t n = 0; n < wishes->reads; n++)
        if (n == 0 || key_owner(wishes->read[n]) != key_owner(wishes->read[n - 1]))
            part->peer[part->peers++].part = key_owner(wishes->read[n]);
    return 0;
}

static int list_values(const struct wishes *wishes, struct part_grid *part, struct failure *failure)
{
    uint64_t *const ends = malloc(((size_t)part->peers + 1) * sizeof *ends);
    part->sends = expand_keys(part, wishes->sent, wishes->sends, NULL, NULL);
    part->receives = expand_keys(part, wishes->read, wishes->reads, NULL, NULL);
    part->send = malloc((part->sends + 1) * sizeof *part->send);
    part->receive = malloc((part->receives + 1) * sizeof *part->receive);
    if (ends == NULL || part->send == NULL || part->receive == NULL) {
        free(ends);
        return no_memory(failure, (part->sends + part->receives + 2) * sizeof *part->send);
    }
    (void)expand_keys(part, wishes->sent, wishes->sends, part->send, ends);
    for (unsigned n = 0; n < part->peers; n++) {
        part->peer[n].send = ends[n];
        part->peer[n].sends = ends[n + 1] - ends[n];
    }
    (void)expand_keys(part, wishes->read, wishes->reads, part->receive, ends);
    for (unsigned n = 0; n < part->peers; n++) {
        part->peer[n].receive = ends[n];
        part->peer[n].receives = ends[n + 1] - ends[n];
    }
    free(ends);
    return 0;
}

/* Own blocks with a value to send. A block may come several times and out of order, once for each peer. */
static int find_surface(struct part_grid *part, struct failure *failure)
{
    bool *const outer = calloc((size_t)part->grid.blocks + 1, sizeof *outer);
    if (outer == NULL)
        return no_memory(failure, (uint64_t)part->grid.blocks + 1);
    for (uint64_t n = 0; n < part->sends; n++) {
        part->surfaces += !outer[part->send[n] / BLOCK_NODES];
        outer[part->send[n] / BLOCK_NODES] = true;
    }
    part->surface = malloc(((size_t)part->surfaces + 1) * sizeof *part->surface);
    for (block_id b = 1, n = 0; part->surface != NULL && b <= part->grid.blocks; b++)
        if (outer[b])
            part->surface[n++] = b;
    free(outer);
    return part->surface == NULL ? no_memory(failure, (uint64_t)part->surfaces * sizeof *part->surface) : 0;
}

static int make_exchange(const struct block_grid *whole, const struct partition *partition,
                         struct part_grid *part, struct failure *failure)
{
    struct wishes wishes = {0};
    collect_wishes(whole, partition, part, &wishes);
    const size_t bytes = (wishes.reads + 1) * sizeof *wishes.read;
    wishes.read = malloc(bytes);
    wishes.sent = malloc(bytes);
    int code = wishes.read == NULL || wishes.sent == NULL ? no_memory(failure, 2 * bytes) : 0;
    if (code == 0) {
        collect_wishes(whole, partition, part, &wishes);
        qsort(wishes.read, wishes.reads, sizeof *wishes.read, by_key);
        qsort(wishes.sent, wishes.sends, sizeof *wishes.sent, by_key);
        code = find_ghosts(&wishes, part, failure);
    }
    if (code == 0)
        code = find_peers(&wishes, part, failure);
    if (code == 0)
        code = list_values(&wishes, part, failure);
    if (code == 0)
        code = find_surface(part, failure);
    free(wishes.read);
    free(wishes.sent);
    return code;
}

/* ---- the grid ------------------------------------------------------------------------------------------ */

static int copy_blocks(const struct block_grid *whole, struct part_grid *part, struct failure *failure)
{
    struct block_grid *const grid = &part->grid;
    const size_t blocks = (size_t)grid->blocks + grid->ghosts + 1;
    grid->block = calloc(blocks, sizeof *grid->block);
    grid->edge = whole->isotropic ? calloc(blocks, sizeof *grid->edge) : NULL;
    if (grid->block == NULL || (whole->isotropic && grid->edge == NULL))
        return no_memory(failure, blocks * (sizeof *grid->block + sizeof *grid->edge));
    for (block_id b = 1; b < blocks; b++) {
        const block_id global = part_global(part, b);
        const struct block *const from = &whole->block[global];
        memcpy(grid->block[b].place, from->place, sizeof from->place);
        if (b > grid->blocks)
            continue;
        for (unsigned d = 0; d < DIRECTIONS; d++)
            grid->block[b].neighbour[d] = part_block(part, from->neighbour[d]);
        for (unsigned e = 0; whole->isotropic && e < EDGES; e++)
            grid->edge[b][e] = part_block(part, whole->edge[global][e]);
    }
    return 0;
}

/* Number tiles in the order in which the part's blocks use them. */
static int copy_tiles(const struct block_grid *whole, struct part_grid *part, struct failure *failure)
{
    struct block_grid *const grid = &part->grid;
    uint32_t *const number = calloc(whole->tiles, sizeof *number);
    if (number == NULL)
        return no_memory(failure, (uint64_t)whole->tiles * sizeof *number);
    number[TILE_FULL] = TILE_FULL;
    grid->tiles = 2;
    for (block_id b = 1; b <= grid->blocks; b++) {
        const uint32_t tile = whole->block[part_global(part, b)].tile;
        if (tile > TILE_FULL && number[tile] == 0)
            number[tile] = grid->tiles++;
        grid->block[b].tile = number[tile];
    }
    grid->tile = malloc(grid->tiles * sizeof *grid->tile);
    grid->marks = whole->has_records ? malloc(grid->tiles * sizeof *grid->marks) : NULL;
    if (grid->tile == NULL || (whole->has_records && grid->marks == NULL)) {
        free(number);
        return no_memory(failure, (uint64_t)grid->tiles * (sizeof *grid->tile + sizeof *grid->marks));
    }
    for (uint32_t t = 0; t < whole->tiles; t++)
        if (t <= TILE_FULL || number[t] != 0) {
            memcpy(grid->tile[number[t]], whole->tile[t], sizeof *grid->tile);
            if (whole->has_records)
                grid->marks[number[t]] = whole->marks[t];
        }
    free(number);
    return 0;
}

/* Ranges of own blocks, from those of the whole room. (blocks + 2) */
static uint64_t *copy_ranges(const struct part_grid *part, const uint64_t *whole)
{
    uint64_t *const first = malloc(((size_t)part->grid.blocks + 2) * sizeof *first);
    if (first == NULL)
        return NULL;
    first[0] = first[1] = 0;
    for (block_id b = 1; b <= part->grid.blocks; b++) {
        const block_id global = part_global(part, b);
        first[b + 1] = first[b] + (whole[global + 1] - whole[global]);
    }
    return first;
}

/* Items of the part's two ranges of blocks, one after the other. NULL without memory. */
static void *copy_items(const struct part_grid *part, const uint64_t *range, const void *items, size_t each)
{
    const uint64_t dense = range[part->first], denses = range[part->first + part->dense] - dense,
                   list = range[part->list_first],
                   lists = range[part->list_first + part->grid.list_blocks] - list;
    char *const copy = malloc((size_t)(denses + lists + 1) * each);
    if (copy == NULL)
        return NULL;
    memcpy(copy, (const char *)items + dense * each, (size_t)denses * each);
    memcpy(copy + denses * each, (const char *)items + list * each, (size_t)lists * each);
    return copy;
}

static int copy_walls(const struct block_grid *whole, struct part_grid *part, struct failure *failure)
{
    struct block_grid *const grid = &part->grid;
    grid->wall_first = copy_ranges(part, whole->wall_first);
    grid->wall = copy_items(part, whole->wall_first, whole->wall, sizeof *whole->wall);
    if (grid->wall_first == NULL || grid->wall == NULL)
        return no_memory(failure, (uint64_t)grid->blocks * sizeof *grid->wall_first);
    grid->walls = grid->wall_first[grid->blocks + 1];
    for (uint64_t w = 0; w < grid->walls; w++)
        grid->wall_nodes += (grid->wall[w].slot & WALL_CONTINUES) == 0;
    return 0;
}

static int copy_records(const struct block_grid *whole, struct part_grid *part, struct failure *failure)
{
    struct block_grid *const grid = &part->grid;
    grid->cut_first = copy_ranges(part, whole->cut_first);
    grid->cut = copy_items(part, whole->cut_first, whole->cut, sizeof *whole->cut);
    grid->gain = copy_items(part, whole->cut_first, whole->gain, sizeof *whole->gain);
    if (whole->isotropic)
        grid->plaquette = copy_items(part, whole->cut_first, whole->plaquette, sizeof *whole->plaquette);
    if (grid->cut_first == NULL || grid->cut == NULL || grid->gain == NULL ||
        (whole->isotropic && grid->plaquette == NULL))
        return no_memory(failure, (uint64_t)grid->blocks * sizeof *grid->cut_first);
    grid->cuts = grid->cut_first[grid->blocks + 1];
    return 0;
}

/* Append extra links of the blocks first .. last-1 of the whole room. */
static void append_extra(const struct block_grid *whole, struct part_grid *part, block_id first,
                         block_id last)
{
    struct block_grid *const grid = &part->grid;
    const uint64_t end = block_extra_from(whole, last);
    for (uint64_t n = block_extra_from(whole, first); n < end; n++) {
        const struct extra_node *const from = &whole->extra_node[n];
        grid->extra_node[grid->extra_nodes++] = (struct extra_node){.block = part_local(part, from->block),
                                                                    .slot = from->slot,
                                                                    .links = from->links,
                                                                    .first = grid->extra_links};
        for (uint64_t k = from->first; k < from->first + from->links; k++) {
            struct extra_link link = whole->extra_link[k];
            link.block = part_block(part, link.block);
            grid->extra_link[grid->extra_links++] = link;
        }
    }
}

static uint64_t links_of(const struct block_grid *whole, block_id first, block_id last, uint64_t *nodes)
{
    const uint64_t from = block_extra_from(whole, first), end = block_extra_from(whole, last);
    uint64_t links = 0;
    for (uint64_t n = from; n < end; n++)
        links += whole->extra_node[n].links;
    *nodes += end - from;
    return links;
}

static int copy_extra(const struct block_grid *whole, struct part_grid *part, struct failure *failure)
{
    struct block_grid *const grid = &part->grid;
    const block_id dense = part->first + part->dense, list = part->list_first + grid->list_blocks;
    uint64_t nodes = 1, links = 1;
    links += links_of(whole, part->first, dense, &nodes);
    links += links_of(whole, part->list_first, list, &nodes);
    grid->extra_node = malloc((size_t)nodes * sizeof *grid->extra_node);
    grid->extra_link = malloc((size_t)links * sizeof *grid->extra_link);
    if (grid->extra_node == NULL || grid->extra_link == NULL)
        return no_memory(failure, nodes * sizeof *grid->extra_node + links * sizeof *grid->extra_link);
    append_extra(whole, part, part->first, dense);
    append_extra(whole, part, part->list_first, list);
    return 0;
}

static bool same_voxel(const int64_t a[3], const int64_t b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static int copy_list(const struct block_grid *whole, struct part_grid *part, struct failure *failure)
{
    struct block_grid *const grid = &part->grid;
    const uint64_t first = (uint64_t)(part->list_first - block_list_first(whole)) * BLOCK_NODES;
    if (grid->list_blocks > 0) {
        grid->list_nodes = (uint64_t)grid->list_blocks * BLOCK_NODES;
        if (grid->list_nodes > whole->list_nodes - first)
            grid->list_nodes = whole->list_nodes - first;
    }
    grid->list_voxel = malloc((size_t)(grid->list_nodes + 1) * sizeof *grid->list_voxel);
    if (grid->list_voxel == NULL)
        return no_memory(failure, grid->list_nodes * sizeof *grid->list_voxel);
    if (grid->list_nodes == 0)
        return 0;
    memcpy(grid->list_voxel, whole->list_voxel + first, (size_t)grid->list_nodes * sizeof *grid->list_voxel);
    while (grid->list_before < first &&
           same_voxel(whole->list_voxel[first - grid->list_before - 1], whole->list_voxel[first]))
        grid->list_before++;
    return 0;
}

static int copy_merged(const struct block_grid *whole, struct part_grid *part, struct failure *failure)
{
    struct block_grid *const grid = &part->grid;
    for (uint64_t n = 0; n < whole->merged; n++)
        grid->merged += part_local(part, whole->merged_node[n].block) != 0;
    grid->merged_node = malloc((size_t)(grid->merged + 1) * sizeof *grid->merged_node);
    if (grid->merged_node == NULL)
        return no_memory(failure, grid->merged * sizeof *grid->merged_node);
    uint64_t at = 0;
    for (uint64_t n = 0; n < whole->merged; n++) {
        struct merged_node merged = whole->merged_node[n];
        merged.block = part_local(part, merged.block);
        if (merged.block != 0)
            grid->merged_node[at++] = merged;
    }
    return 0;
}

static bool is_own_sheet(const struct block_grid *whole, const struct part_grid *part,
                         const struct sheet_link *link)
{
    return part_local(part, link->block) != 0 || part_local(part, sheet_link_high(whole, link)) != 0;
}

/* Ids of a part rise with those of the room; ghosts come last. */
static void append_sheets(const struct block_grid *whole, struct part_grid *part, bool own)
{
    struct block_grid *const grid = &part->grid;
    for (uint64_t n = 0; n < whole->sheets; n++) {
        struct sheet_link link = whole->sheet[n];
        if (!is_own_sheet(whole, part, &link) || (part_local(part, link.block) != 0) != own)
            continue;
        link.block = part_block(part, link.block);
        if (!own)
            grid->block[link.block].neighbour[2U * link.axis + 1] =
                part_local(part, sheet_link_high(whole, &whole->sheet[n]));
        grid->sheet[grid->sheets++] = link;
    }
}

static int copy_sheets(const struct block_grid *whole, struct part_grid *part, struct failure *failure)
{
    struct block_grid *const grid = &part->grid;
    uint64_t count = 0;
    for (uint64_t n = 0; n < whole->sheets; n++)
        count += is_own_sheet(whole, part, &whole->sheet[n]);
    if (count == 0)
        return 0;
    grid->sheet = malloc((size_t)count * sizeof *grid->sheet);
    grid->law = malloc(((size_t)whole->laws + 1) * sizeof *grid->law);
    if (grid->sheet == NULL || grid->law == NULL)
        return no_memory(failure, count * sizeof *grid->sheet + whole->laws * sizeof *grid->law);
    append_sheets(whole, part, true);
    append_sheets(whole, part, false);
    grid->laws = whole->laws;
    if (whole->laws > 0)
        memcpy(grid->law, whole->law, whole->laws * sizeof *grid->law);
    return 0;
}

/* ---- the layer behind open faces ----------------------------------------------------------------------- */

/* Append the openings of nodes of other parts beside own nodes of the layer in a block, or count them if
 * there is no array. */
static void append_openings(const struct block_grid *whole, struct part_grid *part, block_id b)
{
    struct block_grid *const grid = &part->grid;
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        int64_t node[3];
        block_node(&grid->block[b], slot, node);
        if (!block_in_layer(grid, node) || !block_is_air(grid, b, slot))
            continue;
        for (unsigned d = 0; d < DIRECTIONS; d++) {
            bool leaves;
            const unsigned there = block_slot_beside(slot, d, &leaves);
            const block_id beside = grid->block[b].neighbour[d];
            if (!leaves || beside <= grid->blocks)
                continue;
            if (grid->ghost_open != NULL) {
                struct ghost_opening *const one = &grid->ghost_open[grid->ghost_opens];
                one->index = (uint64_t)beside * BLOCK_NODES + there;
                for (unsigned e = 0; e < DIRECTIONS; e++)
                    one->open[e] = (uint8_t)block_opening(whole, part_global(part, beside), there, e);
            }
            grid->ghost_opens++;
        }
    }
}

static int by_index(const void *a, const void *b)
{
    const struct ghost_opening *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

static int copy_openings(const struct block_grid *whole, struct part_grid *part, struct failure *failure)
{
    struct block_grid *const grid = &part->grid;
    memcpy(grid->layer, whole->layer, sizeof grid->layer);
    if (!block_has_layer(whole))
        return 0;
    for (block_id b = 1; b <= part->dense; b++)
        append_openings(whole, part, b);
    const uint64_t count = grid->ghost_opens;
    struct ghost_opening *const all = calloc(count + 1, sizeof *all);
    if (all == NULL)
        return no_memory(failure, count * sizeof *all);
    grid->ghost_open = all;
    grid->ghost_opens = 0;
    for (block_id b = 1; b <= part->dense; b++)
        append_openings(whole, part, b);
    qsort(all, count, sizeof *all, by_index);
    return 0;
}

/* Table of own blocks by place; ghosts are not in it. */
static int make_find_table(struct block_grid *grid, struct failure *failure)
{
    const block_id placed = block_list_first(grid) - 1;
    grid->find_slots = block_find_slots(placed);
    grid->find_table = calloc(grid->find_slots, sizeof *grid->find_table);
    if (grid->find_table == NULL)
        return no_memory(failure, (uint64_t)grid->find_slots * sizeof *grid->find_table);
    for (block_id b = 1; b <= placed; b++) {
        uint32_t slot = block_find_start(grid->block[b].place) & (grid->find_slots - 1);
        while (grid->find_table[slot] != 0)
            slot = (slot + 1) & (grid->find_slots - 1);
        grid->find_table[slot] = b;
    }
    return 0;
}

static void count_air(struct block_grid *grid)
{
    for (block_id b = 1; b <= grid->blocks; b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
            grid->air_nodes += block_is_air(grid, b, slot);
}

static int make_grid(const struct block_grid *whole, struct part_grid *part, struct failure *failure)
{
    TRY(copy_blocks(whole, part, failure));
    TRY(copy_tiles(whole, part, failure));
    TRY(copy_walls(whole, part, failure));
    TRY(copy_sheets(whole, part, failure));
    if (whole->has_records) {
        TRY(copy_records(whole, part, failure));
        TRY(copy_extra(whole, part, failure));
        TRY(copy_list(whole, part, failure));
        TRY(copy_merged(whole, part, failure));
    }
    TRY(copy_openings(whole, part, failure));
    TRY(make_find_table(&part->grid, failure));
    count_air(&part->grid);
    return 0;
}

int part_grid_make(const struct block_grid *whole, const struct partition *partition, unsigned p,
                   struct part_grid *out, struct failure *failure)
{
    assert(p < partition->parts);
    struct part_grid part = {.part = p,
                             .first = partition->dense[p],
                             .list_first = partition->list[p],
                             .dense = partition->dense[p + 1] - partition->dense[p]};
    struct block_grid *const grid = &part.grid;
    grid->lattice = whole->lattice;
    memcpy(grid->air_low, whole->air_low, sizeof grid->air_low);
    memcpy(grid->air_high, whole->air_high, sizeof grid->air_high);
    grid->has_records = whole->has_records;
    grid->isotropic = whole->isotropic;
    grid->lambda2 = whole->lambda2;
    grid->list_blocks = partition->list[p + 1] - partition->list[p];
    grid->blocks = part.dense + grid->list_blocks;
    int code = make_exchange(whole, partition, &part, failure);
    if (code == 0)
        code = make_grid(whole, &part, failure);
    if (code == 0)
        *out = part;
    else
        part_grid_free(&part);
    return code;
}

void part_grid_free(struct part_grid *part)
{
    block_grid_free(&part->grid);
    free(part->ghost);
    free(part->peer);
    free(part->send);
    free(part->receive);
    free(part->surface);
    *part = (struct part_grid){0};
}
