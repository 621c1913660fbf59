#include "blocks/cube_needs.h"
#include "blocks/cut_masses.h"
#include "blocks/grid_explain.h"
#include "blocks/plaquettes.h"

#include <stdlib.h>

typedef unsigned long long ull;

static int check_edges(const struct block_grid *grid, block_id b, struct failure *failure)
{
    for (unsigned e = 0; e < EDGES; e++) {
        const block_id there = grid->edge[b][e];
        int32_t place[3] = {grid->block[b].place[0], grid->block[b].place[1], grid->block[b].place[2]};
        if (b == 0 || b >= block_list_first(grid)) {
            if (there != 0)
                return EXPLAIN(failure, "block %u: block %u is across edge %u of what has no place", b, there,
                               e);
            continue;
        }
        place[edge_first_axis(e)] += e & 1 ? 1 : -1;
        place[edge_second_axis(e)] += e & 2 ? 1 : -1;
        if (there != block_grid_find(grid, place))
            return EXPLAIN(failure, "block %u: across edge %u is block %u, and block %u is at that place", b,
                           e, there, block_grid_find(grid, place));
        if (there != 0 && grid->edge[there][e ^ 3] != b)
            return EXPLAIN(failure, "block %u: block %u is across edge %u, and back from there is block %u",
                           b, there, e, grid->edge[there][e ^ 3]);
    }
    return 0;
}

/* b of the plaquette across an edge, as stored at a node. */
static unsigned plaquette_of(const struct block_grid *grid, block_id b, unsigned slot, unsigned edge)
{
    const uint32_t tile = grid->block[b].tile;
    if (grid->marks[tile].cut[slot >> 6] >> (slot & 63) & 1)
        return grid->plaquette[block_cut_record(grid, b, slot)][edge];
    return grid->tile[tile][slot] == BLOCK_LINKS_ALL ? CUT_WHOLE : 0;
}

/* The node beside one; block 0 if there is none. */
static block_id node_beside(const struct block_grid *grid, block_id b, unsigned slot, unsigned d,
                            unsigned *to)
{
    bool leaves;
    *to = block_slot_beside(slot, d, &leaves);
    return leaves ? grid->block[b].neighbour[d] : b;
}

/* Share that a sheet on a link leaves to plaquettes. */
static unsigned share_of(const struct block_grid *grid, block_id b, unsigned slot, unsigned d)
{
    if ((d & 1) == 0)
        b = node_beside(grid, b, slot, d, &slot);
    for (uint64_t n = block_sheet_from(grid, b); n < grid->sheets && grid->sheet[n].block == b; n++)
        if (grid->sheet[n].slot == slot && grid->sheet[n].axis == d / 2)
            return grid->sheet[n].share;
    return CUT_WHOLE;
}

/* Check the plaquette of a node towards + along both axes of a plane, from all four of its nodes and its
 * links. */
static int check_plaquette(const struct block_grid *grid, block_id b, unsigned slot, unsigned edge,
                           struct failure *failure)
{
    const unsigned d = edge_first_direction(edge), e = edge_second_direction(edge);
    unsigned node[4] = {slot}, beyond;
    block_id block[4] = {b};
    block[1] = node_beside(grid, b, slot, d, &node[1]);
    block[2] = node_beside(grid, b, slot, e, &node[2]);
    node[3] = block_slot_across(slot, edge, &beyond);
    block[3] = beyond == 0            ? b
               : beyond <= DIRECTIONS ? grid->block[b].neighbour[beyond - 1]
                                      : grid->edge[b][beyond - 1 - DIRECTIONS];
    const unsigned x[2] = {explain_open(grid, b, slot, d), explain_open(grid, block[2], node[2], d)},
                   y[2] = {explain_open(grid, b, slot, e), explain_open(grid, block[1], node[1], e)};
    const unsigned share_x[2] = {share_of(grid, b, slot, d), share_of(grid, block[2], node[2], d)},
                   share_y[2] = {share_of(grid, b, slot, e), share_of(grid, block[1], node[1], e)};
    const unsigned wanted = plaquette_weight_shared(x, y, share_x, share_y);
    for (unsigned n = 0; n < 4; n++) {
        const unsigned has = plaquette_of(grid, block[n], node[n], edge ^ n);
        if (has != wanted && block_is_air(grid, block[n], node[n]))
            return EXPLAIN(
                failure,
                "the plaquette of block %u slot %u across edge %u is %u of block %u slot %u, and %u of "
                "its links",
                b, slot, edge, has, block[n], node[n], wanted);
    }
    return 0;
}

