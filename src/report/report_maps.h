/** Maps of a run's receiver grids, from the tables in its folder (map_table.h). */
#ifndef SRC_REPORT_MAPS_H
#define SRC_REPORT_MAPS_H

#include <cjson/cJSON.h>

#include "src/record/run_folder.h"

/** A map is shown where at least so many of its places have a value, and at least one in so many of them. */
#define REPORT_MAP_LEAST 4
#define REPORT_MAP_PART  10

/** Add `maps` to a run: of every grid, source, figure and octave that enough places have a value of, `grid`,
 * `source`, `figure` (its name in JSON), `octave_hz` (as it is called), `unit`, `jnd`, `relative`,
 * `spacing_m`, `height_m`, `points` ([x, y, z] in m) and `values` (null where absent); empty without grids.
 * Of the others `maps_left_out`: `grid`, `source`, `word` of the figure, `octave_hz`, how many places are
 * `known` of how many `places`. A table that is gone or is none is in neither. FAILURE_CAPACITY without
 * memory. */
int report_maps_add(cJSON *run, const struct run_folder *folder, struct failure *failure);

#endif
