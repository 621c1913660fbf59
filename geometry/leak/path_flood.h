/** A flood that stores paths, for a leak path on a very fine lattice.
 *
 * Inside the voxeliser only. It moves from piece to piece: a block without cuts is one piece; a block with
 * cuts has one for each part of its nodes that its own links join. Breadth first, so a path passes few
 * blocks. */
#ifndef GEOMETRY_PATH_FLOOD_H
#define GEOMETRY_PATH_FLOOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/voxel/cut_field.h"
#include "geometry/voxel/node_path.h"

/** Heap bytes for each block with cuts, and for each block position of the box. */
#define PATH_FLOOD_BLOCK_BYTES    120
#define PATH_FLOOD_POSITION_BYTES 3

/** Flood from `node`, which must lie in the box and have an uncut link, over the links of a field of cuts.
 * @param[out] escaped true if a path leads out of the box
 * @param[out] path     then it: from `node` to the first node past the box; else untouched
 * @param[out] air_nodes  nodes reached, all of them when it did not escape
 * FAILURE_CAPACITY for memory. O(blocks reached). */
int path_flood(const struct cut_field *field, const int64_t node[3], bool *escaped, struct node_path *path,
               uint64_t *air_nodes, struct failure *failure);

#endif
