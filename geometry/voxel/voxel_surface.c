#include "geometry/voxel/voxel_surface.h"

#include <stdio.h>
#include <stdlib.h>

#include "geometry/base/array_room.h"
#include "geometry/base/whole_file.h"
#include "geometry/voxel/block_bits.h"
#include "geometry/voxel/node_map.h"
#include "geometry/voxel/surface_ply.h"

/** The corners of all squares, each place once. Corner (i,j,k) is half a step before node (i,j,k). */
struct corners {
    struct node_map index;
    size_t count, room;
    int32_t (*at)[3];
};

/** The corners of the square on a cut link, counter-clockwise from the node: its front faces the air. */
static void square_corners(const struct voxel_block *block, const struct voxel_contact *contact,
                           int64_t corner[4][3])
{
    const int axis = contact->direction / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool positive = contact->direction % 2 != 0;
    for (int i = 0; i < 4; i++) {
        const int turned = positive ? 3 - i : i;
        block_bits_node(block->place, contact->slot, corner[i]);
        corner[i][axis] += positive;
        corner[i][u] += turned == 1 || turned == 2;
        corner[i][v] += turned >= 2;
    }
}

static int add_corner(struct corners *corners, const int64_t at[3], struct failure *failure)
{
    if (node_map_get(&corners->index, at) != NODE_MAP_NONE)
        return 0;
    if (corners->count >= INT32_MAX)
        return failure_advise(
            failure_set(failure, FAILURE_CAPACITY,
                        "the surface of the voxels has more than %d corners, which viewers cannot number",
                        INT32_MAX),
            failure, ADVICE_LARGER_SPACING, 0);
    int32_t(*grown)[3] = array_room(corners->at, &corners->room, corners->count + 1, sizeof *grown,
                                    "the surface of the voxels", failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    corners->at = grown;
    for (int axis = 0; axis < 3; axis++)
        corners->at[corners->count][axis] = (int32_t)at[axis];
    return node_map_set(&corners->index, at, (uint32_t)corners->count++, failure);
}

static int collect_corners(const struct voxels *voxels, struct corners *corners, struct failure *failure)
{
    for (size_t b = 0; b < voxels->block_count; b++) {
        const struct voxel_block *block = &voxels->block[b];
        if (block->detail == VOXELS_OPEN_AIR)
            continue;
        const struct voxel_detail *detail = &voxels->detail[block->detail];
        for (uint32_t i = 0; i < detail->contact_count; i++) {
            int64_t corner[4][3];
            square_corners(block, &voxels->contact[detail->first_contact + i], corner);
            for (int k = 0; k < 4; k++)
                TRY(add_corner(corners, corner[k], failure));
        }
    }
    return 0;
}

static void write_vertices(FILE *stream, const struct lattice *lattice, const struct corners *corners,
                           const struct voxel_surface_axes *axes)
{
    for (size_t i = 0; i < corners->count; i++) {
        double at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = corners->at[i][axis] - 0.5;
        surface_ply_vertex(stream, lattice, axes, at);
    }
}

static void write_squares(FILE *stream, const struct voxels *voxels, const struct corners *corners,
                          const struct surface_paint *paint)
{
    for (size_t b = 0; b < voxels->block_count; b++) {
        const struct voxel_block *block = &voxels->block[b];
        if (block->detail == VOXELS_OPEN_AIR)
            continue;
        const struct voxel_detail *detail = &voxels->detail[block->detail];
        for (uint32_t i = 0; i < detail->contact_count; i++) {
            const struct voxel_contact *contact = &voxels->contact[detail->first_contact + i];
            int64_t corner[4][3];
            uint32_t index[4];
            square_corners(block, contact, corner);
            for (int k = 0; k < 4; k++)
                index[k] = node_map_get(&corners->index, corner[k]);
            surface_ply_face(stream, 4, index, paint, contact->material);
        }
    }
}

int voxel_surface_write(const struct voxels *voxels, const struct mesh *materials,
                        const struct voxel_surface_axes *axes, const char *path,
                        struct voxel_surface_size *size, struct failure *failure)
{
    struct corners corners = {0};
    struct whole_file file = {0};
    int code = 0;
    struct surface_paint paint = {0};
    if ((code = surface_paint_make(materials, &paint, failure)) != 0)
        goto done;
    if (voxels->contact_count == 0 || voxels->contact_count > INT32_MAX) {
        code =
            voxels->contact_count == 0
                ? failure_set(failure, FAILURE_INPUT, "the voxels have no surface to write to %s", path)
                : failure_advise(
                      failure_set(failure, FAILURE_CAPACITY,
                                  "the surface of the voxels has %zu squares, but viewers can number at most "
                                  "%d",
                                  voxels->contact_count, INT32_MAX),
                      failure, ADVICE_LARGER_SPACING, 0);
        goto done;
    }
    if ((code = collect_corners(voxels, &corners, failure)) != 0 ||
        (code = whole_file_open(&file, path, failure)) != 0)
        goto done;
    surface_ply_head(file.stream, "the air of a room, one square per cut link, front towards the air",
                     materials, axes, corners.count, voxels->contact_count);
    surface_ply_body(file.stream);
    write_vertices(file.stream, &voxels->lattice, &corners, axes);
    write_squares(file.stream, voxels, &corners, &paint);
    const long bytes = ftell(file.stream);
    if ((code = whole_file_commit(&file, failure)) != 0)
        goto done;
    if (size != NULL)
        *size = (struct voxel_surface_size){
            .vertices = corners.count, .squares = voxels->contact_count, .bytes = (uint64_t)bytes};
done:
    whole_file_abandon(&file);
    node_map_free(&corners.index);
    free(corners.at);
    surface_paint_free(&paint);
    return code;
}
