/** A file that appears whole or not at all: written under a temporary name beside its place, then renamed. */
#ifndef GEOMETRY_WHOLE_FILE_H
#define GEOMETRY_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "geometry/base/failure.h"

/** Start zeroed; abandon accepts zeroed and committed files. */
struct whole_file {
    FILE *stream;    /* write here; NULL when the caller writes to `temporary` by other means */
    char *path;      /* where the file will be; owned */
    char *temporary; /* sibling that is written; owned */
    bool settled;    /* by whole_file_settle() */
};

/** Create the temporary sibling (hidden, named by process, with the permissions that an ordinary new file
 * gets) and open it. A symbolic link at `path` is replaced when the file is committed, and what it leads to
 * stays as it is. A caller that writes by other means closes `stream`, sets it to NULL and opens `temporary`
 * itself. FAILURE_OUTPUT (FAILURE_CAPACITY where memory or descriptors ran out) names the path and the cause,
 * also when something that is no regular file is there. */
int whole_file_open(struct whole_file *file, const char *path, struct failure *failure);

/** Flush, fsync and close: after it only the rename is left that could fail. For several files that belong
 * together: settle all, then commit all. A failure leaves nothing behind, as with commit. */
int whole_file_settle(struct whole_file *file, struct failure *failure);

/** Settle unless that is done, rename to `path`, fsync the folder. After a failure the temporary file is gone
 * and what was at `path` before is untouched; only when the folder's own fsync fails is the new file
 * there already, and the sentence says so. */
int whole_file_commit(struct whole_file *file, struct failure *failure);

/** The same as `name` in a folder that the caller holds open, whatever path leads there by now. */
int whole_file_commit_in(struct whole_file *file, int folder, const char *name, struct failure *failure);

/** Make the names in `folder` last (fsync); 0, or the errno. Some file systems know no fsync of a folder
 * (EINVAL), and some folders may be written and not read: there a rename is as durable as it gets, 0. */
int whole_file_sync_folder(const char *folder);
/** The same of one that is open. */
int whole_file_sync_open_folder(int folder);

/** Close and remove the temporary file. */
void whole_file_abandon(struct whole_file *file);

/** Would writing to `path` replace the file `input`, by whatever name or link either goes? False where one of
 * them does not exist. Works for folders too. */
bool whole_file_replaces(const char *path, const char *input);

#endif
