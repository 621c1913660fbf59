#include "src/rays/ray_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORD 64
/* Air at a closed face of the model's box is within 2 cells of it, the layer behind an open one deeper. */
#define BEHIND_FACE 2.5f
#define STEP        0.5f /* of a ray that looks for its gap, in cells */

void ray_space_free(struct ray_space *space)
{
    free(space->near);
    *space = (struct ray_space){0};
}

static int64_t row_words(const struct ray_space *space)
{
    return (space->cells[0] + WORD - 1) / WORD;
}

static uint64_t *word_of(const struct ray_space *space, const int64_t cell[3])
{
    return &space->near[(cell[2] * space->cells[1] + cell[1]) * row_words(space) + cell[0] / WORD];
}

static bool has_cell(const struct ray_space *space, const int64_t cell[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (cell[axis] < 0 || cell[axis] >= space->cells[axis])
            return false;
    return true;
}

/* ---- making ---- */

/* Lattice nodes of a cell along an edge. */
static int64_t choose_cells(const struct lattice *lattice, struct ray_space *space)
{
    for (int64_t nodes = 1;; nodes++) {
        int64_t all = 1;
        for (int axis = 0; axis < 3; axis++) /* with a margin */
            all *= space->cells[axis] = (lattice->nodes[axis] + nodes - 1) / nodes + 4;
        if (all <= RAY_SPACE_CELLS)
            return nodes;
    }
}

static void mark_node(struct ray_space *space, int64_t nodes, const int64_t node[3])
{
    int64_t cell[3];
    for (int axis = 0; axis < 3; axis++) /* a list node may lie one beyond the lattice */
        cell[axis] = (node[axis] + 2 * nodes) / nodes;
    if (has_cell(space, cell))
        *word_of(space, cell) |= (uint64_t)1 << (cell[0] % WORD);
}

static void mark_air(struct ray_space *space, const struct block_grid *grid, int64_t nodes)
{
    for (block_id b = 1; b < block_list_first(grid); b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
            if (block_is_air(grid, b, slot)) {
                const int32_t *place = grid->block[b].place;
                mark_node(space, nodes,
                          (const int64_t[3]){BLOCK_EDGE * (int64_t)place[0] + (slot & 7),
                                             BLOCK_EDGE * (int64_t)place[1] + (slot >> 3 & 7),
                                             BLOCK_EDGE * (int64_t)place[2] + (slot >> 6)});
            }
    for (uint64_t i = 0; i < grid->list_nodes; i++)
        mark_node(space, nodes, grid->list_voxel[i]);
}

/* Along x. */
static void widen_rows(struct ray_space *space)
{
    const int64_t words = row_words(space);
    for (int64_t row = 0; row < space->cells[1] * space->cells[2]; row++) {
        uint64_t *word = &space->near[row * words], before = 0;
        for (int64_t w = 0; w < words; w++) {
            const uint64_t own = word[w], after = w + 1 < words ? word[w + 1] : 0;
            word[w] = own | own << 1 | own >> 1 | before >> (WORD - 1) | after << (WORD - 1);
            before = own;
        }
    }
}

/* Each of `count` words that are `apart` in groups of `period` is joined with its neighbours. */
static void widen_across(struct ray_space *space, const uint64_t *from, int64_t count, int64_t apart,
                         int64_t period)
{
    for (int64_t w = 0; w < count; w++) {
        const int64_t within = w % (apart * period);
        uint64_t sum = from[w];
        sum |= within >= apart ? from[w - apart] : 0;
        sum |= within < apart * (period - 1) ? from[w + apart] : 0;
        space->near[w] = sum;
    }
}

int ray_space_make(const struct block_grid *grid, const double low[3], const double high[3],
                   const double middle[3], struct ray_space *out, struct failure *failure)
{
    const struct lattice *lattice = &grid->lattice;
    *out = (struct ray_space){0};
    const int64_t nodes = choose_cells(lattice, out), words = row_words(out),
                  count = words * out->cells[1] * out->cells[2];
    out->cell = (float)((double)nodes * lattice->spacing);
    for (int axis = 0; axis < 3; axis++) {
        out->origin[axis] =
            (float)(lattice->origin[axis] - middle[axis] - (0.5 + 2 * (double)nodes) * lattice->spacing);
        out->low[axis] = (float)(low[axis] - middle[axis]);
        out->high[axis] = (float)(high[axis] - middle[axis]);
    }
    out->near = calloc((size_t)count, sizeof *out->near);
    uint64_t *from = malloc((size_t)count * sizeof *from);
    if (out->near == NULL || from == NULL) {
        free(from);
        ray_space_free(out);
        return failure_memory(failure, (unsigned long long)count * 2 * sizeof *from, "the air of rays");
    }
    mark_air(out, grid, nodes);
    widen_rows(out);
    memcpy(from, out->near, (size_t)count * sizeof *from);
    widen_across(out, from, count, words, out->cells[1]);
    memcpy(from, out->near, (size_t)count * sizeof *from);
    widen_across(out, from, count, words * out->cells[1], out->cells[2]);
    free(from);
    return 0;
}

/* ---- ways ---- */

static bool is_near(const struct ray_space *space, const float at[3], const float direction[3], float length)
{
    int64_t cell[3];
    for (int axis = 0; axis < 3; axis++)
        cell[axis] =
            (int64_t)floorf((at[axis] + length * direction[axis] - space->origin[axis]) / space->cell);
    return has_cell(space, cell) && (*word_of(space, cell) >> (cell[0] % WORD) & 1) != 0;
}

/* To where a ray leaves the model's box, and the axis. */
static float find_exit(const struct ray_space *space, const float at[3], const float direction[3], int *axis)
{
    float least = INFINITY;
    *axis = 0;
    for (int a = 0; a < 3; a++) {
        const float face = direction[a] > 0 ? space->high[a] : space->low[a];
        const float length = (face - at[a]) / direction[a];
        if (direction[a] != 0 && length < least) {
            least = length;
            *axis = a;
        }
    }
    return fmaxf(least, 0);
}

/* Behind an open face air goes on, straight outwards. */
static bool is_open(const struct ray_space *space, const float at[3], const float direction[3], float length,
                    int axis)
{
    float behind[3], outwards[3] = {0};
    for (int a = 0; a < 3; a++)
        behind[a] = at[a] + length * direction[a];
    outwards[axis] = direction[axis] > 0 ? 1 : -1;
    return is_near(space, behind, outwards, BEHIND_FACE * space->cell);
}

enum ray_way ray_space_way(const struct ray_space *space, const float at[3], const float direction[3],
                           float *length)
{
    int axis;
    const bool meets = isfinite(*length);
    const float end = meets ? *length : find_exit(space, at, direction, &axis);
    if (is_near(space, at, direction, end)) {
        if (meets)
            return RAY_MEETS;
        if (is_open(space, at, direction, end, axis))
            return RAY_ESCAPES;
        *length = end;
        return RAY_IN_GAP;
    }
    float last = 0;
    for (float next = 0; next < end && is_near(space, at, direction, next); next += STEP * space->cell)
        last = next;
    *length = last;
    return RAY_IN_GAP;
}
