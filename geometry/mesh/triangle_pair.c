#include "geometry/mesh/triangle_pair.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "geometry/base/vector.h"

__extension__ typedef __int128 int128;

/* Differences of coordinates are exact in double. Each of the three products of a volume then has four
 * roundings at most, and their sum two more: 6 x 2^-53 of the sum of magnitudes, and a margin. */
#define VOLUME_ERROR (8 * 0x1p-53)

static int sign_of(int128 value)
{
    return (value > 0) - (value < 0);
}

int triangle_pair_side(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double u[3], v[3], w[3], sum = 0, magnitude = 0;
    vector_subtract(b, a, u);
    vector_subtract(c, a, v);
    vector_subtract(d, a, w);
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        const double plus = u[next] * v[last], minus = u[last] * v[next];
        sum += w[axis] * (plus - minus);
        magnitude += fabs(w[axis]) * (fabs(plus) + fabs(minus));
    }
    if (fabs(sum) > VOLUME_ERROR * magnitude)
        return sum > 0 ? 1 : -1;
    int128 volume = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        volume += (int128)w[axis] * ((int128)u[next] * (int128)v[last] - (int128)u[last] * (int128)v[next]);
    }
    return sign_of(volume);
}

/** Sign of the area of (a, b, c) seen along `axis`. Exact. */
static int area_sign(const double a[3], const double b[3], const double c[3], int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return sign_of((int128)(b[u] - a[u]) * (int128)(c[v] - a[v]) -
                   (int128)(b[v] - a[v]) * (int128)(c[u] - a[u]));
}

/** An axis along which the triangle's projection has an area, or -1. */
static int axis_of_view(const struct triangle_corners *triangle)
{
    for (int axis = 0; axis < 3; axis++)
        if (area_sign(triangle->at[0], triangle->at[1], triangle->at[2], axis) != 0)
            return axis;
    return -1;
}

bool triangle_pair_has_area(const struct triangle_corners *triangle)
{
    return axis_of_view(triangle) >= 0;
}

/** True if all of `second` is on or outside one side of `first`. */
static bool side_separates(const struct triangle_corners *first, const struct triangle_corners *second,
                           int axis)
{
    const int inner = area_sign(first->at[0], first->at[1], first->at[2], axis);
    for (int side = 0; side < 3; side++) {
        bool outside = true;
        for (int corner = 0; corner < 3; corner++)
            outside =
                outside &&
                area_sign(first->at[side], first->at[(side + 1) % 3], second->at[corner], axis) * inner <= 0;
        if (outside)
            return true;
    }
    return false;
}

/** Rotate the corners so that the only one on its side of the plane comes first. Corners on the plane count
 * to the other side. Returns the side of that corner. */
static int lone_corner_first(struct triangle_corners *triangle, const int side[3])
{
    int lone = 0;
    for (int corner = 0; corner < 3; corner++)
        if (side[corner] != 0 && side[(corner + 1) % 3] != side[corner] &&
            side[(corner + 2) % 3] != side[corner])
            lone = corner;
    const struct triangle_corners old = *triangle;
    for (int corner = 0; corner < 3; corner++)
        memcpy(triangle->at[corner], old.at[(lone + corner) % 3], sizeof old.at[0]);
    return side[lone];
}

static void swap_last(struct triangle_corners *triangle)
{
    double kept[3];
    memcpy(kept, triangle->at[1], sizeof kept);
    memcpy(triangle->at[1], triangle->at[2], sizeof kept);
    memcpy(triangle->at[2], kept, sizeof kept);
}

/** True if two triangles, each across the other's plane, share more than a point. Each triangle covers an
 * interval of the line where the planes meet. The sign of a volume gives the order of two ends (Guigue and
 * Devillers 2003). */
static bool intervals_overlap(const struct triangle_corners *first, const int first_side[3],
                              const struct triangle_corners *second, const int second_side[3])
{
    struct triangle_corners a = *first, b = *second;
    const int a_side = lone_corner_first(&a, first_side), b_side = lone_corner_first(&b, second_side);
    if (a_side < 0)
        swap_last(&b);
    if (b_side < 0)
        swap_last(&a);
    return triangle_pair_side(a.at[0], a.at[1], b.at[0], b.at[1]) < 0 &&
           triangle_pair_side(a.at[0], a.at[2], b.at[2], b.at[0]) < 0;
}

