#include <stdlib.h>
#include <string.h>

#include "geometry/import/mesh_import.h"
#include "geometry/mesh/mesh_write.h"
#include "rooms/shapes/room_shape.h"
#include "src/python/transept.h"

/* The caller owns `*out` if `fill` succeeded. */
static int take_mesh(int code, struct mesh *filled, struct mesh **out, struct failure *failure)
{
    struct mesh *kept = code == 0 ? malloc(sizeof *kept) : NULL;
    if (code == 0 && kept == NULL)
        code = failure_memory(failure, sizeof *kept, "a mesh");
    if (code != 0) {
        mesh_free(filled);
        return code;
    }
    *kept = *filled;
    *out = kept;
    return 0;
}

int transept_mesh_read(const char *path, double metres_per_unit, int up, struct mesh **out,
                       struct failure *failure)
{
    const struct mesh_import_options options = {.metres_per_unit = metres_per_unit, .up = (enum up_axis)up};
    struct mesh mesh = {0};
    return take_mesh(mesh_import(path, &options, &mesh, NULL, failure), &mesh, out, failure);
}

static int build_shape(const char *name_of_shape, size_t count, const char *const *name,
                       const char *const *value, struct mesh *out, struct failure *failure)
{
    const struct room_shape *shape = room_shape_find(name_of_shape);
    double measure[ROOM_PARAMETERS_MAX];
    if (shape == NULL)
        return failure_set(failure, FAILURE_INPUT, "there is no built-in room %s", name_of_shape);
    room_defaults(shape, measure);
    for (size_t i = 0; i < count; i++)
        TRY(room_set(shape, measure, name[i], value[i], failure));
    return room_build(shape, measure, out, failure);
}

int transept_mesh_shape(const char *shape, size_t count, const char *const *name, const char *const *value,
                        struct mesh **out, struct failure *failure)
{
    struct mesh mesh = {0};
    return take_mesh(build_shape(shape, count, name, value, &mesh, failure), &mesh, out, failure);
}

static int copy_arrays(size_t vertices, const double *vertex, size_t triangles, const uint32_t *triangle,
                       const uint16_t *triangle_material, size_t materials, const char *const *material,
                       struct mesh *out, struct failure *failure)
{
    for (size_t m = 0; m < materials; m++) {
        uint16_t index = 0;
        TRY(mesh_add_material(out, material[m], &index, failure));
        if (index != m)
            return failure_set(failure, FAILURE_INPUT, "two materials are called \"%s\"", material[m]);
    }
    for (size_t v = 0; v < vertices; v++)
        TRY(mesh_add_vertex(out, vertex + 3 * v, NULL, failure));
    for (size_t t = 0; t < triangles; t++)
        TRY(mesh_add_triangle(out, triangle + 3 * t, triangle_material[t], failure));
    return mesh_check(out, failure);
}

int transept_mesh_make(size_t vertices, const double *vertex, size_t triangles, const uint32_t *triangle,
                       const uint16_t *triangle_material, size_t materials, const char *const *material,
                       struct mesh **out, struct failure *failure)
{
    struct mesh mesh = {0};
    return take_mesh(copy_arrays(vertices, vertex, triangles, triangle, triangle_material, materials,
                                 material, &mesh, failure),
                     &mesh, out, failure);
}

void transept_mesh_free(struct mesh *mesh)
{
    mesh_free(mesh);
    free(mesh);
}

int transept_mesh_mark(struct mesh *mesh, int receiver, const char *name, const double position[3],
                       struct failure *failure)
{
    return mesh_add_marker(mesh, receiver ? MARKER_RECEIVER : MARKER_SOURCE, name, position, failure);
}

int transept_mesh_write(const struct mesh *mesh, const char *path, struct failure *failure)
{
    return mesh_write(mesh, path, failure);
}

void transept_mesh_counts(const struct mesh *mesh, size_t count[4])
{
    count[0] = mesh->vertex_count;
    count[1] = mesh->triangle_count;
    count[2] = mesh->material_count;
    count[3] = mesh->marker_count;
}

const double *transept_mesh_vertices(const struct mesh *mesh)
{
    return (const double *)mesh->vertex;
}

const uint32_t *transept_mesh_triangles(const struct mesh *mesh)
{
    return (const uint32_t *)mesh->triangle;
}

const uint16_t *transept_mesh_triangle_materials(const struct mesh *mesh)
{
    return mesh->triangle_material;
}

const char *transept_mesh_material(const struct mesh *mesh, size_t material)
{
    return mesh->material[material];
}

const char *transept_mesh_marker(const struct mesh *mesh, size_t marker, int *receiver, double position[3])
{
    const struct mesh_marker *at = &mesh->marker[marker];
    *receiver = at->kind == MARKER_RECEIVER;
    memcpy(position, at->position, sizeof at->position);
    return at->name;
}

void transept_mesh_areas(const struct mesh *mesh, double *area)
{
    mesh_material_areas(mesh, area);
}

int transept_mesh_census(const struct mesh *mesh, size_t census[4], struct failure *failure)
{
    struct mesh_census found;
    TRY(mesh_count_oddities(mesh, &found, failure));
    census[0] = found.degenerate;
    census[1] = found.duplicate;
    census[2] = found.open_edges;
    census[3] = found.nonmanifold_edges;
    return 0;
}
