#include "geometry/room_cuts.h"

#include <stdlib.h>

#include "geometry/seal.h"

void room_cuts_free(struct room_cuts *room)
{
    cut_field_free(&room->field);
    cut_field_free(&room->plain);
    mesh_free(&room->sealed);
    free(room->snapped);
    *room = (struct room_cuts){0};
}

int room_cuts_make(const struct mesh *mesh, const struct lattice *lattice,
                   const struct voxelise_options *options, struct room_cuts *out, struct failure *failure)
{
    *out =
        (struct room_cuts){.walls = mesh, .mesh = mesh, .open = options->open, .threads = options->threads};
    int result = 0;
    if (options->seal_width != 0) {
        if ((result = seal_mesh(mesh, options->seal_width, &out->sealed, failure)) != 0 ||
            (result = cut_field_make(mesh, lattice, out->threads, &out->plain, failure)) != 0)
            goto done;
        out->mesh = &out->sealed;
    }
    if ((result = cut_field_make(out->mesh, lattice, out->threads, &out->field, failure)) != 0)
        goto done;
    out->field.interrupted = options->interrupted;
    const size_t bytes = out->mesh->triangle_count * sizeof *out->snapped;
    out->snapped = malloc(bytes != 0 ? bytes : 1);
    if (out->snapped == NULL) {
        result = failure_memory(failure, bytes, "the triangles on the lattice");
        goto done;
    }
    result = snap_triangles(out->mesh, lattice, out->snapped, failure);
done:
    if (result != 0)
        room_cuts_free(out);
    return result;
}
