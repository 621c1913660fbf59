#include "kernels/engine/engine_block_energy.h"

#include <string.h>

/* Nodes -1 .. 8 along x and y, 0 .. 8 along z: both ends of all pairs. */
#define ROW   (BLOCK_EDGE + 2)
#define PLANE (ROW * ROW)
#define FIRST (ROW + 1) /* node (0,0,0) */

struct levels {
    double now[(BLOCK_EDGE + 1) * PLANE], old[(BLOCK_EDGE + 1) * PLANE];
};

/* Offset of the other end of a pair: +x +y +z, then the diagonals of plaquettes from the end with the lower
 * second coordinate. */
enum { FACES = 3, DIAGONALS = 6 };
static const int to_face[FACES] = {1, ROW, PLANE};
static const int to_diagonal[DIAGONALS] = {ROW - 1, ROW + 1, PLANE - 1, PLANE + 1, PLANE - ROW, PLANE + ROW};
static const unsigned edge_of[DIAGONALS] = {2, 3, 6, 7, 10, 11};

static unsigned index_place(int x, int y, int z)
{
    return (unsigned)(FIRST + z * PLANE + y * ROW + x);
}

/* Copy `count` values from a node of a block on; block 0 is 0. */
static void copy_values(const struct engine *engine, struct levels *to, unsigned at, uint64_t block,
                        unsigned slot, unsigned count)
{
    const uint64_t from = block * BLOCK_NODES + slot;
    for (unsigned n = 0; n < count; n++) {
        to->now[at + n] = engine_value(engine, engine->u, from + n);
        to->old[at + n] = engine_value(engine, engine->u_old, from + n);
    }
}

/* Copy row y of a block to row (to_y, to_z), with the neighbours along x. */
static void copy_row(const struct engine *engine, struct levels *to, int to_y, int to_z, uint64_t before,
                     uint64_t own, uint64_t after, unsigned row)
{
    copy_values(engine, to, index_place(0, to_y, to_z), own, row * 8, 8);
    copy_values(engine, to, index_place(-1, to_y, to_z), before, row * 8 + 7, 1);
    copy_values(engine, to, index_place(8, to_y, to_z), after, row * 8, 1);
}

static void copy_around(const struct engine *engine, uint64_t id, struct levels *to)
{
    static const block_id no_edge[EDGES] = {0};
    const struct block_grid *grid = engine->room.blocks;
    const block_id *face = grid->block[id].neighbour, *edge = grid->isotropic ? grid->edge[id] : no_edge;
    for (int z = 0; z < BLOCK_EDGE; z++) {
        const unsigned row = 8 * (unsigned)z;
        copy_row(engine, to, -1, z, 0, face[DIRECTION_YM], 0, row + 7);
        for (unsigned y = 0; y < BLOCK_EDGE; y++)
            copy_row(engine, to, (int)y, z, face[DIRECTION_XM], id, face[DIRECTION_XP], row + y);
        copy_row(engine, to, BLOCK_EDGE, z, edge[2], face[DIRECTION_YP], edge[3], row);
    }
    copy_row(engine, to, -1, BLOCK_EDGE, 0, edge[10], 0, 7);
    for (unsigned y = 0; y < BLOCK_EDGE; y++)
        copy_row(engine, to, (int)y, BLOCK_EDGE, edge[6], face[DIRECTION_ZP], edge[7], y);
    copy_row(engine, to, BLOCK_EDGE, BLOCK_EDGE, 0, edge[11], 0, 0);
}

static double multiply_differences(const struct levels *at, unsigned i, int to)
{
    const unsigned j = (unsigned)((int)i + to);
    return (at->now[j] - at->now[i]) * (at->old[j] - at->old[i]);
}

/* Sums over the whole nodes of one row, in lanes. In the isotropic scheme a link has the weight 2/6, a
 * diagonal 1/6. */
struct lanes {
    double moving[8], face[8], diagonal[8];
};

