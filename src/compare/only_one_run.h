/** What only one of two compared runs has, as a part of run_compare(). */
#ifndef SRC_ONLY_ONE_RUN_H
#define SRC_ONLY_ONE_RUN_H

#include "src/compare/run_compare.h"

/** Fill comparison->only once pairs, maps and octaves are known. FAILURE_CAPACITY. */
int only_one_run_find(struct run_comparison *comparison, struct failure *failure);

#endif
