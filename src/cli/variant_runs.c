#include "src/cli/variant_runs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/interrupt.h"
#include "src/base/json_memory.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/run/checkpoint/checkpoint_folder.h"
#include "src/base/options/failure_text.h"
#include "src/setup/project/project.h"
#include "src/setup/project/project_input.h"
#include "src/run_folder/output_folder.h"
#include "src/run_folder/run_read.h"
#include "src/setup/room_setup.h"
#include "src/base/table/json_values.h"

/* One of the runs: options of its own, with its variant put over the project. */
struct variant_run {
    char name[OPTION_NAME_MAX];
    char *output;
    struct options options;
    struct project *project;
};

struct variant_list {
    size_t count;
    struct variant_run *run; /* (count) owned */
    char *folder;            /* that holds the folders of the runs */
    bool json, quiet;
    const char *resume;                  /* the folder that is resumed; borrowed; NULL */
    bool keeps, resumes;                 /* it can be resumed; it resumes another process */
    struct checkpoint_command begun;     /* by others */
    struct checkpoint_folder checkpoint; /* of `folder` */
    int argument_count;                  /* borrowed */
    char **argument;
};

static void list_free(struct variant_list *list)
{
    for (size_t v = 0; v < list->count; v++) {
        options_free(&list->run[v].options);
        project_close(list->run[v].project);
        free(list->run[v].output);
    }
    free(list->run);
    free(list->folder);
    checkpoint_folder_free(&list->checkpoint);
    checkpoint_command_free(&list->begun);
}

/* ---- before the first run ---- */

static int parse_options(const struct command *command, int argc, char **argv, struct options *options,
                         struct failure *failure)
{
    return options_parse(command->bit, command->name, command->subject, argc, argv, NULL, options, failure);
}

/* The identity of all runs, without those of each. */
static cJSON *make_identity(const struct project *project, int argument_count, char *const *argument)
{
    char hash[40];
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"version", OF_TEXT(TRANSEPT_VERSION)});
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, project->hash);
    JSON_PUT(object, {"project_hash", OF_TEXT(hash)}, {"arguments", OF_TEXTS(argument_count, argument)});
    return object;
}

/* Refuse a folder in which other runs were begun. With --resume arguments are not compared: those that may
 * differ change no result. */
static int check_begun(struct variant_list *list, const struct project *project, struct failure *failure)
{
    const struct checkpoint_command *begun = &list->begun;
    if (list->resumes)
        TRY(checkpoint_command_read(list->folder, &list->begun, failure));
    const bool asked = list->resumes && list->resume != NULL;
    TRY(checkpoint_folder_start(&list->checkpoint, list->folder,
                                make_identity(project, asked ? begun->argument_count : list->argument_count,
                                              asked ? begun->argument : list->argument),
                                failure));
    if (list->resumes)
        TRY(checkpoint_command_check(&list->checkpoint, begun, failure));
    return 0;
}

static int save_list(const struct variant_list *list, size_t done, struct failure *failure)
{
    struct checkpoint_command begun = list->begun;
    if (!list->resumes) {
        begun.argument_count = list->argument_count;
        begun.argument = list->argument;
    }
    begun.input = project_input_text();
    begun.done = done;
    return list->keeps ? checkpoint_command_write(&list->checkpoint, &begun, failure) : 0;
}

/* The names, and where all of them go, from the project without a variant. */
static int make_list(const struct command *command, int argc, char **argv, struct variant_list *list,
                     struct failure *failure)
{
    struct options options;
    struct project *project = NULL;
    int code = parse_options(command, argc, argv, &options, failure);
    if (code == 0 && !project_is_file(options.subject))
        code = failure_set(failure, FAILURE_INPUT,
                           "--variant all is for a project (.yaml), and %s is not one", options.subject);
    options.variant = PROJECT_BASE;
    if (code == 0)
        code = command_take_project(&options, &project, failure);
    if (code == 0 && options.output == NULL)
        code = failure_set(failure, FAILURE_INPUT, "simulate needs -o DIR, a folder for the results");
    if (code == 0 && project->variants == 0)
        code = failure_set(failure, FAILURE_INPUT, "--variant all: %s has no variants", project->file);
    if (code == 0)
        list->resumes =
            (list->resume != NULL || !options.request.force) && checkpoint_is_unfinished(options.output);
    if (code == 0)
        code = output_folder_check(options.output, options.request.force || list->resumes, failure);
    if (code == 0) {
        list->keeps = list->resumes || (!options.discard &&
                                        (!options_given(&options, "checkpoint") || options.checkpoint > 0));
        list->folder = strdup(options.output);
        list->run = calloc(project->variants + 1, sizeof *list->run);
        list->json = options.json;
        list->quiet = options.request.quiet;
        if (list->folder == NULL || list->run == NULL)
            code = failure_memory(failure, (project->variants + 1) * sizeof *list->run, "variants");
    }
    if (code == 0) {
        list->count = project->variants + 1;
        (void)snprintf(list->run[0].name, OPTION_NAME_MAX, "%s", PROJECT_BASE);
        for (size_t v = 1; v < list->count; v++)
            (void)snprintf(list->run[v].name, OPTION_NAME_MAX, "%s", project->variant[v - 1]);
        list->argument_count = argc;
        list->argument = argv;
        code = check_begun(list, project, failure);
    }
    options_free(&options);
    project_close(project);
    return code;
}

