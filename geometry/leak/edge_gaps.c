#include "geometry/leak/edge_gaps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/array_room.h"
#include "geometry/base/vector.h"
#include "geometry/mesh/edges.h"

#define STEP      0.25 /* longest strip [m] */
#define SHORT     0.01 /* samples are this part of a strip short of the ends of an edge */
#define HALVINGS  6    /* of a strip, to find where a crack ends */
#define ALIKE     1.25 /* ratio of widths within one crack around a corner .. */
#define ALIKE_BY  1e-3 /* .. or their difference [m] */
#define SPANNED   0.8  /* a crack narrower by this ratio through the middle of a strip .. */
#define CENTRAL   0.45 /* .. within this part of its width */
#define COMPACT   3    /* gaps up to this length over width are holes, with sides all around */
#define OVERLAP   0.5  /* closing strips are longer by this part of their width at each end .. */
#define PAST      0.1  /* .. and wider by this part .. */
#define PAST_ALSO 1e-3 /* .. and this much, both [m] */

void edge_gaps_free(struct edge_gaps *gaps)
{
    free(gaps->strip);
    free(gaps->gap);
    *gaps = (struct edge_gaps){0};
}

/* ---- measuring ---- */

/** The plane across an edge, in which the first axis leads away from the edge's triangle. */
struct section {
    const struct mesh *mesh;
    const double *vertex[2]; /* of the edge */
    double place[3], along[3], ahead[3], side[3];
    double best, offset[2]; /* of the nearest wall in front, in that plane */
};

static bool section_make(const struct mesh *mesh, const struct edge *edge, struct section *section)
{
    const uint32_t *const corner = mesh->triangle[edge->wing[0]];
    const double *a = mesh->vertex[edge->vertex[0]], *b = mesh->vertex[edge->vertex[1]];
    double centre[3], inward[3];
    section->mesh = mesh;
    section->vertex[0] = a;
    section->vertex[1] = b;
    vector_subtract(b, a, section->along);
    const double length = vector_length(section->along);
    for (int axis = 0; axis < 3; ++axis) {
        section->along[axis] /= length;
        centre[axis] =
            (mesh->vertex[corner[0]][axis] + mesh->vertex[corner[1]][axis] + mesh->vertex[corner[2]][axis]) /
            3;
    }
    vector_subtract(centre, a, inward);
    vector_along(inward, -vector_dot(inward, section->along), section->along, inward);
    const double depth = vector_length(inward);
    if (!(length > 0) || !(depth > 1e-9 * length))
        return false;
    for (int axis = 0; axis < 3; ++axis)
        section->ahead[axis] = -inward[axis] / depth;
    vector_cross(section->along, section->ahead, section->side);
    return true;
}

/** True if a triangle has both ends of the edge: it lies beside the edge, not in front of it. */
static bool has_edge(const struct section *section, const uint32_t corner[3])
{
    bool has[2] = {false, false};
    for (int n = 0; n < 3; ++n)
        for (int end = 0; end < 2; ++end)
            has[end] = has[end] || vector_equal(section->mesh->vertex[corner[n]], section->vertex[end]);
    return has[0] && has[1];
}

/** The nearest point in front of the edge in which a triangle meets the plane. */
static void visit_triangle(uint32_t triangle, void *context)
{
    struct section *const section = context;
    const uint32_t *const corner = section->mesh->triangle[triangle];
    double flat[3][2], height[3], end[2][2];
    int ends = 0;
    for (int n = 0; n < 3; ++n) {
        double offset[3];
        vector_subtract(section->mesh->vertex[corner[n]], section->place, offset);
        flat[n][0] = vector_dot(offset, section->ahead);
        flat[n][1] = vector_dot(offset, section->side);
        height[n] = vector_dot(offset, section->along);
    }
    for (int n = 0; n < 3 && ends < 2; ++n) {
        const int next = (n + 1) % 3;
        if ((height[n] <= 0) == (height[next] <= 0))
            continue;
        const double t = height[n] / (height[n] - height[next]);
        for (int axis = 0; axis < 2; ++axis)
            end[ends][axis] = flat[n][axis] + t * (flat[next][axis] - flat[n][axis]);
        ++ends;
    }
    if (ends < 2 || (end[0][0] < 0 && end[1][0] < 0) || has_edge(section, corner))
        return;
    for (int n = 0; n < 2; ++n) /* cut off the part behind the edge */
        if (end[n][0] < 0) {
            const double t = end[n][0] / (end[n][0] - end[!n][0]);
            end[n][1] += t * (end[!n][1] - end[n][1]);
            end[n][0] = 0;
        }
    const double run[2] = {end[1][0] - end[0][0], end[1][1] - end[0][1]};
    const double squared = run[0] * run[0] + run[1] * run[1];
    const double foot = squared > 0 ? -(end[0][0] * run[0] + end[0][1] * run[1]) / squared : 0;
    const double t = smaller(1, larger(0, foot));
    const double near[2] = {end[0][0] + t * run[0], end[0][1] + t * run[1]};
    const double distance = hypot(near[0], near[1]);
    if (distance < section->best) {
        section->best = distance;
        memcpy(section->offset, near, sizeof near);
    }
}

