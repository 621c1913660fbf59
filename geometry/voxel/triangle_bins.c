#include "geometry/voxel/triangle_bins.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/base/array_room.h"

/* These limits keep edge functions within int64 and block keys within 20 bits. */
#define CORNER_LOW  (-(INT64_C(1) << BLOCK_SUBSTEPS_LOG2))
#define CORNER_HIGH (INT64_C(1) << 30)

/* Bound of the rounding in the double arithmetic below [sub-steps]: 2^30 * 2^-50, and a margin. */
#define MARGIN 0.01

struct pair {
    uint64_t key;
    uint32_t triangle;
    uint32_t reserved;
};

struct pairs {
    size_t count, room;
    struct pair *pair;
};

void triangle_bins_free(struct triangle_bins *bins)
{
    free(bins->snapped);
    free(bins->key);
    free(bins->first);
    free(bins->triangle);
    *bins = (struct triangle_bins){0};
}

int snap_triangles(const struct mesh *mesh, const struct lattice *lattice, struct snapped_triangle *out,
                   struct failure *failure)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        out[t].rank = mesh_face_rank(mesh, t);
        for (int corner = 0; corner < 3; corner++) {
            const double *position = mesh->vertex[mesh->triangle[t][corner]];
            for (int axis = 0; axis < 3; axis++) {
                const int64_t snapped = lattice_snap(lattice, axis, position[axis]);
                if (snapped > CORNER_HIGH)
                    return failure_advise(
                        failure_set(
                            failure, FAILURE_CAPACITY,
                            "a vertex at (%g, %g, %g) m is %.4g nodes from the first one, but at most "
                            "%lld fit along an axis",
                            position[0], position[1], position[2], (double)snapped / LATTICE_SUBSTEPS,
                            (long long)LATTICE_NODES_MAX),
                        failure, ADVICE_COARSER_GRID, 0);
                if (!(snapped >= CORNER_LOW))
                    return failure_set(failure, FAILURE_INPUT,
                                       "a vertex at (%g, %g, %g) m lies outside the lattice, which starts at "
                                       "(%g, %g, %g) m",
                                       position[0], position[1], position[2], lattice->origin[0],
                                       lattice->origin[1], lattice->origin[2]);
                out[t].corner[corner][axis] = (int32_t)snapped;
            }
        }
    }
    return 0;
}

