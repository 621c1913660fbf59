#include "geometry/base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char special[] = "a device, pipe or socket";

static int refuse_kind(const char *name, const char *kind, struct failure *failure)
{
    return failure_about(failure_set(failure, FAILURE_INPUT, "%s is %s, not a file", name, kind), failure,
                         SUBJECT_FILE, name);
}

int regular_file_check(int descriptor, const char *name, uint64_t *bytes, struct failure *failure)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0)
        return failure_set(failure, FAILURE_INPUT, "%s could not be read: %s", name, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return refuse_kind(name, S_ISDIR(about.st_mode) ? "a folder" : special, failure);
    if (bytes != NULL)
        *bytes = (uint64_t)about.st_size;
    return 0;
}

int regular_file_open(const char *path, int *descriptor, uint64_t *bytes, struct failure *failure)
{
    const int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (opened < 0 && errno == ENXIO) /* a socket, or a device without hardware */
        return refuse_kind(path, special, failure);
    if (opened < 0)
        return failure_about(failure_set(failure, failure_of_errno(errno, FAILURE_INPUT),
                                         "%s could not be opened: %s", path[0] != '\0' ? path : "''",
                                         strerror(errno)),
                             failure, SUBJECT_FILE, path);
    const int status = regular_file_check(opened, path, bytes, failure);
    if (status != 0)
        (void)close(opened);
    else
        *descriptor = opened;
    return status;
}

int regular_file_fill(int descriptor, const char *name, char *to, size_t size, size_t *got,
                      struct failure *failure)
{
    *got = 0;
    while (*got < size) {
        const ssize_t some = read(descriptor, to + *got, size - *got);
        if (some < 0 && errno == EINTR)
            continue;
        if (some < 0)
            return failure_set(failure, FAILURE_INPUT, "%s could not be read: %s", name, strerror(errno));
        if (some == 0) /* the file became shorter meanwhile */
            break;
        *got += (size_t)some;
    }
    return 0;
}

int regular_file_read(const char *path, uint64_t most, char **text, size_t *length, struct failure *failure)
{
    int descriptor, status;
    uint64_t bytes;
    char *read = NULL;
    TRY(regular_file_open(path, &descriptor, &bytes, failure));
    if (bytes > most)
        status = failure_set(failure, FAILURE_INPUT, "%s has %llu bytes, and at most %llu are read", path,
                             (unsigned long long)bytes, (unsigned long long)most);
    else if ((read = malloc((size_t)bytes + 1)) == NULL)
        status = failure_memory(failure, bytes + 1, path);
    else
        status = regular_file_fill(descriptor, path, read, (size_t)bytes, length, failure);
    (void)close(descriptor);
    if (status != 0) {
        free(read);
        return status;
    }
    read[*length] = '\0';
    *text = read;
    return 0;
}
