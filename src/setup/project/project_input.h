/** A project on standard input: the room `-`. */
#ifndef SRC_PROJECT_INPUT_H
#define SRC_PROJECT_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"

#define PROJECT_INPUT       "-"
#define PROJECT_INPUT_TITLE "standard input" /* in sentences */

bool project_is_input(const char *path);

/** All of it, as bytes with a zero behind them that `*count` does not count. Every call gives the same,
 * since a command may open its project more than once. It belongs to the process. FAILURE_INPUT if
 * standard input is a terminal, is empty, or holds a model or more than `most` bytes. */
int project_input_read(size_t most, const char **bytes, size_t *count, struct failure *failure);

/** Its text as it was read; NULL if it was not read. */
const char *project_input_text(void);

/** Take `text` for it, in a process that resumes the run of another. */
int project_input_give(const char *text, struct failure *failure);

/** Drop the project that was read, before another command of the same process. */
void project_input_forget(void);

#endif
