/* Which triangles pass through each other: the exact answer against rationals, touching, tolerance, lists. */
#include "geometry/mesh/triangle_pair.h"
#include "geometry/voxel/intersections.h"
#include "tests/support/outcome.h"
#include "tests/support/solid_mesh.h"

__extension__ typedef __int128 int128;

struct rational {
    int128 over, under; /* under > 0 */
};

static int compare(struct rational a, struct rational b)
{
    const int128 left = a.over * b.under, right = b.over * a.under;
    return (left > right) - (left < right);
}

static void cross(const int64_t a[3], const int64_t b[3], int64_t out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = a[(axis + 1) % 3] * b[(axis + 2) % 3] - a[(axis + 2) % 3] * b[(axis + 1) % 3];
}

static int64_t dot(const int64_t a[3], const int64_t b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normal_of(const int64_t t[3][3], int64_t normal[3])
{
    int64_t u[3], v[3];
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = t[1][axis] - t[0][axis];
        v[axis] = t[2][axis] - t[0][axis];
    }
    cross(u, v, normal);
}

/* Range of along.P over the points P that the triangle has in the plane normal.P = offset; false for none.
 * `*through`: it has corners on both sides. */
static bool range_in_plane(const int64_t t[3][3], const int64_t normal[3], int64_t offset,
                           const int64_t along[3], struct rational *low, struct rational *high, bool *through)
{
    bool any = false, above = false, below = false;
    for (int i = 0; i < 3; i++) {
        const int64_t *a = t[i], *b = t[(i + 1) % 3];
        const int64_t ha = dot(normal, a) - offset, hb = dot(normal, b) - offset;
        above = above || ha > 0;
        below = below || ha < 0;
        struct rational at;
        if (ha == 0)
            at = (struct rational){dot(along, a), 1};
        else if ((ha > 0 && hb < 0) || (ha < 0 && hb > 0)) {
            const int128 under = (int128)ha - hb;
            at = (struct rational){(int128)ha * dot(along, b) - (int128)hb * dot(along, a), under};
            if (under < 0)
                at = (struct rational){-at.over, -under};
        } else
            continue;
        if (!any || compare(at, *low) < 0)
            *low = at;
        if (!any || compare(at, *high) > 0)
            *high = at;
        any = true;
    }
    *through = above && below;
    return any;
}

static int64_t turn(const int64_t a[2], const int64_t b[2], const int64_t c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Do two triangles of a plane, as seen along an axis, have an area in common? What they have in common is the
 * hull of corners of one in the other and of crossings of sides: an area when not all of these are on a line.
 */
static bool share_area(const int64_t a[3][2], const int64_t b[3][2])
{
    struct rational point[32][2];
    int count = 0;
    for (int which = 0; which < 2; which++) {
        const int64_t(*in)[2] = which ? a : b, (*of)[2] = which ? b : a;
        for (int i = 0; i < 3; i++) {
            int left = 0, right = 0;
            for (int k = 0; k < 3; k++) {
                const int64_t side = turn(in[k], in[(k + 1) % 3], of[i]);
                left += side > 0;
                right += side < 0;
            }
            if (left == 0 || right == 0) {
                point[count][0] = (struct rational){of[i][0], 1};
                point[count++][1] = (struct rational){of[i][1], 1};
            }
        }
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int64_t *p = a[i], *q = a[(i + 1) % 3], *r = b[k], *s = b[(k + 1) % 3];
            const int64_t hp = turn(r, s, p), hq = turn(r, s, q), hr = turn(p, q, r), hs = turn(p, q, s);
            if (hp == hq || (hp > 0) == (hq > 0) || (hr > 0) == (hs > 0))
                continue;
            const int128 sign = hp > hq ? 1 : -1, under = sign * (hp - hq);
            for (int axis = 0; axis < 2; axis++)
                point[count][axis] =
                    (struct rational){sign * ((int128)hp * q[axis] - (int128)hq * p[axis]), under};
            count++;
        }
    for (int i = 2; i < count; i++)
        for (int k = 1; k < i; k++) {
            int128 u[2], v[2]; /* differences from point 0, each over one positive denominator */
            for (int axis = 0; axis < 2; axis++) {
                u[axis] =
                    point[k][axis].over * point[0][axis].under - point[0][axis].over * point[k][axis].under;
                v[axis] =
                    point[i][axis].over * point[0][axis].under - point[0][axis].over * point[i][axis].under;
            }
            if (u[0] * v[1] != u[1] * v[0])
                return true;
        }
    return false;
}

static bool cross_exactly(const int64_t a[3][3], const int64_t b[3][3])
{
    int64_t na[3], nb[3], along[3];
    normal_of(a, na);
    normal_of(b, nb);
    cross(na, nb, along);
    if (dot(along, along) == 0) {
        if (dot(nb, a[0]) != dot(nb, b[0]))
            return false;
        int view = 0;
        while (nb[view] == 0)
            view++;
        int64_t flat[2][3][2];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 2; k++) {
                flat[0][i][k] = a[i][(view + 1 + k) % 3];
                flat[1][i][k] = b[i][(view + 1 + k) % 3];
            }
        return share_area((const int64_t(*)[2])flat[0], (const int64_t(*)[2])flat[1]);
    }
    struct rational low[2], high[2];
    bool through[2];
    if (!range_in_plane(a, nb, dot(nb, b[0]), along, &low[0], &high[0], &through[0]) ||
        !range_in_plane(b, na, dot(na, a[0]), along, &low[1], &high[1], &through[1]) || !through[0] ||
        !through[1])
        return false;
    const struct rational from = compare(low[0], low[1]) > 0 ? low[0] : low[1],
                          to = compare(high[0], high[1]) < 0 ? high[0] : high[1];
    return compare(from, to) < 0;
}

