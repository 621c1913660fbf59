/** Pairs of triangles that pass through each other, or lie on one another.
 *
 * Two triangles cross
 *   - in different planes: when each of them has corners strictly on both sides of the other one's plane and
 *     what they have in common is longer than a point. A wall that ends on a floor, by an edge or a corner,
 *     touches it and does not cross it; one that ends below it does;
 *   - in one plane: when they have an area in common (a face drawn twice, two faces one over the other).
 * So triangles that share no more than corners or edges by position do not count, nor do triangles without
 * area. A wall that is split exactly along the line where it passes through a floor touches it from both
 * sides, and does not count either.
 *
 * Exactness. Coordinates are rounded to integers first, equal ones to equal integers: multiples of a power of
 * two, `grid`, that leaves the largest coordinate of the mesh 40 bits (1.2e-10 m for a model that reaches
 * from 64 to 128 m). With that the definition above is decided without error: signs of volumes come from
 * doubles where an error bound settles them, else from 128-bit integers. 24-bit floats in metres are kept
 * exactly down to 2^-16 of the largest coordinate, smaller ones and other units are rounded by grid / 2.
 *
 * Tolerance. The corners of a sloping wall that ends on a roof are floats: it ends a little before the roof
 * or behind it. So a crossing counts only when it is deeper than `tolerance`: both triangles reach past the
 * other one's plane by more than it on both sides, along more than it; and triangles whose corners all lie
 * within it of each other's planes count as in one plane, and overlap where the common area is wider than
 * it (area over longest extent). With tolerance 0 the exact answer is given.
 */
#ifndef GEOMETRY_INTERSECTIONS_H
#define GEOMETRY_INTERSECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"

struct mesh_crossing {
    uint32_t triangle[2]; /* rising */
    bool one_plane;       /* they overlap in a plane */
    double point[3];      /* middle of what they have in common [m] */
    double length;        /* of what they have in common: the segment, or the longest side of the overlap's
                             bounding box [m] */
};

/** What was found; `crossing` is owned, freed by mesh_intersections_free(). Zeroed is empty. */
struct mesh_intersections {
    uint64_t pairs; /* crossing pairs among those that were tested */
    size_t listed;
    struct mesh_crossing *crossing; /* (listed) the longest, longest first, ties by rising triangles */
    bool complete;             /* false: INTERSECTIONS_WORK ended the search, and `pairs` is a lower bound */
    size_t triangles_searched; /* all pairs of the first so many triangles with all others are tested */
    double grid;               /* coordinates were rounded to multiples of it [m] */
};

/** Pairs whose boxes meet that are tested before the search ends: far more than any model of a building
 * needs (about 10 for each triangle), and a bound on what a knot of triangles may cost. */
#define INTERSECTIONS_WORK 200000000

/** A few units in the last place of 24-bit floats at the mesh's largest coordinate [m]: what corners that
 * were meant to touch may miss each other by. 2^-22 of that coordinate: 2.4e-5 m at 100 m. */
double mesh_touch_tolerance(const struct mesh *mesh);

/** Find crossing pairs of `mesh`, listing at most `listed_max`. `threads` 0: all; the result does not depend
 * on their number. `out` untouched on failure. FAILURE_CAPACITY for memory.
 * O(triangles log triangles + pairs of triangles whose boxes meet), about 150 bytes a triangle. */
int mesh_intersections_find(const struct mesh *mesh, double tolerance, size_t listed_max, int threads,
                            struct mesh_intersections *out, struct failure *failure);
void mesh_intersections_free(struct mesh_intersections *found);

#endif
