#include "src/run/walk/walk_path.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"

#define PI          3.14159265358979323846
#define SAME_CORNER 1e-6 /* [m] */
#define TURN        0.5  /* before a corner and after it [m] */
#define AT_WALL     0.01 /* nearer than that to a wall, a point is not behind it [m] */

void walk_path_free(struct walk_path *path)
{
    free(path->corner);
    free(path->along);
    free(path->azimuth);
    *path = (struct walk_path){0};
}

double walk_path_length(const struct walk_path *path)
{
    return path->along[path->corners - 1];
}

double walk_path_seconds(const struct walk_path *path)
{
    return walk_path_length(path) / path->speed;
}

/* The place at the start of `text`, up to a semicolon or its end; false if none. */
static bool read_place(const char **text, double place[3])
{
    const char *at = *text;
    for (int axis = 0; axis < 3; axis++) {
        char *end = NULL;
        place[axis] = strtod(at, &end);
        if (end == at || !isfinite(place[axis]) || fabs(place[axis]) > MESH_COORDINATE_MAX)
            return false;
        at = end;
        if (axis < 2 && *at++ != ',')
            return false;
    }
    if (*at != ';' && *at != '\0')
        return false;
    *text = *at == ';' ? at + 1 : at;
    return true;
}

static void add_corner(struct walk_path *path, const double place[3])
{
    const size_t last = path->corners - 1;
    const double leg = path->corners > 0 ? vector_distance(place, path->corner[last]) : 0.0;
    if (path->corners > 0 && leg <= SAME_CORNER)
        return;
    path->along[path->corners] = path->corners > 0 ? path->along[last] + leg : 0.0;
    memcpy(path->corner[path->corners++], place, sizeof *path->corner);
}

static void find_azimuths(struct walk_path *path)
{
    bool known = false;
    for (size_t c = 1; c < path->corners; c++) {
        const double *from = path->corner[c - 1], *to = path->corner[c], last = path->azimuth[c - 1];
        const double x = to[0] - from[0], y = to[1] - from[1];
        path->azimuth[c] = last;
        if (hypot(x, y) <= SAME_CORNER)
            continue;
        const double azimuth = atan2(y, x) * 180.0 / PI, turn = remainder(azimuth - last, 360.0);
        path->azimuth[c] = known ? last + turn + (turn < -180.0 + 1e-6 ? 360.0 : 0.0) : azimuth;
        for (size_t b = 0; !known && b < c; b++)
            path->azimuth[b] = azimuth;
        known = true;
    }
}

static int check_path(const struct walk_path *path, struct failure *failure)
{
    if (!(path->speed >= WALK_SPEED_LEAST && path->speed <= WALK_SPEED_MOST))
        return failure_set(failure, FAILURE_INPUT,
                           "the speed of the listener is %g m/s; it must be from %g to %g m/s", path->speed,
                           WALK_SPEED_LEAST, WALK_SPEED_MOST);
    if (walk_path_length(path) > WALK_LENGTH_MOST || walk_path_seconds(path) > WALK_SECONDS_MOST)
        return failure_fix(
            failure_set(failure, FAILURE_INPUT,
                        "the walk is %.1f m long and takes %.0f s; the limits are %g m and %g s",
                        walk_path_length(path), walk_path_seconds(path), WALK_LENGTH_MOST, WALK_SECONDS_MOST),
            failure, "walk less far, or faster");
    return 0;
}

int walk_path_read(const char *text, double speed, struct walk_path *out, struct failure *failure)
{
    size_t most = 1;
    for (const char *c = text; *c != '\0'; c++)
        most += *c == ';';
    struct walk_path path = {.corner = calloc(most, sizeof *path.corner),
                             .along = calloc(most, sizeof *path.along),
                             .azimuth = calloc(most, sizeof *path.azimuth),
                             .speed = speed};
    int code = path.corner == NULL || path.along == NULL || path.azimuth == NULL
                   ? failure_memory(failure, most * sizeof *path.corner, "a walk")
                   : 0;
    size_t number = 1;
    for (const char *at = text; code == 0 && (*at != '\0' || number == 1); number++) {
        double place[3];
        if (read_place(&at, place))
            add_corner(&path, place);
        else
            code = failure_fix(
                failure_set(failure, FAILURE_INPUT,
                            "place %zu of the walk, \"%.*s\", is not three numbers from %g to %g m", number,
                            (int)smaller(60, (double)strcspn(at, ";")), at, -MESH_COORDINATE_MAX,
                            MESH_COORDINATE_MAX),
                failure, "give x,y,z;x,y,z;.. in metres");
    }
    if (code == 0)
        code = check_path(&path, failure);
    if (code != 0) {
        walk_path_free(&path);
        return code;
    }
    find_azimuths(&path);
    *out = path;
    return 0;
}

