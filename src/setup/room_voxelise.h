/** Voxelises and packs a room: which nodes of its lattice are air of the sources. */
#ifndef SRC_ROOM_VOXELISE_H
#define SRC_ROOM_VOXELISE_H

#include "src/setup/room_setup.h"

/** Find the run's air: voxelise and pack on setup->grid.lattice, into setup->grid. If there is no source and
 * none is required, the largest enclosed cavity gets one. If request.points requests it, a receiver is placed
 * in the air of the sources (automatic_place.h). An earlier grid is replaced. A larger space is reported.
 * FAILURE_INPUT if the space of the run then looks like furniture (room_space.h), or if the room is not
 * closed; the leak path is written (room_leak.h). */
int room_voxelise(struct room_setup *setup, struct failure *failure);

/** The same on setup->grid.lattice into `packed` (owned by the caller on success), without findings and
 * without writing a leak path: a grid for a plan. */
int room_voxelise_survey(struct room_setup *setup, struct block_grid *packed, uint64_t *voxels_bytes,
                         struct failure *failure);

/** After room_voxelise(): the same room on a grid offset by half a cell in each axis, with its own findings,
 * areas and receiver grids. Prints nothing. `out` must be freed by room_grid_free(), also after a failure.
 * Failures as room_voxelise(). */
int room_voxelise_shifted(const struct room_setup *setup, struct room_grid *out, struct failure *failure);

#endif
