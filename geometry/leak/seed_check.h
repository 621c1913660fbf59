/** Floods from the sources, places the receivers in their air, and explains misplaced seeds.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_SEED_CHECK_H
#define GEOMETRY_SEED_CHECK_H

#include "geometry/leak/room_cuts.h"
#include "geometry/voxel/flood.h"

/** Flood from every source. `node` (seed_count) receives the sources' nodes. FAILURE_INPUT for a bad source,
 * or for a leak, which then is in `leak`. */
int seeds_flood(const struct room_cuts *room, const struct voxel_seed *seed, size_t seed_count,
                struct flood *flood, int64_t (*node)[3], struct voxel_leak *leak, struct failure *failure);

/** Place every receiver at a node of the flood's air. FAILURE_INPUT for each of the
 * first ten that have none (failure_join()). */
int seeds_place_receivers(const struct room_cuts *room, const struct voxel_seed *seed, size_t seed_count,
                          const struct flood *flood, int64_t (*node)[3], struct failure *failure);

#endif
