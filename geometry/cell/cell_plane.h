/** The commonest cut by far: one triangle, larger than the voxel, whose plane divides it in two.
 *
 * The same parts as the partition of cell_parts.h makes of it, bit for bit: each number comes of the same
 * operations in the same order. Only what is known beforehand is left out.
 *
 * Inside geometry/cell only.
 */
#ifndef GEOMETRY_CELL_PLANE_H
#define GEOMETRY_CELL_PLANE_H

#include "geometry/cell/cell_parts.h"

/** Cut the voxel of `node` by the triangle of that number alone. `*done` is false, with `out` as it was,
 * where the triangle ends in the voxel, or touches it, or cuts off something so small that it may have to be
 * left out: cell_parts_cut() has to look. FAILURE_CAPACITY for memory. About 0.2 us. */
int cell_plane_cut(const int64_t node[3], const struct snapped_triangle *snapped, uint32_t triangle,
                   struct cell_parts *out, bool *done, struct failure *failure);

#endif
