#include "geometry/voxel/surface_ply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh/material_colour.h"
#include "geometry/voxel/voxels.h"

int surface_paint_make(const struct mesh *materials, struct surface_paint *out, struct failure *failure)
{
    struct surface_paint paint = {.materials = materials->material_count,
                                  .rgb = calloc(materials->material_count + 1, sizeof *paint.rgb)};
    if (paint.rgb == NULL)
        return failure_memory(failure, materials->material_count * sizeof *paint.rgb, "colours of materials");
    for (size_t i = 0; i < paint.materials; i++) {
        double rgb[3];
        material_colour(materials->material[i], rgb);
        for (int k = 0; k < 3; k++)
            paint.rgb[i][k] = (uint8_t)floor(rgb[k] * 255 + 0.5);
    }
    *out = paint;
    return 0;
}

void surface_paint_free(struct surface_paint *paint)
{
    free(paint->rgb);
    *paint = (struct surface_paint){0};
}

static void put_32(FILE *stream, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        (void)fputc((int)(value >> 8 * i & 255), stream);
}

void surface_ply_float(FILE *stream, double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_32(stream, bits);
}

/* A name on one line. */
static void write_name(FILE *stream, const char *name)
{
    for (; *name != '\0'; name++)
        (void)fputc((unsigned char)*name < ' ' ? '_' : *name, stream);
}

void surface_ply_head(FILE *stream, const char *what, const struct mesh *materials,
                      const struct voxel_surface_axes *axes, size_t vertices, size_t faces)
{
    (void)fprintf(stream,
                  "ply\nformat binary_little_endian 1.0\n"
                  "comment transept: %s\n"
                  "comment one unit is %.17g m, %c is up\n",
                  what, axes->metres_per_unit, axes->up == UP_Y ? 'y' : 'z');
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
                  "property ushort material\n",
                  VOXELS_NO_MATERIAL, VOXELS_OPEN_FACE, vertices, faces);
}

void surface_ply_body(FILE *stream)
{
    (void)fputs("end_header\n", stream);
}

void surface_ply_vertex(FILE *stream, const struct lattice *lattice, const struct voxel_surface_axes *axes,
                        const double at[3])
{
    double position[3];
    for (int axis = 0; axis < 3; axis++)
        position[axis] = (lattice->origin[axis] + at[axis] * lattice->spacing) / axes->metres_per_unit;
    const bool y_up = axes->up == UP_Y;
    surface_ply_float(stream, position[0]);
    surface_ply_float(stream, y_up ? position[2] : position[1]);
    surface_ply_float(stream, y_up ? 0.0 - position[1] : position[2]);
}

void surface_ply_face(FILE *stream, unsigned corners, const uint32_t *index,
                      const struct surface_paint *paint, uint16_t material)
{
    static const uint8_t open[3] = {150, 200, 255}, none[3] = {255, 0, 255};
    const uint8_t *rgb = material < paint->materials    ? paint->rgb[material]
                         : material == VOXELS_OPEN_FACE ? open
                                                        : none;
    (void)fputc((int)corners, stream);
    for (unsigned k = 0; k < corners; k++)
        put_32(stream, index[k]);
    (void)fwrite(rgb, 1, 3, stream);
    (void)fputc(material & 255, stream);
    (void)fputc(material >> 8, stream);
}
