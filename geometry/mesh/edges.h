/** The edges of a mesh with their triangles. */
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

/** Find the edges of all triangles with an area. Vertices at exactly the same position are one, so faces need
 * not share indices; of triangles on the same corners the first counts. O(triangles log triangles).
 * FAILURE_CAPACITY for memory. */
int edges_make(const struct mesh *mesh, struct edges *out, struct failure *failure);
void edges_free(struct edges *edges);

#endif