/* The failure of one of the runs. */
static int name_variant(const struct variant_run *run, int code, const struct failure *inner,
                        struct failure *failure)
{
    (void)failure_wrap(failure, inner, "variant %s: ", run->name);
    if (failure != NULL)
        failure->code = (enum failure_code)code; /* of an interruption nothing else is said */
    return code;
}

/* Positions are the same for all, and a variant may have another room: one beyond the box around that is in
 * no air of it, which needs no grid to be seen. */
static int check_inside(const struct room_setup *setup, struct failure *failure)
{
    int code = 0;
    for (size_t i = 0; i < setup->points.sources + setup->points.receivers; i++) {
        const struct room_point *point = &setup->points.point[i];
        bool inside = true;
        for (int axis = 0; axis < 3; axis++)
            inside &= point->position[axis] >= setup->model.low[axis] &&
                      point->position[axis] <= setup->model.high[axis];
        char place[ROOM_PLACE_MAX];
        if (!inside)
            ALSO(code, failure,
                 failure_set(&next, FAILURE_INPUT, "%s %s at %s is outside the model",
                             point->kind == SEED_SOURCE ? "source" : "receiver", point->name,
                             room_place(point->position, place)));
    }
    return code;
}

/* Everything that reading its room can refuse; nothing is printed. */
static int check_room(const struct variant_run *run, struct failure *failure)
{
    struct room_request request = run->options.request;
    struct room_setup setup = {0};
    request.grid.no_leak_file = run->options.resume != NULL;
    request.model.complete = request.quiet = request.silent = request.points.audience = true;
    int code = room_setup_read(&request, &setup, failure);
    if (code == 0)
        code = check_inside(&setup, failure);
    room_setup_free(&setup);
    return code;
}

static int prepare_run(const struct command *command, int argc, char **argv, const struct variant_list *list,
                       struct variant_run *run, struct failure *failure)
{
    struct stat there;
    TRY(parse_options(command, argc, argv, &run->options, failure));
    run->options.variant = run->name;
    TRY(command_take_project(&run->options, &run->project, failure));
    run->output = path_in(list->folder, "%s", run->name);
    if (run->output == NULL)
        return failure_memory(failure, strlen(list->folder), "a path");
    run->options.output = run->output;
    run->options.json = false; /* printed once, of all */
    run->options.request.quiet |= list->json;
    run->options.resume = list->resume;
    if (lstat(run->output, &there) == 0 && S_ISLNK(there.st_mode))
        return failure_advise(
            failure_set(failure, FAILURE_INPUT,
                        "%s is a symbolic link, which only the folder of all variants may be", run->output),
            failure, ADVICE_OTHER_OUTPUT, 0);
    if (stat(list->folder, &there) == 0)
        TRY(output_folder_check(run->output, run->options.request.force || list->resumes, failure));
    /* Remove the files of a run that ended before its checkpoint.command. */
    run->options.request.force |= list->resumes && !checkpoint_is_unfinished(run->output);
    return check_room(run, failure);
}

/* ---- the runs ---- */

static int read_record(const struct variant_run *run, cJSON **out, struct failure *failure)
{
    char *path = path_in(run->output, "%s", RUN_RECORD_FILE);
    if (path == NULL)
        return failure_memory(failure, strlen(run->output), "a path");
    const int code = json_file_read(path, RUN_RECORD_MOST, out, failure);
    free(path);
    return code;
}

