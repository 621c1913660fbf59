/** What differs in the set-up of two runs, and what makes them hard to compare. */
#ifndef SRC_RUN_CHANGES_H
#define SRC_RUN_CHANGES_H

#include "src/compare/run_compare.h"

/** Fill comparison->change after responses and grids were paired, cautions first. FAILURE_CAPACITY. */
int run_changes_find(struct run_comparison *comparison, struct failure *failure);

#endif
