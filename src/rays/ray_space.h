/** Where the air of a grid is, for rays: they leave it nowhere but at the open faces of a scene.
 *
 * A grid closes gaps of a model: those narrower than its spacing, and those that the run seals. A ray that
 * gets through one is sent back on its own way, without loss, as soon as it is farther from the air than one
 * to two cells. Cells are those of the lattice, larger in a lattice of more than RAY_SPACE_CELLS.
 */
#ifndef SRC_RAY_SPACE_H
#define SRC_RAY_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "blocks/block_grid.h"

#define RAY_SPACE_CELLS ((int64_t)1 << 27)

/** Owned: ray_space_free(); zeroed is empty. Places are floats about the middle of a ray_scene [m]. */
struct ray_space {
    float cell;            /* edge [m] */
    float origin[3];       /* low corner of the first cell */
    float low[3], high[3]; /* of the model */
    int64_t cells[3];
    uint64_t *near; /* a bit of each cell: air is in it or in a cell beside it; rows of x begin a word */
};

/** Of a whole grid of a model whose box is `low`..`high`. FAILURE_CAPACITY for memory. O(nodes); an eighth of
 * a byte a cell, twice that meanwhile. */
int ray_space_make(const struct block_grid *grid, const double low[3], const double high[3],
                   const double middle[3], struct ray_space *out, struct failure *failure);
void ray_space_free(struct ray_space *space);

/** How a ray's way to its next surface ends. */
enum ray_way { RAY_MEETS, RAY_ESCAPES, RAY_IN_GAP };

/** From `at` in the unit direction over `length` to a surface, infinite without one. In a gap: `*length` is
 * where the ray turns. One that turns twice without a surface between is
 * outside the room: the caller ends it. O(1) for a ray that meets a surface in the air, else O(cells on its
 * way). */
enum ray_way ray_space_way(const struct ray_space *space, const float at[3], const float direction[3],
                           float *length);

#endif
