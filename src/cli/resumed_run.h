/** `simulate` with the arguments that it got, or with those of a run that it goes on with. */
#ifndef SRC_RESUMED_RUN_H
#define SRC_RESUMED_RUN_H

#include "src/cli/commands.h"

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
