/** Converts triangles to air: the exact closed link test, the flood, and the checks of a room.
 *
 * A wall cuts a link if any triangle meets the closed segment between the two nodes, decided in integers on
 * the sub-lattice of lattice.h. Air is the set of nodes that a flood over uncut links reaches from the seeds.
 * Time grows with the surface and the occupied blocks; memory with the blocks, except one byte per block
 * position of the box. */
#ifndef GEOMETRY_VOXELISER_H
#define GEOMETRY_VOXELISER_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/voxel_findings.h"
#include "geometry/voxel/voxels.h"

/** Voxelise `mesh` on `lattice` with the air that `seed[0..seed_count)` reach.
 * @param[out] out       owned by the caller on success (voxels_free), untouched on failure
 * @param[out] findings  may be NULL
 * @param[out] leak      may be NULL; filled (and owned) when the failure is a leak
 * @return 0; FAILURE_INPUT for a leak, or for a seed outside, in a wall, or in a cavity that no source
 *         reaches (the sentence names it, the place and the nearest valid point); FAILURE_CAPACITY.
 * The result does not depend on the number of threads.
 *
 * A source whose air has a path out of the box is outside if more than a third of 100 evenly spread
 * directions from it meet no wall; else it is in a room that leaks. A seed lies in a wall if no node of its
 * cell is visible from it past the walls, or if it is within h/1024 of a wall and not itself a node. The
 * nearest valid point is a node: for a receiver in the air of the sources; for a source in the air of the
 * other sources that are enclosed, or in any enclosed cavity when there is no such source. */
int voxelise(const struct mesh *mesh, const struct lattice *lattice, const struct voxel_seed *seed,
             size_t seed_count, const struct voxelise_options *options, struct voxels *out,
             struct voxel_findings *findings, struct voxel_leak *leak, struct failure *failure);

/** List the enclosed cavities of the mesh, largest first, at most `limit`: a point in each (a node as far
 * from the walls as a coarse search finds) and its volume. For commands that need a place without a source.
 * `*count` receives the number in `cavity`. FAILURE_INPUT if there is none. */
struct voxel_cavity {
    double position[3]; /* a node of it, well clear of walls [m] */
    uint64_t air_nodes;
};
int voxel_cavities(const struct mesh *mesh, const struct lattice *lattice,
                   const struct voxelise_options *options, size_t limit, struct voxel_cavity *cavity,
                   size_t *count, struct failure *failure);

#endif
