/** What figures should be, by use and volume, each from a page that was read (in a stored copy of November
 * 2026). Where that page quotes a standard or a book, both are named, and only the page was seen.
 *
 * Targets of reverberation times hold at middle frequencies (500 and 1000 Hz). Nothing is listed here without
 * a source; a use or volume that no source covers has no target.
 */
#ifndef SRC_REPORT_TARGETS_H
#define SRC_REPORT_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/report/report_model.h"

extern const struct report_target report_target[];
extern const size_t report_target_count;

/** The limits of a target in a room of `volume` [m3]: equal where it is one value. False where it does not
 * hold. */
bool report_target_limits(const struct report_target *target, double volume, double *low, double *high);

/** Is a value what a target asks for? Between limits, both included; where there is one limit, beyond it and
 * not on it; where both are one value, within a fifth of it (four just noticeable differences of a time). */
bool report_target_met(double low, double high, double value);

/** The first target of a figure and use that holds, or NULL. */
const struct report_target *report_target_find(enum figure figure, const char *use, double volume);

/** Does sound leave the room of a run? Also of runs that do not record where. */
bool report_lets_out(const struct run_model *model);

/** The volume by which a run is held against targets [m3]; 0 where sound leaves it: its air may then be
 * outside the room too, and no target that goes by volume holds. */
double report_room_volume(const struct run_model *model);

/** Fill `targets` of a run with those that hold at its report_room_volume(): what should be, and what the run
 * has for it: `found` (the target's figure, or the one in its place), the mean over the responses (NaN where
 * absent), where and over how many in words, and whether it is met; `why` where that is not known. A run that
 * does not show 500 and 1000 Hz knows none of them: `targets_why` has that once, and which run would do;
 * else it is NULL. FAILURE_CAPACITY without memory. */
int report_targets_add(struct report_run *run, struct failure *failure);

#endif
