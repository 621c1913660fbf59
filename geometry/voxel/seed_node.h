/** Locates a position among nodes and walls.
 *
 * Inside the voxeliser only. Positions are rounded to sub-steps of lattice.h, walls are snapped as for links,
 * and visibility is decided in integers, so a node's own position always belongs to that node. */
#ifndef GEOMETRY_SEED_NODE_H
#define GEOMETRY_SEED_NODE_H

#include <stdbool.h>

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/cut_field.h"
#include "geometry/voxel/triangle_bins.h"

/** The corners of the position's cell that lie in the lattice's box, have an uncut link, and are visible from
 * the position past all triangles (closed). The nearest come first, ties by rising (z,y,x); those behind a
 * sheet of the mesh come last. Returns their number, 0 .. 8: 0 for a position in a wall. A position within a
 * sub-step of a wall counts as in it, unless it is a node's own. `triangles` are those of `mesh`, maybe
 * followed by others, which are ignored. O(triangles). */
int seed_corners(const struct cut_field *field, const struct mesh *mesh,
                 const struct snapped_triangle *triangles, const double position[3], int64_t corner[8][3]);

#define SEED_DIRECTIONS 100

/** Number of SEED_DIRECTIONS evenly spread directions in which a ray from the position meets a triangle.
 * Nearly all inside a room even if it leaks, about half at most beside one. O(triangles). */
int seed_directions_met(const struct mesh *mesh, const double position[3]);

/** True if so many of them meet a triangle that a path out of the model is a leak and not open air.
 * O(triangles). */
bool seed_stands_inside(const struct mesh *mesh, const double position[3]);

#endif
