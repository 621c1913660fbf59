#define _GNU_SOURCE /* scandirat */
#include "src/run_folder/output_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/held_folder.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/options/messages.h"

/* Prefixes of waiting results. The record's sorts behind the others. It exists only once all of them are
 * complete. */
#define READY  ".transept-ready-"
#define RECORD ".transept-record-"

/* A file of a killed command, as geometry/base/whole_file.c names it. */
static bool is_temporary(const char *name)
{
    return path_begins_with(name, ".transept-") && path_ends_with(name, ".part");
}

char *output_folder_file(const struct output_folder *folder, const char *name)
{
    char text[PATH_MAX];
    const char *now = folder->held ? held_folder_path(folder->lock, folder->path, text) : NULL;
    return path_in(now != NULL ? now : folder->path, "%s", name);
}

bool output_folder_locate(struct output_folder *folder)
{
    char text[PATH_MAX];
    const char *now = folder->held ? held_folder_path(folder->lock, folder->path, text) : folder->path;
    char *moved = now == text ? strdup(text) : NULL;
    if (moved != NULL) {
        free(folder->moved);
        folder->path = folder->moved = moved;
    }
    return now != NULL && (now == folder->path || moved != NULL);
}

/* ---- the content of a folder ---- */

struct listing {
    struct dirent **entry; /* by name, owned */
    int count;
};

static void listing_free(struct listing *listing)
{
    for (int e = 0; e < listing->count; e++)
        free(listing->entry[e]);
    free(listing->entry);
}

/* `path` names it in words, unless it is found by it (AT_FDCWD). */
static int list_entries(int folder, const char *path, int (*which)(const struct dirent *),
                        struct listing *out, struct failure *failure)
{
    *out = (struct listing){0};
    const int count = scandirat(folder, folder == AT_FDCWD ? path : ".", &out->entry, which, alphasort);
    if (count < 0)
        return failure_set(failure, failure_of_errno(errno, FAILURE_OUTPUT), "%s cannot be read: %s", path,
                           strerror(errno));
    out->count = count;
    return 0;
}

static int is_content(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
           !is_temporary(entry->d_name);
}

/* Is the folder empty, except for the remains of killed commands? */
static int find_empty(const char *folder, bool *empty, struct failure *failure)
{
    struct listing content;
    TRY(list_entries(AT_FDCWD, folder, is_content, &content, failure));
    *empty = content.count == 0;
    listing_free(&content);
    return 0;
}

/* ---- taking a folder ---- */

int output_folder_check(const char *path, bool force, struct failure *failure)
{
    struct stat there;
    bool empty = false;
    if (lstat(path, &there) == 0) {
        if (stat(path, &there) != 0 || !S_ISDIR(there.st_mode))
            return failure_advise(failure_set(failure, FAILURE_INPUT, "%s is not a folder", path), failure,
                                  ADVICE_OTHER_OUTPUT, 0);
        if (!force)
            TRY(find_empty(path, &empty, failure));
        if (!force && !empty)
            return failure_advise(failure_set(failure, FAILURE_INPUT, "%s exists", path), failure,
                                  ADVICE_OTHER_OUTPUT_OR_REPLACE, 0);
        if (access(path, W_OK | X_OK) != 0)
            return failure_set(failure, FAILURE_OUTPUT, "%s cannot be written to: %s", path, strerror(errno));
        return 0;
    }
    if (errno != ENOENT)
        return failure_set(failure, FAILURE_OUTPUT, "%s cannot be made: %s", path, strerror(errno));
    char *above = path_folder(path);
    if (above == NULL)
        return failure_memory(failure, strlen(path), "a path");
    int code = 0;
    if (stat(above, &there) != 0)
        code = failure_set(failure, FAILURE_OUTPUT, "%s cannot be made: there is no folder %s", path, above);
    else if (!S_ISDIR(there.st_mode))
        code = failure_set(failure, FAILURE_OUTPUT, "%s cannot be made: %s is not a folder", path, above);
    else if (access(above, W_OK | X_OK) != 0)
        code =
            failure_set(failure, FAILURE_OUTPUT, "%s cannot be made in %s: %s", path, above, strerror(errno));
    free(above);
    return code;
}

/* The lock goes with the descriptor, so also when the program is killed. */
static int lock_folder(const char *path, int *lock, struct failure *failure)
{
    *lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0)
        return failure_set(failure, FAILURE_OUTPUT, "%s cannot be opened: %s", path, strerror(errno));
    /* Some file systems have no locks; there, no other process can be kept out. */
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return 0;
    close(*lock);
    failure_set(failure, FAILURE_INPUT, "another run is writing to %s", path);
    failure_fix(FAILURE_INPUT, failure, "wait for its end");
    return failure_advise(FAILURE_INPUT, failure, ADVICE_OTHER_OUTPUT, 0);
}

/* ---- waiting results ---- */

/* The name of a result that waits; NULL for any other entry. */
static const char *name_of_waiting(const char *entry)
{
    return path_begins_with(entry, READY)    ? entry + strlen(READY)
           : path_begins_with(entry, RECORD) ? entry + strlen(RECORD)
                                             : NULL;
}

