#include "geometry/air/exposure.h"

#include "geometry/voxel/link_test.h"

void exposure_measure(const struct mesh *mesh, const struct cut_field *field, const struct contact_face *face,
                      const struct seen_face *seen, struct voxel_exposure *exposure)
{
    const double cell = field->lattice.spacing * field->lattice.spacing / VOXELS_COSINE_ONE;
    for (size_t m = 0; m < mesh->material_count; m++)
        exposure[m] = (struct voxel_exposure){0};
    /* Sum whole numbers first, which doubles hold exactly up to 2^53, so that the order of triangles has no
     * effect. */
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        struct voxel_exposure *out = &exposure[face[t].material[FACE_FRONT]];
        for (int axis = 0; axis < 3; axis++) {
            const double cosine = face[t].cosine[axis];
            out->met += cosine * (double)field->met[t][axis];
            out->front += cosine * (double)seen[t].crossings[axis][FACE_FRONT];
            out->back += cosine * (double)seen[t].crossings[axis][FACE_BACK];
        }
    }
    for (size_t m = 0; m < mesh->material_count; m++) {
        exposure[m].met *= cell / CROSSING_WHOLE;
        exposure[m].front *= cell;
        exposure[m].back *= cell;
    }
}