static void add_row(const struct levels *at, unsigned first, const double *share, bool isotropic,
                    struct lanes *sum)
{
    for (unsigned x = 0; x < 8; x++) {
        const unsigned i = first + x;
        const double d = at->now[i] - at->old[i];
        sum->moving[x] += share[x] * (d * d);
        sum->face[x] +=
            share[x] * (multiply_differences(at, i, to_face[0]) + multiply_differences(at, i, to_face[1]) +
                        multiply_differences(at, i, to_face[2]));
    }
    for (unsigned x = 0; isotropic && x < 8; x++) {
        const unsigned i = first + x;
        sum->diagonal[x] +=
            share[x] *
            ((multiply_differences(at, i, to_diagonal[0]) + multiply_differences(at, i, to_diagonal[1])) +
             (multiply_differences(at, i, to_diagonal[2]) + multiply_differences(at, i, to_diagonal[3])) +
             (multiply_differences(at, i, to_diagonal[4]) + multiply_differences(at, i, to_diagonal[5])));
    }
}

static struct block_energy add_up(const struct lanes *sum, bool isotropic)
{
    struct block_energy all = {0};
    for (unsigned x = 0; x < 8; x++) {
        all.moving += sum->moving[x];
        all.stretched += isotropic ? (2 * sum->face[x] + sum->diagonal[x]) / 6 : sum->face[x];
    }
    return all;
}

/* A node that is not whole: the sum over its links, weighted by its openings if it has a record. */
static double sum_links(const struct levels *at, unsigned i, unsigned links, const struct cut_cell *cut)
{
    double sum = 0.0;
    for (unsigned axis = 0; axis < FACES; axis++)
        if (links >> (2 * axis + 1) & 1)
            sum += (cut == NULL ? 1.0 : (double)cut->open[2 * axis + 1] / CUT_WHOLE) *
                   multiply_differences(at, i, to_face[axis]);
    return sum;
}

/* Links have the weight (6 alpha - n) / 6, diagonals of plaquettes b / 6. */
static double sum_isotropic_links(const struct levels *at, unsigned i, const struct cut_cell *cut,
                                  const uint8_t plaquette[EDGES])
{
    int weight[DIRECTIONS];
    double sum = 0.0;
    step_face_weights(cut, plaquette, weight);
    for (unsigned axis = 0; axis < FACES; axis++)
        sum += weight[2 * axis + 1] * multiply_differences(at, i, to_face[axis]);
    for (unsigned n = 0; n < DIAGONALS; n++)
        sum += plaquette[edge_of[n]] * multiply_differences(at, i, to_diagonal[n]);
    return sum / (6.0 * CUT_WHOLE);
}

/* A block with nodes that are not whole: their sums, and in `share` 1 for each whole node. */
static struct block_energy add_others(const struct engine *engine, const struct levels *at, uint64_t id,
                                      double share[BLOCK_NODES])
{
    const struct block_grid *grid = engine->room.blocks;
    const uint32_t tile = grid->block[id].tile;
    uint64_t record = grid->has_records ? grid->cut_first[id] : 0;
    struct block_energy all = {0};
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        const unsigned links = grid->tile[tile][slot],
                       i = index_place((int)(slot & 7), (int)(slot >> 3 & 7), (int)(slot >> 6));
        const bool has = grid->has_records && step_block_is_cut(grid, id, slot);
        share[slot] = has ? 0.0 : links == BLOCK_LINKS_ALL ? 1.0 : 0.0;
        if (share[slot] == 1.0)
            continue;
        const double d = at->now[i] - at->old[i];
        all.moving += engine_mass(engine, has ? record : UINT64_MAX) * (d * d);
        if (links != 0)
            all.stretched += has && grid->isotropic
                                 ? sum_isotropic_links(at, i, &grid->cut[record], grid->plaquette[record])
                                 : sum_links(at, i, links, has ? &grid->cut[record] : NULL);
        record += has;
    }
    return all;
}

struct block_energy engine_block_energy(const struct engine *engine, uint64_t id)
{
    const struct block_grid *grid = engine->room.blocks;
    struct levels at;
    struct lanes sum = {0};
    struct block_energy others = {0};
    double share[BLOCK_NODES];
    copy_around(engine, id, &at);
    if (grid->block[id].tile == TILE_FULL)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
            share[slot] = 1.0;
    else
        others = add_others(engine, &at, id, share);
    for (unsigned row = 0; row < 64; row++)
        add_row(&at, index_place(0, (int)(row & 7), (int)(row >> 3)), share + 8 * row, grid->isotropic, &sum);
    const struct block_energy whole = add_up(&sum, grid->isotropic);
    return (struct block_energy){whole.moving + others.moving, whole.stretched + others.stretched};
}
