/** Extends the walls of a room beyond the faces of its bounding box at which it is open.
 *
 * If a wall, a floor or a roof ends in such a face, its edge there is extruded along the normal, so the
 * cross-section beyond is that of the face; at edges of the box it is that of both faces. This continues a
 * room into an absorbing layer (kernels/engine/engine_layer.h). */
#ifndef GEOMETRY_MESH_EXTEND_H
#define GEOMETRY_MESH_EXTEND_H

#include "geometry/mesh/mesh.h"

/** Find faces of the box `low`..`high` (of the mesh) that triangles in them do not cover, -x +x -y +y -z +z:
 * by area, and, if triangles overlap, by 64 x 64 places all over the face. O(triangles). */
void mesh_open_faces(const struct mesh *mesh, const double low[3], const double high[3], bool open[6]);

/** Copy `mesh` to `out`, which is empty, and extend it by `by` metres (6, by face; 0: not) beyond its box.
 * Markers are left out. Edges of triangles that lie in the face itself are not extruded. FAILURE_CAPACITY for
 * memory. O(triangles). */
int mesh_extend(const struct mesh *mesh, const double low[3], const double high[3], const double by[6],
                struct mesh *out, struct failure *failure);

#endif
