#include <math.h>
#include <stdbool.h>

#include "blocks/block_grid.h"
#include "blocks/block_numbering.h"
#include "blocks/grid_explain.h"
#include "blocks/link_tiles.h"

/* Arrays of conformal walls: all or none are allocated. */
static int check_arrays(const struct block_grid *grid, struct failure *failure)
{
    if (!grid->has_records)
        return grid->marks != NULL || grid->cuts != 0 || grid->list_blocks != 0 || grid->extra_nodes != 0
                   ? EXPLAIN(failure, "records of conformal walls in a grid of staircases")
                   : 0;
    if (grid->marks == NULL || grid->cut_first == NULL || grid->cut == NULL || grid->gain == NULL ||
        grid->list_voxel == NULL || grid->extra_node == NULL || grid->extra_link == NULL)
        return EXPLAIN(failure, "an array of the grid's conformal walls is missing");
    if (grid->isotropic && (grid->edge == NULL || grid->plaquette == NULL))
        return EXPLAIN(failure, "an array of the grid's isotropic operator is missing");
    if (grid->list_blocks >= grid->blocks ||
        (grid->list_nodes + BLOCK_NODES - 1) / BLOCK_NODES != grid->list_blocks)
        return EXPLAIN(failure, "%llu list nodes in %u of %u blocks", (unsigned long long)grid->list_nodes,
                       grid->list_blocks, grid->blocks);
    return 0;
}

static int check_frame(const struct block_grid *grid, struct failure *failure)
{
    if (grid->blocks == 0 || grid->blocks > BLOCKS_MAX)
        return EXPLAIN(failure, "a grid has 1 to %u blocks, not %u", (unsigned)BLOCKS_MAX, grid->blocks);
    if (grid->block == NULL || grid->tile == NULL || grid->wall_first == NULL || grid->wall == NULL ||
        grid->find_table == NULL)
        return EXPLAIN(failure, "an array of the grid is missing");
    TRY(check_arrays(grid, failure));
    const uint32_t placed = block_list_first(grid) - 1; /* blocks that have a place */
    for (int a = 0; a < 3; a++)
        if (grid->air_high[a] < grid->air_low[a] ||
            (grid->air_high[a] - grid->air_low[a]) / BLOCK_EDGE >= (INT64_C(1) << HILBERT_BITS_MAX) - 1)
            return EXPLAIN(failure, "along %c the air spans nodes %lld to %lld", 'x' + a,
                           (long long)grid->air_low[a], (long long)grid->air_high[a]);
    if (grid->find_slots != block_find_slots(placed))
        return EXPLAIN(failure, "a find table of %u slots for %u blocks", grid->find_slots, placed);
    uint32_t found = 0;
    for (uint32_t slot = 0; slot < grid->find_slots; slot++) {
        if (grid->find_table[slot] > placed)
            return EXPLAIN(failure, "the find table names block %u of %u", grid->find_table[slot], placed);
        found += grid->find_table[slot] != 0;
    }
    if (found != placed) /* also keeps a slot free, which ends every search */
        return EXPLAIN(failure, "the find table holds %u of %u blocks", found, placed);
    if (grid->tiles < 2)
        return EXPLAIN(failure, "%u tiles: TILE_EMPTY and TILE_FULL must be there", grid->tiles);
    for (int d = 0; d < DIRECTIONS; d++)
        if (grid->block[0].neighbour[d] != 0)
            return EXPLAIN(failure, "the empty block's neighbour %s is %u, not itself", direction_name[d],
                           grid->block[0].neighbour[d]);
    if (grid->block[0].tile != TILE_EMPTY)
        return EXPLAIN(failure, "the empty block has tile %u, not TILE_EMPTY", grid->block[0].tile);
    return 0;
}

/* Compare marks with links: a node that is neither whole nor cut off has a record, and so has a node at a
 * wall. */
static int check_marks(const struct block_grid *grid, uint32_t t, struct failure *failure)
{
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        const uint8_t links = grid->tile[t][slot];
        const bool cut = grid->marks[t].cut[slot >> 6] >> (slot & 63) & 1,
                   wall = grid->marks[t].wall[slot >> 6] >> (slot & 63) & 1;
        if (links != 0 && links != BLOCK_LINKS_ALL && !cut)
            return EXPLAIN(failure, "tile %u slot %u: link byte 0x%02x and no record", t, slot, links);
        if (wall && !cut)
            return EXPLAIN(failure, "tile %u slot %u: a mark of walls and no record", t, slot);
    }
    return 0;
}

