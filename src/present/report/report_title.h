/** The title of a report. */
#ifndef SRC_REPORT_TITLE_H
#define SRC_REPORT_TITLE_H

#include "src/present/report/report_model.h"

/** Set the title: `given` unchanged (NULL: none), else that of the project, else the room; both with the
 * variant of a single run: "Room acoustics: church, variant full". Two runs: "Room acoustics: church (before
 * and after)", or both rooms if they differ. A room is called as its file, without path and extension; its
 * folder's name takes the place of a name that is not known. FAILURE_INPUT for a title without a visible
 * character; FAILURE_CAPACITY without memory.
 */
int report_title_add(struct report *report, const char *given, struct failure *failure);

/** "church": the name of a run's room, its file without its ending; empty if the file is not known. Borrowed,
 * of `length` bytes. */
const char *report_room_name(const struct report *report, size_t run, int *length);

#endif
