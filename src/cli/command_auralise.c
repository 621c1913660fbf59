#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/cli/auralise_walk.h"
#include "src/cli/commands.h"
#include "src/listen/listening_list.h"
#include "src/listen/listening_record.h"
#include "src/base/options/messages.h"
#include "src/run_folder/output_folder.h"
#include "src/base/table/json_values.h"

/* Channels whose mean loses more than this are reported [dB]. Independent channels lose 3 dB with every
 * doubling. */
#define CANCELLED_PRINTED 9.0

struct auralisation {
    const struct options *options;
    struct listening_list list;
    struct dry_sound *dry; /* (list.dries) owned */
    double gain;
    struct output_folder folder;
    struct whole_file *file; /* (list.count + 1) settled, the record last; owned */
};

static void auralisation_free(struct auralisation *work)
{
    for (size_t i = 0; work->file != NULL && i <= work->list.count; i++)
        whole_file_abandon(&work->file[i]);
    free(work->file);
    for (size_t d = 0; work->dry != NULL && d < work->list.dries; d++)
        dry_sound_close(&work->dry[d]);
    free(work->dry);
    output_folder_undo(&work->folder);
    listening_list_free(&work->list);
}

/* ---- where it goes ---- */

/* The file of a sound, or the record after the last. */
static const char *name_of(const struct auralisation *work, size_t i)
{
    return i < work->list.count ? work->list.heard[i].record.file : work->list.record;
}

/* Owned by the caller. */
static char *path_of(const struct auralisation *work, size_t i)
{
    const char *name = name_of(work, i);
    return work->list.folder != NULL ? output_folder_file(&work->folder, name) : strdup(name);
}

/* Without --force no earlier result is replaced. */
static int refuse_existing(const struct auralisation *work, struct failure *failure)
{
    for (size_t i = 0; i <= work->list.count && !work->options->request.force; i++) {
        char *path = path_of(work, i);
        if (path == NULL)
            return failure_memory(failure, strlen(name_of(work, i)), "a path");
        const int code = command_refuse_existing(path, false, failure);
        free(path);
        TRY(code);
    }
    return 0;
}

/* True if the file is in the folder of the results and its name belongs to an earlier call. */
static bool goes_with_them(const struct auralisation *work, const char *input)
{
    if (work->list.folder == NULL || !work->options->request.force ||
        !output_folder_is_of_auralise(path_name(input)))
        return false;
    char *folder = path_folder(input);
    const bool same = folder != NULL && whole_file_replaces(folder, work->list.folder);
    free(folder);
    return same;
}

/* A dry sound or a response is never overwritten. */
static int refuse_input(const struct auralisation *work, const char *input, struct failure *failure)
{
    bool lost = goes_with_them(work, input);
    for (size_t i = 0; i <= work->list.count && !lost; i++) {
        char *path = path_of(work, i);
        if (path == NULL)
            return failure_memory(failure, strlen(name_of(work, i)), "a path");
        lost = whole_file_replaces(path, input);
        free(path);
    }
    if (lost)
        return failure_set(failure, FAILURE_INPUT,
                           "%s would be replaced by what is made from it: give another -o, or move it",
                           input);
    return 0;
}

/* Perhaps one channel of a file. */
static int refuse_response(const struct auralisation *work, const char *response, struct failure *failure)
{
    int channel;
    char *file = strndup(response, path_channel(response, &channel));
    const int code = file == NULL ? failure_memory(failure, strlen(response), "a path")
                                  : refuse_input(work, file, failure);
    free(file);
    return code;
}

static int refuse_inputs(const struct auralisation *work, struct failure *failure)
{
    const struct listening_list *list = &work->list;
    for (size_t d = 0; d < list->dries; d++)
        if (!dry_sound_is_word(list->dry[d].sound))
            TRY(refuse_input(work, list->dry[d].sound, failure));
    for (size_t i = 0; i < list->count; i++) {
        const struct listened_file *record = &list->heard[i].record;
        if (record->response != NULL)
            TRY(refuse_response(work, record->response, failure));
        for (size_t p = 0; p < record->mixed.count; p++)
            TRY(refuse_response(work, record->mixed.item[p].response, failure));
    }
    return 0;
}

/* Make the folder, or the place of the file; nothing is replaced yet. */
static int prepare_place(struct auralisation *work, struct failure *failure)
{
    struct listening_list *list = &work->list;
    work->folder.path = list->folder;
    TRY(refuse_inputs(work, failure));
    if (list->folder == NULL)
        return refuse_existing(work, failure);
    const bool force = work->options->request.force || list->beside_responses;
    TRY(output_folder_check(list->folder, force, failure));
    if (list->beside_responses)
        TRY(refuse_existing(work, failure));
    TRY(output_folder_make(&work->folder, list->folder, force, failure));
    work->folder.is_ours =
        work->options->request.force ? output_folder_is_of_auralise : output_folder_is_of_none;
    return 0;
}

