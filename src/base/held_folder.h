/** The path of a folder that is held open. Other programs may rename it, and make another folder with its old
 * name. */
#ifndef SRC_HELD_FOLDER_H
#define SRC_HELD_FOLDER_H

#include <limits.h>

/** A path that leads to it: `path` if it still does, else the path from /proc; NULL if unknown. */
const char *held_folder_path(int folder, const char *path, char text[PATH_MAX]);

#endif
