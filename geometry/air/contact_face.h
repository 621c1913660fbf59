/** The triangle at the end of a cut link as a node has it: how steep it is and what it is made of,
 * from either side.
 *
 * Inside the voxeliser only.
 */
#ifndef GEOMETRY_CONTACT_FACE_H
#define GEOMETRY_CONTACT_FACE_H

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/lattice.h"

enum face_side { FACE_FRONT, FACE_BACK, FACE_SIDES };

struct contact_face {
    uint16_t cosine[3]; /* |n.e| by axis, in units of 1 / VOXELS_COSINE_ONE */
    uint16_t
        material[FACE_SIDES]; /* of the front, from where the corners run counter-clockwise, and the back */
    uint8_t side[DIRECTIONS]; /* enum face_side that one sees who looks that way; the front along the face */
};

/** One face for every triangle: its normal as the mesh has it, or from the snapped corners where it has no
 * area in the mesh. `back` (material_count) is the material behind every material, NULL: the same on both
 * sides.
 * `*out` (triangle_count) is freed by the caller. FAILURE_CAPACITY for memory. O(triangles). */
int contact_faces_make(const struct mesh *mesh, const struct lattice *lattice, const uint16_t *back,
                       struct contact_face **out, struct failure *failure);

#endif
