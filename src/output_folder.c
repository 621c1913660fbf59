#include "src/output_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/listening_list.h"

/* The folder that holds `path`: "a" for "a/b" and "a/b/", "." for "b", "/" for "/b". Owned by the caller. */
static char *folder_above(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length == 0)
        return strdup(".");
    while (length > 1 && path[length - 1] == '/')
        length--;
    return strndup(path, length);
}

int output_folder_check(const char *path, bool force, struct failure *failure)
{
    struct stat there;
    if (lstat(path, &there) == 0) {
        if (stat(path, &there) != 0 || !S_ISDIR(there.st_mode))
            return failure_set(failure, FAILURE_INPUT, "%s is not a folder: give another -o", path);
        if (!force)
            return failure_set(failure, FAILURE_INPUT,
                               "%s exists: give another -o, or --force to replace the results in it", path);
        if (access(path, W_OK | X_OK) != 0)
            return failure_set(failure, FAILURE_OUTPUT, "%s cannot be written to: %s", path, strerror(errno));
        return 0;
    }
    if (errno != ENOENT)
        return failure_set(failure, FAILURE_OUTPUT, "%s cannot be made: %s", path, strerror(errno));
    char *above = folder_above(path);
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
static int hold(struct output_folder *folder, struct failure *failure)
{
    folder->lock = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->lock < 0)
        return failure_set(failure, FAILURE_OUTPUT, "%s cannot be opened: %s", folder->path, strerror(errno));
    folder->held = true;
    /* Some file systems know no locks; there nobody can be kept out. */
    if (flock(folder->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return failure_set(failure, FAILURE_INPUT,
                           "another run is writing to %s: wait for its end, or give another -o",
                           folder->path);
    return 0;
}

int output_folder_make(struct output_folder *folder, const char *path, bool force, struct failure *failure)
{
    *folder = (struct output_folder){.path = path};
    struct stat there;
    if (mkdir(path, 0777) == 0)
        folder->created = true;
    else if (errno != EEXIST || stat(path, &there) != 0 || !S_ISDIR(there.st_mode))
        return failure_set(failure, FAILURE_OUTPUT, "%s cannot be made: %s", path, strerror(errno));
    else if (!force)
        return failure_set(
            failure, FAILURE_INPUT,
            "%s came into being meanwhile: give another -o, or --force to replace the results in it", path);
    return hold(folder, failure);
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
    const size_t length = strlen(text), tail = strlen(with);
    return length >= tail && strcmp(text + length - tail, with) == 0;
}

/* The names a run gives, and what is made from its responses and would be taken for that of the next ones. */
static bool is_ours(const char *name)
{
    return ((starts(name, "ir_") || starts(name, "shifted_ir_")) && ends(name, ".wav")) ||
           (starts(name, "map_") && (ends(name, ".csv") || ends(name, ".svg"))) ||
           strcmp(name, "run.json") == 0 || strcmp(name, "room.glb") == 0 ||
           strcmp(name, "blocks.json") == 0 || strcmp(name, "report.html") == 0 ||
           (starts(name, "report_") && ends(name, ".html")) || listening_name_is_ours(name);
}

/* Of a command that was killed, as geometry/whole_file.c names them. */
static bool is_temporary(const char *name)
{
    return starts(name, ".transept-") && ends(name, ".part");
}

/* By name alone: they stand in this folder, whatever way their path takes to it. */
static bool is_waiting(const struct output_folder *folder, const char *name)
{
    for (size_t i = 0; i < folder->waiting_count; i++) {
        const char *temporary = folder->waiting[i].temporary, *slash = strrchr(temporary, '/');
        if (strcmp(slash != NULL ? slash + 1 : temporary, name) == 0)
            return true;
    }
    return false;
}

static int clear(const struct output_folder *folder, struct failure *failure)
{
    DIR *listing = opendir(folder->path);
    if (listing == NULL)
        return failure_set(failure, FAILURE_OUTPUT, "%s cannot be read: %s", folder->path, strerror(errno));
    int code = 0;
    for (const struct dirent *entry; code == 0 && (entry = readdir(listing)) != NULL;) {
        struct stat there;
        const bool goes = folder->is_ours != NULL ? folder->is_ours(entry->d_name) : is_ours(entry->d_name);
        if ((!goes && !is_temporary(entry->d_name)) || is_waiting(folder, entry->d_name))
            continue;
        char *path = output_folder_file(folder, entry->d_name);
        if (path == NULL)
            code = failure_memory(failure, strlen(folder->path), "a path");
        else if (lstat(path, &there) == 0 && !S_ISDIR(there.st_mode) && unlink(path) != 0 && errno != ENOENT)
            code = failure_set(failure, FAILURE_OUTPUT, "%s of an earlier run cannot be removed: %s", path,
                               strerror(errno));
        free(path);
    }
    closedir(listing);
    return code;
}

int output_folder_put(struct output_folder *folder, struct whole_file *settled, struct failure *failure)
{
    if (folder->created)
        return whole_file_commit(settled, failure);
    struct whole_file *grown = realloc(folder->waiting, (folder->waiting_count + 1) * sizeof *grown);
    if (grown == NULL) {
        whole_file_abandon(settled);
        return failure_memory(failure, (folder->waiting_count + 1) * sizeof *grown, "a list of results");
    }
    folder->waiting = grown;
    grown[folder->waiting_count++] = *settled;
    *settled = (struct whole_file){0};
    return 0;
}

int output_folder_publish(struct output_folder *folder, struct failure *failure)
{
    int code = folder->created ? 0 : clear(folder, failure);
    for (size_t i = 0; code == 0 && i < folder->waiting_count; i++)
        code = whole_file_commit(&folder->waiting[i], failure);
    return code;
}

void output_folder_undo(struct output_folder *folder)
{
    for (size_t i = 0; i < folder->waiting_count; i++)
        whole_file_abandon(&folder->waiting[i]);
    free(folder->waiting);
    if (folder->held)
        close(folder->lock);
    if (folder->created)
        rmdir(folder->path); /* refuses where anything stands in it, which is what is wanted */
    *folder = (struct output_folder){.path = folder->path};
}

char *output_folder_file(const struct output_folder *folder, const char *name)
{
    const size_t length = strlen(folder->path) + strlen(name) + 2;
    char *path = malloc(length);
    if (path != NULL)
        snprintf(path, length, "%s%s%s", folder->path, ends(folder->path, "/") ? "" : "/", name);
    return path;
}