const struct walk_path *walk_path_longer(const struct walk_path *path, const struct walk_path *other)
{
    return other != NULL && walk_path_seconds(other) > walk_path_seconds(path) ? other : path;
}

void walk_path_place(const struct walk_path *path, double along, double out[3])
{
    size_t leg = 1;
    while (leg + 1 < path->corners && along > path->along[leg])
        leg++;
    if (path->corners == 1 || along <= 0.0) {
        memcpy(out, path->corner[0], sizeof *path->corner);
        return;
    }
    const double *from = path->corner[leg - 1], *to = path->corner[leg];
    const double share =
        smaller(1.0, (along - path->along[leg - 1]) / (path->along[leg] - path->along[leg - 1]));
    for (int axis = 0; axis < 3; axis++)
        out[axis] = (1.0 - share) * from[axis] + share * to[axis];
}

double walk_path_azimuth(const struct walk_path *path, double along)
{
    const double at = fmin(fmax(along, 0.0), walk_path_length(path));
    double azimuth = path->azimuth[0];
    for (size_t c = 1; c + 1 < path->corners && at > path->along[c] - TURN; c++)
        azimuth +=
            (path->azimuth[c + 1] - path->azimuth[c]) * fmin(0.5 + 0.5 * (at - path->along[c]) / TURN, 1.0);
    return azimuth;
}

/* Intersection of a leg with a triangle, as a share of the leg; NaN if none (Moeller and Trumbore, J.
 * Graphics Tools 2(1), 1997). */
static double leg_meets(const double from[3], const double leg[3], const double *const corner[3])
{
    double side[2][3], across[3], apart[3], turned[3];
    vector_subtract(corner[1], corner[0], side[0]);
    vector_subtract(corner[2], corner[0], side[1]);
    vector_cross(leg, side[1], across);
    const double volume = vector_dot(side[0], across);
    if (volume == 0.0)
        return NAN;
    vector_subtract(from, corner[0], apart);
    const double u = vector_dot(apart, across) / volume;
    vector_cross(apart, side[0], turned);
    const double v = vector_dot(leg, turned) / volume, share = vector_dot(side[1], turned) / volume;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && share >= 0.0 && share <= 1.0 ? share : NAN;
}

/* The first triangle on a leg: where, as a share of it, INFINITY for none. */
static double first_wall(const double from[3], const double leg[3], const struct mesh *mesh, size_t *which)
{
    double first = INFINITY;
    for (size_t t = 0; t < mesh->triangle_count + mesh->sheet_count; t++) {
        const uint32_t *vertex = mesh->triangle[t];
        const double *const corner[3] = {mesh->vertex[vertex[0]], mesh->vertex[vertex[1]],
                                         mesh->vertex[vertex[2]]};
        const double share = leg_meets(from, leg, corner);
        if (share < first) {
            first = share;
            *which = t;
        }
    }
    return first;
}

bool walk_path_sees(const double place[3], const double point[3], const struct mesh *mesh)
{
    double leg[3];
    size_t which;
    vector_subtract(point, place, leg);
    const double length = vector_length(leg);
    return !(first_wall(place, leg, mesh, &which) * length < length - AT_WALL);
}

int walk_path_refuse_walls(const struct walk_path *path, const struct mesh *mesh, struct failure *failure)
{
    for (size_t c = 1; c < path->corners; c++) {
        double leg[3];
        size_t which = 0;
        vector_subtract(path->corner[c], path->corner[c - 1], leg);
        const double first = first_wall(path->corner[c - 1], leg, mesh, &which);
        if (isfinite(first)) {
            double at[3];
            vector_along(path->corner[c - 1], first, leg, at);
            return failure_fix(
                failure_set(failure, FAILURE_INPUT,
                            "the walk goes through %s at %.3f,%.3f,%.3f m, %.2f m from its start",
                            mesh->material[mesh->triangle_material[which]], at[0], at[1], at[2],
                            path->along[c - 1] + first * vector_length(leg)),
                failure, "put a corner of the walk into the doorway, or go around");
        }
    }
    return 0;
}
