#include "src/onset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/air_route.h"
#include "src/taut_path.h"

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

bool onset_is_clear(const struct mesh *mesh, const double a[3], const double b[3])
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangle[t];
        if (segment_meets_triangle(a, b, mesh->vertex[corner[0]], mesh->vertex[corner[1]],
                                   mesh->vertex[corner[2]]))
            return false;
    }
    return true;
}

int onset_find(const struct mesh *mesh, const struct block_grid *grid, const double from[3],
               const int64_t from_node[3], size_t count, const double (*to)[3], const int64_t (*to_node)[3],
               struct onset_path *out, struct failure *failure)
{
    size_t hidden = 0;
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct onset_path){.length = distance(from, to[i]),
                                     .straight = onset_is_clear(mesh, from, to[i])};
        hidden += !out[i].straight;
    }
    if (hidden == 0)
        return 0;
    struct air_route route = {0};
    int code = air_route_search(grid, from_node, &route, failure);
    for (size_t i = 0; code == 0 && i < count; i++) {
        double(*point)[3] = NULL;
        size_t points = 0;
        if (out[i].straight)
            continue;
        code = air_route_trace(&route, from, to[i], to_node[i], &point, &points, failure);
        if (code == 0)
            code = taut_path_length(mesh, grid->lattice.spacing, point, points, &out[i].length, failure);
        free(point);
    }
    air_route_free(&route);
    return code;
}
