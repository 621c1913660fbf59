#include "geometry/voxel/link_test.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "geometry/base/vector.h"
#include "geometry/voxel/coplanar.h"

__extension__ typedef __int128 int128;

/* Depths computed in double differ from the exact ones by less than this [sub-steps]: edge functions below
 * 2^62 and coordinates below 2^31 are rounded a few times at 2^-53. Closer depths are compared as exact
 * fractions. */
#define DEPTH_ERROR 0x1p-16

/** A depth on a lattice line, exact: sub-steps from the low end of a link, numerator / denominator. */
struct fraction {
    int128 numerator;    /* 0 .. 1024 denominator */
    int64_t denominator; /* above 0 */
};

/** Intersection of one triangle with one lattice line: a point unless the triangle contains the line's
 * direction. */
struct line_hit {
    const struct snapped_triangle *triangle;
    int axis;
    int64_t u, v;   /* of the line, sub-steps */
    unsigned share; /* this triangle's share of the crossing, in CROSSING_WHOLE; 0 for a line in the
                       triangle's plane */
};

static int64_t cross_product(int64_t au, int64_t av, int64_t bu, int64_t bv)
{
    return au * bv - av * bu;
}

static int64_t projected_area(const struct snapped_triangle *triangle, int u, int v)
{
    const int32_t *a = triangle->corner[0], *b = triangle->corner[1], *c = triangle->corner[2];
    return cross_product((int64_t)b[u] - a[u], (int64_t)b[v] - a[v], (int64_t)c[u] - a[u],
                         (int64_t)c[v] - a[v]);
}

/** True if the point (u, v) is on the projection of the edge from `a` to `b`. */
static bool is_on_edge(const int32_t *a, const int32_t *b, int axis_u, int axis_v, int64_t u, int64_t v)
{
    if (cross_product((int64_t)b[axis_u] - a[axis_u], (int64_t)b[axis_v] - a[axis_v], u - a[axis_u],
                      v - a[axis_v]) != 0)
        return false;
    return (u - a[axis_u]) * (u - b[axis_u]) <= 0 && (v - a[axis_v]) * (v - b[axis_v]) <= 0;
}

/** floor(numerator / denominator) for denominator above 0. */
static int64_t floor_quotient(int128 numerator, int128 denominator)
{
    const int128 quotient = numerator / denominator;
    return (int64_t)(quotient - (numerator % denominator < 0));
}

static int compare_fractions(struct fraction a, struct fraction b)
{
    /* Whole sub-steps first, so that the products of the remainders stay inside 128 bits. */
    const int64_t whole_a = (int64_t)(a.numerator / a.denominator),
                  whole_b = (int64_t)(b.numerator / b.denominator);
    if (whole_a != whole_b)
        return whole_a < whole_b ? -1 : 1;
    const int128 left = a.numerator % a.denominator * b.denominator;
    const int128 right = b.numerator % b.denominator * a.denominator;
    return left < right ? -1 : left > right;
}

/** Depth over lattice line (u, v) of the crossing with a triangle of projected area other than 0, from 0. */
static struct fraction crossing_depth(const struct line_hit *hit)
{
    const int u = (hit->axis + 1) % 3, v = (hit->axis + 2) % 3;
    const int32_t *a = hit->triangle->corner[0], *b = hit->triangle->corner[1], *c = hit->triangle->corner[2];
    const int64_t area = projected_area(hit->triangle, u, v);
    const int64_t sign = area < 0 ? -1 : 1;
    const int64_t weight_b =
        sign * cross_product(hit->u - a[u], hit->v - a[v], (int64_t)c[u] - a[u], (int64_t)c[v] - a[v]);
    const int64_t weight_c =
        sign * cross_product((int64_t)b[u] - a[u], (int64_t)b[v] - a[v], hit->u - a[u], hit->v - a[v]);
    const int64_t depth_a = a[hit->axis];
    return (struct fraction){.numerator = (int128)depth_a * (sign * area) +
                                          (int128)weight_b * (b[hit->axis] - depth_a) +
                                          (int128)weight_c * (c[hit->axis] - depth_a),
                             .denominator = sign * area};
}

/** First and last depth, from 0, at which a lattice line is in a triangle that contains its direction; false
 * if the line passes beside the triangle. */
