/** All that the results of a run depend on, so that another process can tell whether it would give the same.
 */
#ifndef SRC_RUN_IDENTITY_H
#define SRC_RUN_IDENTITY_H

#include "src/run/simulation.h"

/** What run.json has of the room, its grid, its walls, its air and its points, the program's version among
 * it, less what changes no result: where files are, layout, back end, times and bytes; and what is asked of
 * the run besides (duration, a second grid, directions, heads, drawings). The caller's; NULL without memory.
 * FAILURE_INPUT where the file of a head cannot be read. */
int run_identity(const struct simulation *simulation, cJSON **out, struct failure *failure);

#endif