/* Tiles by themselves: the two fixed ones, six bits, links symmetric inside, none twice. */
static int check_tiles(const struct block_grid *grid, struct failure *failure)
{
    struct tile_set seen = {0};
    int code = tile_set_start(&seen, grid->has_records, failure);
    for (uint32_t t = 0; code == 0 && t < grid->tiles; t++) {
        uint32_t number;
        for (unsigned slot = 0; code == 0 && slot < BLOCK_NODES; slot++) {
            const uint8_t links = grid->tile[t][slot];
            if (links > BLOCK_LINKS_ALL)
                code = EXPLAIN(failure, "tile %u slot %u: link byte 0x%02x has more than six bits", t, slot,
                               links);
            for (int d = 0; code == 0 && d < DIRECTIONS; d++) {
                bool leaves;
                const unsigned there = block_slot_beside(slot, (unsigned)d, &leaves);
                if (!leaves && (links >> d & 1) != (grid->tile[t][there] >> (d ^ 1) & 1))
                    code = EXPLAIN(failure, "tile %u: the link from slot %u %s to slot %u is one-sided", t,
                                   slot, direction_name[d], there);
            }
        }
        if (code == 0 && grid->has_records)
            code = check_marks(grid, t, failure);
        if (code == 0)
            code = tile_set_add(&seen, grid->tile[t], grid->has_records ? &grid->marks[t] : NULL, &number,
                                failure);
        if (code == 0 && number != t)
            code = t < 2 ? EXPLAIN(failure, "tile %u is not %s", t, t == 0 ? "TILE_EMPTY" : "TILE_FULL")
                         : EXPLAIN(failure, "tile %u is not distinct: it repeats tile %u", t, number);
    }
    tile_set_free(&seen);
    return code;
}

/* Tile, place, find table and curve of one block. The block before it has passed. */
static int check_place(const struct block_grid *grid, const struct curve_frame *frame, block_id b,
                       struct failure *failure)
{
    const struct block *const block = &grid->block[b];
    const int32_t *const place = block->place;
    const block_id found = block_grid_find(grid, place);
    if (block->tile >= grid->tiles)
        return EXPLAIN(failure, "block %u has tile %u of %u", b, block->tile, grid->tiles);
    if (block->tile == TILE_EMPTY)
        return EXPLAIN(failure, "block %u at place (%d,%d,%d) holds no air", b, place[0], place[1], place[2]);
    for (int a = 0; a < 3; a++)
        if ((int64_t)place[a] < block_place_of(grid->air_low[a]) ||
            (int64_t)place[a] > block_place_of(grid->air_high[a]))
            return EXPLAIN(failure, "block %u at place (%d,%d,%d) lies outside the bounding box of the air",
                           b, place[0], place[1], place[2]);
    if (found == 0)
        return EXPLAIN(failure, "block %u at place (%d,%d,%d) is not in the find table", b, place[0],
                       place[1], place[2]);
    if (found != b)
        return EXPLAIN(failure, "blocks %u and %u are both at place (%d,%d,%d)", found, b, place[0], place[1],
                       place[2]);
    if (b > 1 && block_curve_key(frame, grid->block[b - 1].place) >= block_curve_key(frame, place))
        return EXPLAIN(failure, "block %u comes before block %u on the curve", b, b - 1);
    return 0;
}

/* Check the six neighbours of one block whose places are all right. The find table is right both ways, so
 * each block's own entries are enough. */
static int check_neighbours(const struct block_grid *grid, block_id b, struct failure *failure)
{
    const struct block *const block = &grid->block[b];
    for (int d = 0; d < DIRECTIONS; d++) {
        int32_t beside[3] = {block->place[0], block->place[1], block->place[2]};
        beside[d / 2] += d & 1 ? 1 : -1;
        const block_id right = block_grid_find(grid, beside);
        if (block->neighbour[d] != right)
            return EXPLAIN(failure, "block %u: neighbour %s is %u, but block %u is at place (%d,%d,%d)", b,
                           direction_name[d], block->neighbour[d], right, beside[0], beside[1], beside[2]);
    }
    return 0;
}

