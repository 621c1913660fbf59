/** Is there room on a disk? */
#ifndef SRC_DISK_SPACE_H
#define SRC_DISK_SPACE_H

/** Bytes that are free, to who asks, on the file system that is to hold `path`, which need not exist;
 * infinite where that is not known: then it is reported when something is written. */
double disk_free(const char *path);

#endif
