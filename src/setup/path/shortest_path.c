#include "src/setup/path/shortest_path.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"

#define MARGIN 1e-9
/* Triangle tests for one path: about a second. */
#define WORK_LIMIT 300000000u
#define BENDS_MAX  256

bool segment_meets_triangle(const double a[3], const double b[3], const double p[3], const double q[3],
                            const double r[3])
{
    double e1[3], e2[3], d[3], from[3], h[3], s[3];
    for (int axis = 0; axis < 3; axis++) {
        const double low = fmin(a[axis], b[axis]), high = fmax(a[axis], b[axis]);
        if (fmin(fmin(p[axis], q[axis]), r[axis]) > high + MARGIN ||
            fmax(fmax(p[axis], q[axis]), r[axis]) < low - MARGIN)
            return false;
    }
    vector_subtract(q, p, e1);
    vector_subtract(r, p, e2);
    vector_subtract(b, a, d);
    vector_subtract(a, p, from);
    /* Moeller and Trumbore 1997: barycentric coordinates by Cramer's rule. */
    vector_cross(d, e2, h);
    const double determinant = vector_dot(e1, h);
    if (fabs(determinant) <= 1e-14 * sqrt(vector_dot(e1, e1) * vector_dot(e2, e2) * vector_dot(d, d)))
        return false;
    const double u = vector_dot(from, h) / determinant;
    if (!(u >= -MARGIN && u <= 1 + MARGIN))
        return false;
    vector_cross(from, e1, s);
    const double v = vector_dot(d, s) / determinant;
    if (!(v >= -MARGIN && u + v <= 1 + MARGIN))
        return false;
    const double t = vector_dot(e2, s) / determinant;
    return t >= -MARGIN && t <= 1 + MARGIN;
}

/* A path and the triangles within its bounding box: a path that gets shorter stays near it. */
struct polyline {
    const struct mesh *mesh;
    uint32_t *triangle;
    size_t triangles;
    uint64_t work;
    double (*point)[3];
    size_t count;
};

static bool segment_meets(const struct mesh *mesh, size_t triangle, const double a[3], const double b[3])
{
    const uint32_t *corner = mesh->triangle[triangle];
    return segment_meets_triangle(a, b, mesh->vertex[corner[0]], mesh->vertex[corner[1]],
                                  mesh->vertex[corner[2]]);
}

bool segment_is_clear(const struct mesh *mesh, const double a[3], const double b[3])
{
    for (size_t t = 0; t < mesh->triangle_count; t++)
        if (segment_meets(mesh, t, a, b))
            return false;
    return true;
}

static bool is_clear(struct polyline *line, const double a[3], const double b[3])
{
    line->work += line->triangles;
    for (size_t i = 0; i < line->triangles; i++)
        if (segment_meets(line->mesh, line->triangle[i], a, b))
            return false;
    return true;
}

static int gather_triangles(struct polyline *line, struct failure *failure)
{
    const struct mesh *mesh = line->mesh;
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = line->point[0][axis];
        for (size_t i = 1; i < line->count; i++) {
            low[axis] = fmin(low[axis], line->point[i][axis]);
            high[axis] = fmax(high[axis], line->point[i][axis]);
        }
    }
    line->triangle = malloc((mesh->triangle_count + 1) * sizeof *line->triangle);
    if (line->triangle == NULL)
        return failure_memory(failure, mesh->triangle_count * sizeof *line->triangle,
                              "a path through the air");
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const double *p = mesh->vertex[mesh->triangle[t][0]], *q = mesh->vertex[mesh->triangle[t][1]],
                     *r = mesh->vertex[mesh->triangle[t][2]];
        bool near = true;
        for (int axis = 0; near && axis < 3; axis++)
            near = fmin(fmin(p[axis], q[axis]), r[axis]) <= high[axis] + MARGIN &&
                   fmax(fmax(p[axis], q[axis]), r[axis]) >= low[axis] - MARGIN;
        if (near)
            line->triangle[line->triangles++] = (uint32_t)t;
    }
    return 0;
}

/* From each kept point on to the farthest one seen, looked for by doubling and halving. */
static void take_shortcuts(struct polyline *line)
{
    size_t kept = 1, at = 0;
    const size_t count = line->count;
    double(*point)[3] = line->point;
    while (at + 1 < count) {
        size_t seen = at + 1, step = 1;
        while (seen + step < count && is_clear(line, point[at], point[seen + step])) {
            seen += step;
            step *= 2;
        }
        for (; step > 0; step /= 2)
            if (seen + step < count && is_clear(line, point[at], point[seen + step]))
                seen += step;
        /* kept <= seen: only points already passed are overwritten. */
        memmove(point[kept++], point[seen], sizeof *point);
        at = seen;
    }
    line->count = kept;
}

