/** Leak paths: where the air of a scene that is not closed, or was sealed, gets out.
 *
 * Inside the voxeliser only.
 */
#ifndef GEOMETRY_LEAK_PATHS_H
#define GEOMETRY_LEAK_PATHS_H

#include "geometry/leak/room_cuts.h"
#include "geometry/voxel/voxels.h"

/** Sources that are searched from, the first ones. */
#define LEAK_PATHS_SOURCES 8
/** Links at the faces of the box that are gathered into exits: half a second. A scene with more of them
 * is of a landscape, and where its air meets the box does not show holes. */
#define LEAK_PATHS_LINKS 200000

/** Fill exit and way of `findings`, from the nodes of its seeds: of an open scene the paths over links that
 * are not cut; of a closed one the path that only ribbons closed, if any. Of two paths through one gap
 * (within its width or two nodes) the first is kept. `air` is of the same links. FAILURE_CAPACITY for memory;
 * what it then has made belongs to `findings`. One leak_find() a source. */
int leak_paths_find(const struct room_cuts *room, const struct voxel_seed *seed, size_t seed_count,
                    const struct voxels *air, struct voxel_findings *findings, struct failure *failure);

#endif