Test(intersections, small_whole_numbers_agree_with_rationals_in_every_order_of_corners)
{
    uint64_t seed = 20261120;
    int crossing = 0, in_one_plane = 0;
    for (int trial = 0; trial < 400000; trial++) {
        int64_t corner[2][3][3], normal[3];
        struct triangle_corners triangle[2];
        /* Few values, so that corners meet and lie on planes and lines all the time. */
        const int range = trial % 3 == 0 ? 3 : trial % 3 == 1 ? 5 : 21;
        for (int t = 0; t < 2; t++)
            do {
                for (int i = 0; i < 3; i++) {
                    for (int axis = 0; axis < 3; axis++)
                        corner[t][i][axis] = (int64_t)(test_random(&seed) % (uint64_t)range) - range / 2;
                    if (trial % 5 == 0) /* both in one sloping plane */
                        corner[t][i][2] = corner[t][i][0] + 2 * corner[t][i][1];
                }
                normal_of((const int64_t(*)[3])corner[t], normal);
            } while (dot(normal, normal) == 0);
        const bool expected = cross_exactly((const int64_t(*)[3])corner[0], (const int64_t(*)[3])corner[1]);
        for (int order = 0; order < 12; order++) {
            for (int t = 0; t < 2; t++)
                for (int i = 0; i < 3; i++) {
                    const int from = order >= 6 ? (6 - i + order) % 3 : (i + order) % 3;
                    for (int axis = 0; axis < 3; axis++)
                        triangle[t].at[i][axis] = (double)corner[t][t == 0 ? from : i][axis];
                }
            struct triangle_meeting meeting;
            triangle_pair_test(&triangle[order / 3 % 2], &triangle[1 - order / 3 % 2], 0, &meeting);
            cr_assert(meeting.crosses == expected, "trial %d order %d: %d, exactly %d", trial, order,
                      meeting.crosses, expected);
            in_one_plane += meeting.crosses && meeting.one_plane;
        }
        crossing += expected;
    }
    cr_assert(crossing > 20000 && in_one_plane > 1000, "%d crossed, %d in one plane", crossing, in_one_plane);
}

/* A tip on a plane of coordinates near 2^39, and one step to either side of it: far below what doubles tell.
 */
Test(intersections, one_step_of_the_grid_at_the_far_end_of_the_range_decides)
{
    uint64_t seed = 7;
    int past = 0;
    for (int trial = 0; trial < 20000; trial++) {
        double u[3], v[3];
        struct triangle_corners plane, tip;
        for (int axis = 0; axis < 3; axis++) {
            plane.at[0][axis] = floor(test_uniform(&seed, -0x1p39, 0x1p39));
            u[axis] = floor(test_uniform(&seed, -0x1p36, 0x1p36));
            v[axis] = floor(test_uniform(&seed, -0x1p36, 0x1p36));
            plane.at[1][axis] = plane.at[0][axis] + 3 * u[axis];
            plane.at[2][axis] = plane.at[0][axis] + 3 * v[axis];
        }
        if ((u[0] * v[1] - u[1] * v[0]) == 0)
            continue;
        const double side = u[0] * v[1] - u[1] * v[0] > 0 ? 1 : -1; /* of the normal's z */
        const int step = (int)(test_random(&seed) % 3) - 1;
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++)
                tip.at[i][axis] = plane.at[0][axis] + u[axis] + v[axis];
        tip.at[0][2] += step;
        for (int i = 1; i < 3; i++) { /* the rest of the triangle well above */
            tip.at[i][2] += 0x1p37;
            tip.at[i][0] += i == 1 ? 0x1p20 : -0x1p20;
        }
        struct triangle_meeting meeting;
        cr_assert(triangle_pair_side(plane.at[0], plane.at[1], plane.at[2], tip.at[0]) == step * (int)side);
        triangle_pair_test(&plane, &tip, 0, &meeting);
        cr_assert(meeting.crosses == (step < 0), "trial %d, step %d", trial, step);
        past += step < 0;
    }
    cr_assert(past > 5000);
}

