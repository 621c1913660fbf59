/** The runs of a calibration: simulate, compare, change, at most four times. */
#ifndef SRC_CALIBRATION_RUNS_H
#define SRC_CALIBRATION_RUNS_H

#include "src/calibrate/calibration.h"
#include "src/setup/project/project.h"

#define CALIBRATION_RUNS 4 /* at most */

/** Run `project`, applied to `options`, until its times are the measured ones, into run_1, run_2, .. of the
 * folder options->output: responses of its sources and receivers alone. `calibration` starts zeroed;
 * afterwards it has the absorption of the last run, and so have the materials of `project`. FAILURE_INPUT
 * also where the measured times ask for what the surfaces cannot absorb; failures of a run name it. */
int calibration_runs(struct calibration *calibration, const struct options *options, struct project *project,
                     const struct measured_times *measured, struct failure *failure);

#endif
