#include "geometry/base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Temporary names of this process and of killed ones with the same id; past this many the cause is another.
 */
#define TEMPORARY_TRIES 10000

void whole_file_abandon(struct whole_file *file)
{
    if (file->stream != NULL)
        (void)fclose(file->stream);
    if (file->temporary != NULL)
        (void)unlink(file->temporary);
    free(file->temporary);
    free(file->path);
    *file = (struct whole_file){0};
}

/* Length of the folder part of `path` with its slash; 0 for a bare name. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

static int output_failure(struct failure *failure, const char *path, const char *what, int error)
{
    return failure_set(failure, failure_of_errno(error, FAILURE_OUTPUT), "%s could not be %s: %s", path, what,
                       error != 0 ? strerror(error)
                                  : "the data could not be written (is the disk full, or the limit of file "
                                    "sizes reached, ulimit -f?)");
}

/* Kind of an object that a file cannot replace; NULL for nothing, a file, or a link. /dev/stdout leads to an
 * open stream. */
static const char *kind_of_obstacle(const char *path)
{
    struct stat there;
    static const char open_files[] = "/proc/";
    char target[sizeof open_files] = "";
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return S_ISDIR(there.st_mode) ? "a folder" : "something that is not a regular file";
    return readlink(path, target, sizeof target - 1) > 0 && strcmp(target, open_files) == 0
               ? "a link to an open file"
               : NULL;
}

int whole_file_open(struct whole_file *file, const char *path, struct failure *failure)
{
    int status = 0;
    int descriptor = -1;
    *file = (struct whole_file){0};
    file->path = strdup(path);
    if (file->path == NULL)
        return failure_memory(failure, strlen(path) + 1, "a file name");
    const char *other = kind_of_obstacle(path);
    if (other != NULL) {
        status = failure_set(failure, FAILURE_OUTPUT,
                             "%s could not be written: %s is there; give the name of a file", path, other);
        goto done;
    }
    const size_t folder = folder_length(file->path);
    if (file->path[folder] == '\0') {
        status = failure_set(failure, FAILURE_OUTPUT, "\"%s\" could not be written: it names no file", path);
        goto done;
    }
    const size_t capacity = folder + 64;
    file->temporary = malloc(capacity);
    if (file->temporary == NULL) {
        status = failure_memory(failure, capacity, "a file name");
        goto done;
    }
    memcpy(file->temporary, file->path, folder);
    for (int attempt = 0; descriptor < 0 && attempt < TEMPORARY_TRIES; ++attempt) {
        (void)snprintf(file->temporary + folder, capacity - folder, ".transept-%ld-%d.part", (long)getpid(),
                       attempt);
        descriptor = open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    if (descriptor < 0) {
        status = output_failure(failure, path, "created", errno);
        free(file->temporary); /* the name belongs to another writer: abandon must not remove it */
        file->temporary = NULL;
        goto done;
    }
    file->stream = fdopen(descriptor, "w+");
    if (file->stream == NULL) {
        status = output_failure(failure, path, "opened", errno);
        (void)close(descriptor);
    }
done:
    if (status != 0)
        whole_file_abandon(file);
    return status;
}

int whole_file_settle(struct whole_file *file, struct failure *failure)
{
    bool wrong;
    int error = 0;
    if (file->settled)
        return 0;
    if (file->stream != NULL) {
        wrong = ferror(file->stream) != 0;
        errno = 0;
        if (!wrong && (fflush(file->stream) != 0 || fsync(fileno(file->stream)) != 0)) {
            wrong = true;
            error = errno;
        }
        errno = 0;
        if (fclose(file->stream) != 0 && !wrong) {
            wrong = true;
            error = errno;
        }
        file->stream = NULL;
    } else {
        errno = 0;
        const int descriptor = open(file->temporary, O_RDWR | O_CLOEXEC);
        wrong = descriptor < 0 || fsync(descriptor) != 0;
        error = wrong ? errno : 0;
        if (descriptor >= 0)
            (void)close(descriptor);
    }
    file->settled = !wrong;
    if (!wrong)
        return 0;
    const int status = output_failure(failure, file->path, "written", error);
    whole_file_abandon(file);
    return status;
}

int whole_file_sync_open_folder(int folder)
{
    return fsync(folder) == 0 || errno == EINVAL ? 0 : errno;
}

int whole_file_sync_folder(const char *folder)
{
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return errno == EACCES ? 0 : errno; /* a folder that may be written but not read */
    const int error = whole_file_sync_open_folder(descriptor);
    (void)close(descriptor);
    return error;
}

static int sync_folder_of(const char *path)
{
    const size_t length = folder_length(path);
    char *folder = length == 0 ? strdup(".") : strndup(path, length);
    const int error = folder == NULL ? ENOMEM : whole_file_sync_folder(folder);
    free(folder);
    return error;
}

/* Rename in the folder; returns 0 or an errno. `folder` may have been moved since the file was begun, and its
 * old name may lead elsewhere, so the file is first looked for in the folder itself. */
static int rename_in_folder(int folder, const struct whole_file *file, const char *name)
{
    const char *temporary = file->temporary + folder_length(file->temporary);
    if (renameat(folder, temporary, folder, name) == 0)
        return 0;
    return errno == ENOENT && renameat(AT_FDCWD, file->temporary, folder, name) == 0 ? 0 : errno;
}

int whole_file_commit_in(struct whole_file *file, int folder, const char *name, struct failure *failure)
{
    int status = 0;
    TRY(whole_file_settle(file, failure));
    int error = folder == AT_FDCWD ? rename(file->temporary, file->path) == 0 ? 0 : errno
                                   : rename_in_folder(folder, file, name);
    if (error != 0) {
        status = output_failure(failure, file->path, "put in place", error);
        goto done;
    }
    free(file->temporary);
    file->temporary = NULL;
    error = folder == AT_FDCWD ? sync_folder_of(file->path) : whole_file_sync_open_folder(folder);
    if (error != 0)
        status =
            failure_set(failure, failure_of_errno(error, FAILURE_OUTPUT),
                        "%s is written, but its folder could not be synchronised (%s): it may be lost if "
                        "the machine stops now",
                        file->path, strerror(error));
done:
    whole_file_abandon(file);
    return status;
}

int whole_file_commit(struct whole_file *file, struct failure *failure)
{
    return whole_file_commit_in(file, AT_FDCWD, NULL, failure);
}

bool whole_file_replaces(const char *path, const char *input)
{
    struct stat one, other;
    return stat(path, &one) == 0 && stat(input, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}
