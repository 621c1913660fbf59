/** Finds openings that the lattice resolves with fewer than three nodes: doorways and slots that a coarse
 * grid narrows.
 *
 * A part of the air is the region swept by a cube of 3x3x3 nodes without a cut link that moves link by link
 * from a place where one of 5x5x5 nodes fits. An opening is a place where uncut links join two parts that are
 * separate within about a block around, directly or through narrow air between them. So an edge, a corner or
 * a thin wedge under a roof, which widens on one side only, is not an opening, and a passage longer than
 * about a block is not found. */
#ifndef GEOMETRY_NARROW_H
#define GEOMETRY_NARROW_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/voxel/voxel_findings.h"
#include "geometry/voxel/voxels.h"

#define NARROW_LISTED_MAX 16
#define NARROW_WIDTH      3.0 /* openings at least this many nodes wide, as measured, are not listed */

/** Find narrow openings of the air, most links first, at most NARROW_LISTED_MAX in `place`.
 * @param[in]  threads  0: all
 * @param[out] place  NARROW_LISTED_MAX entries owned by the caller; position is the middle of the opening,
 * width its width on the lattice: the area that its links represent over its length
 * @param[out] count  entries filled
 * O(blocks that touch walls), threads; the same for any number of threads. FAILURE_CAPACITY for memory. */
int narrow_find(const struct voxels *voxels, int threads, struct voxel_place *place, size_t *count,
                struct failure *failure);

#endif
