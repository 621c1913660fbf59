#define _XOPEN_SOURCE 700 /* realpath */
#include "src/run_folder/run_folder.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "src/base/json_memory.h"
#include "src/base/path_text.h"
#include "src/run_folder/output_folder.h"
#include "src/run_folder/run_read.h"

/* ---- paths ---- */

static bool is_slash(char letter)
{
    return letter == '/' || letter == '\\';
}

/* "C:\\", as on Windows; letters of one alone are a word. */
static bool begins_drive(const char *word)
{
    return isalpha((unsigned char)word[0]) && word[1] == ':' && is_slash(word[2]);
}

static bool begins_path(const char *word)
{
    return is_slash(word[0]) || word[0] == '~' || (word[0] == '.' && is_slash(word[1])) ||
           (word[0] == '.' && word[1] == '.' && is_slash(word[2])) || begins_drive(word) ||
           strncasecmp(word, "file:", 5) == 0;
}

/* The part of a path of `length` after its last slash. Slashes at its end are left out. */
static void last_name(const char *path, size_t *length, const char **name)
{
    while (*length > 1 && is_slash(path[*length - 1]))
        (*length)--;
    size_t first = *length;
    while (first > 0 && !is_slash(path[first - 1]))
        first--;
    *name = path + first;
    *length -= first;
}

/* Has a path a slash after what it begins with? */
static bool goes_on(const char *path, size_t length)
{
    const size_t begin = begins_drive(path) ? 3 : 1;
    for (size_t i = begin; i < length; i++)
        if (is_slash(path[i]))
            return true;
    return false;
}

/* The start of a path in a word of `length`: at its head or after a colon; NULL if none. */
static const char *path_within(const char *word, size_t length)
{
    if (begins_path(word))
        return length > 1 ? word : NULL;
    const char *colon = memchr(word, ':', length);
    const bool path =
        colon != NULL && colon + 1 < word + length && begins_path(colon + 1) && !is_slash(colon[2]);
    return path ? colon + 1 : NULL;
}

/* Every word that is a path becomes its last name; only one of several folders where `long_ones`. In place:
 * it only gets shorter. */
static void strip_words(char *text, bool long_ones)
{
    static const char ends[] = " \t\n\"'()<>[]{},;=|";
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        const size_t apart = strspn(from, ends);
        memmove(to, from, apart);
        to += apart;
        from += apart;
        const char *word = from, *end = from + strcspn(from, ends);
        const char *path = path_within(word, (size_t)(end - word));
        if (path != NULL && (!long_ones || goes_on(path, (size_t)(end - path)))) {
            size_t length = (size_t)(end - path);
            memmove(to, word, (size_t)(path - word));
            to += path - word;
            last_name(path, &length, &word);
            end = word + length;
            from = path + strcspn(path, ends);
        } else {
            from = end;
        }
        memmove(to, word, (size_t)(end - word));
        to += end - word;
    }
    *to = '\0';
}

/* A value with a slash, after "--name=" of an argument, down to its last name. */
static void strip_value(char *text)
{
    char *value = text[0] == '-' && strchr(text, '=') != NULL ? strchr(text, '=') + 1 : text;
    size_t length = strlen(value);
    const char *name = value;
    if (strpbrk(value, "/\\") == NULL)
        return;
    last_name(value, &length, &name);
    memmove(value, name, length);
    value[length] = '\0';
}

/* Names of things are unchanged, "/stone" too. Only a whole path, which a modeller may have left, is
 * removed. */
static void strip_name(char *text)
{
    if (begins_path(text) && goes_on(text, strlen(text)))
        strip_value(text);
    else
        strip_words(text, true);
}

static bool is_of_people(const char *key)
{
    static const char *const name[] = {"name",  "material", "library_name", "document",
                                       "build", "source",   "receiver",     "unit"};
    for (size_t i = 0; key != NULL && i < sizeof name / sizeof name[0]; i++)
        if (strcmp(key, name[i]) == 0)
            return true;
    return false;
}

/* As deep as cJSON reads, 1000. */
static void strip_tree(cJSON *item, bool arguments)
{
    const bool file = item->string != NULL && strcmp(item->string, "file") == 0;
    if (cJSON_IsObject(item) && item->string != NULL && strcmp(item->string, "report") == 0)
        return; /* title and letterhead are for the page's readers */
    if (cJSON_IsString(item) && item->valuestring != NULL) {
        if (arguments || file)
            strip_value(item->valuestring);
        else if (is_of_people(item->string))
            strip_name(item->valuestring);
        else
            strip_words(item->valuestring, false);
    }
    arguments = item->string != NULL && strcmp(item->string, "arguments") == 0;
    for (cJSON *child = item->child; child != NULL; child = child->next)
        strip_tree(child, arguments);
}

