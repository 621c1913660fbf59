/** Cuts a polygon into triangles. */
#ifndef GEOMETRY_POLYGON_H
#define GEOMETRY_POLYGON_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

#define POLYGON_CORNERS_MAX 10000u

/** Cut the polygon `corner[0..count)` (count >= 3, in order around it, convex or not, holes reached by
 * bridges) into exactly count - 2 triangles of its corners, which keep its winding.
 *
 * Ears are cut in the plane that the polygon's Newell normal is nearest to. Every triangle comes from one
 * cut, so each side of the polygon belongs to one triangle and each diagonal to two. A polygon that is not
 * flat or crosses itself is folded but has no hole. Corners on a straight side get triangles without area
 * only if nothing else is left to cut. (aiProcess_Triangulate of Assimp 5.2.5 drops the rest of a polygon in
 * which it finds no ear.)
 *
 * @param[in]  position  of each corner (count, 3)
 * @param[out] triangle  must hold count - 2; corner numbers 0 .. count-1
 * @return 0; FAILURE_CAPACITY for memory; FAILURE_INPUT past POLYGON_CORNERS_MAX (the time grows with
 *         count times the number of concave corners for each pass over the polygon). */
int polygon_triangulate(const double (*position)[3], size_t count, uint32_t (*triangle)[3],
                        struct failure *failure);

#endif