static bool inside_depths(const struct line_hit *hit, struct fraction *low, struct fraction *high)
{
    const int u = (hit->axis + 1) % 3, v = (hit->axis + 2) % 3;
    bool found = false;
    for (int edge = 0; edge < 3; edge++) {
        const int32_t *a = hit->triangle->corner[edge], *b = hit->triangle->corner[(edge + 1) % 3];
        if (!is_on_edge(a, b, u, v, hit->u, hit->v))
            continue;
        /* Corners are odd and lines even, so this edge is not parallel to the line. */
        const int wide = llabs((int64_t)b[u] - a[u]) >= llabs((int64_t)b[v] - a[v]) ? u : v;
        const int64_t length = llabs((int64_t)b[wide] - a[wide]);
        const int64_t along = llabs((wide == u ? hit->u : hit->v) - a[wide]);
        const struct fraction depth = {.numerator = (int128)a[hit->axis] * length +
                                                    (int128)along * ((int64_t)b[hit->axis] - a[hit->axis]),
                                       .denominator = length};
        /* Fractions of one line can be compared directly: numerators below 2^62, denominators below 2^31. */
        if (!found || depth.numerator * low->denominator < low->numerator * depth.denominator)
            *low = depth;
        if (!found || depth.numerator * high->denominator > high->numerator * depth.denominator)
            *high = depth;
        found = true;
    }
    return found;
}

/** Exact depths of a hit in link `link` of its line, from the link's low end: the one nearest to the low end,
 * and the one nearest to the high end. */
static void link_depths(const struct line_hit *hit, int64_t link, struct fraction *low, struct fraction *high)
{
    if (projected_area(hit->triangle, (hit->axis + 1) % 3, (hit->axis + 2) % 3) != 0)
        *low = *high = crossing_depth(hit);
    else
        (void)inside_depths(hit, low, high);
    low->numerator -= (int128)low->denominator * (link * LATTICE_SUBSTEPS);
    high->numerator -= (int128)high->denominator * (link * LATTICE_SUBSTEPS);
    if (low->numerator < 0)
        low->numerator = 0;
    if (high->numerator > (int128)high->denominator * LATTICE_SUBSTEPS)
        high->numerator = (int128)high->denominator * LATTICE_SUBSTEPS;
}

/** The end of the link that the triangle's front faces: below 0 the low end, above 0 the high end, 0 neither.
 */
static int front_of(const struct line_hit *hit)
{
    const int64_t area = projected_area(hit->triangle, (hit->axis + 1) % 3, (hit->axis + 2) % 3);
    return (area > 0) - (area < 0);
}

/** If two faces that overlap in one plane before snapping hit a link, the hit of the smaller face:
 * below 0 the hit, above 0 the other triangle, 0 neither. `apart` is their distance along the axis. */
static int smaller_face(const struct line_hit *hit, const struct snapped_triangle *other, double apart)
{
    const int order = compare_ranks(hit->triangle->rank, other->rank);
    double area[3];
    if (order == 0)
        return 0;
    for (int axis = 0; axis < 3; axis++)
        area[axis] = (double)projected_area(hit->triangle, (axis + 1) % 3, (axis + 2) % 3);
    return fabs(apart * area[hit->axis]) <= COPLANAR_STEPS * vector_length(area) ? order : 0;
}

