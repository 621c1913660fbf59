#include "src/cli/command_compare_runs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/cli/compared_response.h"
#include "src/cli/measured/compare_measured.h"
#include "src/present/compare/run_compare.h"
#include "src/present/compare/run_compare_json.h"
#include "src/present/compare/run_compare_print.h"
#include "src/run_folder/run_read.h"
#include "src/base/table/json_values.h"
#include "src/base/words/words.h"

bool compare_is_of_runs(const struct options *options)
{
    struct stat there;
    const char *first = options->subject;
    const size_t length = strlen(first);
    return options->subjects.count > 1 || compared_is_response(first) ||
           (stat(first, &there) == 0 && S_ISDIR(there.st_mode)) ||
           (length >= 8 && strcmp(first + length - 8, "run.json") == 0);
}

bool compare_is_of_recordings(const char *name)
{
    static const char *const of[] = {"sweep",          "mls",    "reference", "reference-distance",
                                     "reference-gate", "output", "force"};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        if (strcmp(name, of[i]) == 0)
            return true;
    return false;
}

/* Options of a room have no use for finished runs. */
static int refuse_options(const struct options *options, struct failure *failure)
{
    const bool measured = compare_is_of_measured(options);
    for (size_t i = 0; i < option_table_count; i++) {
        const char *name = option_table[i].name;
        if (options->given[i] && strcmp(name, "json") != 0 && strcmp(name, "quiet") != 0 &&
            strcmp(name, "progress") != 0 && strcmp(name, "language") != 0 && strcmp(name, "bands") != 0 &&
            !(measured && compare_is_of_recordings(name)))
            return failure_set(failure, FAILURE_INPUT,
                               "--%s is for compare ROOM: %s and the other are finished runs, which take "
                               "only --bands, --json, --language, --quiet and --progress",
                               name, options->subject);
    }
    return 0;
}

/* A run, or a single response as one. */
struct subject {
    struct run_folder run;
    struct compared_response response;
};

static int read_subjects(const struct options *options, bool responses, struct subject *subject,
                         struct failure *failure)
{
    for (size_t r = 0; r < options->subjects.count; r++) {
        const char *name = options->subjects.text[r];
        if (compared_is_response(name) != responses)
            return failure_set(
                failure, FAILURE_INPUT,
                "%s and %s are a run and a response: compare runs with runs, and responses with "
                "responses",
                options->subject, name);
        progress_json_piece(r, options->subjects.count);
        TRY(responses ? compared_response_read(name, options, &subject[r].response, failure)
                      : run_folder_read(name, &subject[r].run, failure));
        if (!responses)
            TRY(analysis_thirds_add(options, &subject[r].run, failure));
    }
    return 0;
}

/* Compare each with the first. */
static int compare_subjects(const struct options *options, bool responses, struct subject *subject,
                            cJSON *list, struct failure *failure)
{
    for (size_t r = 1; r < options->subjects.count; r++) {
        struct run_comparison comparison = {0};
        struct subject *const pair[2] = {&subject[0], &subject[r]};
        progress_json_piece(r - 1, options->subjects.count - 1);
        for (int first = 0; first < 2; first++)
            compared_response_share(&pair[first]->response, &pair[1 - first]->response);
        TRY(run_compare(responses ? &pair[0]->response.shown : &pair[0]->run,
                        responses ? &pair[1]->response.shown : &pair[1]->run, &comparison, failure));
        if (options->json) {
            cJSON *object = run_comparison_json(&comparison);
            if (responses)
                JSON_PUT(object, {"decays_first", compared_response_decays(&pair[0]->response)},
                         {"decays_second", compared_response_decays(&pair[1]->response)});
            json_append(list, object);
        } else if (!options->request.quiet) {
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
            "compare takes two runs, two responses or a ROOM, and %s is one: give what to compare it with",
            options->subject);
    const bool responses = compared_is_response(options->subject);
    words_set(options->json ? (enum words_language)options->language : WORDS_ENGLISH);
    struct subject *subject = calloc(count, sizeof *subject);
    if (subject == NULL)
        return failure_memory(failure, count * sizeof *subject, "what is compared");
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"program", OF_TEXT("transept")}, {"version", OF_TEXT(TRANSEPT_VERSION)},
             {"command", OF_TEXT("compare")});
    cJSON *list = json_list_in(object, "comparisons");
    progress_json_begin("comparing", NULL);
    const bool measured = compare_is_of_measured(options);
    int code = measured ? 0 : read_subjects(options, responses, subject, failure);
    if (code == 0)
        code = refuse_options(options, failure);
    if (code == 0)
        code = measured ? compare_measured(options, object, list, failure)
                        : compare_subjects(options, responses, subject, list, failure);
    if (code == 0 && options->json)
        code = print_json(object, failure);
    else
        cJSON_Delete(object);
    for (size_t r = 0; r < count; r++) {
        run_folder_free(&subject[r].run);
        compared_response_free(&subject[r].response);
    }
    free(subject);
    return code;
}
