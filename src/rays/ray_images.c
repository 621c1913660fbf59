#include "src/rays/ray_images.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/array_room.h"
#include "geometry/base/vector.h"
#include "src/rays/ray_directions.h"

#define BATCH 4096 /* rays that are traced before their sequences are kept */
#define ROOT  0    /* the sequence without planes */
#define NONE  UINT32_MAX

/* A path starts so many steps off a plane, whose triangles are up to RAY_PLANE_STEPS behind or before it. */
#define START_STEPS (RAY_PLANE_STEPS + 1)
#define EDGE        2.0

/* ---- sequences ---- */

/* A sequence: that of its parent, and one more plane. */
struct sequence {
    double image[3]; /* the source, mirrored; room axes [m] */
    double excess; /* no path of it, or of one that continues it, is shorter than the distance of its receiver
                      from the source and this [m] */
    uint32_t parent, plane;
};

struct finder {
    const struct ray_image_task *task;
    const struct ray_planes *planes;
    double *direct;            /* (receivers) distance from the source [m] */
    double limit;              /* sequences with less excess are kept [m] */
    size_t count, slots;       /* slots: a power of 2 */
    struct sequence *sequence; /* (most) */
    uint32_t *slot;            /* (slots) of a hash by parent and plane */
};

/* The planes that one ray met. */
struct trail {
    double cut; /* excess of its last reflection, if it had RAY_REFLECTIONS_MAX; else infinite [m] */
    size_t count;
    uint32_t plane[RAY_REFLECTIONS_MAX];
};

/* The length from `at` to the receiver that has least of it beyond its direct distance, and that excess. */
static double least_excess(const struct finder *finder, const double at[3])
{
    const struct ray_task *room = finder->task->room;
    double least = INFINITY;
    for (size_t r = 0; r < room->receivers; r++)
        least = smaller(least, vector_distance(at, room->receiver[r].position) - finder->direct[r]);
    return least;
}

/* A path's last reflection point sees image and receiver on one side of the next plane, so that a longer
 * sequence is no shorter: the excess of a sequence is at least that of its parent. */
static double next_excess(const struct finder *finder, double excess, const double image[3])
{
    return larger(excess, least_excess(finder, image));
}

static size_t slot_of(const struct finder *finder, uint32_t parent, uint32_t plane)
{
    return (size_t)ray_mix_bits((uint64_t)parent << 32 | plane) & (finder->slots - 1);
}

static void fill_slots(struct finder *finder)
{
    memset(finder->slot, 0xff, finder->slots * sizeof *finder->slot);
    for (size_t s = 1; s < finder->count; s++) {
        size_t slot = slot_of(finder, finder->sequence[s].parent, finder->sequence[s].plane);
        while (finder->slot[slot] != NONE)
            slot = (slot + 1) & (finder->slots - 1);
        finder->slot[slot] = (uint32_t)s;
    }
}

