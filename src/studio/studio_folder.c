#include "src/studio/studio_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "geometry/base/open_beneath.h"
#include "geometry/base/byte_hash.h"
#include "src/base/path_text.h"
#include "src/base/table/json_values.h"

#define CHUNK 65536

int studio_folder_open(const char *path, struct studio_folder *out, struct failure *failure)
{
    *out = (struct studio_folder){path, open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    return out->descriptor >= 0 ? 0
                                : failure_set(failure, failure_of_errno(errno, FAILURE_INPUT),
                                              "%s cannot be opened as a folder: %s", path, strerror(errno));
}

void studio_folder_close(struct studio_folder *folder)
{
    if (folder->descriptor >= 0)
        (void)close(folder->descriptor);
    folder->descriptor = -1;
}

/* ---- paths ---- */

static bool is_plain(const char *path)
{
    if (path[0] == '\0' || path[0] == '/' || strlen(path) >= PATH_MAX)
        return false;
    while (path[0] != '\0') {
        const size_t length = strcspn(path, "/");
        if (length == 0 || length > NAME_MAX || path[0] == '.')
            return false;
        path += length;
        if (path[0] == '/' && *++path == '\0')
            return false;
    }
    return true;
}

static int check_path(const char *path, struct failure *failure)
{
    return is_plain(path) ? 0
                          : failure_set(failure, FAILURE_INPUT,
                                        "%s is not the name of a file in the opened folder", path);
}

static int refuse(const char *path, int error, struct failure *failure)
{
    if (error == ELOOP || error == EXDEV)
        return failure_set(failure, FAILURE_INPUT, "%s leads through a symbolic link, which is not followed",
                           path);
    return failure_set(failure, failure_of_errno(error, FAILURE_INPUT), "%s cannot be opened: %s", path,
                       strerror(error));
}

int studio_folder_read(const struct studio_folder *folder, const char *path, int *descriptor, uint64_t *size,
                       struct failure *failure)
{
    TRY(check_path(path, failure));
    const int file = open_beneath(folder->descriptor, path);
    if (file < 0)
        return refuse(path, errno, failure);
    struct stat of;
    if (fstat(file, &of) != 0 || !S_ISREG(of.st_mode)) {
        (void)close(file);
        return failure_set(failure, FAILURE_INPUT, "%s is not a file", path);
    }
    *descriptor = file;
    *size = (uint64_t)of.st_size;
    return 0;
}

int studio_folder_hash(const struct studio_folder *folder, const char *path, char hash[STUDIO_HASH + 1],
                       struct failure *failure)
{
    int file;
    uint64_t size, sum = HASH_START;
    TRY(studio_folder_read(folder, path, &file, &size, failure));
    char bytes[CHUNK];
    ssize_t got;
    while ((got = read(file, bytes, sizeof bytes)) > 0)
        sum = hash_bytes(sum, bytes, (size_t)got);
    (void)close(file);
    if (got < 0)
        return refuse(path, errno, failure);
    (void)snprintf(hash, STUDIO_HASH + 1, "%016llx", (unsigned long long)sum);
    return 0;
}

/* ---- lists ---- */

static int list_entries(DIR *open, const char *path, cJSON *list, struct failure *failure)
{
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(open)) != NULL;) {
        struct stat of;
        if (entry->d_name[0] == '.' || fstatat(dirfd(open), entry->d_name, &of, AT_SYMLINK_NOFOLLOW) != 0 ||
            (!S_ISREG(of.st_mode) && !S_ISDIR(of.st_mode)))
            continue;
        if (++count > STUDIO_LISTED_MOST)
            return failure_set(failure, FAILURE_CAPACITY, "%s has more than %d entries",
                               path[0] != '\0' ? path : "the folder", STUDIO_LISTED_MOST);
        JSON_PUT(json_append_object(list), {"name", OF_TEXT(entry->d_name)},
                 {"folder", OF_TRUTH(S_ISDIR(of.st_mode))}, {"size_bytes", OF_NUMBER(of.st_size)},
                 {"modified_s", OF_NUMBER((double)of.st_mtim.tv_sec + 1e-9 * (double)of.st_mtim.tv_nsec)});
    }
    return 0;
}

