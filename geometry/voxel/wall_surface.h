/** The walls of voxels with cells as a mesh for a viewer: the walls of the room in the simulation.
 *
 * Triangles of the model, as they are on the sub-lattice, are cut along the faces of voxels. A piece is drawn
 * where a cell of its voxel touches the material of one of its sides; so walls that the air does not reach
 * are left out, except one of the same material within the voxel (the outer leaf of a wall thinner than a
 * cell). Corners run as the triangle's do; a sheet with air on both sides is drawn once. Faces of an open
 * scene are whole squares. Seals of cracks (voxelise_options.seal_width) are not drawn. */
#ifndef GEOMETRY_WALL_SURFACE_H
#define GEOMETRY_WALL_SURFACE_H

#include "geometry/voxel/voxel_surface.h"

/** Write them to `path` as voxel_surface_write() does squares, with polygons of 3 to 9 corners of their own
 * and one more property of a face, float `volume`: the share of its voxel that the largest cell of that
 * material there has.
 * @param mesh  that `voxels` was made from
 * @param back  (material_count) the material behind every material of the mesh; NULL: the same
 * Failures of voxel_surface_write(), and FAILURE_INPUT for voxels without cells. O(surface) time and memory:
 * about 130 bytes a polygon. */
int wall_surface_write(const struct voxels *voxels, const struct mesh *mesh, const uint16_t *back,
                       const struct voxel_surface_axes *axes, const char *path,
                       struct voxel_surface_size *size, struct failure *failure);

#endif
