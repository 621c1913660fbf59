/** Finds pairs of triangles that pass through each other, or lie on one another.
 *
 * Two triangles cross
 *   - in different planes: if each has corners strictly on both sides of the other's plane and
 *     their common part is longer than a point. A wall that ends on a floor, by an edge or a corner,
 *     touches it and does not cross it; one that ends below it does;
 *   - in one plane: if they have a common area (a face drawn twice, two faces one over the other). So
 * triangles that share no more than corners or edges by position do not count, nor do triangles without area.
 * A wall that is split exactly along the line where it passes through a floor touches it from both sides, and
 * does not count either.
 *
 * Exactness. Coordinates are rounded to integers first, equal ones to equal integers: multiples of a power of
 * two, `grid`, that leaves the largest coordinate of the mesh 40 bits (1.2e-10 m for a model that reaches
 * from 64 to 128 m). With that the definition above is decided without error: signs of volumes come from
 * doubles where an error bound settles them, else from 128-bit integers. 24-bit floats in metres are kept
 * exactly down to 2^-16 of the largest coordinate, smaller ones and other units are rounded by grid / 2.
 *
 * Tolerance. The corners of a sloping wall that ends on a roof are rounded to floats, a little before the
 * roof or behind it. So a crossing counts only if it is deeper than `tolerance`: both triangles reach past
 * the other's plane by more than that on both sides, along more than that. Triangles whose corners all lie
 * within the tolerance of each other's planes count as in one plane; they overlap if the common area is wider
 * than it (area over longest extent). Tolerance 0 gives the exact answer. */
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
    double point[3];      /* middle of the common part [m] */
    double
        length; /* of the common part: the segment, or the longest side of the overlap's bounding box [m] */
};

/** `crossing` is owned, freed by mesh_intersections_free(). Zeroed is empty. */
struct mesh_intersections {
    uint64_t pairs; /* crossing pairs among those that were tested */
    size_t listed;
    struct mesh_crossing *crossing; /* (listed) the longest, longest first, ties by rising triangles */
    bool complete;             /* false: INTERSECTIONS_WORK ended the search, and `pairs` is a lower bound */
    size_t triangles_searched; /* number of first triangles of which all pairs were tested */
    double grid;               /* coordinates were rounded to multiples of it [m] */
};

/** Pairs whose boxes meet that are tested before the search ends: far more than a model of a building needs
 * (about 10 for each triangle); a bound on the cost of dense clusters. */
#define INTERSECTIONS_WORK 200000000

/** A few units in the last place of 24-bit floats at the mesh's largest coordinate [m], the distance by which
 * corners meant to touch may miss each other: 2^-22 of that coordinate, 2.4e-5 m at 100 m. */
double mesh_touch_tolerance(const struct mesh *mesh);

/** Find crossing pairs of `mesh`, listing at most `listed_max`. `threads` 0: all; the result does not depend
 * on their number. `out` untouched on failure. FAILURE_CAPACITY for memory.
 * O(triangles log triangles + pairs of triangles whose boxes meet), about 150 bytes a triangle. */
int mesh_intersections_find(const struct mesh *mesh, double tolerance, size_t listed_max, int threads,
                            struct mesh_intersections *out, struct failure *failure);
void mesh_intersections_free(struct mesh_intersections *found);

#endif
