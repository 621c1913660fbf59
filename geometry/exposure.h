/** How much of every surface the air of a flood has, from which side.
 *
 * Measured by the lattice lines that the link test runs along: h^2 sum |n.e| over the crossings of a surface
 * with lines along all three axes is its area on average. Every crossing is looked at, also those that a
 * nearer one hides, so what is compared is one sample of lines with itself: of a surface that faces air
 * everywhere the air has exactly what the lines met.
 *
 *       wall /\ wall     A corner of the room, cut by a link that has no node inside: both
 *     x-----/--\-----x   crossings count as seen where the sides that face each other across
 *          / air\        the gap are seen by nodes elsewhere. Behind the leaves of a wall
 *         /      \       thinner than a cell nobody looks, so its gap stays hidden.
 *
 * Inside the voxeliser only.
 */
#ifndef GEOMETRY_EXPOSURE_H
#define GEOMETRY_EXPOSURE_H

#include "geometry/flood.h"
#include "geometry/mesh.h"
#include "geometry/voxeliser.h"

/** Measure the materials of `mesh`, whose triangles come first among those of flood->field; what comes after
 * them (the ribbons of seal.h) is not measured. `exposure` holds material_count. FAILURE_CAPACITY for memory.
 * O(cut links + triangles), threads; the result does not depend on their number. */
int exposure_measure(const struct mesh *mesh, const struct flood *flood, int threads,
                     struct voxel_exposure *exposure, struct failure *failure);

#endif
