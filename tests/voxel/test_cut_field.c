#include "geometry/voxel/cut_field.h"
#include "geometry/voxel/flood.h"
#include "geometry/voxel/seed_node.h"
#include "geometry/voxel/triangle_bins.h"
#include "tests/support/outcome.h"
#include "tests/support/solid_mesh.h"

__extension__ typedef __int128 int128;

/* A lattice in sub-steps: vertex coordinates are odd sub-steps as written. */
static struct lattice substep_lattice(int64_t nodes)
{
    return (struct lattice){.spacing = 1024, .origin = {0, 0, 0}, .nodes = {nodes, nodes, nodes}};
}

static struct cut_field make(const struct mesh *mesh, const struct lattice *lattice, int threads)
{
    struct cut_field field = {0};
    MUST(cut_field_make(mesh, lattice, threads, &field, &failure));
    return field;
}

/* Where a triangle meets the line through `node` along `axis`: fractions low <= high over one denominator
 * each. */
struct span {
    bool any;
    int128 low[2], high[2]; /* numerator, denominator > 0 */
};

static int compare(const int128 a[2], const int128 b[2])
{
    const int128 left = a[0] * b[1], right = b[0] * a[1];
    return left < right ? -1 : left > right;
}

static void widen(struct span *span, int128 numerator, int128 denominator)
{
    /* In lowest terms the denominator divides the projected area, which keeps compare() inside 128 bits. */
    int128 divisor = denominator, rest = numerator;
    while (rest != 0) {
        const int128 next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    divisor = (divisor < 0) == (denominator < 0) ? divisor : -divisor;
    const int128 value[2] = {numerator / divisor, denominator / divisor};
    if (!span->any || compare(value, span->low) < 0)
        memcpy(span->low, value, sizeof value);
    if (!span->any || compare(value, span->high) > 0)
        memcpy(span->high, value, sizeof value);
    span->any = true;
}

/* Independent of the library: cut the triangle with the plane v = node's v, which leaves a segment, and that
 * with u = node's u. Rational throughout. */
static struct span line_span(const int64_t corner[3][3], int axis, const int64_t line[3])
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    struct span span = {0};
    int128 end[6][3]; /* (u, depth) as numerators over end[][2] > 0 */
    int ends = 0;
    for (int i = 0; i < 3; i++) {
        const int64_t *a = corner[i], *b = corner[(i + 1) % 3];
        if (a[v] == b[v] || (a[v] < line[v]) == (b[v] < line[v]))
            continue; /* corners are odd and lines even: never equal */
        int128 across = b[v] - a[v], part = line[v] - a[v];
        if (across < 0) {
            across = -across;
            part = -part;
        }
        end[ends][0] = a[u] * across + (b[u] - a[u]) * part;
        end[ends][1] = a[axis] * across + (b[axis] - a[axis]) * part;
        end[ends++][2] = across;
    }
    if (ends != 2)
        return span;
    /* u of both ends over a common denominator */
    const int128 u0 = end[0][0] * end[1][2], u1 = end[1][0] * end[0][2], scale = end[0][2] * end[1][2];
    const int128 d0 = end[0][1] * end[1][2], d1 = end[1][1] * end[0][2], target = line[u] * scale;
    if (u0 == u1) {
        if (u0 == target) {
            widen(&span, d0, scale);
            widen(&span, d1, scale);
        }
    } else if ((u0 <= target && target <= u1) || (u1 <= target && target <= u0)) {
        widen(&span, d0 * (u1 - u0) + (d1 - d0) * (target - u0), scale * (u1 - u0));
    }
    return span;
}

/* Corners where many triangles pass exactly through nodes, along lattice lines, and through one another's
 * edges. */
static void random_triangles(struct mesh *mesh, uint64_t *state, int count, int64_t nodes)
{
    static const int offset[4] = {-1, 1, 511, -511};
    (void)solid_material(mesh, "wall");
    for (int t = 0; t < count; t++) {
        uint32_t index[3];
        double corner[3][3];
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++) {
                corner[i][axis] = (double)((int64_t)(test_random(state) % (uint64_t)nodes) * 1024 +
                                           offset[test_random(state) % 4]);
                /* In two of three the middle of an edge is a node. */
                if (t % 3 != 0 && i == 1)
                    corner[1][axis] =
                        2 * 1024 * floor((corner[0][axis] + corner[1][axis]) / 2048) - corner[0][axis];
            }
        for (int i = 0; i < 3; i++)
            index[i] = solid_vertex(mesh, NULL, corner[i]);
        /* Every sixth is the one before it again, turned over: all of their hits are ties. */
        if (t % 6 == 5)
            for (int i = 0; i < 3; i++)
                index[i] = mesh->triangle[t - 1][(5 - i) % 3];
        solid_triangle(mesh, index[0], index[1], index[2], 0);
    }
}

