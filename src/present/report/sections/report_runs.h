/** The parts of a page that name its runs. */
#ifndef SRC_REPORT_RUNS_H
#define SRC_REPORT_RUNS_H

#include <stdio.h>

#include "src/present/report/report_model.h"

/** The head of a run where there are two; report_run_end() once more after the last run. */
void report_run_begin(FILE *page, const struct report *report, size_t run);
void report_run_end(FILE *page, const struct report *report);

/** The letter of one of two runs, and a run's name. */
void report_run_mark(FILE *page, size_t run);
void report_run_name(FILE *page, const struct report *report, size_t run);

#endif
