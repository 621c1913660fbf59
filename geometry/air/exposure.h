/** Measures how much of every surface faces the air of a flood, by side.
 *
 * Measured by the lattice lines that the link test runs along: h^2 sum |n.e| over the crossings of a surface
 * with lines along all three axes is its area on average. Every crossing counts, also those that a nearer one
 * hides, so one sample of lines is compared with itself: if a surface faces air everywhere, exposed and met
 * crossings are equal.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_EXPOSURE_H
#define GEOMETRY_EXPOSURE_H

#include "geometry/air/seen_faces.h"
#include "geometry/voxel/voxel_findings.h"
#include "geometry/voxel/voxels.h"

/** Measure the materials of `mesh`, whose triangles come first among those of `field`; triangles after them
 * (the ribbons of seal.h) are not measured. `face` and `seen` are those of all triangles of `field`,
 * `exposure` holds material_count. O(triangles). */
void exposure_measure(const struct mesh *mesh, const struct cut_field *field, const struct contact_face *face,
                      const struct seen_face *seen, struct voxel_exposure *exposure);

#endif
