/** `compare RUN measured.wav..` (measured_run.h). */
#ifndef SRC_COMPARE_MEASURED_H
#define SRC_COMPARE_MEASURED_H

#include "src/cli/measured/measured_run.h"

/** True if the first argument is a run and all others are measured responses. */
bool compare_is_of_measured(const struct options *options);

/** Compare the measured responses with those of the run, as run_comparison_print() or run_comparison_json();
 * before it, which file was paired with what. With --json beside it `measured`: file, source, receiver,
 * onset_s and distance_m; and `decays`, for each pair `first` and `second` as compared_response_decays().
 * With --output the decays are drawn on a page. FAILURE_INPUT as measured_run_read(), FAILURE_OUTPUT. */
int compare_measured(const struct options *options, cJSON *object, cJSON *comparisons,
                     struct failure *failure);

#endif
