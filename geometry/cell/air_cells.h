/** Converts a flood to cells: the open part of every voxel that holds air of the room.
 *
 * As with staircases, exact links between nodes decide which air belongs to the room, so the graph of cells
 * leaks exactly where links do. A part that holds the centre of its voxel is air if the flood has reached
 * that node. Other parts are decided by their openings, the widest first: an undecided part takes the state
 * of the other end. So a hairline crack does not join parts that are open elsewhere. Ties by node, then part.
 *
 * The ribbons that seal cracks (seal.h), hundreds at one hole, cut links but not voxels. At a sealed crack
 * the air ends with the voxels whose nodes are reached, without a material.
 *
 * Openings are areas between parts of two voxels, the same number from both sides. If a body or a sheet ends
 * inside a voxel, lines through a part meet it and continue in the same part. The area that it hides along an
 * axis, (sum over its patches of area |n.e| - |open+ - open-|) / 2, is subtracted from the opening on the
 * side of the patches' middle. Sound turns round an edge, so of that opening a body as thick as t along the
 * axis that leaves the share s < 2/3 to straight lines leaves s / (3/2 s + t (1 - s)), but not less than s: a
 * sheet leaves 2/3, whether one ends in the voxel or two with a slit between them. (With s, a screen that
 * ended at the far face of its voxel took 12 dB from its shadow at 6 points a wavelength; 2/3 is the best for
 * screens along the grid and turned, ACCURACY.md, Diffraction.)
 *
 * Inside the voxeliser only. */
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
