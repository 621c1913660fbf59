#include <stdlib.h>
#include <string.h>

#include "blocks/block_grid.h"
#include "blocks/block_numbering.h"
#include "blocks/cut_cells.h"
#include "blocks/link_tiles.h"

/* Places along an axis that a raster key and the curve can hold, less one for a step past the end. */
#define RASTER_SPAN ((INT64_C(1) << HILBERT_BITS_MAX) - 1)

/* ---- one block of the voxelised room --------------------------------------------------------------------
 */

static const struct voxel_detail *detail_of(const struct voxels *voxels, size_t index)
{
    const uint32_t detail = voxels->block[index].detail;
    return detail == VOXELS_OPEN_AIR ? NULL : &voxels->detail[detail];
}

/* Fill the link bytes; false, with `links` untouched, if every node has all six links. */
static bool block_links(const struct voxels *voxels, size_t index, uint8_t links[BLOCK_NODES])
{
    const struct voxel_detail *detail = detail_of(voxels, index);
    if (detail == NULL)
        return false;
    link_tile_read(detail, links);
    return true;
}

/* Merge the contacts (at most six) of one node by material: one entry each, by rising material, with the sum
 * of the cosines as weight. Returns the number of entries written. */
static unsigned merge_contacts(const struct voxel_contact *contact, unsigned count, struct wall *entry)
{
    unsigned entries = 0;
    for (unsigned c = 0; c < count; c++) {
        /* Multiples of 2^-15 up to 6: their sums are exact in float, in any order. */
        const float weight = (float)contact[c].cosine / VOXELS_COSINE_ONE;
        unsigned at = 0;
        while (at < entries && entry[at].material < contact[c].material)
            at++;
        if (at < entries && entry[at].material == contact[c].material) {
            entry[at].weight += weight;
            continue;
        }
        memmove(entry + at + 1, entry + at, (entries - at) * sizeof *entry);
        entry[at] = (struct wall){.material = contact[c].material, .weight = weight};
        entries++;
    }
    for (unsigned e = 0; e < entries; e++)
        entry[e].slot = (uint16_t)(contact->slot | (e > 0 ? WALL_CONTINUES : 0));
    return entries;
}

/* Write the wall entries of the block (at most BLOCK_WALLS_MAX) in order, without nodes that have no links;
 * return their number. */
static unsigned block_walls(const struct voxels *voxels, size_t index, struct wall *entry)
{
    const struct voxel_detail *detail = detail_of(voxels, index);
    if (detail == NULL)
        return 0;
    const struct voxel_contact *const contact = voxels->contact + detail->first_contact;
    unsigned entries = 0;
    for (unsigned c = 0, next; c < detail->contact_count; c = next) {
        const unsigned slot = contact[c].slot;
        for (next = c + 1; next < detail->contact_count && contact[next].slot == slot; next++)
            continue;
        uint64_t all_cut = UINT64_MAX;
        for (int d = 0; d < DIRECTIONS; d++)
            all_cut &= detail->cut[d][slot >> 6];
        if ((all_cut >> (slot & 63) & 1) == 0)
            entries += merge_contacts(contact + c, next - c, entry + entries);
    }
    return entries;
}

/* Wall nodes among entries: each has one entry without the continuation mark. */
static unsigned count_nodes(const struct wall *entry, unsigned entries)
{
    unsigned nodes = 0;
    for (unsigned e = 0; e < entries; e++)
        nodes += (entry[e].slot & WALL_CONTINUES) == 0;
    return nodes;
}

/* Links, marks and walls of one block, conformal or not; without `with_walls` only the numbers of walls.
 * False, with `out` untouched, for open air. */
static bool read_block(const struct cut_room *room, size_t index, bool with_walls, struct cut_block *out)
{
    if (room->voxels->cells)
        return cut_room_block(room, index, out);
    if (!block_links(room->voxels, index, out->links))
        return false;
    if (with_walls) {
        out->walls = block_walls(room->voxels, index, out->wall);
        out->wall_nodes = count_nodes(out->wall, out->walls);
    }
    return true;
}

/* ---- all blocks ------------------------------------------------------------------------------------------
 */