static int print_records(const struct variant_list *list, size_t done, struct failure *failure)
{
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"directory", OF_TEXT(list->folder)});
    cJSON *variants = json_object_in(object, "variants");
    for (size_t v = 0; v < done; v++) {
        cJSON *record = NULL;
        const int code = read_record(&list->run[v], &record, failure);
        if (code != 0) {
            cJSON_Delete(object);
            return code;
        }
        JSON_PUT(variants, {list->run[v].name, record});
    }
    return print_json(object, failure);
}

/* The failure of the run `at`, and which runs are done. */
static int report_early_end(const struct variant_list *list, size_t at, int code, const struct failure *inner,
                            struct failure *failure)
{
    char text[FAILURE_TEXT_MAX];
    if (at == 0)
        return name_variant(&list->run[at], code, inner, failure);
    return failure_set(failure, (enum failure_code)code, "variant %s: %s; %s%s%s %s done, in %s",
                       list->run[at].name, failure_text(inner, text), list->run[0].name, at > 1 ? " to " : "",
                       at > 1 ? list->run[at - 1].name : "", at > 1 ? "are" : "is", list->folder);
}

/* Remove or keep the checkpoints of the folder; `done` runs have ended. */
static void leave_folder(const struct variant_list *list, bool made, size_t done, int code,
                         struct failure *inner)
{
    const bool some = done > 0 || (list->count > 0 && checkpoint_is_unfinished(list->run[0].output));
    if (list->keeps && (code == 0 || !some))
        checkpoint_remove(list->folder, true);
    else if (list->keeps)
        failure_fix(code, inner, "transept simulate --resume %s resumes it", list->folder);
    if (made && done == 0)
        (void)rmdir(list->folder); /* unless something is in it */
}

/* The number of finished variants: at most that of the list, and each must have its record. */
static size_t count_done(const struct variant_list *list)
{
    size_t done = 0;
    bool has = true;
    while (has && done < list->begun.done && done < list->count) {
        char *record = path_in(list->run[done].output, "%s", RUN_RECORD_FILE);
        has = record != NULL && access(record, F_OK) == 0;
        done += has;
        free(record);
    }
    return done;
}

static int run_list(const struct variant_list *list, command_run *run, struct failure *failure)
{
    struct failure inner = {0};
    const bool made = mkdir(list->folder, 0777) == 0;
    size_t done = count_done(list);
    if (!made && errno != EEXIST)
        return failure_set(failure, FAILURE_OUTPUT, "%s cannot be made: %s", list->folder, strerror(errno));
    int code = save_list(list, done, &inner);
    while (code == 0 && done < list->count) {
        const struct variant_run *one = &list->run[done];
        if (!one->options.request.quiet)
            fprintf(stderr, "variant %s (%zu of %zu)\n", PATH_SHOWN(one->name), done + 1, list->count);
        code = interrupt_stop(&inner);
        progress_json_variant(one->name);
        if (code == 0)
            code = run(&one->options, &inner);
        done += code == 0;
        if (code == 0)
            code = save_list(list, done, &inner);
    }
    if (code == 0)
        progress_json_variant(NULL);
    leave_folder(list, made, done, code, &inner);
    if (code == 0 && list->json)
        return print_records(list, done, failure);
    if (code == 0 && !list->quiet)
        printf("%zu runs in %s; what changed: transept report %s/%s %s/%s\n", done, PATH_SHOWN(list->folder),
               PATH_SHOWN(list->folder), list->run[0].name, PATH_SHOWN(list->folder), list->run[1].name);
    return code == 0
               ? 0
               : report_early_end(list, done < list->count ? done : list->count - 1, code, &inner, failure);
}

int variant_runs(const struct command *command, int argc, char **argv, const char *resume, command_run *run,
                 struct failure *failure)
{
    struct variant_list list = {.resume = resume};
    struct failure inner = {0}, base = {0};
    int code = make_list(command, argc, argv, &list, failure);
    progress_json_begin("variants", NULL);
    for (size_t v = 0; (code == 0 || code == FAILURE_INPUT) && v < list.count; v++) {
        struct failure next = {0};
        progress_json_piece(v, list.count);
        if (prepare_run(command, argc, argv, &list, &list.run[v], &inner) == 0)
            continue;
        /* Mistakes of the project itself are not repeated for every variant. */
        if (v > 0 && strcmp(inner.sentence, base.sentence) == 0 && strcmp(inner.note, base.note) == 0)
            continue;
        if (v == 0)
            base = inner;
        (void)name_variant(&list.run[v], inner.code, &inner, &next);
        code = failure_join(code, failure, &next);
    }
    if (code == 0)
        code = run_list(&list, run, failure);
    list_free(&list);
    return code;
}
