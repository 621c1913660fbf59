#include "geometry/base/join_groups.h"
#include "geometry/voxel/coplanar.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/array_room.h"
#include "geometry/base/vector.h"
#include "geometry/voxel/clearance.h"

#define CHUNK           512   /* triangles between two checks of the number of comparisons */
#define ONE_PLANE       0.999 /* least cosine between triangles of one plane; distances decide more exactly */
#define TOUCHING        1e-4  /* triangles of one face are no farther apart [m] */
#define TOUCHING_LENGTH 1e-3  /* and share at least this length [m] */
#define ONE_SIZE        1e-6  /* of an area */
#define CORNERS_MOST    10
#define PURPOSE         "the faces that lie on one another"

struct pair {
    uint32_t triangle[2]; /* rising */
    double area;          /* of the overlap [m2] */
    double place[3];
};

/** Triangles near one triangle, of its material or of others. */
struct seeker {
    const struct mesh *mesh;
    const double (*normal)[4]; /* (triangle_count) unit normal and area */
    uint32_t triangle;
    bool own_material;
    uint64_t compared;
    size_t count, room;
    struct pair *pair;
    bool lost; /* no memory */
};

static void unite_roots(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = group_root(parent, a);
    b = group_root(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

static const double *corner_of(const struct mesh *mesh, uint32_t triangle, int corner)
{
    return mesh->vertex[mesh->triangle[triangle][corner]];
}

/** True if all corners of a triangle are in the plane of a larger one. */
static bool lies_in(const struct seeker *seeker, uint32_t small, uint32_t large)
{
    const double *normal = seeker->normal[large];
    if (fabs(vector_dot(normal, seeker->normal[small])) < ONE_PLANE)
        return false;
    for (int i = 0; i < 3; i++) {
        double to[3];
        vector_subtract(corner_of(seeker->mesh, small, i), corner_of(seeker->mesh, large, 0), to);
        if (!(fabs(vector_dot(normal, to)) <= COPLANAR_DISTANCE))
            return false;
    }
    return true;
}

/** Cut off the part of a polygon more than `margin` outside the side from `from` to `to`, which has the
 * triangle on its left. */
static int clip_polygon(const double from[2], const double to[2], double margin, double (*corner)[2],
                        int corners)
{
    double kept[CORNERS_MOST][2], height[CORNERS_MOST];
    const double along[2] = {to[0] - from[0], to[1] - from[1]}, length = hypot(along[0], along[1]);
    int count = 0;
    for (int i = 0; i < corners; i++)
        height[i] =
            (along[0] * (corner[i][1] - from[1]) - along[1] * (corner[i][0] - from[0])) / length + margin;
    for (int i = 0; i < corners; i++) {
        const int next = (i + 1) % corners;
        if (height[i] >= 0)
            memcpy(kept[count++], corner[i], sizeof kept[0]);
        if ((height[i] < 0) != (height[next] < 0)) {
            const double part = height[i] / (height[i] - height[next]);
            for (int axis = 0; axis < 2; axis++)
                kept[count][axis] = corner[i][axis] + part * (corner[next][axis] - corner[i][axis]);
            count++;
        }
    }
    memcpy(corner, kept, (size_t)count * sizeof kept[0]);
    return count;
}

/** The overlap of two triangles in one plane, the larger one widened by `margin`: its area, its longest
 * extent and the mean of its corners. */
static double common_area(const struct seeker *seeker, uint32_t small, uint32_t large, double margin,
                          double *extent, double place[3])
{
    const struct mesh *mesh = seeker->mesh;
    const double *normal = seeker->normal[large];
    int drop = 0;
    for (int axis = 1; axis < 3; axis++)
        if (fabs(normal[axis]) > fabs(normal[drop]))
            drop = axis;
    const int u = (drop + 1) % 3, v = (drop + 2) % 3;
    double side[3][2], polygon[CORNERS_MOST][2], area = 0, sum[2] = {0, 0};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        const double *of = corner_of(mesh, large, normal[drop] > 0 ? i : 2 - i),
                     *own = corner_of(mesh, small, i);
        side[i][0] = of[u], side[i][1] = of[v];
        polygon[i][0] = own[u], polygon[i][1] = own[v];
    }
    int corners = 3;
    for (int i = 0; i < 3 && corners > 0; i++)
        corners = clip_polygon(side[i], side[(i + 1) % 3], margin, polygon, corners);
    *extent = 0;
    if (corners < 3)
        return 0;
    for (int i = 0; i < corners; i++) {
        const double *at = polygon[i], *next = polygon[(i + 1) % corners];
        area += (at[0] - polygon[0][0]) * (next[1] - polygon[0][1]) -
                (at[1] - polygon[0][1]) * (next[0] - polygon[0][0]);
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = smaller(low[axis], at[axis]);
            high[axis] = larger(high[axis], at[axis]);
            sum[axis] += at[axis] / corners;
        }
    }
    *extent = larger(high[0] - low[0], high[1] - low[1]);
    place[u] = sum[0];
    place[v] = sum[1];
    const double *at = corner_of(mesh, large, 0);
    place[drop] = at[drop] - (normal[u] * (sum[0] - at[u]) + normal[v] * (sum[1] - at[v])) / normal[drop];
    return fabs(area) / 2 / fabs(normal[drop]);
}