/* A range of coordinates along each axis, both ends inclusive. */
struct span {
    int64_t low[3], high[3];
};
static const struct span no_span = {.low = {INT64_MAX, INT64_MAX, INT64_MAX},
                                    .high = {INT64_MIN, INT64_MIN, INT64_MIN}};

/* The result of one pass over all candidates. */
struct census {
    uint64_t blocks; /* with at least one link */
    uint64_t air_nodes;
    uint64_t walls, wall_nodes;
    struct span air;    /* nodes */
    struct span places; /* of all candidates */
    uint64_t cuts;
    uint32_t list_blocks; /* not among blocks */
};

/* A candidate and its position on the curve. */
struct curve_order {
    uint64_t *key;
    uint32_t *index;
};

static void widen_span(struct span *span, const struct span *by)
{
    for (int a = 0; a < 3; a++) {
        span->low[a] = by->low[a] < span->low[a] ? by->low[a] : span->low[a];
        span->high[a] = by->high[a] > span->high[a] ? by->high[a] : span->high[a];
    }
}

/* Add one block's air to the census, row by row along x; `links` NULL means all of it. */
static void count_air(struct census *census, const int32_t place[3], const uint8_t *links)
{
    uint64_t air = 0;
    struct span held = no_span;
    for (int row = 0; row < BLOCK_NODES / BLOCK_EDGE; row++) {
        uint64_t bytes = UINT64_C(0x3F3F3F3F3F3F3F3F);
        if (links != NULL)
            memcpy(&bytes, links + BLOCK_EDGE * row, sizeof bytes);
        if (bytes == 0)
            continue;
        /* The top bit of every byte that is not 0: it is set already, or set by adding 0x7F to the rest of
         * the byte. */
        const uint64_t low_bits = UINT64_C(0x7F7F7F7F7F7F7F7F);
        const uint64_t nodes = (((bytes & low_bits) + low_bits) | bytes) & ~low_bits;
        const int64_t first[3] = {__builtin_ctzll(nodes) / 8, row & 7, row >> 3};
        const int64_t last[3] = {7 - __builtin_clzll(nodes) / 8, row & 7, row >> 3};
        struct span here;
        air += (uint64_t)__builtin_popcountll(nodes);
        for (int a = 0; a < 3; a++) {
            here.low[a] = (int64_t)place[a] * BLOCK_EDGE + first[a];
            here.high[a] = (int64_t)place[a] * BLOCK_EDGE + last[a];
        }
        widen_span(&held, &here);
    }
    if (air == 0)
        return;
    census->blocks++;
    census->air_nodes += air;
    widen_span(&census->air, &held);
}

/* Add one block to the census; false if it holds no air. */
static bool count_block(struct census *census, const struct cut_room *room, size_t index, bool count_walls)
{
    struct cut_block block;
    uint8_t air[BLOCK_NODES];
    const uint64_t before = census->blocks;
    const int32_t *const place = room->voxels->block[index].place;
    if (!read_block(room, index, count_walls, &block)) {
        count_air(census, place, NULL);
        return true;
    }
    if (count_walls) {
        census->walls += block.walls;
        census->wall_nodes += block.wall_nodes;
    }
    if (!room->voxels->cells) {
        count_air(census, place, block.links);
        return census->blocks > before;
    }
    /* Nodes that only have links to pieces are air too. */
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
        air[slot] = (uint8_t)(block.links[slot] | (block.marks.cut[slot >> 6] >> (slot & 63) & 1));
    count_air(census, place, air);
    census->cuts += block.cuts;
    return census->blocks > before;
}

/* The blocks of further pieces: they have no place. */
static void count_list(struct census *census, const struct cut_room *room)
{
    census->list_blocks = cut_room_list_blocks(room);
    for (uint32_t n = 0; n < census->list_blocks; n++) {
        struct cut_block block;
        (void)cut_room_block(room, room->voxels->block_count + n, &block);
        census->air_nodes += block.cuts;
        census->cuts += block.cuts;
        census->walls += block.walls;
        census->wall_nodes += block.wall_nodes;
    }
}

