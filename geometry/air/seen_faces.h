/** What the air of a flood sees of every triangle, from which side, over the lattice lines that meet it.
 *
 *       wall /\ wall     A corner of the room, cut by a link that has no node inside: both
 *     x-----/--\-----x   crossings count as seen where the sides that face each other across
 *          / air\        the gap are seen by nodes elsewhere. Behind the leaves of a wall
 *         /      \       thinner than a cell there is no node, so its gap stays hidden.
 *
 * Inside the voxeliser only.
 */
#ifndef GEOMETRY_SEEN_FACES_H
#define GEOMETRY_SEEN_FACES_H

#include "geometry/air/contact_face.h"
#include "geometry/mesh/mesh.h"
#include "geometry/voxel/flood.h"

/** Of one triangle, by axis of the lines and the side that is seen. Beside it there is field->met of
 * cut_field.h: the crossings that there are, by CROSSING_WHOLE. A crossing on the common side of two
 * triangles is seen of one of them. */
struct seen_face {
    uint64_t crossings[3][FACE_SIDES];
    int64_t places[3][FACE_SIDES]; /* sum of where on their lines they are [h / LATTICE_SUBSTEPS] */
};

/** `mesh` is what flood->field was made from. `face` and `*out` (triangle_count) are as contact_faces_make()
 * has them; `*out` is freed by the caller. FAILURE_CAPACITY for memory. O(cut links + triangles), threads;
 * the result does not depend on their number. */
int seen_faces_find(const struct mesh *mesh, const struct flood *flood, const struct contact_face *face,
                    int threads, struct seen_face **out, struct failure *failure);

#endif
