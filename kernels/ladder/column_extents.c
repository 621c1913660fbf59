#include "kernels/ladder/column_extents.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/scheme/step.h"

struct placed_block {
    int32_t place[3];
    block_id id;
};

static int by_column(const void *a, const void *b)
{
    static const int axis[3] = {1, 0, 2};
    const struct placed_block *const left = a, *const right = b;
    for (int n = 0; n < 3; ++n) {
        const int32_t a_at = left->place[axis[n]], b_at = right->place[axis[n]];
        if (a_at != b_at)
            return a_at < b_at ? -1 : 1;
    }
    return 0;
}

static bool is_air(const struct block_grid *grid, uint64_t index)
{
    return grid->tile[grid->block[index / BLOCK_NODES].tile][index % BLOCK_NODES] != 0;
}

static int refuse_thin_walls(const struct block_grid *grid, struct failure *failure)
{
    for (block_id b = 1; b <= grid->blocks; ++b) {
        const struct block *const block = &grid->block[b];
        for (unsigned slot = 0; block->tile != TILE_FULL && slot < BLOCK_NODES; ++slot)
            for (unsigned d = 0; is_air(grid, (uint64_t)b * BLOCK_NODES + slot) && d < 6; ++d)
                if (((unsigned)grid->tile[block->tile][slot] >> d & 1u) !=
                    is_air(grid, step_block_neighbour(block, b, slot, d)))
                    return failure_set(failure, FAILURE_INPUT,
                                       "columns have no wall between two nodes of air, and block %u has one",
                                       b);
    }
    return 0;
}

/* A stretch of a column is over: counted, or written to where `at` says. */
static void finish(const struct column_extents *extents, uint64_t column, const struct column_run *run,
                   uint32_t *at, bool write)
{
    if (run->low == run->past)
        return;
    if (write)
        extents->run[at[column]] = *run;
    ++at[column];
}

/* All stretches, column by column of blocks. `at` counts by column, or is where the next one goes. */
static void find_runs(const struct block_grid *grid, const struct placed_block *order,
                      const struct column_extents *extents, uint32_t *at, bool write)
{
    struct column_run run[64];
    for (block_id n = 0; n < grid->blocks; ++n) {
        const struct placed_block *const here = &order[n];
        const bool starts =
            n == 0 || here->place[0] != here[-1].place[0] || here->place[1] != here[-1].place[1];
        const bool ends =
            n + 1 == grid->blocks || here->place[0] != here[1].place[0] || here->place[1] != here[1].place[1];
        const uint8_t *const links = grid->tile[grid->block[here->id].tile];
        for (unsigned c = 0; c < 64; ++c) {
            const int64_t x = 8 * (int64_t)here->place[0] + (c & 7) - grid->air_low[0],
                          y = 8 * (int64_t)here->place[1] + (c >> 3) - grid->air_low[1];
            const uint64_t column = (uint64_t)((y + 1) * (extents->nodes[0] + 2) + x + 1);
            if (starts)
                run[c] = (struct column_run){0, 0};
            for (unsigned z = 0; z < 8; ++z) {
                const int32_t level = (int32_t)(8 * (int64_t)here->place[2] + z - grid->air_low[2]);
                if (links[c + 64 * z] == 0)
                    continue;
                if (run[c].low == run[c].past || run[c].past != level) {
                    finish(extents, column, &run[c], at, write);
                    run[c].low = level;
                }
                run[c].past = level + 1;
            }
            if (ends)
                finish(extents, column, &run[c], at, write);
        }
    }
}

int column_extents_make(const struct block_grid *grid, struct column_extents *out, struct failure *failure)
{
    struct column_extents made = {.columns = 1};
    TRY(refuse_thin_walls(grid, failure));
    for (int d = 0; d < 3; ++d) {
        made.nodes[d] = grid->air_high[d] - grid->air_low[d] + 1;
        made.columns *= d < 2 ? (uint64_t)made.nodes[d] + 2 : 1;
    }
    struct placed_block *const order = malloc((size_t)grid->blocks * sizeof *order + 1);
    uint32_t *const at = calloc(made.columns, sizeof *at);
    made.begin = calloc(made.columns + 1, sizeof *made.begin);
    if (order != NULL && at != NULL && made.begin != NULL) {
        for (block_id b = 1; b <= grid->blocks; ++b) {
            const int32_t *const place = grid->block[b].place;
            order[b - 1] = (struct placed_block){{place[0], place[1], place[2]}, b};
        }
        qsort(order, grid->blocks, sizeof *order, by_column);
        find_runs(grid, order, &made, at, false);
        for (uint64_t c = 0; c < made.columns; ++c) {
            made.begin[c + 1] = made.begin[c] + at[c];
            at[c] = made.begin[c];
        }
        made.run = malloc((size_t)made.begin[made.columns] * sizeof *made.run + 1);
    }
    const int code = made.run != NULL ? 0 : failure_memory(failure, 8 * made.columns, "columns");
    if (code == 0) {
        find_runs(grid, order, &made, at, true);
        *out = made;
    } else {
        column_extents_free(&made);
    }
    free(order);
    free(at);
    return code;
}

void column_extents_free(struct column_extents *extents)
{
    free(extents->begin);
    free(extents->run);
    *extents = (struct column_extents){.columns = 0};
}

void column_losses(double lambda2, double g, double q[7])
{
    for (int cut = 0; cut < 7; ++cut) {
        const double kappa = 0.5 * sqrt(lambda2) * cut * g;
        q[cut] = kappa / (1 + kappa);
    }
}
