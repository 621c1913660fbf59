#include "src/run/checkpoint/checkpoint_folder.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/disk_space.h"
#include "src/base/held_folder.h"
#include "src/base/json_memory.h"
#include "src/base/path_text.h"
#include "src/run/checkpoint/json_difference.h"

#define COMMAND_MOST ((uint64_t)64 << 20) /* bytes of the file */

/* ---- whose folder ---------------------------------------------------------------------------------------
 */

int checkpoint_folder_start(struct checkpoint_folder *folder, const char *path, cJSON *identity,
                            struct failure *failure)
{
    *folder = (struct checkpoint_folder){.path = path, .identity = identity};
    folder->words = identity != NULL ? cJSON_PrintUnformatted(identity) : NULL;
    if (folder->words == NULL || json_memory_ran_out())
        return failure_memory(failure, 10000, "what a run depends on");
    return 0;
}

void checkpoint_folder_free(struct checkpoint_folder *folder)
{
    cJSON_Delete(folder->identity);
    free(folder->words);
    *folder = (struct checkpoint_folder){0};
}

static bool is_file(const char *folder, const char *name)
{
    struct stat there;
    char *path = path_in(folder, "%s", name);
    const bool is = path != NULL && lstat(path, &there) == 0 && S_ISREG(there.st_mode);
    free(path);
    return is;
}

bool checkpoint_is_unfinished(const char *path)
{
    return is_file(path, CHECKPOINT_COMMAND);
}

/* ---- the command ----------------------------------------------------------------------------------------
 */

void checkpoint_command_free(struct checkpoint_command *command)
{
    cJSON_Delete(command->json);
    free(command->argument);
    *command = (struct checkpoint_command){0};
}

static int read_arguments(struct checkpoint_command *out, const char *path, struct failure *failure)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(out->json, "arguments"), *item;
    const cJSON *fmax = cJSON_GetObjectItemCaseSensitive(out->json, "fmax_hz");
    out->directory = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(out->json, "directory"));
    out->identity = cJSON_GetObjectItemCaseSensitive(out->json, "identity");
    out->input = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(out->json, "standard_input"));
    const cJSON *done = cJSON_GetObjectItemCaseSensitive(out->json, "done");
    out->fmax = cJSON_IsNumber(fmax) ? fmax->valuedouble : 0.0;
    out->done = cJSON_IsNumber(done) && done->valueint > 0 ? (size_t)done->valueint : 0;
    bool sound = cJSON_IsArray(list) && out->directory != NULL && cJSON_IsObject(out->identity) &&
                 out->fmax >= 0.0 && isfinite(out->fmax);
    const size_t count = sound ? (size_t)cJSON_GetArraySize(list) : 0;
    out->argument = calloc(count + 1, sizeof *out->argument);
    if (out->argument == NULL)
        return failure_memory(failure, count * sizeof *out->argument, "arguments");
    cJSON_ArrayForEach(item, list)
    {
        sound = sound && cJSON_IsString(item);
        if (sound)
            out->argument[out->argument_count++] = item->valuestring;
    }
    return sound ? 0
                 : failure_set(failure, FAILURE_INPUT,
                               "%s/" CHECKPOINT_COMMAND " does not say who began the run", path);
}

int checkpoint_command_read(const char *path, struct checkpoint_command *out, struct failure *failure)
{
    *out = (struct checkpoint_command){0};
    if (!checkpoint_is_unfinished(path))
        return failure_set(failure, FAILURE_INPUT,
                           "%s is not the folder of a run that can be resumed: it has no " CHECKPOINT_COMMAND,
                           path);
    char *file = path_in(path, CHECKPOINT_COMMAND);
    int code = file == NULL ? failure_memory(failure, strlen(path), "a path")
                            : json_file_read(file, COMMAND_MOST, &out->json, failure);
    free(file);
    if (code == 0)
        code = read_arguments(out, path, failure);
    if (code != 0)
        checkpoint_command_free(out);
    return code;
}

static cJSON *command_object(const struct checkpoint_folder *folder, const struct checkpoint_command *begun,
                             const char *directory)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "directory", directory);
    cJSON *list = cJSON_AddArrayToObject(object, "arguments");
    for (int i = 0; i < begun->argument_count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(begun->argument[i]));
    if (begun->input != NULL)
        cJSON_AddStringToObject(object, "standard_input", begun->input);
    if (begun->fmax > 0.0)
        cJSON_AddNumberToObject(object, "fmax_hz", begun->fmax);
    if (begun->done > 0)
        cJSON_AddNumberToObject(object, "done", (double)begun->done);
    cJSON_AddItemToObject(object, "identity", cJSON_Duplicate(folder->identity, true));
    return object;
}

/* Names are kept byte for byte, in any encoding: only this program reads the file. */
static int write_object(const cJSON *object, const char *path, struct failure *failure)
{
    struct whole_file file = {0};
    char *text = cJSON_Print(object);
    int code = text == NULL || json_memory_ran_out() ? failure_memory(failure, 10000, path)
                                                     : whole_file_open(&file, path, failure);
    if (code == 0) {
        (void)fprintf(file.stream, "%s\n", text); /* an error shows when the file is settled */
        code = whole_file_commit(&file, failure);
    }
    cJSON_free(text);
    return code;
}

int checkpoint_command_write(const struct checkpoint_folder *folder, const struct checkpoint_command *begun,
                             struct failure *failure)
{
    char *path = path_in(folder->path, CHECKPOINT_COMMAND), *directory = getcwd(NULL, 0);
    cJSON *object = directory != NULL ? command_object(folder, begun, directory) : NULL;
    const int code = directory == NULL ? failure_set(failure, failure_of_errno(errno, FAILURE_OUTPUT),
                                                     "the current folder has no name: %s", strerror(errno))
                     : path == NULL    ? failure_memory(failure, strlen(folder->path), "a path")
                                       : write_object(object, path, failure);
    cJSON_Delete(object);
    free(directory);
    free(path);
    return code;
}

