#include "geometry/base/polygon.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct corner {
    double x, y; /* in the plane, so that the polygon runs counter-clockwise */
    uint32_t previous, next;
    bool reflex; /* not strictly convex: only such corners can lie in another corner's ear */
};

/* Twice the area of a b c, positive when they turn left. */
static double twice_area(const struct corner *a, const struct corner *b, const struct corner *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static bool same_place(const struct corner *a, const struct corner *b)
{
    return a->x == b->x && a->y == b->y;
}

static double signed_area_at(const struct corner *corner, uint32_t at)
{
    return twice_area(&corner[corner[at].previous], &corner[at], &corner[corner[at].next]);
}

/* Drop the axis along which the Newell normal is longest; swap the others if it points backwards. */
static void project_corners(const double (*position)[3], size_t count, struct corner *corner)
{
    double normal[3] = {0, 0, 0};
    for (size_t k = 0; k < count; ++k) {
        const double *a = position[k], *b = position[(k + 1) % count];
        for (int axis = 0; axis < 3; ++axis) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            /* Relative to the first corner: far from the origin the products would lose significant digits.
             */
            normal[axis] += (a[u] - position[0][u]) * (b[v] - position[0][v]) -
                            (a[v] - position[0][v]) * (b[u] - position[0][u]);
        }
    }
    int drop = 0;
    for (int axis = 1; axis < 3; ++axis)
        if (fabs(normal[axis]) > fabs(normal[drop]))
            drop = axis;
    int u = (drop + 1) % 3, v = (drop + 2) % 3;
    if (normal[drop] < 0) {
        const int swap = u;
        u = v;
        v = swap;
    }
    for (size_t k = 0; k < count; ++k) {
        corner[k].x = position[k][u];
        corner[k].y = position[k][v];
        corner[k].previous = (uint32_t)(k == 0 ? count - 1 : k - 1);
        corner[k].next = (uint32_t)(k + 1 == count ? 0 : k + 1);
    }
    for (size_t k = 0; k < count; ++k)
        corner[k].reflex = !(signed_area_at(corner, (uint32_t)k) > 0);
}

/* Corners at the same point as a corner of the ear do not block it: bridges to holes pass twice. */
static bool is_clear(const struct corner *corner, uint32_t at)
{
    const struct corner *a = &corner[corner[at].previous], *b = &corner[at], *c = &corner[b->next];
    for (uint32_t other = c->next; other != b->previous; other = corner[other].next) {
        const struct corner *p = &corner[other];
        if (!p->reflex || same_place(p, a) || same_place(p, b) || same_place(p, c))
            continue;
        if (twice_area(a, b, p) >= 0 && twice_area(b, c, p) >= 0 && twice_area(c, a, p) >= 0)
            return false;
    }
    return true;
}

/* The next corner from `from` on that may be cut: an ear. If there is none (only in a degenerate or crossing
 * rest): a corner without area; else any convex corner; else `from`. */
static uint32_t choose_corner(const struct corner *corner, uint32_t from)
{
    uint32_t flat = UINT32_MAX, convex = UINT32_MAX, at = from;
    do {
        const double area = signed_area_at(corner, at);
        if (area > 0) {
            if (is_clear(corner, at))
                return at;
            convex = at;
        } else if (area == 0) {
            flat = at;
        }
        at = corner[at].next;
    } while (at != from);
    return flat != UINT32_MAX ? flat : convex != UINT32_MAX ? convex : from;
}

int polygon_triangulate(const double (*position)[3], size_t count, uint32_t (*triangle)[3],
                        struct failure *failure)
{
    if (count > POLYGON_CORNERS_MAX)
        return failure_set(failure, FAILURE_INPUT, "a polygon has %zu corners; the limit is %u: split it",
                           count, POLYGON_CORNERS_MAX);
    struct corner *corner = malloc(count * sizeof corner[0]);
    if (corner == NULL)
        return failure_memory(failure, count * sizeof corner[0], "cutting a polygon into triangles");
    project_corners(position, count, corner);
    uint32_t at = 0;
    for (size_t left = count, made = 0; left > 2; --left, ++made) {
        at = choose_corner(corner, at);
        const uint32_t previous = corner[at].previous, next = corner[at].next;
        triangle[made][0] = previous;
        triangle[made][1] = at;
        triangle[made][2] = next;
        corner[previous].next = next;
        corner[next].previous = previous;
        corner[previous].reflex = !(signed_area_at(corner, previous) > 0);
        corner[next].reflex = !(signed_area_at(corner, next) > 0);
        /* Skip one: cutting beside the last ear each time would make a fan of slivers. */
        at = corner[next].next;
    }
    free(corner);
    return 0;
}
