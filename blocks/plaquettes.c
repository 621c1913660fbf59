#include "blocks/plaquettes.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/block_grid.h"
#include "blocks/cube_bound.h"
#include "blocks/link_tiles.h"
#include "blocks/open_window.h"
#include "blocks/piece_plaquettes.h"

/* ---- edges of blocks ------------------------------------------------------------------------------------
 */

static int make_edges(const struct block_grid *grid, struct block_grid *next, struct failure *failure)
{
    const size_t bytes = ((size_t)grid->blocks + 1) * sizeof *next->edge;
    next->edge = calloc((size_t)grid->blocks + 1, sizeof *next->edge);
    if (next->edge == NULL)
        return failure_memory(failure, bytes, "neighbours across edges");
#pragma omp parallel for schedule(static)
    for (block_id b = 1; b < block_list_first(grid); b++)
        for (unsigned e = 0; e < EDGES; e++) {
            int32_t place[3];
            memcpy(place, grid->block[b].place, sizeof place);
            place[edge_first_axis(e)] += e & 1 ? 1 : -1;
            place[edge_second_axis(e)] += e >> 1 & 1 ? 1 : -1;
            next->edge[b][e] = block_grid_find(grid, place);
        }
    return 0;
}

/* ---- plaquettes -----------------------------------------------------------------------------------------
 */

/* The openings around a block and the shares that sheets leave to plaquettes; NULL without sheets. */
struct window {
    struct open_window open, *shares;
    struct open_window share;
};

/* Weight of a plaquette of a node of the window's block. */
static unsigned plaquette_across(const struct window *around, unsigned slot, unsigned e)
{
    const struct open_window *const window = &around->open;
    const unsigned a = edge_first_axis(e), c = edge_second_axis(e);
    unsigned at[3] = {(slot & 7) + 1, (slot >> 3 & 7) + 1, (slot >> 6) + 1};
    at[a] -= (e & 1) == 0;
    at[c] -= (e & 2) == 0;
    const unsigned right[3] = {at[0] + (a == 0), at[1] + (a == 1), at[2]},
                   up[3] = {at[0], at[1] + (c == 1), at[2] + (c == 2)};
    const unsigned x[2] = {window->open[a][at[2]][at[1]][at[0]], window->open[a][up[2]][up[1]][up[0]]},
                   y[2] = {window->open[c][at[2]][at[1]][at[0]],
                           window->open[c][right[2]][right[1]][right[0]]};
    if (around->shares != NULL) {
        const struct open_window *const shares = around->shares;
        const unsigned share_x[2] = {shares->open[a][at[2]][at[1]][at[0]],
                                     shares->open[a][up[2]][up[1]][up[0]]},
                       share_y[2] = {shares->open[c][at[2]][at[1]][at[0]],
                                     shares->open[c][right[2]][right[1]][right[0]]};
        return plaquette_weight_shared(x, y, share_x, share_y);
    }
    return (x[0] ^ CUT_WHOLE) | (x[1] ^ CUT_WHOLE) | (y[0] ^ CUT_WHOLE) | (y[1] ^ CUT_WHOLE)
               ? plaquette_weight(x, y)
               : CUT_WHOLE;
}

/* True if all plaquettes of a node are whole. */
static bool plaquettes_whole(const struct window *window, unsigned slot)
{
    for (unsigned e = 0; e < EDGES; e++)
        if (plaquette_across(window, slot, e) != CUT_WHOLE)
            return false;
    return true;
}

/* Set bits of the nodes of a block, rows of x, that are next to a link which is not whole: all plaquettes of
 * the others are whole. */
static void find_doubtful(const struct window *window, uint16_t near[BLOCK_EDGE][BLOCK_EDGE])
{
    const struct open_window *const links = &window->open, *const shares = window->shares != NULL
                                                                               ? window->shares
                                                                               : links;
    uint16_t row[OPEN_WINDOW][OPEN_WINDOW] = {{0}};
    for (int a = 0; a < 3; a++)
        for (int z = 0; z < OPEN_WINDOW; z++)
            for (int y = 0; y < OPEN_WINDOW; y++)
                for (int x = 0; x < OPEN_WINDOW; x++)
                    if (links->open[a][z][y][x] != CUT_WHOLE || shares->open[a][z][y][x] != CUT_WHOLE)
                        row[z][y] |= (uint16_t)(1u << x);
    for (int z = 0; z < BLOCK_EDGE; z++)
        for (int y = 0; y < BLOCK_EDGE; y++) {
            unsigned seen = 0;
            for (int n = 0; n < 9; n++)
                seen |= row[z + n / 3][y + n % 3];
            near[z][y] = (uint16_t)(seen | seen >> 1 | seen >> 2);
        }
}

