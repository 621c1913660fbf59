#include "src/rays/ray_patches.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/base/vector.h"

void ray_patches_free(struct ray_patches *patches)
{
    free(patches->of_triangle);
    free(patches->patch);
    *patches = (struct ray_patches){0};
}

static uint32_t root_of(struct ray_patches *patches, uint32_t triangle)
{
    uint32_t *const of = patches->of_triangle;
    while (of[triangle] != triangle)
        triangle = of[triangle] = of[of[triangle]];
    return triangle;
}

static void join(struct ray_patches *patches, uint32_t one, uint32_t other)
{
    const uint32_t a = root_of(patches, one), b = root_of(patches, other);
    patches->of_triangle[a > b ? a : b] = a < b ? a : b;
}

static double to_segment(const double at[3], const double one[3], const double other[3])
{
    double along[3], from[3], foot[3];
    vector_subtract(other, one, along);
    vector_subtract(at, one, from);
    const double square = vector_dot(along, along);
    const double share = square > 0 ? larger(0, smaller(1, vector_dot(from, along) / square)) : 0;
    vector_along(one, share, along, foot);
    return vector_distance(at, foot);
}

/* A corner of one on a side of the other. */
static bool touch(const struct mesh *mesh, uint32_t one, uint32_t other, double tolerance)
{
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 3; side++) {
            const uint32_t *a = mesh->triangle[one], *b = mesh->triangle[other];
            if (to_segment(mesh->vertex[a[k]], mesh->vertex[b[side]], mesh->vertex[b[(side + 1) % 3]]) <=
                    tolerance ||
                to_segment(mesh->vertex[b[k]], mesh->vertex[a[side]], mesh->vertex[a[(side + 1) % 3]]) <=
                    tolerance)
                return true;
        }
    return false;
}

/* Numbers of the triangles of each plane: `first` (planes + 1) into `list` (triangles). */
static void list_planes(const struct ray_planes *planes, size_t *first, uint32_t *list)
{
    for (size_t t = 0; t < planes->triangles; t++)
        if (planes->of_triangle[t] != RAY_NO_PLANE)
            first[planes->of_triangle[t] + 1]++;
    for (size_t p = 0; p < planes->count; p++)
        first[p + 1] += first[p];
    for (size_t t = planes->triangles;
         t-- > 0;) /* fills each from its end: then `first` is that of the next */
        if (planes->of_triangle[t] != RAY_NO_PLANE)
            list[--first[planes->of_triangle[t] + 1]] = (uint32_t)t;
}

static void join_plane(const struct mesh *mesh, const uint32_t *triangle, size_t count, double tolerance,
                       struct ray_patches *out)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (count > RAY_PATCH_TRIANGLES) {
                join(out, triangle[0], triangle[i]);
                break;
            } else if (root_of(out, triangle[i]) != root_of(out, triangle[j]) &&
                       touch(mesh, triangle[i], triangle[j], tolerance)) {
                join(out, triangle[i], triangle[j]);
            }
}

/* Sums of the area times places and their products, about the origin of the room. */
struct moments {
    double first[3];
};

static void add_triangle(const struct mesh *mesh, uint32_t triangle, struct ray_patch *patch,
                         struct moments *moments)
{
    double normal[3], middle[3] = {0};
    mesh_normal(mesh, triangle, normal);
    const double area = vector_length(normal) / 2;
    patch->area += area;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            middle[i] += mesh->vertex[mesh->triangle[triangle][k]][i] / 3;
    for (int i = 0; i < 3; i++) {
        moments->first[i] += area * middle[i];
        for (int j = 0; j < 3; j++) {
            double corners = 0;
            for (int k = 0; k < 3; k++) {
                const double *at = mesh->vertex[mesh->triangle[triangle][k]];
                corners += at[i] * at[j];
            }
            patch->variance[i][j] += area * (9 * middle[i] * middle[j] + corners) / 12;
        }
    }
}

static void measure_patches(const struct mesh *mesh, struct ray_patches *out, struct moments *moments)
{
    for (size_t t = 0; t < out->triangles; t++) {
        const uint32_t root = root_of(out, (uint32_t)t);
        add_triangle(mesh, (uint32_t)t, &out->patch[root], &moments[root]);
    }
    for (size_t t = 0; t < out->triangles; t++) {
        struct ray_patch *patch = &out->patch[t];
        for (int i = 0; patch->area > 0 && i < 3; i++)
            for (int j = 0; j < 3; j++)
                patch->variance[i][j] = patch->variance[i][j] / patch->area -
                                        moments[t].first[i] / patch->area * moments[t].first[j] / patch->area;
        out->of_triangle[t] = root_of(out, (uint32_t)t);
    }
}

int ray_patches_make(const struct ray_scene *scene, const struct ray_planes *planes, struct ray_patches *out,
                     struct failure *failure)
{
    const size_t triangles = planes->triangles;
    *out = (struct ray_patches){.triangles = triangles};
    out->of_triangle = malloc((triangles + 1) * sizeof *out->of_triangle);
    out->patch = calloc(triangles + 1, sizeof *out->patch);
    struct moments *moments = calloc(triangles + 1, sizeof *moments);
    size_t *first = calloc(planes->count + 2, sizeof *first);
    uint32_t *list = malloc((triangles + 1) * sizeof *list);
    const bool have_all =
        out->of_triangle != NULL && out->patch != NULL && moments != NULL && first != NULL && list != NULL;
    for (size_t t = 0; have_all && t < triangles; t++)
        out->of_triangle[t] = (uint32_t)t;
    if (have_all) {
        size_t placed = 0;
        for (size_t t = 0; t < triangles; t++)
            placed += planes->of_triangle[t] != RAY_NO_PLANE;
        list_planes(planes, first, list);
        for (size_t p = 0; p < planes->count; p++) {
            const size_t end = p + 1 < planes->count ? first[p + 2] : placed;
            join_plane(scene->mesh, &list[first[p + 1]], end - first[p + 1], planes->tolerance, out);
        }
        measure_patches(scene->mesh, out, moments);
    } else {
        ray_patches_free(out);
    }
    free(moments);
    free(first);
    free(list);
    return have_all ? 0 : failure_memory(failure, triangles * sizeof *moments, "the facets of a room");
}

static double square_width(const struct ray_patch *patch, const double along[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += along[i] * patch->variance[i][j] * along[j];
    return larger(12 * sum, 1e-12);
}

void ray_patch_limits(const struct ray_patches *patches, uint32_t triangle, const double way[3],
                      const double normal[3], double speed_distance, double out[2])
{
    const struct ray_patch *patch = &patches->patch[patches->of_triangle[triangle]];
    const double cosine = vector_dot(way, normal);
    double within[3], across[3];
    vector_along(way, -cosine, normal, within);
    if (vector_length(within) < 1e-6) { /* any direction in the plane */
        const double axis[3] = {fabs(normal[0]) < 0.7, fabs(normal[0]) >= 0.7, 0};
        vector_along(axis, -vector_dot(axis, normal), normal, within);
    }
    const double length = vector_length(within);
    for (int i = 0; i < 3; i++)
        within[i] /= length;
    vector_cross(normal, within, across);
    out[0] = speed_distance / (2 * square_width(patch, within) * larger(cosine * cosine, 1e-6));
    out[1] = speed_distance / (2 * square_width(patch, across));
}