/** Record a hit on a link of the block; `link` is the low end's node along the axis. */
static void record_hit(const struct snapped_triangle *triangles, uint32_t index, const struct line_hit *hit,
                       int64_t link, double low_depth, double high_depth, struct block_cuts *cuts)
{
    const int axis = hit->axis;
    int64_t node[3];
    node[axis] = link;
    node[(axis + 1) % 3] = hit->u / LATTICE_SUBSTEPS;
    node[(axis + 2) % 3] = hit->v / LATTICE_SUBSTEPS;
    const unsigned row = (unsigned)(node[0] & 7) | (unsigned)(node[1] & 7) << 3, z = (unsigned)(node[2] & 7);
    const unsigned slot = row | z << 6;
    const uint64_t bit = UINT64_C(1) << row;
    bool low_wins = true, high_wins = true;
    if ((cuts->cut[axis][z] & bit) != 0) {
        /* The smallest face of a plane counts, then the nearest hit. Triangles come in rising order, so at
         * equal depth a later one replaces only if it is the first with its front to the end. */
        const double low_gain = cuts->low_depth[axis][slot] - low_depth;
        const double high_gain = high_depth - cuts->high_depth[axis][slot];
        low_wins = low_gain > 0;
        high_wins = high_gain > 0;
        struct line_hit other = *hit;
        struct fraction low, high, other_low, other_high;
        other.triangle = &triangles[cuts->low_triangle[axis][slot]];
        const int low_face = smaller_face(hit, other.triangle, low_gain);
        if (low_face != 0) {
            low_wins = low_face < 0;
        } else if (fabs(low_gain) <= 2 * DEPTH_ERROR) {
            link_depths(hit, link, &low, &high);
            link_depths(&other, link, &other_low, &other_high);
            const int order = compare_fractions(low, other_low);
            low_wins = order < 0 || (order == 0 && front_of(hit) < 0 && front_of(&other) >= 0);
        }
        other.triangle = &triangles[cuts->high_triangle[axis][slot]];
        const int high_face = smaller_face(hit, other.triangle, high_gain);
        if (high_face != 0) {
            high_wins = high_face < 0;
        } else if (fabs(high_gain) <= 2 * DEPTH_ERROR) {
            link_depths(hit, link, &low, &high);
            link_depths(&other, link, &other_low, &other_high);
            const int order = compare_fractions(high, other_high);
            high_wins = order > 0 || (order == 0 && front_of(hit) > 0 && front_of(&other) <= 0);
        }
    }
    cuts->cut[axis][z] |= bit;
    cuts->met[axis] += hit->share;
    if (low_wins) {
        cuts->low_triangle[axis][slot] = index;
        cuts->low_depth[axis][slot] = low_depth;
    }
    if (high_wins) {
        cuts->high_triangle[axis][slot] = index;
        cuts->high_depth[axis][slot] = high_depth;
    }
}

/** Record the links `first` .. `last` of a line in this block, for a hit at exact depths. */
static void record_exactly(const struct snapped_triangle *triangles, uint32_t index, struct line_hit *hit,
                           struct fraction from, struct fraction to, struct block_cuts *cuts)
{
    const int64_t block_first = (int64_t)cuts->place[hit->axis] * 8;
    /* Closed segments: a hit on node n belongs to links n - 1 and n. */
    int64_t first = -floor_quotient(-from.numerator, (int128)from.denominator * LATTICE_SUBSTEPS) - 1;
    int64_t last = floor_quotient(to.numerator, (int128)to.denominator * LATTICE_SUBSTEPS);
    hit->share /= last > first ? 2 : 1;
    first = first > block_first ? first : block_first;
    last = last < block_first + 7 ? last : block_first + 7;
    for (int64_t link = first; link <= last; link++) {
        struct fraction low, high;
        link_depths(hit, link, &low, &high);
        record_hit(triangles, index, hit, link, (double)low.numerator / (double)low.denominator,
                   (double)high.numerator / (double)high.denominator, cuts);
    }
}

/** Range of the block's lattice lines within [low, high] sub-steps; false if there are none. */
static bool line_range(int32_t place, int32_t low, int32_t high, int64_t *first, int64_t *last)
{
    const int64_t block_first = (int64_t)place * 8;
    *first = ((int64_t)low + LATTICE_SUBSTEPS - 1) >> 10;
    *last = (int64_t)high >> 10;
    *first = *first > block_first ? *first : block_first;
    *last = *last < block_first + 7 ? *last : block_first + 7;
    return *first <= *last;
}

/** A triangle that contains the direction of the links: its projection is a line segment. */
static void apply_edge_on(const struct snapped_triangle *triangles, uint32_t index, int axis,
                          const int64_t first[2], const int64_t last[2], struct block_cuts *cuts)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const struct snapped_triangle *triangle = &triangles[index];
    for (int64_t line_v = first[1]; line_v <= last[1]; line_v++)
        for (int64_t line_u = first[0]; line_u <= last[0]; line_u++) {
            struct line_hit hit = {triangle, axis, line_u * LATTICE_SUBSTEPS, line_v * LATTICE_SUBSTEPS, 0};
            struct fraction low, high;
            bool on_triangle = false;
            for (int edge = 0; edge < 3 && !on_triangle; edge++)
                on_triangle =
                    is_on_edge(triangle->corner[edge], triangle->corner[(edge + 1) % 3], u, v, hit.u, hit.v);
            if (on_triangle && inside_depths(&hit, &low, &high))
                record_exactly(triangles, index, &hit, low, high, cuts);
        }
}

