/** The edges of a mesh with the triangles that meet there. */
#ifndef GEOMETRY_EDGES_H
#define GEOMETRY_EDGES_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"

#define EDGE_WINGS 4 /* triangles kept; further ones are left out */

struct edge {
    uint32_t vertex[2]; /* of one of its triangles */
    uint32_t wing[EDGE_WINGS];
    int wings;
};

/** Owned, freed by edges_free(); zeroed is empty. */
struct edges {
    size_t count;
    struct edge *edge;
};

/** Edges of all triangles that have an area. Vertices at exactly the same position are one, so that models
 * whose faces do not share indices are not all open edges; of triangles on the same corners the first counts.
 * O(triangles log triangles). FAILURE_CAPACITY for memory. */
int edges_make(const struct mesh *mesh, struct edges *out, struct failure *failure);
void edges_free(struct edges *edges);

#endif
