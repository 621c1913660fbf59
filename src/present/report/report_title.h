/** The title of a report. */
#ifndef SRC_REPORT_TITLE_H
#define SRC_REPORT_TITLE_H

#include "src/present/report/report_model.h"

/** Set the title: `given` unchanged (NULL: none); else the room and the folder, "Room acoustics:
 * church (run_355)", one of them where they are the same; of two runs "Room acoustics: church (before and
 * after)", or both rooms with their folders where they are not of one. A room is called as its file, without
 * path and extension. FAILURE_INPUT for a title without a visible character; FAILURE_CAPACITY without memory.
 */
int report_title_add(struct report *report, const char *given, struct failure *failure);

#endif
