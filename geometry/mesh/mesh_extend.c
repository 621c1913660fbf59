#include "geometry/mesh/mesh_extend.h"

#include <math.h>
#include <stdlib.h>

/* Largest distance of a corner in a face from its plane, as a share of the box. */
#define IN_FACE 1e-7
/* Share of a closed face that may be uncovered. */
#define COVERED (1 - 1e-6)
#define PLACES  64 /* samples along an edge of a face */

/* The plane of a face. */
struct face_plane {
    int axis;
    double at, near; /* coordinate and tolerance [m] */
};

static struct face_plane plane_of(const double low[3], const double high[3], int face)
{
    const int axis = face / 2;
    double size = 0;
    for (int a = 0; a < 3; ++a)
        size = fmax(size, high[a] - low[a]);
    return (struct face_plane){axis, face % 2 == 0 ? low[axis] : high[axis], IN_FACE * size};
}

static bool in_plane(const struct mesh *mesh, const struct face_plane *plane, uint32_t vertex)
{
    return fabs(mesh->vertex[vertex][plane->axis] - plane->at) <= plane->near;
}

/* Number of a triangle's corners in the plane. */
static int corners_in(const struct mesh *mesh, const struct face_plane *plane, size_t triangle)
{
    int corners = 0;
    for (int corner = 0; corner < 3; ++corner)
        corners += in_plane(mesh, plane, mesh->triangle[triangle][corner]);
    return corners;
}

/* Samples all over a face, so that overlapping triangles count once. */
struct face_places {
    bool covered[PLACES * PLACES];
    const double *low, *high;
    int u, v;
};

static double place_at(const struct face_places *places, int axis, int n)
{
    return places->low[axis] + (places->high[axis] - places->low[axis]) * (n + 0.5) / PLACES;
}

static void cover_places(struct face_places *places, const struct mesh *mesh, const uint32_t triangle[3])
{
    const double *const a = mesh->vertex[triangle[0]], *const b = mesh->vertex[triangle[1]],
                        *const c = mesh->vertex[triangle[2]], *const corner[4] = {a, b, c, a};
    const int axes[2] = {places->u, places->v};
    int from[2], to[2];
    double size = 1;
    for (int n = 0; n < 2; ++n) {
        const int axis = axes[n];
        const double low = places->low[axis], step = (places->high[axis] - low) / PLACES;
        from[n] = (int)fmax(floor((fmin(a[axis], fmin(b[axis], c[axis])) - low) / step - 1), 0);
        to[n] = (int)fmin(ceil((fmax(a[axis], fmax(b[axis], c[axis])) - low) / step + 1), PLACES);
        size *= step * PLACES;
    }
    for (int j = from[1]; j < to[1]; ++j)
        for (int i = from[0]; i < to[0]; ++i) {
            const double at[2] = {place_at(places, axes[0], i), place_at(places, axes[1], j)};
            int left = 0, right = 0; /* both triangles of an edge count */
            for (int side = 0; side < 3; ++side) {
                const double *const one = corner[side], *const two = corner[side + 1];
                const double turn = (two[axes[0]] - one[axes[0]]) * (at[1] - one[axes[1]]) -
                                    (two[axes[1]] - one[axes[1]]) * (at[0] - one[axes[0]]);
                left += turn >= -1e-9 * size;
                right += turn <= 1e-9 * size;
            }
            bool *const covered = &places->covered[j * PLACES + i];
            *covered = *covered || left == 3 || right == 3;
        }
}

void mesh_open_faces(const struct mesh *mesh, const double low[3], const double high[3], bool open[6])
{
    for (int face = 0; face < 6; ++face) {
        const struct face_plane plane = plane_of(low, high, face);
        struct face_places places = {
            .low = low, .high = high, .u = (plane.axis + 1) % 3, .v = (plane.axis + 2) % 3};
        double area = 0, normal[3];
        for (size_t t = 0; t < mesh->triangle_count; ++t)
            if (corners_in(mesh, &plane, t) == 3) {
                mesh_normal(mesh, t, normal);
                area += fabs(normal[plane.axis]) / 2;
                cover_places(&places, mesh, mesh->triangle[t]);
            }
        open[face] = area < COVERED * (high[places.u] - low[places.u]) * (high[places.v] - low[places.v]);
        for (int n = 0; n < PLACES * PLACES; ++n)
            open[face] = open[face] || !places.covered[n];
    }
}

/* Extend one edge by two triangles. `beyond` (initial vertices) has the copy of a vertex, made at its first
 * use; UINT32_MAX: none yet. */
