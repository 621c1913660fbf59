#include "src/setup/area/receiver_area.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/polygon.h"
#include "geometry/base/vector.h"
#include "rooms/materials/surfaces.h"

#define STEEPEST    0.70710678118654752 /* of the upright part of a unit normal: 45 degrees */
#define EDGE        1e-9                /* [m]: a point this near to an edge lies on it */
#define SAME_HEIGHT 1e-3                /* [m] */
#define LEAST_AREA  1e-6                /* [m2] */
#define LEVEL       0.02                /* [m]: that the corners of a level triangle differ by */

void receiver_area_free(struct receiver_area *area)
{
    free(area->triangle);
    free(area->material);
    *area = (struct receiver_area){0};
}

/* ---- triangles ---- */

static double area_in_plan(const double triangle[3][3])
{
    return 0.5 * ((triangle[1][0] - triangle[0][0]) * (triangle[2][1] - triangle[0][1]) -
                  (triangle[1][1] - triangle[0][1]) * (triangle[2][0] - triangle[0][0]));
}

static void measure(struct receiver_area *area)
{
    area->size = 0;
    for (int axis = 0; axis < 2; axis++) {
        area->low[axis] = INFINITY;
        area->high[axis] = -INFINITY;
    }
    for (size_t t = 0; t < area->count; t++) {
        area->size += fabs(area_in_plan((const double(*)[3])area->triangle[t]));
        for (int corner = 0; corner < 3; corner++)
            for (int axis = 0; axis < 2; axis++) {
                area->low[axis] = smaller(area->low[axis], area->triangle[t][corner][axis]);
                area->high[axis] = larger(area->high[axis], area->triangle[t][corner][axis]);
            }
    }
}

/* ---- faces of materials ---- */

static bool is_upward(const double triangle[3][3])
{
    double a[3], b[3], normal[3];
    vector_subtract(triangle[1], triangle[0], a);
    vector_subtract(triangle[2], triangle[0], b);
    vector_cross(a, b, normal);
    return fabs(normal[2]) > STEEPEST * vector_length(normal);
}

/* The faces of the `wanted` materials (material_count); NULL: of all. */
static int of_faces(const struct mesh *mesh, const bool *wanted, struct receiver_area *area,
                    struct failure *failure)
{
    area->triangle = calloc(mesh->triangle_count + 1, sizeof *area->triangle);
    area->material = calloc(mesh->triangle_count + 1, sizeof *area->material);
    if (area->triangle == NULL || area->material == NULL)
        return failure_memory(failure, mesh->triangle_count * sizeof *area->triangle, "a receiver grid");
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double(*triangle)[3] = area->triangle[area->count];
        if (wanted != NULL && !wanted[mesh->triangle_material[t]])
            continue;
        for (int corner = 0; corner < 3; corner++)
            memcpy(triangle[corner], mesh->vertex[mesh->triangle[t][corner]], sizeof triangle[corner]);
        area->material[area->count] = mesh->triangle_material[t];
        area->count += is_upward((const double(*)[3])triangle);
    }
    return 0;
}

static int of_audience(const struct mesh *mesh, struct receiver_area *area, struct failure *failure)
{
    TRY(of_faces(mesh, NULL, area, failure));
    return area->count > 0 ? 0
                           : failure_set(failure, FAILURE_INPUT,
                                         "no face of the model is flatter than 45 degrees: give a polygon "
                                         "x,y,z;x,y,z;..");
}

static int of_material(const struct mesh *mesh, const struct option_grid *asked, struct receiver_area *area,
                       struct failure *failure)
{
    bool *wanted = calloc(mesh->material_count + 1, sizeof *wanted), any = false;
    if (wanted == NULL)
        return failure_memory(failure, mesh->material_count * sizeof *wanted, "a receiver grid");
    for (size_t m = 0; m < mesh->material_count; m++)
        any |= wanted[m] = surface_name_means(asked->material, mesh->material[m]);
    const int code =
        any ? of_faces(mesh, wanted, area, failure) : surface_refuse_name(mesh, asked->material, failure);
    free(wanted);
    if (code != 0)
        return code;
    if (area->count == 0)
        return failure_set(failure, FAILURE_INPUT,
                           "no upward face of \"%.200s\" is flatter than 45 degrees: name a floor, or give a "
                           "polygon x,y,z;x,y,z;..",
                           asked->material);
    return 0;
}

/* ---- a polygon ---- */

/* On which side of a->b, in plan, lies c? */
static double side(const double a[3], const double b[3], const double c[3])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Is c, on the line through a and b, also between them? */
static bool is_between(const double a[3], const double b[3], const double c[3])
{
    return c[0] >= fmin(a[0], b[0]) && c[0] <= fmax(a[0], b[0]) && c[1] >= fmin(a[1], b[1]) &&
           c[1] <= fmax(a[1], b[1]);
}

