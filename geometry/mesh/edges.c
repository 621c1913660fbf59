#include "geometry/mesh/edges.h"

#include <stdbool.h>
#include <stdlib.h>

#include "geometry/base/vector.h"

struct side {
    uint32_t low, high; /* welded vertices */
    uint32_t triangle;
    uint32_t apex; /* the third of its welded vertices */
};

static int by_ends(const void *left, const void *right)
{
    const struct side *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* True if, among the sides on one edge from `first` on, side `n` belongs to a triangle on the same corners as
 * an earlier one: the other face of a sheet. */
static bool is_other_face(const struct side *side, size_t first, size_t n)
{
    for (size_t i = first; i < n; ++i)
        if (side[i].apex == side[n].apex)
            return true;
    return false;
}

static size_t list_sides(const struct mesh *mesh, const uint32_t *welded, struct side *side)
{
    size_t count = 0;
    for (size_t n = 0; n < mesh->triangle_count; ++n) {
        const uint32_t *corner = mesh->triangle[n];
        double normal[3];
        mesh_normal(mesh, n, normal);
        if (!(vector_dot(normal, normal) > 0))
            continue;
        for (int k = 0; k < 3; ++k) {
            const uint32_t a = welded[corner[k]], b = welded[corner[(k + 1) % 3]];
            side[count++] =
                (struct side){a < b ? a : b, a < b ? b : a, (uint32_t)n, welded[corner[(k + 2) % 3]]};
        }
    }
    return count;
}

int edges_make(const struct mesh *mesh, struct edges *out, struct failure *failure)
{
    uint32_t *welded = NULL;
    struct side *side = malloc((mesh->triangle_count > 0 ? 3 * mesh->triangle_count : 1) * sizeof *side);
    struct edges edges = {0};
    int code = 0;
    if (side == NULL) {
        code = failure_memory(failure, 3 * mesh->triangle_count * sizeof *side, "the edges of the mesh");
        goto done;
    }
    if ((code = mesh_first_of_place(mesh, &welded, failure)) != 0)
        goto done;
    const size_t sides = list_sides(mesh, welded, side);
    qsort(side, sides, sizeof *side, by_ends);
    for (size_t n = 0; n < sides; ++n)
        edges.count += n == 0 || side[n].low != side[n - 1].low || side[n].high != side[n - 1].high;
    edges.edge = calloc(edges.count > 0 ? edges.count : 1, sizeof *edges.edge);
    if (edges.edge == NULL) {
        code = failure_memory(failure, edges.count * sizeof *edges.edge, "the edges of the mesh");
        goto done;
    }
    struct edge *edge = edges.edge;
    size_t first = 0;
    for (size_t n = 0; n < sides; ++n) {
        if (n > 0 && (side[n].low != side[n - 1].low || side[n].high != side[n - 1].high)) {
            ++edge;
            first = n;
        }
        edge->vertex[0] = side[n].low;
        edge->vertex[1] = side[n].high;
        if (edge->wings < EDGE_WINGS && !is_other_face(side, first, n))
            edge->wing[edge->wings++] = side[n].triangle;
    }
    *out = edges;
    edges = (struct edges){0};
done:
    free(welded);
    free(side);
    edges_free(&edges);
    return code;
}

void edges_free(struct edges *edges)
{
    free(edges->edge);
    *edges = (struct edges){0};
}
