/** Ranks faces of two materials that overlap in one plane: a panel, a pane or a carpet drawn on a wall.
 *
 * A face is a connected area of one material in one plane, however it is divided into triangles. If two
 * overlap, the smaller one counts as drawn on the other: sound meets it from both sides, whatever the order
 * of the file and the winding. The ranks decide comparisons of hits (link_test.h, cell_parts.h) within
 * COPLANAR_STEPS of the sub-lattice. */
#ifndef GEOMETRY_COPLANAR_H
#define GEOMETRY_COPLANAR_H

#include "geometry/mesh/mesh.h"

/** Two faces this near are in one plane [m]; on a lattice they must also be within COPLANAR_STEPS. */
#define COPLANAR_DISTANCE 1e-3

/** Largest distance in sub-steps at right angles to a plane between two faces in it. Snapping moves a point
 * by up to 1.84, so one plane can become two that are up to 3.7 apart; a rim opens no more than CELL_CRACK.
 */
#define COPLANAR_STEPS 5.0

/** Narrower overlaps are seams [m]. */
#define COPLANAR_WIDTH_LEAST 1e-4

/** Pairs of triangles compared before the search ends, incomplete. */
#define COPLANAR_WORK 200000000

/** Set mesh->overlaps; NULL if nothing overlaps. Sheets are left out. Two faces of one size (to 1e-6) have
 * one rank. Does not depend on `threads` (0: all). FAILURE_CAPACITY. O(triangles log triangles + pairs whose
 * boxes meet); O(1) for a mesh of one material. */
int face_overlaps_find(struct mesh *mesh, int threads, struct failure *failure);

#endif
