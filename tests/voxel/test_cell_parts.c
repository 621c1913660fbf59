/** Voxels cut by triangles: the parts against closed formulas, the divergence theorem and exact segment
 * tests. */
#include "geometry/base/vector.h"
#include "geometry/cell/cell_plane.h"
#include "tests/support/outcome.h"

__extension__ typedef __int128 int128;

enum { SOUP_MAX = 1400 };
#define H LATTICE_SUBSTEPS

static const int64_t origin[3] = {0, 0, 0};

static struct snapped_triangle soup[SOUP_MAX];
static uint32_t all[SOUP_MAX];
static uint64_t seed = 1;

static uint32_t below(uint32_t limit)
{
    return (uint32_t)(test_random(&seed) % limit);
}

/* An odd number within an odd limit. */
static int32_t odd(int32_t limit)
{
    return 2 * (int32_t)below((uint32_t)limit + 1) - limit;
}

static int32_t nearest_odd(double at)
{
    return 2 * (int32_t)floor(at / 2) + 1;
}

static void random_corners(struct snapped_triangle *triangle, int32_t limit)
{
    for (int i = 0; i < 9; i++)
        triangle->corner[i / 3][i % 3] = odd(limit);
}

static void cut_at(const int64_t node[3], size_t count, struct cell_parts *parts)
{
    for (uint32_t i = 0; i < count; i++)
        all[i] = i;
    MUST(cell_parts_cut(node, soup, all, count, parts, &failure));
}

static void cut(size_t count, struct cell_parts *parts)
{
    cut_at(origin, count, parts);
}

/* Unit normal of the snapped triangle, and its area in spacings. */
static double normal_and_area(const struct snapped_triangle *triangle, double normal[3])
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

static double polygon_area(const struct cell_parts *parts, const struct cell_polygon *polygon)
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
static double must_close(const struct cell_parts *parts, double tolerance)
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

static const struct cell_part *centre_part(const struct cell_parts *parts)
{
    const struct cell_part *found = NULL;
    for (size_t p = 0; p < parts->parts; p++)
        if (parts->part[p].holds_centre) {
            cr_assert(found == NULL);
            found = &parts->part[p];
        }
    return found;
}

/* ---- One plane, by the formula ---- */

/* What n.x < d cuts off the unit cube (3 dimensions) or square (2) at the origin, all n > 0, and in a cube
 * the section: both summed over corners that are cut off. */
static double cut_off(const double *n, int dimensions, double d, bool section)
{
    double sum = 0, product = 1;
    for (int k = 0; k < dimensions; k++)
        product *= n[k] * (section ? (k > 0 ? k : 1) : k + 1);
    for (int corner = 0; corner < 1 << dimensions; corner++) {
        double rest = d;
        for (int k = 0; k < dimensions; k++)
            rest -= corner >> k & 1 ? n[k] : 0;
        const double sign = __builtin_popcount((unsigned)corner) % 2 == 0 ? 1 : -1;
        sum += rest > 0 ? sign * pow(rest, dimensions - section) : 0;
    }
    return sum / product;
}

/* Two orthogonal unit vectors. */
static void random_axes(double u[3], double v[3])
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

/* A triangle about a point near the voxel that is larger than it by far, in voxels. */
static void random_sheet(struct snapped_triangle *triangle, const int64_t node[3], double size)
{
    double u[3], v[3], middle[3];
    random_axes(u, v);
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = test_uniform(&seed, -0.6, 0.6) + (double)node[axis];
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) {
            const double at = middle[axis] + size * (cos(i * 2 * acos(-1) / 3) * u[axis] +
                                                     sin(i * 2 * acos(-1) / 3) * v[axis]);
            triangle->corner[i][axis] = nearest_odd(at * H);
        }
}

/* Volume, faces and section of the half of the voxel below the plane normal.(x - node) = offset. */
struct half {
    double volume, face[DIRECTIONS], section;
};

static struct half half_below(const double normal[3], double offset)
{
    struct half half = {0};
    double n[3], d = offset;
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = fabs(normal[axis]); /* mirrored, so that corner -1/2 is the lowest */
        d += n[axis] / 2;
    }
    half.volume = cut_off(n, 3, d, false);
    half.section = cut_off(n, 3, d, true);
    for (int axis = 0; axis < 3; axis++) {
        const double others[2] = {n[(axis + 1) % 3], n[(axis + 2) % 3]};
        for (int end = 0; end < 2; end++)
            half.face[2 * axis + (normal[axis] > 0 ? end : 1 - end)] =
                cut_off(others, 2, d - end * n[axis], false);
    }
    return half;
}

