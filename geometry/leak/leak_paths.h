/** Finds leak paths: places where the air of an open or sealed scene leaves the box.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_LEAK_PATHS_H
#define GEOMETRY_LEAK_PATHS_H

#include "geometry/leak/room_cuts.h"
#include "geometry/voxel/voxels.h"

/** Sources searched from: the first ones. */
#define LEAK_PATHS_SOURCES 8
/** Links at the faces of the box that are grouped into exits: half a second. A scene with more is a
 * landscape, whose exits do not show holes. */
#define LEAK_PATHS_LINKS 200000

/** Fill exit and path of `findings`, from the nodes of its seeds: in an open scene the paths over uncut
 * links; in a closed one the path that only ribbons close, if any. If two paths lead through one gap (within
 * its width or two nodes) the first is kept. `air` is of the same links. FAILURE_CAPACITY for memory;
 * allocated parts belong to `findings`. One leak_find() a source. */
int leak_paths_find(const struct room_cuts *room, const struct voxel_seed *seed, size_t seed_count,
                    const struct voxels *air, struct voxel_findings *findings, struct failure *failure);

#endif
