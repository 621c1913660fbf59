/** Finds the openings of a run's room, and the cracks that were sealed: `leaks` of run.json.
 *
 * In an open scene
 *   - the widest leak path of every source (the first ones), each through its own gap; other paths are
 *     unknown, since the search ends at the first of each source;
 *   - if such a gap lies in a face of the model's box, all other openings of that face as well, since air
 *     escapes there too; their areas are counted on the grid.
 * In a closed one the cracks that were sealed, widest first, and the leak path through one of them.
 */
#ifndef SRC_ROOM_LEAKS_H
#define SRC_ROOM_LEAKS_H

#include "src/run_folder/run_model.h"
#include "src/setup/room_setup.h"

/** Set model->leaks (an empty list before) from the findings of a room that was filled with
 * `find_leak_paths`: open leaks first, none in a closed room. `position` of a leak is the narrowest place of
 * its path, or about the middle of an opening in the box; `gap` is twice the clearance there, or the width of
 * a sealed crack; `area` is that of the opening on the grid. `path` is the shortest from the source to
 * `position` and out of the box. FAILURE_CAPACITY for memory. A shortest path takes at most a second. */
int room_leaks_find(const struct room_setup *setup, struct run_model *model, struct failure *failure);

#endif
