#include "blocks/parts/thin_grid.h"

#include <stdlib.h>

#include "blocks/block_numbering.h"

void block_grid_thin(struct block_grid *grid)
{
    free(grid->edge);
    free(grid->wall);
    free(grid->plaquette);
    free(grid->extra_node);
    free(grid->extra_link);
    grid->edge = NULL;
    grid->wall = NULL;
    grid->plaquette = NULL;
    grid->extra_node = NULL;
    grid->extra_link = NULL;
}

double block_grid_thin_bytes(double blocks, double tiles, double cuts, double list_nodes, bool has_records)
{
    const double records = has_records ? 1 : 0,
                 slots = block_find_slots((uint32_t)(blocks < BLOCKS_MAX ? blocks : BLOCKS_MAX));
    return (blocks + 1) * (double)sizeof(struct block) + slots * sizeof(block_id) +
           (1 + records) * (blocks + 2) * sizeof(uint64_t) +
           tiles * (BLOCK_NODES + records * sizeof(struct tile_marks)) +
           cuts * (sizeof(struct cut_cell) + sizeof(float)) + list_nodes * 3 * sizeof(int64_t);
}
