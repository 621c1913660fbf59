#include "geometry/voxel/voxel_surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/array_room.h"
#include "geometry/base/whole_file.h"
#include "geometry/mesh/material_colour.h"
#include "geometry/voxel/block_bits.h"
#include "geometry/voxel/node_map.h"

#define VERTEX_BYTES 12u
#define SQUARE_BYTES 22u /* 4 indices and their count, three colours, material */

/** The corners of all squares, each place once. Corner (i,j,k) stands half a step before node (i,j,k). */
struct corners {
    struct node_map index;
    size_t count, room;
    int32_t (*at)[3];
};

/** The colour of a contact's square. */
struct paint {
    uint8_t rgb[3];
};

/** The corners of the square on a cut link, counterclockwise as the node sees it: its front is the air. */
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

static void put_32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static void put_float(uint8_t *bytes, double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_32(bytes, bits);
}

/** A name on one line. */
static void write_name(FILE *stream, const char *name)
{
    for (; *name != '\0'; name++)
        (void)fputc((unsigned char)*name < ' ' ? '_' : *name, stream);
}

static void write_header(FILE *stream, const struct mesh *materials, const struct voxel_surface_axes *axes,
                         size_t vertices, size_t squares)
{
    (void)fprintf(stream,
                  "ply\nformat binary_little_endian 1.0\n"
                  "comment transept: the air of a room, one square per cut link, front towards the air\n"
                  "comment one unit is %.17g m, %c is up\n",
                  axes->metres_per_unit, axes->up == UP_Y ? 'y' : 'z');
    for (size_t i = 0; i < materials->material_count; i++) {
        (void)fprintf(stream, "comment material %zu ", i);
        write_name(stream, materials->material[i]);
        (void)fputc('\n', stream);
    }
    (void)fprintf(stream,
                  "comment material %u no wall\ncomment material %u open face\n"
                  "element vertex %zu\nproperty float x\nproperty float y\nproperty float z\n"
                  "element face %zu\nproperty list uchar int vertex_indices\n"
                  "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                  "property ushort material\nend_header\n",
                  VOXELS_NO_MATERIAL, VOXELS_OPEN_FACE, vertices, squares);
}

static void write_vertices(FILE *stream, const struct lattice *lattice, const struct corners *corners,
                           const struct voxel_surface_axes *axes)
{
    for (size_t i = 0; i < corners->count; i++) {
        double at[3];
        uint8_t bytes[VERTEX_BYTES];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = (lattice->origin[axis] + (corners->at[i][axis] - 0.5) * lattice->spacing) /
                       axes->metres_per_unit;
        const bool y_up = axes->up == UP_Y;
        put_float(bytes, at[0]);
        put_float(bytes + 4, y_up ? at[2] : at[1]);
        put_float(bytes + 8, y_up ? 0.0 - at[1] : at[2]);
        (void)fwrite(bytes, 1, sizeof bytes, stream);
    }
}

static struct paint paint_of(const struct paint *paint, size_t materials, uint16_t material)
{
    if (material < materials)
        return paint[material];
    if (material == VOXELS_OPEN_FACE)
        return (struct paint){{150, 200, 255}};
    return (struct paint){{255, 0, 255}};
}

static void write_squares(FILE *stream, const struct voxels *voxels, const struct corners *corners,
                          const struct paint *paint, size_t materials)
{
    for (size_t b = 0; b < voxels->block_count; b++) {
        const struct voxel_block *block = &voxels->block[b];
        if (block->detail == VOXELS_OPEN_AIR)
            continue;
        const struct voxel_detail *detail = &voxels->detail[block->detail];
        for (uint32_t i = 0; i < detail->contact_count; i++) {
            const struct voxel_contact *contact = &voxels->contact[detail->first_contact + i];
            int64_t corner[4][3];
            uint8_t bytes[SQUARE_BYTES];
            square_corners(block, contact, corner);
            bytes[0] = 4;
            for (int k = 0; k < 4; k++)
                put_32(bytes + 1 + 4 * k, node_map_get(&corners->index, corner[k]));
            const struct paint colour = paint_of(paint, materials, contact->material);
            memcpy(bytes + 17, colour.rgb, sizeof colour.rgb);
            bytes[20] = (uint8_t)contact->material;
            bytes[21] = (uint8_t)(contact->material >> 8);
            (void)fwrite(bytes, 1, sizeof bytes, stream);
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
    struct paint *paint = calloc(materials->material_count + 1, sizeof *paint);
    if (paint == NULL) {
        code = failure_memory(failure, materials->material_count * sizeof *paint, "colours of materials");
        goto done;
    }
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
    for (size_t i = 0; i < materials->material_count; i++) {
        double rgb[3];
        material_colour(materials->material[i], rgb);
        for (int k = 0; k < 3; k++)
            paint[i].rgb[k] = (uint8_t)floor(rgb[k] * 255 + 0.5);
    }
    if ((code = collect_corners(voxels, &corners, failure)) != 0 ||
        (code = whole_file_open(&file, path, failure)) != 0)
        goto done;
    write_header(file.stream, materials, axes, corners.count, voxels->contact_count);
    write_vertices(file.stream, &voxels->lattice, &corners, axes);
    write_squares(file.stream, voxels, &corners, paint, materials->material_count);
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
    free(paint);
    return code;
}
