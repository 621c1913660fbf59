/** How two runs differ to the ear: every figure of every response that both have, in just noticeable
 * differences.
 *
 * Responses belong together where source and receiver have the same names, octaves where they are called the
 * same. Means are over the pairs that have a figure in both runs, so that both means are of the same places.
 */
#ifndef SRC_RUN_COMPARE_H
#define SRC_RUN_COMPARE_H

#include "src/compare/run_comparison.h"

/** Compare the second run with the first, by their models. What one of them lacks is absent, never 0; a map's
 * table that cannot be read is a reason in its grid. FAILURE_CAPACITY without memory. */
int run_compare(const struct run_folder *first, const struct run_folder *second, struct run_comparison *out,
                struct failure *failure);

#endif
