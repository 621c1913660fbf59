#include "geometry/cell/convex.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "geometry/base/vector.h"

static double height_over(const struct plane *plane, const double at[3])
{
    return vector_dot(plane->normal, at) - plane->offset;
}

int convex_sides(const struct plane *plane, struct outline polygon)
{
    int sides = 0;
    for (uint32_t i = 0; i < polygon.corners; i++) {
        const double at = height_over(plane, polygon.corner[i]);
        sides |= at > CONVEX_TOUCH ? CONVEX_ABOVE : at < -CONVEX_TOUCH ? CONVEX_BELOW : 0;
    }
    return sides;
}

double convex_reach(const struct plane *plane, struct outline polygon)
{
    double reach = 0;
    for (uint32_t i = 0; i < polygon.corners; i++)
        reach = larger(reach, fabs(height_over(plane, polygon.corner[i])));
    return reach;
}

int convex_main_side(const struct plane *plane, struct outline polygon)
{
    double sum = 0;
    for (uint32_t i = 0; i < polygon.corners; i++)
        sum += height_over(plane, polygon.corner[i]);
    return sum > 0 ? CONVEX_ABOVE : CONVEX_BELOW;
}

void convex_copy(struct convex *to, struct outline from)
{
    to->corners = from.corners;
    memcpy(to->corner, from.corner, from.corners * sizeof to->corner[0]);
}

static void add_corner(struct convex *polygon, const double at[3])
{
    if (polygon->corners == CONVEX_CORNERS_MAX)
        return;
    double *corner = polygon->corner[polygon->corners++];
    for (int axis = 0; axis < 3; axis++) /* a copy of 24 bytes would wait for the previous store */
        corner[axis] = at[axis];
}

