/** The seed's own block, as published: everything of a block in one struct (J. J. Webber, Modelling Room
 * Acoustics with a GPU, MSc thesis, Edinburgh, 2017). Kept as the yardstick of bytes and speed; nothing steps
 * a room with it.
 */
#ifndef KERNELS_LADDER_SEED_LAYOUT_H
#define KERNELS_LADDER_SEED_LAYOUT_H

#include "blocks/block_grid.h"

struct seed_block {
    int neighbour[6];       /* indices of the blocks beside it */
    double u[BLOCK_NODES];  /* pressure of this step */
    double u1[BLOCK_NODES]; /* of the step before */
    char k[BLOCK_NODES];    /* neighbours that are air, 0..6 */
};
_Static_assert(sizeof(struct seed_block) == BLOCK_SEED_BYTES,
               "byte accounting counts the seed's block as published");

#endif
