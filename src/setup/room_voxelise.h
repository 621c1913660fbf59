/** A room that was read, voxelised and packed: which nodes of its lattice are air of the sources. */
#ifndef SRC_ROOM_VOXELISE_H
#define SRC_ROOM_VOXELISE_H

#include "src/setup/room_setup.h"

/** Find the run's air: voxelise and pack on setup->grid.lattice, into setup->grid. Without a source (and
 * where none has to be) the largest enclosed cavity is found first and gets one; where request.points asks
 * for it a receiver is placed likewise in the air of the sources (automatic_place.h). An earlier grid is
 * replaced. A larger space is reported; FAILURE_INPUT where the one taken then looks like furniture
 * (room_space.h), and where the room is not closed, with the path of the leak, which is written
 * (room_leak.h). */
int room_voxelise(struct room_setup *setup, struct failure *failure);

/** The same on setup->grid.lattice into `packed` (owned by the caller on success), without findings and
 * without writing the path of a leak: a grid to plan from. */
int room_voxelise_survey(struct room_setup *setup, struct block_grid *packed, uint64_t *voxels_bytes,
                         struct failure *failure);

/** After room_voxelise(): the same room on a grid offset by half a cell in each axis, with its own findings,
 * areas and receiver grids. Prints nothing. `out` is to be freed by room_grid_free() also after a failure.
 * Failures as room_voxelise(). */
int room_voxelise_shifted(const struct room_setup *setup, struct room_grid *out, struct failure *failure);

#endif
