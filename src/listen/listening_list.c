#include "src/listen/listening_list.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/path_text.h"
#include "src/base/sorted_doubles.h"

static bool is_folder(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

/* "FOLDER/NAME", owned by the caller; NULL without memory. As users write it: no "./", but before a "-",
 * which libsndfile would take for standard input. */
static char *join_path(const char *folder, const char *name)
{
    if (strcmp(folder, ".") == 0 && name[0] != '-')
        return strdup(name);
    const size_t length = strlen(folder);
    char *path = malloc(length + strlen(name) + 2);
    if (path != NULL)
        sprintf(path, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/", name);
    return path;
}

void listening_list_free(struct listening_list *list)
{
    for (size_t r = 0; r < list->run_count; r++) {
        run_model_free(&list->run[r]->model);
        free(list->run[r]->folder);
        free(list->run[r]->label);
        free(list->run[r]);
    }
    for (size_t i = 0; i < list->count; i++)
        json_free_members(&listened_file_table, &list->heard[i].record);
    free(list->run);
    free(list->heard);
    free(list->record);
    *list = (struct listening_list){0};
}

/* ---- runs and their responses ---- */

/* The folder as one of the list, read at most once; `folder` is owned from here on. */
static int add_run(struct listening_list *list, char *folder, bool must_be_run, struct listening_run **out,
                   struct failure *failure)
{
    if (folder == NULL)
        return failure_memory(failure, 1, "a path");
    for (size_t r = 0; r < list->run_count; r++)
        if (strcmp(list->run[r]->folder, folder) == 0) {
            free(folder);
            *out = list->run[r];
            return 0;
        }
    struct listening_run **grown = realloc(list->run, (list->run_count + 1) * sizeof(struct listening_run *));
    struct listening_run *run = calloc(1, sizeof *run);
    list->run = grown != NULL ? grown : list->run;
    if (grown == NULL || run == NULL || (run->label = listening_label(folder)) == NULL) {
        free(run);
        free(folder);
        return failure_memory(failure, sizeof *run, "a list of runs");
    }
    run_model_clear(&run->model);
    run->folder = folder;
    list->run[list->run_count++] = run;
    *out = run;
    if (!must_be_run && !run_is_in(folder))
        return 0;
    TRY(run_model_read(folder, &run->model, failure));
    run->known = true;
    return 0;
}

static int add_heard(struct listening_list *list, struct heard heard, struct failure *failure)
{
    struct heard *grown = realloc(list->heard, (list->count + 1) * sizeof *grown);
    list->heard = grown != NULL ? grown : list->heard;
    return grown != NULL && heard_begin(&grown[list->count++], &heard)
               ? 0
               : failure_memory(failure, (list->count + 1) * sizeof *grown, "a list of sounds");
}

static int add_response(struct listening_list *list, struct listening_run *run, const char *file,
                        const struct options *options, struct failure *failure)
{
    const struct record_response *of = run->known ? run_model_find(&run->model, file) : NULL;
    char *path = join_path(run->folder, file);
    if (path == NULL)
        return failure_memory(failure, strlen(file), "a path");
    struct heard heard = {.kind = HEARD_RESPONSE,
                          .of = of,
                          .label = run->label,
                          .sound_speed = run->model.room.sound_speed,
                          .record = {.response = path,
                                     .fmax = of != NULL ? run_model_highest(&run->model) : NAN,
                                     .distance = of != NULL ? of->distance : NAN}};
    if (options_given(options, "fmax") && of != NULL && options->request.grid.fmax != heard.record.fmax) {
        free(path);
        return failure_advise(
            failure_set(failure, FAILURE_INPUT,
                        "%g Hz does not go with %s, which is a response up to %g Hz as %s/run.json says",
                        options->request.grid.fmax, file, heard.record.fmax, run->folder),
            failure, ADVICE_LEAVE_OUT_FMAX, 0);
    }
    if (options_given(options, "fmax"))
        heard.record.fmax = options->request.grid.fmax;
    const int code = add_heard(list, heard, failure);
    free(path);
    return code;
}

static int add_run_responses(struct listening_list *list, char *folder, const struct options *options,
                             struct failure *failure)
{
    struct listening_run *run = NULL;
    TRY(add_run(list, folder, true, &run, failure));
    if (run->model.responses.count == 0)
        return failure_set(
            failure, FAILURE_INPUT,
            run->model.grids.count > 0
                ? "%s has only responses of receiver grids: simulate with a receiver to hear one place, or "
                  "name the file of a grid, whose points then are the channels of one sound"
                : "%s: its run.json names no response: simulate with a receiver",
            run->folder);
    for (size_t r = 0; r < run->model.responses.count; r++) {
        const char *file[RUN_RESPONSE_FILES];
        const size_t files = run_response_files(&run->model.responses.item[r], file);
        for (size_t n = 0; n < files; n++) /* a file of both ears is named by two responses */
            if (run_model_find(&run->model, file[n]) == &run->model.responses.item[r])
                TRY(add_response(list, run, file[n], options, failure));
    }
    return 0;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* A run, or the runs within: variants of one project. */
static int add_folder(struct listening_list *list, const char *path, const struct options *options,
                      struct failure *failure)
{
    if (run_is_in(path))
        return add_run_responses(list, strdup(path), options, failure);
    struct dirent **entry = NULL;
    const int entries = scandir(path, &entry, is_visible, alphasort);
    int code = 0, runs = 0;
    for (int e = 0; e < entries; e++) {
        char *within = join_path(path, entry[e]->d_name);
        if (code == 0 && within != NULL && run_is_in(within)) {
            runs++;
            code = add_run_responses(list, within, options, failure);
            within = NULL;
        }
        free(within);
        free(entry[e]);
    }
    free(entry);
    if (code == 0 && runs == 0)
        code = failure_set(failure, FAILURE_INPUT,
                           "%s: holds no run.json, and no folder with one: give the folder that simulate "
                           "wrote, or WAV files",
                           path);
    return code;
}

static int add_subject(struct listening_list *list, const char *path, const struct options *options,
                       struct failure *failure)
{
    if (is_folder(path))
        return add_folder(list, path, options, failure);
    if (dry_sound_is_word(path))
        return failure_set(failure, FAILURE_INPUT,
                           "%s is a dry sound: give a response or the folder of a run before it", path);
    struct listening_run *run = NULL;
    TRY(add_run(list, path_folder(path), false, &run, failure));
    return add_response(list, run, path_name(path), options, failure);
}

/* Find the dry sound among the arguments. `*count` receives the number of the others. */
static int find_dry(struct listening_list *list, const struct options *options, size_t *count,
                    struct failure *failure)
{
    const struct option_texts *subjects = &options->subjects;
    *count = subjects->count;
    list->dry = options->dry != NULL ? options->dry : "clap";
    const char *last = subjects->text[subjects->count - 1];
    if (options->dry != NULL || subjects->count < 2 || (is_folder(last) && !dry_sound_is_word(last)))
        return 0;
    list->dry = last;
    --*count;
    char *folder = path_folder(list->dry);
    struct run_model model;
    struct failure unread;
    bool response = false;
    run_model_clear(&model);
    if (folder != NULL && run_is_in(folder) && run_model_read(folder, &model, &unread) == 0)
        response = run_model_find(&model, path_name(list->dry)) != NULL;
    run_model_free(&model);
    free(folder);
    if (response)
        return failure_advise(
            failure_set(failure, FAILURE_INPUT,
                        "%s comes last and would be the dry sound, but it is a response of a run", list->dry),
            failure, ADVICE_NAME_DRY, 0);
    return 0;
}

/* ---- additional files ---- */

/* The dry sound as far away as the nearest receiver, or at 1 m; once whole and once in every band there is.
 */
static int add_dry(struct listening_list *list, struct failure *failure)
{
    struct heard heard = {
        .kind = HEARD_DRY, .sound_speed = NAN, .record = {.fmax = NAN, .distance = INFINITY}};
    const size_t count = list->count;
    double *band = malloc((count + 1) * sizeof *band);
    size_t bands = 0;
    if (band == NULL)
        return failure_memory(failure, (count + 1) * sizeof *band, "a list of bands");
    for (size_t i = 0; i < count; i++) {
        const struct heard *one = &list->heard[i];
        if (one->record.distance < heard.record.distance) {
            heard.record.distance = one->record.distance;
            heard.sound_speed = one->sound_speed;
        }
        if (!isnan(one->record.fmax))
            band[bands++] = one->record.fmax;
    }
    if (!isfinite(heard.record.distance)) {
        heard.record.distance = 1.0;
        heard.sound_speed = air_sound_speed(20.0);
    }
    sort_doubles(band, bands);
    int code = add_heard(list, heard, failure);
    for (size_t b = 0; code == 0 && b < bands; b++)
        if (b == 0 || band[b] != band[b - 1]) {
            heard.kind = HEARD_DRY_LOW_PASSED;
            heard.record.fmax = band[b];
            code = add_heard(list, heard, failure);
        }
    free(band);
    return code;
}

/* ---- all together ---- */

/* Find the file or folder of the results. */
static int find_place(struct listening_list *list, const struct options *options, struct failure *failure)
{
    if (options->output != NULL && listening_is_wav(options->output) && !is_folder(options->output)) {
        if (list->count > 1)
            return failure_set(failure, FAILURE_INPUT,
                               "%s is one file, but there are %zu responses: give a folder", options->output,
                               list->count);
        return 0;
    }
    list->folder = options->output;
    if (options->output != NULL)
        return 0;
    list->beside_responses = true;
    if (list->run_count != 1 || !list->run[0]->known || !is_folder(options->subject))
        return failure_advise(
            failure_set(failure, FAILURE_INPUT,
                        "there is no folder for the sounds, since the responses are not those of one run"),
            failure, ADVICE_GIVE_OUTPUT, 0);
    list->folder = list->run[0]->folder;
    return 0;
}

int listening_list_make(const struct options *options, struct listening_list *out, struct failure *failure)
{
    struct listening_list list = {0};
    size_t count = 0;
    int code = find_dry(&list, options, &count, failure);
    for (size_t s = 0; code == 0 && s < count; s++)
        code = add_subject(&list, options->subjects.text[s], options, failure);
    if (code == 0)
        code = find_place(&list, options, failure);
    if (code == 0)
        code = add_dry(&list, failure);
    if (code == 0)
        code = listening_names_make(&list, options->output, failure);
    if (code != 0) {
        listening_list_free(&list);
        return code;
    }
    *out = list;
    return 0;
}