static void compare_pair(uint32_t other, void *context)
{
    struct seeker *seeker = context;
    const uint32_t triangle = seeker->triangle;
    const uint16_t *material = seeker->mesh->triangle_material;
    seeker->compared++;
    if (other == triangle || seeker->own_material != (material[other] == material[triangle]) ||
        (!seeker->own_material && other < triangle) || !(seeker->normal[other][3] > 0))
        return;
    const bool larger_one = seeker->normal[other][3] > seeker->normal[triangle][3];
    const uint32_t small = larger_one ? triangle : other, large = larger_one ? other : triangle;
    struct pair pair = {.triangle = {triangle, other}};
    double extent;
    if (!lies_in(seeker, small, large))
        return;
    const double margin = seeker->own_material ? TOUCHING : 0;
    pair.area = common_area(seeker, small, large, margin, &extent, pair.place);
    if (seeker->own_material) {
        if (extent < TOUCHING_LENGTH)
            return;
        pair.area = common_area(seeker, small, large, 0, &extent, pair.place);
    } else if (!(pair.area > COPLANAR_WIDTH_LEAST * extent)) {
        return;
    }
    struct pair *grown =
        array_room(seeker->pair, &seeker->room, seeker->count + 1, sizeof *grown, PURPOSE, NULL);
    seeker->lost = seeker->lost || grown == NULL;
    if (grown == NULL)
        return;
    seeker->pair = grown;
    seeker->pair[seeker->count++] = pair;
}

static void find_pairs_of(struct seeker *seeker, const struct clearance *tree, uint32_t triangle)
{
    double low[3], high[3];
    if (!(seeker->normal[triangle][3] > 0))
        return;
    seeker->triangle = triangle;
    for (int axis = 0; axis < 3; axis++) {
        const double a = corner_of(seeker->mesh, triangle, 0)[axis],
                     b = corner_of(seeker->mesh, triangle, 1)[axis],
                     c = corner_of(seeker->mesh, triangle, 2)[axis];
        low[axis] = smaller(a, smaller(b, c)) - COPLANAR_DISTANCE;
        high[axis] = larger(a, larger(b, c)) + COPLANAR_DISTANCE;
    }
    clearance_visit(tree, low, high, compare_pair, seeker);
}

static int by_triangles(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    for (int i = 0; i < 2; i++)
        if (a->triangle[i] != b->triangle[i])
            return a->triangle[i] < b->triangle[i] ? -1 : 1;
    return 0;
}

struct search {
    const struct mesh *mesh;
    struct clearance tree;
    double (*normal)[4];
    struct pair *pair; /* pairs of triangles of two materials */
    size_t pairs;
    bool complete;
    uint32_t *face;  /* (triangle_count) the representative of its face */
    uint32_t *plane; /* and its plane */
    bool *ranked;    /* its face overlaps another one */
    double *area;    /* of a face, at its representative [m2] */
};

static void search_free(struct search *search)
{
    clearance_free(&search->tree);
    free(search->normal);
    free(search->pair);
    free(search->face);
    free(search->plane);
    free(search->ranked);
    free(search->area);
}

/** Find all pairs of triangles of two materials that overlap in a plane. */
static int find_pairs(struct search *search, int team, struct failure *failure)
{
    const size_t triangles = search->mesh->triangle_count;
    struct seeker *seeker = calloc((size_t)team, sizeof *seeker);
    uint64_t compared = 0;
    size_t done = 0, room = 0;
    bool lost = seeker == NULL;
    for (int i = 0; i < team && !lost; i++)
        seeker[i] = (struct seeker){.mesh = search->mesh, .normal = (const double(*)[4])search->normal};
    while (done < triangles && compared < COPLANAR_WORK && !lost) {
        const size_t end = triangles - done > CHUNK ? done + CHUNK : triangles;
#pragma omp parallel for num_threads(team) schedule(dynamic, 8)
        for (size_t t = done; t < end; t++)
            find_pairs_of(&seeker[omp_get_thread_num()], &search->tree, (uint32_t)t);
        done = end;
        compared = 0;
        for (int i = 0; i < team; i++) {
            compared += seeker[i].compared;
            lost = lost || seeker[i].lost;
        }
    }
    search->complete = done == triangles;
    for (int i = 0; i < team && !lost; i++) {
        struct pair *grown = array_room(search->pair, &room, search->pairs + seeker[i].count + 1,
                                        sizeof *grown, PURPOSE, NULL);
        lost = grown == NULL;
        if (grown == NULL)
            break;
        search->pair = grown;
        if (seeker[i].count > 0)
            memcpy(&search->pair[search->pairs], seeker[i].pair, seeker[i].count * sizeof *grown);
        search->pairs += seeker[i].count;
    }
    for (int i = 0; seeker != NULL && i < team; i++)
        free(seeker[i].pair);
    free(seeker);
    if (lost)
        return failure_memory(failure, search->pairs * sizeof *search->pair, PURPOSE);
    if (search->pairs > 0)
        qsort(search->pair, search->pairs, sizeof *search->pair, by_triangles);
    return 0;
}

