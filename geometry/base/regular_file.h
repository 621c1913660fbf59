/** Files that a user names, opened for reading: regular ones, never waited for.
 *
 * A FIFO without a writer would be waited for without end, and a device like /dev/zero has none. So
 * everything that a user names is opened here, looked at through its descriptor and read from there: what is
 * opened is what was looked at. */
#ifndef GEOMETRY_REGULAR_FILE_H
#define GEOMETRY_REGULAR_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

/** Open `path` for reading, at once. FAILURE_INPUT where it is not there, may not be read or is no regular
 * file; FAILURE_CAPACITY where the system has no room for one more open file.
 * @param descriptor the caller's to close; untouched on failure
 * @param bytes      its size; may be NULL */
int regular_file_open(const char *path, int *descriptor, uint64_t *bytes, struct failure *failure);

/** The same of one that was opened otherwise, with O_NONBLOCK; it stays open. */
int regular_file_check(int descriptor, const char *name, uint64_t *bytes, struct failure *failure);

/** Read from where `descriptor` is until `to` is full or the file ends; `*got` bytes. FAILURE_INPUT. */
int regular_file_fill(int descriptor, const char *name, char *to, size_t size, size_t *got,
                      struct failure *failure);

/** The whole file, of at most `most` bytes. `*text` ends with a zero that `*length` does not count, and is
 * the caller's, free(). FAILURE_INPUT as above and for a longer file; FAILURE_CAPACITY. */
int regular_file_read(const char *path, uint64_t most, char **text, size_t *length, struct failure *failure);

#endif
