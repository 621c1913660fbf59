/** The surfaces of a drum in a room: its membrane, a level disc, and its kettle, half an ellipsoid below the
 * rim. Both are thin rigid walls in the mesh; drum.h adds the motion of the membrane. */
#ifndef SRC_DRUM_MESH_H
#define SRC_DRUM_MESH_H

#include "geometry/mesh/mesh.h"
#include "kernels/drum/drum.h"

#define DRUM_MEMBRANE_MATERIAL "drum_membrane"
#define DRUM_KETTLE_MATERIAL   "drum_kettle"

/** Depth of a kettle of so much air, 3 V / (2 pi R^2), and the other way round [m], [m3]. */
double drum_kettle_depth(double radius, double volume);
double drum_kettle_volume(double radius, double depth);

/** Append a drum, in triangles whose disc has the membrane's area and whose kettle has the ellipsoid's volume
 * to 1 %. Depth 0: a disc alone. FAILURE_CAPACITY. */
int drum_mesh_add(struct mesh *mesh, const struct drum_site *site, struct failure *failure);

#endif
