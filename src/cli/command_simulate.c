#include <stdio.h>

#include "kernels/mpi/ranks.h"
#include "src/base/interrupt.h"
#include "src/cli/commands.h"
#include "src/cli/variant_runs.h"
#include "src/run/simulation.h"
#include "src/run/simulation_checkpoints.h"

#define LOST_WORDS "run it again, with --checkpoint 1min to lose no more than that"

/* If rank 0 is killed, another rank prints this. */
static void leave_word(const struct simulation *simulation, const struct options *options)
{
    char word[1200];
    if (simulation_is_kept(simulation))
        (void)snprintf(word, sizeof word,
                       "transept simulate --resume %s resumes it from the newest checkpoint, or from the "
                       "start if there is none",
                       options->output);
    else
        (void)snprintf(word, sizeof word, "%s", LOST_WORDS);
    if (ranks_table != NULL)
        ranks_table->leave_word(word);
}

static int simulate_room(const struct options *options, struct failure *failure)
{
    struct simulation simulation = {0};
    if (options->output == NULL)
        return failure_set(failure, FAILURE_INPUT, "simulate needs -o DIR, a folder for the results");
    if (options->discard && options->request.force && checkpoint_is_unfinished(options->output))
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
            failure_fix(code, failure, "transept simulate --resume %s resumes it", folder);
        else if (ranks_lost())
            failure_fix(code, failure, "%s", LOST_WORDS);
    }
    simulation_free(&simulation);
    return code;
}

int command_simulate(const struct command *command, int argc, char **argv, struct failure *failure)
{
    if (resumed_run_asked(argc, argv))
        return resumed_run(command, argc, argv, simulate_room, failure);
    TRY(options_refuse_second(command->bit, argc, argv, NULL, failure));
    return simulate_with(command, argc, argv, NULL, simulate_room, failure);
}
