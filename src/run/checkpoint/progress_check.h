/** Checks the bounds of every count of a progress read from a checkpoint, by the facts of the resumed run,
 * before any size or index depends on it. */
#ifndef SRC_PROGRESS_CHECK_H
#define SRC_PROGRESS_CHECK_H

#include "src/run/source_progress.h"

#define PROGRESS_WRONG_MAX 200

/** Copy the parts that a run knows by itself, which are never taken from a file: facts of the room and the
 * drive, pointers, rows. `from` is a run before its first step; a zeroed one blanks them. */
void progress_take_known(struct source_progress *to, const struct source_progress *from);

/** Can `found` be the progress of `run`? `run` is as source_keeper.load() gets it; `ended`: the source had
 * come to its end. False: `wrong` names the first invalid number, its value and the limits. Energies and
 * times are not checked: no size depends on them. */
bool progress_check(const struct source_progress *found, const struct source_progress *run, bool ended,
                    char wrong[PROGRESS_WRONG_MAX]);

/** The same sentence for a count that is read elsewhere: false and `wrong` if it is outside the limits. */
bool progress_check_count(const char *name, uint64_t value, uint64_t least, uint64_t most,
                          char wrong[PROGRESS_WRONG_MAX]);

#endif
