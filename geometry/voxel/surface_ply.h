/** Writes PLY of the surface of voxels, piece by piece: common code of voxel_surface.c and wall_surface.c.
 *
 * Binary, little-endian. A face is the number of its corners, their indices, red, green, blue and its
 * material. Write errors stay in the stream; whole_file_commit() reports them. */
#ifndef GEOMETRY_SURFACE_PLY_H
#define GEOMETRY_SURFACE_PLY_H

#include <stdio.h>

#include "geometry/base/failure.h"
#include "geometry/import/mesh_import.h"
#include "geometry/mesh/mesh.h"
#include "geometry/voxel/lattice.h"

/** The units and axes of the model's file, so that both can be shown in one place; {1, UP_Z} leaves room
 * axes in metres. As in mesh_import_facts. */
struct voxel_surface_axes {
    double metres_per_unit;
    enum up_axis up; /* UP_Y turns (x, y, z) to (x, z, -y) */
};

/** Colours of a mesh's materials; owned, surface_paint_free(). */
struct surface_paint {
    size_t materials;
    uint8_t (*rgb)[3];
};

/** FAILURE_CAPACITY for memory. */
int surface_paint_make(const struct mesh *materials, struct surface_paint *out, struct failure *failure);
void surface_paint_free(struct surface_paint *paint);

/** The header up to the properties that all faces have; surface_ply_body() ends it. */
void surface_ply_head(FILE *stream, const char *what, const struct mesh *materials,
                      const struct voxel_surface_axes *axes, size_t vertices, size_t faces);
void surface_ply_body(FILE *stream);

/** @param at  in spacings from node (0,0,0) */
void surface_ply_vertex(FILE *stream, const struct lattice *lattice, const struct voxel_surface_axes *axes,
                        const double at[3]);

/** @param corners  at most 255 */
void surface_ply_face(FILE *stream, unsigned corners, const uint32_t *index,
                      const struct surface_paint *paint, uint16_t material);
void surface_ply_float(FILE *stream, double value);

#endif