static int is_waiting(const struct dirent *entry)
{
    return name_of_waiting(entry->d_name) != NULL;
}

static int is_record(const struct dirent *entry)
{
    return path_begins_with(entry->d_name, RECORD);
}

/* All results are whole, and wait. */
static bool is_whole(const struct listing *waiting)
{
    return waiting->count > 0 && is_record(waiting->entry[waiting->count - 1]);
}

bool output_folder_waits(const char *path)
{
    struct listing waiting;
    if (list_entries(AT_FDCWD, path, is_waiting, &waiting, NULL) != 0)
        return false;
    const bool waits = is_whole(&waiting);
    listing_free(&waiting);
    return waits;
}

/* Remove the files of a command that ended before its record. With a record, all waiting files stay. */
static void remove_waiting(int folder)
{
    struct listing waiting;
    if (list_entries(folder, "", is_waiting, &waiting, NULL) != 0)
        return;
    for (int e = 0; e < waiting.count && !is_whole(&waiting); e++)
        (void)unlinkat(folder, waiting.entry[e]->d_name, 0);
    listing_free(&waiting);
}

static int rename_entry(int folder, const char *from, const char *to, const char *name)
{
    char old[NAME_MAX + 1], new[NAME_MAX + 1];
    if (snprintf(old, sizeof old, "%s%s", from, name) > NAME_MAX ||
        snprintf(new, sizeof new, "%s%s", to, name) > NAME_MAX)
        return ENAMETOOLONG;
    return renameat(folder, old, folder, new) == 0 ? 0 : errno;
}

/* New over old, the record last and only where nothing else waits any more. */
static int place_results(int folder, const char *path, const struct listing *waiting, struct failure *failure)
{
    int kept = 0, kept_for = 0;
    const char *kept_name = NULL;
    for (int e = 0; e < waiting->count; e++) {
        const char *entry = waiting->entry[e]->d_name, *name = name_of_waiting(entry);
        if (path_begins_with(entry, RECORD) && kept > 0)
            continue;
        const int error = rename_entry(folder, path_begins_with(entry, RECORD) ? RECORD : READY, "", name);
        if (error == 0)
            continue;
        if (kept++ == 0) {
            kept_for = error;
            kept_name = name;
        }
    }
    if (kept == 0)
        return 0;
    char others[40] = "";
    if (kept > 1)
        snprintf(others, sizeof others, " (and %d more)", kept - 1);
    return failure_set(failure, failure_of_errno(kept_for, FAILURE_OUTPUT),
                       "%s%s%s%s cannot be moved into place: %s. The results are complete: the missing files "
                       "are beside them as " READY
                       "*, and the next command that reads the folder tries again",
                       path, path_ends_with(path, "/") ? "" : "/", kept_name, others, strerror(kept_for));
}

/* After the last rename. */
static int make_last(int folder, const char *path, struct failure *failure)
{
    const int error = whole_file_sync_open_folder(folder);
    return error == 0 ? 0
                      : failure_set(failure, failure_of_errno(error, FAILURE_OUTPUT),
                                    "the results in %s are complete, but the folder could not be "
                                    "synchronised (%s): they may be lost if the machine stops now",
                                    path, strerror(error));
}

int output_folder_finish(const char *path, struct failure *failure)
{
    int lock = 0;
    struct listing waiting;
    if (!output_folder_waits(path))
        return 0;
    TRY(lock_folder(path, &lock, failure));
    int code = list_entries(lock, path, is_waiting, &waiting, failure);
    if (code == 0) {
        if (is_whole(&waiting)) /* still */
            code = place_results(lock, path, &waiting, failure);
        listing_free(&waiting);
    }
    if (code == 0)
        code = make_last(lock, path, failure);
    close(lock);
    return code;
}

/* Refuse a folder that is no longer empty: another process may fill it at any time. */
static int refuse_filled(const char *path, struct failure *failure)
{
    bool empty = false;
    TRY(find_empty(path, &empty, failure));
    return empty ? 0
                 : failure_advise(failure_set(failure, FAILURE_INPUT, "%s was created in the meantime", path),
                                  failure, ADVICE_OTHER_OUTPUT_OR_REPLACE, 0);
}

int output_folder_make(struct output_folder *folder, const char *path, bool force, struct failure *failure)
{
    *folder = (struct output_folder){.path = path, .asked = path};
    struct stat there;
    if (mkdir(path, 0777) == 0)
        folder->created = true;
    else if (errno != EEXIST || stat(path, &there) != 0 || !S_ISDIR(there.st_mode))
        return failure_set(failure, FAILURE_OUTPUT, "%s cannot be made: %s", path, strerror(errno));
    else if (!force)
        TRY(refuse_filled(path, failure));
    TRY(output_folder_finish(path, failure));
    TRY(lock_folder(path, &folder->lock, failure));
    folder->held = true;
    if (!folder->created && !force)
        TRY(refuse_filled(path, failure));
    remove_waiting(folder->lock);
    return 0;
}

