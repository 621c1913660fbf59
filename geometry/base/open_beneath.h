/** Opens a file that a model refers to: a regular file beneath the model's folder, through no link. */
#ifndef GEOMETRY_OPEN_BENEATH_H
#define GEOMETRY_OPEN_BENEATH_H

/** Open `path` for reading beneath `folder` (a descriptor of a folder). Returns a descriptor, or -1 with
 * errno: ELOOP for a symbolic link anywhere in `path`, EXDEV or ELOOP for one that leaves the folder, ENOENT
 * and so on. Never blocks: a FIFO opens at once; the caller must reject it (fstat). */
int open_beneath(int folder, const char *path);

/** The same in steps of one component, for kernels before Linux 5.6 that have no openat2. */
int open_beneath_by_steps(int folder, const char *path);

#endif
