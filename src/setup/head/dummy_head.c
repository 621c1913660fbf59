#include "src/setup/head/dummy_head.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/vector.h"
#include "geometry/import/mesh_import.h"
#include "geometry/voxel/clearance.h"
#include "kernels/machine/machine_memory.h"
#include "rooms/shapes/room_shape.h"
#include "geometry/base/byte_hash.h"
#include "src/base/interrupt.h"
#include "src/base/options/option_values.h"

#define PI 3.14159265358979323846

#define RADIUS_LEAST 0.02 /* [m] */
#define RADIUS_MOST  0.3
#define SEGMENTS                                                                                             \
    10 /* of an edge of the icosahedron: facets are within .2 % of the sphere of their volume                \
        */
#define PUSHES 8

/* ---- the request ---- */

int dummy_head_read(const char *text, struct dummy_head *out, struct failure *failure)
{
    static const struct option_spec radius = {
        .kind = OPTION_LENGTH, .low = RADIUS_LEAST, .high = RADIUS_MOST};
    const size_t length = strcspn(text, "=");
    *out = (struct dummy_head){.radius = DUMMY_HEAD_RADIUS};
    if (length + strlen("_right") >= sizeof out->name)
        return failure_set(failure, FAILURE_INPUT,
                           "the name of a receiver that is a head has at most %zu letters",
                           sizeof out->name - 1 - strlen("_right"));
    memcpy(out->name, text, length);
    if (!option_name_is_valid(out->name))
        return failure_set(failure, FAILURE_INPUT,
                           "expected NAME, NAME=RADIUS or NAME=FILE, NAME being a receiver's");
    if (text[length] == '\0')
        return 0;
    if (mesh_import_knows(text + length + 1)) {
        out->file = text + length + 1;
        return 0;
    }
    if (option_read_value(&radius, text + length + 1, &out->radius, NULL) != 0)
        return failure_set(
            failure, FAILURE_INPUT,
            "%.100s is neither a radius from %g to %g m nor a mesh that ends in " MESH_IMPORT_ENDINGS,
            text + length + 1, RADIUS_LEAST, RADIUS_MOST);
    return 0;
}

/* ---- its mesh, in its own frame ---- */

/* Volume that the triangles enclose, positive if their counter-clockwise sides face outwards [m3]. */
static double volume_of(const struct mesh *mesh)
{
    double sum = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangle[t];
        double product[3];
        vector_cross(mesh->vertex[corner[1]], mesh->vertex[corner[2]], product);
        sum += vector_dot(mesh->vertex[corner[0]], product) / 6;
    }
    return sum;
}

