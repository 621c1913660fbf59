/** `simulate --variant all`: a project without a variant and with every one of it, one run after the other.
 */
#ifndef SRC_VARIANT_RUNS_H
#define SRC_VARIANT_RUNS_H

#include "src/cli/commands.h"

/** Run `base` and every variant into folders of their names within the output folder, in the order of the
 * file. Before the first step every variant's folder, room, materials and positions are checked, so that
 * what must be refused is refused before anything is computed. What is done stays when a later run fails or
 * is interrupted; the failure is that run's, with the variant's name. With --json the object has `directory`
 * and `variants`: the run.json of each by its name. Unless checkpoints are not wanted the folder can be gone
 * on with (checkpoint/checkpoint_folder.h): those that are done are not run again. `resume` is that folder
 * where it is asked to, else NULL. */
int variant_runs(const struct command *command, int argc, char **argv, const char *resume, command_run *run,
                 struct failure *failure);

#endif
