#include "geometry/import/model_faces.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/polygon.h"

int model_faces_begin(struct model_faces *faces, struct model_file *model, struct failure *failure)
{
    *faces = (struct model_faces){.model = model,
                                  .corner = malloc(POLYGON_CORNERS_MAX * sizeof faces->corner[0]),
                                  .cut = malloc(POLYGON_CORNERS_MAX * sizeof faces->cut[0]),
                                  .failure = failure};
    if (faces->corner != NULL && faces->cut != NULL)
        return 0;
    model_faces_end(faces);
    return failure_memory(failure, POLYGON_CORNERS_MAX * (sizeof faces->corner[0] + sizeof faces->cut[0]),
                          "the corners of a polygon");
}

void model_faces_end(struct model_faces *faces)
{
    free(faces->corner);
    free(faces->cut);
    *faces = (struct model_faces){0};
}

static int add_triangle(const struct model_faces *faces, const unsigned *index, const uint32_t of[3],
                        size_t base, uint16_t material, bool reversed)
{
    const uint32_t triangle[3] = {(uint32_t)(base + index[of[0]]),
                                  (uint32_t)(base + index[of[reversed ? 2 : 1]]),
                                  (uint32_t)(base + index[of[reversed ? 1 : 2]])};
    return mesh_add_triangle(&faces->model->mesh, triangle, material, faces->failure);
}

int model_faces_add(const struct model_faces *faces, const unsigned *index, size_t count, size_t base,
                    uint16_t material, bool reversed)
{
    static const uint32_t only[3] = {0, 1, 2};
    struct model_file *model = faces->model;
    if (count < 3) {
        ++model->lines_and_points;
        return 0;
    }
    if (count == 3)
        return add_triangle(faces, index, only, base, material, reversed);
    ++model->polygons;
    if (count <= POLYGON_CORNERS_MAX)
        for (size_t k = 0; k < count; ++k)
            memcpy(faces->corner[k], model->mesh.vertex[base + index[k]], sizeof faces->corner[k]);
    TRY(polygon_triangulate((const double(*)[3])faces->corner, count, faces->cut, faces->failure));
    for (size_t t = 0; t + 2 < count; ++t)
        TRY(add_triangle(faces, index, faces->cut[t], base, material, reversed));
    return 0;
}

int model_places_mean(struct mesh *places, double mean[3], bool *found, struct failure *failure)
{
    /* Welding keeps vertices that triangles use, so each vertex gets a triangle of its own. */
    for (size_t v = 0; v < places->vertex_count; ++v) {
        const uint32_t here[3] = {(uint32_t)v, (uint32_t)v, (uint32_t)v};
        TRY(mesh_add_triangle(places, here, 0, failure));
    }
    TRY(mesh_weld(places, failure));
    *found = places->vertex_count > 0;
    for (int axis = 0; *found && axis < 3; ++axis) {
        mean[axis] = 0;
        for (size_t v = 0; v < places->vertex_count; ++v)
            mean[axis] += places->vertex[v][axis];
        mean[axis] /= (double)places->vertex_count;
    }
    return 0;
}
