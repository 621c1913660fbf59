#include "blocks/block_layout.h"

#include <stdlib.h>

void block_grid_free(struct block_grid *grid)
{
    free(grid->block);
    free(grid->tile);
    free(grid->wall_first);
    free(grid->wall);
    free(grid->find_table);
    *grid = (struct block_grid){0};
}