int convex_split(const struct plane *plane, struct outline polygon, struct convex *below,
                 struct convex *above)
{
    double heights[CONVEX_CORNERS_MAX];
    int sides = 0;
    for (uint32_t i = 0; i < polygon.corners; i++) {
        heights[i] = height_over(plane, polygon.corner[i]);
        sides |= heights[i] > CONVEX_TOUCH ? CONVEX_ABOVE : heights[i] < -CONVEX_TOUCH ? CONVEX_BELOW : 0;
    }
    below->corners = above->corners = 0;
    if (sides != (CONVEX_BELOW | CONVEX_ABOVE))
        return sides;
    for (uint32_t to = 0, from = polygon.corners - 1; to < polygon.corners; from = to++) {
        if ((heights[from] < -CONVEX_TOUCH && heights[to] > CONVEX_TOUCH) ||
            (heights[from] > CONVEX_TOUCH && heights[to] < -CONVEX_TOUCH)) {
            /* The same point from both ends, for polygons that share the side. */
            const uint32_t low = heights[from] < 0 ? from : to, high = low == from ? to : from;
            const double part = heights[low] / (heights[low] - heights[high]);
            double at[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = polygon.corner[low][axis] +
                           part * (polygon.corner[high][axis] - polygon.corner[low][axis]);
            add_corner(below, at);
            add_corner(above, at);
        }
        if (heights[to] <= CONVEX_TOUCH)
            add_corner(below, polygon.corner[to]);
        if (heights[to] >= -CONVEX_TOUCH)
            add_corner(above, polygon.corner[to]);
    }
    return sides;
}

bool convex_keep(struct convex *polygon, const struct plane *plane, int side)
{
    struct convex part[2];
    const int sides = convex_split(plane, convex_outline(polygon), &part[0], &part[1]);
    if ((sides & ~side) != 0)
        convex_copy(polygon, convex_outline(&part[side == CONVEX_ABOVE]));
    return polygon->corners > 0;
}

void convex_section(const struct plane *plane, struct convex *out)
{
    static const double square[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    const double *normal = plane->normal;
    int axis = fabs(normal[1]) > fabs(normal[0]);
    axis = fabs(normal[2]) > fabs(normal[axis]) ? 2 : axis;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    bool inside = true;
    out->corners = 4;
    for (int i = 0; i < 4; i++) {
        double *at = out->corner[i];
        at[u] = square[i][0];
        at[v] = square[i][1];
        at[axis] = (plane->offset - normal[u] * at[u] - normal[v] * at[v]) / normal[axis];
        inside = inside && fabs(at[axis]) <= 0.5;
    }
    for (int end = 0; end < 2 && !inside; end++) {
        struct plane face = {.offset = 0.5};
        face.normal[axis] = end == 0 ? -1 : 1;
        if (!convex_keep(out, &face, CONVEX_BELOW))
            return;
    }
}

double convex_area(const double normal[3], struct outline polygon)
{
    double area = 0, last[3];
    if (polygon.corners >= 3)
        vector_subtract(polygon.corner[1], polygon.corner[0], last);
    for (uint32_t i = 2; i < polygon.corners; i++) {
        double next[3], across[3];
        vector_subtract(polygon.corner[i], polygon.corner[0], next);
        vector_cross(last, next, across);
        area += vector_dot(across, normal);
        memcpy(last, next, sizeof last);
    }
    return 0.5 * fabs(area);
}

double convex_moment(const double normal[3], struct outline polygon, double moment[3])
{
    double area = 0, sum[3] = {0, 0, 0}, last[3];
    if (polygon.corners >= 3)
        vector_subtract(polygon.corner[1], polygon.corner[0], last);
    for (uint32_t i = 2; i < polygon.corners; i++) {
        double next[3], across[3];
        vector_subtract(polygon.corner[i], polygon.corner[0], next);
        vector_cross(last, next, across);
        const double part = 0.5 * vector_dot(across, normal);
        area += part;
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += part * (last[axis] + next[axis]);
            last[axis] = next[axis];
        }
    }
    const double sign = area < 0 ? -1 : 1;
    for (int axis = 0; axis < 3; axis++)
        moment[axis] = polygon.corners < 3 ? 0 : sign * (sum[axis] / 3 + area * polygon.corner[0][axis]);
    return sign * area;
}

/* Heights of the lower [0] and the upper [1] side of a polygon at both ends of a strip without corners. */
static bool strip_heights(const double (*corner)[2], size_t corners, const double end[2], double out[2][2])
{
    int sides = 0;
    for (size_t i = 0, last = corners - 1; i < corners; last = i++) {
        const double *low = corner[i][0] < corner[last][0] ? corner[i] : corner[last];
        const double *high = low == corner[i] ? corner[last] : corner[i];
        if (low[0] > end[0] || high[0] < end[1])
            continue;
        double at[2];
        for (int k = 0; k < 2; k++)
            at[k] = low[1] + (end[k] - low[0]) / (high[0] - low[0]) * (high[1] - low[1]);
        if (sides == 0 || at[0] + at[1] < out[0][0] + out[0][1])
            memcpy(out[0], at, sizeof at);
        if (sides == 0 || at[0] + at[1] > out[1][0] + out[1][1])
            memcpy(out[1], at, sizeof at);
        sides++;
    }
    return sides >= 2;
}

static double interpolate_pair(const double pair[2], double part)
{
    return pair[0] + part * (pair[1] - pair[0]);
}

/* Mean over a strip of the overlap of two polygons. */
static double common_mean(double a[2][2], double b[2][2])
{
    /* The gap between the lower upper side and the upper lower side is linear except where sides cross. */
    double stop[4] = {0, 0, 1, 1};
    for (int side = 0; side < 2; side++) {
        const double first = a[side][0] - b[side][0], last = a[side][1] - b[side][1];
        if ((first < 0 && last > 0) || (first > 0 && last < 0))
            stop[1 + side] = first / (first - last);
        else
            stop[1 + side] = side;
    }
    if (stop[1] > stop[2]) {
        const double swap = stop[1];
        stop[1] = stop[2];
        stop[2] = swap;
    }
    double mean = 0, from = 0;
    for (int i = 0; i < 4; i++) {
        const double gap = smaller(interpolate_pair(a[1], stop[i]), interpolate_pair(b[1], stop[i])) -
                           larger(interpolate_pair(a[0], stop[i]), interpolate_pair(b[0], stop[i]));
        const double width = i == 0 ? 0 : stop[i] - stop[i - 1];
        if (gap >= 0 && from >= 0)
            mean += 0.5 * width * (gap + from);
        else if (gap > 0 || from > 0)
            mean += 0.5 * width * larger(gap, from) * larger(gap, from) / fabs(gap - from);
        from = gap;
    }
    return mean;
}

double convex_common(const double (*a)[2], size_t a_corners, const double (*b)[2], size_t b_corners)
{
    double stop[2 * CONVEX_CORNERS_MAX];
    size_t stops = 0;
    assert(a_corners >= 3 && a_corners <= CONVEX_CORNERS_MAX);
    assert(b_corners >= 3 && b_corners <= CONVEX_CORNERS_MAX);
    for (size_t i = 0; i < a_corners + b_corners; i++, stops++) {
        const double at = i < a_corners ? a[i][0] : b[i - a_corners][0];
        size_t to = stops;
        for (; to > 0 && stop[to - 1] > at; to--)
            stop[to] = stop[to - 1];
        stop[to] = at;
    }
    double area = 0;
    for (size_t i = 1; i < stops; i++) {
        const double end[2] = {stop[i - 1], stop[i]};
        double of_a[2][2], of_b[2][2];
        if (end[0] < end[1] && strip_heights(a, a_corners, end, of_a) &&
            strip_heights(b, b_corners, end, of_b))
            area += (end[1] - end[0]) * common_mean(of_a, of_b);
    }
    return area;
}