/* Make one pass over all candidates; `holds_air` (count, may be NULL) marks those that stay. */
static struct census take_census(const struct cut_room *room, bool count_walls, uint8_t *holds_air)
{
    const struct voxels *const voxels = room->voxels;
    struct census total = {.air = no_span, .places = no_span};
#pragma omp parallel
    {
        struct census part = {.air = no_span, .places = no_span};
#pragma omp for schedule(dynamic, 1024)
        for (size_t n = 0; n < voxels->block_count; n++) {
            const int32_t *const place = voxels->block[n].place;
            const struct span here = {.low = {place[0], place[1], place[2]},
                                      .high = {place[0], place[1], place[2]}};
            widen_span(&part.places, &here);
            const bool holds = count_block(&part, room, n, count_walls);
            if (holds_air != NULL)
                holds_air[n] = holds;
        }
#pragma omp critical(block_assembly_census)
        {
            total.blocks += part.blocks;
            total.air_nodes += part.air_nodes;
            total.walls += part.walls;
            total.wall_nodes += part.wall_nodes;
            total.cuts += part.cuts;
            widen_span(&total.air, &part.air);
            widen_span(&total.places, &part.places);
        }
    }
    count_list(&total, room);
    return total;
}

static int check_census(const struct census *census, struct failure *failure)
{
    if (census->blocks == 0)
        return failure_fix(
            failure_advise(failure_set(failure, FAILURE_INPUT,
                                       "the room holds no air: no node has an uncut link to a neighbour"),
                           failure, ADVICE_SMALLER_SPACING, 0),
            failure, "check whether walls are closer than two nodes");
    const uint64_t blocks = census->blocks + census->list_blocks;
    if (blocks > BLOCKS_MAX)
        return failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                          "the room takes %llu blocks of 512 nodes and block ids hold %llu",
                                          (unsigned long long)blocks, (unsigned long long)BLOCKS_MAX),
                              failure, ADVICE_LARGER_SPACING, 0);
    for (int a = 0; a < 3; a++)
        if (census->places.high[a] - census->places.low[a] >= RASTER_SPAN)
            return failure_advise(
                failure_set(
                    failure, FAILURE_CAPACITY,
                    "the room spans blocks %lld to %lld along axis %c and blocks are numbered over at "
                    "most %lld of them",
                    (long long)census->places.low[a], (long long)census->places.high[a], 'x' + a,
                    (long long)RASTER_SPAN),
                failure, ADVICE_LARGER_SPACING, 0);
    return 0;
}

/* Sort by least significant digit first: stable, one pass for every 11 bits of the largest key. `order`
 * points to the sorted arrays on return. */
static int sort_along_curve(struct curve_order *order, uint32_t count, unsigned key_bits,
                            struct failure *failure)
{
    enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
    const size_t bytes = (size_t)count * (sizeof *order->key + sizeof *order->index);
    struct curve_order other = {.key = malloc(count * sizeof *other.key),
                                .index = malloc(count * sizeof *other.index)};
    int code = 0;
    if (other.key == NULL || other.index == NULL) {
        code = failure_memory(failure, bytes, "sorting blocks along the curve");
        goto done;
    }
    for (unsigned shift = 0; shift < key_bits; shift += DIGIT_BITS) {
        uint32_t first[DIGITS] = {0};
        for (uint32_t i = 0; i < count; i++)
            first[order->key[i] >> shift & (DIGITS - 1)]++;
        uint32_t sum = 0;
        for (unsigned digit = 0; digit < DIGITS; digit++) {
            const uint32_t here = first[digit];
            first[digit] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t to = first[order->key[i] >> shift & (DIGITS - 1)]++;
            other.key[to] = order->key[i];
            other.index[to] = order->index[i];
        }
        const struct curve_order swap = *order;
        *order = other;
        other = swap;
    }
done:
    free(other.key);
    free(other.index);
    return code;
}

/* Number the candidates that hold air along the curve, blocks of further pieces after them: `index[id - 1]`
 * is the candidate, or past the last one a list block (owned by the caller). */
