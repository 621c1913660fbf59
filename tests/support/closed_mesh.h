/** Is a mesh closed, and what does it enclose? Counted from its indices alone, without a tolerance. */
#ifndef TESTS_CLOSED_MESH_H
#define TESTS_CLOSED_MESH_H

#include "geometry/mesh/mesh.h"
#include "tests/support/test_support.h"

struct directed_edge {
    uint32_t low, high;
    int turn; /* +1 from low to high */
};

static inline int compare_directed_edges(const void *left, const void *right)
{
    const struct directed_edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->high > b->high) - (a->high < b->high);
}

/* Edges that join an odd number of triangles, and edges that are not run through as often one way as the
 * other. */
struct edge_faults {
    size_t odd, turned, edges;
};

static inline struct edge_faults count_edge_faults(const struct mesh *mesh)
{
    struct edge_faults faults = {0};
    const size_t count = 3 * mesh->triangle_count;
    struct directed_edge *edge = malloc(count * sizeof *edge);
    cr_assert(edge != NULL);
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            const uint32_t p = mesh->triangle[t][k], q = mesh->triangle[t][(k + 1) % 3];
            edge[3 * t + (size_t)k] =
                p < q ? (struct directed_edge){p, q, 1} : (struct directed_edge){q, p, -1};
        }
    }
    qsort(edge, count, sizeof *edge, compare_directed_edges);
    for (size_t i = 0, next; i < count; i = next) {
        int sum = 0;
        for (next = i; next < count && compare_directed_edges(&edge[i], &edge[next]) == 0; ++next)
            sum += edge[next].turn;
        faults.odd += (next - i) % 2;
        faults.turned += sum != 0;
        ++faults.edges;
    }
    free(edge);
    return faults;
}

static inline bool is_watertight(const struct mesh *mesh)
{
    const struct edge_faults faults = count_edge_faults(mesh);
    if (faults.odd || faults.turned)
        (void)fprintf(stderr, "%zu edges join an odd number of triangles, %zu are run through unevenly\n",
                      faults.odd, faults.turned);
    return faults.odd == 0 && faults.turned == 0;
}

/* Of the triangles of a material of the mesh; 0 where it has none of that name. */
static inline double area_of_material(const struct mesh *mesh, const char *material)
{
    double area[16];
    cr_assert(mesh->material_count <= 16);
    mesh_material_areas(mesh, area);
    for (size_t m = 0; m < mesh->material_count; ++m)
        if (strcmp(mesh->material[m], material) == 0)
            return area[m];
    return 0;
}

/* Positive when the fronts of the triangles look inwards. */
static inline double enclosed_volume(const struct mesh *mesh)
{
    double volume = 0;
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        const double *a = mesh->vertex[mesh->triangle[t][0]], *b = mesh->vertex[mesh->triangle[t][1]],
                     *c = mesh->vertex[mesh->triangle[t][2]];
        volume -= (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                   a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6;
    }
    return volume;
}

#endif
