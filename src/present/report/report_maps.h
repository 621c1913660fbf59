/** Maps of a run's receiver grids, from the tables in its folder (map_table.h). */
#ifndef SRC_REPORT_MAPS_H
#define SRC_REPORT_MAPS_H

#include "src/run_folder/run_folder.h"
#include "src/present/report/report_model.h"

/** A map is shown where at least so many of its places have a value, and at least one in so many of them. */
#define REPORT_MAP_LEAST 4
#define REPORT_MAP_PART  10

/** Fill `maps` of a run: of every grid, source, figure and octave that enough places have a value of; and
 * `maps_left_out` with the others. A table that is missing or cannot be read is in neither. FAILURE_CAPACITY
 * without memory. */
int report_maps_add(struct report_run *run, const struct run_folder *folder, struct failure *failure);

#endif
