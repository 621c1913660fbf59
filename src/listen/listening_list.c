#include "src/listen/listening_list.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "geometry/base/text_buffer.h"
#include "src/base/options/option_values.h"
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
    free(list->dry);
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
                          .sounds = 1,
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

/* ---- of several sources ---- */

/* A file of the same kind of what `source` sounds like at the receiver of `of`; NULL: there is none. */
static const struct record_response *find_beside(const struct run_model *model,
                                                 const struct record_response *of, size_t kind,
                                                 const char *source, const char **file)
{
    for (size_t r = 0; r < model->responses.count; r++) {
        const struct record_response *other = &model->responses.item[r];
        const char *name[RUN_RESPONSE_FILES];
        if (other->source == NULL || other->receiver == NULL || strcmp(other->source, source) != 0 ||
            strcmp(other->receiver, of->receiver) != 0)
            continue;
        *file = run_response_files(other, name) > kind ? name[kind] : NULL;
        return *file != NULL ? other : NULL;
    }
    return NULL;
}

/* Turn the sound that was added last, the first source's, into that of all: file `kind` of response `of`. */
static int mix_last(struct listening_list *list, const struct listening_run *run,
                    const struct record_response *of, size_t kind, struct failure *failure)
{
    struct heard *heard = &list->heard[list->count - 1];
    struct listened_file *record = &heard->record;
    struct text_buffer sources = {0};
    heard->sounds = list->dries;
    if (!JSON_LIST_MAKE(&listened_part_table, &record->mixed, list->dries))
        return failure_memory(failure, list->dries * sizeof *record->mixed.item, "a mix");
    for (size_t d = 0; d < list->dries; d++) {
        struct listened_part *part = &record->mixed.item[d];
        const char *file = NULL;
        part->of = find_beside(&run->model, of, kind, list->dry[d].source, &file);
        if (part->of == NULL) {
            free(sources.data);
            return failure_set(failure, FAILURE_INPUT,
                               "%s has no response of %s at %s, so that it cannot be heard with %s",
                               run->folder, list->dry[d].source, of->receiver, of->source);
        }
        record->distance = fmin(record->distance, part->of->distance);
        part->response = join_path(run->folder, file);
        const int code = part->response == NULL || !json_text_set(&part->source, list->dry[d].source)
                             ? failure_memory(failure, strlen(file), "a path")
                             : text_print(&sources, failure, "%s%s", d > 0 ? " + " : "", list->dry[d].source);
        if (code != 0) {
            free(sources.data);
            return code;
        }
    }
    free(record->response);
    free(record->source);
    record->response = NULL;
    record->source = sources.data;
    return 0;
}

/* Whether the responses of a run are of a source called so. */
static bool is_source(const struct run_model *model, const char *name)
{
    for (size_t r = 0; r < model->responses.count; r++)
        if (model->responses.item[r].source != NULL && strcmp(model->responses.item[r].source, name) == 0)
            return true;
    return false;
}

static int check_sources(const struct listening_list *list, const struct listening_run *run,
                         struct failure *failure)
{
    for (size_t d = 0; d < list->dries; d++)
        if (list->dry[d].source[0] != '\0' && !is_source(&run->model, list->dry[d].source))
            return failure_fix(failure_set(failure, FAILURE_INPUT, "%s has no response of a source called %s",
                                           run->folder, list->dry[d].source),
                               failure, "name one of its run.json; a file of that name is ./FILE");
    return 0;
}

/* ---- runs ---- */

