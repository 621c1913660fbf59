/* syscall(), O_PATH */
#define _GNU_SOURCE
#include "geometry/base/open_beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A FIFO without a writer opens at once; a terminal does not become the controlling one. */
#define FILE_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

int open_beneath(int folder, const char *path)
{
    struct open_how how = {.flags = FILE_FLAGS,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    const long descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
    /* An older container's filter refuses the call with EPERM. */
    if (descriptor < 0 && (errno == ENOSYS || errno == EPERM))
        return open_beneath_by_steps(folder, path);
    return (int)descriptor;
}

int open_beneath_by_steps(int folder, const char *path)
{
    int at = folder, next = -1, error = 0;
    if (path[0] == '\0' || path[0] == '/') {
        errno = path[0] == '\0' ? ENOENT : EXDEV;
        return -1;
    }
    while (error == 0) {
        char name[NAME_MAX + 1];
        const size_t length = strcspn(path, "/");
        const size_t slashes = strspn(path + length, "/");
        if (length > NAME_MAX) {
            error = ENAMETOOLONG;
            break;
        }
        memcpy(name, path, length);
        name[length] = '\0';
        if (strcmp(name, "..") == 0) {
            error = EXDEV;
            break;
        }
        const int last = path[length + slashes] == '\0';
        const int flags =
            last && slashes == 0 ? FILE_FLAGS | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
        next = openat(at, name, flags);
        error = next < 0 ? errno : 0;
        if (at != folder)
            (void)close(at);
        at = next;
        if (last)
            break;
        path += length + slashes;
    }
    if (error != 0) {
        if (at != folder && at >= 0)
            (void)close(at);
        errno = error;
        return -1;
    }
    return at;
}
