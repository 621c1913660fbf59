/** `compare RUN RUN..`: the differences of finished runs, or of single responses (compared_response.h), in
 * just noticeable differences. */
#ifndef SRC_COMMAND_COMPARE_RUNS_H
#define SRC_COMMAND_COMPARE_RUNS_H

#include "src/base/options/options.h"

/** True if the arguments are runs or responses: more than one, or a folder, a run.json, or a WAV file. */
bool compare_is_of_runs(const struct options *options);

/** True if the option of that name is for a run and its measured responses alone. */
bool compare_is_of_recordings(const char *name);

/** Compare every one with the first and print that, or with --json one object: `comparisons`, each as
 * run_comparison_json(), of responses also `decays_first` and `decays_second`
 * (compared_response_decays()). Returns 0 also if they differ. FAILURE_INPUT names a folder without a run,
 * an option for rooms, or a single run or response. */
int compare_runs(const struct options *options, struct failure *failure);

#endif
