/** The surface of voxels as a mesh for a viewer: the walls of the room in the simulation.
 *
 * Every cut link of an air node is one square of side h, half way along the link, that faces the air (its
 * corners run counterclockwise seen from the node). A thin wall between two air nodes gives two squares, back
 * to back. Corners at the same place are one vertex, so the surface of enclosed air is closed: every edge is
 * run through as often one way as the other. Colours are the materials' (see material_colour.h); open faces
 * are light blue, cut links without a wall behind them magenta. */
#ifndef GEOMETRY_VOXEL_SURFACE_H
#define GEOMETRY_VOXEL_SURFACE_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "geometry/voxel/surface_ply.h"
#include "geometry/voxel/voxels.h"

struct voxel_surface_size {
    uint64_t vertices, squares, bytes;
};

/** Write the surface to `path` as binary little-endian PLY: float vertices, squares as lists of four vertex
 * indices with red, green, blue and the index of the material as properties (65535 open face, 65534 none);
 * materials' names are in comments. The file appears whole or not at all.
 * @param[in]  materials  names: those of the mesh that `voxels` was made from
 * @param[out] size  may be NULL
 * FAILURE_INPUT for voxels without air; FAILURE_CAPACITY for memory or more than 2^31 - 1 vertices or
 * squares, which 32-bit readers end at; FAILURE_OUTPUT names the path. O(surface) time and memory: about 50
 * bytes a vertex. */
int voxel_surface_write(const struct voxels *voxels, const struct mesh *materials,
                        const struct voxel_surface_axes *axes, const char *path,
                        struct voxel_surface_size *size, struct failure *failure);

#endif