Test(cell_parts, a_plane_through_the_voxel_leaves_what_the_formula_says_however_large_its_triangle)
{
    static const double sizes[] = {5, 300, 2e4, 5e5};
    struct cell_parts parts = {0};
    int through = 0;
    for (int trial = 0; trial < 10000; trial++) {
        const double size = sizes[trial % 4];
        const int64_t node[3] = {(int64_t)size + (int64_t)below(3), (int64_t)size, (int64_t)size + 5};
        double normal[3];
        random_sheet(&soup[0], node, size);
        (void)normal_and_area(&soup[0], normal);
        long double exact = 0;
        if (fabs(normal[0]) < 0.01 || fabs(normal[1]) < 0.01 || fabs(normal[2]) < 0.01)
            continue; /* the formula divides by them */
        int128 plane[3], offset = 0;
        for (int axis = 0; axis < 3; axis++) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            plane[axis] = (int128)((int64_t)soup[0].corner[1][u] - soup[0].corner[0][u]) *
                              ((int64_t)soup[0].corner[2][v] - soup[0].corner[0][v]) -
                          (int128)((int64_t)soup[0].corner[1][v] - soup[0].corner[0][v]) *
                              ((int64_t)soup[0].corner[2][u] - soup[0].corner[0][u]);
            exact += (long double)plane[axis] * (long double)plane[axis];
        }
        for (int axis = 0; axis < 3; axis++)
            offset += plane[axis] * (soup[0].corner[0][axis] - node[axis] * H);
        const double distance = (double)((long double)offset / sqrtl(exact) / H);
        const struct half half = half_below(normal, distance);
        cut_at(node, 1, &parts);
        (void)must_close(&parts, 1e-9);
        if (!(half.volume > 1e-6 && half.volume < 1 - 1e-6))
            continue;
        through++;
        cr_assert(eq(sz, parts.parts, 2));
        const size_t low = half.volume > 0.5 ? 0 : 1;
        for (size_t p = 0; p < 2; p++) {
            const struct cell_part *part = &parts.part[p];
            const struct cell_patch *patch = &parts.patch[part->first_patch];
            cr_assert(test_near(part->volume, p == low ? half.volume : 1 - half.volume, 1e-9));
            for (int d = 0; d < DIRECTIONS; d++)
                cr_assert(test_near(part->face[d], p == low ? half.face[d] : 1 - half.face[d], 1e-9));
            cr_assert(part->patches == 1 && patch->back == (p == low));
            cr_assert(test_near(patch->area, half.section, 1e-9), "%g %g", patch->area, half.section);
            cr_assert(part->holds_centre == ((offset > 0) == (p == low) && offset != 0));
        }
    }
    cr_assert(test_above(through, 5000));
    cell_parts_free(&parts);
}

static void must_be_same(const struct cell_parts *a, const struct cell_parts *b)
{
    cr_assert(a->parts == b->parts && a->patches == b->patches && a->polygons == b->polygons &&
              a->corners == b->corners);
    for (size_t i = 0; i < a->parts; i++) {
        const struct cell_part *one = &a->part[i], *other = &b->part[i];
        cr_assert(one->volume == other->volume && one->holds_centre == other->holds_centre &&
                  memcmp(one->face, other->face, sizeof one->face) == 0);
        cr_assert(one->first_patch == other->first_patch && one->patches == other->patches &&
                  one->first_polygon == other->first_polygon && one->polygons == other->polygons);
    }
    for (size_t i = 0; i < a->patches; i++) {
        const struct cell_patch *one = &a->patch[i], *other = &b->patch[i];
        cr_assert(one->triangle == other->triangle && one->back == other->back && one->area == other->area &&
                  memcmp(one->projected, other->projected, sizeof one->projected) == 0 &&
                  memcmp(one->moment, other->moment, sizeof one->moment) == 0);
    }
    for (size_t i = 0; i < a->polygons; i++)
        cr_assert(a->polygon[i].face == b->polygon[i].face && a->polygon[i].first == b->polygon[i].first &&
                  a->polygon[i].corners == b->polygon[i].corners);
    cr_assert(a->corners == 0 || memcmp(a->corner, b->corner, a->corners * sizeof *a->corner) == 0);
}

Test(cell_parts, a_lone_triangle_makes_the_same_bits_as_the_partition)
{
    struct cell_parts alone = {0}, partition = {0};
    int divided = 0;
    for (int trial = 0; trial < 15000; trial++) {
        static const int32_t sizes[] = {H, 9 * H, 400 * H};
        const int axis = trial % 5, level = (int32_t)below(H + 1) - H / 2;
        random_corners(&soup[0], sizes[below(3)]);
        for (int i = 0; i < 3 && axis < 3; i++) /* across an axis; now and then in a face of the voxel */
            soup[0].corner[i][axis] = below(20) == 0 ? H / 2 : level;
        bool done;
        MUST(cell_plane_cut(origin, &soup[0], 0, &alone, &done, &failure));
        if (!done)
            continue;
        divided++;
        cut(1, &partition);
        must_be_same(&alone, &partition);
    }
    cr_assert(test_above(divided, 1250));
    cell_parts_free(&alone);
    cell_parts_free(&partition);
}

Test(cell_parts, a_voxel_that_triangles_pass_by_is_one_part_with_whole_faces)
{
    struct cell_parts parts = {0};
    soup[0] = (struct snapped_triangle){.corner = {{601, -5001, 3}, {601, 5001, 5}, {603, 1, 5001}}};
    soup[1] = (struct snapped_triangle){.corner = {{1, 1, 1}, {3, 3, 3}, {101, 101, 101}}}; /* no area */
    for (size_t count = 0; count < 3; count++) {
        cut(count, &parts);
        cr_assert(parts.parts == 1 && parts.patches == 0 && parts.polygons == 6);
        cr_assert(test_near(parts.part[0].volume, 1, 1e-15));
        cr_assert(parts.part[0].holds_centre);
        for (int d = 0; d < DIRECTIONS; d++)
            cr_assert(eq(dbl, parts.part[0].face[d], 1));
    }
    cell_parts_free(&parts);
}

/* ---- Soups ---- */

/* Sign of the volume of a tetrahedron. Exact. */
static int side_of(const int64_t a[3], const int64_t b[3], const int64_t c[3], const int64_t d[3])
{
    int128 volume = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        volume +=
            (int128)(d[axis] - a[axis]) * ((b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]));
    }
    return (volume > 0) - (volume < 0);
}

static int side_of_plane(const struct snapped_triangle *triangle, const int64_t point[3])
{
    int64_t at[3][3];
    for (int i = 0; i < 9; i++)
        at[i / 3][i % 3] = triangle->corner[i / 3][i % 3];
    return side_of(at[0], at[1], at[2], point);
}

