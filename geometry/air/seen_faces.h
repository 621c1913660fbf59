/** Counts the crossings of lattice lines with every triangle that the air of a flood sees, by side.
 *
 *       wall /\ wall     A corner of the room, cut by a link that has no node inside: both
 *     x-----/--\-----x   crossings count as seen where the sides that face each other across
 *          / air\        the gap are seen by nodes elsewhere. Behind the leaves of a wall
 *         /      \       thinner than a cell there is no node, so its gap stays hidden.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_SEEN_FACES_H
#define GEOMETRY_SEEN_FACES_H

#include "geometry/air/contact_face.h"
#include "geometry/mesh/mesh.h"
#include "geometry/voxel/flood.h"

/** Crossings of one triangle, by axis of the lines and visible side. field->met of cut_field.h counts all
 * crossings, by CROSSING_WHOLE. A crossing on the common side of two triangles counts for one of them. */
struct seen_face {
    uint64_t crossings[3][FACE_SIDES];
    int64_t places[3][FACE_SIDES]; /* sum of their positions on their lines [h / LATTICE_SUBSTEPS] */
};

/** flood->field was made from `mesh`. `face` and `*out` (triangle_count) are as in contact_faces_make();
 * `*out` is freed by the caller. FAILURE_CAPACITY for memory. O(cut links + triangles), threads; the result
 * does not depend on their number. */
int seen_faces_find(const struct mesh *mesh, const struct flood *flood, const struct contact_face *face,
                    int threads, struct seen_face **out, struct failure *failure);

#endif