/** Distance to the wall in front of section->place; infinite if there is none up to `width`. Searches nearby
 * first, since dense models have many triangles within the width. */
static double measure_width(const struct clearance *tree, double width, struct section *section)
{
    section->best = INFINITY;
    for (double reach = width / 16; reach <= width && section->best > reach; reach *= 4) {
        double low[3], high[3];
        section->best = INFINITY;
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = section->place[axis] - reach;
            high[axis] = section->place[axis] + reach;
        }
        clearance_visit(tree, low, high, visit_triangle, section);
    }
    return section->best <= width ? section->best : INFINITY;
}

/* ---- strips ---- */

struct strips {
    struct edge_strip *strip;
    size_t count, room;
};

static size_t intervals_of(const struct mesh *mesh, const struct edge *edge)
{
    const double length = vector_distance(mesh->vertex[edge->vertex[1]], mesh->vertex[edge->vertex[0]]);
    return (size_t)larger(2, ceil(smaller(length / STEP, EDGE_STRIPS_MOST)));
}

struct sample {
    double place[3], across[3], width;
};

static bool is_gap(const struct sample *sample)
{
    return sample->width > EDGE_GAP_LEAST && isfinite(sample->width);
}

static int add_strip(const struct sample *a, const struct sample *b, const struct section *section,
                     size_t edge, uint16_t material, struct strips *strips, struct failure *failure)
{
    struct edge_strip *const grown =
        array_room(strips->strip, &strips->room, strips->count + 1, sizeof *grown, "cracks", failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    strips->strip = grown;
    struct edge_strip *const strip = &grown[strips->count++];
    *strip = (struct edge_strip){.edge = edge, .material = material, .width = larger(a->width, b->width)};
    memcpy(strip->at[0], a->place, sizeof a->place);
    memcpy(strip->at[1], b->place, sizeof b->place);
    memcpy(strip->across[0], a->across, sizeof a->across);
    memcpy(strip->across[1], b->across, sizeof b->across);
    double across[3];
    for (int axis = 0; axis < 3; ++axis) {
        across[axis] = (a->across[axis] + b->across[axis]) / 2;
        strip->middle[axis] = (a->place[axis] + b->place[axis] + across[axis]) / 2;
    }
    vector_cross(section->along, across, strip->normal);
    const double length = vector_length(strip->normal);
    for (int axis = 0; axis < 3; ++axis)
        strip->normal[axis] /= length;
    return 0;
}

static void measure_sample(const struct clearance *tree, double width, double at, struct section *section,
                           struct sample *sample)
{
    for (int axis = 0; axis < 3; ++axis)
        section->place[axis] =
            section->vertex[0][axis] + at * (section->vertex[1][axis] - section->vertex[0][axis]);
    memcpy(sample->place, section->place, sizeof sample->place);
    sample->width = measure_width(tree, width, section);
    for (int axis = 0; axis < 3; ++axis)
        sample->across[axis] = isfinite(sample->width) ? section->offset[0] * section->ahead[axis] +
                                                             section->offset[1] * section->side[axis]
                                                       : 0;
}

/** The last place beside the crack between one inside, at `gap`, and one outside, at `none`. */
static struct sample find_end(const struct clearance *tree, double width, double gap, double none,
                              const struct sample *known, struct section *section)
{
    struct sample end = *known;
    for (int n = 0; n < HALVINGS; ++n) {
        struct sample middle;
        measure_sample(tree, width, (gap + none) / 2, section, &middle);
        if (is_gap(&middle)) {
            gap = (gap + none) / 2;
            end = middle;
        } else {
            none = (gap + none) / 2;
        }
    }
    return end;
}

static int add_edge(const struct clearance *tree, const struct edge *edge, size_t index, double width,
                    struct strips *strips, struct failure *failure)
{
    const struct mesh *const mesh = tree->mesh;
    const uint16_t material = mesh->triangle_material[edge->wing[0]];
    struct section section;
    struct sample before = {0};
    double was = 0;
    if (!section_make(mesh, edge, &section))
        return 0;
    const size_t intervals = intervals_of(mesh, edge);
    for (size_t n = 0; n <= intervals && strips->count <= EDGE_STRIPS_MOST; ++n) {
        struct sample sample;
        const double at = smaller((double)intervals - SHORT, larger(SHORT, (double)n)) / (double)intervals;
        measure_sample(tree, width, at, &section, &sample);
        const struct sample next = sample;
        if (n > 0 && is_gap(&before) && !is_gap(&sample))
            sample = find_end(tree, width, was, at, &before, &section);
        else if (n > 0 && !is_gap(&before) && is_gap(&sample))
            before = find_end(tree, width, at, was, &sample, &section);
        if (n > 0 && is_gap(&before) && is_gap(&sample) && !vector_equal(before.place, sample.place))
            TRY(add_strip(&before, &sample, &section, index, material, strips, failure));
        before = next;
        was = at;
    }
    return 0;
}

/* ---- joining strips to gaps ---- */

static size_t root_of(size_t *parent, size_t n)
{
    while (parent[n] != n)
        n = parent[n] = parent[parent[n]];
    return n;
}

static double half_length(const struct edge_strip *strip)
{
    return vector_distance(strip->at[0], strip->at[1]) / 2;
}

/** The middle of the crack at one end of a strip. */
static void strip_end(const struct edge_strip *strip, int end, double out[3])
{
    vector_along(strip->at[end], 0.5, strip->across[end], out);
}

/** True if the middle of `b` lies on the line of `a`, no farther along it from the middle of `a` than given.
 */
static bool is_beside(const struct edge_strip *a, const struct edge_strip *b, double farthest)
{
    double along[3], apart[3];
    vector_subtract(b->middle, a->middle, apart);
    vector_subtract(a->at[1], a->at[0], along);
    const double length = vector_length(along);
    const double forward = length > 0 ? fabs(vector_dot(apart, along)) / length : 0;
    const double beside = sqrt(larger(0, vector_dot(apart, apart) - forward * forward));
    return beside <= 0.75 * larger(a->width, b->width) && forward <= farthest;
}

/** True if two strips belong to one gap. */
static bool is_same_gap(const struct edge_strip *a, const struct edge_strip *b)
{
    const double least = smaller(a->width, b->width), most = larger(a->width, b->width);
    const double apart = vector_distance(b->middle, a->middle);
    if (apart <= CENTRAL * most)
        return true;
    if (a->edge == b->edge && apart <= 1.1 * (half_length(a) + half_length(b)))
        return true;
    if (most > ALIKE * least && most > least + ALIKE_BY)
        return false;
    for (int n = 0; n < 4; ++n) {
        double end[2][3];
        strip_end(a, n / 2, end[0]);
        strip_end(b, n % 2, end[1]);
        if (vector_distance(end[0], end[1]) <= a->width + b->width + SHORT * STEP)
            return true;
    }
    return is_beside(a, b, half_length(a) + half_length(b) + most);
}

/** Strips by cells as large as the largest distance of two strips of one gap. */
struct bucket {
    int64_t cell[3];
    size_t strip;
};

static int by_cell(const void *left, const void *right)
{
    const struct bucket *const a = left, *const b = right;
    for (int axis = 0; axis < 3; ++axis)
        if (a->cell[axis] != b->cell[axis])
            return a->cell[axis] < b->cell[axis] ? -1 : 1;
    return (a->strip > b->strip) - (a->strip < b->strip);
}

static size_t first_of_cell(const struct bucket *bucket, size_t count, const int64_t cell[3])
{
    size_t low = 0, high = count;
    struct bucket wanted = {.strip = 0};
    memcpy(wanted.cell, cell, sizeof wanted.cell);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_cell(&bucket[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void unite_strips(struct edge_strip *strip, size_t a, size_t b, size_t *parent)
{
    struct edge_strip *const narrow = strip[a].width < strip[b].width ? &strip[a] : &strip[b];
    struct edge_strip *const wide = narrow == &strip[a] ? &strip[b] : &strip[a];
    if (!is_same_gap(&strip[a], &strip[b]))
        return;
    parent[root_of(parent, a)] = root_of(parent, b);
    if (strip[a].edge != strip[b].edge) { /* the two sides of a crack */
        strip[a].faced = strip[a].faced || is_beside(&strip[b], &strip[a], half_length(&strip[b]));
        strip[b].faced = strip[b].faced || is_beside(&strip[a], &strip[b], half_length(&strip[a]));
    }
    wide->spans = wide->spans || (narrow->width < SPANNED * wide->width &&
                                  vector_distance(narrow->middle, wide->middle) <= CENTRAL * wide->width);
}

/** Give strip.gap to all, numbered from 0; returns how many gaps there are. */
static size_t number_gaps(struct edge_strip *strip, size_t count, double width, struct bucket *bucket,
                          size_t *parent)
{
    const double side = STEP + 2 * width;
    size_t gaps = 0;
    for (size_t n = 0; n < count; ++n) {
        parent[n] = n;
        bucket[n].strip = n;
        for (int axis = 0; axis < 3; ++axis)
            bucket[n].cell[axis] = (int64_t)floor(strip[n].middle[axis] / side);
    }
    qsort(bucket, count, sizeof *bucket, by_cell);
    for (size_t n = 0; n < count; ++n)
        for (int near = 0; near < 27; ++near) {
            int64_t cell[3];
            for (int axis = 0, rest = near; axis < 3; ++axis, rest /= 3)
                cell[axis] = bucket[n].cell[axis] + rest % 3 - 1;
            for (size_t m = first_of_cell(bucket, count, cell);
                 m < count && memcmp(bucket[m].cell, cell, sizeof cell) == 0; ++m)
                if (bucket[m].strip < bucket[n].strip)
                    unite_strips(strip, bucket[n].strip, bucket[m].strip, parent);
        }
    for (size_t n = 0; n < count; ++n)
        if (root_of(parent, n) == n)
            strip[n].gap = gaps++;
    for (size_t n = 0; n < count; ++n)
        strip[n].gap = strip[root_of(parent, n)].gap;
    return gaps;
}

/** Fill in one gap, whose strips are strip[first[0..count)]. */
static void describe_gap(const struct edge_strip *strip, const size_t *first, size_t count,
                         struct edge_gap *gap)
{
    double middle[3] = {0}, best = INFINITY, end[2][3];
    gap->width = gap->length = 0;
    for (size_t n = 0; n < count; ++n) {
        if (!strip[first[n]].spans)
            gap->width = larger(gap->width, strip[first[n]].width);
        for (int axis = 0; axis < 3; ++axis)
            middle[axis] += strip[first[n]].middle[axis] / (double)count;
    }
    for (size_t n = 0; n < count; ++n) {
        const struct edge_strip *const at = &strip[first[n]];
        const double apart = vector_distance(at->middle, middle);
        if (!at->spans && at->width >= 0.95 * gap->width && apart < best) {
            best = apart;
            memcpy(gap->position, at->middle, sizeof gap->position);
            memcpy(gap->normal, at->normal, sizeof gap->normal);
        }
    }
    memcpy(end[0], middle, sizeof middle);
    for (int pass = 0; pass < 2;
         ++pass) { /* first the end farthest from the middle, then the end farthest from that */
        double farthest = -1;
        memcpy(end[1], end[0], sizeof end[1]);
        for (size_t n = 0; n < count; ++n)
            for (int of = 0; of < 2; ++of)
                if (vector_distance(strip[first[n]].at[of], end[1]) > farthest) {
                    farthest = vector_distance(strip[first[n]].at[of], end[1]);
                    memcpy(end[0], strip[first[n]].at[of], sizeof end[0]);
                }
        gap->length = farthest;
    }
    double sum = 0;
    for (size_t n = 0; n < count; ++n)
        sum += (strip[first[n]].faced ? 1 : 2) * half_length(&strip[first[n]]);
    if (gap->length > COMPACT * gap->width)
        gap->length = sum;
}

/** Describe every gap; bucket[] is used anew, for the strips by gap. */
static int make_gaps(struct edge_gaps *gaps, struct bucket *bucket, size_t *order, struct failure *failure)
{
    const size_t bytes = (gaps->gap_count + 1) * sizeof *gaps->gap, count = gaps->strip_count;
    gaps->gap = malloc(bytes);
    if (gaps->gap == NULL)
        return failure_memory(failure, bytes, "cracks");
    for (size_t n = 0; n < count; ++n)
        bucket[n] = (struct bucket){.cell = {(int64_t)gaps->strip[n].gap}, .strip = n};
    qsort(bucket, count, sizeof *bucket, by_cell);
    for (size_t n = 0; n < count; ++n)
        order[n] = bucket[n].strip;
    for (size_t n = 0, next; n < count; n = next) {
        const size_t gap = gaps->strip[order[n]].gap;
        for (next = n; next < count && gaps->strip[order[next]].gap == gap;)
            ++next;
        describe_gap(gaps->strip, &order[n], next - n, &gaps->gap[gap]);
    }
    return 0;
}

static int join_strips(struct edge_gaps *gaps, double width, struct failure *failure)
{
    const size_t count = gaps->strip_count;
    struct bucket *const bucket = malloc((count + 1) * sizeof *bucket);
    size_t *const parent = malloc((count + 1) * sizeof *parent);
    int code = 0;
    if (bucket == NULL || parent == NULL) {
        code = failure_memory(failure, count * (sizeof *bucket + sizeof *parent), "cracks");
    } else if (count > 0) {
        gaps->gap_count = number_gaps(gaps->strip, count, width, bucket, parent);
        code = make_gaps(gaps, bucket, parent, failure);
    }
    free(bucket);
    free(parent);
    return code;
}

int edge_gaps_find(const struct clearance *tree, double width, struct edge_gaps *out, struct failure *failure)
{
    struct edges edges = {0};
    struct strips strips = {0};
    struct edge_gaps gaps = {.complete = true};
    int code = edges_make(tree->mesh, &edges, failure);
    for (size_t n = 0; code == 0 && n < edges.count && strips.count <= EDGE_STRIPS_MOST; ++n)
        if (edges.edge[n].wings == 1)
            code = add_edge(tree, &edges.edge[n], n, width, &strips, failure);
    edges_free(&edges);
    gaps.strip = strips.strip;
    gaps.strip_count = strips.count;
    if (strips.count > EDGE_STRIPS_MOST) {
        gaps.complete = false;
        gaps.strip_count = 0;
    }
    if (code == 0)
        code = join_strips(&gaps, width, failure);
    if (code != 0) {
        edge_gaps_free(&gaps);
        return code;
    }
    *out = gaps;
    return 0;
}

/* ---- one gap ---- */

int edge_gap_close(const struct edge_gaps *gaps, size_t gap, const double low[3], const double high[3],
                   struct mesh *mesh, struct failure *failure)
{
    for (size_t n = 0; n < gaps->strip_count; ++n) {
        const struct edge_strip *const strip = &gaps->strip[n];
        const double length = 2 * half_length(strip);
        uint32_t index[4];
        if (strip->gap != gap || !(length > 0))
            continue;
        for (int i = 0; i < 4; ++i) { /* near and far at the first end, far and near at the other */
            const int end = i / 2;
            const bool far = i == 1 || i == 2;
            const double across = vector_length(strip->across[end]);
            const double beyond = PAST * strip->width + PAST_ALSO;
            const double longer = (OVERLAP * strip->width + PAST_ALSO) / length;
            double corner[3];
            for (int axis = 0; axis < 3; ++axis) {
                corner[axis] = strip->at[end][axis] +
                               longer * (strip->at[end][axis] - strip->at[!end][axis]) +
                               strip->across[end][axis] *
                                   (across > 0 ? (far ? 1 + beyond / across : -beyond / across) : 0);
                corner[axis] = larger(low[axis], smaller(high[axis], corner[axis]));
            }
            TRY(mesh_add_vertex(mesh, corner, &index[i], failure));
        }
        TRY(mesh_add_triangle(mesh, (const uint32_t[3]){index[0], index[1], index[2]}, strip->material,
                              failure));
        TRY(mesh_add_triangle(mesh, (const uint32_t[3]){index[0], index[2], index[3]}, strip->material,
                              failure));
    }
    return 0;
}

double edge_gap_distance(const struct edge_gaps *gaps, size_t gap, const double point[3])
{
    double least = INFINITY;
    for (size_t n = 0; n < gaps->strip_count; ++n) {
        const struct edge_strip *const strip = &gaps->strip[n];
        double along[3], apart[3];
        if (strip->gap != gap)
            continue;
        vector_subtract(strip->at[1], strip->at[0], along);
        vector_subtract(point, strip->middle, apart);
        const double squared = vector_dot(along, along);
        const double t = squared > 0 ? smaller(0.5, larger(-0.5, vector_dot(apart, along) / squared)) : 0;
        double nearest[3];
        vector_along(strip->middle, t, along, nearest);
        least = smaller(least, vector_distance(point, nearest));
    }
    return least;
}
