#include "src/path/shortest_path.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"

#define MARGIN 1e-9
/* Triangle tests for one path: about a second. */
#define WORK_LIMIT 300000000u
#define BENDS_MAX  256

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

bool segment_meets_triangle(const double a[3], const double b[3], const double p[3], const double q[3],
                            const double r[3])
{
    double e1[3], e2[3], d[3], from[3], h[3], s[3];
    for (int axis = 0; axis < 3; axis++) {
        const double low = fmin(a[axis], b[axis]), high = fmax(a[axis], b[axis]);
        if (fmin(fmin(p[axis], q[axis]), r[axis]) > high + MARGIN ||
            fmax(fmax(p[axis], q[axis]), r[axis]) < low - MARGIN)
            return false;
        e1[axis] = q[axis] - p[axis];
        e2[axis] = r[axis] - p[axis];
        d[axis] = b[axis] - a[axis];
        from[axis] = a[axis] - p[axis];
    }
    /* Moeller and Trumbore 1997: barycentric coordinates by Cramer's rule. */
    cross(d, e2, h);
    const double determinant = dot(e1, h);
    if (fabs(determinant) <= 1e-14 * sqrt(dot(e1, e1) * dot(e2, e2) * dot(d, d)))
        return false;
    const double u = dot(from, h) / determinant;
    if (!(u >= -MARGIN && u <= 1 + MARGIN))
        return false;
    cross(from, e1, s);
    const double v = dot(d, s) / determinant;
    if (!(v >= -MARGIN && u + v <= 1 + MARGIN))
        return false;
    const double t = dot(e2, s) / determinant;
    return t >= -MARGIN && t <= 1 + MARGIN;
}

/* A path and the triangles that stand within its bounding box: a path that gets shorter stays near it. */
struct string {
    const struct mesh *mesh;
    uint32_t *triangle;
    size_t triangles;
    uint64_t work;
    double low[3], high[3];
    double (*point)[3];
    size_t count;
};

static bool is_clear(struct string *string, const double a[3], const double b[3])
{
    string->work += string->triangles;
    for (size_t i = 0; i < string->triangles; i++) {
        const uint32_t *corner = string->mesh->triangle[string->triangle[i]];
        const double(*vertex)[3] = (const double(*)[3])string->mesh->vertex;
        if (segment_meets_triangle(a, b, vertex[corner[0]], vertex[corner[1]], vertex[corner[2]]))
            return false;
    }
    return true;
}

static int gather_triangles(struct string *string, struct failure *failure)
{
    const struct mesh *mesh = string->mesh;
    for (int axis = 0; axis < 3; axis++) {
        string->low[axis] = string->high[axis] = string->point[0][axis];
        for (size_t i = 1; i < string->count; i++) {
            string->low[axis] = fmin(string->low[axis], string->point[i][axis]);
            string->high[axis] = fmax(string->high[axis], string->point[i][axis]);
        }
    }
    string->triangle = malloc((mesh->triangle_count + 1) * sizeof *string->triangle);
    if (string->triangle == NULL)
        return failure_memory(failure, mesh->triangle_count * sizeof *string->triangle,
                              "a path through the air");
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        bool near = true;
        for (int axis = 0; near && axis < 3; axis++) {
            double low = INFINITY, high = -INFINITY;
            for (int corner = 0; corner < 3; corner++) {
                low = fmin(low, mesh->vertex[mesh->triangle[t][corner]][axis]);
                high = fmax(high, mesh->vertex[mesh->triangle[t][corner]][axis]);
            }
            near = low <= string->high[axis] + MARGIN && high >= string->low[axis] - MARGIN;
        }
        if (near)
            string->triangle[string->triangles++] = (uint32_t)t;
    }
    return 0;
}

/* From each kept point on to the farthest one seen, looked for by doubling and halving. */
static void take_shortcuts(struct string *string)
{
    size_t kept = 1, at = 0;
    const size_t count = string->count;
    double(*point)[3] = string->point;
    while (at + 1 < count) {
        size_t seen = at + 1, step = 1;
        while (seen + step < count && is_clear(string, point[at], point[seen + step])) {
            seen += step;
            step *= 2;
        }
        for (; step > 0; step /= 2)
            if (seen + step < count && is_clear(string, point[at], point[seen + step]))
                seen += step;
        /* kept <= seen: only points already passed are overwritten. */
        if (kept != seen)
            memcpy(point[kept], point[seen], sizeof *point);
        at = seen;
        kept++;
    }
    string->count = kept;
}

