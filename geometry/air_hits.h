/** The walls that the air of a flood touches: every cut link of its nodes, with the triangle behind it.
 *
 * Inside the voxeliser only.
 */
#ifndef GEOMETRY_AIR_HITS_H
#define GEOMETRY_AIR_HITS_H

#include "geometry/flood.h"
#include "geometry/mesh.h"

/** Call `visit` for each end of a cut link that is air, with the triangle hit nearest to it. In an open scene
 * links out of the box have no triangle and are left out. O(cut links of blocks with air). */
void air_hits_visit(const struct flood *flood,
                    void (*visit)(uint32_t triangle, enum direction direction, void *context), void *context);

/** |n.e| of a triangle's unit normal and the three axes; 0 for a triangle without area. */
void air_hits_cosines(const struct mesh *mesh, size_t triangle, double cosine[3]);

#endif
