/* Cutting polygons: exact area, one orientation, every side once, whatever the polygon. */
#include "geometry/base/polygon.h"
#include "geometry/base/vector.h"
#include "tests/support/outcome.h"

#define CORNERS_MAX 600

static double position[CORNERS_MAX][3];
static uint32_t triangle[CORNERS_MAX][3];

/* How often the triangles run along corner a -> b, minus b -> a. */
static int passes(size_t count, uint32_t a, uint32_t b)
{
    int sum = 0;
    for (size_t t = 0; t + 2 < count; ++t)
        for (int side = 0; side < 3; ++side) {
            const uint32_t from = triangle[t][side], to = triangle[t][(side + 1) % 3];
            sum += from == a && to == b ? 1 : from == b && to == a ? -1 : 0;
        }
    return sum;
}

/* The boundary of the triangles is the polygon, with its direction: nothing missing, nothing twice. */
static void assert_boundary(size_t count)
{
    for (uint32_t a = 0; a < count; ++a)
        for (uint32_t b = a + 1; b < count; ++b) {
            const int expected = b == a + 1 ? 1 : a == 0 && b == count - 1 ? -1 : 0;
            cr_assert(passes(count, a, b) == expected, "side %u %u: %d", a, b, passes(count, a, b));
        }
}

/* Signed area in the plane with unit normal n. */
static double signed_area(const uint32_t corner[3], const double n[3])
{
    double ab[3], ac[3], normal[3];
    vector_subtract(position[corner[1]], position[corner[0]], ab);
    vector_subtract(position[corner[2]], position[corner[0]], ac);
    vector_cross(ab, ac, normal);
    return 0.5 * vector_dot(n, normal);
}

/* Cut, then check that areas are all of one sign and sum to the polygon's own. */
static void assert_covers(size_t count, const double n[3], double expected, double tolerance)
{
    double sum = 0, absolute = 0;
    cr_assert(eq(int, polygon_triangulate((const double(*)[3])position, count, triangle, NULL), 0));
    for (size_t t = 0; t + 2 < count; ++t) {
        const double area = signed_area(triangle[t], n);
        sum += area;
        absolute += fabs(area);
    }
    cr_assert(test_near(sum, expected, tolerance), "%.17g, expected %.17g", sum, expected);
    cr_assert(test_near(absolute, fabs(expected), tolerance), "overlap: %.17g of %.17g", absolute, expected);
    assert_boundary(count);
}

static void place(const double (*flat)[2], size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        position[k][0] = flat[k][0];
        position[k][1] = flat[k][1];
        position[k][2] = 0;
    }
}

Test(polygon, an_l_is_cut_inside_from_every_corner_and_in_both_windings)
{
    static const double l[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 4}, {0, 4}};
    for (size_t first = 0; first < 6; ++first)
        for (int backwards = 0; backwards < 2; ++backwards) {
            double turned[6][2];
            for (size_t k = 0; k < 6; ++k)
                memcpy(turned[k], l[(backwards ? 6 - k : k + first) % 6], sizeof turned[k]);
            place((const double(*)[2])turned, 6);
            assert_covers(6, (const double[3]){0, 0, 1}, backwards ? -6 : 6, 1e-14);
        }
}

Test(polygon, a_concave_quad_is_split_at_its_inner_corner)
{
    static const double arrow[4][2] = {{0, 0}, {4, 2}, {0, 4}, {1, 2}};
    place(arrow, 4);
    assert_covers(4, (const double[3]){0, 0, 1}, 6, 1e-14);
}

Test(polygon, corners_along_straight_sides_all_stay_corners)
{
    /* A square with nine more corners on each side: a wall next to a row of windows. */
    size_t count = 0;
    for (int side = 0; side < 4; ++side)
        for (int k = 0; k < 10; ++k, ++count) {
            const double along = k / 10.0;
            position[count][0] = side == 0 ? along : side == 1 ? 1 : side == 2 ? 1 - along : 0;
            position[count][1] = side == 0 ? 0 : side == 1 ? along : side == 2 ? 1 : 1 - along;
            position[count][2] = 2;
        }
    assert_covers(count, (const double[3]){0, 0, 1}, 1, 1e-14);
}