/* Does the closed segment from a to b meet the triangle? Exact. */
static bool segment_meets(const int64_t a[3], const int64_t b[3], const struct snapped_triangle *triangle)
{
    int64_t at[3][3];
    for (int i = 0; i < 9; i++)
        at[i / 3][i % 3] = triangle->corner[i / 3][i % 3];
    const int first = side_of_plane(triangle, a), second = side_of_plane(triangle, b);
    if (first == second)
        return first == 0; /* in the plane: said to meet, to be on the safe side */
    const int turn[3] = {side_of(a, b, at[0], at[1]), side_of(a, b, at[1], at[2]),
                         side_of(a, b, at[2], at[0])};
    return (turn[0] >= 0 && turn[1] >= 0 && turn[2] >= 0) || (turn[0] <= 0 && turn[1] <= 0 && turn[2] <= 0);
}

static bool free_segment(const int64_t a[3], const int64_t b[3], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (segment_meets(a, b, &soup[i]))
            return false;
    return true;
}

/* Nor are there triangles so near to it that the way is but a crack. */
static bool free_passage(const int64_t a[3], const int64_t b[3], size_t count)
{
    bool is_free = free_segment(a, b, count);
    for (int d = 0; d < DIRECTIONS && is_free; d++) {
        int64_t from[3] = {a[0], a[1], a[2]}, to[3] = {b[0], b[1], b[2]};
        from[d / 2] += d % 2 == 0 ? -6 : 6;
        to[d / 2] += d % 2 == 0 ? -6 : 6;
        is_free = free_segment(from, to, count);
    }
    return is_free;
}

/* A point in a face of the voxel, and its part: SIZE_MAX where it is within 1e-9 of a part's rim. */
static size_t random_face_point(const struct cell_parts *parts, int64_t at[3])
{
    const int face = (int)below(6), axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    at[axis] = face % 2 == 0 ? -H / 2 : H / 2;
    at[u] = (int64_t)below(H - 1) - H / 2 + 1;
    at[v] = (int64_t)below(H - 1) - H / 2 + 1;
    const double place[2] = {(double)at[u] / H, (double)at[v] / H};
    for (size_t p = 0; p < parts->parts; p++)
        for (uint32_t i = 0; i < parts->part[p].polygons; i++) {
            const struct cell_polygon *polygon = &parts->polygon[parts->part[p].first_polygon + i];
            bool inside = polygon->face == face;
            for (uint32_t k = 0; k < polygon->corners && inside; k++) {
                const double *a = parts->corner[polygon->first + k];
                const double *b = parts->corner[polygon->first + (k + 1) % polygon->corners];
                inside = (b[0] - a[0]) * (place[1] - a[1]) - (b[1] - a[1]) * (place[0] - a[0]) >
                         1e-9 * hypot(b[0] - a[0], b[1] - a[1]);
            }
            if (inside)
                return p;
        }
    return SIZE_MAX;
}

/* 1 to 12 triangles of one of several kinds. */
static size_t random_soup(void)
{
    const size_t count = 1 + below(12);
    const uint32_t kind = below(9);
    int32_t base[3], step[2][3];
    for (int axis = 0; axis < 3; axis++) {
        base[axis] = odd(401);
        step[0][axis] = 2 * ((int32_t)below(300) - 150);
        step[1][axis] = 2 * ((int32_t)below(300) - 150);
    }
    for (size_t t = 0; t < count; t++) {
        struct snapped_triangle *triangle = &soup[t];
        random_corners(triangle, kind == 0 ? 301 : kind == 1 ? 1201 : 20001);
        if (kind == 2) /* large, but near */
            for (int axis = 0; axis < 3; axis++)
                triangle->corner[0][axis] = odd(301);
        if (kind == 3) /* a sliver */
            for (int axis = 0; axis < 3; axis++) {
                triangle->corner[0][axis] = odd(701);
                triangle->corner[1][axis] = triangle->corner[0][axis] + 2 * (int32_t)below(3) - 2;
                triangle->corner[2][axis] = odd(701);
            }
        if (kind == 4) /* in two parallel planes */
            for (int i = 0; i < 3; i++) {
                const int32_t along[2] = {(int32_t)below(13) - 6, (int32_t)below(13) - 6};
                for (int axis = 0; axis < 3; axis++)
                    triangle->corner[i][axis] = base[axis] + along[0] * step[0][axis] +
                                                along[1] * step[1][axis] +
                                                (t % 3 == 0 && axis == 0 ? 200 : 0);
            }
        if (kind == 5 && t > 0) { /* a strip */
            memcpy(triangle->corner[0], soup[t - 1].corner[1], sizeof triangle->corner[0]);
            memcpy(triangle->corner[1], soup[t - 1].corner[2], sizeof triangle->corner[1]);
        }
        if (kind == 6) { /* a fan around an edge or a corner */
            memcpy(triangle->corner[0], base, sizeof base);
            for (int axis = 0; axis < 3 && t % 4 != 0; axis++)
                triangle->corner[1][axis] = base[axis] + 20 * step[0][axis];
        }
        if (kind == 7) { /* axis-parallel boards that end somewhere */
            const int axis = (int)below(3);
            for (int i = 0; i < 3; i++)
                triangle->corner[i][axis] = base[t % 3];
            for (int i = 0; i < 3; i++)
                for (int k = 1; k < 3; k++)
                    triangle->corner[i][(axis + k) % 3] = odd(below(2) == 0 ? 401 : 3001);
        }
        if (t > 0 && below(6) == 0) { /* a copy, as it is or turned over */
            const struct snapped_triangle *other = &soup[below((uint32_t)t)];
            const bool over = below(2) == 0;
            memcpy(triangle->corner[0], other->corner[0], sizeof triangle->corner[0]);
            memcpy(triangle->corner[1], other->corner[1 + over], sizeof triangle->corner[0]);
            memcpy(triangle->corner[2], other->corner[2 - over], sizeof triangle->corner[0]);
        }
    }
    return count;
}

/* Of cracks across the voxel, which count as closed. */
#define CRACK_AREA (4 * CELL_CRACK)

