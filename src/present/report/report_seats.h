/** A figure at every place where people listen: the points of the receiver grids of a run, or its receivers
 * if it has no grids. */
#ifndef SRC_REPORT_SEATS_H
#define SRC_REPORT_SEATS_H

#include "src/present/report/report_model.h"

/** Read `figure` at 500 and 1000 Hz, as their mean, and the mean over the sources. Places without it have
 * NaN. Zeroed is empty, freed by report_seats_free(). The run has its points and responses. FAILURE_CAPACITY
 * without memory. */
int report_seats_read(const struct report_run *run, enum figure figure, struct report_seats *out,
                      struct failure *failure);

#endif
