/** What a colleague checks: each surface with what it is built of or whose values it has, how well that is
 * known, and how much of the decay depends on it. */
#ifndef SRC_REPORT_INPUTS_H
#define SRC_REPORT_INPUTS_H

#include "src/present/report/report_model.h"

/** Fill `inputs` of a run, an item for each of its materials; `share` and `part` are absent without an
 * account (loss_account.h). FAILURE_CAPACITY without memory. */
int report_inputs_add(struct report_run *run, struct failure *failure);

/** The material that most of an error bar is from, of a figure at `band`: its uncertainty has more than half
 * of the square. NULL: there is none. `*guessed`: it is a guess. */
const char *report_inputs_doubt(const struct report_run *run, enum figure figure, int band, bool *guessed);

#endif