/* Check links across the faces of one block. Every block is checked, so each face is seen from both sides. */
static int check_faces(const struct block_grid *grid, block_id b, struct failure *failure)
{
    const uint8_t *const links = grid->tile[grid->block[b].tile];
    for (int d = 0; d < DIRECTIONS; d++) {
        const block_id other = grid->block[b].neighbour[d];
        if (grid->block[b].tile == TILE_FULL && grid->block[other].tile == TILE_FULL)
            continue;
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            bool leaves;
            const unsigned there = block_slot_beside(slot, (unsigned)d, &leaves);
            if (leaves &&
                (links[slot] >> d & 1) != (grid->tile[grid->block[other].tile][there] >> (d ^ 1) & 1))
                return EXPLAIN(failure, "the link from block %u slot %u %s to block %u slot %u is one-sided",
                               b, slot, direction_name[d], other, there);
        }
    }
    return 0;
}

/* Compare the entries of one block with its cut links, or with its marks if walls are conformal. Adds to
 * `*wall_nodes`. */
static int check_walls(const struct block_grid *grid, block_id b, uint64_t *wall_nodes,
                       struct failure *failure)
{
    const uint8_t *const links = grid->tile[grid->block[b].tile];
    uint64_t w = grid->wall_first[b];
    const uint64_t end = grid->wall_first[b + 1];
    if (end < w || end > grid->walls)
        return EXPLAIN(failure, "block %u: its walls run from %llu to %llu of %llu", b, (unsigned long long)w,
                       (unsigned long long)end, (unsigned long long)grid->walls);
    if (w == end && grid->block[b].tile == TILE_FULL)
        return 0;
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        const unsigned cut = (unsigned)__builtin_popcount((unsigned)links[slot] ^ BLOCK_LINKS_ALL);
        const bool wall_node = grid->has_records
                                   ? grid->marks[grid->block[b].tile].wall[slot >> 6] >> (slot & 63) & 1
                                   : cut > 0 && cut < DIRECTIONS;
        const uint64_t first = w;
        double weight = 0;
        for (; w < end && (grid->wall[w].slot & WALL_SLOT) == slot; w++) {
            const struct wall *const wall = &grid->wall[w];
            if ((wall->slot & ~WALL_SLOT) != (w > first ? WALL_CONTINUES : 0))
                return EXPLAIN(failure, "block %u slot %u: wall entry %llu has its continuation mark wrong",
                               b, slot, (unsigned long long)w);
            if (w > first && wall->material <= grid->wall[w - 1].material)
                return EXPLAIN(failure, "block %u slot %u: materials %u and %u are out of order", b, slot,
                               grid->wall[w - 1].material, wall->material);
            if (!(wall->weight >= 0) ||
                (grid->has_records && !(isfinite(wall->weight) && (wall->weight > 0 || grid->isotropic))))
                return EXPLAIN(failure, "block %u slot %u: wall weight %g", b, slot, (double)wall->weight);
            weight += (double)wall->weight;
        }
        if (grid->has_records && wall_node != (w > first))
            return EXPLAIN(failure, "block %u slot %u: %s", b, slot,
                           wall_node ? "marked as a wall, and no wall entry says of what"
                                     : "a wall entry at a node that is not marked as one");
        if (wall_node && w == first)
            return EXPLAIN(failure, "block %u slot %u: %u links are cut and no wall entry says by what", b,
                           slot, cut);
        if (!wall_node && w > first)
            return EXPLAIN(failure, "block %u slot %u: a wall entry at a node with %u cut links", b, slot,
                           cut);
        if (!grid->has_records && !(weight <= WALL_SCALE_MAX * (double)cut))
            return EXPLAIN(failure, "block %u slot %u: wall weights sum to %g with %u cut links", b, slot,
                           weight, cut);
        *wall_nodes += wall_node;
    }
    if (w != end)
        return EXPLAIN(failure, "block %u: wall entry %llu (slot 0x%04x) is out of order", b,
                       (unsigned long long)w, grid->wall[w].slot);
    return 0;
}

