#include <math.h>

#include "blocks/block_grid.h"
#include "blocks/block_numbering.h"
#include "blocks/cut_masses.h"
#include "blocks/grid_explain.h"

typedef unsigned long long ull;

unsigned explain_open(const struct block_grid *grid, block_id b, unsigned slot, unsigned d)
{
    const uint32_t tile = grid->block[b].tile;
    if (grid->marks[tile].cut[slot >> 6] >> (slot & 63) & 1)
        return grid->cut[block_cut_record(grid, b, slot)].open[d];
    return grid->tile[tile][slot] >> d & 1 ? CUT_WHOLE : 0;
}

static int check_ranges(const struct block_grid *grid, struct failure *failure)
{
    if (grid->cut_first[0] != 0 || grid->cut_first[1] != 0 || grid->cut_first[grid->blocks + 1] != grid->cuts)
        return EXPLAIN(failure, "records do not run from 0 to %llu", (ull)grid->cuts);
    for (block_id b = 1; b <= grid->blocks; b++) {
        const uint64_t *const cut = grid->marks[grid->block[b].tile].cut;
        uint64_t marked = 0;
        for (int z = 0; z < BLOCK_EDGE; z++)
            marked += (uint64_t)__builtin_popcountll(cut[z]);
        if (grid->cut_first[b + 1] - grid->cut_first[b] != marked)
            return EXPLAIN(failure,
                           "block %u: %llu nodes are marked as cut and its records run from %llu to %llu", b,
                           (ull)marked, (ull)grid->cut_first[b], (ull)grid->cut_first[b + 1]);
    }
    return 0;
}

/* ---- list nodes ------------------------------------------------------------------------------------------
 */

/* True if the voxel of one list node precedes that of another: by id of its block (blocks without one first,
 * by place), then by slot. */
static bool voxel_before(const struct block_grid *grid, const int64_t left[3], const int64_t right[3])
{
    const uint64_t at[2] = {block_grid_index(grid, left), block_grid_index(grid, right)};
    for (int a = 2; at[0] == UINT64_MAX && at[1] == UINT64_MAX && a >= 0; a--)
        if (block_place_of(left[a]) != block_place_of(right[a]))
            return block_place_of(left[a]) < block_place_of(right[a]);
    if (at[0] == UINT64_MAX || at[1] == UINT64_MAX)
        return at[0] == at[1]
                   ? block_slot(left[0], left[1], left[2]) < block_slot(right[0], right[1], right[2])
                   : at[0] == UINT64_MAX;
    return at[0] < at[1];
}

static int check_list(const struct block_grid *grid, struct failure *failure)
{
    const block_id first = block_list_first(grid);
    for (block_id b = first; b <= grid->blocks; b++) {
        const struct block *const block = &grid->block[b];
        const uint64_t from = (uint64_t)(b - first) * BLOCK_NODES;
        for (int d = 0; d < DIRECTIONS; d++)
            if (block->neighbour[d] != 0)
                return EXPLAIN(failure, "list block %u: neighbour %s is %u, and list nodes have none", b,
                               direction_name[d], block->neighbour[d]);
        for (int a = 0; a < 3; a++)
            if (block->place[a] != BLOCK_NO_PLACE)
                return EXPLAIN(failure, "list block %u is at place (%d,%d,%d), and list nodes have none", b,
                               block->place[0], block->place[1], block->place[2]);
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            if (grid->tile[block->tile][slot] != 0)
                return EXPLAIN(failure, "list block %u slot %u: link byte 0x%02x", b, slot,
                               grid->tile[block->tile][slot]);
            if (block_is_air(grid, b, slot) != (from + slot < grid->list_nodes))
                return EXPLAIN(failure,
                               "list block %u slot %u: the first %llu of %llu list nodes are to have records",
                               b, slot, (ull)from + slot, (ull)grid->list_nodes);
        }
    }
    for (uint64_t n = 1; n < grid->list_nodes; n++)
        if (voxel_before(grid, grid->list_voxel[n], grid->list_voxel[n - 1]))
            return EXPLAIN(failure, "list node %llu comes before list node %llu in the order of voxels",
                           (ull)n, (ull)n - 1);
    return 0;
}

/* ---- extra links -----------------------------------------------------------------------------------------
 */

static uint64_t node_of(uint32_t block, unsigned slot)
{
    return (uint64_t)block * BLOCK_NODES + slot;
}

static const struct extra_node *find_extra(const struct block_grid *grid, uint64_t node)
{
    uint64_t begin = 0, end = grid->extra_nodes;
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2;
        if (node_of(grid->extra_node[middle].block, grid->extra_node[middle].slot) < node)
            begin = middle + 1;
        else
            end = middle;
    }
    const struct extra_node *const found = &grid->extra_node[begin];
    return begin < grid->extra_nodes && node_of(found->block, found->slot) == node ? found : NULL;
}

