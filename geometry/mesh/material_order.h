/** The triangles of a mesh, sorted by material. */
#ifndef GEOMETRY_MATERIAL_ORDER_H
#define GEOMETRY_MATERIAL_ORDER_H

#include "geometry/mesh/mesh.h"

/** Owned, freed by material_order_free(); zeroed is empty. */
struct material_order {
    size_t *begin;      /* (material_count + 1) into triangle: material m has [begin[m], begin[m + 1]) */
    uint32_t *triangle; /* (triangle_count) indices, rising within a material */
};

/** Counting sort, O(triangles + materials). FAILURE_CAPACITY for memory. */
int material_order_make(const struct mesh *mesh, struct material_order *out, struct failure *failure);
void material_order_free(struct material_order *order);

#endif