static void normal_of(const struct triangle_corners *triangle, double normal[3])
{
    double first[3], second[3];
    vector_subtract(triangle->at[1], triangle->at[0], first);
    vector_subtract(triangle->at[2], triangle->at[0], second);
    vector_cross(first, second, normal);
    const double length = vector_length(normal);
    for (int axis = 0; axis < 3; axis++)
        normal[axis] /= length;
}

/** Heights of the corners of a triangle over the plane of another one. */
static void heights_over(const struct triangle_corners *triangle, const struct triangle_corners *plane,
                         double height[3])
{
    double normal[3], to[3];
    normal_of(plane, normal);
    for (int corner = 0; corner < 3; corner++) {
        vector_subtract(triangle->at[corner], plane->at[0], to);
        height[corner] = vector_dot(to, normal);
    }
}

static double farthest_height(const double height[3])
{
    return larger(fabs(height[0]), larger(fabs(height[1]), fabs(height[2])));
}

/** The smaller of a triangle's extents to both sides of a plane. */
static double smaller_extent(const double height[3])
{
    const double above = larger(height[0], larger(height[1], height[2]));
    const double below = -smaller(height[0], smaller(height[1], height[2]));
    return smaller(above, below);
}

/** The two points where the border of a triangle on both sides of a plane meets it. */
static void chord_on_plane(const struct triangle_corners *triangle, const double height[3], double end[2][3])
{
    int ends = 0;
    for (int side = 0; side < 3; side++) {
        const double from = height[side], to = height[(side + 1) % 3];
        /* A corner on the plane counts to the side that starts there. */
        if (ends < 2 && (from == 0 || (from < 0) != (to < 0)) && to != 0) {
            const double share = from / (from - to);
            for (int axis = 0; axis < 3; axis++)
                end[ends][axis] = triangle->at[side][axis] +
                                  share * (triangle->at[(side + 1) % 3][axis] - triangle->at[side][axis]);
            ends++;
        }
    }
    for (; ends < 2; ends++) /* rounding left less than a segment */
        memcpy(end[ends], ends == 1 ? end[0] : triangle->at[0], sizeof end[0]);
}

/** Middle and length of the segment that two triangles in different planes share. */
static void common_segment(const struct triangle_corners *first, const double first_height[3],
                           const struct triangle_corners *second, const double second_height[3],
                           struct triangle_meeting *out)
{
    double end[2][2][3], along[3], range[2][2];
    chord_on_plane(first, first_height, end[0]);
    chord_on_plane(second, second_height, end[1]);
    double length = -1;
    for (int one = 0; one < 2; one++) {
        double direction[3];
        vector_subtract(end[one][1], end[one][0], direction);
        const double its = vector_length(direction);
        if (its > length) {
            length = its;
            for (int axis = 0; axis < 3; axis++)
                along[axis] = its > 0 ? direction[axis] / its : 0;
        }
    }
    for (int one = 0; one < 2; one++) {
        double offset[2][3];
        for (int at = 0; at < 2; at++)
            vector_subtract(end[one][at], end[0][0], offset[at]);
        const double a = vector_dot(offset[0], along), b = vector_dot(offset[1], along);
        range[one][0] = smaller(a, b);
        range[one][1] = larger(a, b);
    }
    const double from = larger(range[0][0], range[1][0]), to = smaller(range[0][1], range[1][1]);
    out->length = larger(0.0, to - from);
    vector_along(end[0][0], (from + to) / 2, along, out->middle);
}

/** The part of a polygon on the inner side of the line from `a` towards `b`; `inner` is the direction
 * inwards. */
