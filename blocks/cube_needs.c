#include "blocks/cube_needs.h"

#include <string.h>

#define WINDOW (BLOCK_EDGE + 2) /* nodes -1 .. 8 */

/* Openings of the links in + directions of a block's nodes and those one step around it. */
struct window {
    uint8_t open[3][WINDOW][WINDOW][WINDOW]; /* axis, z, y, x */
};

/* The block at an offset of -1, 0 or 1 along each axis; 0 where there is none, or none that the nodes of this
 * block have a cube with. */
static block_id block_at(const struct block_grid *grid, block_id b, const int offset[3])
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
        const unsigned edge = 4 * (first / 2 + second / 2 - 1) + 2 * (second & 1) + (first & 1);
        const block_id across = grid->edge[b][edge];
        if (moves == 2)
            return across;
        const block_id there = across == 0 ? 0 : grid->block[across].neighbour[direction[rest]];
        if (there != 0)
            return there;
    }
    return 0;
}

static void read_node(const struct block_grid *grid, block_id b, unsigned slot, uint8_t open[3])
{
    const uint32_t tile = grid->block[b].tile;
    const uint8_t links = grid->tile[tile][slot];
    const bool cut = grid->marks[tile].cut[slot >> 6] >> (slot & 63) & 1;
    const uint8_t *const own = cut ? grid->cut[block_cut_record(grid, b, slot)].open : NULL;
    for (unsigned a = 0; a < 3; a++)
        open[a] = cut ? own[2 * a + 1] : links >> (2 * a + 1) & 1 ? CUT_WHOLE : 0;
}

/* What of the window is the block at an offset. */
static void read_part(const struct block_grid *grid, block_id b, const int offset[3], struct window *window)
{
    int begin[3], end[3];
    for (int a = 0; a < 3; a++) {
        begin[a] = offset[a] < 0 ? BLOCK_EDGE - 1 : 0;
        end[a] = offset[a] > 0 ? 1 : BLOCK_EDGE;
    }
    for (int z = begin[2]; z < end[2]; z++)
        for (int y = begin[1]; y < end[1]; y++)
            for (int x = begin[0]; x < end[0]; x++) {
                uint8_t open[3];
                read_node(grid, b, block_slot(x, y, z), open);
                for (int a = 0; a < 3; a++)
                    window->open[a][z + 1 + BLOCK_EDGE * offset[2]][y + 1 + BLOCK_EDGE * offset[1]]
                                [x + 1 + BLOCK_EDGE * offset[0]] = open[a];
            }
}

/* Is there a block with records among a block and those around it? */
static bool read_window(const struct block_grid *grid, block_id b, struct window *window)
{
    block_id part[27];
    int offset[27][3];
    bool records = false;
    for (int n = 0; n < 27; n++) {
        offset[n][0] = n % 3 - 1, offset[n][1] = n / 3 % 3 - 1, offset[n][2] = n / 9 - 1;
        part[n] = block_at(grid, b, offset[n]);
        records = records || grid->cut_first[part[n]] != grid->cut_first[part[n] + 1] || part[n] == 0;
    }
    if (!records)
        return false;
    memset(window, 0, sizeof *window);
    for (int n = 0; n < 27; n++)
        if (part[n] != 0)
            read_part(grid, part[n], offset[n], window);
    return true;
}

/* Openings of the cube whose lowest node is at x, y, z of the window; is any of its links there? */
static bool read_cube(const struct window *window, int x, int y, int z, uint8_t open[CUBE_LINKS])
{
    uint8_t any = 0;
    for (int n = 0; n < 4; n++) {
        const int low = n & 1, high = n >> 1;
        open[n] = window->open[0][z + high][y + low][x];
        open[4 + n] = window->open[1][z + high][y][x + low];
        open[8 + n] = window->open[2][z][y + high][x + low];
        any |= (uint8_t)(open[n] | open[4 + n] | open[8 + n]);
    }
    return any != 0;
}

