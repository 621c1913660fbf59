/** The ways of `simulate`, and of `play`, which is a simulation of drums: one room; `--variant all`, a
 * project without a variant and with every one of it, one run after the other; `--resume`, a run that another
 * process began (resumed_run.c).
 */
#ifndef SRC_VARIANT_RUNS_H
#define SRC_VARIANT_RUNS_H

#include "src/cli/commands.h"
#include "src/run/simulation.h"

/** Run `base` and every variant into folders of their names within the output folder, in the order of the
 * file. Before the first step every variant's folder, room, materials and positions are checked, so that
 * mistakes are refused before anything is computed. Finished runs stay when a later one fails or is
 * interrupted; the failure is of that run, with the variant's name. With --json the object has `directory`
 * and `variants`: the run.json of each by its name. With checkpoints the folder can be resumed
 * (checkpoint/checkpoint_folder.h): finished runs are not repeated. `resume` is the folder to be resumed,
 * else NULL. */
int variant_runs(const struct command *command, int argc, char **argv, const char *resume, command_run *run,
                 struct failure *failure);

/** Parse, open the project, and run: one room, or all variants. `resume`: the folder of a run that is
 * resumed; NULL: none. */
int simulate_with(const struct command *command, int argc, char **argv, const char *resume, command_run *run,
                  struct failure *failure);

/** One room with everything that its options say. `play`: its drums (src/run/instruments/play.h), else NULL:
 * responses. */
int simulate_room(const struct options *options, struct play *play, struct failure *failure);

/** resumed_run() with --resume, else simulate_with(). */
int simulate_or_resume(const struct command *command, int argc, char **argv, command_run *run,
                       struct failure *failure);

/** True if the command line has --resume. */
bool resumed_run_asked(int argc, char **argv);

/** Resume the run in the folder of --resume, from the folder where its arguments were given, with these and
 * the further ones of the command line. FAILURE_INPUT: an option that would change the results, or a folder
 * without a run that can be resumed. */
int resumed_run(const struct command *command, int argc, char **argv, command_run *run,
                struct failure *failure);

#endif
