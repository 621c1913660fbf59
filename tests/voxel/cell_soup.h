/** A voxel and the triangles that cut it, for the tests of geometry/cell. */
#ifndef TESTS_CELL_SOUP_H
#define TESTS_CELL_SOUP_H

#include "geometry/base/vector.h"
#include "geometry/cell/cell_parts.h"
#include "tests/support/outcome.h"

__extension__ typedef __int128 int128;

enum { SOUP_MAX = 1400 };
#define H          LATTICE_SUBSTEPS
#define CRACK_AREA (4 * CELL_CRACK) /* of cracks across the voxel, which count as closed */

static const int64_t origin[3] = {0, 0, 0};

static struct snapped_triangle soup[SOUP_MAX];
static uint32_t all[SOUP_MAX];
static uint64_t seed = 1;

static inline uint32_t below(uint32_t limit)
{
    return (uint32_t)(test_random(&seed) % limit);
}

/* An odd number within an odd limit. */
static inline int32_t odd(int32_t limit)
{
    return 2 * (int32_t)below((uint32_t)limit + 1) - limit;
}

static inline int32_t nearest_odd(double at)
{
    return 2 * (int32_t)floor(at / 2) + 1;
}

static inline void random_corners(struct snapped_triangle *triangle, int32_t limit)
{
    for (int i = 0; i < 9; i++)
        triangle->corner[i / 3][i % 3] = odd(limit);
}

static inline void cut_at(const int64_t node[3], size_t count, struct cell_parts *parts)
{
    for (uint32_t i = 0; i < count; i++)
        all[i] = i;
    MUST(cell_parts_cut(node, soup, all, count, parts, &failure));
}

static inline void cut(size_t count, struct cell_parts *parts)
{
    cut_at(origin, count, parts);
}

/* Unit normal of the snapped triangle, and its area in spacings. */
static inline double normal_and_area(const struct snapped_triangle *triangle, double normal[3])
{
    long double side[2][3], across[3], square = 0;
    for (int i = 0; i < 6; i++)
        side[i / 3][i % 3] = (long double)triangle->corner[i / 3 + 1][i % 3] - triangle->corner[0][i % 3];
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        across[axis] = side[0][u] * side[1][v] - side[0][v] * side[1][u];
        square += across[axis] * across[axis];
    }
    for (int axis = 0; axis < 3; axis++)
        normal[axis] = (double)(across[axis] / sqrtl(square));
    return (double)(sqrtl(square) / 2 / H / H);
}

static inline double polygon_area(const struct cell_parts *parts, const struct cell_polygon *polygon)
{
    double area = 0;
    for (uint32_t i = 0; i < polygon->corners; i++) {
        const double *a = parts->corner[polygon->first + i];
        const double *b = parts->corner[polygon->first + (i + 1) % polygon->corners];
        area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    return area;
}

/* Parts fill the voxel, and the boundary of each is closed: along every axis its faces and what it sees of
 * walls balance, and give its volume. Returns what is missing at most, which is what was closed though open.
 */
static inline double must_close(const struct cell_parts *parts, double tolerance)
{
    double worst = 0, volume = 0, face[DIRECTIONS] = {0};
    for (size_t p = 0; p < parts->parts; p++) {
        const struct cell_part *part = &parts->part[p];
        double polygons[DIRECTIONS] = {0};
        volume += part->volume;
        cr_assert(p == 0 || part->volume <= parts->part[p - 1].volume);
        for (uint32_t i = part->first_polygon; i < part->first_polygon + part->polygons; i++)
            polygons[parts->polygon[i].face] += polygon_area(parts, &parts->polygon[i]);
        for (int d = 0; d < DIRECTIONS; d++) {
            face[d] += part->face[d];
            cr_assert(test_near(part->face[d], polygons[d], 1e-12));
        }
        for (int axis = 0; axis < 3; axis++) {
            double flux = part->face[2 * axis + 1] - part->face[2 * axis];
            double inside = 0.5 * (part->face[2 * axis + 1] + part->face[2 * axis]);
            for (uint32_t i = part->first_patch; i < part->first_patch + part->patches; i++) {
                const struct cell_patch *patch = &parts->patch[i];
                double normal[3];
                (void)normal_and_area(&soup[patch->triangle], normal);
                cr_assert(test_near(patch->projected[axis], patch->area * fabs(normal[axis]), 1e-12));
                const bool outward = patch->back == (normal[axis] > 0);
                flux += outward ? patch->projected[axis] : -patch->projected[axis];
                inside += outward ? patch->moment[axis] : -patch->moment[axis];
            }
            cr_assert(test_near(flux, 0, tolerance), "part %zu of %zu: %g", p, parts->parts, flux);
            cr_assert(test_near(inside, part->volume, tolerance), "%g, not %g", inside, part->volume);
            worst = fmax(worst, fabs(flux));
        }
    }
    cr_assert(test_near(volume, 1, 1e-9), "%.12g", volume);
    for (int d = 0; d < DIRECTIONS; d++)
        cr_assert(test_near(face[d], 1, fmax(tolerance, 1e-9)), "%.12g", face[d]);
    return worst;
}

static inline const struct cell_part *centre_part(const struct cell_parts *parts)
{
    const struct cell_part *found = NULL;
    for (size_t p = 0; p < parts->parts; p++)
        if (parts->part[p].holds_centre) {
            cr_assert(found == NULL);
            found = &parts->part[p];
        }
    return found;
}

static inline void random_axes(double u[3], double v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = test_uniform(&seed, -1, 1);
        v[axis] = test_uniform(&seed, -1, 1);
    }
    vector_along(v, -vector_dot(u, v) / vector_dot(u, u), u, v);
    const double length[2] = {vector_length(u), vector_length(v)};
    for (int axis = 0; axis < 3; axis++) {
        u[axis] /= length[0];
        v[axis] /= length[1];
    }
}

#endif
