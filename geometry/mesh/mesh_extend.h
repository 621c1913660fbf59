/** The walls of a room that is open at faces of its bounding box, carried on beyond them.
 *
 * Where a wall, a floor or a roof ends in such a face, its edge there is drawn out along the normal, so what
 * is beyond is the cross-section of the face, at edges of the box that of both its faces. A room is so
 * continued into a layer that takes the sound (kernels/engine/engine_layer.h).
 */
#ifndef GEOMETRY_MESH_EXTEND_H
#define GEOMETRY_MESH_EXTEND_H

#include "geometry/mesh/mesh.h"

/** Which faces of the box `low`..`high` (of the mesh) are not covered by triangles in them, -x +x -y +y -z
 * +z: by area, and where triangles overlap by 64 x 64 places all over the face. O(triangles). */
void mesh_open_faces(const struct mesh *mesh, const double low[3], const double high[3], bool open[6]);

/** Copy `mesh` to `out`, which is empty, and carry it on by `by` metres (6, by face; 0: not) beyond its box.
 * Markers are left out. Edges of triangles that lie in the face
 * itself are not drawn out. FAILURE_CAPACITY for memory. O(triangles). */
int mesh_extend(const struct mesh *mesh, const double low[3], const double high[3], const double by[6],
                struct mesh *out, struct failure *failure);

#endif