/* Replace bend `at` by a chord between points `size` before and after it. */
static bool cut_bend(struct polyline *line, size_t at, double size)
{
    double(*point)[3] = line->point, before[3], after[3];
    const double back = vector_distance(point[at], point[at - 1]),
                 on = vector_distance(point[at], point[at + 1]);
    const double a = fmin(size, 0.5 * back) / fmax(back, 1e-300), b = fmin(size, 0.5 * on) / fmax(on, 1e-300);
    for (int axis = 0; axis < 3; axis++) {
        before[axis] = point[at][axis] + a * (point[at - 1][axis] - point[at][axis]);
        after[axis] = point[at][axis] + b * (point[at + 1][axis] - point[at][axis]);
    }
    const double saved = vector_distance(before, point[at]) + vector_distance(point[at], after) -
                         vector_distance(before, after);
    if (line->count >= BENDS_MAX || saved < 1e-4 * size || !is_clear(line, before, after))
        return false;
    memmove(point[at + 1], point[at], (line->count - at) * sizeof *point);
    memcpy(point[at], before, sizeof before);
    memcpy(point[at + 1], after, sizeof after);
    line->count++;
    return true;
}

/* Move bend `at` by `size` along an axis where that shortens the path. */
static bool move_bend(struct polyline *line, size_t at, double size)
{
    double(*point)[3] = line->point;
    bool moved = false;
    for (int way = 0; way < 6; way++) {
        double place[3];
        memcpy(place, point[at], sizeof place);
        place[way / 2] += way % 2 == 0 ? size : -size;
        const double now =
            vector_distance(point[at - 1], point[at]) + vector_distance(point[at], point[at + 1]);
        const double then = vector_distance(point[at - 1], place) + vector_distance(place, point[at + 1]);
        if (then < now - 1e-6 * size && is_clear(line, point[at - 1], place) &&
            is_clear(line, place, point[at + 1])) {
            memcpy(point[at], place, sizeof place);
            moved = true;
        }
    }
    return moved;
}

static void pull_tight(struct polyline *line, double spacing)
{
    double size = 0;
    for (size_t i = 1; i < line->count; i++)
        size = fmax(size, vector_distance(line->point[i - 1], line->point[i]) / 2);
    for (; size > spacing / 16; size /= 2) {
        bool better = true;
        for (int sweep = 0; better && sweep < 16; sweep++) {
            better = false;
            for (size_t at = 1; at + 1 < line->count && line->work < WORK_LIMIT; at++) {
                if (is_clear(line, line->point[at - 1], line->point[at + 1])) {
                    memmove(line->point[at], line->point[at + 1],
                            (line->count - at - 1) * sizeof *line->point);
                    line->count--;
                    at--;
                    better = true;
                    continue;
                }
                better = move_bend(line, at, size) || better;
                better = cut_bend(line, at, size) || better;
            }
        }
    }
}

int shortest_path_pull(const struct mesh *mesh, double spacing, const double (*point)[3], size_t count,
                       double (**out)[3], size_t *out_count, struct failure *failure)
{
    struct polyline line = {.mesh = mesh, .count = count};
    /* Cutting a bend adds a point. */
    line.point = malloc((count + BENDS_MAX + 1) * sizeof *line.point);
    if (line.point == NULL)
        return failure_memory(failure, (count + BENDS_MAX) * sizeof *line.point, "a path through the air");
    memcpy(line.point, point, count * sizeof *point);
    const int code = gather_triangles(&line, failure);
    if (code == 0) {
        take_shortcuts(&line);
        pull_tight(&line, spacing);
        *out = line.point;
        *out_count = line.count;
    } else {
        free(line.point);
    }
    free(line.triangle);
    return code;
}

int shortest_path_length(const struct mesh *mesh, double spacing, const double (*point)[3], size_t count,
                         double *length, struct failure *failure)
{
    double(*path)[3] = NULL;
    size_t points = 0;
    TRY(shortest_path_pull(mesh, spacing, point, count, &path, &points, failure));
    *length = 0;
    for (size_t i = 1; i < points; i++)
        *length += vector_distance(path[i - 1], path[i]);
    free(path);
    return 0;
}
