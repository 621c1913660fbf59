#include "blocks/cube_needs.h"

#include "blocks/open_window.h"

#include <string.h>

/* True if a block or one around it has records, or if none is among them. */
static bool has_walls(const struct block_grid *grid, const block_id part[OPEN_WINDOW_PARTS])
{
    bool walls = false;
    for (int n = 0; n < OPEN_WINDOW_PARTS; n++)
        walls = walls || part[n] == 0 || grid->cut_first[part[n]] != grid->cut_first[part[n] + 1];
    return walls;
}

/* Read the openings of the cube whose lowest node is at x, y, z of the window; true if any of its links is
 * open. */
static bool read_cube(const struct open_window *window, int x, int y, int z, uint8_t open[CUBE_LINKS])
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
#define CUBES ((OPEN_WINDOW - 1) * (OPEN_WINDOW - 1) * (OPEN_WINDOW - 1))
#define SLOTS 2048
struct kinds {
    unsigned count;
    uint16_t kind_of[CUBES]; /* number + 1; 0: no links */
    uint16_t slot[SLOTS];    /* number + 1; open addressing by content */
    uint8_t open[CUBES + CUBE_LANES][CUBE_LINKS];
    bool shared; /* sheets are near: shares also distinguish kinds */
    uint8_t share[CUBES + CUBE_LANES][CUBE_LINKS];
    uint32_t need[CUBES + CUBE_LANES][CUBE_CORNERS];
};

static bool is_kind(const struct kinds *kinds, unsigned number, const uint8_t open[CUBE_LINKS],
                    const uint8_t share[CUBE_LINKS])
{
    return memcmp(kinds->open[number], open, CUBE_LINKS) == 0 &&
           (!kinds->shared || memcmp(kinds->share[number], share, CUBE_LINKS) == 0);
}

static uint16_t kind_of(struct kinds *kinds, const uint8_t open[CUBE_LINKS], const uint8_t share[CUBE_LINKS])
{
    uint64_t eight;
    uint32_t four;
    memcpy(&eight, open, sizeof eight);
    memcpy(&four, open + sizeof eight, sizeof four);
    uint64_t slot = (eight ^ four * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xD6E8FEB86659FD93) >> 53;
    for (; kinds->slot[slot] != 0; slot = (slot + 1) % SLOTS)
        if (is_kind(kinds, kinds->slot[slot] - 1U, open, share))
            return kinds->slot[slot];
    memcpy(kinds->open[kinds->count], open, CUBE_LINKS);
    if (kinds->shared)
        memcpy(kinds->share[kinds->count], share, CUBE_LINKS);
    return kinds->slot[slot] = (uint16_t)++kinds->count;
}

/* Find the kinds of cubes but those of pieces; true if there are others than kind 1, the whole cube. */
static bool find_kinds(const struct open_window *window, const struct open_window *shares,
                       const struct piece_cube *piece, uint64_t pieces, struct kinds *kinds)
{
    uint8_t open[CUBE_LINKS], share[CUBE_LINKS];
    uint16_t *next = kinds->kind_of;
    kinds->count = 0;
    kinds->shared = shares != NULL;
    memset(kinds->slot, 0, sizeof kinds->slot);
    memset(open, CUT_WHOLE, sizeof open);
    memset(share, CUT_WHOLE, sizeof share);
    (void)kind_of(kinds, open, share);
    for (int z = 0; z < OPEN_WINDOW - 1; z++)
        for (int y = 0; y < OPEN_WINDOW - 1; y++)
            for (int x = 0; x < OPEN_WINDOW - 1; x++) {
                bool any = read_cube(window, x, y, z, open);
                if (pieces > 0 && piece->cube == (uint32_t)(next - kinds->kind_of)) {
                    any = false;
                    piece++;
                    pieces--;
                }
                if (shares != NULL)
                    (void)read_cube(shares, x, y, z, share);
                *next++ = any ? kind_of(kinds, open, share) : 0;
            }
    return kinds->count > 1;
}

static void bound_kinds(struct kinds *kinds)
{
    for (unsigned i = 0; i < CUBE_CORNERS; i++)
        kinds->need[0][i] = CUBE_NEED_WHOLE;
    for (unsigned n = 1; n < kinds->count; n += CUBE_LANES) {
        const unsigned rest = kinds->count - n;
        cube_bound_shared((const uint8_t(*)[CUBE_LINKS])kinds->open + n,
                          kinds->shared ? (const uint8_t(*)[CUBE_LINKS])kinds->share + n : NULL,
                          rest < CUBE_LANES ? rest : CUBE_LANES, kinds->need + n);
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

/* Add the needs of a block's nodes in cubes of pieces. */
static void add_pieces(const struct piece_needs *pieces, block_id b, struct cube_needs *out)
{
    uint64_t low = 0, high = pieces->nodes;
    LOWER_BOUND(low, high, at, pieces->node[at].node / BLOCK_NODES < b);
    for (; low < pieces->nodes && pieces->node[low].node / BLOCK_NODES == b; low++) {
        out->need[pieces->node[low].node % BLOCK_NODES] += pieces->node[low].need;
        out->alone = false;
    }
}

/* How many cubes of pieces come before those of a block. */
static uint64_t cubes_before(const struct piece_needs *pieces, uint64_t b)
{
    uint64_t low = 0, high = pieces->cubes;
    LOWER_BOUND(low, high, at, pieces->cube[at].block < b);
    return low;
}

void cube_needs(const struct block_grid *grid, block_id b, uint64_t extra, const struct piece_needs *pieces,
                struct cube_needs *out)
{
    struct open_window window, shares;
    struct kinds kinds;
    block_id part[OPEN_WINDOW_PARTS];
    memset(out->need, 0, sizeof out->need);
    out->alone = true;
    if (b < block_list_first(grid) &&
        (open_window_parts(grid, (const block_id(*)[EDGES])grid->edge, b, part), has_walls(grid, part))) {
        open_window_read(grid, part, &window);
        const uint64_t first = cubes_before(pieces, b), count = cubes_before(pieces, (uint64_t)b + 1) - first;
        out->alone = !find_kinds(&window, open_window_shares(grid, part, &shares) ? &shares : NULL,
                                 count > 0 ? pieces->cube + first : NULL, count, &kinds) &&
                     count == 0;
        if (!out->alone || grid->cut_first[b] != grid->cut_first[b + 1]) {
            bound_kinds(&kinds);
            add_cubes(&kinds, out);
        }
    }
    add_pieces(pieces, b, out);
    for (; extra < grid->extra_nodes && grid->extra_node[extra].block == b; extra++) {
        const struct extra_node *const node = &grid->extra_node[extra];
        uint64_t open = 0; /* of links between dense nodes */
        for (unsigned k = 0; b < block_list_first(grid) && k < node->links; k++)
            if (grid->extra_link[node->first + k].block < block_list_first(grid))
                open += grid->extra_link[node->first + k].open;
        /* w (u_i - u_j)^2 <= 2 w (u_i^2 + u_j^2) */
        out->need[node->slot] += (2 * open * CUBE_NEED_ONE + CUT_WHOLE - 1) / CUT_WHOLE;
        out->alone = false;
    }
}