static int number_blocks(const struct voxels *voxels, const struct census *census, const uint8_t *holds_air,
                         uint32_t **index, struct failure *failure)
{
    const uint32_t blocks = (uint32_t)census->blocks;
    const struct curve_frame frame = block_curve_frame(census->air.low, census->air.high);
    struct curve_order order = {.key = malloc(blocks * sizeof *order.key),
                                .index = malloc(blocks * sizeof *order.index)};
    int code = 0;
    if (order.key == NULL || order.index == NULL) {
        code = failure_memory(failure, (size_t)blocks * (sizeof *order.key + sizeof *order.index),
                              "numbering blocks along the curve");
        goto done;
    }
    uint32_t filled = 0;
    for (size_t n = 0; n < voxels->block_count; n++)
        if (holds_air[n])
            order.index[filled++] = (uint32_t)n;
#pragma omp parallel for schedule(static)
    for (uint32_t i = 0; i < blocks; i++) {
        order.key[i] = block_curve_key(&frame, voxels->block[order.index[i]].place);
    }
    code = sort_along_curve(&order, blocks, block_curve_bits(&frame), failure);
    if (code == 0 && census->list_blocks > 0) {
        const size_t bytes = ((size_t)blocks + census->list_blocks) * sizeof *order.index;
        uint32_t *more = realloc(order.index, bytes);
        if (more == NULL)
            code = failure_memory(failure, bytes, "numbering blocks along the curve");
        order.index = more != NULL ? more : order.index;
        for (uint32_t n = 0; more != NULL && n < census->list_blocks; n++)
            more[blocks + n] = (uint32_t)voxels->block_count + n;
    }
done:
    free(order.key);
    if (code != 0) {
        free(order.index);
        order.index = NULL;
    }
    *index = order.index;
    return code;
}

/* Give each block its place and tile; tiles are numbered by their first use along the curve. */
static int place_blocks(const struct cut_room *room, const uint32_t *index, struct block_grid *grid,
                        struct failure *failure)
{
    const struct voxels *const voxels = room->voxels;
    static const int32_t no_place[3] = {BLOCK_NO_PLACE, BLOCK_NO_PLACE, BLOCK_NO_PLACE};
    struct tile_set tiles = {0};
    int code = tile_set_start(&tiles, grid->has_records, failure);
    for (block_id b = 1; code == 0 && b <= grid->blocks; b++) {
        struct cut_block block;
        const bool is_list = b >= block_list_first(grid);
        memcpy(grid->block[b].place, is_list ? no_place : voxels->block[index[b - 1]].place,
               sizeof grid->block[b].place);
        if (read_block(room, index[b - 1], false, &block))
            code = tile_set_add(&tiles, block.links, grid->has_records ? &block.marks : NULL,
                                &grid->block[b].tile, failure);
        else
            grid->block[b].tile = TILE_FULL;
    }
    if (code == 0)
        tile_set_give(&tiles, grid);
    tile_set_free(&tiles);
    return code;
}

struct raster {
    const struct voxels *voxels;
    const block_id *id;
    int64_t corner[3]; /* lowest place of any candidate */
};

/* Sortable form of a candidate's place: rising in (z,y,x). */
static uint64_t raster_key_at(const struct raster *raster, size_t n)
{
    uint64_t key = 0;
    for (int a = 2; a >= 0; a--)
        key = key << HILBERT_BITS_MAX | (uint64_t)(raster->voxels->block[n].place[a] - raster->corner[a]);
    return key;
}

