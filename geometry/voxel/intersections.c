#include "geometry/voxel/intersections.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/mesh/triangle_pair.h"
#include "geometry/voxel/clearance.h"

/* Triangles between two checks of the work done: few where many pairs are tested, more elsewhere, so that
 * threads seldom wait for each other. */
#define CHUNK_LEAST 256
#define CHUNK_MOST  2048
#define CALM        64 /* pairs tested for each triangle */

/** The longest crossings so far. */
struct crossing_list {
    size_t limit, count;
    struct mesh_crossing *crossing; /* (limit + 1), longest first */
};

/** The search of one thread. */
struct seeker {
    const struct mesh *mesh;
    const double (*step)[3]; /* (vertex_count) coordinates in steps of the grid */
    const bool *flat;        /* (triangle_count) without area */
    double grid, tolerance;  /* tolerance in steps */
    uint32_t triangle;       /* whose partners are sought */
    struct triangle_corners corners;
    uint64_t tested, pairs;
    struct crossing_list list;
};

double mesh_touch_tolerance(const struct mesh *mesh)
{
    double most = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        for (int axis = 0; axis < 3; axis++)
            most = larger(most, fabs(mesh->vertex[i][axis]));
    return most * 0x1p-22;
}

void mesh_intersections_free(struct mesh_intersections *found)
{
    free(found->crossing);
    *found = (struct mesh_intersections){0};
}

static bool comes_before(const struct mesh_crossing *a, const struct mesh_crossing *b)
{
    if (a->length != b->length)
        return a->length > b->length;
    if (a->triangle[0] != b->triangle[0])
        return a->triangle[0] < b->triangle[0];
    return a->triangle[1] < b->triangle[1];
}

static void list_crossing(struct crossing_list *list, const struct mesh_crossing *crossing)
{
    size_t at = list->count;
    while (at > 0 && comes_before(crossing, &list->crossing[at - 1]))
        at--;
    if (at == list->limit)
        return;
    const size_t last = list->count < list->limit ? list->count++ : list->limit - 1;
    memmove(&list->crossing[at + 1], &list->crossing[at], (last - at) * sizeof *list->crossing);
    list->crossing[at] = *crossing;
}

static void corners_of(const struct seeker *seeker, uint32_t triangle, struct triangle_corners *out)
{
    for (int corner = 0; corner < 3; corner++)
        memcpy(out->at[corner], seeker->step[seeker->mesh->triangle[triangle][corner]],
               sizeof out->at[corner]);
}

static void test_pair(uint32_t triangle, void *context)
{
    struct seeker *seeker = context;
    if (triangle <= seeker->triangle || seeker->flat[triangle])
        return;
    struct triangle_corners corners;
    struct triangle_meeting meeting;
    seeker->tested++;
    corners_of(seeker, triangle, &corners);
    triangle_pair_test(&seeker->corners, &corners, seeker->tolerance, &meeting);
    if (!meeting.crosses)
        return;
    seeker->pairs++;
    struct mesh_crossing crossing = {.triangle = {seeker->triangle, triangle},
                                     .one_plane = meeting.one_plane,
                                     .length = meeting.length * seeker->grid};
    for (int axis = 0; axis < 3; axis++)
        crossing.point[axis] = meeting.middle[axis] * seeker->grid;
    list_crossing(&seeker->list, &crossing);
}

/** Test a triangle with all later ones whose boxes meet its own. */
static void test_later_triangles(struct seeker *seeker, const struct clearance *tree, uint32_t triangle)
{
    double low[3], high[3];
    if (seeker->flat[triangle])
        return;
    seeker->triangle = triangle;
    corners_of(seeker, triangle, &seeker->corners);
    for (int axis = 0; axis < 3; axis++) {
        const double(*at)[3] = (const double(*)[3])seeker->corners.at;
        /* One step allows for the rounding of both triangles. */
        const double margin = 1 + seeker->tolerance;
        low[axis] = (smaller(at[0][axis], smaller(at[1][axis], at[2][axis])) - margin) * seeker->grid;
        high[axis] = (larger(at[0][axis], larger(at[1][axis], at[2][axis])) + margin) * seeker->grid;
    }
    clearance_visit(tree, low, high, test_pair, seeker);
}

