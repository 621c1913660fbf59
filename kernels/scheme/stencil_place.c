#include "kernels/scheme/stencil.h"

#include <math.h>

/* A position this close to a lattice plane [h] may be counted to the cell on either side: the voxeliser
 * decides cells on the sub-lattice, and its base node is used. */
#define CELL_TOLERANCE (1.0 / LATTICE_SUBSTEPS)

/* Lower corner of the cell that holds `coordinate` and has `base` as a corner, and where in the cell it lies.
 */
static bool find_cell(const double coordinate[3], const int64_t base[3], int64_t low[3], double fraction[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        /* The range is checked before the conversion to integer, which a NaN would not survive. */
        if (!(fabs(coordinate[axis] - (double)base[axis]) <= 1.0 + CELL_TOLERANCE))
            return false;
        low[axis] = (int64_t)floor(coordinate[axis]);
        if (base[axis] < low[axis])
            low[axis] = base[axis];
        if (base[axis] > low[axis] + 1)
            low[axis] = base[axis] - 1;
        fraction[axis] = fmin(1.0, fmax(0.0, coordinate[axis] - (double)low[axis]));
    }
    return true;
}

/* The node that the air of `base` belongs to, false where that has none. */
static bool find_home(const struct block_grid *grid, const int64_t base[3], int64_t home[3])
{
    const uint64_t index = block_grid_home(grid, base);
    if (index == UINT64_MAX)
        return false;
    const block_id b = (block_id)(index / BLOCK_NODES);
    if (b < block_list_first(grid))
        block_node(&grid->block[b], (unsigned)(index % BLOCK_NODES), home);
    return b < block_list_first(grid);
}

int stencil_place_find(const struct block_grid *grid, const double position[3], const int64_t asked[3],
                       struct stencil_place *out, struct failure *failure)
{
    lattice_coordinate(&grid->lattice, position, out->coordinate);
    if (!find_cell(out->coordinate, asked, out->low, out->fraction))
        return failure_set(
            failure, FAILURE_INPUT,
            "the node (%lld,%lld,%lld) is not a corner of the cell that contains (%.4f, %.4f, %.4f) m",
            (long long)asked[0], (long long)asked[1], (long long)asked[2], position[0], position[1],
            position[2]);
    if (!find_home(grid, asked, out->base))
        return failure_set(
            failure, FAILURE_INPUT,
            "the node (%lld,%lld,%lld) at (%.4f, %.4f, %.4f) m is not air: a source or receiver must be in "
            "air",
            (long long)asked[0], (long long)asked[1], (long long)asked[2], position[0], position[1],
            position[2]);
    return 0;
}