/* A sphere of triangles with the volume of the head's sphere. */
static int make_sphere(struct dummy_head *head, struct mesh *mesh, struct failure *failure)
{
    double value[ROOM_PARAMETERS_MAX];
    const struct room_shape *shape = room_shape_find("sphere");
    room_defaults(shape, value);
    value[0] = 1;
    value[1] = SEGMENTS;
    TRY(room_build(shape, value, mesh, failure));
    for (size_t v = 0; v < mesh->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
            mesh->vertex[v][axis] -= 1;
    const double scale = head->radius * cbrt(4 * PI / 3 / fabs(volume_of(mesh)));
    for (size_t v = 0; v < mesh->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
            mesh->vertex[v][axis] *= scale;
    for (int ear = 0; ear < 2; ear++) {
        const double turn = (ear == 0 ? 1 : -1) * DUMMY_HEAD_EAR_DEGREES * PI / 180;
        memcpy(head->ear[ear], ((const double[3]){head->radius * cos(turn), head->radius * sin(turn), 0}),
               sizeof head->ear[ear]);
    }
    return 0;
}

static int find_ear(const struct mesh *mesh, const char *file, const char *name, double ear[3],
                    struct failure *failure)
{
    for (size_t m = 0; m < mesh->marker_count; m++)
        if (mesh->marker[m].kind == MARKER_RECEIVER && strcasecmp(mesh->marker[m].name, name) == 0) {
            memcpy(ear, mesh->marker[m].position, sizeof mesh->marker[m].position);
            return 0;
        }
    return failure_set(
        failure, FAILURE_INPUT,
        "%s has no position receiver:%s: a head needs receiver:left and receiver:right where its ears are",
        file, name);
}

static int read_model(struct dummy_head *head, struct mesh *mesh, struct failure *failure)
{
    const struct mesh_import_options import = {.memory_bytes = machine_memory_available(),
                                               .interrupted = &interrupt_seen};
    struct mesh_import_facts facts;
    TRY(mesh_import(head->file, &import, mesh, &facts, failure));
    TRY(hash_file(head->file, &head->hash, failure));
    for (size_t n = 0; n < facts.notes.count; n++)
        if (facts.notes.note[n].weight == IMPORT_INCOMPLETE)
            return failure_fix(
                failure_set(failure, FAILURE_INPUT, "%s: %s", head->file, facts.notes.note[n].what), failure,
                "%s", facts.notes.note[n].fix);
    if (facts.census.open_edges > 0)
        return failure_set(failure, FAILURE_INPUT,
                           "%s is not closed: %zu edges are those of one triangle alone", head->file,
                           facts.census.open_edges);
    TRY(find_ear(mesh, head->file, "left", head->ear[0], failure));
    TRY(find_ear(mesh, head->file, "right", head->ear[1], failure));
    head->radius = vector_distance(head->ear[0], head->ear[1]) / 2;
    if (!(head->radius >= RADIUS_LEAST && head->radius <= RADIUS_MOST))
        return failure_set(
            failure, FAILURE_INPUT,
            "the ears of %s are %.4g m apart, and those of a head %g to %g m: is it in metres?", head->file,
            2 * head->radius, 2 * RADIUS_LEAST, 2 * RADIUS_MOST);
    return 0;
}

/* Move an ear out of the surface. */
static int push_out(const struct clearance *tree, const char *what, double outwards, double ear[3],
                    struct failure *failure)
{
    const struct mesh *mesh = tree->mesh;
    for (int push = 0; push < PUSHES; push++) {
        uint32_t nearest = 0;
        double normal[3], from[3];
        double before = clearance_nearest(tree, ear, INFINITY, &nearest);
        mesh_normal(mesh, nearest, normal);
        vector_subtract(ear, mesh->vertex[mesh->triangle[nearest][0]], from);
        if (vector_dot(from, normal) * outwards < 0)
            before = -before;
        if (before > 0.99 * DUMMY_HEAD_EAR_CLEAR)
            return 0;
        vector_along(ear, outwards * (DUMMY_HEAD_EAR_CLEAR - before) / vector_length(normal), normal, ear);
    }
    return failure_set(failure, FAILURE_INPUT,
                       "an ear of %s is not on its surface: no place %g mm before it was found near by", what,
                       1e3 * DUMMY_HEAD_EAR_CLEAR);
}

/* ---- into the room ---- */

static void place_point(const struct dummy_head *head, const double own[3], double out[3])
{
    const double turn = head->azimuth * PI / 180;
    const double x = own[0], y = own[1];
    out[0] = head->position[0] + cos(turn) * x - sin(turn) * y;
    out[1] = head->position[1] + sin(turn) * x + cos(turn) * y;
    out[2] = head->position[2] + own[2];
}

/* Is there room for all within `reach` of its position? */
static int check_place(const struct dummy_head *head, const struct mesh *room, double reach,
                       const double low[3], const double high[3], struct failure *failure)
{
    struct clearance tree = {0};
    const double *at = head->position, needed = reach + DUMMY_HEAD_CLEAR;
    bool within = true;
    for (int axis = 0; axis < 3; axis++)
        within = within && at[axis] > low[axis] && at[axis] < high[axis];
    if (!within)
        return failure_set(failure, FAILURE_INPUT,
                           "the dummy head %s at (%.3f, %.3f, %.3f) m is outside the model", head->name,
                           at[0], at[1], at[2]);
    TRY(clearance_make(room, &tree, failure));
    uint32_t nearest = 0;
    const double clear = clearance_nearest(&tree, at, needed, &nearest);
    clearance_free(&tree);
    if (clear >= needed)
        return 0;
    return failure_set(
        failure, FAILURE_INPUT,
        "the dummy head %s at (%.3f, %.3f, %.3f) m would overlap a surface: it needs %.3g m to "
        "all sides, and \"%.100s\" is %.3g m away; move the receiver",
        head->name, at[0], at[1], at[2], needed, room->material[room->triangle_material[nearest]], clear);
}

static int add_all(const struct dummy_head *head, const struct mesh *own, struct mesh *room,
                   struct failure *failure)
{
    const size_t first = room->vertex_count;
    uint16_t material;
    TRY(mesh_add_material(room, DUMMY_HEAD_MATERIAL, &material, failure));
    for (size_t v = 0; v < own->vertex_count; v++) {
        double at[3];
        place_point(head, own->vertex[v], at);
        TRY(mesh_add_vertex(room, at, NULL, failure));
    }
    for (size_t t = 0; t < own->triangle_count; t++) {
        uint32_t corner[3];
        for (int c = 0; c < 3; c++)
            corner[c] = (uint32_t)first + own->triangle[t][c];
        TRY(mesh_add_triangle(room, corner, material, failure));
    }
    return 0;
}

static int put_head(struct dummy_head *head, const struct mesh *own, const struct clearance *tree,
                    struct mesh *room, const double low[3], const double high[3], struct failure *failure)
{
    const double outwards = volume_of(own) < 0 ? -1 : 1;
    double reach = 0;
    for (size_t v = 0; v < own->vertex_count; v++)
        reach = fmax(reach, vector_length(own->vertex[v]));
    TRY(check_place(head, room, reach, low, high, failure));
    for (int ear = 0; ear < 2; ear++) {
        double at[3];
        memcpy(at, head->ear[ear], sizeof at);
        TRY(push_out(tree, head->file != NULL ? head->file : head->name, outwards, at, failure));
        place_point(head, at, head->ear[ear]);
    }
    return add_all(head, own, room, failure);
}

int dummy_head_put(struct dummy_head *head, struct mesh *room, const double low[3], const double high[3],
                   struct failure *failure)
{
    struct mesh own = {0};
    struct clearance tree = {0};
    int code = head->file != NULL ? read_model(head, &own, failure) : make_sphere(head, &own, failure);
    if (code == 0)
        code = clearance_make(&own, &tree, failure);
    if (code == 0)
        code = put_head(head, &own, &tree, room, low, high, failure);
    clearance_free(&tree);
    mesh_free(&own);
    return code;
}
