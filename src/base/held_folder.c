#include "src/base/held_folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* True if `path` leads to the folder. */
static bool is_at(int folder, const char *path)
{
    struct stat held, there;
    return fstat(folder, &held) == 0 && stat(path, &there) == 0 && held.st_dev == there.st_dev &&
           held.st_ino == there.st_ino;
}

const char *held_folder_path(int folder, const char *path, char text[PATH_MAX])
{
    char link[40];
    if (is_at(folder, path))
        return path;
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    const ssize_t length = readlink(link, text, PATH_MAX - 1);
    text[length > 0 ? length : 0] = '\0';
    return is_at(folder, text) ? text : NULL;
}
