/** Tables of the differences of two runs (run_compare.h); their data is run_compare_json.h. */
#ifndef SRC_REPORT_DIFFERENCE_TABLES_H
#define SRC_REPORT_DIFFERENCE_TABLES_H

#include <stdbool.h>
#include <stdio.h>

#include "src/present/report/report_model.h"

/** By octave, the figures of `rows`, which the data has at `at` ("differences.figures"): A, B, B less A and
 * its JNDs. `of` is the number of places. A mean over fewer says so. A mean that hides audible differences at
 * single places gives their number. With `expected`, the change expected from the materials is below. The
 * caption is `what` and how to read it. */
void report_difference_table(FILE *page, const struct report *report, const struct compared_rows *rows,
                             const char *at, size_t of, bool expected, const char *what);

/** The same of one pair of responses. */
void report_difference_pair(FILE *page, const struct report *report, size_t pair);

/** Figures with one number instead of one by octave. Nothing if none. */
void report_difference_singles(FILE *page, const struct report *report);

#endif
