/** The needs of the nodes of a block of an isotropic grid: for each, the sum of cube_bound() over its cubes
 * and the needs of its extra links. Private to blocks/. */
#ifndef BLOCKS_CUBE_NEEDS_H
#define BLOCKS_CUBE_NEEDS_H

#include "blocks/cube_bound.h"
#include "blocks/piece_plaquettes.h"

/** Need of a node inside eight whole cubes. */
#define CUBE_NEED_AMID (CUBE_CORNERS * (uint64_t)CUBE_NEED_WHOLE)

/** In parts of 1 / CUBE_NEED_ONE. A mass of lambda^2 / 4 times the need is enough. */
struct cube_needs {
    uint64_t need[BLOCK_NODES]; /* 0 for nodes that are not air */
    bool alone; /* every cube of its nodes is whole or empty; `need` of a block without records is then not
                   filled in */
};

/** @param extra   first extra link node of the block (block_extra_from())
 * @param pieces  of the grid */
void cube_needs(const struct block_grid *grid, block_id b, uint64_t extra, const struct piece_needs *pieces,
                struct cube_needs *out);

#endif