/* First candidate in begin..end whose key is at least `key`. */
static size_t raster_lower_bound(const struct raster *raster, size_t begin, size_t end, uint64_t key)
{
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (raster_key_at(raster, middle) < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* Join neighbours both ways. Candidates rise in (z,y,x), so the neighbour in a + direction only moves
 * forward: three cursors replace a search. Every neighbour entry has one writer. */
static void join_neighbours(const struct raster *raster, struct block_grid *grid)
{
    enum { CHUNK = 16384 };
    const size_t count = raster->voxels->block_count;
    const size_t chunks = (count + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t c = 0; c < chunks; c++) {
        const size_t begin = c * CHUNK, end = begin + CHUNK < count ? begin + CHUNK : count;
        for (int axis = 0; axis < 3; axis++) {
            const uint64_t step = UINT64_C(1) << (HILBERT_BITS_MAX * axis);
            size_t cursor = raster_lower_bound(raster, begin, count, raster_key_at(raster, begin) + step);
            for (size_t n = begin; n < end; n++) {
                const block_id id = raster->id[n];
                const uint64_t wanted = raster_key_at(raster, n) + step;
                while (cursor < count && raster_key_at(raster, cursor) < wanted)
                    cursor++;
                if (id == 0 || cursor == count || raster->id[cursor] == 0 ||
                    raster_key_at(raster, cursor) != wanted)
                    continue;
                grid->block[id].neighbour[2 * axis + 1] = raster->id[cursor];
                grid->block[raster->id[cursor]].neighbour[2 * axis] = id;
            }
        }
    }
}

/* Count, then write the wall entries of every block. */
static int place_walls(const struct cut_room *room, const uint32_t *index, struct block_grid *grid,
                       struct failure *failure)
{
    grid->wall_first = calloc((size_t)grid->blocks + 2, sizeof *grid->wall_first);
    if (grid->wall_first == NULL)
        return failure_memory(failure, ((size_t)grid->blocks + 2) * sizeof *grid->wall_first,
                              "ranges of wall nodes");
    uint64_t *const count =
        grid->wall_first + 1; /* count of block b at [b]; becomes the first entry of b + 1 */
    uint64_t wall_nodes = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : wall_nodes)
    for (block_id b = 1; b <= grid->blocks; b++) {
        struct cut_block block;
        if (grid->block[b].tile == TILE_FULL || !read_block(room, index[b - 1], true, &block))
            continue;
        count[b] = block.walls;
        wall_nodes += block.wall_nodes;
    }
    for (block_id b = 1; b <= grid->blocks; b++)
        count[b] += count[b - 1];
    grid->walls = grid->wall_first[grid->blocks + 1];
    grid->wall_nodes = wall_nodes;
    /* One entry more than needed, so that a room without walls has an array too. */
    const size_t bytes = ((size_t)grid->walls + 1) * sizeof *grid->wall;
    grid->wall = malloc(bytes);
    if (grid->wall == NULL)
        return failure_memory(failure, bytes, "wall nodes");
#pragma omp parallel for schedule(dynamic, 1024)
    for (block_id b = 1; b <= grid->blocks; b++) {
        struct cut_block block;
        const uint64_t walls = grid->wall_first[b + 1] - grid->wall_first[b];
        if (walls == 0)
            continue;
        (void)read_block(room, index[b - 1], true, &block);
        memcpy(grid->wall + grid->wall_first[b], block.wall, (size_t)walls * sizeof *block.wall);
    }
    return 0;
}

static int make_find_table(struct block_grid *grid, struct failure *failure)
{
    grid->find_slots = block_find_slots(block_list_first(grid) - 1);
    grid->find_table = calloc(grid->find_slots, sizeof *grid->find_table);
    if (grid->find_table == NULL)
        return failure_memory(failure, (size_t)grid->find_slots * sizeof *grid->find_table,
                              "the table that finds blocks");
    const uint32_t mask = grid->find_slots - 1;
    for (block_id b = 1; b < block_list_first(grid); b++) {
        uint32_t slot = block_find_start(grid->block[b].place) & mask;
        while (grid->find_table[slot] != 0)
            slot = (slot + 1) & mask;
        grid->find_table[slot] = b;
    }
    return 0;
}

/* A grid with the figures of a census and no array yet. */
static struct block_grid counted_grid(const struct cut_room *room, const struct census *census)
{
    struct block_grid grid = {.lattice = room->voxels->lattice,
                              .blocks = (uint32_t)census->blocks + census->list_blocks,
                              .air_nodes = census->air_nodes,
                              .has_records = room->voxels->cells,
                              .cuts = census->cuts,
                              .list_blocks = census->list_blocks,
                              .list_nodes = room->list_nodes,
                              .extra_nodes = room->ends + room->list_nodes,
                              .extra_links = 2 * room->links,
                              .merged = room->slivers.nodes};
    memcpy(grid.air_low, census->air.low, sizeof grid.air_low);
    memcpy(grid.air_high, census->air.high, sizeof grid.air_high);
    return grid;
}

/* Fill the arrays of a grid whose blocks are counted and numbered. */
static int fill_grid(struct cut_room *room, const struct census *census, block_id *id, const uint32_t *index,
                     struct block_grid *grid, struct failure *failure)
{
    for (block_id b = 1; b < block_list_first(grid); b++)
        id[index[b - 1]] = b;
    TRY(cut_room_number(room, id, failure));
    TRY(place_blocks(room, index, grid, failure));
    struct raster raster = {.voxels = room->voxels, .id = id};
    memcpy(raster.corner, census->places.low, sizeof raster.corner);
    join_neighbours(&raster, grid);
    TRY(place_walls(room, index, grid, failure));
    if (grid->has_records)
        TRY(cut_room_fill(room, id, index, grid, failure));
    return make_find_table(grid, failure);
}

static int pack_grid(const struct voxels *voxels, bool merge_slabs, struct block_grid *out,
                     struct failure *failure)
{
    struct block_grid grid = {0};
    struct cut_room room = {0};
    struct census census;
    uint32_t *index = NULL;
    block_id *id = NULL;
    int code = 0;
    uint8_t *holds_air = NULL;
    if (voxels->block_count + voxels->piece_count / BLOCK_NODES + 1 > UINT32_MAX)
        return failure_advise(failure_set(failure, FAILURE_CAPACITY, "%llu blocks do not fit 32-bit ids",
                                          (unsigned long long)voxels->block_count),
                              failure, ADVICE_LARGER_SPACING, 0);
    TRY(cut_room_start(voxels, merge_slabs, &room, failure));
    holds_air = malloc(voxels->block_count + 1);
    if (holds_air == NULL) {
        code = failure_memory(failure, voxels->block_count, "the census of blocks");
        goto done;
    }
    census = take_census(&room, false, holds_air);
    if ((code = check_census(&census, failure)) != 0)
        goto done;
    grid = counted_grid(&room, &census);
    if ((code = number_blocks(voxels, &census, holds_air, &index, failure)) != 0)
        goto done;

    grid.block = calloc((size_t)grid.blocks + 1, sizeof *grid.block);
    id = calloc(voxels->block_count, sizeof *id);
    if (grid.block == NULL || id == NULL) {
        code =
            failure_memory(failure, (size_t)grid.blocks * (sizeof *grid.block + sizeof *id), "block structs");
        goto done;
    }
    if ((code = fill_grid(&room, &census, id, index, &grid, failure)) != 0)
        goto done;
    *out = grid;
    grid = (struct block_grid){0};
done:
    free(holds_air);
    free(index);
    free(id);
    cut_room_free(&room);
    block_grid_free(&grid);
    return code;
}

int block_grid_pack(const struct voxels *voxels, struct block_grid *out, struct failure *failure)
{
    return pack_grid(voxels, false, out, failure);
}

int block_grid_pack_slabs(const struct voxels *voxels, struct block_grid *out, struct failure *failure)
{
    return pack_grid(voxels, true, out, failure);
}

int block_grid_measure(const struct voxels *voxels, struct block_grid *out, struct failure *failure)
{
    struct cut_room room = {0};
    TRY(cut_room_start(voxels, false, &room, failure));
    const struct census census = take_census(&room, true, NULL);
    const size_t blocks = voxels->block_count + census.list_blocks;
    struct tile_set tiles = {0};
    int code = check_census(&census, failure);
    if (code == 0)
        code = tile_set_start(&tiles, voxels->cells, failure);
    for (size_t n = 0; code == 0 && n < blocks; n++) {
        struct cut_block block;
        uint32_t number;
        if (read_block(&room, n, false, &block))
            code = tile_set_add(&tiles, block.links, voxels->cells ? &block.marks : NULL, &number, failure);
    }
    if (code == 0) {
        *out = counted_grid(&room, &census);
        out->tiles = tiles.count;
        out->walls = census.walls;
        out->wall_nodes = census.wall_nodes;
    }
    tile_set_free(&tiles);
    cut_room_free(&room);
    return code;
}
