/** The place of a source or receiver in the lattice. */
#ifndef KERNELS_STENCIL_PLACE_H
#define KERNELS_STENCIL_PLACE_H

#include "blocks/block_grid.h"

struct stencil_place {
    double coordinate[3]; /* in lattice nodes [h] */
    int64_t low[3];       /* lower corner of the cell that holds it .. */
    double fraction[3];   /* .. and where in that cell it lies, 0 to 1 */
    int64_t base[3];      /* the node that its air belongs to, which need not be a corner of the cell */
};

/** @param asked an air node that is a corner of the position's cell, or one that was merged with another.
 * FAILURE_INPUT when it is not air or no such corner. */
int stencil_place_find(const struct block_grid *grid, const double position[3], const int64_t asked[3],
                       struct stencil_place *out, struct failure *failure);

#endif