static struct mesh_intersections find(const struct mesh *mesh, double tolerance, size_t listed)
{
    struct mesh_intersections found;
    MUST(mesh_intersections_find(mesh, tolerance, listed, 2, &found, &failure));
    cr_assert(found.complete && found.triangles_searched == mesh->triangle_count);
    return found;
}

static uint64_t pairs_of(struct mesh *mesh, double tolerance)
{
    struct mesh_intersections found = find(mesh, tolerance, 4);
    const uint64_t pairs = found.pairs;
    mesh_intersections_free(&found);
    return pairs;
}

Test(intersections, walls_that_share_or_end_on_something_touch_and_do_not_cross)
{
    struct mesh mesh = {0};
    const uint16_t wall = solid_material(&mesh, "wall");
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){4, 3, 2}, NULL, -1);
    /* A screen that stands on the floor and ends on a wall, and a column that stands on the floor. */
    solid_panel(&mesh, NULL, 0, 1.3, (double[]){0, 0}, (double[]){1.7, 1.1}, wall);
    solid_box(&mesh, NULL, (double[]){2, 1, 0}, (double[]){2.5, 1.5, 1}, NULL, -1);
    /* Its underside lies on the floor: an area in common with each of the floor's triangles that it meets. */
    struct mesh_intersections found = find(&mesh, 0, 16);
    cr_assert(found.pairs >= 2);
    for (size_t i = 0; i < found.listed; i++)
        cr_assert(found.crossing[i].one_plane && test_near(found.crossing[i].point[2], 0, 1e-9));
    mesh_intersections_free(&found);
    mesh_free(&mesh);

    struct mesh bare = {0};
    const uint16_t plain = solid_material(&bare, "wall");
    solid_box(&bare, NULL, (double[]){0, 0, 0}, (double[]){4, 3, 2}, NULL, -1);
    solid_panel(&bare, NULL, 0, 1.3, (double[]){0, 0}, (double[]){1.7, 1.1}, plain);
    cr_assert(pairs_of(&bare, 0) == 0);
    mesh_free(&bare);
}

Test(intersections, a_screen_that_ends_below_the_floor_crosses_it_with_place_and_length)
{
    struct mesh mesh = {0};
    const uint16_t wall = solid_material(&mesh, "wall");
    solid_panel(&mesh, NULL, 2, 0, (double[]){0, 0}, (double[]){4, 4}, wall);
    /* One triangle of the floor holds all of it: x from 2 to 3 at y = 1. */
    solid_panel(&mesh, NULL, 1, 1, (double[]){-0.01, 2}, (double[]){1, 3}, wall);
    struct mesh_intersections found = find(&mesh, mesh_touch_tolerance(&mesh), 8);
    cr_assert(found.pairs == 2 && found.listed == 2, "%d", (int)found.pairs);
    double length = 0;
    for (size_t i = 0; i < 2; i++) {
        const struct mesh_crossing *crossing = &found.crossing[i];
        cr_assert(crossing->one_plane == false && crossing->triangle[0] < 2 && crossing->triangle[1] >= 2);
        cr_assert(test_near(crossing->point[1], 1, 1e-9) && test_near(crossing->point[2], 0, 1e-9));
        cr_assert(crossing->point[0] > 2 && crossing->point[0] < 3);
        length += crossing->length;
    }
    cr_assert(test_near(length, 1, 1e-9), "%.12g", length);
    cr_assert(found.crossing[0].length >= found.crossing[1].length);
    mesh_intersections_free(&found);
    /* Shallower than the tolerance it is a touch. */
    cr_assert(pairs_of(&mesh, 0.011) == 0 && pairs_of(&mesh, 0.009) == 2);
    mesh_free(&mesh);
}

