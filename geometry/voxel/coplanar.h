/** Faces of two materials that lie in one plane and overlap: a panel, a pane or a carpet drawn on a wall.
 *
 * A face is what is connected of one material in one plane, however it is cut into triangles. Of two that
 * overlap the smaller one is drawn on the other: it is what sound meets, from both sides, whatever the order
 * of the file and the winding. The ranks found here decide it where hits are compared (link_test.h,
 * cell_parts.h), within COPLANAR_STEPS of the sub-lattice.
 */
#ifndef GEOMETRY_COPLANAR_H
#define GEOMETRY_COPLANAR_H

#include "geometry/mesh/mesh.h"

/** Two faces this near are in one plane [m]; on a lattice they must be as near as COPLANAR_STEPS, too. */
#define COPLANAR_DISTANCE 1e-3

/** Sub-steps at right angles to a plane between two faces of it: snapping moves a point by up to 1.84, and
 * what was one plane is two that are up to 3.7 apart; a rim opens no more than CELL_CRACK by it. */
#define COPLANAR_STEPS 5.0

/** Overlaps that are narrower are seams [m]. */
#define COPLANAR_WIDTH_LEAST 1e-4

/** Pairs of triangles that are compared before the search ends, incomplete. */
#define COPLANAR_WORK 200000000

/** Set mesh->overlaps, in place of what was there: NULL where nothing overlaps. Sheets are left out. Two
 * faces of one size (to 1e-6) have one rank. Does not depend on `threads` (0: all). FAILURE_CAPACITY.
 * O(triangles log triangles + pairs whose boxes meet), and nothing for a mesh of one material. */
int face_overlaps_find(struct mesh *mesh, int threads, struct failure *failure);

#endif