/* A plaquette lies towards + of one of its nodes if all four are air. If one is missing, the other three must
 * have weight 0, so all nodes of blocks are checked, air or not. */
static int check_node(const struct block_grid *grid, block_id b, unsigned slot, struct failure *failure)
{
    const uint32_t tile = grid->block[b].tile;
    const bool cut = grid->marks[tile].cut[slot >> 6] >> (slot & 63) & 1;
    const uint8_t links = grid->tile[tile][slot];
    for (unsigned e = 0; links != 0 && e < EDGES; e++)
        TRY(check_plaquette(grid, b, slot, e, failure));
    for (unsigned e = 0; cut && links == 0 && e < EDGES; e++)
        if (plaquette_of(grid, b, slot, e) != 0)
            return EXPLAIN(failure, "block %u slot %u: a plaquette across edge %u and no link", b, slot, e);
    return 0;
}

/* Open air surrounded by open air needs no check. */
static bool is_deep(const struct block_grid *grid, block_id b)
{
    bool deep = grid->block[b].tile == TILE_FULL;
    for (unsigned d = 0; d < DIRECTIONS; d++)
        deep = deep && grid->block[grid->block[b].neighbour[d]].tile == TILE_FULL;
    for (unsigned e = 0; e < EDGES; e++)
        deep = deep && grid->block[grid->edge[b][e]].tile == TILE_FULL;
    return deep;
}

/* The bound of cube_bound.h: mass >= lambda^2 / 4 need and its margin. */
static int check_masses(const struct block_grid *grid, block_id b, const struct piece_needs *pieces,
                        struct cube_needs *needs, struct failure *failure)
{
    cube_needs(grid, b, block_extra_from(grid, b), pieces, needs);
    if (needs->alone && grid->cut_first[b] == grid->cut_first[b + 1])
        return 0;
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        const bool cut = grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1;
        const double mass = cut ? cut_mass(grid, block_cut_record(grid, b, slot)) : 1,
                     least = cut_masses_least_of_need(grid->lambda2, needs->need[slot]);
        if (!(mass >= least))
            return EXPLAIN(failure, "block %u slot %u: its mass %g is less than the %g that its cubes need",
                           b, slot, mass, least);
    }
    return 0;
}

int plaquettes_check(const struct block_grid *grid, struct failure *failure)
{
    for (block_id b = 0; b <= grid->blocks; b++)
        TRY(check_edges(grid, b, failure));
    for (block_id b = 1; b <= grid->blocks; b++)
        for (unsigned slot = 0, nodes = is_deep(grid, b) ? 0 : BLOCK_NODES; slot < nodes; slot++)
            TRY(check_node(grid, b, slot, failure));
    if (grid->lambda2 == 0)
        return 0;
    struct cube_needs *needs = malloc(sizeof *needs);
    if (needs == NULL)
        return failure_memory(failure, sizeof *needs, "masses of a block");
    struct piece_needs pieces;
    int code = piece_needs_make(grid, &pieces, failure);
    for (block_id b = 1; code == 0 && b <= grid->blocks; b++)
        code = check_masses(grid, b, &pieces, needs, failure);
    piece_needs_free(&pieces);
    free(needs);
    return code;
}
