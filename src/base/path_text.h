/** Paths of files, as text. */
#ifndef SRC_PATH_TEXT_H
#define SRC_PATH_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** "FOLDER/NAME", the name as printf would write it; owned by the caller, NULL without memory. */
__attribute__((format(printf, 2, 3))) char *path_in(const char *folder, const char *format, ...);

/** The folder that holds `path`: "a" of "a/b" and "a/b/", "." of "b", "/" of "/b". Owned by the caller, NULL
 * without memory. */
char *path_folder(const char *path);

/** A path for printing: invisible characters and invalid UTF-8 become `?`. */
#define PATH_SHOWN_MAX   1100
#define PATH_SHOWN(path) path_shown(path, (char[PATH_SHOWN_MAX]){""})
const char *path_shown(const char *path, char text[PATH_SHOWN_MAX]);

/** Does a name begin, or end, with these letters? */
bool path_begins_with(const char *name, const char *with);
bool path_ends_with(const char *name, const char *with);

/** "FILE.wav@7" is channel 7 of that file. Returns the length of the file's path, `*channel` is 0 without
 * one. */
size_t path_channel(const char *text, int *channel);

/** The part after the last slash. */
const char *path_name(const char *path);

#endif