Test(cell_parts, parts_of_any_soup_fill_the_voxel_and_are_closed)
{
    struct cell_parts parts = {0};
    seed = 3;
    int closed = 0;
    for (int trial = 0; trial < 20000; trial++) {
        cut(random_soup(), &parts);
        closed += must_close(&parts, CRACK_AREA) < 1e-12;
    }
    /* The others have narrow openings and cracks that are closed, and crumbs near rims. */
    cr_assert(test_above(closed, 0.86 * 20000), "%d", closed);
    cell_parts_free(&parts);
}

Test(cell_parts, points_of_faces_that_see_each_other_are_in_one_part)
{
    struct cell_parts parts = {0};
    seed = 4;
    int seen = 0, hidden = 0;
    for (int trial = 0; trial < 15000; trial++) {
        const size_t count = random_soup();
        cut(count, &parts);
        for (int pair = 0; pair < 4; pair++) {
            int64_t a[3], b[3];
            const size_t from = random_face_point(&parts, a), to = random_face_point(&parts, b);
            if (from == SIZE_MAX || to == SIZE_MAX)
                continue;
            if (free_passage(a, b, count)) {
                cr_assert(eq(sz, from, to), "trial %d", trial);
                seen++;
            }
            hidden += from != to;
        }
    }
    cr_assert(test_above(seen, 10000) && test_above(hidden, 1000), "%d %d", seen, hidden);
    cell_parts_free(&parts);
}

/* Is the centre on the triangle? Exact: it is in its plane, and a line that crosses the plane there meets it.
 */
static bool holds_origin(const struct snapped_triangle *triangle)
{
    for (int axis = 0; axis < 3; axis++) {
        int64_t low[3] = {0}, high[3] = {0};
        low[axis] = -1;
        high[axis] = 1;
        const int first = side_of_plane(triangle, low), second = side_of_plane(triangle, high);
        if (first != second)
            return side_of_plane(triangle, origin) == 0 && segment_meets(low, high, triangle);
    }
    return false;
}

/* Triangles in planes through the centre, some of which hold it and some not. */
static size_t soup_about_centre(void)
{
    const size_t count = 1 + below(5);
    for (size_t t = 0; t < count; t++) {
        int32_t u[3], v[3];
        for (int axis = 0; axis < 3; axis++) {
            u[axis] = odd(101);
            v[axis] = 2 * ((int32_t)below(100) - 50);
        }
        for (int i = 0; i < 3; i++) {
            const int32_t along[2] = {odd(15), (int32_t)below(31) - 15};
            for (int axis = 0; axis < 3; axis++)
                soup[t].corner[i][axis] = along[0] * u[axis] + along[1] * v[axis];
        }
        if (below(3) == 0) /* beside the plane by a hair */
            soup[t].corner[below(3)][below(3)] += 2 * (int32_t)below(2) - 2;
    }
    return count;
}

Test(cell_parts, the_centre_is_in_the_part_that_it_sees_and_in_none_where_it_is_on_a_triangle)
{
    struct cell_parts parts = {0};
    seed = 5;
    int on = 0, seen = 0;
    for (int trial = 0; trial < 15000; trial++) {
        const size_t count = trial % 3 == 0 ? random_soup() : soup_about_centre();
        bool on_triangle = false;
        for (size_t t = 0; t < count; t++)
            on_triangle = on_triangle || holds_origin(&soup[t]);
        cut(count, &parts);
        const struct cell_part *part = centre_part(&parts);
        cr_assert(eq(int, part == NULL, on_triangle), "trial %d", trial);
        on += on_triangle;
        for (int i = 0; i < 4; i++) {
            int64_t at[3];
            const size_t of = random_face_point(&parts, at);
            if (of == SIZE_MAX || !free_segment(at, origin, count))
                continue;
            seen++;
            cr_assert(part == &parts.part[of], "trial %d", trial);
        }
    }
    cr_assert(test_above(on, 500) && test_above(seen, 5000), "%d %d", on, seen);
    cell_parts_free(&parts);
}

/* ---- What a user draws ---- */

