#include "geometry/air/face_patches.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/mesh/edges.h"

/* Cosine of the largest angle between triangles of one plane; corners are often in single precision. */
#define ONE_PLANE (1 - 1e-8)

/** Two triangles on both sides of an edge. */
struct seam {
    uint32_t triangle[2];
    bool turned;   /* their windings disagree */
    double cosine; /* between them: 1 in one plane */
};

void face_patches_free(struct face_patches *patches)
{
    free(patches->first);
    free(patches->turned);
    free(patches->size);
    *patches = (struct face_patches){0};
}

static void unit_normal(const struct mesh *mesh, uint32_t triangle, double normal[3])
{
    mesh_normal(mesh, triangle, normal);
    const double length = vector_length(normal);
    for (int axis = 0; axis < 3; axis++)
        normal[axis] /= length;
}

/** True if the corners of the triangle run along the edge from its first end to its second. */
static bool runs_along(const struct mesh *mesh, uint32_t triangle, const struct edge *edge)
{
    const uint32_t *corner = mesh->triangle[triangle];
    for (int i = 0; i < 3; i++) {
        const double *from = mesh->vertex[corner[i]], *to = mesh->vertex[corner[(i + 1) % 3]];
        if (vector_equal(from, mesh->vertex[edge->vertex[0]]) &&
            vector_equal(to, mesh->vertex[edge->vertex[1]]))
            return true;
    }
    return false;
}

/** Flattest first. */
static int by_cosine(const void *left, const void *right)
{
    const struct seam *a = left, *b = right;
    if (a->cosine != b->cosine)
        return a->cosine > b->cosine ? -1 : 1;
    if (a->triangle[0] != b->triangle[0])
        return a->triangle[0] < b->triangle[0] ? -1 : 1;
    return a->triangle[1] < b->triangle[1] ? -1 : a->triangle[1] > b->triangle[1];
}

static size_t list_seams(const struct mesh *mesh, const struct edges *edges, struct seam *seam)
{
    size_t count = 0;
    for (size_t e = 0; e < edges->count; e++) {
        const struct edge *edge = &edges->edge[e];
        if (edge->wings != 2)
            continue;
        double normal[2][3];
        for (int i = 0; i < 2; i++)
            unit_normal(mesh, edge->wing[i], normal[i]);
        struct seam *next = &seam[count++];
        *next = (struct seam){
            .triangle = {edge->wing[0], edge->wing[1]},
            .turned = runs_along(mesh, edge->wing[0], edge) == runs_along(mesh, edge->wing[1], edge),
            .cosine = vector_dot(normal[0], normal[1]),
        };
        if (next->turned)
            next->cosine = -next->cosine;
    }
    qsort(seam, count, sizeof *seam, by_cosine);
    return count;
}

/** The triangle that names the patch of a triangle, with path compression; `*turned` is relative to it. */
static uint32_t find_patch(struct face_patches *patches, uint32_t triangle, uint8_t *turned)
{
    uint32_t root = triangle;
    uint8_t whole = 0;
    for (; patches->first[root] != root; root = patches->first[root])
        whole ^= patches->turned[root];
    *turned = whole;
    while (patches->first[triangle] != root) {
        const uint32_t next = patches->first[triangle];
        const uint8_t own = patches->turned[triangle];
        patches->first[triangle] = root;
        patches->turned[triangle] = whole;
        whole ^= own;
        triangle = next;
    }
    return root;
}

static void join_patches(struct face_patches *patches, const struct seam *seam, double least)
{
    uint8_t turned[2];
    const uint32_t a = find_patch(patches, seam->triangle[0], &turned[0]),
                   b = find_patch(patches, seam->triangle[1], &turned[1]);
    if (a == b || (seam->cosine < ONE_PLANE && patches->size[a] >= least && patches->size[b] >= least))
        return;
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    patches->first[high] = low;
    patches->turned[high] = turned[0] ^ turned[1] ^ (uint8_t)seam->turned;
    patches->size[low] += patches->size[high];
}

int face_patches_make(const struct mesh *mesh, const double *size, double least, struct face_patches *out,
                      struct failure *failure)
{
    const size_t count = mesh->triangle_count + 1;
    struct face_patches patches = {.first = malloc(count * sizeof *patches.first),
                                   .turned = calloc(count, sizeof *patches.turned),
                                   .size = malloc(count * sizeof *patches.size)};
    struct edges edges = {0};
    struct seam *seam = NULL;
    int result = edges_make(mesh, &edges, failure);
    if (result == 0)
        seam = malloc((edges.count + 1) * sizeof *seam);
    if (result == 0 &&
        (seam == NULL || patches.first == NULL || patches.turned == NULL || patches.size == NULL))
        result = failure_memory(failure, edges.count * sizeof *seam + count * 13, "the faces of the walls");
    if (result == 0) {
        uint8_t turned;
        memcpy(patches.size, size, mesh->triangle_count * sizeof *size);
        for (size_t t = 0; t < mesh->triangle_count; t++)
            patches.first[t] = (uint32_t)t;
        const size_t seams = list_seams(mesh, &edges, seam);
        for (size_t s = 0; s < seams; s++)
            join_patches(&patches, &seam[s], least);
        for (size_t t = 0; t < mesh->triangle_count; t++)
            (void)find_patch(&patches, (uint32_t)t, &turned);
        *out = patches;
        patches = (struct face_patches){0};
    }
    free(seam);
    edges_free(&edges);
    face_patches_free(&patches);
    return result;
}
