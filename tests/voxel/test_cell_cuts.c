/** Voxels cut by triangles: the parts against closed formulas, exact segment tests and clipping. */
#include "geometry/cell/cell_plane.h"
#include "tests/voxel/cell_soup.h"

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

Test(cell_cuts, a_plane_through_the_voxel_leaves_what_the_formula_says_however_large_its_triangle)
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

Test(cell_cuts, a_lone_triangle_makes_the_same_bits_as_the_partition)
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

Test(cell_cuts, a_voxel_that_triangles_pass_by_is_one_part_with_whole_faces)
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

Test(cell_cuts, parts_of_any_soup_fill_the_voxel_and_are_closed)
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

Test(cell_cuts, points_of_faces_that_see_each_other_are_in_one_part)
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

Test(cell_cuts, the_centre_is_in_the_part_that_it_sees_and_in_none_where_it_is_on_a_triangle)
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
Test(cell_cuts, sheets_that_all_but_coincide_part_the_voxel_together)
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

Test(cell_cuts, what_was_cut_before_changes_nothing)
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

/* ---- The quick test, and the limit ---- */

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

Test(cell_cuts, a_triangle_meets_the_voxel_where_clipping_leaves_something)
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

Test(cell_cuts, a_voxel_with_more_crossing_triangles_than_the_limit_is_still_filled)
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
