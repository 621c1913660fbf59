/** Distances to the nearest triangle of a mesh, by a tree of bounding boxes. */
#ifndef GEOMETRY_CLEARANCE_H
#define GEOMETRY_CLEARANCE_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"

struct clearance_node {
    double low[3], high[3]; /* of all triangles below [m] */
    uint32_t first; /* leaf: index into order; inner: index of the second child, the first one follows */
    uint32_t count; /* leaf: its triangles; inner: 0 */
};

/** Owned, freed by clearance_free(); zeroed is empty. Borrows the mesh, which must not change meanwhile. */
struct clearance {
    const struct mesh *mesh;
    size_t node_count;
    struct clearance_node *node;
    uint32_t *order; /* (triangle_count) triangles sorted by leaf */
};

/** Build the tree: O(triangles log triangles), about 120 bytes a triangle. FAILURE_CAPACITY for memory. */
int clearance_make(const struct mesh *mesh, struct clearance *out, struct failure *failure);
void clearance_free(struct clearance *tree);

/** Distance from `point` to the nearest triangle [m], or `limit` if none is nearer. Degenerate triangles
 * count as segments or points. */
double clearance_at(const struct clearance *tree, const double point[3], double limit);

/** The same, and the index of that triangle; `*triangle` is unchanged if none is nearer than `limit`. */
double clearance_nearest(const struct clearance *tree, const double point[3], double limit,
                         uint32_t *triangle);

/** Call `visit` for every triangle whose bounding box meets the box `low`..`high`, in no particular order. */
void clearance_visit(const struct clearance *tree, const double low[3], const double high[3],
                     void (*visit)(uint32_t triangle, void *context), void *context);

#endif
