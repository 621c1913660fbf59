/** A comparison of two runs, printed. */
#ifndef SRC_RUN_COMPARE_PRINT_H
#define SRC_RUN_COMPARE_PRINT_H

#include <stdio.h>

#include "src/present/compare/run_compare.h"

/** All of it, at most 100 columns wide. */
void run_comparison_print(FILE *stream, const struct run_comparison *comparison);

#endif