static void remove_point(struct string *string, size_t at)
{
    memmove(string->point[at], string->point[at + 1], (string->count - at - 1) * sizeof *string->point);
    string->count--;
}

/* Replace bend `at` by a chord between points `size` before and after it. */
static bool cut_bend(struct string *string, size_t at, double size)
{
    double(*point)[3] = string->point, before[3], after[3];
    const double back = vector_distance(point[at], point[at - 1]),
                 on = vector_distance(point[at], point[at + 1]);
    const double a = fmin(size, 0.5 * back) / fmax(back, 1e-300), b = fmin(size, 0.5 * on) / fmax(on, 1e-300);
    for (int axis = 0; axis < 3; axis++) {
        before[axis] = point[at][axis] + a * (point[at - 1][axis] - point[at][axis]);
        after[axis] = point[at][axis] + b * (point[at + 1][axis] - point[at][axis]);
    }
    const double saved = vector_distance(before, point[at]) + vector_distance(point[at], after) -
                         vector_distance(before, after);
    if (string->count >= BENDS_MAX || saved < 1e-4 * size || !is_clear(string, before, after))
        return false;
    memmove(point[at + 1], point[at], (string->count - at) * sizeof *point);
    memcpy(point[at], before, sizeof before);
    memcpy(point[at + 1], after, sizeof after);
    string->count++;
    return true;
}

/* Move bend `at` by `size` along an axis where that shortens the path. */
static bool move_bend(struct string *string, size_t at, double size)
{
    double(*point)[3] = string->point;
    bool moved = false;
    for (int way = 0; way < 6; way++) {
        double place[3];
        memcpy(place, point[at], sizeof place);
        place[way / 2] += way % 2 == 0 ? size : -size;
        const double now =
            vector_distance(point[at - 1], point[at]) + vector_distance(point[at], point[at + 1]);
        const double then = vector_distance(point[at - 1], place) + vector_distance(place, point[at + 1]);
        if (then < now - 1e-6 * size && is_clear(string, point[at - 1], place) &&
            is_clear(string, place, point[at + 1])) {
            memcpy(point[at], place, sizeof place);
            moved = true;
        }
    }
    return moved;
}

static void pull(struct string *string, double spacing)
{
    double size = 0;
    for (size_t i = 1; i < string->count; i++)
        size = fmax(size, vector_distance(string->point[i - 1], string->point[i]) / 2);
    for (; size > spacing / 16; size /= 2) {
        bool better = true;
        for (int sweep = 0; better && sweep < 16; sweep++) {
            better = false;
            for (size_t at = 1; at + 1 < string->count && string->work < WORK_LIMIT; at++) {
                if (is_clear(string, string->point[at - 1], string->point[at + 1])) {
                    remove_point(string, at--);
                    better = true;
                    continue;
                }
                better = move_bend(string, at, size) || better;
                better = cut_bend(string, at, size) || better;
            }
        }
    }
}

int shortest_path_pull(const struct mesh *mesh, double spacing, const double (*point)[3], size_t count,
                       double (**out)[3], size_t *out_count, struct failure *failure)
{
    struct string string = {.mesh = mesh, .count = count};
    /* Cutting a bend adds a point. */
    string.point = malloc((count + BENDS_MAX + 1) * sizeof *string.point);
    if (string.point == NULL)
        return failure_memory(failure, (count + BENDS_MAX) * sizeof *string.point, "a path through the air");
    memcpy(string.point, point, count * sizeof *point);
    const int code = gather_triangles(&string, failure);
    if (code == 0) {
        take_shortcuts(&string);
        pull(&string, spacing);
        *out = string.point;
        *out_count = string.count;
        string.point = NULL;
    }
    free(string.triangle);
    free(string.point);
    return code;
}

int shortest_path_length(const struct mesh *mesh, double spacing, const double (*point)[3], size_t count,
                         double *length, struct failure *failure)
{
    double(*taut)[3] = NULL;
    size_t points = 0;
    TRY(shortest_path_pull(mesh, spacing, point, count, &taut, &points, failure));
    *length = 0;
    for (size_t i = 1; i < points; i++)
        *length += vector_distance(taut[i - 1], taut[i]);
    free(taut);
    return 0;
}
