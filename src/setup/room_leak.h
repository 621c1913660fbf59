/** Writes the path of a leak as a model, and finds leaks that the grid of a run is too coarse for. */
#ifndef SRC_ROOM_LEAK_H
#define SRC_ROOM_LEAK_H

#include "geometry/room/voxeliser.h"
#include "src/setup/room_setup.h"

/** Write the path of a leak as OBJ, with `leak` turned to the units of the model and to axes in which a
 * modeller shows both in one place (those of an OBJ model, else y up). The file is that of the request, else
 * leak.obj next to the model (leak-2.obj.. if another file has that name), else in the current folder. `path`
 * receives the name; false when it could not be written, with the reason in `failure`. */
#define LEAK_PATH_MAX 1200
bool room_write_leak(const struct room_setup *setup, struct voxel_leak *leak, char path[LEAK_PATH_MAX],
                     struct failure *failure);

/** The same, with the file, or the reason for its absence, in the failure's note. For a model from memory,
 * only the file of the request is written. */
void room_note_leak(const struct room_setup *setup, struct voxel_leak *leak, struct failure *failure);

/** Warn if the room is closed on setup->grid but not on a grid of ROOM_CRACK_SPACING (fine_leak.h): the
 * coarse grid closes a crack through which the real room would lose sound or be joined to another. No warning
 * if the scene is open, the grid as fine as that, a position too close to a wall, or memory too small.
 * FAILURE_INTERRUPTED. Needs at most ROOM_CRACK_BYTES, on a coarser grid if that is not enough, and about a
 * second. */
#define ROOM_CRACK_SPACING 0.04 /* [m]: an opening of twice that in both directions is seen */
#define ROOM_CRACK_BYTES   UINT64_C(100000000)
int room_warn_of_cracks(struct room_setup *setup, struct failure *failure);

#endif
