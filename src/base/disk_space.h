/** The free space of a disk. */
#ifndef SRC_DISK_SPACE_H
#define SRC_DISK_SPACE_H

/** Bytes that the caller may use on the file system of `path`, which need not exist. Infinite if unknown:
 * a full disk is then reported when something is written. */
double disk_free(const char *path);

#endif