int studio_folder_list(const struct studio_folder *folder, const char *path, cJSON **out,
                       struct failure *failure)
{
    if (path[0] != '\0')
        TRY(check_path(path, failure));
    const int own = open_beneath(folder->descriptor, path[0] != '\0' ? path : ".");
    DIR *const open = own >= 0 ? fdopendir(own) : NULL;
    if (open == NULL) {
        const int error = errno;
        if (own >= 0)
            (void)close(own);
        return refuse(path, error, failure);
    }
    *out = cJSON_CreateArray();
    const int code = list_entries(open, path, *out, failure);
    (void)closedir(open);
    return code;
}

/* ---- writing ---- */

int studio_write_begin(const struct studio_folder *folder, const char *path, struct studio_write *out,
                       struct failure *failure)
{
    TRY(check_path(path, failure));
    char parent[PATH_MAX] = ".", shown[64 + NAME_MAX];
    const char *const slash = strrchr(path, '/');
    if (slash != NULL)
        (void)snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
    (void)snprintf(out->name, sizeof out->name, "%s", slash != NULL ? slash + 1 : path);
    const int held = open_beneath(folder->descriptor, parent);
    if (held < 0)
        return refuse(parent, errno, failure);
    (void)snprintf(shown, sizeof shown, "/proc/self/fd/%d/%s", held, out->name);
    const int code = whole_file_open(&out->file, shown, failure);
    if (code != 0)
        (void)close(held);
    else
        out->parent = held;
    return code;
}

static int expect_before(const struct studio_folder *folder, const char *path, const char *before,
                         struct failure *failure)
{
    char now[STUDIO_HASH + 1];
    struct failure why = {0};
    const bool exists = studio_folder_hash(folder, path, now, &why) == 0;
    if (before == NULL && exists)
        return failure_set(failure, FAILURE_ANSWER_NO, "%s exists", path);
    if (before != NULL && !exists)
        return failure_set(failure, FAILURE_ANSWER_NO, "%s is no longer there", path);
    if (before != NULL && strcmp(before, now) != 0)
        return failure_set(failure, FAILURE_ANSWER_NO, "%s was changed elsewhere since it was read", path);
    return 0;
}

int studio_write_commit(const struct studio_folder *folder, const char *path, const char *before,
                        struct studio_write *write, struct failure *failure)
{
    TRY(whole_file_settle(&write->file, failure));
    TRY(expect_before(folder, path, before, failure));
    TRY(whole_file_commit_in(&write->file, write->parent, write->name, failure));
    studio_write_abandon(write);
    return 0;
}

void studio_write_abandon(struct studio_write *write)
{
    if (write->file.path != NULL || write->name[0] != '\0') {
        whole_file_abandon(&write->file);
        if (write->parent > 0)
            (void)close(write->parent);
    }
    *write = (struct studio_write){0};
}

int studio_folder_own(const struct studio_folder *folder, const char *path, struct failure *failure)
{
    const int file = open_beneath(folder->descriptor, path);
    if (file < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : refuse(path, errno, failure);
    (void)close(file);
    return 0;
}

/* ---- command lines ---- */

static bool leaves(const char *part)
{
    if (part[0] == '/' || part[0] == '~')
        return true;
    for (const char *at = part; at != NULL; at = strchr(at, '/')) {
        at += at != part;
        if (strncmp(at, "..", 2) == 0 && (at[2] == '\0' || at[2] == '/'))
            return true;
    }
    return false;
}

/* `part` is not there, or it is in the folder. */
static int allow_file(const struct studio_folder *folder, const char *part, struct failure *failure)
{
    struct stat of;
    if (part[0] == '\0' || fstatat(folder->descriptor, part, &of, 0) != 0)
        return 0;
    const int file = open_beneath(folder->descriptor, part);
    if (file < 0)
        return refuse(part, errno, failure);
    (void)close(file);
    return 0;
}

int studio_folder_allow(const struct studio_folder *folder, const char *word, struct failure *failure)
{
    char part[PATH_MAX];
    for (const char *at = word; at[0] != '\0';) {
        const size_t length = strcspn(at, "=,");
        if (length >= sizeof part)
            return failure_set(failure, FAILURE_INPUT, "a word of the command is longer than %d bytes",
                               PATH_MAX);
        memcpy(part, at, length);
        part[length] = '\0';
        if (leaves(part))
            return failure_set(failure, FAILURE_INPUT, "%s names a place outside the opened folder", word);
        TRY(allow_file(folder, part, failure));
        int channel;
        part[path_channel(part, &channel)] = '\0';
        TRY(allow_file(folder, part, failure));
        at += length + (at[length] != '\0');
    }
    return 0;
}
