/** Where a run's room is not closed, or was sealed: `leaks` of run.json.
 *
 * Of an open scene
 *   - the widest leak path of every source (the first ones), through a gap of its own; of others nothing is
 *     known, as `check` reports one leak at a time;
 *   - where such a gap lies in the box around the model, all other openings of one face of that box:
 *     through them air gets out as well, and their areas are known from the grid.
 * Of a closed one the cracks that sealing closed, widest first, and the leak path through one of them.
 */
#ifndef SRC_ROOM_LEAKS_H
#define SRC_ROOM_LEAKS_H

#include "src/run_folder/run_model.h"
#include "src/setup/room_setup.h"

/** Zeroed is empty; owned, freed by room_leaks_free(). `position` of a leak is the narrowest place of its
 * path, or about the middle of an opening in the box; `gap` twice the clearance there, or the width of a
 * crack as it was sealed; `area` that of the opening on the grid. `path` is the shortest from the source to
 * `position`, and on out of the box. */
struct room_leaks {
    size_t count;
    struct record_leak *item;
};

/** From the findings of a room that was filled with `find_leak_paths`, open ones first; none of one that is
 * closed. FAILURE_CAPACITY for memory. A shortest path takes a second at most. */
int room_leaks_find(const struct room_setup *setup, struct room_leaks *out, struct failure *failure);
void room_leaks_free(struct room_leaks *leaks);

#endif
