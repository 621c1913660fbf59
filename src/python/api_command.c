#include <stdlib.h>
#include <string.h>

#include "src/base/progress_json.h"
#include "src/cli/commands.h"
#include "src/python/api_process.h"
#include "src/python/transept.h"

static bool takes_option(const struct command *command, const char *option)
{
    for (size_t o = 0; o < option_table_count; o++)
        if (strcmp(option_table[o].name, option) == 0)
            return (option_table[o].commands & command->bit) != 0;
    return false;
}

/* Refuse arguments that would print in place of an answer, or change the process's folder. */
static int refuse_arguments(int count, char *const *argument, struct failure *failure)
{
    for (int a = 1; a < count; a++) {
        if (strcmp(argument[a], "--help") == 0 || strcmp(argument[a], "-h") == 0)
            return failure_set(failure, FAILURE_INPUT, "help is printed by the program: transept %s --help",
                               argument[0]);
        if (strncmp(argument[a], "--resume", strlen("--resume")) == 0)
            return failure_set(failure, FAILURE_INPUT,
                               "a run is resumed by the same call once more, into the same folder");
    }
    return 0;
}

int transept_command(int count, char **argument, const char *project, const struct listener *listener,
                     struct failure *failure)
{
    const char *nearest = NULL;
    const struct command *command = command_find(argument[0], &nearest);
    if (command == NULL)
        return failure_set(failure, FAILURE_INPUT, "there is no command %s", argument[0]);
    TRY(refuse_arguments(count, argument, failure));
    char **all = calloc((size_t)count + 2, sizeof *all);
    if (all == NULL)
        return failure_memory(failure, (size_t)count * sizeof *all, "a command");
    static char json[] = "--json", quiet[] = "--quiet";
    int used = 0;
    if (takes_option(command, "json"))
        all[used++] = json;
    if (takes_option(command, "quiet"))
        all[used++] = quiet;
    memcpy(all + used, argument + 1, (size_t)(count - 1) * sizeof *all);
    used += count - 1;
    int code = api_process_begin(project, listener, failure);
    if (code == 0)
        code = command->start != NULL ? command->start(command, used, all, failure)
                                      : command_with_options(command, used, all, NULL, command->run, failure);
    if (code == FAILURE_NONE || code == FAILURE_ANSWER_NO)
        progress_json_end();
    api_process_end();
    free(all);
    return code;
}
