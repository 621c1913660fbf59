/** Tables of the differences of two runs, as run_comparison_json() has them. */
#ifndef SRC_REPORT_DIFFERENCE_TABLES_H
#define SRC_REPORT_DIFFERENCE_TABLES_H

#include <stdbool.h>
#include <stdio.h>

#include "src/report/report_model.h"

/** By octave, the figures at `at` ("differences.figures"): A, B, B less A and the JNDs of it. `of` is how
 * many places there are; where a mean is over fewer, that is said, and where it hides what is
 * noticed at single places, at how many. With `expected`, what the materials let
 * expect stands below. The caption is `what` and how to read it. */
void report_difference_table(FILE *page, const struct report *report, const char *at, int of, bool expected,
                             const char *what);

/** The same of one pair of responses. */
void report_difference_pair(FILE *page, const struct report *report, int pair);

/** Values of the comparison by their keys, "differences.figures.0.jnds.2". */
__attribute__((format(printf, 2, 3))) const cJSON *report_difference_at(const struct report *report,
                                                                        const char *key, ...);
__attribute__((format(printf, 4, 5))) bool report_difference_number(FILE *page, const struct report *report,
                                                                    int decimals, const char *key, ...);
__attribute__((format(printf, 3, 4))) bool report_difference_string(FILE *page, const struct report *report,
                                                                    const char *key, ...);

/** What is one number and not one by octave; nothing where there is none. */
void report_difference_singles(FILE *page, const struct report *report);

#endif
