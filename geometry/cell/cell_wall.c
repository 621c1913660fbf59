#include "geometry/cell/cell_wall.h"

#include <math.h>

#include "geometry/base/vector.h"

__extension__ typedef __int128 int128;

#define HALF (LATTICE_SUBSTEPS / 2)

/* Corners from the voxel's centre: up to 2^30 and a voxel, so products in cross_product() stay under 2^62. */
static void place_corners(const int64_t node[3], const struct snapped_triangle *triangle, int64_t at[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            at[i][axis] = triangle->corner[i][axis] - node[axis] * LATTICE_SUBSTEPS;
}

static void cross_product(const int64_t a[3], const int64_t b[3], int64_t out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static int128 dot_product(const int64_t a[3], const int64_t b[3])
{
    return (int128)a[0] * b[0] + (int128)a[1] * b[1] + (int128)a[2] * b[2];
}

static void subtract_vector(const int64_t a[3], const int64_t b[3], int64_t out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = a[axis] - b[axis];
}

static void normal_of(int64_t at[3][3], int64_t out[3])
{
    int64_t first[3], second[3];
    subtract_vector(at[1], at[0], first);
    subtract_vector(at[2], at[0], second);
    cross_product(first, second, out);
}

/* Unit vector and length. */
static double unit_vector(const int64_t vector[3], double out[3])
{
    const double as_double[3] = {(double)vector[0], (double)vector[1], (double)vector[2]};
    const double length = vector_length(as_double);
    for (int axis = 0; axis < 3; axis++)
        out[axis] = as_double[axis] / length;
    return length;
}

bool cell_wall_make(const int64_t node[3], const struct snapped_triangle *triangle, struct cell_wall *out)
{
    int64_t at[3][3], normal[3];
    place_corners(node, triangle, at);
    normal_of(at, normal);
    if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0)
        return false;
    const int128 offset = dot_product(normal, at[0]);
    const double length = unit_vector(normal, out->plane.normal);
    out->plane.offset = (double)offset / length / LATTICE_SUBSTEPS;
    out->centre = (offset < 0) - (offset > 0);
    out->before_centre = true;
    for (int i = 0; i < 3; i++) {
        const int64_t *from = at[i], *to = at[(i + 1) % 3];
        int64_t along[3], turned[3];
        double direction[3];
        subtract_vector(to, from, along);
        cross_product(to, from, turned);
        /* (normal x along) . from = normal . (to x from) */
        const int128 edge_offset = dot_product(normal, turned);
        const double along_length = unit_vector(along, direction);
        vector_cross(out->plane.normal, direction, out->edge[i].normal);
        out->edge[i].offset = (double)edge_offset / length / along_length / LATTICE_SUBSTEPS;
        out->before_centre = out->before_centre && edge_offset <= 0;
    }
    return true;
}

static int64_t magnitude_of(int64_t value)
{
    return value < 0 ? -value : value;
}

/* True if the square of half side HALF is separate from the triangle's outline along one of its sides, seen
 * along an axis. */
static bool side_separates(int64_t at[3][3], int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int i = 0; i < 3; i++) {
        const int64_t *from = at[i], *to = at[(i + 1) % 3], *other = at[(i + 2) % 3];
        const int64_t along[2] = {to[u] - from[u], to[v] - from[v]};
        /* (side x position) of the side itself, of the third corner and, at most, of the square */
        const int64_t side = along[0] * from[v] - along[1] * from[u];
        const int64_t third = along[0] * other[v] - along[1] * other[u];
        const int64_t reach = HALF * (magnitude_of(along[0]) + magnitude_of(along[1]));
        if ((side > reach && third > reach) || (side < -reach && third < -reach))
            return true;
    }
    return false;
}

bool cell_wall_meets(const int64_t node[3], const struct snapped_triangle *triangle)
{
    int64_t at[3][3], normal[3];
    place_corners(node, triangle, at);
    for (int axis = 0; axis < 3; axis++) {
        const int64_t a = at[0][axis], b = at[1][axis], c = at[2][axis];
        if ((a > HALF && b > HALF && c > HALF) || (a < -HALF && b < -HALF && c < -HALF))
            return false;
    }
    normal_of(at, normal);
    int128 reach = 0;
    for (int axis = 0; axis < 3; axis++)
        reach += (int128)HALF * magnitude_of(normal[axis]);
    const int128 offset = dot_product(normal, at[0]);
    return offset <= reach && offset >= -reach && !side_separates(at, 0) && !side_separates(at, 1) &&
           !side_separates(at, 2);
}
