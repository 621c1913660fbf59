#include "blocks/open_window.h"

#include <string.h>

static block_id part_at(const struct block_grid *grid, const block_id (*edge)[EDGES], block_id b,
                        const int offset[3])
{
    unsigned moves = 0, direction[3];
    for (unsigned a = 0; a < 3; a++)
        if (offset[a] != 0)
            direction[moves++] = 2 * a + (offset[a] > 0);
    if (moves == 0)
        return b;
    if (moves == 1)
        return grid->block[b].neighbour[direction[0]];
    for (unsigned n = 0; n < 3; n++) { /* one of a corner's edges is enough */
        const unsigned left = n == 2 ? 1 : 0, right = n == 0 ? 1 : 2, rest = 2 - n;
        const unsigned first = direction[left], second = direction[right];
        const block_id across = edge[b][4 * (first / 2 + second / 2 - 1) + 2 * (second & 1) + (first & 1)];
        if (moves == 2)
            return across;
        const block_id there = across == 0 ? 0 : grid->block[across].neighbour[direction[rest]];
        if (there != 0)
            return there;
    }
    return 0;
}

static void offset_of(int part, int offset[3])
{
    offset[0] = part % 3 - 1;
    offset[1] = part / 3 % 3 - 1;
    offset[2] = part / 9 - 1;
}

void open_window_parts(const struct block_grid *grid, const block_id (*edge)[EDGES], block_id b,
                       block_id part[OPEN_WINDOW_PARTS])
{
    for (int n = 0; n < OPEN_WINDOW_PARTS; n++) {
        int offset[3];
        offset_of(n, offset);
        part[n] = part_at(grid, edge, b, offset);
    }
}

static void read_node(const struct block_grid *grid, block_id b, unsigned slot, uint8_t open[3])
{
    const uint32_t tile = grid->block[b].tile;
    const uint8_t links = grid->tile[tile][slot];
    const bool cut = grid->marks != NULL && (grid->marks[tile].cut[slot >> 6] >> (slot & 63) & 1) != 0;
    const uint8_t *const own = cut ? grid->cut[block_cut_record(grid, b, slot)].open : NULL;
    for (unsigned a = 0; a < 3; a++)
        open[a] = cut ? own[2 * a + 1] : links >> (2 * a + 1) & 1 ? CUT_WHOLE : 0;
}

void open_window_read(const struct block_grid *grid, const block_id part[OPEN_WINDOW_PARTS],
                      struct open_window *out)
{
    memset(out, 0, sizeof *out);
    for (int n = 0; n < OPEN_WINDOW_PARTS; n++) {
        int offset[3], begin[3], end[3];
        offset_of(n, offset);
        for (int a = 0; a < 3; a++) {
            begin[a] = offset[a] < 0 ? BLOCK_EDGE - 1 : 0;
            end[a] = part[n] == 0 ? 0 : offset[a] > 0 ? 1 : BLOCK_EDGE;
        }
        for (int z = begin[2]; z < end[2]; z++)
            for (int y = begin[1]; y < end[1]; y++)
                for (int x = begin[0]; x < end[0]; x++) {
                    uint8_t open[3];
                    read_node(grid, part[n], block_slot(x, y, z), open);
                    for (int a = 0; a < 3; a++)
                        out->open[a][z + 1 + BLOCK_EDGE * offset[2]][y + 1 + BLOCK_EDGE * offset[1]]
                                 [x + 1 + BLOCK_EDGE * offset[0]] = open[a];
                }
    }
}

/* Read the sheets of one part of the window. */
static void share_part(const struct block_grid *grid, block_id b, const int offset[3],
                       struct open_window *out)
{
    const uint64_t end = block_sheet_from(grid, (uint64_t)b + 1);
    for (uint64_t n = block_sheet_from(grid, b); n < end; n++) {
        const struct sheet_link *const link = &grid->sheet[n];
        int at[3];
        bool inside = true;
        for (int a = 0; a < 3; a++) {
            at[a] = (link->slot >> 3 * a & 7) + 1 + BLOCK_EDGE * offset[a];
            inside = inside && at[a] >= 0 && at[a] < OPEN_WINDOW;
        }
        if (inside)
            out->open[link->axis][at[2]][at[1]][at[0]] = link->share;
    }
}

bool open_window_shares(const struct block_grid *grid, const block_id part[OPEN_WINDOW_PARTS],
                        struct open_window *out)
{
    bool any = false;
    for (int n = 0; n < OPEN_WINDOW_PARTS && grid->sheets > 0; n++) {
        int offset[3];
        if (part[n] == 0 || block_sheet_from(grid, part[n]) == block_sheet_from(grid, (uint64_t)part[n] + 1))
            continue;
        if (!any)
            memset(out, CUT_WHOLE, sizeof *out);
        any = true;
        offset_of(n, offset);
        share_part(grid, part[n], offset, out);
    }
    return any;
}
