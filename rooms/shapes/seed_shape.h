/** The seed's shapes as bare air, without a mesh, for its memory table.
 *
 * cube: all of d^3 points. cross: five cubes of d^3 as a plus in plan, in a box of 3d x 3d x d. sphere:
 * points with (x-c)^2 + (y-c)^2 + (z-c)^2 < (d/2)^2, c = d/2 + 1 (0-based) in a box of d^3: off-centre and
 * cut at the high faces, as found by matching every count of Webber 2017, Table A.1. */
#ifndef ROOMS_SEED_SHAPE_H
#define ROOMS_SEED_SHAPE_H

#include "geometry/voxel/voxels.h"

#define SEED_SHAPE_NODES_MAX 4096

enum seed_shape { SEED_CUBE, SEED_SPHERE, SEED_CROSS };

/** @param nodes d, 1 .. SEED_SHAPE_NODES_MAX points along an edge or diameter; FAILURE_INPUT outside
 * Contacts carry VOXELS_NO_MATERIAL and cosine 1. The smallest shapes may hold no air, or
 * nodes without a neighbour, which packing drops. `out` owned by the caller (voxels_free). */
int seed_shape_voxels(enum seed_shape shape, int64_t nodes, struct voxels *out, struct failure *failure);

/** Nodes of the seed's own box: d^3, or 9 d^3 for the cross. */
uint64_t seed_shape_box_nodes(enum seed_shape shape, int64_t nodes);

#endif
