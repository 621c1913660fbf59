#include "src/rays/ray_planes.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"

/* Planes are looked up in cells of normal (3) and offset about the middle of the scene (1): no triangle whose
 * normal the tolerance can turn by more than a cell has a plane. */
#define NORMAL_CELL 0.03125
#define NONE        UINT32_MAX

struct sized_triangle {
    double area;
    uint32_t triangle;
};

static int by_falling_area(const void *one, const void *other)
{
    const struct sized_triangle *a = one, *b = other;
    if (a->area != b->area)
        return a->area > b->area ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

struct grouping {
    const struct ray_scene *scene;
    struct ray_planes *planes;
    double radius;  /* of the scene about its middle [m] */
    size_t slots;   /* a power of 2 */
    uint32_t *slot; /* (slots) first plane of the cells of one hash */
    uint32_t *next; /* (planes) */
    struct sized_triangle *order;
};

static int64_t cell_of(const struct grouping *grouping, int axis, double value)
{
    return (int64_t)floor(value / (axis < 3 ? NORMAL_CELL : NORMAL_CELL * grouping->radius));
}

static size_t slot_of(const struct grouping *grouping, const int64_t cell[4])
{
    uint64_t hash = 0;
    for (int axis = 0; axis < 4; axis++)
        hash = (hash ^ (uint64_t)cell[axis]) * 0x9e3779b97f4a7c15u;
    return (size_t)(hash >> 20) & (grouping->slots - 1);
}

static bool holds_corners(const struct ray_plane *plane, double tolerance, const struct mesh *mesh,
                          uint32_t triangle)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(ray_plane_side(plane, mesh->vertex[mesh->triangle[triangle][k]])) <= tolerance))
            return false;
    return true;
}

/* The first plane in the cells within `reach` of normal and offset, `sign` of both, that holds the triangle.
 */
static uint32_t find_plane(const struct grouping *grouping, const double value[4], const double reach[4],
                           double sign, uint32_t triangle)
{
    int64_t low[4], high[4], at[4];
    uint32_t best = NONE;
    for (int axis = 0; axis < 4; axis++) {
        low[axis] = cell_of(grouping, axis, sign * value[axis] - reach[axis]);
        high[axis] = cell_of(grouping, axis, sign * value[axis] + reach[axis]);
    }
    for (at[0] = low[0]; at[0] <= high[0]; at[0]++)
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++)
            for (at[2] = low[2]; at[2] <= high[2]; at[2]++)
                for (at[3] = low[3]; at[3] <= high[3]; at[3]++)
                    for (uint32_t p = grouping->slot[slot_of(grouping, at)]; p != NONE; p = grouping->next[p])
                        if (p < best &&
                            holds_corners(&grouping->planes->plane[p], grouping->planes->tolerance,
                                          grouping->scene->mesh, triangle))
                            best = p;
    return best;
}

static void widen_box(struct ray_plane *plane, const struct mesh *mesh, uint32_t triangle)
{
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++) {
            const double at = mesh->vertex[mesh->triangle[triangle][k]][axis];
            plane->low[axis] = smaller(plane->low[axis], at);
            plane->high[axis] = larger(plane->high[axis], at);
        }
}

static void place_triangle(struct grouping *grouping, uint32_t triangle)
{
    struct ray_planes *planes = grouping->planes;
    const struct mesh *mesh = grouping->scene->mesh;
    const uint32_t *corner = mesh->triangle[triangle];
    double normal[3], value[4], reach[4], longest = 0;
    mesh_normal(mesh, triangle, normal);
    const double twice_area = vector_length(normal);
    for (int k = 0; k < 3; k++)
        longest =
            larger(longest, vector_distance(mesh->vertex[corner[k]], mesh->vertex[corner[(k + 1) % 3]]));
    const double turn = 2 * planes->tolerance * longest / twice_area; /* over its height */
    planes->of_triangle[triangle] = RAY_NO_PLANE;
    if (!(turn < NORMAL_CELL))
        return;
    double from_middle[3];
    vector_subtract(mesh->vertex[corner[0]], grouping->scene->middle, from_middle);
    for (int axis = 0; axis < 3; axis++) {
        value[axis] = normal[axis] /= twice_area;
        reach[axis] = turn;
    }
    value[3] = vector_dot(normal, from_middle);
    reach[3] = planes->tolerance + turn * grouping->radius;
    const uint32_t same = find_plane(grouping, value, reach, 1, triangle),
                   turned = find_plane(grouping, value, reach, -1, triangle);
    uint32_t plane = same < turned ? same : turned;
    if (plane == NONE) {
        plane = (uint32_t)planes->count++;
        planes->plane[plane] = (struct ray_plane){.normal = {normal[0], normal[1], normal[2]},
                                                  .offset = vector_dot(normal, mesh->vertex[corner[0]]),
                                                  .low = {INFINITY, INFINITY, INFINITY},
                                                  .high = {-INFINITY, -INFINITY, -INFINITY}};
        int64_t cell[4];
        for (int axis = 0; axis < 4; axis++)
            cell[axis] = cell_of(grouping, axis, value[axis]);
        uint32_t *slot = &grouping->slot[slot_of(grouping, cell)];
        grouping->next[plane] = *slot;
        *slot = plane;
    }
    widen_box(&planes->plane[plane], mesh, triangle);
    planes->of_triangle[triangle] = plane;
}

int ray_planes_make(const struct ray_scene *scene, struct ray_planes *out, struct failure *failure)
{
    const struct mesh *mesh = scene->mesh;
    const size_t triangles = mesh->triangle_count + mesh->sheet_count;
    struct grouping grouping = {.scene = scene, .planes = out, .slots = 64};
    double low[3], high[3];
    *out = (struct ray_planes){.tolerance = (double)(RAY_PLANE_STEPS * scene->step), .triangles = triangles};
    TRY(mesh_bounds(mesh, low, high, failure));
    grouping.radius = vector_distance(low, high) / 2;
    while (grouping.slots < 2 * triangles)
        grouping.slots *= 2;
    out->plane = malloc((triangles + 1) * sizeof *out->plane);
    out->of_triangle = malloc((triangles + 1) * sizeof *out->of_triangle);
    grouping.slot = malloc(grouping.slots * sizeof *grouping.slot);
    grouping.next = malloc((triangles + 1) * sizeof *grouping.next);
    grouping.order = malloc((triangles + 1) * sizeof *grouping.order);
    const bool have_all = out->plane != NULL && out->of_triangle != NULL && grouping.slot != NULL &&
                          grouping.next != NULL && grouping.order != NULL;
    if (have_all) {
        memset(grouping.slot, 0xff, grouping.slots * sizeof *grouping.slot);
        for (size_t t = 0; t < triangles; t++) {
            double normal[3];
            mesh_normal(mesh, t, normal);
            grouping.order[t] = (struct sized_triangle){vector_length(normal), (uint32_t)t};
        }
        qsort(grouping.order, triangles, sizeof *grouping.order, by_falling_area);
        for (size_t t = 0; t < triangles; t++)
            place_triangle(&grouping, grouping.order[t].triangle);
    } else {
        ray_planes_free(out);
    }
    free(grouping.slot);
    free(grouping.next);
    free(grouping.order);
    return have_all ? 0 : failure_memory(failure, triangles * sizeof *out->plane, "the planes of a room");
}

void ray_planes_free(struct ray_planes *planes)
{
    free(planes->plane);
    free(planes->of_triangle);
    *planes = (struct ray_planes){0};
}
