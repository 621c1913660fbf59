/* OBJ: any bytes give a model whose triangles use what is there, or a sentence.
 *
 *   tools/fuzz 600 obj        # build with clang and run for ten minutes */
#include <math.h>

#include "geometry/import/obj_file.h"
#include "tests/fuzz/fuzz_claims.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct failure failure = {0};
    struct model_file model = {0};
    char *text = copy_of_input(data, size);
    const int code = obj_read(text, size, &model, &failure);
    const struct mesh *mesh = &model.mesh;
    free(text); /* what was made of it must stand by itself */
    claim_outcome(code, &failure);
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        for (int axis = 0; axis < 3; ++axis)
            CLAIM(isfinite(mesh->vertex[v][axis]));
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        for (int corner = 0; corner < 3; ++corner)
            CLAIM(mesh->triangle[t][corner] < mesh->vertex_count);
        CLAIM(mesh->triangle_material[t] < mesh->material_count);
    }
    for (size_t m = 0; code == 0 && m < mesh->marker_count; ++m)
        CLAIM(isfinite(mesh->marker[m].position[0]));
    mesh_free(&model.mesh);
    return 0;
}