static int draw_edge(struct mesh *out, const uint32_t edge[2], uint16_t material,
                     const struct face_plane *plane, double by, uint32_t *beyond, struct failure *failure)
{
    for (int end = 0; end < 2; ++end)
        if (beyond[edge[end]] == UINT32_MAX) {
            const double *const at = out->vertex[edge[end]];
            double moved[3] = {at[0], at[1], at[2]};
            moved[plane->axis] += by;
            TRY(mesh_add_vertex(out, moved, &beyond[edge[end]], failure));
        }
    const uint32_t far[2] = {beyond[edge[0]], beyond[edge[1]]};
    TRY(mesh_add_triangle(out, (const uint32_t[3]){edge[1], edge[0], far[0]}, material, failure));
    return mesh_add_triangle(out, (const uint32_t[3]){edge[1], far[0], far[1]}, material, failure);
}

/* An edge of a triangle in the plane. */
struct face_edge {
    uint32_t vertex[2];
    bool flat; /* the whole triangle is in the plane */
    uint16_t material;
};

static int by_ends(const void *one, const void *two)
{
    const struct face_edge *a = one, *b = two;
    const uint32_t x[2] = {a->vertex[0] < a->vertex[1] ? a->vertex[0] : a->vertex[1],
                           a->vertex[0] < a->vertex[1] ? a->vertex[1] : a->vertex[0]},
                   y[2] = {b->vertex[0] < b->vertex[1] ? b->vertex[0] : b->vertex[1],
                           b->vertex[0] < b->vertex[1] ? b->vertex[1] : b->vertex[0]};
    if (x[0] != y[0] || x[1] != y[1])
        return x[0] < y[0] || (x[0] == y[0] && x[1] < y[1]) ? -1 : 1;
    return a->flat - b->flat; /* edges of triangles that leave the plane come first */
}

static size_t list_edges(const struct mesh *mesh, const struct face_plane *plane, struct face_edge *edge)
{
    size_t count = 0;
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        const int corners = corners_in(mesh, plane, t);
        for (int k = 0; corners >= 2 && k < 3; ++k) {
            const uint32_t a = mesh->triangle[t][k], b = mesh->triangle[t][(k + 1) % 3];
            if (in_plane(mesh, plane, a) && in_plane(mesh, plane, b))
                edge[count++] = (struct face_edge){{a, b}, corners == 3, mesh->triangle_material[t]};
        }
    }
    qsort(edge, count, sizeof *edge, by_ends);
    return count;
}

/* Find edges at which triangles leave the plane, and borders of triangles in it. */
static int extend_face(struct mesh *out, const struct face_plane *plane, double by, struct failure *failure)
{
    const size_t vertices = out->vertex_count, most = 3 * out->triangle_count;
    uint32_t *beyond = malloc((vertices + 1) * sizeof *beyond);
    struct face_edge *edge = malloc((most + 1) * sizeof *edge);
    int code =
        beyond == NULL || edge == NULL
            ? failure_memory(failure, vertices * sizeof *beyond + most * sizeof *edge, "walls carried on")
            : 0;
    for (size_t v = 0; code == 0 && v < vertices; ++v)
        beyond[v] = UINT32_MAX;
    const size_t edges = code == 0 ? list_edges(out, plane, edge) : 0;
    for (size_t n = 0, next; code == 0 && n < edges; n = next) {
        for (next = n + 1;
             next < edges &&
             edge[next].vertex[0] + edge[next].vertex[1] == edge[n].vertex[0] + edge[n].vertex[1] &&
             (edge[next].vertex[0] == edge[n].vertex[0] || edge[next].vertex[0] == edge[n].vertex[1]);
             ++next)
            ;
        if (!edge[n].flat || next == n + 1)
            code = draw_edge(out, edge[n].vertex, edge[n].material, plane, by, beyond, failure);
    }
    free(beyond);
    free(edge);
    return code;
}

/* Mark the sheets of `mesh`, from which `out` was copied. */
static int mark_sheets(const struct mesh *mesh, struct mesh *out, struct failure *failure)
{
    if (mesh->sheet_count == 0)
        return 0;
    bool *const sheet = calloc(mesh->material_count + 1, sizeof *sheet);
    if (sheet == NULL)
        return failure_memory(failure, mesh->material_count, "walls carried on");
    for (size_t t = 0; t < mesh->sheet_count; ++t)
        sheet[mesh->triangle_material[mesh->triangle_count + t]] = true;
    const int code = mesh_set_sheets(out, sheet, failure);
    free(sheet);
    return code;
}

int mesh_extend(const struct mesh *mesh, const double low[3], const double high[3], const double by[6],
                struct mesh *out, struct failure *failure)
{
    const struct mesh whole = mesh_whole(mesh);
    TRY(mesh_copy(&whole, out, failure));
    for (int face = 0; face < 6; ++face) {
        const struct face_plane plane = plane_of(low, high, face);
        if (by[face] > 0)
            TRY(extend_face(out, &plane, face % 2 == 0 ? -by[face] : by[face], failure));
    }
    return mark_sheets(mesh, out, failure);
}