static int pairs_add(struct pairs *pairs, const int32_t place[3], uint32_t triangle, struct failure *failure)
{
    struct pair *grown = array_room(pairs->pair, &pairs->room, pairs->count + 1, sizeof *grown,
                                    "the blocks that triangles touch", failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    pairs->pair = grown;
    pairs->pair[pairs->count++] = (struct pair){.key = block_key(place), .triangle = triangle};
    return 0;
}

/** Range of coordinate u over the part of the triangle's projection with v in [v_low, v_high]. */
static void clip_to_strip(const struct snapped_triangle *triangle, int u, int v, double v_low, double v_high,
                          double *u_low, double *u_high)
{
    *u_low = INFINITY;
    *u_high = -INFINITY;
    for (int edge = 0; edge < 3; edge++) {
        const int32_t *from = triangle->corner[edge], *to = triangle->corner[(edge + 1) % 3];
        double v0 = from[v], v1 = to[v], u0 = from[u], u1 = to[u];
        if (v0 > v1) {
            double swap = v0;
            v0 = v1, v1 = swap;
            swap = u0;
            u0 = u1, u1 = swap;
        }
        if (v1 < v_low || v0 > v_high)
            continue;
        const double slope = v1 > v0 ? (u1 - u0) / (v1 - v0) : 0;
        const double start = v0 < v_low ? u0 + slope * (v_low - v0) : u0;
        const double end = v1 > v_high ? u0 + slope * (v_high - v0) : u1;
        *u_low = fmin(*u_low, fmin(start, end));
        *u_high = fmax(*u_high, fmax(start, end));
    }
}

static int32_t cube_of(double substep, double cube)
{
    return (int32_t)floor(substep / cube);
}

/* Take strips of cubes along u, the part of the triangle in each strip, and for each cube the range of the
 * plane along the axis nearest to the normal. So a sloping roof visits only cubes along it, not all of its
 * box. */
int triangle_cubes(const struct snapped_triangle *snapped, const struct cube_range *range,
                   int (*visit)(void *context, const int32_t place[3]), void *context)
{
    struct snapped_triangle triangle;
    int64_t edge[2][3];
    int32_t low[3], high[3], first[3], last[3];
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++)
            triangle.corner[i][axis] = snapped->corner[i][axis] + range->shift;
        const int32_t a = triangle.corner[0][axis], b = triangle.corner[1][axis],
                      c = triangle.corner[2][axis];
        edge[0][axis] = (int64_t)b - a;
        edge[1][axis] = (int64_t)c - a;
        low[axis] = a < b ? (a < c ? a : c) : (b < c ? b : c);
        high[axis] = a > b ? (a > c ? a : c) : (b > c ? b : c);
        first[axis] = low[axis] >> range->log2;
        last[axis] = high[axis] >> range->log2;
        first[axis] = first[axis] > range->first[axis] ? first[axis] : range->first[axis];
        last[axis] = last[axis] < range->last[axis] ? last[axis] : range->last[axis];
    }
    int64_t normal[3];
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        normal[axis] = edge[0][u] * edge[1][v] - edge[0][v] * edge[1][u];
    }
    if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0)
        return 0;
    int depth = 0;
    for (int axis = 1; axis < 3; axis++)
        if (llabs(normal[axis]) > llabs(normal[depth]))
            depth = axis;
    const int u = (depth + 1) % 3, v = (depth + 2) % 3;
    const double cube = (double)(INT64_C(1) << range->log2);
    const double slope_u = -(double)normal[u] / (double)normal[depth];
    const double slope_v = -(double)normal[v] / (double)normal[depth];
    for (int32_t place_v = first[v]; place_v <= last[v]; place_v++) {
        const double v_low = fmax(place_v * cube, low[v]), v_high = fmin((place_v + 1) * cube, high[v]);
        double strip_low, strip_high;
        clip_to_strip(&triangle, u, v, v_low, v_high, &strip_low, &strip_high);
        strip_low = fmax(strip_low - MARGIN, low[u]);
        strip_high = fmin(strip_high + MARGIN, high[u]);
        const int32_t start_u = cube_of(strip_low, cube), end_u = cube_of(strip_high, cube);
        for (int32_t place_u = start_u > first[u] ? start_u : first[u];
             place_u <= (end_u < last[u] ? end_u : last[u]); place_u++) {
            const double u_low = fmax(place_u * cube, strip_low);
            const double u_high = fmin((place_u + 1) * cube, strip_high);
            const double middle = triangle.corner[0][depth] +
                                  slope_u * ((u_low + u_high) / 2 - triangle.corner[0][u]) +
                                  slope_v * ((v_low + v_high) / 2 - triangle.corner[0][v]);
            const double reach =
                (fabs(slope_u) * (u_high - u_low) + fabs(slope_v) * (v_high - v_low)) / 2 + MARGIN;
            const int32_t start = cube_of(fmax(middle - reach, low[depth]), cube);
            const int32_t end = cube_of(fmin(middle + reach, high[depth]), cube);
            int32_t place[3];
            place[u] = place_u;
            place[v] = place_v;
            for (place[depth] = start > first[depth] ? start : first[depth];
                 place[depth] <= (end < last[depth] ? end : last[depth]); place[depth]++)
                TRY(visit(context, place));
        }
    }
    return 0;
}

struct binning {
    struct pairs *pairs;
    uint32_t triangle;
    struct failure *failure;
};

static int bin_at(void *context, const int32_t place[3])
{
    const struct binning *binning = context;
    return pairs_add(binning->pairs, place, binning->triangle, binning->failure);
}

