/** Finds the node of a flood's air that is nearest to a position.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_NEAREST_AIR_H
#define GEOMETRY_NEAREST_AIR_H

#include "geometry/voxel/flood.h"

/** Nearest in Euclidean distance, exactly; ties go to the first in (z,y,x). `complement`: among the nodes of
 * the box that are not air of the flood but have an uncut link; after a flood from outside these are the
 * enclosed cavities. False if there is none. O(block positions of the box). */
bool nearest_air(const struct flood *flood, bool complement, const double position[3], int64_t node[3]);

/** Bits of the block at a place that nearest_air() considers. */
void nearest_air_candidates(const struct flood *flood, bool complement, const int32_t place[3],
                            uint64_t bits[8]);

#endif
