#include "geometry/leak/room_cuts.h"

#include <stdlib.h>

#include "geometry/leak/leak.h"
#include "geometry/leak/seal.h"
#include "geometry/voxel/clearance.h"
#include "geometry/voxel/flood.h"
#include "geometry/voxel/seed_node.h"

void room_cuts_free(struct room_cuts *room)
{
    cut_field_free(&room->field);
    cut_field_free(&room->plain);
    mesh_free(&room->sealed);
    free(room->snapped);
    *room = (struct room_cuts){0};
}

/** Links that room->mesh cuts, and its triangles on the lattice. */
static int cut_links(struct room_cuts *room, const struct lattice *lattice,
                     const struct voxelise_options *options, struct failure *failure)
{
    cut_field_free(&room->field);
    free(room->snapped);
    room->snapped = NULL;
    TRY(cut_field_make(room->mesh, lattice, room->threads, &room->field, failure));
    room->field.interrupted = options->interrupted;
    const size_t bytes = room->mesh->triangle_count * sizeof *room->snapped;
    room->snapped = malloc(bytes != 0 ? bytes : 1);
    if (room->snapped == NULL)
        return failure_memory(failure, bytes, "the triangles on the lattice");
    return snap_triangles(room->mesh, lattice, room->snapped, failure);
}

/** Plug the leak path from a node, if it is nowhere wider than the seal. */
static int plug_path(struct room_cuts *room, const struct clearance *walls, double width,
                     const int64_t node[3], bool *plugged, struct failure *failure)
{
    struct voxel_leak path = {0};
    struct failure found = {0};
    *plugged = false;
    int result = leak_find(room->walls, &room->field, node, "", &path, &found);
    if (path.point_count > 0)
        result = seal_plug(walls, &path, width, room->field.lattice.spacing, &room->sealed, plugged, failure);
    else if (result != 0)
        failure_forward(failure, &found);
    voxel_leak_free(&path);
    return result;
}

static int plug_paths(struct room_cuts *room, const struct lattice *lattice,
                      const struct voxelise_options *options, const double (*position)[3], size_t count,
                      struct failure *failure)
{
    struct clearance walls = {0};
    struct flood flood = {0};
    int result = flood_start(&room->field, options->open, &flood, failure);
    for (size_t n = 0; n < count && result == 0;) {
        int64_t corner[8][3];
        bool plugged = false;
        if (seed_corners(&room->field, room->walls, room->snapped, position[n], corner) > 0 &&
            (result = flood_from(&flood, corner[0], NULL, failure)) == 0 && flood.escaped) {
            if (seed_stands_inside(room->walls, position[n]) &&
                (walls.node_count > 0 || (result = clearance_make(room->walls, &walls, failure)) == 0) &&
                (result = plug_path(room, &walls, options->seal_width, corner[0], &plugged, failure)) == 0 &&
                plugged)
                result = cut_links(room, lattice, options, failure);
            flood_free(&flood);
            if (result == 0)
                result = flood_start(&room->field, options->open, &flood, failure);
        }
        n += !plugged;
    }
    flood_free(&flood);
    clearance_free(&walls);
    return result;
}

int room_cuts_make(const struct mesh *mesh, const struct lattice *lattice,
                   const struct voxelise_options *options, const double (*position)[3], size_t count,
                   struct room_cuts *out, struct failure *failure)
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
    if ((result = cut_links(out, lattice, options, failure)) == 0 && options->seal_width != 0)
        result = plug_paths(out, lattice, options, position, count, failure);
done:
    if (result != 0)
        room_cuts_free(out);
    return result;
}
