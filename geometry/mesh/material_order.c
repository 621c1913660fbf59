#include "geometry/mesh/material_order.h"

#include <stdlib.h>

void material_order_free(struct material_order *order)
{
    free(order->begin);
    free(order->triangle);
    *order = (struct material_order){0};
}

int material_order_make(const struct mesh *mesh, struct material_order *out, struct failure *failure)
{
    struct material_order order = {0};
    order.begin = calloc(mesh->material_count + 2, sizeof order.begin[0]);
    order.triangle = malloc((mesh->triangle_count + 1) * sizeof order.triangle[0]);
    if (order.begin == NULL || order.triangle == NULL) {
        material_order_free(&order);
        return failure_memory(failure,
                              (mesh->material_count + 2) * sizeof order.begin[0] +
                                  (mesh->triangle_count + 1) * sizeof order.triangle[0],
                              "sorting triangles by material");
    }
    /* Counts are stored two places up and summed; filling then moves begin[m + 1] to its final value. */
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        ++order.begin[mesh->triangle_material[t] + 2u];
    for (size_t m = 2; m < mesh->material_count + 2; ++m)
        order.begin[m] += order.begin[m - 1];
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        order.triangle[order.begin[mesh->triangle_material[t] + 1u]++] = (uint32_t)t;
    *out = order;
    return 0;
}
