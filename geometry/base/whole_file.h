/** Writes a file whole or not at all: under a temporary name in the same folder, then renamed. */
#ifndef GEOMETRY_WHOLE_FILE_H
#define GEOMETRY_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "geometry/base/failure.h"

/** Start zeroed; abandon accepts zeroed and committed files. */
struct whole_file {
    FILE *stream;    /* write here; NULL if the caller writes to `temporary` by other means */
    char *path;      /* final path; owned */
    char *temporary; /* file beside it that is written; owned */
    bool settled;    /* by whole_file_settle() */
};

/** Create the temporary sibling (hidden, named by process, with the permissions that an ordinary new file
 * gets) and open it. A symbolic link at `path` is replaced when the file is committed; its target is
 * unchanged. A caller that writes by other means closes `stream`, sets it to NULL and opens `temporary`
 * itself. FAILURE_OUTPUT (FAILURE_CAPACITY if memory or descriptors ran out) names the path and the cause,
 * also if `path` exists and is not a regular file. */
int whole_file_open(struct whole_file *file, const char *path, struct failure *failure);

/** Flush, fsync and close; then only the rename can fail. To write several files that belong together, settle
 * all, then commit all. On failure no file remains, as with commit. */
int whole_file_settle(struct whole_file *file, struct failure *failure);

/** Settle if needed, rename to `path`, fsync the folder. On failure the temporary file is removed and the
 * former file at `path` is unchanged. Only if the fsync of the folder fails is the new file in place; the
 * sentence then says so. */
int whole_file_commit(struct whole_file *file, struct failure *failure);

/** The same as `name` in a folder that the caller holds open, even if that folder was moved. */
int whole_file_commit_in(struct whole_file *file, int folder, const char *name, struct failure *failure);

/** Make the names in `folder` durable (fsync); returns 0 or the errno. Also 0 if the file system has no fsync
 * of folders (EINVAL) or the folder may be written but not read. */
int whole_file_sync_folder(const char *folder);
/** The same for an open folder. */
int whole_file_sync_open_folder(int folder);

/** Close and remove the temporary file. */
void whole_file_abandon(struct whole_file *file);

/** True if writing to `path` would replace the file or folder `input`, by any name or link. False if one of
 * them does not exist. */
bool whole_file_replaces(const char *path, const char *input);

#endif
