/** Several runs against the targets of the first: which one meets most, what it costs elsewhere, and how sure
 * that is. */
#ifndef SRC_REPORT_DECISION_H
#define SRC_REPORT_DECISION_H

#include "src/present/report/report_model.h"

/** Fill `decision` of a report that has all its runs and comparisons, in any order, and sort these. The first
 * run stays first. The others follow by how many targets they meet; then by how few they miss, which leaves
 * more unsure; then by how many more places meet them than miss them. A run of which nothing can be compared
 * with the first is last. Clarity and definition are judged at every place too (report_seats.h), a
 * reverberation time is that of the room. FAILURE_CAPACITY without memory. */
int report_decision_make(struct report *report, struct failure *failure);

#endif