/** Find the faces of the triangles in pairs: all touching triangles of their material in their plane.
 * Overlaps within one material count once. */
static int grow_faces(struct search *search, struct failure *failure)
{
    const size_t triangles = search->mesh->triangle_count;
    struct seeker seeker = {
        .mesh = search->mesh, .normal = (const double(*)[4])search->normal, .own_material = true};
    uint32_t *queue = malloc((triangles + 1) * sizeof *queue);
    double *twice = calloc(triangles + 1, sizeof *twice); /* shared with other triangles of the face */
    size_t count = 0;
    int result = queue == NULL || twice == NULL
                     ? failure_memory(failure, triangles * (sizeof *queue + sizeof *twice), PURPOSE)
                     : 0;
    for (size_t p = 0; p < 2 * search->pairs && result == 0; p++) {
        const uint32_t triangle = search->pair[p / 2].triangle[p % 2];
        if (!search->ranked[triangle])
            queue[count++] = triangle;
        search->ranked[triangle] = true;
    }
    for (size_t at = 0; at < count && result == 0; at++) {
        seeker.count = 0;
        if (seeker.compared < COPLANAR_WORK)
            find_pairs_of(&seeker, &search->tree, queue[at]);
        else
            search->complete = false;
        for (size_t p = 0; p < seeker.count; p++) {
            const uint32_t other = seeker.pair[p].triangle[1];
            twice[queue[at]] += seeker.pair[p].area / 2;
            unite_roots(search->face, queue[at], other);
            if (!search->ranked[other])
                queue[count++] = other;
            search->ranked[other] = true;
        }
        if (seeker.lost)
            result = failure_memory(failure, seeker.count * sizeof *seeker.pair, PURPOSE);
    }
    for (size_t t = 0; t < triangles && result == 0; t++)
        if (search->ranked[t])
            search->area[group_root(search->face, (uint32_t)t)] += search->normal[t][3] - twice[t];
    free(seeker.pair);
    free(queue);
    free(twice);
    return result;
}

struct sized {
    double area;
    uint32_t face;
};

static int by_size(const void *left, const void *right)
{
    const struct sized *a = left, *b = right;
    if (a->area != b->area)
        return a->area < b->area ? -1 : 1;
    return (a->face > b->face) - (a->face < b->face);
}

static int rank_faces(struct search *search, struct face_overlaps *out, struct failure *failure)
{
    const size_t triangles = search->mesh->triangle_count;
    struct sized *sized = malloc((triangles + 1) * sizeof *sized);
    size_t count = 0;
    uint32_t rank = 1;
    if (sized == NULL)
        return failure_memory(failure, triangles * sizeof *sized, PURPOSE);
    for (size_t p = 0; p < search->pairs; p++)
        unite_roots(search->plane, search->pair[p].triangle[0], search->pair[p].triangle[1]);
    for (size_t t = 0; t < triangles; t++) {
        const uint32_t face = group_root(search->face, (uint32_t)t);
        unite_roots(search->plane, (uint32_t)t, face);
        if (search->ranked[t] && face == t)
            sized[count++] = (struct sized){.area = search->area[t], .face = face};
    }
    if (count > 0)
        qsort(sized, count, sizeof *sized, by_size);
    for (size_t i = 0; i < count; i++) {
        rank += i > 0 && sized[i].area > sized[i - 1].area * (1 + ONE_SIZE);
        out->rank[sized[i].face].rank = rank;
    }
    for (size_t t = 0; t < triangles; t++)
        if (search->ranked[t])
            out->rank[t] = (struct face_rank){.plane = group_root(search->plane, (uint32_t)t) + 1,
                                              .rank = out->rank[group_root(search->face, (uint32_t)t)].rank};
    free(sized);
    return 0;
}

