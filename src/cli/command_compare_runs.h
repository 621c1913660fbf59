/** `compare RUN RUN..`: the differences of runs that are over, in just noticeable differences. */
#ifndef SRC_COMMAND_COMPARE_RUNS_H
#define SRC_COMMAND_COMPARE_RUNS_H

#include "src/base/options/options.h"

/** Are the plain arguments runs: more than one, or a folder, or a run.json? */
bool compare_is_of_runs(const struct options *options);

/** Compare every run with the first one and print that, or one object with --json: `comparisons`, each as
 * run_comparison_json(). What differs is no failure: 0. FAILURE_INPUT names a folder that is no run, an
 * option that is for rooms, a single run. */
int compare_runs(const struct options *options, struct failure *failure);

#endif
