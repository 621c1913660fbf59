/** What a report says of a room that was simulated open, or whose cracks were closed (`leaks` of run.json,
 * way_out.h). */
#ifndef SRC_REPORT_WAYS_OUT_H
#define SRC_REPORT_WAYS_OUT_H

#include <stdbool.h>
#include <stdio.h>

#include "src/report/report_data.h"

/** Does sound leave the room of a run (an entry of `runs`)? Also of runs that do not tell where. */
bool report_lets_out(const cJSON *run);

/** The volume by which a run is held against targets [m3]; 0 where sound leaves it: its air may then be
 * outside the room too, and no target that goes by volume holds. */
double report_room_volume(const cJSON *run);

/** Paragraphs for the summary; nothing for a closed room. */
void report_ways_out_words(FILE *page, const struct report *report, size_t run);

/** A table of all of them; nothing where there are none. */
void report_ways_out_table(FILE *page, const struct report *report, size_t run);

#endif
