/** Leaks: the path of one written as a model, and those that a run's grid is too coarse for. */
#ifndef SRC_ROOM_LEAK_H
#define SRC_ROOM_LEAK_H

#include "geometry/room/voxeliser.h"
#include "src/setup/room_setup.h"

/** Write the path of a leak as OBJ, turning `leak` to the units of the model and to axes in which a modeller
 * shows both in one place (the model's where it is an OBJ, else y up): to the file that is asked for, else
 * leak.obj beside the model (leak-2.obj.. where another file has that name), else in the current folder.
 * `path` receives the name; false when it could not be written, with the reason in `failure`. */
#define LEAK_PATH_MAX 1200
bool room_write_leak(const struct room_setup *setup, struct voxel_leak *leak, char path[LEAK_PATH_MAX],
                     struct failure *failure);

/** The same, and put into the failure's note where it was written, or why not. Of a model that came from
 * memory only into the file that is asked for. */
void room_note_leak(const struct room_setup *setup, struct voxel_leak *leak, struct failure *failure);

/** Warn where the room, which is tight on setup->grid, is not on a grid of ROOM_CRACK_SPACING (fine_leak.h):
 * its own closes a crack through which the real room would lose sound, or be joined to another. Nothing where
 * the scene is open, the grid as fine as that, a position too close to a wall to tell, or the search more
 * than this machine has memory for. FAILURE_INTERRUPTED. Takes at most ROOM_CRACK_BYTES, on a coarser grid
 * where that is not enough, and about a second for these. */
#define ROOM_CRACK_SPACING 0.04 /* [m]: an opening of twice that in both directions is seen */
#define ROOM_CRACK_BYTES   UINT64_C(100000000)
int room_warn_of_cracks(struct room_setup *setup, struct failure *failure);

#endif
