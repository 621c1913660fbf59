/** A mesh cut by a level plane, for plans. */
#ifndef SRC_PLAN_SECTION_H
#define SRC_PLAN_SECTION_H

#include <stddef.h>

#include "geometry/mesh/mesh.h"

struct plan_line {
    double end[2][2]; /* x, y [m] */
    size_t triangle;
};

/** Where the plane z = height cuts triangles, one line for each; one that lies in the plane has none. `*line`
 * is owned by the caller. FAILURE_CAPACITY without memory. O(triangles). */
int plan_section(const struct mesh *mesh, double height, struct plan_line **line, size_t *count,
                 struct failure *failure);

#endif
