/** Prepares the process before a command's work in the library, and cleans up after it. */
#ifndef SRC_PYTHON_API_PROCESS_H
#define SRC_PYTHON_API_PROCESS_H

#include "geometry/base/failure.h"
#include "src/base/listener.h"

/** Clear interruption and phase, set `project` (NULL: none) as standard input, and register `listener`. */
int api_process_begin(const char *project, const struct listener *listener, struct failure *failure);

/** Remove the listener. */
void api_process_end(void);

#endif
