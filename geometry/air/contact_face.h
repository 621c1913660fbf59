/** The triangle at the end of a cut link: its inclination and its material on either side.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_CONTACT_FACE_H
#define GEOMETRY_CONTACT_FACE_H

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/lattice.h"

enum face_side { FACE_FRONT, FACE_BACK, FACE_SIDES };

struct contact_face {
    uint16_t cosine[3]; /* |n.e| by axis, in units of 1 / VOXELS_COSINE_ONE */
    uint16_t
        material[FACE_SIDES]; /* of the front, from where the corners run counter-clockwise, and the back */
    uint8_t side[DIRECTIONS]; /* enum face_side that is visible in that direction; the front for directions
                                 along the face */
};

/** One face for every triangle: with the normal in the mesh, or of the snapped corners if its area in the
 * mesh is 0. `back` (material_count) is the material behind every material, NULL: the same on both sides.
 * `*out` (triangle_count) is freed by the caller. FAILURE_CAPACITY for memory. O(triangles). */
int contact_faces_make(const struct mesh *mesh, const struct lattice *lattice, const uint16_t *back,
                       struct contact_face **out, struct failure *failure);

#endif
