#include "src/setup/path/onset.h"

#include <stdlib.h>

#include "geometry/base/vector.h"
#include "src/setup/path/air_route.h"
#include "src/setup/path/shortest_path.h"

#define FEW 8 /* places that are not worth waking threads for */

/* From a place behind a corner, by a shortest path. */
static int find_hidden(const struct mesh *mesh, const struct block_grid *grid, const struct air_route *route,
                       const double from[3], const double to[3], const int64_t to_node[3], double *length,
                       struct failure *failure)
{
    double(*point)[3] = NULL;
    size_t points = 0;
    int code = air_route_trace(route, from, to, to_node, &point, &points, failure);
    if (code == 0)
        code = shortest_path_length(mesh, grid->lattice.spacing, (const double(*)[3])point, points, length,
                                    failure);
    free(point);
    return code;
}

int onset_find(const struct mesh *mesh, const struct block_grid *grid, const double from[3],
               const int64_t from_node[3], size_t count, const double (*to)[3], const int64_t (*to_node)[3],
               struct onset_path *out, struct failure *failure)
{
    size_t hidden = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : hidden) if (count > FEW)
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct onset_path){.length = vector_distance(from, to[i]),
                                     .straight = segment_is_clear(mesh, from, to[i])};
        hidden += !out[i].straight;
    }
    if (hidden == 0)
        return 0;
    struct air_route route = {0};
    TRY(air_route_search(grid, from_node, &route, failure));
    int code = 0;
#pragma omp parallel for schedule(dynamic) if (hidden > FEW)
    for (size_t i = 0; i < count; i++) {
        struct failure own = {0};
        const int own_code =
            out[i].straight ? 0
                            : find_hidden(mesh, grid, &route, from, to[i], to_node[i], &out[i].length, &own);
        if (own_code != 0) {
#pragma omp critical
            code = code != 0 ? code : failure_forward(failure, &own);
        }
    }
    air_route_free(&route);
    return code;
}
