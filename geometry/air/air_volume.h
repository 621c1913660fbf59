/** Measures the volume of the air up to the walls of the mesh, not of the grid.
 *
 * By the divergence theorem, V = sum over the visible walls of the integral of x_e N_e dA, with N the normal
 * out of the air, along any axis e. A wholly visible triangle counts with its exact area, so a closed room of
 * any shape is exact on any grid. A partly hidden one (a floor under columns, a beam that ends in a wall)
 * counts by its visible crossings with lattice lines. This leaves an error along the axes that it faces; axes
 * with less of it have more weight.
 *
 *      +-----------+      What is hidden of floor and ceiling is known to a cell only;
 *      |   |   |   |      but x and y look along both, see all walls and both sides of
 *      |___|___|___|      the column whole, and find the volume without error.
 *
 * Visibility is decided by patches: triangles in one plane that share sides. Patches that fewer than
 * AIR_VOLUME_CROSSINGS lines meet are joined with neighbours until enough do.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_AIR_VOLUME_H
#define GEOMETRY_AIR_VOLUME_H

#include "geometry/air/seen_faces.h"

#define AIR_VOLUME_CROSSINGS 8

/** Volume of the flood's air [m3]. flood->field, `face` and `seen` were made from `mesh`. `*cubic_metres` is
 * NaN if the walls do not determine it: in an open scene, or if it differs from `cells`, the volume of the
 * air's cells, by more than half a cell all over the walls. FAILURE_CAPACITY for memory. O(triangles log
 * triangles). */
int air_volume_measure(const struct mesh *mesh, const struct flood *flood, const struct contact_face *face,
                       const struct seen_face *seen, double cells, double *cubic_metres,
                       struct failure *failure);

#endif