Test(polygon, a_hole_reached_by_a_bridge_stays_a_hole)
{
    /* A 10 x 10 wall with a 2 x 2 window, cut open along the line from (0,0) to (4,4) and back. */
    static const double wall[10][2] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0},
                                       {4, 4}, {4, 6},  {6, 6},   {6, 4},  {4, 4}};
    place(wall, 10);
    assert_covers(10, (const double[3]){0, 0, 1}, 96, 1e-12);
}

Test(polygon, five_hundred_random_stars_in_random_planes_are_covered_exactly_once)
{
    uint64_t seed = 7;
    for (int room = 0; room < 500; ++room) {
        const size_t count = 3 + (size_t)(test_random(&seed) % 60);
        double u[3], v[3], n[3];
        do
            for (int axis = 0; axis < 3; ++axis) {
                n[axis] = test_uniform(&seed, -1, 1);
                u[axis] = test_uniform(&seed, -1, 1);
            }
        while (vector_dot(n, n) < 0.1);
        vector_along((const double[3]){0, 0, 0}, 1 / vector_length(n), n, n);
        vector_along(u, -vector_dot(n, u), n, u);
        vector_along((const double[3]){0, 0, 0}, 1 / vector_length(u), u, u);
        vector_cross(n, u, v);
        double expected = 0, previous[2] = {0, 0}, first[2] = {0, 0};
        for (size_t k = 0; k < count; ++k) {
            /* Rising angles and any radius: simple, and as concave as it gets. */
            const double angle = 2 * acos(-1) * ((double)k + test_uniform(&seed, 0, 0.9)) / (double)count;
            const double radius = test_uniform(&seed, 0.2, 10);
            const double flat[2] = {radius * cos(angle), radius * sin(angle)};
            for (int axis = 0; axis < 3; ++axis)
                position[k][axis] = 30 + flat[0] * u[axis] + flat[1] * v[axis];
            if (k == 0)
                memcpy(first, flat, sizeof first);
            else
                expected += 0.5 * (previous[0] * flat[1] - previous[1] * flat[0]);
            memcpy(previous, flat, sizeof previous);
        }
        expected += 0.5 * (previous[0] * first[1] - previous[1] * first[0]);
        assert_covers(count, n, expected, 1e-10);
    }
}

Test(polygon, a_comb_of_many_teeth_is_covered_exactly_once)
{
    const size_t teeth = 100;
    size_t count = 0;
    for (size_t tooth = 0; tooth < teeth; ++tooth) {
        const double flat[4][2] = {
            {(double)tooth, 1}, {(double)tooth, 20}, {tooth + 0.5, 20}, {tooth + 0.5, 1}};
        for (int k = 0; k < 4; ++k, ++count) {
            position[count][0] = flat[k][0];
            position[count][1] = 0;
            position[count][2] = flat[k][1];
        }
    }
    position[count][0] = position[count][1] = 0;
    position[count][0] = (double)teeth - 0.5;
    position[count++][2] = 0;
    position[count][0] = position[count][1] = position[count][2] = 0;
    ++count;
    /* Seen along +y the comb runs counter-clockwise: z to x. */
    assert_covers(count, (const double[3]){0, 1, 0}, (double)teeth * 0.5 * 19 + (double)teeth - 0.5, 1e-9);
}

Test(polygon, what_is_no_simple_polygon_comes_out_folded_and_never_open)
{
    static const double crossing[7][2] = {{0, 0}, {4, 4}, {4, 0}, {0, 4}, {2, 7}, {2, -3}, {-1, 2}};
    static const double line[5][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1.5, 0}};
    static const double point[6][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    const struct {
        const double (*flat)[2];
        size_t count;
    } shape[] = {{crossing, 7}, {line, 5}, {point, 6}};
    for (size_t s = 0; s < 3; ++s) {
        place(shape[s].flat, shape[s].count);
        cr_assert(
            eq(int, polygon_triangulate((const double(*)[3])position, shape[s].count, triangle, NULL), 0));
        assert_boundary(shape[s].count);
    }
    place(crossing, 7);
    position[3][0] = NAN;
    cr_assert(eq(int, polygon_triangulate((const double(*)[3])position, 7, triangle, NULL), 0));
    assert_boundary(7);
}

Test(polygon, too_many_corners_are_refused)
{
    const size_t count = POLYGON_CORNERS_MAX + 1;
    double(*many)[3] = calloc(count, sizeof many[0]);
    MUST_FAIL(polygon_triangulate((const double(*)[3])many, count, NULL, &failure), FAILURE_INPUT, "10001");
    free(many);
}