/* A rectangle across `axis` at `at`, sub-steps, front upwards. */
static size_t add_sheet(size_t count, int axis, int32_t at, const int32_t low[2], const int32_t high[2])
{
    const int32_t corner[4][2] = {{low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++) {
            const int k = i == 0 ? 0 : i + t;
            soup[count + (size_t)t].corner[i][axis] = at;
            soup[count + (size_t)t].corner[i][(axis + 1) % 3] = corner[k][0];
            soup[count + (size_t)t].corner[i][(axis + 2) % 3] = corner[k][1];
        }
    return count + 2;
}

static const int32_t far_low[2] = {-3001, -2001}, far_high[2] = {1801, 3001};

Test(cell_parts, sheets_that_cross_leave_the_products_of_their_distances)
{
    static const int32_t at[3] = {-101, 203, 11};
    struct cell_parts parts = {0};
    for (int sheets = 1; sheets <= 3; sheets++) {
        size_t count = 0;
        for (int axis = 0; axis < sheets; axis++)
            count = add_sheet(count, axis, at[axis], far_low, far_high);
        cut(count, &parts);
        (void)must_close(&parts, 1e-12);
        cr_assert(eq(sz, parts.parts, (size_t)1 << sheets));
        double product = 1;
        for (int axis = 0; axis < sheets; axis++)
            product *= 0.5 + fabs((double)at[axis] / H);
        cr_assert(test_near(parts.part[0].volume, product, 1e-12));
    }
    cell_parts_free(&parts);
}

Test(cell_parts, a_sheet_that_ends_in_the_voxel_is_seen_twice_by_one_part)
{
    struct cell_parts parts = {0};
    const size_t count =
        add_sheet(0, 0, 101, (const int32_t[2]){-3001, -3001}, (const int32_t[2]){205, 3001});
    cut(count, &parts);
    (void)must_close(&parts, 1e-12);
    cr_assert(parts.parts == 1 && parts.part[0].holds_centre);
    double area[2] = {0, 0}, moment[2] = {0, 0};
    for (size_t i = 0; i < parts.patches; i++) {
        area[parts.patch[i].back] += parts.patch[i].area;
        moment[parts.patch[i].back] += parts.patch[i].moment[0];
    }
    for (int side = 0; side < 2; side++) {
        cr_assert(test_near(area[side], 0.5 + 205.0 / H, 1e-12));
        cr_assert(test_near(moment[side], 101.0 / H * (0.5 + 205.0 / H), 1e-12));
    }
    cell_parts_free(&parts);
}

Test(cell_parts, a_sheet_with_a_hole_parts_nothing_until_the_hole_is_a_speck)
{
    struct cell_parts parts = {0};
    static const int32_t width[3] = {6, 100, 0};
    for (int i = 0; i < 3; i++) {
        const int32_t low = -57, high = low + width[i];
        size_t count = add_sheet(0, 2, 7, far_low, (const int32_t[2]){low, 3001});
        count = add_sheet(count, 2, 7, (const int32_t[2]){high, -2001}, far_high);
        count = add_sheet(count, 2, 7, (const int32_t[2]){low, -2001}, (const int32_t[2]){high, 33});
        count =
            add_sheet(count, 2, 7, (const int32_t[2]){low, 33 + width[i]}, (const int32_t[2]){high, 3001});
        cut(count, &parts);
        (void)must_close(&parts, 1e-9);
        double area = 0;
        for (size_t k = 0; k < parts.patches; k++)
            area += parts.patch[k].area;
        cr_assert(eq(sz, parts.parts, width[i] > 0 ? 1 : 2));
        cr_assert(test_near(area, 2 - 2 * pow((double)width[i] / H, 2), 1e-12));
    }
    cell_parts_free(&parts);
}

Test(cell_parts, an_opening_of_less_than_the_least_is_closed)
{
    struct cell_parts parts = {0};
    /* A right-angled hole of half a sub-step squared; with legs of 32 sub-steps it is larger than the
     * least, and no crack. */
    for (int legs = 1; legs <= 32; legs += 31) {
        size_t count = add_sheet(0, 2, 7, far_low, (const int32_t[2]){1, 3001});
        count = add_sheet(count, 2, 7, (const int32_t[2]){1, -2001}, (const int32_t[2]){1801, 1});
        soup[count++] =
            (struct snapped_triangle){.corner = {{1 + legs, 1, 7}, {3001, 1, 7}, {3001, 3001, 7}}};
        soup[count++] =
            (struct snapped_triangle){.corner = {{1 + legs, 1, 7}, {3001, 3001, 7}, {1, 1 + legs, 7}}};
        soup[count++] =
            (struct snapped_triangle){.corner = {{1, 1 + legs, 7}, {3001, 3001, 7}, {1, 3001, 7}}};
        soup[count++] =
            (struct snapped_triangle){.corner = {{101, 101, 51}, {201, 201, 51}, {151, 151, 151}}};
        cut(count, &parts);
        (void)must_close(&parts, 2e-6);
        cr_assert(eq(sz, parts.parts, legs == 1 ? 2 : 1));
    }
    cell_parts_free(&parts);
}

Test(cell_parts, a_wall_that_ends_a_step_before_another_parts_what_it_parted_before_snapping)
{
    struct cell_parts parts = {0};
    static const int32_t gaps[] = {0, 1, 4, 8, 32};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        const int32_t gap = gaps[i];
        size_t count = add_sheet(0, 2, 7, far_low, far_high);
        count = add_sheet(count, 0, 33, (const int32_t[2]){-2001, 7 + gap}, (const int32_t[2]){3001, 3001});
        cut(count, &parts);
        cr_assert(eq(sz, parts.parts, gap < 8 ? 3 : 2), "%d", gap);
    }
    cell_parts_free(&parts);
}

/* Two triangles of a rectangle about `middle`, snapped: 2 sides of length `size` each way along u, from `low`
 * to `size` along v. */
static void tilted_sheet(size_t at, const double middle[3], const double u[3], const double v[3], double low,
                         double size)
{
    static const int corner[2][3] = {{0, 1, 2}, {0, 2, 3}};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++) {
                const int k = corner[t][i];
                soup[at + (size_t)t].corner[i][axis] =
                    nearest_odd(H * (middle[axis] + (k == 1 || k == 2 ? size : -size) * u[axis] +
                                     (k >= 2 ? size : low) * v[axis]));
            }
}

/* A sheet ends on the face of another one at an angle of at least 15 degrees. */
Test(cell_parts, a_sheet_whose_rim_lies_on_the_face_of_another_has_two_sides_in_every_pose)
{
    struct cell_parts parts = {0};
    seed = 13;
    int met = 0;
    for (int trial = 0; trial < 3000; trial++) {
        double u[3], v[3], normal[3], up[3], middle[3], side[2] = {0, 0};
        random_axes(u, v);
        vector_cross(u, v, normal);
        const double angle = test_uniform(&seed, 0.26, 2.88);
        for (int axis = 0; axis < 3; axis++) {
            middle[axis] = test_uniform(&seed, -0.4, 0.4);
            up[axis] = cos(angle) * v[axis] + sin(angle) * normal[axis];
        }
        tilted_sheet(0, middle, u, v, -7, test_uniform(&seed, 2, 9));
        tilted_sheet(2, middle, u, up, 0, test_uniform(&seed, 1.5, 6));
        cut(4, &parts);
        for (size_t p = 0; p < parts.parts; p++) {
            double seen[2] = {0, 0};
            for (uint32_t i = 0; i < parts.part[p].patches; i++) {
                const struct cell_patch *patch = &parts.patch[parts.part[p].first_patch + i];
                if (patch->triangle >= 2)
                    seen[patch->back] += patch->area;
            }
            side[0] += seen[0];
            side[1] += seen[1];
            cr_assert(fmin(seen[0], seen[1]) < CRACK_AREA, "trial %d: %g %g", trial, seen[0], seen[1]);
        }
        met += side[0] > 0.2 && side[1] > 0.2;
    }
    cr_assert(test_above(met, 2000), "%d", met);
    cell_parts_free(&parts);
}