/* The cubes of a block, each kind once. */
#define CUBES ((WINDOW - 1) * (WINDOW - 1) * (WINDOW - 1))
#define SLOTS 2048
struct kinds {
    unsigned count;
    uint16_t kind_of[CUBES]; /* number + 1; 0: no links */
    uint16_t slot[SLOTS];    /* number + 1; open addressing by content */
    uint8_t open[CUBES + CUBE_LANES][CUBE_LINKS];
    uint32_t need[CUBES + CUBE_LANES][CUBE_CORNERS];
};

static uint16_t kind_of(struct kinds *kinds, const uint8_t open[CUBE_LINKS])
{
    uint64_t eight;
    uint32_t four;
    memcpy(&eight, open, sizeof eight);
    memcpy(&four, open + sizeof eight, sizeof four);
    uint64_t slot = (eight ^ four * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xD6E8FEB86659FD93) >> 53;
    for (; kinds->slot[slot] != 0; slot = (slot + 1) % SLOTS)
        if (memcmp(kinds->open[kinds->slot[slot] - 1], open, CUBE_LINKS) == 0)
            return kinds->slot[slot];
    memcpy(kinds->open[kinds->count], open, CUBE_LINKS);
    return kinds->slot[slot] = (uint16_t)++kinds->count;
}

/* Kind 1 is the whole cube. Are there others? */
static bool find_kinds(const struct window *window, struct kinds *kinds)
{
    uint8_t open[CUBE_LINKS];
    uint16_t *next = kinds->kind_of;
    kinds->count = 0;
    memset(kinds->slot, 0, sizeof kinds->slot);
    memset(open, CUT_WHOLE, sizeof open);
    (void)kind_of(kinds, open);
    for (int z = 0; z < WINDOW - 1; z++)
        for (int y = 0; y < WINDOW - 1; y++)
            for (int x = 0; x < WINDOW - 1; x++)
                *next++ = read_cube(window, x, y, z, open) ? kind_of(kinds, open) : 0;
    return kinds->count > 1;
}

static void bound_kinds(struct kinds *kinds)
{
    for (unsigned i = 0; i < CUBE_CORNERS; i++)
        kinds->need[0][i] = CUBE_NEED_WHOLE;
    for (unsigned n = 1; n < kinds->count; n += CUBE_LANES) {
        const unsigned rest = kinds->count - n;
        cube_bound((const uint8_t(*)[CUBE_LINKS])kinds->open + n, rest < CUBE_LANES ? rest : CUBE_LANES,
                   kinds->need + n);
    }
}

static void add_cubes(const struct kinds *kinds, struct cube_needs *out)
{
    const uint16_t *next = kinds->kind_of;
    for (int z = -1; z < BLOCK_EDGE; z++)
        for (int y = -1; y < BLOCK_EDGE; y++)
            for (int x = -1; x < BLOCK_EDGE; x++) {
                const unsigned kind = *next++;
                for (int corner = 0; kind != 0 && corner < CUBE_CORNERS; corner++) {
                    const int at[3] = {x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2)};
                    if ((at[0] | at[1] | at[2]) >= 0 && (at[0] | at[1] | at[2]) < BLOCK_EDGE)
                        out->need[block_slot(at[0], at[1], at[2])] += kinds->need[kind - 1][corner];
                }
            }
}

void cube_needs(const struct block_grid *grid, block_id b, uint64_t extra, struct cube_needs *out)
{
    struct window window;
    struct kinds kinds;
    memset(out->need, 0, sizeof out->need);
    out->alone = true;
    if (b < block_list_first(grid) && read_window(grid, b, &window)) {
        out->alone = !find_kinds(&window, &kinds);
        if (!out->alone || grid->cut_first[b] != grid->cut_first[b + 1]) {
            bound_kinds(&kinds);
            add_cubes(&kinds, out);
        }
    }
    for (; extra < grid->extra_nodes && grid->extra_node[extra].block == b; extra++) {
        const struct extra_node *const node = &grid->extra_node[extra];
        uint64_t open = 0;
        for (unsigned k = 0; k < node->links; k++)
            open += grid->extra_link[node->first + k].open;
        /* w (u_i - u_j)^2 <= 2 w (u_i^2 + u_j^2) */
        out->need[node->slot] += (2 * open * CUBE_NEED_ONE + CUT_WHOLE - 1) / CUT_WHOLE;
        out->alone = false;
    }
}
