#include "geometry/air/contact_face.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/voxel/voxels.h"

static int normal_of(const double corner[3][3], double normal[3])
{
    double edge[2][3];
    for (int axis = 0; axis < 3; axis++) {
        edge[0][axis] = corner[1][axis] - corner[0][axis];
        edge[1][axis] = corner[2][axis] - corner[0][axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        normal[axis] = edge[0][u] * edge[1][v] - edge[0][v] * edge[1][u];
    }
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int axis = 0; axis < 3 && length > 0; axis++)
        normal[axis] /= length;
    return length > 0;
}

/** Snapped corners are the only ones that give a triangle without area a normal. */
static void make_face(const struct mesh *mesh, const struct lattice *lattice, size_t triangle,
                      struct contact_face *face)
{
    double corner[3][3], normal[3] = {0};
    for (int i = 0; i < 3; i++)
        memcpy(corner[i], mesh->vertex[mesh->triangle[triangle][i]], sizeof corner[i]);
    if (!normal_of((const double(*)[3])corner, normal)) {
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++)
                corner[i][axis] = (double)lattice_snap(lattice, axis, corner[i][axis]);
        (void)normal_of((const double(*)[3])corner, normal);
    }
    for (int axis = 0; axis < 3; axis++) {
        face->cosine[axis] = (uint16_t)floor(fmin(fabs(normal[axis]), 1) * VOXELS_COSINE_ONE + 0.5);
        /* Who looks down the axis sees the front of what faces up it. */
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