static int clip_polygon(double polygon[8][3], int count, const double a[3], const double inner[3])
{
    double kept[8][3], height[8], to[3];
    int kept_count = 0;
    for (int i = 0; i < count; i++) {
        vector_subtract(polygon[i], a, to);
        height[i] = vector_dot(to, inner);
    }
    for (int i = 0; i < count && kept_count < 7; i++) {
        const int next = (i + 1) % count;
        if (height[i] >= 0)
            memcpy(kept[kept_count++], polygon[i], sizeof kept[0]);
        if ((height[i] > 0 && height[next] < 0) || (height[i] < 0 && height[next] > 0)) {
            const double share = height[i] / (height[i] - height[next]);
            for (int axis = 0; axis < 3; axis++)
                kept[kept_count][axis] = polygon[i][axis] + share * (polygon[next][axis] - polygon[i][axis]);
            kept_count++;
        }
    }
    memcpy(polygon, kept, (size_t)kept_count * sizeof kept[0]);
    return kept_count;
}

/** The overlap of two triangles in one plane; `*width` is its area over its longest side. */
static void common_area(const struct triangle_corners *first, const struct triangle_corners *second,
                        struct triangle_meeting *out, double *width)
{
    double polygon[8][3], normal[3], low[3], high[3], doubled = 0;
    int count = 3;
    memcpy(polygon, second->at, sizeof second->at);
    normal_of(first, normal);
    for (int side = 0; side < 3; side++) {
        double along[3], inner[3];
        vector_subtract(first->at[(side + 1) % 3], first->at[side], along);
        vector_cross(normal, along, inner);
        count = clip_polygon(polygon, count, first->at[side], inner);
    }
    *width = 0;
    out->length = 0;
    memset(out->middle, 0, sizeof out->middle);
    if (count == 0)
        return;
    memcpy(low, polygon[0], sizeof low);
    memcpy(high, polygon[0], sizeof high);
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = smaller(low[axis], polygon[i][axis]);
            high[axis] = larger(high[axis], polygon[i][axis]);
            out->middle[axis] += polygon[i][axis] / count;
        }
    for (int axis = 0; axis < 3; axis++)
        out->length = larger(out->length, high[axis] - low[axis]);
    for (int i = 1; i + 1 < count; i++) {
        double a[3], b[3], area[3];
        vector_subtract(polygon[i], polygon[0], a);
        vector_subtract(polygon[i + 1], polygon[0], b);
        vector_cross(a, b, area);
        doubled += vector_length(area);
    }
    *width = out->length > 0 ? doubled / 2 / out->length : 0;
}

static bool straddles_plane(const int side[3])
{
    bool above = false, below = false;
    for (int corner = 0; corner < 3; corner++) {
        above = above || side[corner] > 0;
        below = below || side[corner] < 0;
    }
    return above && below;
}

void triangle_pair_test(const struct triangle_corners *first, const struct triangle_corners *second,
                        double tolerance, struct triangle_meeting *out)
{
    double first_height[3], second_height[3], width;
    int first_side[3], second_side[3];
    *out = (struct triangle_meeting){0};
    if (tolerance > 0) {
        heights_over(first, second, first_height);
        heights_over(second, first, second_height);
        if (farthest_height(first_height) <= tolerance && farthest_height(second_height) <= tolerance) {
            out->one_plane = true;
            common_area(first, second, out, &width);
            out->crosses = width > tolerance;
            return;
        }
        if (smaller_extent(first_height) <= tolerance || smaller_extent(second_height) <= tolerance)
            return;
    }
    for (int corner = 0; corner < 3; corner++)
        first_side[corner] =
            triangle_pair_side(second->at[0], second->at[1], second->at[2], first->at[corner]);
    if (first_side[0] == 0 && first_side[1] == 0 && first_side[2] == 0) {
        const int axis = axis_of_view(first);
        out->one_plane = true;
        out->crosses = !side_separates(first, second, axis) && !side_separates(second, first, axis);
        if (out->crosses)
            common_area(first, second, out, &width);
        return;
    }
    if (!straddles_plane(first_side))
        return;
    for (int corner = 0; corner < 3; corner++)
        second_side[corner] =
            triangle_pair_side(first->at[0], first->at[1], first->at[2], second->at[corner]);
    if (!straddles_plane(second_side) || !intervals_overlap(first, first_side, second, second_side))
        return;
    heights_over(first, second, first_height);
    heights_over(second, first, second_height);
    common_segment(first, first_height, second, second_height, out);
    out->crosses = tolerance == 0 || out->length > tolerance;
}