/* Read the window of a block; zeros for list nodes. */
static void window_of(const struct block_grid *grid, const struct block_grid *next, block_id b,
                      struct window *out)
{
    block_id part[OPEN_WINDOW_PARTS] = {0};
    if (b < block_list_first(grid))
        open_window_parts(grid, (const block_id(*)[EDGES])next->edge, b, part);
    open_window_read(grid, part, &out->open);
    out->shares = open_window_shares(grid, part, &out->share) ? &out->share : NULL;
}

/* ---- records --------------------------------------------------------------------------------------------
 */

static bool has_sheets_near(const struct block_grid *grid, const struct block_grid *next, block_id b)
{
    block_id part[OPEN_WINDOW_PARTS] = {0};
    bool near = false;
    if (grid->sheets == 0)
        return false;
    open_window_parts(grid, (const block_id(*)[EDGES])next->edge, b, part);
    for (int n = 0; n < OPEN_WINDOW_PARTS && !near; n++)
        near =
            part[n] != 0 && block_sheet_from(grid, part[n]) < block_sheet_from(grid, (uint64_t)part[n] + 1);
    return near;
}

/* Blocks of open air surrounded by open air have no record. */
static bool is_deep(const struct block_grid *grid, const struct block_grid *next, block_id b)
{
    bool deep = grid->block[b].tile == TILE_FULL;
    for (unsigned d = 0; deep && d < DIRECTIONS; d++)
        deep = grid->block[grid->block[b].neighbour[d]].tile == TILE_FULL;
    for (unsigned e = 0; deep && e < EDGES; e++)
        deep = next->edge[b][e] != 0;
    return deep && !has_sheets_near(grid, next, b);
}

/* Mark a block and count its records. */
static unsigned mark_block(const struct block_grid *grid, const struct block_grid *next, block_id b,
                           struct tile_marks *marks)
{
    const uint32_t tile = grid->block[b].tile;
    unsigned cuts = 0;
    *marks = grid->marks != NULL ? grid->marks[tile] : (struct tile_marks){0};
    if (is_deep(grid, next, b))
        return 0;
    if (!grid->has_records)
        for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; w++) {
            const unsigned slot = grid->wall[w].slot & WALL_SLOT;
            marks->wall[slot >> 6] |= UINT64_C(1) << (slot & 63);
        }
    struct window window;
    uint16_t near[BLOCK_EDGE][BLOCK_EDGE];
    window_of(grid, next, b, &window);
    find_doubtful(&window, near);
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        const uint64_t bit = UINT64_C(1) << (slot & 63);
        if ((near[slot >> 6][slot >> 3 & 7] >> (slot & 7) & 1) != 0 && (marks->cut[slot >> 6] & bit) == 0 &&
            block_is_air(grid, b, slot) && !plaquettes_whole(&window, slot))
            marks->cut[slot >> 6] |= bit;
        cuts += (marks->cut[slot >> 6] & bit) != 0;
    }
    return cuts;
}

static void write_record(const struct block_grid *grid, const struct window *window, block_id b,
                         unsigned slot, uint64_t at, struct block_grid *next)
{
    struct cut_cell *const cut = &next->cut[at];
    if (grid->has_records && grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1) {
        *cut = grid->cut[block_cut_record(grid, b, slot)];
    } else {
        *cut = (struct cut_cell){.volume = CUT_WHOLE};
        for (unsigned d = 0; d < DIRECTIONS; d++)
            cut->open[d] = grid->tile[grid->block[b].tile][slot] >> d & 1 ? CUT_WHOLE : 0;
    }
    for (unsigned e = 0; e < EDGES; e++)
        next->plaquette[at][e] = (uint8_t)plaquette_across(window, slot, e);
}

