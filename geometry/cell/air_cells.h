/** From a flood to cells: what walls leave of every voxel that holds air of the room.
 *
 * Which air is the room's is decided as for staircases, by exact links between nodes at the grid's spacing:
 * the graph of cells leaks where, and only where, these do. A part of a voxel that holds its centre is air
 * when the flood has reached that node. Every other part belongs to whom it is most open: of all openings
 * between parts the widest comes first, and a part that is not yet decided takes the side of the other end
 * (so a hairline crack joins nothing that is open elsewhere). Ties by node, then part.
 *
 * The ribbons that seal cracks (seal.h) cut links, not voxels: there are hundreds of them at one hole. At a
 * sealed crack the air ends with the voxels whose nodes are reached, without a material.
 *
 * Openings are areas between parts of two voxels, the same number from both sides. Where a body or a sheet
 * ends inside a voxel, so that lines through one part meet it and go on in the same part, what it hides along
 * an axis, (sum over its patches of area |n.e| - |open+ - open-|) / 2, is taken from the opening on the side
 * of the patches' middle: the part does not look through it.
 *
 * Inside the voxeliser only.
 */
#ifndef GEOMETRY_AIR_CELLS_H
#define GEOMETRY_AIR_CELLS_H

#include "geometry/leak/room_cuts.h"
#include "geometry/voxel/flood.h"
#include "geometry/voxel/voxels.h"

/** Make the voxels of `flood`, with cells (voxels.h).
 * @param back   (material_count) the material behind every material of the mesh; NULL: the same
 * @param[out] out  owned by the caller (voxels_free), untouched on failure
 * FAILURE_CAPACITY for memory, FAILURE_INTERRUPTED. O(voxels with triangles), threads; the result does not
 * depend on their number. */
int air_cells_make(const struct room_cuts *room, const uint16_t *back, const struct flood *flood,
                   struct voxels *out, struct failure *failure);

#endif