static void describe_dry(const struct auralisation *work, const char *name, const struct dry_sound *dry)
{
    if (dry->channels == 1 || work->options->request.quiet)
        return;
    fprintf(stderr, "%s: its %d channels are played as their mean, because a source is one point\n",
            PATH_SHOWN(name), dry->channels);
    if (dry->cancelled > CANCELLED_PRINTED)
        fprintf(stderr, "%s: the channels cancel each other by %.0f dB\n", PATH_SHOWN(name), dry->cancelled);
}

/* A folder for the dry sounds: that of the results. */
static int open_dries(struct auralisation *work, struct failure *failure)
{
    const struct listening_list *list = &work->list;
    work->dry = calloc(list->dries, sizeof *work->dry);
    if (work->dry == NULL)
        return failure_memory(failure, list->dries * sizeof *work->dry, "dry sounds");
    char *folder = list->folder != NULL ? strdup(list->folder) : path_folder(list->record);
    if (folder == NULL)
        return failure_memory(failure, strlen(list->record), "a path");
    int code = 0;
    for (size_t d = 0; code == 0 && d < list->dries; d++) {
        code = dry_sound_open(list->dry[d].sound, folder, &interrupt_seen, &work->dry[d], failure);
        if (code == 0)
            describe_dry(work, list->dry[d].sound, &work->dry[d]);
    }
    free(folder);
    return code;
}

static void warn_of_damage(const struct heard *heard)
{
    char text[FOREIGN_SENTENCE];
    for (int n = 0; foreign_tell(&heard->damage, heard->record.response, n, text); n++)
        message_warning(stderr, "", "%s", text);
}

/* ---- making it ---- */

static int stage_all(struct auralisation *work, struct failure *failure)
{
    struct listening_list *list = &work->list;
    progress_json_begin("sounds", NULL);
    for (size_t i = 0; i < list->count; i++) {
        char *path = path_of(work, i);
        if (path == NULL)
            return failure_memory(failure, strlen(list->heard[i].record.file), "a path");
        progress_json_piece(i, list->count);
        const int code =
            auralisation_stage(&list->heard[i], work->dry, path, &interrupt_seen, &work->file[i], failure);
        free(path);
        if (code != 0)
            return code;
    }
    return 0;
}

static int stage_record(struct auralisation *work, cJSON *record, struct failure *failure)
{
    char *path = path_of(work, work->list.count);
    if (path == NULL || record == NULL) {
        free(path);
        return failure_memory(failure, strlen(work->list.record), "listen.json");
    }
    const int code = json_stage(record, path, &work->file[work->list.count], failure);
    free(path);
    return code;
}

/* Move all written files to their places. */
static int publish_results(struct auralisation *work, struct failure *failure)
{
    const struct listening_list *list = &work->list;
    for (size_t i = 0; i <= list->count; i++) {
        TRY(list->folder != NULL ? output_folder_put(&work->folder, name_of(work, i), &work->file[i], failure)
                                 : whole_file_commit(&work->file[i], failure));
    }
    return list->folder != NULL ? output_folder_publish(&work->folder, list->record, stderr, failure) : 0;
}

static int make_sounds(struct auralisation *work, struct failure *failure)
{
    struct listening_list *list = &work->list;
    progress_json_begin("dry", NULL);
    TRY(open_dries(work, failure));
    work->file = calloc(list->count + 1, sizeof *work->file);
    if (work->file == NULL)
        return failure_memory(failure, (list->count + 1) * sizeof *work->file, "a list of files");
    progress_json_begin("levels", NULL);
    for (size_t i = 0; i < list->count; i++) {
        progress_json_piece(i, list->count);
        TRY(auralisation_measure(&list->heard[i], work->dry, &interrupt_seen, failure));
        warn_of_damage(&list->heard[i]);
    }
    work->gain =
        auralisation_set_gains(list->heard, list->count, (enum auralisation_level)work->options->level);
    TRY(stage_all(work, failure));
    cJSON *record = listening_record(work->options, list, work->dry, work->gain);
    int code = stage_record(work, record, failure);
    if (code == 0)
        code = publish_results(work, failure);
    if (code == 0 && work->options->json) {
        if (list->folder != NULL)
            JSON_PUT(record, {"directory", OF_TEXT(list->folder)});
        code = print_json(record, failure);
        record = NULL;
    } else if (code == 0 && !work->options->request.quiet) {
        listening_print(stdout, work->options, list, work->dry, work->gain);
    }
    cJSON_Delete(record);
    return code;
}

int command_auralise(const struct options *options, struct failure *failure)
{
    struct auralisation work = {.options = options};
    TRY(auralise_check_walk(options, failure));
    if (options->walk != NULL)
        return auralise_walk(options, failure);
    int code = listening_list_make(options, &work.list, failure);
    if (code == 0)
        code = prepare_place(&work, failure);
    if (code == 0)
        code = make_sounds(&work, failure);
    auralisation_free(&work);
    return code;
}