static void corners_of(const struct mesh *mesh, size_t triangle, int64_t corner[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            corner[i][axis] = (int64_t)mesh->vertex[mesh->triangle[triangle][i]][axis];
}

static bool has_area(const int64_t corner[3][3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        if ((corner[1][u] - corner[0][u]) * (corner[2][v] - corner[0][v]) !=
            (corner[1][v] - corner[0][v]) * (corner[2][u] - corner[0][u]))
            return true;
    }
    return false;
}

static const struct cut_hit *find_hit(const struct cut_field *field, const int64_t low[3], int axis)
{
    const int32_t place[3] = {(int32_t)(low[0] >> 3), (int32_t)(low[1] >> 3), (int32_t)(low[2] >> 3)};
    const size_t block = cut_field_find(field, place);
    if (block == SIZE_MAX)
        return NULL;
    const unsigned slot = (unsigned)((low[0] & 7) | (low[1] & 7) << 3 | (low[2] & 7) << 6);
    for (uint64_t i = field->first_hit[block]; i < field->first_hit[block + 1]; i++) {
        const struct cut_hit *hit = &field->hit[i];
        if (hit->axis == axis && hit->slot == slot)
            return hit;
    }
    return NULL;
}

/* Does the triangle show its front (its corners run counter-clockwise) to one who looks along the axis, up it
 * (`turn` 1) or down it (-1)? */
static bool shows_front(const struct mesh *mesh, size_t triangle, int axis, int turn)
{
    int64_t corner[3][3];
    corners_of(mesh, triangle, corner);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int64_t normal = (corner[1][u] - corner[0][u]) * (corner[2][v] - corner[0][v]) -
                           (corner[1][v] - corner[0][v]) * (corner[2][u] - corner[0][u]);
    return turn > 0 ? normal < 0 : normal > 0;
}

/* Expected cut and nearest triangles of one link, by trying every triangle. */
static void check_link(const struct mesh *mesh, const struct cut_field *field, const int64_t low[3], int axis)
{
    int64_t line[3];
    for (int i = 0; i < 3; i++)
        line[i] = low[i] * 1024;
    const int128 from[2] = {line[axis], 1}, to[2] = {line[axis] + 1024, 1};
    uint32_t low_triangle = UINT32_MAX, high_triangle = UINT32_MAX;
    int128 low_depth[2] = {0, 1}, high_depth[2] = {0, 1};
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        int64_t corner[3][3];
        corners_of(mesh, t, corner);
        if (!has_area((const int64_t(*)[3])corner))
            continue;
        struct span span = line_span((const int64_t(*)[3])corner, axis, line);
        if (!span.any || compare(span.low, to) > 0 || compare(span.high, from) < 0)
            continue;
        if (compare(span.low, from) < 0)
            memcpy(span.low, from, sizeof from);
        if (compare(span.high, to) > 0)
            memcpy(span.high, to, sizeof to);
        const int nearer_low = low_triangle == UINT32_MAX ? -1 : compare(span.low, low_depth);
        const int nearer_high = high_triangle == UINT32_MAX ? 1 : compare(span.high, high_depth);
        if (nearer_low < 0 ||
            (nearer_low == 0 && shows_front(mesh, t, axis, 1) && !shows_front(mesh, low_triangle, axis, 1))) {
            low_triangle = (uint32_t)t;
            memcpy(low_depth, span.low, sizeof low_depth);
        }
        if (nearer_high > 0 || (nearer_high == 0 && shows_front(mesh, t, axis, -1) &&
                                !shows_front(mesh, high_triangle, axis, -1))) {
            high_triangle = (uint32_t)t;
            memcpy(high_depth, span.high, sizeof high_depth);
        }
    }
    const bool cut = low_triangle != UINT32_MAX;
    int64_t high[3] = {low[0], low[1], low[2]};
    high[axis]++;
    const enum direction up = (enum direction)(2 * axis + 1), down = (enum direction)(2 * axis);
    cr_assert(eq(int, cut_field_is_cut(field, low, up), cut), "link %d of node (%lld, %lld, %lld)", axis,
              (long long)low[0], (long long)low[1], (long long)low[2]);
    cr_assert(eq(int, cut_field_is_cut(field, high, down), cut));
    const struct cut_hit *hit = find_hit(field, low, axis);
    cr_assert(eq(int, hit != NULL, cut));
    if (hit != NULL) {
        cr_assert(eq(u32, hit->low_triangle, low_triangle));
        cr_assert(eq(u32, hit->high_triangle, high_triangle));
    }
}