Test(cell_parts, boards_that_touch_nothing_part_nothing_and_are_seen_from_both_sides)
{
    struct cell_parts parts = {0};
    seed = 12;
    for (int trial = 0; trial < 10000; trial++) {
        double area = 0, seen = 0;
        for (int t = 0; t < 8; t++) { /* one in each eighth of the voxel */
            random_corners(&soup[t], 201);
            for (int i = 0; i < 9; i++)
                soup[t].corner[i / 3][i % 3] += t >> i % 3 & 1 ? 206 : -206;
            double normal[3];
            area += normal_and_area(&soup[t], normal);
        }
        cut(8, &parts);
        (void)must_close(&parts, 1e-12);
        cr_assert(parts.parts == 1, "trial %d: %zu", trial, parts.parts);
        for (size_t i = 0; i < parts.patches; i++)
            seen += parts.patch[i].area;
        cr_assert(test_near(seen, 2 * area, 1e-12));
    }
    cell_parts_free(&parts);
}

Test(cell_parts, of_two_triangles_in_one_place_a_side_sees_the_front_then_the_lower_index)
{
    static const struct snapped_triangle sheet = {
        .corner = {{-9001, -9001, 101}, {9001, -9001, 101}, {1, 9001, 101}}};
    const struct snapped_triangle turned = {
        .corner = {{-9001, -9001, 101}, {1, 9001, 101}, {9001, -9001, 101}}};
    struct cell_parts parts = {0};
    for (int first = 0; first < 2; first++)
        for (int second = 0; second < 2; second++) {
            soup[0] = first == 0 ? sheet : turned; /* sheet: front up */
            soup[1] = second == 0 ? sheet : turned;
            cut(2, &parts);
            cr_assert(parts.parts == 2 && parts.patches == 2);
            for (size_t p = 0; p < 2; p++) { /* the larger part is below */
                const struct cell_patch *patch = &parts.patch[parts.part[p].first_patch];
                const int shows_front = p == 1 ? 0 : 1;
                const uint32_t expected = first == shows_front ? 0 : second == shows_front ? 1 : 0;
                cr_assert(eq(u32, patch->triangle, expected));
                cr_assert(patch->back == ((expected == 0 ? first : second) != shows_front));
                cr_assert(test_near(patch->area, 1, 1e-12));
            }
        }
    cell_parts_free(&parts);
}

/* Six times the volume that closed triangles hold, in sub-steps. */
static double volume_of(size_t count)
{
    int128 sum = 0;
    for (size_t t = 0; t < count; t++) {
        const int32_t(*at)[3] = (const int32_t(*)[3])soup[t].corner;
        for (int axis = 0; axis < 3; axis++) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            sum += (int128)at[0][axis] * ((int64_t)at[1][u] * at[2][v] - (int64_t)at[1][v] * at[2][u]);
        }
    }
    return (double)sum / 6 / pow(H, 3);
}

