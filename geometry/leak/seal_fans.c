#include "geometry/leak/seal_fans.h"

#include <stdbool.h>
#include <string.h>

#include "geometry/base/vector.h"

#define FEET_MAX 24
/* Feet nearer to each other, or to the end, than this part of the width are one. */
#define SAME_FOOT 1e-3

/* The nearest points of triangles around an end, seen from it. */
struct feet {
    const struct mesh *mesh;
    const double *place;
    double width;
    int count;
    double foot[FEET_MAX][3];
};

static void keep_foot(struct feet *feet, const double foot[3])
{
    const double length = vector_length(foot);
    if (length < SAME_FOOT * feet->width || length > feet->width || feet->count == FEET_MAX)
        return;
    for (int n = 0; n < feet->count; ++n)
        if (vector_distance(feet->foot[n], foot) < SAME_FOOT * feet->width)
            return;
    memcpy(feet->foot[feet->count++], foot, sizeof feet->foot[0]);
}

/* The point of a segment that is nearest to the origin. */
static void nearest_of_segment(const double a[3], const double b[3], double out[3])
{
    double along[3];
    vector_subtract(b, a, along);
    const double length = vector_dot(along, along);
    const double t = length > 0 ? smaller(1, larger(0, -vector_dot(a, along) / length)) : 0;
    vector_along(a, t, along, out);
}

static void visit_triangle(uint32_t triangle, void *context)
{
    struct feet *feet = context;
    double at[3][3], side[3][3], normal[3], best[3], foot[3];
    for (int n = 0; n < 3; ++n)
        vector_subtract(feet->mesh->vertex[feet->mesh->triangle[triangle][n]], feet->place, at[n]);
    for (int n = 0; n < 3; ++n)
        vector_subtract(at[(n + 1) % 3], at[n], side[n]);
    vector_cross(side[0], side[1], normal);
    const double area = vector_dot(normal, normal);
    bool inside = area > 0;
    for (int axis = 0; axis < 3; ++axis)
        best[axis] = inside ? vector_dot(at[0], normal) / area * normal[axis] : 0;
    for (int n = 0; n < 3; ++n) {
        double to[3], turn[3];
        vector_subtract(best, at[n], to);
        vector_cross(side[n], to, turn);
        inside = inside && vector_dot(turn, normal) >= 0;
    }
    for (int n = 0; n < 3 && !inside; ++n) {
        nearest_of_segment(at[n], at[(n + 1) % 3], foot);
        if (n == 0 || vector_length(foot) < vector_length(best))
            memcpy(best, foot, sizeof best);
    }
    keep_foot(feet, best);
}

/* Radius of the smallest ball that holds the origin, a and b. */
static double ball_radius(const double a[3], const double b[3])
{
    double apart[3], cross[3];
    vector_subtract(b, a, apart);
    const double sides[3] = {vector_dot(a, a), vector_dot(b, b), vector_dot(apart, apart)};
    const double longest = larger(sides[0], larger(sides[1], sides[2]));
    if (sides[0] + sides[1] + sides[2] <= 2 * longest)
        return 0.5 * sqrt(longest);
    vector_cross(a, b, cross);
    return 0.5 * sqrt(sides[0] * sides[1] * sides[2] / vector_dot(cross, cross));
}

int seal_add_corner(const struct seal_ribbons *ribbons, const double place[3], uint32_t *index,
                    struct failure *failure)
{
    double inside[3];
    for (int axis = 0; axis < 3; ++axis)
        inside[axis] = larger(ribbons->low[axis], smaller(ribbons->high[axis], place[axis]));
    return mesh_add_vertex(ribbons->mesh, inside, index, failure);
}

int seal_fans(const struct seal_ribbons *ribbons, const struct clearance *tree, double width,
              const double place[3], const double across[3], struct failure *failure)
{
    struct feet feet = {.mesh = tree->mesh, .place = place, .width = width};
    const double margin = SEAL_MARGIN * width, length = vector_length(across);
    double low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = place[axis] - width;
        high[axis] = place[axis] + width;
    }
    if (length > margin)
        keep_foot(&feet,
                  (const double[3]){across[0] * (1 - margin / length), across[1] * (1 - margin / length),
                                    across[2] * (1 - margin / length)});
    clearance_visit(tree, low, high, visit_triangle, &feet);
    for (int a = 0; a < feet.count; ++a) {
        for (int b = a + 1; b < feet.count; ++b) {
            const double *foot[2] = {feet.foot[a], feet.foot[b]};
            uint32_t index[3];
            if (ball_radius(foot[0], foot[1]) > 0.5 * width)
                continue;
            if (vector_length(foot[1]) < vector_length(foot[0])) {
                foot[0] = feet.foot[b];
                foot[1] = feet.foot[a];
            }
            TRY(seal_add_corner(ribbons, place, &index[0], failure));
            for (int n = 0; n < 2; ++n) {
                double far[3];
                vector_along(place, 1 + margin / vector_length(foot[n]), foot[n], far);
                TRY(seal_add_corner(ribbons, far, &index[n + 1], failure));
            }
            TRY(mesh_add_triangle(ribbons->mesh, index, ribbons->material, failure));
        }
    }
    return 0;
}