static int add_run_responses(struct listening_list *list, char *folder, const struct options *options,
                             struct failure *failure)
{
    const char *first = list->dry[0].source;
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
    TRY(check_sources(list, run, failure));
    for (size_t r = 0; r < run->model.responses.count; r++) {
        const struct record_response *of = &run->model.responses.item[r];
        const char *file[RUN_RESPONSE_FILES];
        const size_t files = run_response_files(of, file);
        if (first[0] != '\0' &&
            (of->source == NULL || of->receiver == NULL || strcmp(of->source, first) != 0))
            continue;
        for (size_t n = 0; n < files; n++) { /* a file of both ears is named by two responses */
            if (run_model_find(&run->model, file[n]) != of)
                continue;
            TRY(add_response(list, run, file[n], options, failure));
            if (list->dries > 1)
                TRY(mix_last(list, run, of, n, failure));
        }
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
    if (list->dry[0].source[0] != '\0')
        return failure_fix(failure_set(failure, FAILURE_INPUT,
                                       "%s is one file, so a dry sound of %s finds no source in it", path,
                                       list->dry[0].source),
                           failure, "give the folder of a run");
    struct listening_run *run = NULL;
    TRY(add_run(list, path_folder(path), false, &run, failure));
    return add_response(list, run, path_name(path), options, failure);
}

bool listening_dry_read(const char *text, struct listening_dry *out)
{
    const char *at = strchr(text, '=');
    const size_t length = at != NULL ? (size_t)(at - text) : 0;
    *out = (struct listening_dry){.sound = text};
    if (length == 0 || length >= sizeof out->source)
        return false;
    memcpy(out->source, text, length);
    if (!option_name_is_valid(out->source)) {
        out->source[0] = '\0';
        return false;
    }
    out->sound = at + 1;
    return true;
}

/* One for all, or one for each of some sources. */
static int read_dries(struct listening_list *list, const struct option_texts *given, struct failure *failure)
{
    list->dry = calloc(given->count + 1, sizeof *list->dry);
    if (list->dry == NULL)
        return failure_memory(failure, given->count * sizeof *list->dry, "dry sounds");
    for (size_t d = 0; d < given->count; d++) {
        struct listening_dry *dry = &list->dry[list->dries];
        const bool named = listening_dry_read(given->text[d], dry);
        if (named && dry->sound[0] == '\0')
            return failure_set(failure, FAILURE_INPUT, "source %s has a dry sound without a name",
                               dry->source);
        if (given->count > 1 && (!named || list->dry[0].source[0] == '\0'))
            return failure_fix(failure_set(failure, FAILURE_INPUT,
                                           "there are two dry sounds, %s and %s: several need a source each",
                                           given->text[0], given->text[d > 0 ? d : 1]),
                               failure, "give one sound for all sources, or SOURCE=FILE for each");
        for (size_t e = 0; e < list->dries; e++)
            if (strcmp(list->dry[e].source, dry->source) == 0)
                return failure_set(failure, FAILURE_INPUT,
                                   "source %s has two dry sounds, %s and %s: it plays one", dry->source,
                                   list->dry[e].sound, dry->sound);
        list->dries++;
    }
    return 0;
}

/* Find the dry sound among the arguments. `*count` receives the number of the others. */
static int find_dry(struct listening_list *list, const struct options *options, size_t *count,
                    struct failure *failure)
{
    const struct option_texts *subjects = &options->subjects;
    *count = subjects->count;
    TRY(read_dries(list, &options->dry, failure));
    if (list->dries > 0)
        return 0;
    const char *last = subjects->text[subjects->count - 1];
    list->dries = 1;
    list->dry[0].sound = "clap";
    if (subjects->count < 2 || (is_folder(last) && !dry_sound_is_word(last)))
        return 0;
    list->dry[0].sound = last;
    --*count;
    char *folder = path_folder(last);
    struct run_model model;
    struct failure unread;
    bool response = false;
    run_model_clear(&model);
    if (folder != NULL && run_is_in(folder) && run_model_read(folder, &model, &unread) == 0)
        response = run_model_find(&model, path_name(last)) != NULL;
    run_model_free(&model);
    free(folder);
    if (response)
        return failure_advise(
            failure_set(failure, FAILURE_INPUT,
                        "%s comes last and would be the dry sound, but it is a response of a run", last),
            failure, ADVICE_NAME_DRY, 0);
    return 0;
}

/* ---- additional files ---- */

/* The dry sound as far away as the nearest receiver, or at 1 m; once whole and once in every band there is.
 */
static int add_dry(struct listening_list *list, struct failure *failure)
{
    struct heard heard = {.kind = HEARD_DRY,
                          .sounds = list->dries,
                          .sound_speed = NAN,
                          .record = {.fmax = NAN, .distance = INFINITY}};
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
