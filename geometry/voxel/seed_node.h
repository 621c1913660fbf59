/** Where a position is among nodes and walls.
 *
 * Inside the voxeliser only. Positions are rounded to sub-steps of lattice.h, walls are snapped as for links,
 * and what a wall hides is decided in integers, so a node's own position always belongs to that node.
 */
#ifndef GEOMETRY_SEED_NODE_H
#define GEOMETRY_SEED_NODE_H

#include <stdbool.h>

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/cut_field.h"
#include "geometry/voxel/triangle_bins.h"

/** The corners of the position's cell that lie in the lattice's box, have an uncut link, and can be seen from
 * the position past all triangles (closed), nearest first, ties by rising (z,y,x); those that a sheet of
 * the mesh hides come after all others, and are no worse else. Returns how many, 0 .. 8: none for a position
 * in a wall. A position within a sub-step of a wall lies on it, and so in it, unless it
 * is a node's own. `triangles` are those of `mesh`, maybe followed by others, which are ignored.
 * O(triangles). */
int seed_corners(const struct cut_field *field, const struct mesh *mesh,
                 const struct snapped_triangle *triangles, const double position[3], int64_t corner[8][3]);

#define SEED_DIRECTIONS 100

/** In how many of SEED_DIRECTIONS evenly spread directions does a ray from the position meet a triangle?
 * Nearly all inside a room even where it leaks, about half at most beside one. O(triangles). */
int seed_directions_met(const struct mesh *mesh, const double position[3]);

/** Do enough of them that a path out of the model from there is a leak and not the open air? O(triangles). */
bool seed_stands_inside(const struct mesh *mesh, const double position[3]);

#endif
