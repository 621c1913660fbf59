/** Tables of the differences of two runs (run_compare.h); their data is run_compare_json.h. */
#ifndef SRC_REPORT_DIFFERENCE_TABLES_H
#define SRC_REPORT_DIFFERENCE_TABLES_H

#include <stdbool.h>
#include <stdio.h>

#include "src/present/report/report_model.h"

/** By octave, the figures of `rows`, which the data has at `at` ("differences.figures"): A, B, B less A and
 * the JNDs of it. `of` is how many places there are; where a mean is over fewer, that is written, and where
 * it hides what is noticed at single places, at how many. With `expected`, what the materials let expect is
 * below. The caption is `what` and how to read it. */
void report_difference_table(FILE *page, const struct report *report, const struct compared_rows *rows,
                             const char *at, size_t of, bool expected, const char *what);

/** The same of one pair of responses. */
void report_difference_pair(FILE *page, const struct report *report, size_t pair);

/** What is one number and not one by octave; nothing where there is none. */
void report_difference_singles(FILE *page, const struct report *report);

#endif
