#include "src/compare/run_comparison.h"

#include <stdlib.h>

const struct compared_value *compared_of_pair(const struct compared_pair *pair,
                                              const struct compared_row *row)
{
    return row->octave > 0 ? &pair->octave[row->figure][row->band] : &pair->single[row->figure];
}

void run_comparison_free(struct run_comparison *comparison)
{
    for (size_t g = 0; g < comparison->grids; g++)
        free(comparison->grid[g].place);
    free(comparison->grid);
    free(comparison->change);
    free(comparison->pair);
    free(comparison->alone[0]);
    free(comparison->alone[1]);
    *comparison = (struct run_comparison){0};
}
