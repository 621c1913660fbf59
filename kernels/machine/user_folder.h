/** Where a user's files are, by the XDG Base Directory Specification 0.8. */
#ifndef KERNELS_USER_FOLDER_H
#define KERNELS_USER_FOLDER_H

#include <limits.h>
#include <stdbool.h>

#include "geometry/base/failure.h"

/** `name` below the folder that the environment variable `variable` names, if that is an absolute path, else
 * below `standard` of the home folder, as in $XDG_CACHE_HOME and ".cache". False: there is no home folder, or
 * the path is PATH_MAX bytes or longer. */
bool user_folder_find(const char *variable, const char *standard, const char *name, char path[PATH_MAX]);

/** Make the folders of `path`, all that stands before its last slash, where they are missing, for their owner
 * alone (mode 0700). FAILURE_OUTPUT. */
int user_folder_make(const char *path, struct failure *failure);

#endif