/* `file` (NULL: the command) was of another run. */
static int refuse_other_run(const struct checkpoint_folder *folder, const cJSON *was, const char *file,
                            struct failure *failure)
{
    char text[JSON_DIFFERENCE_MAX];
    if (json_difference(was, folder->identity, text) == 0)
        return 0;
    if (file != NULL)
        return failure_set(failure, FAILURE_INPUT, "%s is of another run: %s", file, text);
    return failure_advise(
        failure_set(failure, FAILURE_INPUT, "%s holds another unfinished run: %s", folder->path, text),
        failure, ADVICE_OTHER_OUTPUT_OR_REPLACE, 0);
}

int checkpoint_command_check(const struct checkpoint_folder *folder, const struct checkpoint_command *command,
                             struct failure *failure)
{
    return refuse_other_run(folder, command->identity, NULL, failure);
}

/* ---- files ----------------------------------------------------------------------------------------------
 */

static int is_checkpoint(const struct dirent *entry)
{
    static const char begin[] = "checkpoint.", source[] = "source-";
    if (strncmp(entry->d_name, begin, sizeof begin - 1) != 0)
        return 0;
    const char *number = entry->d_name + sizeof begin - 1;
    number += strncmp(number, source, sizeof source - 1) == 0 ? sizeof source - 1 : 0;
    return number[0] != '\0' && number[strspn(number, "0123456789")] == '\0';
}

static int is_temporary(const struct dirent *entry)
{
    static const char begin[] = ".transept-", end[] = ".part";
    const size_t length = strlen(entry->d_name);
    return strncmp(entry->d_name, begin, sizeof begin - 1) == 0 && length >= sizeof end - 1 &&
           strcmp(entry->d_name + length - (sizeof end - 1), end) == 0;
}

/* How many there were; removed unless they are only counted. */
static int scan_folder(const char *path, int (*which)(const struct dirent *), bool remove)
{
    struct dirent **entry = NULL;
    const int count = scandir(path, &entry, which, NULL);
    for (int e = 0; e < count; e++) {
        char *file = remove ? path_in(path, "%s", entry[e]->d_name) : NULL;
        if (file != NULL)
            (void)unlink(file);
        free(file);
        free(entry[e]);
    }
    free(entry);
    return count;
}

bool checkpoint_is_any(const char *path)
{
    return scan_folder(path, is_checkpoint, false) > 0;
}

void checkpoint_remove(const char *path, bool all)
{
    (void)scan_folder(path, is_temporary, true);
    if (!all)
        return;
    char *command = path_in(path, CHECKPOINT_COMMAND);
    if (command != NULL && unlink(command) == 0)
        (void)whole_file_sync_folder(path);
    free(command);
    (void)scan_folder(path, is_checkpoint, true);
}

int checkpoint_space(const char *path, double bytes, struct failure *failure)
{
    const double free_bytes = disk_free(path);
    if (free_bytes >= bytes)
        return 0;
    return failure_set(failure, FAILURE_CAPACITY,
                       "three checkpoints of this run and its results take %.0f bytes, and the disk of %s "
                       "has %.0f bytes free",
                       bytes, path, free_bytes);
}

int checkpoint_begin(const struct checkpoint_folder *folder, const char *name, struct whole_file *file,
                     struct chunk_writer *writer, struct failure *failure)
{
    char text[PATH_MAX];
    const char *now = folder->held != NULL ? held_folder_path(*folder->held, folder->path, text) : NULL;
    char *path = path_in(now != NULL ? now : folder->path, "%s", name);
    *writer = (struct chunk_writer){.file = file};
    int code =
        path == NULL ? failure_memory(failure, strlen(name), "a path") : whole_file_open(file, path, failure);
    free(path);
    if (code == 0)
        code = chunk_write(writer, "run", folder->words, strlen(folder->words), failure);
    return code;
}

/* The text is that of another run. */
static int compare_words(const struct checkpoint_folder *folder, const struct chunk_reader *reader,
                         struct failure *failure)
{
    cJSON *was = cJSON_ParseWithLength(reader->bytes, (size_t)reader->count);
    const int code = was == NULL ? failure_set(failure, CHUNK_DAMAGED,
                                               "%s is damaged: it does not name its run", reader->path)
                                 : refuse_other_run(folder, was, reader->path, failure);
    cJSON_Delete(was);
    return code;
}

static int open_of_run(const struct checkpoint_folder *folder, const char *path, struct chunk_reader *reader,
                       struct failure *failure)
{
    TRY(chunk_open(path, reader, failure));
    TRY(chunk_expect(reader, "run", UINT64_MAX, failure));
    return reader->count == strlen(folder->words) &&
                   memcmp(reader->bytes, folder->words, (size_t)reader->count) == 0
               ? 0
               : compare_words(folder, reader, failure);
}

int checkpoint_open(const struct checkpoint_folder *folder, const char *name, struct chunk_reader *reader,
                    char **path, struct failure *failure)
{
    struct stat there;
    *reader = (struct chunk_reader){0};
    *path = path_in(folder->path, "%s", name);
    if (*path == NULL)
        return failure_memory(failure, strlen(name), "a path");
    const bool is_none = lstat(*path, &there) != 0 && errno == ENOENT;
    const int code = is_none ? 0 : open_of_run(folder, *path, reader, failure);
    if (code != 0 || is_none) {
        chunk_close(reader);
        free(*path);
        *path = NULL;
    }
    return code;
}