/* The voxel of any node. */
static void voxel_of(const struct block_grid *grid, uint32_t block, unsigned slot, int64_t voxel[3])
{
    if (block < block_list_first(grid)) {
        block_node(&grid->block[block], slot, voxel);
        return;
    }
    for (int a = 0; a < 3; a++)
        voxel[a] = grid->list_voxel[node_of(block - block_list_first(grid), slot)][a];
}

/* Links of merged slabs lead to the nodes that absorbed them. */
#define APART_MOST 7

static bool has_merged(const struct block_grid *grid, uint32_t block, unsigned slot)
{
    for (uint64_t m = 0; m < grid->merged; m++)
        if (grid->merged_node[m].block == block && grid->merged_node[m].into == slot)
            return true;
    return false;
}

static int check_link(const struct block_grid *grid, const struct extra_node *from,
                      const struct extra_link *link, struct failure *failure)
{
    int64_t here[3], there[3], apart = 0;
    if (link->block == 0 || link->block > grid->blocks || link->slot >= BLOCK_NODES ||
        !block_is_air(grid, link->block, link->slot))
        return EXPLAIN(failure,
                       "an extra link of block %u slot %u leads to block %u slot %u, which is not air",
                       from->block, from->slot, link->block, link->slot);
    if ((link->open == 0 && link->crossed == 0) || (link->crossed != 0 && !grid->isotropic) ||
        (link->reserved[0] | link->reserved[1] | link->reserved[2]) != 0)
        return EXPLAIN(failure,
                       "the extra link from block %u slot %u to block %u slot %u is %u open, crossed by %d, "
                       "and reserved bytes are %u %u %u",
                       from->block, from->slot, link->block, link->slot, link->open, link->crossed,
                       link->reserved[0], link->reserved[1], link->reserved[2]);
    const bool dense = from->block < block_list_first(grid) && link->block < block_list_first(grid);
    if (dense && link->crossed == 0 && !has_merged(grid, from->block, from->slot) &&
        !has_merged(grid, link->block, link->slot))
        return EXPLAIN(
            failure,
            "the extra link from block %u slot %u to block %u slot %u has no list node at an end, nor "
            "one that took a slab",
            from->block, from->slot, link->block, link->slot);
    voxel_of(grid, from->block, from->slot, here);
    voxel_of(grid, link->block, link->slot, there);
    for (int a = 0; a < 3; a++)
        apart += here[a] < there[a] ? there[a] - here[a] : here[a] - there[a];
    if (apart < 1 || apart > (link->open == 0 ? 2 : dense ? APART_MOST : 1))
        return EXPLAIN(
            failure, "the extra link from block %u slot %u to block %u slot %u joins voxels %lld steps apart",
            from->block, from->slot, link->block, link->slot, (long long)apart);
    const struct extra_node *const back = find_extra(grid, node_of(link->block, link->slot));
    for (unsigned k = 0; back != NULL && k < back->links; k++) {
        const struct extra_link *const same = &grid->extra_link[back->first + k];
        if (same->block == from->block && same->slot == from->slot && same->open == link->open &&
            same->crossed == link->crossed)
            return 0;
    }
    return EXPLAIN(failure, "the extra link from block %u slot %u to block %u slot %u is one-sided",
                   from->block, from->slot, link->block, link->slot);
}

static int check_extra(const struct block_grid *grid, struct failure *failure)
{
    uint64_t links = 0;
    for (uint64_t n = 0; n < grid->extra_nodes; n++) {
        const struct extra_node *const node = &grid->extra_node[n], *const before = node - (n > 0);
        if (node->block == 0 || node->block > grid->blocks || node->slot >= BLOCK_NODES ||
            !(grid->marks[grid->block[node->block].tile].cut[node->slot >> 6] >> (node->slot & 63) & 1))
            return EXPLAIN(failure, "block %u slot %u has extra links and no record", node->block,
                           node->slot);
        if (n > 0 && node_of(node->block, node->slot) <= node_of(before->block, before->slot))
            return EXPLAIN(failure, "extra node %llu (block %u slot %u) is out of order", (ull)n, node->block,
                           node->slot);
        if (node->links == 0 || node->first != links || node->links > grid->extra_links - links)
            return EXPLAIN(failure, "extra node %llu: its %u links start at %llu, not %llu of %llu", (ull)n,
                           node->links, (ull)node->first, (ull)links, (ull)grid->extra_links);
        links += node->links;
    }
    if (links != grid->extra_links)
        return EXPLAIN(failure, "%llu extra links, but nodes have %llu", (ull)grid->extra_links, (ull)links);
    for (uint64_t n = 0; n < grid->extra_nodes; n++) {
        const struct extra_node *const node = &grid->extra_node[n];
        for (unsigned k = 0; k < node->links; k++) {
            const struct extra_link *const link = &grid->extra_link[node->first + k];
            if (k > 0 && node_of(link->block, link->slot) <= node_of(link[-1].block, link[-1].slot))
                return EXPLAIN(failure, "block %u slot %u: extra link %u is out of order", node->block,
                               node->slot, k);
            TRY(check_link(grid, node, link, failure));
        }
    }
    return 0;
}