Test(cut_field, a_link_is_cut_exactly_where_its_closed_segment_meets_a_triangle)
{
    uint64_t state = 3;
    int hits_on_nodes = 0;
    for (int trial = 0; trial < 60; trial++) {
        const int64_t nodes = 4 + (int64_t)(test_random(&state) % 10);
        struct mesh mesh = {0};
        random_triangles(&mesh, &state, 1 + trial % 12, nodes);
        const struct lattice lattice = substep_lattice(nodes);
        struct cut_field field = make(&mesh, &lattice, 2);
        int64_t low[3];
        for (low[2] = -1; low[2] <= nodes; low[2]++)
            for (low[1] = -1; low[1] <= nodes; low[1]++)
                for (low[0] = -1; low[0] <= nodes; low[0]++) {
                    for (int axis = 0; axis < 3; axis++)
                        check_link(&mesh, &field, low, axis);
                    hits_on_nodes += flood_is_isolated(&field, low);
                }
        cut_field_free(&field);
        mesh_free(&mesh);
    }
    /* The corners were chosen to produce hits exactly on nodes; without them this test would be weak. */
    cr_assert(test_above((double)(hits_on_nodes), (double)(100)));
}

Test(cut_field, from_a_node_a_wall_hides_exactly_the_neighbours_whose_links_it_cuts)
{
    uint64_t state = 8;
    int hidden = 0, seen = 0;
    for (int trial = 0; trial < 30; trial++) {
        const int64_t nodes = 4 + trial % 6;
        struct mesh mesh = {0};
        random_triangles(&mesh, &state, 1 + trial % 9, nodes);
        const struct lattice lattice = substep_lattice(nodes);
        struct cut_field field = make(&mesh, &lattice, 1);
        struct snapped_triangle *snapped = malloc(mesh.triangle_count * sizeof *snapped);
        cr_assert(snapped != NULL);
        cr_assert(eq(int, snap_triangles(&mesh, &lattice, snapped, NULL), 0));
        int64_t node[3];
        for (node[2] = 0; node[2] < nodes - 1; node[2]++)
            for (node[1] = 0; node[1] < nodes - 1; node[1]++)
                for (node[0] = 0; node[0] < nodes - 1; node[0]++) {
                    int64_t corner[8][3];
                    double position[3];
                    lattice_position(&lattice, node, position);
                    const int corners = seed_corners(&field, &mesh, snapped, position, corner);
                    if (corners > 0 && !flood_is_isolated(&field, node))
                        cr_assert(eq(int, memcmp(corner[0], node, sizeof node), 0));
                    for (int axis = 0; axis < 3; axis++) {
                        int64_t next[3] = {node[0], node[1], node[2]};
                        next[axis]++;
                        bool listed = false;
                        for (int i = 0; i < corners; i++)
                            listed = listed || memcmp(corner[i], next, sizeof next) == 0;
                        const bool cut = cut_field_is_cut(&field, node, (enum direction)(2 * axis + 1));
                        cr_assert(eq(int, listed, !cut && !flood_is_isolated(&field, next)));
                        hidden += cut;
                        seen += listed;
                    }
                }
        free(snapped);
        cut_field_free(&field);
        mesh_free(&mesh);
    }
    cr_assert(test_above((double)(hidden), (double)(500)));
    cr_assert(test_above((double)(seen), (double)(500)));
}

Test(cut_field, block_cuts_agree_with_single_links_also_across_blocks)
{
    uint64_t state = 4;
    struct mesh mesh = {0};
    random_triangles(&mesh, &state, 25, 26);
    const struct lattice lattice = substep_lattice(26);
    struct cut_field field = make(&mesh, &lattice, 0);
    int32_t place[3];
    for (place[2] = -1; place[2] <= 4; place[2]++)
        for (place[1] = -1; place[1] <= 4; place[1]++)
            for (place[0] = -1; place[0] <= 4; place[0]++) {
                uint64_t cut[6][8];
                bool any = false;
                const bool has_cuts = cut_field_block_cuts(&field, place, cut);
                for (int slot = 0; slot < 512; slot++) {
                    const int64_t node[3] = {place[0] * 8 + (slot & 7), place[1] * 8 + (slot >> 3 & 7),
                                             place[2] * 8 + (slot >> 6)};
                    for (int d = 0; d < DIRECTIONS; d++) {
                        const bool single = cut_field_is_cut(&field, node, (enum direction)d);
                        cr_assert(eq(int, (int)(cut[d][slot >> 6] >> (slot & 63) & 1), single));
                        any = any || single;
                        /* The same link from its other end. */
                        int64_t next[3] = {node[0], node[1], node[2]};
                        next[d / 2] += d % 2 == 0 ? -1 : 1;
                        cr_assert(eq(int, cut_field_is_cut(&field, next, (enum direction)(d ^ 1)), single));
                    }
                }
                cr_assert(eq(int, has_cuts, any));
            }
    cut_field_free(&field);
    mesh_free(&mesh);
}

