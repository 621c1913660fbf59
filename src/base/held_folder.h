/** A folder that is held open, whatever it is called by now: others may rename it, and put another under its
 * old name. */
#ifndef SRC_HELD_FOLDER_H
#define SRC_HELD_FOLDER_H

#include <limits.h>
#include <stdbool.h>

/** Does `path` lead to it? */
bool held_folder_is_at(int folder, const char *path);

/** A path that leads to it: `path` where it does, else the one that /proc tells; NULL where none is known. */
const char *held_folder_path(int folder, const char *path, char text[PATH_MAX]);

#endif