void run_folder_strip(cJSON *record)
{
    if (record != NULL)
        strip_tree(record, false);
}

/* Is the text at `at`, of `length`, the folder of a file? "." and "run" are in words too. */
static bool leads_on(const char *text, const char *at, size_t length)
{
    const bool begins = at == text || strchr(" \t\n\"'(", at[-1]) != NULL;
    return begins && (at[length] == '/' || at[length - 1] == '/');
}

void run_folder_strip_of(const struct run_folder *folder, cJSON *words)
{
    const size_t length = strlen(folder->path);
    char *text = cJSON_GetStringValue(words);
    /* The folder as it was given: it may contain blanks and begin in any way. */
    for (char *at = text; at != NULL && length > 0 && (at = strstr(at, folder->path)) != NULL;) {
        const size_t cut = length + strspn(at + length, "/");
        if (leads_on(text, at, length))
            memmove(at, at + cut, strlen(at + cut) + 1);
        else
            at++;
    }
    run_folder_strip(words);
}

/* ---- reading ---- */

/* `what` is wrong with the path; `fix` is the remedy. */
static int refuse_folder(const char *path, const char *what, const char *fix, struct failure *failure)
{
    const int code = failure_set(failure, FAILURE_INPUT, "%s %s", path, what);
    (void)failure_about(code, failure, SUBJECT_FILE, path);
    return failure_fix(code, failure, "%s", fix);
}

static int parse_record(const char *path, struct run_folder *out, struct failure *failure)
{
    cJSON *record = NULL;
    TRY(json_file_read(path, RUN_RECORD_MOST, &record, failure));
    run_folder_strip(record);
    const bool read = json_read(&run_model_table, record, &out->model);
    cJSON_Delete(record);
    if (!read)
        return failure_memory(failure, 0, path);
    const struct record_room *room = &out->model.room;
    if (room->command == NULL || strcmp(room->command, "simulate") != 0 || !(room->fmax > 0) ||
        out->model.responses.item == NULL)
        return refuse_folder(path, "is not of a run: it lacks command, fmax_hz or responses",
                             "give the folder that `transept simulate` wrote", failure);
    return run_format_check(&out->model, path, failure);
}

/* The folder of a path that names the run.json in it; else the path itself. Owned by the caller. */
static char *folder_of(const char *path)
{
    struct stat there;
    const bool is_record =
        strcmp(path_name(path), RUN_RECORD_FILE) == 0 && stat(path, &there) == 0 && S_ISREG(there.st_mode);
    return is_record ? path_folder(path) : strdup(path);
}

/* The last name of the folder, wherever the path leads. */
static char *name_of(const char *path)
{
    char *whole = realpath(path, NULL);
    const char *name = whole != NULL ? whole : path;
    size_t length = strlen(name);
    last_name(name, &length, &name);
    char *copy = length > 0 ? strndup(name, length) : strdup("run");
    free(whole);
    return copy;
}

static int read_folder(struct run_folder *folder, struct failure *failure)
{
    struct stat there;
    const char *path = folder->path;
    char runs[300], why[400];
    if (stat(path, &there) != 0) {
        (void)snprintf(why, sizeof why, "could not be read: %s", strerror(errno));
        return refuse_folder(path, why, "give the folder of a run", failure);
    }
    if (S_ISDIR(there.st_mode) && !run_is_in(path) && runs_within(path, runs, sizeof runs) > 0) {
        (void)snprintf(why, sizeof why, "is not the folder of a run, but holds some: %s", runs);
        return refuse_folder(path, why, "give one of them", failure);
    }
    if (!S_ISDIR(there.st_mode) || !run_is_in(path))
        return refuse_folder(path, "is not the folder of a run: there is no run.json in it",
                             "give what `transept simulate` wrote", failure);
    TRY(output_folder_finish(path, failure));
    folder->name = name_of(path);
    char *file = run_folder_file(folder, RUN_RECORD_FILE);
    const int code = folder->name == NULL || file == NULL ? failure_memory(failure, strlen(path), "a path")
                                                          : parse_record(file, folder, failure);
    free(file);
    return code;
}

int run_folder_read(const char *path, struct run_folder *out, struct failure *failure)
{
    struct run_folder folder = {.path = folder_of(path)};
    run_model_clear(&folder.model);
    const int code =
        folder.path == NULL ? failure_memory(failure, strlen(path), "a path") : read_folder(&folder, failure);
    if (code != 0) {
        run_folder_free(&folder);
        return code;
    }
    *out = folder;
    return 0;
}

void run_folder_free(struct run_folder *folder)
{
    free(folder->path);
    free(folder->name);
    run_model_free(&folder->model);
    *folder = (struct run_folder){0};
}

char *run_folder_file(const struct run_folder *folder, const char *name)
{
    return path_in(folder->path, "%s", name);
}
