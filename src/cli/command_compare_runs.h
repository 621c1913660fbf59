/** `compare RUN RUN..`: the differences of finished runs, in just noticeable differences. */
#ifndef SRC_COMMAND_COMPARE_RUNS_H
#define SRC_COMMAND_COMPARE_RUNS_H

#include "src/base/options/options.h"

/** True if the arguments are runs: more than one, or a folder, or a run.json. */
bool compare_is_of_runs(const struct options *options);

/** Compare every run with the first one and print that, or with --json one object: `comparisons`, each as
 * run_comparison_json(). Returns 0 also if they differ. FAILURE_INPUT names a folder without a run, an
 * option for rooms, or a single run. */
int compare_runs(const struct options *options, struct failure *failure);

#endif