/** Stable radix sort by key, 10 bits a pass, only over the bits in use; triangles of a block stay rising. */
static int sort_pairs(struct pairs *pairs, struct failure *failure)
{
    uint64_t used = 0;
    for (size_t i = 0; i < pairs->count; i++)
        used |= pairs->pair[i].key ^ pairs->pair[0].key;
    if (used == 0)
        return 0;
    struct pair *spare = malloc(pairs->count * sizeof *spare);
    if (spare == NULL)
        return failure_memory(failure, pairs->count * sizeof *spare,
                              "sorting the blocks that triangles touch");
    for (int shift = 0; shift < 60; shift += 10) {
        if ((used >> shift & 1023) == 0)
            continue;
        size_t start[1025] = {0};
        for (size_t i = 0; i < pairs->count; i++)
            start[(pairs->pair[i].key >> shift & 1023) + 1]++;
        for (int digit = 0; digit < 1024; digit++)
            start[digit + 1] += start[digit];
        for (size_t i = 0; i < pairs->count; i++)
            spare[start[pairs->pair[i].key >> shift & 1023]++] = pairs->pair[i];
        struct pair *swap = pairs->pair;
        pairs->pair = spare;
        spare = swap;
    }
    pairs->room = pairs->count;
    free(spare);
    return 0;
}

static int group_pairs(const struct pairs *pairs, struct triangle_bins *bins, struct failure *failure)
{
    for (size_t i = 0; i < pairs->count; i++)
        bins->block_count += i == 0 || pairs->pair[i].key != pairs->pair[i - 1].key;
    bins->key = malloc((bins->block_count + 1) * sizeof *bins->key);
    bins->first = malloc((bins->block_count + 1) * sizeof *bins->first);
    bins->triangle = malloc((pairs->count + 1) * sizeof *bins->triangle);
    if (bins->key == NULL || bins->first == NULL || bins->triangle == NULL)
        return failure_memory(failure, 16 * bins->block_count + 4 * pairs->count,
                              "the triangles of every block");
    size_t block = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        if (i == 0 || pairs->pair[i].key != pairs->pair[i - 1].key) {
            bins->key[block] = pairs->pair[i].key;
            bins->first[block++] = i;
        }
        bins->triangle[i] = pairs->pair[i].triangle;
    }
    bins->first[block] = pairs->count;
    return 0;
}

int triangle_bins_of(const struct snapped_triangle *snapped, size_t count, int32_t shift,
                     struct triangle_bins *out, struct failure *failure)
{
    const struct cube_range everywhere = {.log2 = BLOCK_SUBSTEPS_LOG2,
                                          .shift = shift,
                                          .first = {INT32_MIN, INT32_MIN, INT32_MIN},
                                          .last = {INT32_MAX, INT32_MAX, INT32_MAX}};
    struct triangle_bins bins = {0};
    struct pairs pairs = {0};
    int result = 0;
    for (size_t t = 0; t < count && result == 0; t++) {
        struct binning binning = {.pairs = &pairs, .triangle = (uint32_t)t, .failure = failure};
        result = triangle_cubes(&snapped[t], &everywhere, bin_at, &binning);
    }
    if (result == 0 && (result = sort_pairs(&pairs, failure)) == 0 &&
        (result = group_pairs(&pairs, &bins, failure)) == 0) {
        *out = bins;
        bins = (struct triangle_bins){0};
    }
    free(pairs.pair);
    triangle_bins_free(&bins);
    return result;
}

int triangle_bins_make(const struct mesh *mesh, const struct lattice *lattice, struct triangle_bins *out,
                       struct failure *failure)
{
    const size_t bytes = mesh->triangle_count * sizeof(struct snapped_triangle);
    struct snapped_triangle *snapped = malloc(bytes != 0 ? bytes : 1);
    if (snapped == NULL)
        return failure_memory(failure, bytes, "the triangles on the lattice");
    int result = snap_triangles(mesh, lattice, snapped, failure);
    if (result == 0)
        result = triangle_bins_of(snapped, mesh->triangle_count, 0, out, failure);
    if (result != 0)
        free(snapped);
    else
        out->snapped = snapped;
    return result;
}
