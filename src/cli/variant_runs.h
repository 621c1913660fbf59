/** The ways of `simulate`: one room; `--variant all`, a project without a variant and with every one of it,
 * one run after the other; `--resume`, what another process began (resumed_run.c).
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

/** Parse, open the project, and run: one room, or all variants. `resume` is the folder of a run that goes on,
 * or NULL. */
int simulate_with(const struct command *command, int argc, char **argv, const char *resume, command_run *run,
                  struct failure *failure);

/** Does a command line ask for a run to go on? */
bool resumed_run_asked(int argc, char **argv);

/** Go on with the run in the folder that is named, in the folder that its arguments were given in, with these
 * and behind them what else the command line has. FAILURE_INPUT for an option that would change the results,
 * and for a folder without a run that can go on. */
int resumed_run(const struct command *command, int argc, char **argv, command_run *run,
                struct failure *failure);

#endif
