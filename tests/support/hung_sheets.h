/** Sheets in any room, for suites whose rooms have none: slanting ones, a few nodes apart, on every link of
 * air that they meet. Hung after the grid was widened, so their shares are whole: of the operator nothing
 * changes. */
#ifndef TESTS_HUNG_SHEETS_H
#define TESTS_HUNG_SHEETS_H

#include "blocks/parts/partition.h"
#include "blocks/sheets/sheet_links.h"
#include "tests/support/test_support.h"

static inline double hung_sheets_whole(const void *of, uint16_t material, double layers)
{
    (void)of;
    (void)material;
    (void)layers;
    return 1.0;
}

/** Of material 1, with a law that has all four terms. */
static inline void hung_sheets(struct block_grid *grid)
{
    static const struct sheet_law law[2] = {
        {0}, {.resistance = 0.5, .mass = 0.7, .pores_resistance = 1.5, .pores_mass = 2.0}};
    const block_id end = block_list_first(grid);
    struct sheet_cuts cuts = {.cut = calloc((size_t)end * BLOCK_NODES, sizeof *cuts.cut)};
    cr_assert(cuts.cut != NULL);
    for (block_id b = 1; b < end; b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            int64_t node[3];
            block_node(&grid->block[b], slot, node);
            const double at = (double)(3 * node[0] + 2 * node[1] - node[2]) + 1000.25;
            static const double along[3] = {3.0, 2.0, -1.0};
            for (uint8_t axis = 0; axis < 3; axis++)
                if (floor(at / 17.0) != floor((at + along[axis]) / 17.0) &&
                    cuts.count < (size_t)end * BLOCK_NODES)
                    cuts.cut[cuts.count++] = (struct sheet_cut){
                        {node[0], node[1], node[2]}, axis, 1, sqrt(14.0) / fabs(along[axis]), 1};
        }
    MUST(block_grid_hang(grid, &cuts, hung_sheets_whole, NULL, &failure));
    MUST(block_grid_give_laws(grid, law, 2, &failure));
    sheet_cuts_free(&cuts);
}

/** Links whose ends are in different parts. */
static inline uint64_t hung_sheets_between(const struct block_grid *grid, unsigned parts)
{
    struct partition partition;
    uint64_t between = 0;
    MUST(partition_make(grid, parts, PARTITION_WALL_COST, &partition, &failure));
    for (uint64_t n = 0; n < grid->sheets; n++)
        between += partition_owner(&partition, grid->sheet[n].block) !=
                   partition_owner(&partition, sheet_link_high(grid, &grid->sheet[n]));
    partition_free(&partition);
    return between;
}

#endif
