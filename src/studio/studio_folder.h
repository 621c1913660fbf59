/** The opened folder: its files are read, listed and replaced, and nothing outside it is reached.
 *
 * A path is relative, has no component that begins with a dot, and passes no symbolic link. FAILURE_INPUT for
 * another one and for what is not there. A file is known by the hash of its content, which a change must
 * name: so that two windows do not lose each other's changes. Without globals; several threads may call. */
#ifndef SRC_STUDIO_FOLDER_H
#define SRC_STUDIO_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "geometry/base/failure.h"
#include "geometry/base/whole_file.h"

#define STUDIO_HASH        16    /* hexadecimal digits */
#define STUDIO_LISTED_MOST 10000 /* entries of one folder */

struct studio_folder {
    const char *path; /* absolute; borrowed */
    int descriptor;   /* owned; -1: not open */
};

int studio_folder_open(const char *path, struct studio_folder *out, struct failure *failure);
void studio_folder_close(struct studio_folder *folder);

/** A regular file for reading; the caller closes `*descriptor`. */
int studio_folder_read(const struct studio_folder *folder, const char *path, int *descriptor, uint64_t *size,
                       struct failure *failure);

/** Of a file's content, byte_hash.h, in hexadecimal digits. FAILURE_INPUT if it cannot be read. */
int studio_folder_hash(const struct studio_folder *folder, const char *path, char hash[STUDIO_HASH + 1],
                       struct failure *failure);

/** A list of {name, folder, size_bytes, modified_s}, without names that begin with a dot; "" is the folder
 * itself. `*out` is the caller's. FAILURE_CAPACITY for more than STUDIO_LISTED_MOST entries. */
int studio_folder_list(const struct studio_folder *folder, const char *path, cJSON **out,
                       struct failure *failure);

/** One file that is written. Zeroed is none; studio_write_abandon() accepts it at any time. */
struct studio_write {
    struct whole_file file; /* write to its stream */
    int parent;             /* folder of the file, if `file` is open */
    char name[256];
};

/** The folder of the file must exist. */
int studio_write_begin(const struct studio_folder *folder, const char *path, struct studio_write *out,
                       struct failure *failure);

/** Put the file in place if the one there has the hash `before`; NULL: if there is none. FAILURE_ANSWER_NO if
 * it is another, and then nothing changes. Calls for one folder must not run at once. */
int studio_write_commit(const struct studio_folder *folder, const char *path, const char *before,
                        struct studio_write *write, struct failure *failure);
void studio_write_abandon(struct studio_write *write);

/** FAILURE_INPUT if `path`, which may be hidden and need not exist, leads through a symbolic link. */
int studio_folder_own(const struct studio_folder *folder, const char *path, struct failure *failure);

/** FAILURE_INPUT if a word of a command line could name something outside the folder: it has a component
 * "..", or a part of it, cut at '=' and ',', begins with '/' or '~', or a part that exists in the folder is
 * reached through a symbolic link. */
int studio_folder_allow(const struct studio_folder *folder, const char *word, struct failure *failure);

#endif
