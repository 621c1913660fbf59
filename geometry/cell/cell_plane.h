/** The most common cut: one triangle, larger than the voxel, whose plane divides it in two.
 *
 * The parts equal those of cell_parts.h bit for bit: each number comes from the same operations in the same
 * order.
 *
 * Inside geometry/cell only. */
#ifndef GEOMETRY_CELL_PLANE_H
#define GEOMETRY_CELL_PLANE_H

#include "geometry/cell/cell_parts.h"

/** Cut the voxel of `node` by that triangle alone. `*done` is false, with `out` untouched, if the triangle
 * ends in the voxel, only touches it, or cuts off a very small part: use cell_parts_cut() then.
 * FAILURE_CAPACITY for memory. About 0.2 us. Without it the voxeliser takes 30 % more CPU time for the
 * built-in church at 710 Hz, and 20 % more for a concert hall of 3,804 triangles. */
int cell_plane_cut(const int64_t node[3], const struct snapped_triangle *snapped, uint32_t triangle,
                   struct cell_parts *out, bool *done, struct failure *failure);

#endif
