/** Writes the results of a run at its receiver grids: tables and drawings beside the responses, `grids` in
 * run.json, and the printed table. */
#ifndef SRC_MAP_FILES_H
#define SRC_MAP_FILES_H

#include <stdio.h>

#include "src/run_folder/run_model.h"
#include "src/run/grid_run.h"

/** Write, for every source and receiver grid with responses, map_<source>_<grid>.csv (map_table.h) and, for
 * every figure, map_<source>_<grid>_<figure>.svg (map_drawing.h), .glb and .ply (map_model.h). They show the
 * single number if there is one, otherwise the highest octave up to 1 kHz; with --maps all every octave too,
 * .._<figure>_<octave>hz.svg. `shifted` (may be NULL) is the repeated run. Below 89 Hz no octave is reported,
 * and there are no drawings. `tabled` and `drawn` of the maps are set. FAILURE_OUTPUT, FAILURE_CAPACITY;
 * FAILURE_INTERRUPTED, without a sentence, if no time was left after Ctrl-C. */
int map_files_write(struct grid_run *run, const struct grid_run *shifted, struct output_folder *folder,
                    struct failure *failure);

/** Fill the receiver grids of the model: for each source the files, and for each figure by octave mean,
 * standard deviation, least, largest and the number of points that have it. False without memory. */
bool map_files_record(struct run_model *model, const struct grid_run *run, const struct grid_run *shifted);

/** The time that responses and figures of all points took [s]. */
double map_files_seconds(const struct grid_run *run);

/** Print a row for every source and receiver grid: number of points, mean and range of EDT, T30, C80, G. */
void map_files_print(FILE *stream, const struct grid_run *run);

#endif