/* ---- records ---------------------------------------------------------------------------------------------
 */

/* Compare the openings of one record with link bytes and the other ends. */
static int check_openings(const struct block_grid *grid, block_id b, unsigned slot,
                          const struct cut_cell *cut, struct failure *failure)
{
    const uint8_t links = grid->tile[grid->block[b].tile][slot];
    for (unsigned d = 0; d < DIRECTIONS; d++) {
        bool leaves;
        const unsigned there = block_slot_beside(slot, d, &leaves);
        const block_id other = leaves ? grid->block[b].neighbour[d] : b;
        if ((cut->open[d] != 0) != (links >> d & 1))
            return EXPLAIN(failure, "block %u slot %u: link %s is %s and %u open", b, slot, direction_name[d],
                           links >> d & 1 ? "there" : "cut", cut->open[d]);
        if (cut->open[d] != 0 && explain_open(grid, other, there, d ^ 1) != cut->open[d])
            return EXPLAIN(
                failure, "the link from block %u slot %u %s is %u open from there and %u from the other end",
                b, slot, direction_name[d], cut->open[d], explain_open(grid, other, there, d ^ 1));
    }
    return 0;
}

/* Check that gains are set exactly where required. */
static int check_gain(const struct block_grid *grid, block_id b, unsigned slot, uint64_t record,
                      struct failure *failure)
{
    const double gain = (double)grid->gain[record];
    if (grid->lambda2 == 0 && gain != 0)
        return EXPLAIN(failure, "block %u slot %u: gain %g before masses are chosen", b, slot, gain);
    if (grid->lambda2 > 0 && !(gain > 0 && isfinite(gain)))
        return EXPLAIN(failure, "block %u slot %u: gain %g is not positive", b, slot, gain);
    return 0;
}

/* The node's bound of cut_masses.h: mass >= lambda^2 / 2 open / CUT_WHOLE and its margin, so gain open <= 2
 * less that; exact in double. */
static int check_mass(const struct block_grid *grid, block_id b, unsigned slot, uint64_t record,
                      unsigned open, struct failure *failure)
{
    if (!((double)grid->gain[record] * open * cut_masses_margin(open) <= 2))
        return EXPLAIN(failure, "block %u slot %u: its mass %g is less than the %g that its openings need", b,
                       slot, cut_mass(grid, record), cut_masses_least(grid->lambda2, open));
    return 0;
}

static int check_record(const struct block_grid *grid, block_id b, unsigned slot, uint64_t record,
                        struct failure *failure)
{
    const struct cut_cell *const cut = &grid->cut[record];
    const struct extra_node *const extra = find_extra(grid, node_of(b, slot));
    const bool wall = grid->marks[grid->block[b].tile].wall[slot >> 6] >> (slot & 63) & 1;
    bool whole = cut->volume == CUT_WHOLE && extra == NULL && !wall && grid->lambda2 == 0;
    unsigned open = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        open += cut->open[d];
        whole = whole && cut->open[d] == CUT_WHOLE;
    }
    for (int e = 0; grid->isotropic && e < EDGES; e++)
        whole = whole && grid->plaquette[record][e] == CUT_WHOLE;
    for (unsigned k = 0; extra != NULL && k < extra->links; k++)
        open += grid->extra_link[extra->first + k].open;
    if (cut->volume == 0 || cut->reserved != 0)
        return EXPLAIN(failure, "block %u slot %u: a record of volume %u, reserved %u", b, slot, cut->volume,
                       cut->reserved);
    if (open == 0)
        return EXPLAIN(failure, "block %u slot %u: a record of a node without links", b, slot);
    if (whole)
        return EXPLAIN(failure, "block %u slot %u: a record of a whole open node", b, slot);
    TRY(check_openings(grid, b, slot, cut, failure));
    TRY(check_gain(grid, b, slot, record, failure));
    return grid->isotropic ? 0 : check_mass(grid, b, slot, record, open, failure);
}

int cut_cells_check(const struct block_grid *grid, struct failure *failure)
{
    if (!(grid->lambda2 >= 0 && (grid->isotropic ? 4 * grid->lambda2 <= 3 : 3 * grid->lambda2 <= 1)))
        return EXPLAIN(failure, "gains for lambda^2 = %g: whole open nodes need one of at most %s",
                       grid->lambda2, grid->isotropic ? "3/4" : "1/3");
    TRY(check_ranges(grid, failure));
    TRY(check_list(grid, failure));
    TRY(check_extra(grid, failure));
    for (block_id b = 1; b <= grid->blocks; b++) {
        uint64_t record = grid->cut_first[b];
        for (unsigned z = 0; z < BLOCK_EDGE; z++)
            for (uint64_t rest = grid->marks[grid->block[b].tile].cut[z]; rest != 0; rest &= rest - 1)
                TRY(check_record(grid, b, 64 * z + (unsigned)__builtin_ctzll(rest), record++, failure));
    }
    return 0;
}