/* Blocks are marked many at a time. */
#define MARKED 4096
struct marked {
    struct tile_marks marks;
    unsigned cuts;
};

static int make_records(const struct block_grid *grid, uint32_t *tile_of, struct block_grid *next,
                        struct failure *failure)
{
    struct tile_set tiles = {0};
    struct marked *marked = malloc(MARKED * sizeof *marked);
    next->cut_first = calloc((size_t)grid->blocks + 2, sizeof *next->cut_first);
    if (next->cut_first == NULL || marked == NULL) {
        free(marked);
        return failure_memory(failure, ((size_t)grid->blocks + 2) * sizeof *next->cut_first,
                              "ranges of cut nodes");
    }
    int code = tile_set_start(&tiles, true, failure);
    for (uint64_t first = 1; code == 0 && first <= grid->blocks; first += MARKED) {
        const uint64_t rest = grid->blocks - first + 1, count = rest < MARKED ? rest : MARKED;
#pragma omp parallel for schedule(dynamic, 16)
        for (uint64_t n = 0; n < count; n++)
            marked[n].cuts = mark_block(grid, next, (block_id)(first + n), &marked[n].marks);
        for (uint64_t n = 0; code == 0 && n < count; n++) {
            const block_id b = (block_id)(first + n);
            next->cut_first[b + 1] = next->cut_first[b] + marked[n].cuts;
            if (grid->block[b].tile == TILE_FULL && marked[n].cuts == 0)
                tile_of[b] = TILE_FULL;
            else
                code = tile_set_add(&tiles, grid->tile[grid->block[b].tile], &marked[n].marks, &tile_of[b],
                                    failure);
        }
    }
    free(marked);
    if (code == 0)
        tile_set_give(&tiles, next);
    tile_set_free(&tiles);
    TRY(code);
    next->cuts = next->cut_first[grid->blocks + 1];
    TRY(block_grid_allocate_records(next, true, failure));
#pragma omp parallel for schedule(dynamic, 256)
    for (block_id b = 1; b <= grid->blocks; b++) {
        uint64_t at = next->cut_first[b];
        struct window window;
        if (at < next->cut_first[b + 1])
            window_of(grid, next, b, &window);
        for (unsigned slot = 0; at < next->cut_first[b + 1] && slot < BLOCK_NODES; slot++)
            if (next->marks[tile_of[b]].cut[slot >> 6] >> (slot & 63) & 1)
                write_record(grid, &window, b, slot, at++, next);
    }
    return 0;
}

/* Make the empty arrays of further pieces for a staircase. */
static int make_no_pieces(struct block_grid *next, struct failure *failure)
{
    next->list_voxel = calloc(1, sizeof *next->list_voxel);
    next->extra_node = calloc(1, sizeof *next->extra_node);
    next->extra_link = calloc(1, sizeof *next->extra_link);
    next->merged_node = calloc(1, sizeof *next->merged_node);
    if (next->list_voxel == NULL || next->extra_node == NULL || next->extra_link == NULL ||
        next->merged_node == NULL)
        return failure_memory(failure, 64, "further pieces of air");
    return 0;
}

int block_grid_widen(struct block_grid *grid, struct failure *failure)
{
    assert(!grid->isotropic && grid->lambda2 == 0);
    struct block_grid next = {0};
    uint32_t *tile_of = calloc((size_t)grid->blocks + 1, sizeof *tile_of);
    int code = tile_of == NULL
                   ? failure_memory(failure, ((size_t)grid->blocks + 1) * sizeof *tile_of, "tiles of blocks")
                   : make_edges(grid, &next, failure);
    if (code == 0)
        code = make_records(grid, tile_of, &next, failure);
    if (code == 0 && !grid->has_records)
        code = make_no_pieces(&next, failure);
    if (code == 0) {
        grid->edge = next.edge;
        if (!grid->has_records) {
            grid->list_voxel = next.list_voxel;
            grid->extra_node = next.extra_node;
            grid->extra_link = next.extra_link;
            grid->merged_node = next.merged_node;
        }
        grid->has_records = grid->isotropic = true;
        block_grid_take_records(grid, &next, tile_of);
        code = piece_plaquettes_add(grid, failure);
    }
    block_grid_free(&next);
    free(tile_of);
    return code;
}