static int by_value(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* Drop the later half of all sequences, and shorten the window by it. */
static int drop_half(struct finder *finder, struct failure *failure)
{
    double *excess = malloc(finder->count * sizeof *excess);
    uint32_t *moved = malloc(finder->count * sizeof *moved);
    if (excess == NULL || moved == NULL) {
        free(excess);
        free(moved);
        return failure_memory(failure, finder->count * sizeof *excess, "the image sources");
    }
    for (size_t s = 0; s < finder->count; s++)
        excess[s] = finder->sequence[s].excess;
    qsort(excess, finder->count, sizeof *excess, by_value);
    finder->limit = excess[finder->count / 2];
    size_t kept = 0;
    for (size_t s = 0; s < finder->count; s++) {
        struct sequence sequence = finder->sequence[s];
        if (s != ROOT && !(sequence.excess < finder->limit))
            continue;
        sequence.parent = moved[sequence.parent]; /* earlier, and kept, since its excess is no larger */
        moved[s] = (uint32_t)kept;
        finder->sequence[kept++] = sequence;
        if (s == ROOT)
            finder->sequence[ROOT].parent = ROOT;
    }
    finder->count = kept;
    fill_slots(finder);
    free(excess);
    free(moved);
    return 0;
}

/* `parent` and one plane more; NONE beyond the limit. There must be room for one. */
static uint32_t find_or_add(struct finder *finder, uint32_t parent, uint32_t plane)
{
    size_t slot = slot_of(finder, parent, plane);
    for (; finder->slot[slot] != NONE; slot = (slot + 1) & (finder->slots - 1)) {
        const struct sequence *known = &finder->sequence[finder->slot[slot]];
        if (known->parent == parent && known->plane == plane)
            return finder->slot[slot];
    }
    struct sequence fresh = finder->sequence[parent];
    ray_plane_mirror(&finder->planes->plane[plane], fresh.image);
    fresh.excess = next_excess(finder, fresh.excess, fresh.image);
    fresh.parent = parent;
    fresh.plane = plane;
    if (!(fresh.excess < finder->limit))
        return NONE;
    finder->sequence[finder->count] = fresh;
    finder->slot[slot] = (uint32_t)finder->count;
    return (uint32_t)finder->count++;
}

static int keep_trail(struct finder *finder, const struct trail *trail, struct failure *failure)
{
    uint32_t at = ROOT;
    for (size_t k = 0; k < trail->count && at != NONE;) {
        if (finder->count < finder->task->most) {
            at = find_or_add(finder, at, trail->plane[k++]);
        } else {
            TRY(drop_half(finder, failure));
            at = ROOT;
            k = 0;
        }
    }
    finder->limit = smaller(finder->limit, trail->cut);
    return 0;
}

/* Follow one ray until no receiver can be reached by its sequence within the window. */
static void follow_ray(const struct finder *finder, uint64_t number, struct trail *trail)
{
    const struct ray_task *room = finder->task->room;
    const struct ray_scene *scene = room->scene;
    double image[3], excess = 0, travelled = 0;
    float at[3], direction[3];
    uint64_t bits = ray_mix_bits(room->seed ^ ray_mix_bits(number));
    struct ray_hit hit;
    *trail = (struct trail){.cut = INFINITY};
    memcpy(image, room->emitter[finder->task->emitter].position, sizeof image);
    ray_start_direction(room->seed, number, direction);
    for (int axis = 0; axis < 3; axis++)
        at[axis] = (float)(room->emitter[finder->task->emitter].position[axis] - scene->middle[axis]);
    while (ray_scene_hit(scene, at, direction, INFINITY, &hit)) {
        const uint32_t plane = finder->planes->of_triangle[hit.triangle];
        const bool sheet = room->wall[hit.material].is_sheet;
        const bool through = sheet && (bits & 1) != 0;
        bits = sheet ? ray_mix_bits(bits) : bits;
        const float against =
            direction[0] * hit.normal[0] + direction[1] * hit.normal[1] + direction[2] * hit.normal[2];
        travelled += (double)hit.distance;
        for (int axis = 0; axis < 3; axis++)
            at[axis] += hit.distance * direction[axis] + (through ? -1 : 1) * scene->step * hit.normal[axis];
        if (through)
            continue;
        if (plane == RAY_NO_PLANE)
            return;
        ray_plane_mirror(&finder->planes->plane[plane], image);
        excess = next_excess(finder, excess, image);
        if (!(excess < finder->limit))
            return;
        trail->plane[trail->count++] = plane;
        if (trail->count == RAY_REFLECTIONS_MAX) {
            const double place[3] = {(double)at[0] + scene->middle[0], (double)at[1] + scene->middle[1],
                                     (double)at[2] + scene->middle[2]};
            trail->cut = larger(excess, travelled + least_excess(finder, place));
            return;
        }
        for (int axis = 0; axis < 3; axis++)
            direction[axis] -= 2 * against * hit.normal[axis];
        const float length =
            sqrtf(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
        for (int axis = 0; axis < 3; axis++)
            direction[axis] /= length;
    }
}

static int find_sequences(struct finder *finder, struct trail *trail, struct failure *failure)
{
    const struct ray_image_task *task = finder->task;
    for (uint64_t first = 0; first < task->rays; first += BATCH) {
        const uint64_t rays = task->rays - first < BATCH ? task->rays - first : BATCH;
        if (task->room->stop != NULL && *task->room->stop != 0)
            return 0;
#pragma omp parallel for schedule(dynamic, 64)
        for (uint64_t n = 0; n < rays; n++)
            follow_ray(finder, first + n, &trail[n]);
        for (uint64_t n = 0; n < rays; n++)
            TRY(keep_trail(finder, &trail[n], failure));
    }
    return 0;
}

/* ---- paths ---- */

/* A sequence from a receiver's end: point[0] is the receiver, point[k] on the k-th last plane, then the
 * source; way[k] leads from point[k] to the next. */
struct route {
    size_t reflections;
    double point[RAY_REFLECTIONS_MAX + 2][3];
    double way[RAY_REFLECTIONS_MAX + 1][3]; /* unit */
    uint32_t plane[RAY_REFLECTIONS_MAX + 2];
};

/* What a route meets: its surfaces, if anybody asks. */
struct meetings {
    struct ray_images *images; /* NULL: nobody */
    size_t *room, count;
    const struct finder *finder; /* and the route, for the sizes of facets */
    const struct route *route;
    struct failure *failure;
    bool failed; /* no memory */
};

/* Of the reflection at point[k + 1] of a route. */
static void find_limits(const struct meetings *meetings, uint32_t triangle, size_t k, double out[2])
{
    const struct ray_image_task *task = meetings->finder->task;
    const struct route *route = meetings->route;
    double one = 0, other = 0;
    if (task->patches == NULL)
        return;
    for (size_t i = 0; i <= route->reflections; i++)
        *(i <= k ? &one : &other) += vector_distance(route->point[i], route->point[i + 1]);
    ray_patch_limits(task->patches, triangle, route->way[k],
                     meetings->finder->planes->plane[route->plane[k + 1]].normal,
                     task->room->sound_speed * 2 * one * other / (one + other), out);
}

static void meet(struct meetings *meetings, struct ray_surface surface)
{
    struct ray_images *images = meetings->images;
    if (images == NULL || meetings->failed)
        return;
    struct ray_surface *grown = array_room(images->surface, meetings->room, meetings->count + 1,
                                           sizeof *grown, "the image sources", meetings->failure);
    meetings->failed = grown == NULL;
    if (meetings->failed)
        return;
    images->surface = grown;
    grown[meetings->count++] = surface;
}

static bool box_holds(const struct ray_plane *plane, double tolerance, const double at[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (!(at[axis] >= plane->low[axis] - tolerance && at[axis] <= plane->high[axis] + tolerance))
            return false;
    return true;
}

/* The points of a sequence; false if they are not where images and receiver are on opposite sides, or not in
 * the boxes of the planes. A point on the edge of two planes counts. */
static bool find_route(const struct finder *finder, uint32_t sequence, const double receiver[3],
                       struct route *out)
{
    const double tolerance = finder->planes->tolerance;
    double at[3];
    memcpy(at, receiver, sizeof at);
    out->reflections = 0;
    for (uint32_t s = sequence;; s = finder->sequence[s].parent) {
        const struct sequence *one = &finder->sequence[s];
        const size_t k = out->reflections;
        const double length = vector_distance(one->image, at);
        memcpy(out->point[k], at, sizeof at);
        for (int axis = 0; axis < 3; axis++)
            out->way[k][axis] = (one->image[axis] - at[axis]) / length;
        if (s == ROOT) {
            memcpy(out->point[k + 1], one->image, sizeof at);
            out->plane[k + 1] = RAY_NO_PLANE;
            return length > 0;
        }
        const struct ray_plane *plane = &finder->planes->plane[one->plane];
        const double side = ray_plane_side(plane, at), behind = ray_plane_side(plane, one->image);
        if ((fabs(side) > tolerance && side * behind > 0) || !(fabs(side - behind) > tolerance))
            return false;
        vector_along(at, length * side / (side - behind), out->way[k], at);
        if (!box_holds(plane, tolerance, at))
            return false;
        out->plane[k + 1] = one->plane;
        out->reflections++;
    }
}

/* Does the triangle hold a point of its plane? */
static bool triangle_holds(const struct mesh *mesh, uint32_t triangle, double tolerance, const double at[3])
{
    double normal[3];
    mesh_normal(mesh, triangle, normal);
    for (int k = 0; k < 3; k++) {
        const double *one = mesh->vertex[mesh->triangle[triangle][k]],
                     *other = mesh->vertex[mesh->triangle[triangle][(k + 1) % 3]];
        double edge[3], from[3], cross[3];
        vector_subtract(other, one, edge);
        vector_subtract(at, one, from);
        vector_cross(edge, from, cross);
        if (!(vector_dot(cross, normal) >= -tolerance * vector_length(edge) * vector_length(normal)))
            return false;
    }
    return true;
}

/* The triangle of a plane at a point, where a ray towards it meets none: at edges. */
static uint32_t find_triangle(const struct finder *finder, uint32_t plane, const double at[3])
{
    const struct ray_planes *planes = finder->planes;
    const struct mesh *mesh = finder->task->room->scene->mesh;
    uint32_t best = NONE;
    for (size_t t = 0; t < planes->triangles; t++)
        if (planes->of_triangle[t] == plane && triangle_holds(mesh, (uint32_t)t, planes->tolerance, at) &&
            (best == NONE || mesh_face_rank(mesh, t).rank < mesh_face_rank(mesh, best).rank))
            best = (uint32_t)t;
    return best;
}

/* How far off a plane a path starts [m]. Points of a path that are nearer than EDGE of it are on one edge. */
static double start_distance(const struct finder *finder)
{
    return (double)(START_STEPS * finder->task->room->scene->step);
}

static void meet_triangle(const struct ray_scene *scene, uint32_t triangle, size_t k, const double way[3],
                          double cosine, struct meetings *meetings)
{
    const float *front = scene->normal[triangle];
    const bool back = way[0] * (double)front[0] + way[1] * (double)front[1] + way[2] * (double)front[2] > 0;
    struct ray_surface surface = {.material = ray_scene_material(scene, triangle, back), .cosine = cosine};
    if (meetings->images != NULL)
        find_limits(meetings, triangle, k, surface.limit);
    meet(meetings, surface);
}

/* Go from `start` to point[k + 1] of a route, through sheets. False: a wall is between, or the point is on no
 * triangle of its plane. */
static bool pass_leg(const struct finder *finder, const struct route *route, size_t k, const double start[3],
                     struct meetings *meetings)
{
    const struct ray_task *room = finder->task->room;
    const struct ray_scene *scene = room->scene;
    const double *end = route->point[k + 1], *way = route->way[k];
    const uint32_t plane = route->plane[k + 1];
    const bool at_source = plane == RAY_NO_PLANE;
    const double *normal = at_source ? way : finder->planes->plane[plane].normal;
    const double cosine = smaller(fabs(vector_dot(way, normal)), 1), tolerance = finder->planes->tolerance;
    double ahead[3], at[3];
    memcpy(at, start, sizeof at);
    vector_subtract(end, at, ahead);
    double left = vector_length(ahead);
    const double whole = left;
    while (vector_distance(end, route->point[k]) > EDGE * start_distance(finder)) {
        float origin[3], direction[3];
        struct ray_hit hit;
        for (int axis = 0; axis < 3; axis++) {
            origin[axis] = (float)(at[axis] - scene->middle[axis]);
            direction[axis] = (float)(ahead[axis] / whole);
        }
        if (!ray_scene_hit(scene, origin, direction, INFINITY, &hit))
            return at_source;
        const double distance = (double)hit.distance;
        const uint32_t met = finder->planes->of_triangle[hit.triangle];
        const bool near = fabs(left - distance) * cosine <= tolerance;
        if (!at_source && (met == plane || (met == RAY_NO_PLANE && near))) {
            struct ray_surface surface = {.material = hit.material, .cosine = cosine};
            if (meetings->images != NULL)
                find_limits(meetings, hit.triangle, k, surface.limit);
            meet(meetings, surface);
            return true;
        }
        if (near)
            break;
        if (distance > left)
            return at_source;
        if (!room->wall[hit.material].is_sheet)
            return false;
        meet(meetings, (struct ray_surface){
                           .material = hit.material, .transmitted = true, .cosine = (double)hit.cosine});
        left -= distance;
        for (int axis = 0; axis < 3; axis++)
            at[axis] += distance * ahead[axis] / whole - (double)(scene->step * hit.normal[axis]);
    }
    if (at_source)
        return true;
    const uint32_t triangle = find_triangle(finder, plane, end);
    if (triangle != NONE)
        meet_triangle(scene, triangle, k, way, cosine, meetings);
    return triangle != NONE;
}

/* Go the whole route. A leg starts off the plane of its point, at an edge off both. */
static bool pass_route(const struct finder *finder, const struct route *route, struct meetings *meetings)
{
    const double off = start_distance(finder);
    double from_plane[3] = {0};
    for (size_t k = 0; k <= route->reflections; k++) {
        double start[3];
        if (k > 0) {
            const double *normal = finder->planes->plane[route->plane[k]].normal;
            const double side = vector_dot(normal, route->way[k]) > 0 ? off : -off;
            if (vector_distance(route->point[k], route->point[k - 1]) > EDGE * off)
                memset(from_plane, 0, sizeof from_plane);
            vector_along(from_plane, side, normal, from_plane);
        }
        vector_along(route->point[k], 1, from_plane, start);
        if (!pass_leg(finder, route, k, start, meetings))
            return false;
    }
    return true;
}

struct found {
    double length;
    uint32_t sequence;
};

static int by_length(const void *one, const void *other)
{
    const struct found *a = one, *b = other;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

/* Planes at right angles can change places, and give one image. If the path meets their edge, both orders are
 * found. */
static bool is_same_image(const struct finder *finder, uint32_t one, uint32_t other)
{
    if (!(vector_distance(finder->sequence[one].image, finder->sequence[other].image) <=
          finder->planes->tolerance))
        return false;
    size_t length[2] = {0, 0};
    for (uint32_t s = one; s != ROOT; s = finder->sequence[s].parent)
        length[0]++;
    for (uint32_t s = other; s != ROOT; s = finder->sequence[s].parent)
        length[1]++;
    if (length[0] != length[1])
        return false;
    for (uint32_t s = one; s != ROOT; s = finder->sequence[s].parent) {
        int times = 0; /* of this plane in one less in the other */
        for (uint32_t t = one; t != ROOT; t = finder->sequence[t].parent)
            times += finder->sequence[t].plane == finder->sequence[s].plane;
        for (uint32_t t = other; t != ROOT; t = finder->sequence[t].parent)
            times -= finder->sequence[t].plane == finder->sequence[s].plane;
        if (times != 0)
            return false;
    }
    return true;
}

static bool is_repeated(const struct finder *finder, const struct found *found, size_t at)
{
    for (size_t i = at; i-- > 0 && found[at].length - found[i].length <= finder->planes->tolerance;)
        if (is_same_image(finder, found[i].sequence, found[at].sequence))
            return true;
    return false;
}

/* The sequences that reach a receiver, by length. */
static size_t find_paths(const struct finder *finder, size_t receiver, unsigned char *valid,
                         struct found *found)
{
    const double *position = finder->task->room->receiver[receiver].position;
#pragma omp parallel for schedule(dynamic, 256)
    for (size_t s = 0; s < finder->count; s++) {
        struct route route;
        struct meetings nobody = {0};
        const double length = vector_distance(finder->sequence[s].image, position);
        valid[s] = (s == ROOT || length - finder->direct[receiver] < finder->limit) &&
                   find_route(finder, (uint32_t)s, position, &route) && pass_route(finder, &route, &nobody);
    }
    size_t count = 0;
    for (size_t s = 0; s < finder->count; s++)
        if (valid[s])
            found[count++] =
                (struct found){vector_distance(finder->sequence[s].image, position), (uint32_t)s};
    qsort(found, count, sizeof *found, by_length);
    return count;
}

static int make_paths(const struct finder *finder, unsigned char *valid, struct found *found,
                      struct ray_images *out, struct failure *failure)
{
    size_t path_room = 0, surface_room = 0;
    struct meetings meetings = {.images = out, .room = &surface_room, .finder = finder, .failure = failure};
    for (size_t r = 0; r < out->receivers; r++) {
        const size_t count = find_paths(finder, r, valid, found);
        out->first[r + 1] = out->first[r];
        for (size_t i = 0; i < count; i++) {
            struct route route;
            if (is_repeated(finder, found, i))
                continue;
            struct ray_path *grown = array_room(out->path, &path_room, out->first[r + 1] + 1, sizeof *grown,
                                                "the image sources", failure);
            if (grown == NULL)
                return FAILURE_CAPACITY;
            out->path = grown;
            struct ray_path *path = &grown[out->first[r + 1]++];
            *path = (struct ray_path){.length = found[i].length, .first = meetings.count};
            (void)find_route(finder, found[i].sequence, finder->task->room->receiver[r].position, &route);
            meetings.route = &route;
            (void)pass_route(finder, &route, &meetings);
            if (meetings.failed)
                return FAILURE_CAPACITY;
            path->surfaces = (uint32_t)(meetings.count - path->first);
            for (int axis = 0; axis < 3; axis++) {
                path->arrival[axis] = route.way[0][axis];
                path->departure[axis] = -route.way[route.reflections][axis];
            }
        }
    }
    return 0;
}

/* ---- all of them ---- */

static int make_images(struct finder *finder, struct ray_images *out, struct failure *failure)
{
    const size_t receivers = out->receivers, most = finder->task->most;
    struct trail *trail = malloc(BATCH * sizeof *trail);
    int rc = 0;
    finder->direct = malloc((receivers + 1) * sizeof *finder->direct);
    finder->sequence = malloc(most * sizeof *finder->sequence);
    finder->slot = malloc(finder->slots * sizeof *finder->slot);
    out->first = calloc(receivers + 1, sizeof *out->first);
    if (trail == NULL || finder->direct == NULL || finder->sequence == NULL || finder->slot == NULL ||
        out->first == NULL) {
        free(trail);
        return failure_memory(failure, most * sizeof *finder->sequence, "the image sources");
    }
    const struct ray_task *room = finder->task->room;
    for (size_t r = 0; r < receivers; r++)
        finder->direct[r] =
            vector_distance(room->emitter[finder->task->emitter].position, room->receiver[r].position);
    finder->sequence[ROOT] = (struct sequence){.parent = ROOT, .plane = RAY_NO_PLANE};
    memcpy(finder->sequence[ROOT].image, room->emitter[finder->task->emitter].position,
           sizeof finder->sequence[ROOT].image);
    finder->count = 1;
    fill_slots(finder);
    rc = find_sequences(finder, trail, failure);
    free(trail);
    unsigned char *valid = malloc(finder->count);
    struct found *found = malloc(finder->count * sizeof *found);
    if (rc == 0 && (valid == NULL || found == NULL))
        rc = failure_memory(failure, finder->count * sizeof *found, "the image sources");
    if (rc == 0)
        rc = make_paths(finder, valid, found, out, failure);
    out->window = smaller(finder->limit / room->sound_speed, finder->task->window);
    out->sequences = finder->count;
    free(valid);
    free(found);
    return rc;
}

int ray_images_make(const struct ray_image_task *task, struct ray_images *out, struct failure *failure)
{
    struct finder finder = {
        .task = task, .planes = task->planes, .limit = task->window * task->room->sound_speed, .slots = 2};
    assert(task->most >= RAY_SEQUENCES_LEAST && task->most < NONE);
    while (finder.slots < 2 * task->most)
        finder.slots *= 2;
    *out = (struct ray_images){.receivers = task->room->receivers};
    const int rc = make_images(&finder, out, failure);
    free(finder.direct);
    free(finder.sequence);
    free(finder.slot);
    if (rc != 0)
        ray_images_free(out);
    return rc;
}

void ray_images_free(struct ray_images *images)
{
    free(images->first);
    free(images->path);
    free(images->surface);
    *images = (struct ray_images){0};
}