static bool segments_meet(const double a[3], const double b[3], const double c[3], const double d[3])
{
    const double of_c = side(a, b, c), of_d = side(a, b, d), of_a = side(c, d, a), of_b = side(c, d, b);
    if (((of_c > 0 && of_d < 0) || (of_c < 0 && of_d > 0)) &&
        ((of_a > 0 && of_b < 0) || (of_a < 0 && of_b > 0)))
        return true;
    return (of_c == 0 && is_between(a, b, c)) || (of_d == 0 && is_between(a, b, d)) ||
           (of_a == 0 && is_between(c, d, a)) || (of_b == 0 && is_between(c, d, b));
}

/* Sides that are not neighbours may not meet in plan. */
static int refuse_crossing(const struct option_grid *asked, struct failure *failure)
{
    const size_t n = asked->corners;
    const double(*corner)[3] = (const double(*)[3])asked->corner;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 2; j < n; j++)
            if ((i > 0 || j + 1 < n) &&
                segments_meet(corner[i], corner[i + 1], corner[j], corner[(j + 1) % n]))
                return failure_set(
                    failure, FAILURE_INPUT,
                    "the polygon crosses or touches itself: its side from corner %zu meets that from corner "
                    "%zu; give the corners in order around it",
                    i + 1, j + 1);
    return 0;
}

static int of_polygon(const struct option_grid *asked, struct receiver_area *area, struct failure *failure)
{
    const size_t n = asked->corners;
    if (n < 3 || n > RECEIVER_AREA_CORNERS_MAX)
        return failure_set(failure, FAILURE_INPUT,
                           "the polygon has %zu corner%s; it needs 3 to %d: x,y,z;x,y,z;x,y,z..", n,
                           n == 1 ? "" : "s", RECEIVER_AREA_CORNERS_MAX);
    TRY(refuse_crossing(asked, failure));
    /* Cut in plan, where the corners' heights cannot turn the polygon over. */
    double(*flat)[3] = calloc(n, sizeof *flat);
    uint32_t(*cut)[3] = calloc(n - 2, sizeof *cut);
    area->triangle = calloc(n - 2, sizeof *area->triangle);
    int code = flat == NULL || cut == NULL || area->triangle == NULL
                   ? failure_memory(failure, n * sizeof *area->triangle, "a receiver grid")
                   : 0;
    for (size_t i = 0; code == 0 && i < n; i++)
        memcpy(flat[i], (double[3]){asked->corner[i][0], asked->corner[i][1], 0}, sizeof flat[i]);
    if (code == 0)
        code = polygon_triangulate((const double(*)[3])flat, n, cut, failure);
    for (size_t t = 0; code == 0 && t < n - 2; t++)
        for (int corner = 0; corner < 3; corner++)
            memcpy(area->triangle[t][corner], asked->corner[cut[t][corner]], sizeof *asked->corner);
    area->count = code == 0 ? n - 2 : 0;
    free(cut);
    free(flat);
    return code;
}

int receiver_area_make(const struct mesh *mesh, const struct option_grid *asked, struct receiver_area *out,
                       struct failure *failure)
{
    struct receiver_area area = {0};
    struct failure why = {0};
    int code = asked->material != NULL ? of_material(mesh, asked, &area, &why)
               : asked->corners > 0    ? of_polygon(asked, &area, &why)
                                       : of_audience(mesh, &area, &why);
    measure(&area);
    if (code == 0 && !(area.size > LEAST_AREA))
        code = failure_set(&why, FAILURE_INPUT, "its area in plan is only %.2g m2: its corners lie on a line",
                           area.size);
    if (code == 0) {
        *out = area;
        return 0;
    }
    receiver_area_free(&area);
    return failure_wrap(failure, &why, "receiver grid %s: ", asked->name);
}

/* ---- points ---- */

/* The grid along one axis: its first point and the number of points. */
struct lines {
    double first, spacing;
    double count; /* whole, and within 32 bits once it is used */
};

static struct lines lines_of(double low, double high, double spacing)
{
    struct lines lines = {.spacing = spacing};
    lines.count = fmax(1, floor((high - low) / spacing + EDGE));
    lines.first = 0.5 * (low + high) - 0.5 * (lines.count - 1) * spacing;
    return lines;
}

/* The lines that [low, high] holds: numbers `*from` up to and without `*end`. */
static void lines_within(const struct lines *lines, double low, double high, uint32_t *from, uint32_t *end)
{
    const double a = ceil((low - EDGE - lines->first) / lines->spacing);
    const double b = floor((high + EDGE - lines->first) / lines->spacing) + 1;
    *from = (uint32_t)fmin(fmax(a, 0), lines->count);
    *end = (uint32_t)fmin(fmax(b, 0), lines->count);
}

