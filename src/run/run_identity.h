/** Everything that the results of a run depend on: another process with the same identity gives the same
 * results.
 */
#ifndef SRC_RUN_IDENTITY_H
#define SRC_RUN_IDENTITY_H

#include "src/run/simulation.h"

/** The content of run.json about program version, room, grid, walls, air and points, and the rest of the
 * request (duration, a second grid, directions, heads, drawings). Members without effect on a result are left
 * out (places of files, layout, back end, times, bytes). The caller's; NULL without memory. FAILURE_INPUT:
 * the file of a head cannot be read. */
int run_identity(const struct simulation *simulation, cJSON **out, struct failure *failure);

#endif
