#include "geometry/mesh/mesh_write.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/whole_file.h"
#include "geometry/mesh/gltf_write.h"
#include "geometry/mesh/marker_name.h"
#include "geometry/mesh/material_colour.h"
#include "geometry/mesh/material_order.h"

/* Radius of an octahedron [m]. A power of two keeps the centroid of its floats exact. */
#define MARKER_RADIUS   0.125
#define MARKER_MATERIAL "transept_position"

/* Write a name on one line. Control characters become `_`, and so do blanks if a name ends at the first. */
static void put_name(FILE *stream, const char *name, bool keep_blanks)
{
    for (; *name != '\0'; ++name) {
        const unsigned char c = (unsigned char)*name;
        (void)fputc(c < 0x20 || c == 0x7F || (c == ' ' && !keep_blanks) ? '_' : c, stream);
    }
}

static void put_material(FILE *stream, const char *name)
{
    double rgb[3];
    material_colour(name, rgb);
    (void)fputs("newmtl ", stream);
    put_name(stream, name, true);
    (void)fprintf(stream, "\nKd %.4f %.4f %.4f\n\n", rgb[0], rgb[1], rgb[2]);
}

static void put_marker(FILE *stream, const struct mesh_marker *marker, size_t first_vertex)
{
    /* Corners at +x -x +y -y +z -z; fronts face outwards. */
    static const unsigned char face[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                             {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    (void)fprintf(stream, "o %s:", marker_kind_name(marker->kind));
    put_name(stream, marker->name, false);
    (void)fprintf(stream, "\nusemtl %s\n", MARKER_MATERIAL);
    for (int corner = 0; corner < 6; ++corner) {
        double position[3] = {marker->position[0], marker->position[1], marker->position[2]};
        position[corner / 2] += corner % 2 == 0 ? MARKER_RADIUS : -MARKER_RADIUS;
        (void)fprintf(stream, "v %.17g %.17g %.17g\n", position[0], position[1], position[2]);
    }
    for (int f = 0; f < 8; ++f)
        (void)fprintf(stream, "f %zu %zu %zu\n", first_vertex + face[f][0], first_vertex + face[f][1],
                      first_vertex + face[f][2]);
}

static void put_obj(FILE *stream, const struct mesh *mesh, const struct material_order *order,
                    const char *mtl_name)
{
    enum marker_kind kind;
    (void)fprintf(stream, "# transept: metres, z up\nmtllib %s\n", mtl_name);
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        (void)fprintf(stream, "v %.17g %.17g %.17g\n", mesh->vertex[v][0], mesh->vertex[v][1],
                      mesh->vertex[v][2]);
    for (size_t m = 0; m < mesh->material_count; ++m) {
        if (order->begin[m] == order->begin[m + 1])
            continue;
        /* A material's name must not turn a wall into a position. */
        (void)fputs(marker_prefix(mesh->material[m], strlen(mesh->material[m]), &kind) > 0 ? "o surface_"
                                                                                           : "o ",
                    stream);
        put_name(stream, mesh->material[m], false);
        (void)fputs("\nusemtl ", stream);
        put_name(stream, mesh->material[m], true);
        (void)fputc('\n', stream);
        for (size_t k = order->begin[m]; k < order->begin[m + 1]; ++k) {
            const uint32_t *corner = mesh->triangle[order->triangle[k]];
            (void)fprintf(stream, "f %zu %zu %zu\n", (size_t)corner[0] + 1, (size_t)corner[1] + 1,
                          (size_t)corner[2] + 1);
        }
    }
    for (size_t m = 0; m < mesh->marker_count; ++m)
        put_marker(stream, &mesh->marker[m], mesh->vertex_count + 6 * m + 1);
}

static int write_obj(const struct mesh *mesh, const char *path, struct failure *failure)
{
    int status;
    struct whole_file obj = {0}, mtl = {0};
    struct material_order order = {0};
    const size_t stem = strlen(path) - strlen(".obj");
    char *mtl_path = malloc(stem + sizeof ".mtl");
    if (mtl_path == NULL) {
        status = failure_memory(failure, stem + sizeof ".mtl", "a file name");
        goto done;
    }
    memcpy(mtl_path, path, stem);
    memcpy(mtl_path + stem, ".mtl", sizeof ".mtl");
    const char *slash = strrchr(mtl_path, '/');
    if ((status = material_order_make(mesh, &order, failure)) != 0 ||
        (status = whole_file_open(&obj, path, failure)) != 0 ||
        (status = whole_file_open(&mtl, mtl_path, failure)) != 0)
        goto done;
    put_obj(obj.stream, mesh, &order, slash == NULL ? mtl_path : slash + 1);
    (void)fputs("# transept\n\n", mtl.stream);
    for (size_t m = 0; m < mesh->material_count; ++m)
        if (order.begin[m] < order.begin[m + 1])
            put_material(mtl.stream, mesh->material[m]);
    if (mesh->marker_count > 0)
        put_material(mtl.stream, MARKER_MATERIAL);
    if ((status = whole_file_settle(&obj, failure)) == 0 &&
        (status = whole_file_settle(&mtl, failure)) == 0 && (status = whole_file_commit(&mtl, failure)) == 0)
        status = whole_file_commit(&obj, failure);
done:
    whole_file_abandon(&obj);
    whole_file_abandon(&mtl);
    material_order_free(&order);
    free(mtl_path);
    return status;
}

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

int mesh_write(const struct mesh *mesh, const char *path, struct failure *failure)
{
    TRY(mesh_check(mesh, failure));
    if (mesh->triangle_count == 0)
        return failure_set(failure, FAILURE_INPUT, "%s was not written: the mesh has no triangles", path);
    if (ends_with(path, ".obj"))
        return write_obj(mesh, path, failure);
    if (ends_with(path, ".gltf"))
        return gltf_write(mesh, path, false, failure);
    if (ends_with(path, ".glb"))
        return gltf_write(mesh, path, true, failure);
    return failure_set(failure, FAILURE_INPUT,
                       "%s: a mesh is written to a name that ends in .obj, .gltf or .glb", path);
}

int mesh_write_path(const char *path, const char *name, const double (*point)[3], size_t count,
                    struct failure *failure)
{
    struct whole_file file = {0};
    TRY(whole_file_open(&file, path, failure));
    (void)fputs("# transept: to be imported beside the model it belongs to, with the same settings\no ",
                file.stream);
    put_name(file.stream, name, false);
    (void)fputc('\n', file.stream);
    for (size_t k = 0; k < count; ++k)
        (void)fprintf(file.stream, "v %.17g %.17g %.17g\n", point[k][0], point[k][1], point[k][2]);
    for (size_t k = 1; k < count; ++k)
        (void)fprintf(file.stream, "l %zu %zu\n", k, k + 1);
    return whole_file_commit(&file, failure);
}
