/** The title of a report. */
#ifndef SRC_REPORT_TITLE_H
#define SRC_REPORT_TITLE_H

#include "src/present/report/report_model.h"

/** Set the title: `given` unchanged (NULL: none), else the room and the folder, "Room acoustics: church
 * (run_355)", or only one if they are the same. Two runs: "Room acoustics: church (before and after)", or
 * both rooms with their folders if the rooms differ. A room is called as its file, without path and
 * extension. FAILURE_INPUT for a title without a visible character; FAILURE_CAPACITY without memory.
 */
int report_title_add(struct report *report, const char *given, struct failure *failure);

/** "church": the name of a run's room, its file without its ending; empty if the file is not known. Borrowed,
 * of `length` bytes. */
const char *report_room_name(const struct report *report, size_t run, int *length);

#endif
