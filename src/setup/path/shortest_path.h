/** Shortens a polyline among the triangles of a room to a shortest path near it. */
#ifndef SRC_SHORTEST_PATH_H
#define SRC_SHORTEST_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/mesh/mesh.h"

/** True if the closed segment a-b meets the triangle. In double, with a margin of 1e-9 of both; a triangle
 * seen exactly edge on does not count (its neighbours do). */
bool segment_meets_triangle(const double a[3], const double b[3], const double p[3], const double q[3],
                            const double r[3]);

/** True if the closed segment a-b meets no triangle. O(triangles). */
bool segment_is_clear(const struct mesh *mesh, const double a[3], const double b[3]);

/** `point[0..count)` after its bends are cut, moved and left out as far as no segment meets a triangle: a
 * shortest path among those near the given one, its length right within about `spacing` [m]; `*out` of
 * `*out_count` points is owned by the caller (free). Work is bounded: on large meshes it stops early, with a
 * path that is only longer. FAILURE_CAPACITY for memory. */
int shortest_path_pull(const struct mesh *mesh, double spacing, const double (*point)[3], size_t count,
                       double (**out)[3], size_t *out_count, struct failure *failure);

/** The length of that [m]. */
int shortest_path_length(const struct mesh *mesh, double spacing, const double (*point)[3], size_t count,
                         double *length, struct failure *failure);

#endif
