/** What a run leaves of its receiver grids: tables and drawings beside the responses, `grids` in run.json,
 * and a few lines at its end.
 */
#ifndef SRC_MAP_FILES_H
#define SRC_MAP_FILES_H

#include <stdio.h>

#include "src/run_folder/run_model.h"
#include "src/run/grid_run.h"

/** For every source and receiver grid whose responses were written: map_<source>_<grid>.csv (map_table.h) and
 * map_<source>_<grid>_<figure>.svg (map_drawing.h), .glb and .ply (map_model.h), of every figure that some
 * point has or lacks for a reason: of the single number where there is one, else of the highest octave up to
 * 1 kHz; with --maps all also one of every octave,
 * .._<figure>_<octave>hz.svg. `shifted` (may be NULL) is the repeated run. Nothing below 89 Hz, where no
 * octave is reported. The maps of `run` say what there is of them then. FAILURE_OUTPUT, FAILURE_CAPACITY;
 * FAILURE_INTERRUPTED, without a sentence, where no time was left after Ctrl-C for the rest. */
int map_files_write(struct grid_run *run, const struct grid_run *shifted, struct output_folder *folder,
                    struct failure *failure);

/** The receiver grids into the model, and of each for every source the files and of every figure by octave
 * mean, standard deviation, least, largest and how many points have it. False without memory. */
bool map_files_record(struct run_model *model, const struct grid_run *run, const struct grid_run *shifted);

/** What making the responses and figures of all points took [s]. */
double map_files_seconds(const struct grid_run *run);

/** A line for every source and receiver grid: how many points, mean and range of EDT, T30, C80 and G. */
void map_files_print(FILE *stream, const struct grid_run *run);

#endif