struct points {
    size_t count, capacity;
    struct floor_point *point;
};

static int add_point(struct points *points, const struct floor_point *point, struct failure *failure)
{
    if (points->count == points->capacity) {
        const size_t capacity = 2 * points->capacity + 256;
        struct floor_point *grown = realloc(points->point, capacity * sizeof *grown);
        if (grown == NULL)
            return failure_memory(failure, capacity * sizeof *grown, "the points of a receiver grid");
        points->point = grown;
        points->capacity = capacity;
    }
    points->point[points->count++] = *point;
    return 0;
}

bool receiver_area_height(const double triangle[3][3], double x, double y, double *height)
{
    const double whole = 2 * area_in_plan(triangle);
    const double at[3] = {x, y, 0};
    double sum = 0;
    if (whole == 0)
        return false;
    for (int i = 0; i < 3; i++) {
        const double *a = triangle[(i + 1) % 3], *b = triangle[(i + 2) % 3];
        const double part = side(a, b, at);
        const double length = hypot(b[0] - a[0], b[1] - a[1]);
        if ((whole > 0 ? part : -part) < -EDGE * length)
            return false;
        sum += part / whole * triangle[i][2];
    }
    *height = sum;
    return true;
}

static int add_triangle(const double triangle[3][3], uint16_t material, const struct lines lines[2],
                        struct points *points, struct failure *failure)
{
    uint32_t from[2], end[2];
    const double *a = triangle[0], *b = triangle[1], *c = triangle[2];
    const bool level = fmax(a[2], fmax(b[2], c[2])) - fmin(a[2], fmin(b[2], c[2])) <= LEVEL;
    for (int axis = 0; axis < 2; axis++)
        lines_within(&lines[axis], fmin(a[axis], fmin(b[axis], c[axis])),
                     fmax(a[axis], fmax(b[axis], c[axis])), &from[axis], &end[axis]);
    for (uint32_t row = from[1]; row < end[1]; row++)
        for (uint32_t column = from[0]; column < end[0]; column++) {
            struct floor_point point = {.position = {lines[0].first + column * lines[0].spacing,
                                                     lines[1].first + row * lines[1].spacing, 0},
                                        .material = material,
                                        .level = level,
                                        .column = column,
                                        .row = row};
            if (!receiver_area_height(triangle, point.position[0], point.position[1], &point.position[2]))
                continue;
            point.face = point.position[2];
            TRY(add_point(points, &point, failure));
        }
    return 0;
}

static int compare_points(const void *a, const void *b)
{
    const struct floor_point *one = a, *other = b;
    if (one->row != other->row)
        return one->row < other->row ? -1 : 1;
    if (one->column != other->column)
        return one->column < other->column ? -1 : 1;
    if (one->position[2] != other->position[2])
        return one->position[2] < other->position[2] ? -1 : 1;
    return one->material - other->material;
}

double receiver_area_spacing_least(const struct receiver_area *area, double unit)
{
    const double spacing = 1.1 * sqrt(area->size / RECEIVER_AREA_POINTS_MAX);
    return unit > 0 ? unit * ceil(spacing / unit) : spacing;
}

int receiver_area_points(const struct receiver_area *area, double spacing, struct floor_point **out,
                         size_t *count, struct failure *failure)
{
    const struct lines lines[2] = {lines_of(area->low[0], area->high[0], spacing),
                                   lines_of(area->low[1], area->high[1], spacing)};
    if (!(area->size / (spacing * spacing) <= RECEIVER_AREA_POINTS_MAX && lines[0].count < UINT32_MAX &&
          lines[1].count < UINT32_MAX))
        return failure_set(
            failure, FAILURE_CAPACITY,
            "%.4g m2 at a spacing of %g m are about %.3g points; use a spacing of at least %.2g m",
            area->size, spacing, area->size / (spacing * spacing), receiver_area_spacing_least(area, 0));
    struct points points = {0};
    int code = 0;
    for (size_t t = 0; code == 0 && t < area->count; t++)
        code = add_triangle((const double(*)[3])area->triangle[t],
                            area->material != NULL ? area->material[t] : 0, lines, &points, failure);
    if (code != 0) {
        free(points.point);
        return code;
    }
    if (points.count > 0)
        qsort(points.point, points.count, sizeof *points.point, compare_points);
    size_t kept = 0;
    for (size_t i = 0; i < points.count; i++) {
        const struct floor_point *point = &points.point[i];
        const struct floor_point *last = &points.point[kept > 0 ? kept - 1 : 0];
        if (kept == 0 || point->row != last->row || point->column != last->column ||
            point->position[2] - last->position[2] > SAME_HEIGHT)
            points.point[kept++] = *point;
    }
    *out = points.point;
    *count = kept;
    return 0;
}