static int check_counts(const struct block_grid *grid, uint64_t wall_nodes, struct failure *failure)
{
    uint64_t air = 0;
    int64_t low[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, high[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    uint32_t next_tile = 2;
    for (block_id b = 1; b <= grid->blocks; b++) {
        const struct block *const block = &grid->block[b];
        if (block->tile > next_tile)
            return EXPLAIN(failure, "block %u uses tile %u before any block uses tile %u", b, block->tile,
                           next_tile);
        next_tile += block->tile == next_tile;
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            int64_t node[3];
            if (!block_is_air(grid, b, slot))
                continue;
            air++;
            if (b >= block_list_first(grid))
                continue;
            block_node(block, slot, node);
            for (int a = 0; a < 3; a++) {
                low[a] = node[a] < low[a] ? node[a] : low[a];
                high[a] = node[a] > high[a] ? node[a] : high[a];
            }
        }
    }
    if (next_tile != grid->tiles)
        return EXPLAIN(failure, "%u tiles, but no block uses tile %u", grid->tiles, next_tile);
    if (air != grid->air_nodes)
        return EXPLAIN(failure, "air_nodes is %llu, but %llu nodes are air",
                       (unsigned long long)grid->air_nodes, (unsigned long long)air);
    if (wall_nodes != grid->wall_nodes)
        return EXPLAIN(failure, "wall_nodes is %llu, but %llu nodes touch walls",
                       (unsigned long long)grid->wall_nodes, (unsigned long long)wall_nodes);
    for (int a = 0; a < 3; a++)
        if (low[a] != grid->air_low[a] || high[a] != grid->air_high[a])
            return EXPLAIN(failure, "along %c the air spans %lld to %lld, but the grid says %lld to %lld",
                           'x' + a, (long long)low[a], (long long)high[a], (long long)grid->air_low[a],
                           (long long)grid->air_high[a]);
    return 0;
}

/* Links that sheets cut: rising, open, with layers and a share. */
static int check_sheets(const struct block_grid *grid, struct failure *failure)
{
    uint64_t before = 0;
    for (uint64_t n = 0; n < grid->sheets; n++) {
        const struct sheet_link *const link = &grid->sheet[n];
        const uint64_t place = ((uint64_t)link->block << 16 | link->slot) * 4 + link->axis + 1;
        if (link->block == 0 || link->block > grid->blocks || link->slot >= BLOCK_NODES || link->axis > 2 ||
            (grid->tile[grid->block[link->block].tile][link->slot] >> (2 * link->axis + 1) & 1) == 0)
            return EXPLAIN(failure, "sheet link %llu is not an open link of the grid", (unsigned long long)n);
        if (place <= before)
            return EXPLAIN(failure, "sheet link %llu does not rise after the one before",
                           (unsigned long long)n);
        if (!(link->layers > 0) || link->share > CUT_WHOLE)
            return EXPLAIN(failure, "sheet link %llu counts %g layers and a share of %u",
                           (unsigned long long)n, (double)link->layers, link->share);
        before = place;
    }
    return 0;
}

int block_grid_check(const struct block_grid *grid, struct failure *failure)
{
    TRY(check_frame(grid, failure));
    TRY(check_tiles(grid, failure));
    const struct curve_frame frame = block_curve_frame(grid->air_low, grid->air_high);
    uint64_t wall_nodes = 0;
    if (grid->wall_first[0] != 0 || grid->wall_first[1] != 0 ||
        grid->wall_first[grid->blocks + 1] != grid->walls)
        return EXPLAIN(failure, "wall ranges do not run from 0 to %llu", (unsigned long long)grid->walls);
    for (block_id b = 1; b < block_list_first(grid); b++)
        TRY(check_place(grid, &frame, b, failure));
    for (block_id b = block_list_first(grid); b <= grid->blocks; b++)
        if (grid->block[b].tile >= grid->tiles)
            return EXPLAIN(failure, "block %u has tile %u of %u", b, grid->block[b].tile, grid->tiles);
    for (block_id b = 1; b < block_list_first(grid); b++)
        TRY(check_neighbours(grid, b, failure));
    for (block_id b = 1; b <= grid->blocks; b++) {
        if (b < block_list_first(grid))
            TRY(check_faces(grid, b, failure));
        TRY(check_walls(grid, b, &wall_nodes, failure));
    }
    if (grid->has_records)
        TRY(cut_cells_check(grid, failure));
    if (grid->isotropic)
        TRY(plaquettes_check(grid, failure));
    TRY(check_sheets(grid, failure));
    return check_counts(grid, wall_nodes, failure);
}
