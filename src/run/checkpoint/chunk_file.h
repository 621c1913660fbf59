/** A file of chunks, each with its own sum. Damage is found chunk by chunk, without a second pass over many
 * gigabytes.
 *
 *   48 bytes of head: magic, version of the format, tag (8 letters), number of the chunk, bytes, sum of the
 *   bytes; then 8 with the sum of those 48; then the bytes, padded with zeros to eights
 *
 * All numbers are of 64 bits, little-endian. The last chunk has the tag "end": a file without it was cut off.
 */
#ifndef SRC_CHUNK_FILE_H
#define SRC_CHUNK_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "geometry/base/whole_file.h"

#define CHUNK_FORMAT 4
#define CHUNK_MOST   (UINT64_C(1) << 26) /* bytes of one */

/** The sum of `bytes`. It changes with any word of 8 bytes, and if words change places. */
uint64_t chunk_sum(const void *bytes, uint64_t count);

/** Started zeroed, with an open file. Failures name its path. */
struct chunk_writer {
    struct whole_file *file; /* borrowed */
    uint64_t chunks;
};

/** Append one; at most CHUNK_MOST bytes. FAILURE_OUTPUT. */
int chunk_write(struct chunk_writer *writer, const char *tag, const void *bytes, uint64_t count,
                struct failure *failure);

/** Start zeroed; chunk_close(). */
struct chunk_reader {
    FILE *stream;
    const char *path; /* borrowed */
    uint64_t chunks;  /* read so far */
    char tag[9];      /* of the last */
    uint64_t count;   /* of its bytes */
    void *bytes;      /* (count) owned, until the next; aligned for any number */
    uint64_t capacity;
};

/** The code of a damaged file: the caller can try another one. */
#define CHUNK_DAMAGED FAILURE_ANSWER_NO

/** FAILURE_INPUT: absent, or cannot be opened. CHUNK_DAMAGED: a link, a folder or a pipe. */
int chunk_open(const char *path, struct chunk_reader *out, struct failure *failure);

/** Read the next chunk, which must have this tag and, unless `count` is UINT64_MAX, `count` bytes.
 * CHUNK_DAMAGED names the fault: cut off, another number, a wrong sum. FAILURE_INPUT: another version of the
 * format. FAILURE_CAPACITY: memory. */
int chunk_expect(struct chunk_reader *reader, const char *tag, uint64_t count, struct failure *failure);

void chunk_close(struct chunk_reader *reader);

#endif
