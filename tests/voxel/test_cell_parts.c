/** The parts of cut voxels: what a user draws, closed surfaces over many voxels, and openings between them.
 */
#include "tests/voxel/cell_soup.h"

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
