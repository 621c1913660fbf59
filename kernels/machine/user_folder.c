#include "kernels/machine/user_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool user_folder_find(const char *variable, const char *standard, const char *name, char path[PATH_MAX])
{
    const char *const given = getenv(variable), *const home = getenv("HOME");
    int length = PATH_MAX;
    if (given != NULL && given[0] == '/')
        length = snprintf(path, PATH_MAX, "%s/%s", given, name);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, PATH_MAX, "%s/%s/%s", home, standard, name);
    return length < PATH_MAX;
}

int user_folder_make(const char *path, struct failure *failure)
{
    char folder[PATH_MAX];
    for (const char *slash = path; (slash = strchr(slash + 1, '/')) != NULL;) {
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (mkdir(folder, 0700) != 0 && errno != EEXIST)
            return failure_set(failure, failure_of_errno(errno, FAILURE_OUTPUT), "%s cannot be made: %s",
                               folder, strerror(errno));
    }
    return 0;
}
