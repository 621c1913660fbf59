/** Reading folders of runs for a report. */
#ifndef SRC_REPORT_DATA_H
#define SRC_REPORT_DATA_H

#include "src/present/report/report_model.h"

/** Read everything of `count` folders except sounds and title; `out` borrows from them. `use` selects the
 * targets (report_targets.h); NULL: none was requested. Values that the folder lacks are absent, with a
 * reason. FAILURE_CAPACITY without memory; FAILURE_INTERRUPTED. About 0.15 s a response and processor. */
int report_data_make(const struct run_folder *folder, size_t count, const char *use, struct report *out,
                     struct failure *failure);

#endif
