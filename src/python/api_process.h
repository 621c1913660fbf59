/** What a call into the library makes of the process before a command's work, and after. */
#ifndef SRC_PYTHON_API_PROCESS_H
#define SRC_PYTHON_API_PROCESS_H

#include "geometry/base/failure.h"
#include "src/base/listener.h"

/** Nobody wants to stop, no phase is under way, `project` (NULL: none) is what stands for standard input, and
 * `listener` hears. */
int api_process_begin(const char *project, const struct listener *listener, struct failure *failure);

/** Nobody hears any more. */
void api_process_end(void);

#endif