int output_folder_put(struct output_folder *folder, const char *name, struct whole_file *settled,
                      struct failure *failure)
{
    char waiting[NAME_MAX + 1];
    const bool waits = !folder->created || folder->holds_back;
    if (snprintf(waiting, sizeof waiting, "%s%s", waits ? READY : "", name) > NAME_MAX) {
        whole_file_abandon(settled);
        return failure_set(failure, FAILURE_OUTPUT, "%s/%s could not be put in place: %s", folder->path, name,
                           strerror(ENAMETOOLONG));
    }
    return whole_file_commit_in(settled, folder->lock, waiting, failure);
}

int output_folder_put_json(struct output_folder *folder, const char *name, const cJSON *object,
                           struct failure *failure)
{
    struct whole_file file = {0};
    char *path = output_folder_file(folder, name);
    int code = path == NULL ? failure_memory(failure, strlen(name), "a path")
                            : json_stage(object, path, &file, failure);
    free(path);
    return code != 0 ? code : output_folder_put(folder, name, &file, failure);
}

/* ---- the end ---- */

bool output_folder_is_of_auralise(const char *name)
{
    const size_t length = strlen(name);
    return (path_begins_with(name, "listen_") && strcasecmp(name + length - 4, ".wav") == 0) ||
           strcmp(name, "listen.json") == 0;
}

bool output_folder_is_of_walk(const char *name)
{
    return (path_begins_with(name, "walk_") && path_ends_with(name, ".wav")) ||
           strcmp(name, "walk.json") == 0;
}

bool output_folder_is_of_none(const char *name)
{
    (void)name;
    return false;
}

/* The names of a run's files, and of files made from its responses, which would look like those of the
 * next. */
static bool is_ours(const char *name)
{
    return ((path_begins_with(name, "ir_") || path_begins_with(name, "shifted_ir_")) &&
            path_ends_with(name, ".wav")) ||
           (path_begins_with(name, "map_") &&
            (path_ends_with(name, ".csv") || path_ends_with(name, ".svg") || path_ends_with(name, ".glb") ||
             path_ends_with(name, ".ply"))) ||
           strcmp(name, RUN_RECORD_FILE) == 0 || strcmp(name, "room.glb") == 0 ||
           strcmp(name, "blocks.json") == 0 || strcmp(name, "report.html") == 0 ||
           (path_begins_with(name, "report_") && path_ends_with(name, ".html")) ||
           output_folder_is_of_auralise(name) || output_folder_is_of_walk(name);
}

static bool is_new(const struct listing *placed, const char *name)
{
    for (int e = 0; e < placed->count; e++)
        if (strcmp(name_of_waiting(placed->entry[e]->d_name), name) == 0)
            return true;
    return false;
}

/* Remove the files of an earlier run that the new one did not replace. */
static void remove_old_results(const struct output_folder *folder, const struct listing *placed,
                               FILE *warnings)
{
    struct listing all;
    if (list_entries(folder->lock, "", NULL, &all, NULL) != 0)
        return;
    for (int e = 0; e < all.count; e++) {
        struct stat there;
        const char *name = all.entry[e]->d_name;
        const bool ours = folder->is_ours != NULL ? folder->is_ours(name) : is_ours(name);
        if ((!ours && !is_temporary(name)) || is_new(placed, name))
            continue;
        if (fstatat(folder->lock, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISDIR(there.st_mode) &&
            unlinkat(folder->lock, name, 0) != 0)
            message_warning(warnings, "", "%s/%s of an earlier run stays: it cannot be removed (%s)",
                            folder->path, name, strerror(errno));
    }
    listing_free(&all);
}

int output_folder_publish(struct output_folder *folder, const char *record, FILE *warnings,
                          struct failure *failure)
{
    struct listing waiting;
    (void)output_folder_locate(folder);
    if (folder->created && !folder->holds_back)
        return 0;
    int error = rename_entry(folder->lock, READY, RECORD, record);
    if (error == 0)
        error = whole_file_sync_open_folder(folder->lock);
    int code = error == 0
                   ? list_entries(folder->lock, folder->path, is_waiting, &waiting, failure)
                   : failure_set(failure, failure_of_errno(error, FAILURE_OUTPUT),
                                 "the results in %s cannot be replaced: %s", folder->path, strerror(error));
    if (code != 0) {
        rename_entry(folder->lock, RECORD, READY, record); /* nothing is replaced yet: the old results stay */
        return code;
    }
    code = place_results(folder->lock, folder->path, &waiting, failure);
    if (code == 0)
        code = make_last(folder->lock, folder->path, failure);
    if (code == 0)
        remove_old_results(folder, &waiting, warnings);
    listing_free(&waiting);
    return code;
}

void output_folder_undo(struct output_folder *folder)
{
    const bool there = output_folder_locate(folder);
    if (folder->held) {
        remove_waiting(folder->lock);
        close(folder->lock);
    }
    if (folder->created && there)
        rmdir(folder->path); /* refuses where anything is in it, as wanted */
    free(folder->moved);
    *folder = (struct output_folder){.path = folder->moved != NULL ? folder->asked : folder->path};
}
