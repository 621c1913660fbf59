#include "geometry/air/contact_face.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "geometry/base/vector.h"
#include "geometry/voxel/voxels.h"

/** Scale to unit length; false for a vector of length 0. */
static bool normalise_vector(double normal[3])
{
    const double length = vector_length(normal);
    for (int axis = 0; axis < 3 && length > 0; axis++)
        normal[axis] /= length;
    return length > 0;
}

/** A triangle without area gets its normal from the snapped corners. */
static void make_face(const struct mesh *mesh, const struct lattice *lattice, size_t triangle,
                      struct contact_face *face)
{
    double normal[3];
    mesh_normal(mesh, triangle, normal);
    if (!normalise_vector(normal)) {
        double corner[3][3], edge[2][3];
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++)
                corner[i][axis] =
                    (double)lattice_snap(lattice, axis, mesh->vertex[mesh->triangle[triangle][i]][axis]);
        vector_subtract(corner[1], corner[0], edge[0]);
        vector_subtract(corner[2], corner[0], edge[1]);
        vector_cross(edge[0], edge[1], normal);
        (void)normalise_vector(normal);
    }
    for (int axis = 0; axis < 3; axis++) {
        face->cosine[axis] = (uint16_t)floor(fmin(fabs(normal[axis]), 1) * VOXELS_COSINE_ONE + 0.5);
        /* Seen against the axis, a face with its normal along the axis shows its front. */
        face->side[2 * axis] = normal[axis] >= 0 ? FACE_FRONT : FACE_BACK;
        face->side[2 * axis + 1] = normal[axis] <= 0 ? FACE_FRONT : FACE_BACK;
    }
}

int contact_faces_make(const struct mesh *mesh, const struct lattice *lattice, const uint16_t *back,
                       struct contact_face **out, struct failure *failure)
{
    const size_t bytes = (mesh->triangle_count + 1) * sizeof **out;
    struct contact_face *face = malloc(bytes);
    if (face == NULL)
        return failure_memory(failure, bytes, "the normals of triangles");
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint16_t material = mesh->triangle_material[t];
        make_face(mesh, lattice, t, &face[t]);
        face[t].material[FACE_FRONT] = material;
        face[t].material[FACE_BACK] = back != NULL ? back[material] : material;
    }
    *out = face;
    return 0;
}
