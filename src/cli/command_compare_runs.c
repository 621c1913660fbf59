#include "src/cli/command_compare_runs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/present/compare/run_compare.h"
#include "src/present/compare/run_compare_json.h"
#include "src/present/compare/run_compare_print.h"
#include "src/run_folder/run_read.h"
#include "src/base/table/json_values.h"

bool compare_is_of_runs(const struct options *options)
{
    struct stat there;
    const char *first = options->subject;
    const size_t length = strlen(first);
    return options->subjects.count > 1 || (stat(first, &there) == 0 && S_ISDIR(there.st_mode)) ||
           (length >= 8 && strcmp(first + length - 8, "run.json") == 0);
}

/* Options of a room mean nothing for finished runs. */
static int refuse_options(const struct options *options, struct failure *failure)
{
    for (size_t i = 0; i < option_table_count; i++) {
        const char *name = option_table[i].name;
        if (options->given[i] && strcmp(name, "json") != 0 && strcmp(name, "quiet") != 0 &&
            strcmp(name, "progress") != 0)
            return failure_set(failure, FAILURE_INPUT,
                               "--%s is for compare ROOM: %s and the other are finished runs, which take "
                               "only --json, --quiet and --progress",
                               name, options->subject);
    }
    return 0;
}

static int read_folders(const struct options *options, struct run_folder *folder, struct failure *failure)
{
    for (size_t r = 0; r < options->subjects.count; r++)
        TRY(run_folder_read(options->subjects.text[r], &folder[r], failure));
    return 0;
}

/* Each with the first. */
static int compare_folders(const struct options *options, const struct run_folder *folder, cJSON *list,
                           struct failure *failure)
{
    for (size_t r = 1; r < options->subjects.count; r++) {
        struct run_comparison comparison = {0};
        progress_json_piece(r - 1, options->subjects.count - 1);
        TRY(run_compare(&folder[0], &folder[r], &comparison, failure));
        if (options->json) {
            json_append(list, run_comparison_json(&comparison));
        } else if (!options->quiet) {
            if (r > 1)
                putchar('\n');
            run_comparison_print(stdout, &comparison);
        }
        run_comparison_free(&comparison);
    }
    return 0;
}

int compare_runs(const struct options *options, struct failure *failure)
{
    const size_t count = options->subjects.count;
    if (count < 2)
        return failure_set(
            failure, FAILURE_INPUT,
            "compare takes two runs or a ROOM, and %s is one folder: give the run to compare it with",
            options->subject);
    struct run_folder *folder = calloc(count, sizeof *folder);
    if (folder == NULL)
        return failure_memory(failure, count * sizeof *folder, "folders of runs");
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"program", OF_TEXT("transept")}, {"version", OF_TEXT(TRANSEPT_VERSION)},
             {"command", OF_TEXT("compare")});
    cJSON *list = json_list_in(object, "comparisons");
    progress_json_begin("comparing", NULL);
    int code = read_folders(options, folder, failure);
    if (code == 0)
        code = refuse_options(options, failure);
    if (code == 0)
        code = compare_folders(options, folder, list, failure);
    if (code == 0 && options->json)
        code = print_json(object, failure);
    else
        cJSON_Delete(object);
    for (size_t r = 0; r < count; r++)
        run_folder_free(&folder[r]);
    free(folder);
    return code;
}
