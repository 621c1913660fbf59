/** The volume of the air up to the walls as they are drawn, not to the cells of the grid.
 *
 * By the divergence theorem, V = sum over what the air sees of the walls of  integral x_e N_e dA,  N the
 * normal out of the air, along any axis e. A triangle that the air sees whole counts as the mesh has it, so a
 * closed room of any shape is exact on any grid. One that is partly hidden (a floor under columns, a beam
 * that ends in a wall) counts by the crossings of lattice lines that the air sees of it, which leaves an
 * error along the axes that it faces; the three axes are weighed by how little they have of that.
 *
 *      +-----------+      What is hidden of floor and ceiling is known to a cell only;
 *      |   |   |   |      but x and y look along both, see all walls and both sides of
 *      |___|___|___|      the column whole, and find the volume without error.
 *
 * Whole or partly is decided by patches: triangles in one plane that share sides, and such as fewer than
 * AIR_VOLUME_CROSSINGS lines meet together with neighbours, until as many meet them.
 *
 * Inside the voxeliser only.
 */
#ifndef GEOMETRY_AIR_VOLUME_H
#define GEOMETRY_AIR_VOLUME_H

#include "geometry/air/seen_faces.h"

#define AIR_VOLUME_CROSSINGS 8

/** Volume of the flood's air [m3]. `mesh` is what flood->field was made from, `face` and `seen` are its.
 * `*cubic_metres` is NaN where the walls do not determine it: in an open scene, and where what they give is
 * further from `cells`, the volume of the air's cells, than half a cell all over the walls. FAILURE_CAPACITY
 * for memory. O(triangles log triangles). */
int air_volume_measure(const struct mesh *mesh, const struct flood *flood, const struct contact_face *face,
                       const struct seen_face *seen, double cells, double *cubic_metres,
                       struct failure *failure);

#endif