Test(intersections, what_floats_add_to_a_turned_model_is_no_crossing)
{
    uint64_t seed = 3;
    for (int trial = 0; trial < 50; trial++) {
        struct mesh mesh = {0};
        const struct solid_pose pose =
            solid_pose_make(test_uniform(&seed, 0, 6), test_uniform(&seed, 0, 3), (double[]){31, -7, 12});
        const uint16_t wall = solid_material(&mesh, "wall");
        solid_box(&mesh, &pose, (double[]){0, 0, 0}, (double[]){4, 3, 2}, NULL, -1);
        solid_panel(&mesh, &pose, 0, 1.3, (double[]){0, 0}, (double[]){3, 2}, wall);
        for (size_t i = 0; i < mesh.vertex_count; i++)
            for (int axis = 0; axis < 3; axis++)
                mesh.vertex[i][axis] = (float)mesh.vertex[i][axis];
        cr_assert(pairs_of(&mesh, mesh_touch_tolerance(&mesh)) == 0, "trial %d", trial);
        /* A poster on the wall is a fault however the model is turned. */
        solid_panel(&mesh, &pose, 0, 1.3, (double[]){1, 0.5}, (double[]){2, 1.5}, wall);
        for (size_t i = 0; i < mesh.vertex_count; i++)
            for (int axis = 0; axis < 3; axis++)
                mesh.vertex[i][axis] = (float)mesh.vertex[i][axis];
        cr_assert(pairs_of(&mesh, mesh_touch_tolerance(&mesh)) >= 2, "trial %d", trial);
        mesh_free(&mesh);
    }
}

/* Counting every pair of random triangles one by one gives the same total, the list is the longest of them,
 * and neither depends on the number of threads. */
Test(intersections, the_tree_misses_no_pair_and_the_list_holds_the_longest)
{
    uint64_t seed = 99;
    struct mesh mesh = {0};
    const uint16_t wall = solid_material(&mesh, "wall");
    for (int t = 0; t < 1500; t++) {
        double centre[3];
        uint32_t index[3];
        for (int axis = 0; axis < 3; axis++)
            centre[axis] = test_uniform(&seed, 0, 10);
        for (int i = 0; i < 3; i++) {
            double at[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = (float)(centre[axis] + test_uniform(&seed, -0.8, 0.8));
            index[i] = solid_vertex(&mesh, NULL, at);
        }
        solid_triangle(&mesh, index[0], index[1], index[2], wall);
    }
    struct mesh_intersections few = find(&mesh, 0, 10), all = find(&mesh, 0, 1000000), one;
    uint64_t pairs = 0;
    for (uint32_t a = 0; a < mesh.triangle_count; a++)
        for (uint32_t b = a + 1; b < mesh.triangle_count; b++) {
            struct triangle_corners corner[2];
            for (int i = 0; i < 3; i++)
                for (int axis = 0; axis < 3; axis++) {
                    corner[0].at[i][axis] = rint(mesh.vertex[mesh.triangle[a][i]][axis] / few.grid);
                    corner[1].at[i][axis] = rint(mesh.vertex[mesh.triangle[b][i]][axis] / few.grid);
                }
            struct triangle_meeting meeting;
            triangle_pair_test(&corner[0], &corner[1], 0, &meeting);
            pairs += meeting.crosses;
        }
    cr_assert(pairs > 500);
    cr_assert(few.pairs == pairs && all.pairs == pairs && all.listed == pairs && few.listed == 10, "%d of %d",
              (int)few.pairs, (int)pairs);
    for (size_t i = 1; i < all.listed; i++)
        cr_assert(all.crossing[i - 1].length >= all.crossing[i].length);
    cr_assert(mesh_intersections_find(&mesh, 0, 10, 1, &one, NULL) == 0);
    for (size_t i = 0; i < 10; i++)
        for (int k = 0; k < 2; k++)
            cr_assert(few.crossing[i].triangle[k] == all.crossing[i].triangle[k] &&
                      few.crossing[i].triangle[k] == one.crossing[i].triangle[k]);
    mesh_intersections_free(&few);
    mesh_intersections_free(&all);
    mesh_intersections_free(&one);
    mesh_free(&mesh);
}

Test(intersections, a_mesh_without_triangles_has_none)
{
    struct mesh mesh = {0};
    cr_assert(pairs_of(&mesh, 0) == 0 && mesh_touch_tolerance(&mesh) == 0);
}
