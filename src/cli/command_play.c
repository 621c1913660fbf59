/** `transept play`: timpani in a room. */
#include "src/cli/commands.h"
#include "src/cli/variant_runs.h"
#include "src/run/instruments/play.h"
#include "src/setup/project/project.h"

static int play_with(const struct options *options, struct failure *failure)
{
    struct play play = {.asked = &options->play};
    struct options own = *options;
    if (options->request.model.project != NULL &&
        options->output == options->request.model.project->value.output)
        own.output = NULL; /* a project's folder is for its runs */
    const int code = simulate_room(&own, &play, failure);
    play_free(&play);
    return code;
}

int command_play(const struct command *command, int argc, char **argv, struct failure *failure)
{
    return simulate_or_resume(command, argc, argv, play_with, failure);
}
