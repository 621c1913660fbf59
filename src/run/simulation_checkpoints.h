/** When a simulation writes checkpoints, what it resumes, and which checkpoints remain at its end. */
#ifndef SRC_SIMULATION_CHECKPOINTS_H
#define SRC_SIMULATION_CHECKPOINTS_H

#include "src/base/options/options.h"
#include "src/run/simulation.h"

/** Choose the spacing of checkpoints, and check the disk and simulation->begun, before the folder is made.
 * Without an explicit spacing a run continues without checkpoints if the disk has no space for them.
 * FAILURE_INPUT: the folder holds the checkpoints of another run. FAILURE_CAPACITY: disk or memory. */
int simulation_checkpoints_prepare(struct simulation *simulation, const struct options *options,
                                   struct failure *failure);

/** Write who began the run, in its folder, which is held. If checkpoints were neither asked for nor due, a
 * write error only means that there are none. */
int simulation_checkpoints_start(struct simulation *simulation, const struct options *options,
                                 struct failure *failure);

/** The keeper of its sources; NULL: no checkpoints are made. */
struct source_keep *simulation_keep(struct simulation *simulation);

/** True if a killed run loses no more than the time between two checkpoints. */
bool simulation_is_kept(const struct simulation *simulation);

/** Remove the files of checkpoints from the folder, unless it was moved away. */
void simulation_checkpoints_remove(struct simulation *simulation);

/** True if the folder holds the record of a finished run; also without memory to look. */
bool simulation_has_record(const char *folder);

#endif
