/** Opens files named by a user, regular files only, without blocking.
 *
 * A FIFO without a writer would block, and a device like /dev/zero has no end. So every file that a user
 * names is opened here, checked through its descriptor and read from it. */
#ifndef GEOMETRY_REGULAR_FILE_H
#define GEOMETRY_REGULAR_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

/** Open `path` for reading without blocking. FAILURE_INPUT if it does not exist, may not be read or is not a
 * regular file; FAILURE_CAPACITY if too many files are open.
 * @param descriptor the caller's to close; untouched on failure
 * @param bytes      its size; may be NULL */
int regular_file_open(const char *path, int *descriptor, uint64_t *bytes, struct failure *failure);

/** Check a file that was opened otherwise, with O_NONBLOCK; it stays open. */
int regular_file_check(int descriptor, const char *name, uint64_t *bytes, struct failure *failure);

/** Read from the current position until `to` is full or the file ends; `*got` bytes. FAILURE_INPUT. */
int regular_file_fill(int descriptor, const char *name, char *to, size_t size, size_t *got,
                      struct failure *failure);

/** The whole file, of at most `most` bytes. `*text` ends with a zero that `*length` does not count, and is
 * the caller's, free(). FAILURE_INPUT as above and for a longer file; FAILURE_CAPACITY. */
int regular_file_read(const char *path, uint64_t most, char **text, size_t *length, struct failure *failure);

#endif