/** Choose the grid, convert coordinates to its steps, and find flat triangles. */
static double choose_steps(const struct mesh *mesh, double (*step)[3], bool *flat)
{
    int exponent = 0;
    (void)frexp(mesh_touch_tolerance(mesh) * 0x1p22, &exponent);
    const double grid = ldexp(1.0, exponent) / TRIANGLE_PAIR_LIMIT;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        for (int axis = 0; axis < 3; axis++)
            step[i][axis] = rint(mesh->vertex[i][axis] / grid);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        struct triangle_corners corners;
        for (int corner = 0; corner < 3; corner++)
            memcpy(corners.at[corner], step[mesh->triangle[t][corner]], sizeof corners.at[corner]);
        flat[t] = !triangle_pair_has_area(&corners);
    }
    return grid;
}

/** Search all triangles, chunk by chunk. */
static void search_mesh(const struct mesh *mesh, const struct clearance *tree, struct seeker *seeker,
                        int threads, struct mesh_intersections *out)
{
    size_t done = 0, chunk = CHUNK_LEAST;
    uint64_t tested = 0;
    while (done < mesh->triangle_count && tested < INTERSECTIONS_WORK) {
        const size_t end = mesh->triangle_count - done > chunk ? done + chunk : mesh->triangle_count;
        const uint64_t before = tested;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
        for (size_t t = done; t < end; t++)
            test_later_triangles(&seeker[omp_get_thread_num()], tree, (uint32_t)t);
        done = end;
        tested = 0;
        for (int i = 0; i < threads; i++)
            tested += seeker[i].tested;
        if (tested - before > CALM * chunk)
            chunk = CHUNK_LEAST;
        else if (chunk < CHUNK_MOST)
            chunk *= 2;
    }
    out->triangles_searched = done;
    out->complete = done == mesh->triangle_count;
}

int mesh_intersections_find(const struct mesh *mesh, double tolerance, size_t listed_max, int threads,
                            struct mesh_intersections *out, struct failure *failure)
{
    const int team = threads > 0 ? threads : omp_get_max_threads();
    struct mesh_intersections found = {0};
    struct crossing_list list = {.limit = listed_max};
    struct clearance tree = {0};
    int code = 0;
    double(*step)[3] = malloc((mesh->vertex_count + 1) * sizeof *step);
    bool *flat = malloc(mesh->triangle_count + 1);
    struct seeker *seeker = calloc((size_t)team, sizeof *seeker);
    list.crossing = calloc(listed_max + 1, sizeof *list.crossing);
    if (step == NULL || flat == NULL || seeker == NULL || list.crossing == NULL) {
        code = failure_memory(failure,
                              mesh->vertex_count * sizeof *step + mesh->triangle_count +
                                  listed_max * sizeof *list.crossing,
                              "the search for triangles that cross");
        goto done;
    }
    if ((code = clearance_make(mesh, &tree, failure)) != 0)
        goto done;
    found.grid = choose_steps(mesh, step, flat);
    for (int i = 0; i < team; i++) {
        seeker[i] = (struct seeker){.mesh = mesh,
                                    .step = (const double(*)[3])step,
                                    .flat = flat,
                                    .grid = found.grid,
                                    .tolerance = tolerance / found.grid,
                                    .list = {.limit = listed_max}};
        seeker[i].list.crossing = calloc(listed_max + 1, sizeof *list.crossing);
        if (seeker[i].list.crossing == NULL) {
            code = failure_memory(failure, listed_max * sizeof *list.crossing,
                                  "the list of triangles that cross");
            goto done;
        }
    }
    search_mesh(mesh, &tree, seeker, team, &found);
    for (int i = 0; i < team; i++) {
        found.pairs += seeker[i].pairs;
        for (size_t n = 0; n < seeker[i].list.count; n++)
            list_crossing(&list, &seeker[i].list.crossing[n]);
    }
    found.listed = list.count;
    found.crossing = list.crossing;
    list.crossing = NULL;
    *out = found;
done:
    for (int i = 0; seeker != NULL && i < team; i++)
        free(seeker[i].list.crossing);
    free(seeker);
    free(list.crossing);
    free(step);
    free(flat);
    clearance_free(&tree);
    return code;
}
