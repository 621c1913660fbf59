/** Maps of a run's receiver grids, from the tables in its folder (map_table.h). */
#ifndef SRC_REPORT_MAPS_H
#define SRC_REPORT_MAPS_H

#include <cjson/cJSON.h>

#include "src/run_folder.h"

/** Add `maps` to a run: of every grid, source, figure and octave that some point has a value of, `grid`,
 * `source`, `figure` (its name in JSON), `octave_hz` (as it is called), `unit`, `jnd`, `relative`,
 * `spacing_m`, `points`
 * ([x, y, z] in m) and `values` (null where absent); empty without grids. A table that is gone or is none is
 * left out. FAILURE_CAPACITY without memory. */
int report_maps_add(cJSON *run, const struct run_folder *folder, struct failure *failure);

#endif