Test(cell_parts, a_tetrahedron_in_the_voxel_is_a_part_with_its_volume)
{
    static const int side[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    struct cell_parts parts = {0};
    seed = 6;
    for (int trial = 0; trial < 5000; trial++) {
        int32_t corner[4][3];
        for (int i = 0; i < 12; i++)
            corner[i / 3][i % 3] = odd(trial % 2 == 0 ? 501 : 41);
        for (int s = 0; s < 4; s++)
            for (int i = 0; i < 3; i++)
                memcpy(soup[s].corner[i], corner[side[s][i]], sizeof corner[0]);
        const double volume = fabs(volume_of(4));
        if (volume < 1e-8)
            continue;
        cut(4, &parts);
        (void)must_close(&parts, 1e-9);
        cr_assert(eq(sz, parts.parts, 2), "trial %d, volume %g", trial, volume);
        cr_assert(test_near(parts.part[volume > 0.5 ? 0 : 1].volume, volume, 1e-12));
    }
    cell_parts_free(&parts);
}

/* A slope y / x beside that of `of`: of[0] y - x of[1] is +-1 where of has no common factor. By Euclid. */
static void neighbour(const int64_t of[2], int64_t out[2])
{
    int64_t rest[2] = {of[0], of[1]}, row[2][2] = {{1, 0}, {0, 1}};
    while (rest[1] != 0) {
        const int64_t times = rest[0] / rest[1], next = rest[0] - times * rest[1];
        const int64_t last[2] = {row[0][0] - times * row[1][0], row[0][1] - times * row[1][1]};
        rest[0] = rest[1];
        rest[1] = next;
        memcpy(row[0], row[1], sizeof last);
        memcpy(row[1], last, sizeof last);
    }
    out[0] = row[0][1] < 0 ? -row[0][1] : row[0][1];
    out[1] = row[0][1] < 0 ? row[0][0] : -row[0][0];
    if (out[0] == 0) {
        out[0] = of[0];
        out[1] = of[1] + 1;
    }
}

/* Two sheets cross in the voxel at angles of 5e-9 down to 1e-17; neither covers it, both do. */
Test(cell_parts, sheets_that_all_but_coincide_part_the_voxel_together)
{
    struct cell_parts parts = {0};
    seed = 10;
    int seen = 0;
    for (int trial = 0; trial < 10000; trial++) {
        const int64_t size = INT64_C(1) << (8 + below(20));
        const int32_t at[3] = {odd(301), odd(101), odd(101)}, over = 2 * (int32_t)below(100);
        int64_t direction[2][2];
        if (trial % 2 == 0) {
            direction[0][0] = size + 1 + 2 * (int64_t)below(40);
            direction[0][1] = size / 2 - (int64_t)(test_random(&seed) % (uint64_t)size);
            neighbour(direction[0], direction[1]);
        } else { /* one just above the line through the centre, one just below */
            const int64_t through[2] = {abs(at[0]), at[0] < 0 ? -at[2] : at[2]};
            int64_t beside[2];
            neighbour(through, beside);
            for (int axis = 0; axis < 2; axis++) {
                direction[0][axis] = size / through[0] * through[axis] + beside[axis];
                direction[1][axis] = size / through[0] * through[axis] - beside[axis];
            }
            if (abs(at[0]) < 2 * abs(at[2]) || direction[1][0] <= 0)
                continue;
        }
        const double apart = (double)(direction[0][0] * direction[1][1] - direction[0][1] * direction[1][0]);
        const double angle = fabs(apart) / ((double)direction[0][0] * (double)direction[1][0]);
        if (angle > 5e-9)
            continue;
        for (int t = 0; t < 2; t++) {
            const int64_t times = 1 + 20000 / direction[t][0], side = t == 0 ? 1 : -1;
            const int32_t x = (int32_t)(2 * times * direction[t][0]),
                          z = (int32_t)(2 * times * direction[t][1]);
            static const int32_t along[3] = {1, -1, -1}, across[3] = {-1, 1, -1};
            for (int i = 0; i < 3; i++) {
                soup[t].corner[i][0] = at[0] + (int32_t)side * along[i] * x;
                soup[t].corner[i][1] = at[1] + (int32_t)side * (across[i] * x + over);
                soup[t].corner[i][2] = at[2] + (int32_t)side * along[i] * z;
            }
        }
        cut(2, &parts);
        cr_assert(test_near(parts.part[0].volume + parts.part[1].volume, 1, 1e-6));
        cr_assert(test_above(parts.part[1].volume, 0.1), "trial %d, angle %g: %g", trial, angle,
                  parts.part[1].volume);
        const struct cell_part *part = centre_part(&parts);
        if (abs(abs(at[0] + at[1]) - over) <= 2)
            continue; /* a rim passes the centre, which may be between the sheets there */
        for (int i = 0; i < 4; i++) {
            int64_t point[3];
            const size_t of = random_face_point(&parts, point);
            if (of == SIZE_MAX || !free_segment(point, origin, 2))
                continue;
            cr_assert(part == &parts.part[of], "trial %d, angle %g", trial, angle);
            seen++;
        }
    }
    cr_assert(test_above(seen, 2500));
    cell_parts_free(&parts);
}

Test(cell_parts, what_was_cut_before_changes_nothing)
{
    struct cell_parts parts = {0};
    seed = 11;
    for (int trial = 0; trial < 2000; trial++) {
        struct cell_parts fresh = {0};
        const size_t count = random_soup();
        cut(count, &parts);
        cut(count, &fresh);
        must_be_same(&parts, &fresh);
        cell_parts_free(&fresh);
    }
    cell_parts_free(&parts);
}

/* ---- Closed surfaces over many voxels ---- */

static void octant(size_t *count, double corner[3][3], int level, const double middle[3], double radius)
{
    if (level == 0) {
        for (int i = 0; i < 3; i++) {
            double length = 0;
            for (int axis = 0; axis < 3; axis++)
                length += corner[i][axis] * corner[i][axis];
            for (int axis = 0; axis < 3; axis++)
                soup[*count].corner[i][axis] =
                    nearest_odd(H * (middle[axis] + radius * corner[i][axis] / sqrt(length)));
        }
        (*count)++;
        return;
    }
    double half[3][3], next[4][3][3];
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            half[i][axis] = 0.5 * (corner[i][axis] + corner[(i + 1) % 3][axis]);
    for (int i = 0; i < 3; i++) {
        memcpy(next[i][0], corner[i], sizeof corner[i]);
        memcpy(next[i][1], half[i], sizeof half[i]);
        memcpy(next[i][2], half[(i + 2) % 3], sizeof half[i]);
    }
    memcpy(next[3], half, sizeof half);
    for (int i = 0; i < 4; i++)
        octant(count, next[i], level - 1, middle, radius);
}

/* 8 x 4^level triangles. */
static size_t ball(int level, const double middle[3], double radius)
{
    size_t count = 0;
    for (int o = 0; o < 8; o++) {
        double corner[3][3] = {{0}};
        const int mirrored = (o & 1) ^ (o >> 1 & 1) ^ (o >> 2);
        for (int i = 0; i < 3; i++)
            corner[mirrored ? 2 - i : i][i] = o >> i & 1 ? -1 : 1;
        octant(&count, corner, level, middle, radius);
    }
    return count;
}

enum { SPAN = 4, VOXELS = SPAN * SPAN * SPAN, PARTS_MAX = 64 };

static size_t find(size_t *group, size_t at)
{
    while (group[at] != at)
        at = group[at];
    return at;
}

/* Cut SPAN^3 voxels, check every face between two of them, and sum volumes of what is joined. */
static size_t joined_volumes(size_t count, double volume[2])
{
    static struct cell_parts parts[VOXELS];
    static size_t group[VOXELS * PARTS_MAX];
    size_t found = 0;
    memset(parts, 0, sizeof parts);
    for (size_t n = 0; n < VOXELS; n++) {
        cut_at((const int64_t[3]){(int64_t)n % SPAN, (int64_t)n / SPAN % SPAN, (int64_t)n / (SPAN * SPAN)},
               count, &parts[n]);
        cr_assert(parts[n].parts <= PARTS_MAX);
        for (size_t p = 0; p < PARTS_MAX; p++)
            group[n * PARTS_MAX + p] = n * PARTS_MAX + p;
    }
    for (size_t n = 0; n < VOXELS; n++)
        for (int axis = 0; axis < 3; axis++) {
            static const size_t stride[3] = {1, SPAN, SPAN * SPAN};
            if (n / stride[axis] % SPAN == SPAN - 1)
                continue;
            const size_t next = n + stride[axis];
            const enum direction up = (enum direction)(2 * axis + 1);
            double sum = 0;
            for (size_t a = 0; a < parts[n].parts; a++)
                for (size_t b = 0; b < parts[next].parts; b++) {
                    const double open = cell_opening(&parts[n], a, up, &parts[next], b);
                    cr_assert(
                        eq(dbl, open, cell_opening(&parts[next], b, (enum direction)(up ^ 1), &parts[n], a)));
                    cr_assert(test_at_least(open, 0));
                    sum += open;
                    if (open >= CELL_OPENING_LEAST)
                        group[find(group, n * PARTS_MAX + a)] = find(group, next * PARTS_MAX + b);
                }
            cr_assert(test_near(sum, 1, 1e-9), "%.15g", sum);
        }
    size_t root[2] = {SIZE_MAX, SIZE_MAX};
    volume[0] = volume[1] = 0;
    for (size_t n = 0; n < VOXELS; n++)
        for (size_t p = 0; p < parts[n].parts; p++) {
            const size_t of = find(group, n * PARTS_MAX + p);
            const size_t slot = of == root[0] ? 0 : of == root[1] ? 1 : found++;
            if (slot < 2) {
                root[slot] = of;
                volume[slot] += parts[n].part[p].volume;
            }
        }
    for (size_t n = 0; n < VOXELS; n++)
        cell_parts_free(&parts[n]);
    return found;
}

Test(cell_parts, a_closed_surface_over_many_voxels_holds_its_volume_and_leaks_nowhere)
{
    seed = 7;
    for (int trial = 0; trial < 60; trial++) {
        double middle[3], volume[2];
        for (int axis = 0; axis < 3; axis++)
            middle[axis] = test_uniform(&seed, 1.3, 1.7);
        const size_t count = ball(trial % 4, middle, test_uniform(&seed, 0.3, 1.7));
        const double exact = volume_of(count);
        cr_assert(eq(sz, joined_volumes(count, volume), 2), "trial %d", trial);
        cr_assert(test_near(volume[1], exact, 1e-9), "%g, not %g", volume[1], exact);
        cr_assert(test_near(volume[0] + volume[1], VOXELS, 1e-9));
    }
}

/* ---- Two-dimensional pieces, and the quick test ---- */

Test(cell_parts, parts_of_neighbours_meet_in_the_products_of_their_widths)
{
    struct cell_parts parts[2] = {0};
    /* The lower voxel is parted across y, the upper one across z. */
    (void)add_sheet(0, 1, 101, (const int32_t[2]){-9001, -9001}, (const int32_t[2]){9001, 9001});
    cut(2, &parts[0]);
    (void)add_sheet(0, 2, -203, (const int32_t[2]){-9001, -9001}, (const int32_t[2]){9001, 9001});
    cut_at((const int64_t[3]){1, 0, 0}, 2, &parts[1]);
    for (size_t a = 0; a < 2; a++)
        for (size_t b = 0; b < 2; b++)
            cr_assert(test_near(cell_opening(&parts[0], a, DIRECTION_XP, &parts[1], b),
                                (0.5 + (a == 0 ? 101.0 : -101.0) / H) * (0.5 + (b == 0 ? 203.0 : -203.0) / H),
                                1e-12));
    cell_parts_free(&parts[0]);
    cell_parts_free(&parts[1]);
}

/* Is there anything of the triangle in the cube of this half side? */
static bool clipped(const struct snapped_triangle *triangle, const int64_t node[3], long double half)
{
    long double at[2][16][3];
    int count = 3, now = 0;
    for (int i = 0; i < 9; i++)
        at[0][i / 3][i % 3] = (long double)triangle->corner[i / 3][i % 3] / H - (long double)node[i % 3];
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2;
        const long double sign = face % 2 == 0 ? -1 : 1;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            const long double *a = at[now][i], *b = at[now][(i + 1) % count];
            const long double in_a = half - sign * a[axis], in_b = half - sign * b[axis];
            if (in_a >= 0)
                memcpy(at[1 - now][kept++], a, sizeof at[0][0]);
            if ((in_a < 0) != (in_b < 0)) {
                for (int k = 0; k < 3; k++)
                    at[1 - now][kept][k] = a[k] + in_a / (in_a - in_b) * (b[k] - a[k]);
                kept++;
            }
        }
        count = kept;
        now = 1 - now;
    }
    return count > 0;
}

