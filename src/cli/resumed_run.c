#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/mpi/ranks.h"
#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/run/checkpoint/checkpoint_folder.h"
#include "src/cli/variant_runs.h"
#include "src/setup/project/project.h"
#include "src/setup/project/project_input.h"

int simulate_with(const struct command *command, int argc, char **argv, const char *resume, command_run *run,
                  struct failure *failure)
{
    struct options options;
    struct project *project = NULL;
    int code =
        options_parse(command->bit, command->name, command->subject, argc, argv, NULL, &options, failure);
    const bool all = command->bit == COMMAND_SIMULATE && code == 0 && !options.help &&
                     options.variant != NULL && strcmp(options.variant, PROJECT_ALL) == 0;
    interrupt_ends = !all; /* several: the finished ones are reported */
    options.resume = resume;
    options.request.engine.back_ends = command->back_ends;
    command_show_progress(&options);
    if (code == 0 && options.help)
        help_command(stdout, command, NULL);
    else if (all)
        code = variant_runs(command, argc, argv, resume, run, failure);
    else if (code == 0 && (code = command_take_project(&options, &project, failure)) == 0) {
        progress_json_variant(options.variant);
        code = run(&options, failure);
    }
    options_free(&options);
    project_close(project);
    return code;
}

#define RESUME "--resume"

static bool is_resume(const char *argument)
{
    const size_t length = strlen(RESUME);
    return strncmp(argument, RESUME, length) == 0 && (argument[length] == '\0' || argument[length] == '=');
}

bool resumed_run_asked(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (is_resume(argv[i]))
            return true;
    return false;
}

/* Allow only options without effect on a result. */
static int check_options(const struct options *options, struct failure *failure)
{
    static const char *const passes[] = {"resume",     "backend", "devices", "device", "layout", "threads",
                                         "checkpoint", "discard", "watch",   "json",   "quiet",  "progress"};
    for (size_t i = 0; i < option_table_count; i++) {
        bool allowed = !options->given[i];
        for (size_t p = 0; p < sizeof passes / sizeof *passes; p++)
            allowed = allowed || strcmp(option_table[i].name, passes[p]) == 0;
        if (!allowed)
            return failure_set(failure, FAILURE_INPUT,
                               "--%s cannot be given with --resume: a resumed run keeps its original options",
                               option_table[i].name);
    }
    return 0;
}

/* `*names`: the arguments name the folder `path`, relative to the folder where they were given. */
static int names_folder(const struct command *command, const struct checkpoint_command *begun,
                        const char *path, bool *names, struct failure *failure)
{
    struct options options;
    struct project *project = NULL;
    int code = options_parse(command->bit, command->name, command->subject, begun->argument_count,
                             begun->argument, NULL, &options, failure);
    if (code == 0 && options.variant != NULL && strcmp(options.variant, PROJECT_ALL) == 0)
        options.variant = PROJECT_BASE;
    if (code == 0)
        code = command_take_project(&options, &project, failure);
    char *named = code == 0 && options.output != NULL ? realpath(options.output, NULL) : NULL;
    *names = named != NULL && strcmp(named, path) == 0;
    free(named);
    options_free(&options);
    project_close(project);
    return code;
}

/* The number of arguments that select the GPUs, from the first on; 0 if the first is another option. */
static int names_devices(int count, char *const *argument)
{
    static const char word[] = "--device";
    size_t length = sizeof word - 1;
    if (strncmp(argument[0], word, length) != 0)
        return 0;
    length += argument[0][length] == 's';
    return argument[0][length] == '=' ? 1 : argument[0][length] == '\0' && count > 1 ? 2 : 0;
}

/* `others`: the options for the devices are given again. */
static int resume_run(const struct command *command, const struct checkpoint_command *begun, bool others,
                      int argc, char **argv, char *path, command_run *run, struct failure *failure)
{
    bool names;
    int count = 0;
    if (chdir(begun->directory) != 0)
        return failure_set(failure, FAILURE_INPUT,
                           "the run in %s was started in %s, which cannot be entered: %s", path,
                           begun->directory, strerror(errno));
    TRY(names_folder(command, begun, path, &names, failure));
    char output[] = "-o",
         **argument = calloc((size_t)begun->argument_count + (size_t)argc + 3, sizeof *argument);
    int options_end = 0; /* additions go before the arguments that cannot be options */
    while (options_end < begun->argument_count && strcmp(begun->argument[options_end], "--") != 0)
        options_end++;
    if (argument == NULL)
        return failure_memory(failure, (size_t)argc * sizeof *argument, "arguments");
    for (int i = 0; i < options_end; i++) {
        const int left_out = others ? names_devices(options_end - i, begun->argument + i) : 0;
        if (left_out > 0)
            i += left_out - 1;
        else
            argument[count++] = begun->argument[i];
    }
    if (!names) { /* the folder was moved */
        argument[count++] = output;
        argument[count++] = path;
    }
    for (int i = 0; i < argc; i++)
        if (!is_resume(argv[i]))
            argument[count++] = argv[i];
        else if (strchr(argv[i], '=') == NULL)
            i++;
    for (int i = options_end; i < begun->argument_count; i++)
        argument[count++] = begun->argument[i];
    const int code = simulate_with(command, count, argument, path, run, failure);
    free(argument);
    return code;
}

int resumed_run(const struct command *command, int argc, char **argv, command_run *run,
                struct failure *failure)
{
    struct options options;
    struct checkpoint_command begun = {0};
    char *path = NULL;
    int code = options_parse(command->bit, command->name, NULL, argc, argv, NULL, &options, failure);
    if (code == 0 && options.help)
        help_command(stdout, command, NULL);
    else if (code == 0) {
        code = check_options(&options, failure);
        path = code == 0 ? realpath(options.resume, NULL) : NULL;
        if (code == 0 && path == NULL)
            code =
                failure_set(failure, FAILURE_INPUT, "%s cannot be read: %s", options.resume, strerror(errno));
        if (code == 0)
            code = checkpoint_command_read(path, &begun, failure);
        if (code == 0 && begun.input != NULL)
            code = project_input_give(begun.input, failure);
        if (code == 0)
            code = resume_run(command, &begun,
                              options_given(&options, "devices") || options_given(&options, "device") ||
                                  options_given(&options, "backend") || ranks_count() > 1,
                              argc, argv, path, run, failure);
    }
    checkpoint_command_free(&begun);
    options_free(&options);
    free(path);
    return code;
}