Test(cut_field, blocks_rise_and_are_found_by_place)
{
    uint64_t state = 6;
    struct mesh mesh = {0};
    random_triangles(&mesh, &state, 40, 60);
    const struct lattice lattice = substep_lattice(60);
    struct cut_field field = make(&mesh, &lattice, 2);
    /* Enough blocks that they come from several batches of work. */
    cr_assert(test_above((double)(field.block_count), (double)(300)));
    uint64_t next_hit = 0;
    for (size_t b = 0; b < field.block_count; b++) {
        const int32_t *place = field.block[b].place;
        cr_assert(eq(sz, cut_field_find(&field, place), b));
        cr_assert(eq(u64, field.first_hit[b], next_hit));
        for (; next_hit < field.first_hit[b + 1]; next_hit++) {
            const struct cut_hit *hit = &field.hit[next_hit];
            cr_assert(field.block[b].cut[hit->axis][hit->slot >> 6] >> (hit->slot & 63) & 1);
        }
        if (b == 0)
            continue;
        const int32_t *before = field.block[b - 1].place;
        cr_assert(before[2] < place[2] || (before[2] == place[2] && before[1] < place[1]) ||
                  (before[2] == place[2] && before[1] == place[1] && before[0] < place[0]));
    }
    cr_assert(eq(u64, field.first_hit[field.block_count], next_hit));
    cr_assert(eq(sz, cut_field_find(&field, (const int32_t[3]){-2, 0, 0}), SIZE_MAX));
    cr_assert(eq(sz, cut_field_find(&field, (const int32_t[3]){1000, 0, 0}), SIZE_MAX));
    cut_field_free(&field);
    mesh_free(&mesh);
}

Test(cut_field, links_before_the_first_node_and_after_the_last_are_kept)
{
    struct mesh mesh = {0};
    solid_box(&mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){0.8, 0.8, 0.8}, NULL, -1);
    struct lattice lattice;
    cr_assert(eq(
        int,
        lattice_fit((const double[3]){0, 0, 0}, (const double[3]){0.8, 0.8, 0.8}, 0.1, NULL, &lattice, NULL),
        0));
    struct cut_field field = make(&mesh, &lattice, 0);
    for (int d = 0; d < DIRECTIONS; d++) {
        int64_t node[3] = {3, 4, 5};
        node[d / 2] = d % 2 == 0 ? 0 : 7;
        cr_assert(cut_field_is_cut(&field, node, (enum direction)d));
        cr_assert(not(cut_field_is_cut(&field, node, (enum direction)(d ^ 1))));
    }
    cr_assert(eq(u64, field.first_hit[field.block_count], 6 * 64));
    cut_field_free(&field);
    mesh_free(&mesh);
}

Test(cut_field, a_sloping_roof_touches_blocks_along_itself_not_its_whole_box)
{
    struct mesh mesh = {0};
    struct triangle_bins bins = {0};
    const double corner[3][3] = {{0, 0, 0}, {100, 0, 90}, {0, 100, 80}};
    uint32_t index[3];
    (void)solid_material(&mesh, "roof");
    for (int i = 0; i < 3; i++)
        index[i] = solid_vertex(&mesh, NULL, corner[i]);
    solid_triangle(&mesh, index[0], index[1], index[2], 0);
    const struct lattice lattice = {.spacing = 0.125, .origin = {0, 0, 0}, .nodes = {801, 801, 721}};
    MUST(triangle_bins_make(&mesh, &lattice, &bins, &failure));
    /* Half of 100 x 100 columns of blocks, at most three blocks deep each; the box has 900,000. */
    cr_assert(test_above((double)(bins.block_count), (double)(5000)));
    cr_assert(lt(sz, bins.block_count, 16000));
    triangle_bins_free(&bins);
    mesh_free(&mesh);
}

Test(cut_field, a_mesh_that_the_sub_lattice_cannot_hold_is_refused)
{
    struct mesh mesh = {0};
    struct cut_field field = {0};
    solid_box(&mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){2e6, 1, 1}, NULL, -1);
    const struct lattice fine = {.spacing = 1, .origin = {0.5, 0.5, 0.5}, .nodes = {LATTICE_NODES_MAX, 1, 1}};
    cr_assert(eq(int, cut_field_make(&mesh, &fine, 0, &field, &failure), FAILURE_CAPACITY));
    const struct lattice late = {.spacing = 1, .origin = {100, 0.5, 0.5}, .nodes = {LATTICE_NODES_MAX, 1, 1}};
    cr_assert(eq(int, cut_field_make(&mesh, &late, 0, &field, &failure), FAILURE_INPUT));
    cr_assert(eq(sz, field.block_count, 0));
    mesh_free(&mesh);
}