Test(cell_parts, a_triangle_meets_the_voxel_where_clipping_leaves_something)
{
    seed = 8;
    int met = 0;
    for (int trial = 0; trial < 50000; trial++) {
        const int64_t node[3] = {3, 4, 5};
        random_corners(&soup[0], trial % 2 == 0 ? 1101 : 9001);
        for (int i = 0; i < 9; i++)
            soup[0].corner[i / 3][i % 3] += (int32_t)node[i % 3] * H;
        const bool meets = cell_meets(node, &soup[0]);
        met += meets;
        cr_assert(meets || !clipped(&soup[0], node, 0.5L - 1e-9L), "trial %d", trial);
        cr_assert(clipped(&soup[0], node, 0.5L + 1e-9L) || !meets, "trial %d", trial);
    }
    cr_assert(met > 5000 && met < 45000);
}

Test(cell_parts, a_voxel_with_more_crossing_triangles_than_the_limit_is_still_filled)
{
    struct cell_parts parts = {0};
    seed = 9;
    for (int t = 0; t < 400; t++)
        random_sheet(&soup[t], origin, 6);
    cut(400, &parts);
    double volume = 0;
    for (size_t p = 0; p < parts.parts; p++)
        volume += parts.part[p].volume;
    cr_assert(test_near(volume, 1, 1e-9));
    cell_parts_free(&parts);
}