static void apply_axis(const struct snapped_triangle *triangles, uint32_t index, int axis,
                       const int32_t low[3], const int32_t high[3], struct block_cuts *cuts)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    int64_t first[2], last[2];
    if (!line_range(cuts->place[u], low[u], high[u], &first[0], &last[0]) ||
        !line_range(cuts->place[v], low[v], high[v], &first[1], &last[1]))
        return;
    const struct snapped_triangle *triangle = &triangles[index];
    const int64_t area = projected_area(triangle, u, v);
    if (area == 0) {
        apply_edge_on(triangles, index, axis, first, last, cuts);
        return;
    }
    /* Weight of corner i at a line: the edge function of the opposite edge, positive inside. */
    const int64_t sign = area < 0 ? -1 : 1;
    int64_t weight[3], step_u[3], step_v[3];
    for (int i = 0; i < 3; i++) {
        const int32_t *from = triangle->corner[(i + 1) % 3], *to = triangle->corner[(i + 2) % 3];
        const int64_t along_u = sign * ((int64_t)to[u] - from[u]),
                      along_v = sign * ((int64_t)to[v] - from[v]);
        weight[i] = cross_product(along_u, along_v, first[0] * LATTICE_SUBSTEPS - from[u],
                                  first[1] * LATTICE_SUBSTEPS - from[v]);
        step_u[i] = -along_v * LATTICE_SUBSTEPS;
        step_v[i] = along_u * LATTICE_SUBSTEPS;
        /* If the largest value of the edge function is negative, no line of the range is inside. */
        const int64_t gain_u = step_u[i] > 0 ? step_u[i] * (last[0] - first[0]) : 0;
        const int64_t gain_v = step_v[i] > 0 ? step_v[i] * (last[1] - first[1]) : 0;
        if (weight[i] + gain_u + gain_v < 0)
            return;
    }
    const double depth_a = triangle->corner[0][axis];
    const double per_b = ((double)triangle->corner[1][axis] - depth_a) / (double)(sign * area);
    const double per_c = ((double)triangle->corner[2][axis] - depth_a) / (double)(sign * area);
    const int64_t block_first = (int64_t)cuts->place[axis] * 8;
    for (int64_t line_v = first[1]; line_v <= last[1]; line_v++) {
        int64_t at[3] = {weight[0], weight[1], weight[2]};
        for (int64_t line_u = first[0]; line_u <= last[0]; line_u++) {
            if ((at[0] | at[1] | at[2]) >= 0) {
                const double depth = depth_a + ((double)at[1] * per_b + (double)at[2] * per_c);
                const double link = floor(depth / LATTICE_SUBSTEPS);
                const double inside = depth - link * LATTICE_SUBSTEPS;
                const bool on_side = at[0] == 0 || at[1] == 0 || at[2] == 0;
                struct line_hit hit = {triangle, axis, line_u * LATTICE_SUBSTEPS, line_v * LATTICE_SUBSTEPS,
                                       on_side ? CROSSING_WHOLE / 2 : CROSSING_WHOLE};
                if (inside <= DEPTH_ERROR || inside >= LATTICE_SUBSTEPS - DEPTH_ERROR) {
                    const struct fraction exact = crossing_depth(&hit);
                    record_exactly(triangles, index, &hit, exact, exact, cuts);
                } else if (link >= (double)block_first && link <= (double)(block_first + 7)) {
                    record_hit(triangles, index, &hit, (int64_t)link, inside, inside, cuts);
                }
            }
            for (int i = 0; i < 3; i++)
                at[i] += step_u[i];
        }
        for (int i = 0; i < 3; i++)
            weight[i] += step_v[i];
    }
}

void link_test_apply(const struct snapped_triangle *triangles, uint32_t index, struct block_cuts *cuts)
{
    const struct snapped_triangle *triangle = &triangles[index];
    int32_t low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = triangle->corner[0][axis];
        for (int corner = 1; corner < 3; corner++) {
            const int32_t value = triangle->corner[corner][axis];
            low[axis] = value < low[axis] ? value : low[axis];
            high[axis] = value > high[axis] ? value : high[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++)
        apply_axis(triangles, index, axis, low, high, cuts);
}
