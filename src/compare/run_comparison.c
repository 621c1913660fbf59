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
    for (int r = 0; r < 2; r++) {
        free(comparison->alone[r]);
        free(comparison->only[r].map);
    }
    *comparison = (struct run_comparison){0};
}
