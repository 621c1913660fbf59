#include <stdio.h>

#include "kernels/mpi/ranks.h"
#include "src/base/interrupt.h"
#include "src/cli/commands.h"
#include "src/cli/variant_runs.h"
#include "src/run/simulation_checkpoints.h"

#define LOST_WORDS "run it again, with --checkpoint 1min to lose no more than that"

static const char *name_of(const struct simulation *simulation)
{
    return simulation->play != NULL ? "play" : "simulate";
}

/* If rank 0 is killed, another rank prints this. */
static void leave_word(const struct simulation *simulation, const struct options *options)
{
    char word[1200];
    if (simulation_is_kept(simulation))
        (void)snprintf(word, sizeof word,
                       "transept %s --resume %s resumes it from the newest checkpoint, or from the "
                       "start if there is none",
                       name_of(simulation), options->output);
    else
        (void)snprintf(word, sizeof word, "%s", LOST_WORDS);
    if (ranks_table != NULL)
        ranks_table->leave_word(word);
}

int simulate_room(const struct options *options, struct play *play, struct failure *failure)
{
    struct simulation simulation = {.play = play};
    if (options->output == NULL)
        return failure_set(failure, FAILURE_INPUT, "%s needs -o DIR, a folder for the results",
                           name_of(&simulation));
    if (options->resume == NULL && options->discard && options->request.force &&
        checkpoint_is_unfinished(options->output))
        return failure_set(failure, FAILURE_INPUT,
                           "%s holds an unfinished run: --force removes it before the first step, and "
                           "--discard would not bring it back; give one of them",
                           options->output);
    int code = simulation_prepare(&simulation, options, failure);
    interrupt_ends = 0;
    if (code == 0) {
        leave_word(&simulation, options);
        code = simulation_start(&simulation, options, failure);
    }
    if (code == 0) {
        code = simulation_run(&simulation, options->json, failure);
        const char *folder = simulation.folder.path;
        if (code != 0 && simulation_keep(&simulation) != NULL && checkpoint_is_unfinished(folder))
            failure_fix(code, failure, "transept %s --resume %s resumes it", name_of(&simulation), folder);
        else if (ranks_lost())
            failure_fix(code, failure, "%s", LOST_WORDS);
    }
    simulation_free(&simulation);
    return code;
}

int simulate_or_resume(const struct command *command, int argc, char **argv, command_run *run,
                       struct failure *failure)
{
    if (resumed_run_asked(argc, argv))
        return resumed_run(command, argc, argv, run, failure);
    TRY(options_refuse_second(command->bit, argc, argv, NULL, failure));
    return simulate_with(command, argc, argv, NULL, run, failure);
}

static int simulate_responses(const struct options *options, struct failure *failure)
{
    return simulate_room(options, NULL, failure);
}

int command_simulate(const struct command *command, int argc, char **argv, struct failure *failure)
{
    return simulate_or_resume(command, argc, argv, simulate_responses, failure);
}