static int by_materials(const void *left, const void *right)
{
    const struct face_overlap *a = left, *b = right;
    if (a->over != b->over)
        return a->over < b->over ? -1 : 1;
    if (a->under != b->under)
        return a->under < b->under ? -1 : 1;
    if (a->equal != b->equal)
        return a->equal ? 1 : -1;
    if (a->face != b->face)
        return a->face < b->face ? -1 : 1;
    return (a->area < b->area) - (a->area > b->area);
}

static int by_area(const void *left, const void *right)
{
    const struct face_overlap *a = left, *b = right;
    return a->area != b->area ? (a->area < b->area) - (a->area > b->area) : by_materials(left, right);
}

/** Sum the pairs by material and face. */
static int list_overlaps(const struct search *search, struct face_overlaps *out, struct failure *failure)
{
    struct face_overlap *overlap = malloc((search->pairs + 1) * sizeof *overlap);
    if (overlap == NULL)
        return failure_memory(failure, search->pairs * sizeof *overlap, PURPOSE);
    for (size_t p = 0; p < search->pairs; p++) {
        const struct pair *pair = &search->pair[p];
        const uint32_t *triangle = pair->triangle;
        const uint32_t rank[2] = {out->rank[triangle[0]].rank, out->rank[triangle[1]].rank};
        const int over = rank[1] < rank[0];
        overlap[p] = (struct face_overlap){.over = search->mesh->triangle_material[triangle[over]],
                                           .under = search->mesh->triangle_material[triangle[!over]],
                                           .equal = rank[0] == rank[1],
                                           .face = group_root(search->face, triangle[over]),
                                           .triangle = triangle[over],
                                           .area = pair->area};
        memcpy(overlap[p].place, pair->place, sizeof pair->place);
    }
    qsort(overlap, search->pairs, sizeof *overlap, by_materials);
    for (size_t p = 0; p < search->pairs; p++) {
        struct face_overlap *last = out->count > 0 ? &overlap[out->count - 1] : NULL;
        if (last != NULL && last->face == overlap[p].face && last->under == overlap[p].under &&
            last->equal == overlap[p].equal)
            last->area += overlap[p].area; /* the largest part came first */
        else
            overlap[out->count++] = overlap[p];
    }
    qsort(overlap, out->count, sizeof *overlap, by_area);
    out->overlap = overlap;
    return 0;
}

static int prepare_search(struct search *search, struct failure *failure)
{
    const size_t triangles = search->mesh->triangle_count;
    search->normal = malloc((triangles + 1) * sizeof *search->normal);
    if (search->normal == NULL)
        return failure_memory(failure, triangles * sizeof *search->normal, PURPOSE);
    for (size_t t = 0; t < triangles; t++) {
        double normal[3];
        mesh_normal(search->mesh, t, normal);
        const double length = vector_length(normal);
        for (int axis = 0; axis < 3; axis++)
            search->normal[t][axis] = length > 0 ? normal[axis] / length : 0;
        search->normal[t][3] = length / 2;
    }
    return clearance_make(search->mesh, &search->tree, failure);
}

static int join_pairs(struct search *search, struct face_overlaps *out, struct failure *failure)
{
    const size_t triangles = search->mesh->triangle_count;
    out->triangle_count = triangles;
    out->rank = calloc(triangles + 1, sizeof *out->rank);
    search->face = malloc((triangles + 1) * sizeof *search->face);
    search->plane = malloc((triangles + 1) * sizeof *search->plane);
    search->ranked = calloc(triangles + 1, sizeof *search->ranked);
    search->area = calloc(triangles + 1, sizeof *search->area);
    if (out->rank == NULL || search->face == NULL || search->plane == NULL || search->ranked == NULL ||
        search->area == NULL)
        return failure_memory(failure, triangles * (sizeof *out->rank + sizeof *search->area), PURPOSE);
    for (size_t t = 0; t < triangles; t++)
        search->face[t] = search->plane[t] = (uint32_t)t;
    TRY(grow_faces(search, failure));
    TRY(rank_faces(search, out, failure));
    TRY(list_overlaps(search, out, failure));
    out->complete = search->complete;
    return 0;
}

int face_overlaps_find(struct mesh *mesh, int threads, struct failure *failure)
{
    struct search search = {.mesh = mesh};
    struct face_overlaps *out = NULL;
    face_overlaps_free(mesh->overlaps);
    mesh->overlaps = NULL;
    if (mesh->material_count < 2)
        return 0;
    int result = prepare_search(&search, failure);
    if (result == 0)
        result = find_pairs(&search, threads > 0 ? threads : omp_get_max_threads(), failure);
    if (result == 0 && search.pairs > 0) {
        out = calloc(1, sizeof *out);
        result =
            out == NULL ? failure_memory(failure, sizeof *out, PURPOSE) : join_pairs(&search, out, failure);
    }
    search_free(&search);
    if (result == 0)
        mesh->overlaps = out;
    else
        face_overlaps_free(out);
    return result;
}
