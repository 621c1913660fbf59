#include "src/run/checkpoint/chunk_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blocks/field_hash.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are little-endian");

#define MAGIC UINT64_C(0x0a54504b4e415254) /* "TRANKPT\n" */

struct head {
    uint64_t magic, format;
    char tag[8];
    uint64_t number, count, sum;
    uint64_t own_sum; /* of the members before */
};
_Static_assert(sizeof(struct head) == 56, "a head has no padding");

uint64_t chunk_sum(const void *bytes, uint64_t count)
{
    const char *byte = bytes;
    uint64_t sum = field_mix(count + 1), word;
    for (uint64_t at = 0; at + sizeof word <= count; at += sizeof word) {
        memcpy(&word, byte + at, sizeof word);
        sum += field_mix(word + (at + 1) * UINT64_C(0x9E3779B97F4A7C15));
    }
    const uint64_t whole = count / sizeof word * sizeof word;
    if (whole < count) {
        word = 0;
        memcpy(&word, byte + whole, (size_t)(count - whole));
        sum += field_mix(word + (whole + 1) * UINT64_C(0x9E3779B97F4A7C15));
    }
    return sum;
}

static uint64_t count_padding(uint64_t count)
{
    return -count & 7u;
}

/* ---- written --------------------------------------------------------------------------------------------
 */

int chunk_write(struct chunk_writer *writer, const char *tag, const void *bytes, uint64_t count,
                struct failure *failure)
{
    static const char zeros[8] = {0};
    struct head head = {.magic = MAGIC,
                        .format = CHUNK_FORMAT,
                        .number = writer->chunks++,
                        .count = count,
                        .sum = chunk_sum(bytes, count)};
    assert(count <= CHUNK_MOST && strlen(tag) <= sizeof head.tag);
    memcpy(head.tag, tag, strlen(tag));
    head.own_sum = chunk_sum(&head, offsetof(struct head, own_sum));
    FILE *stream = writer->file->stream;
    if (fwrite(&head, sizeof head, 1, stream) == 1 &&
        (count == 0 || fwrite(bytes, (size_t)count, 1, stream) == 1) &&
        fwrite(zeros, 1, (size_t)count_padding(count), stream) == count_padding(count))
        return 0;
    return failure_set(failure, failure_of_errno(errno, FAILURE_OUTPUT), "%s cannot be written: %s",
                       writer->file->path, strerror(errno));
}

/* ---- read -----------------------------------------------------------------------------------------------
 */

/* Only regular files are read: a link may lead anywhere, and opening a pipe may block.
 */
int chunk_open(const char *path, struct chunk_reader *out, struct failure *failure)
{
    struct stat there = {0};
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const bool special = descriptor < 0 ? errno == ELOOP || errno == ENXIO
                                        : fstat(descriptor, &there) == 0 && !S_ISREG(there.st_mode);
    *out = (struct chunk_reader){.path = path};
    if (descriptor >= 0 && !special)
        out->stream = fdopen(descriptor, "rb");
    if (out->stream != NULL)
        return 0;
    const int error = errno;
    if (descriptor >= 0)
        (void)close(descriptor);
    if (special)
        return failure_set(failure, CHUNK_DAMAGED, "%s is damaged: it is not a regular file", path);
    return failure_set(failure, failure_of_errno(error, FAILURE_INPUT), "%s cannot be read: %s", path,
                       strerror(error));
}

static int set_damaged(const struct chunk_reader *reader, const char *what, struct failure *failure)
{
    return failure_set(failure, CHUNK_DAMAGED, "%s is damaged: its chunk %llu %s", reader->path,
                       (unsigned long long)reader->chunks + 1, what);
}

static int reserve_bytes(struct chunk_reader *reader, uint64_t count, struct failure *failure)
{
    if (count <= reader->capacity)
        return 0;
    free(reader->bytes);
    reader->capacity = 0;
    reader->bytes = malloc((size_t)count);
    if (reader->bytes == NULL)
        return failure_memory(failure, count, "a piece of a checkpoint");
    reader->capacity = count;
    return 0;
}

static int read_next(struct chunk_reader *reader, struct failure *failure)
{
    struct head head;
    if (fread(&head, sizeof head, 1, reader->stream) != 1)
        return set_damaged(reader, "is cut off", failure);
    if (head.own_sum != chunk_sum(&head, offsetof(struct head, own_sum)) || head.magic != MAGIC)
        return set_damaged(reader, "does not begin as one", failure);
    if (head.format != CHUNK_FORMAT)
        return failure_set(failure, FAILURE_INPUT, "%s has format %llu, and this program reads format %d",
                           reader->path, (unsigned long long)head.format, CHUNK_FORMAT);
    if (head.number != reader->chunks || head.count > CHUNK_MOST)
        return set_damaged(reader, "is not the one that should follow", failure);
    const uint64_t all = head.count + count_padding(head.count);
    TRY(reserve_bytes(reader, all + 8, failure));
    if (all > 0 && fread(reader->bytes, (size_t)all, 1, reader->stream) != 1)
        return set_damaged(reader, "is cut off", failure);
    memcpy(reader->tag, head.tag, sizeof head.tag);
    if (head.sum != chunk_sum(reader->bytes, head.count)) {
        char what[60];
        (void)snprintf(what, sizeof what, "(%s) does not have its sum", reader->tag);
        return set_damaged(reader, what, failure);
    }
    reader->count = head.count;
    reader->chunks++;
    return 0;
}

int chunk_expect(struct chunk_reader *reader, const char *tag, uint64_t count, struct failure *failure)
{
    TRY(read_next(reader, failure));
    if (strcmp(reader->tag, tag) == 0 && (count == UINT64_MAX || reader->count == count))
        return 0;
    char what[100];
    (void)snprintf(what, sizeof what, "is \"%.8s\" of %llu bytes where \"%s\" should be", reader->tag,
                   (unsigned long long)reader->count, tag);
    reader->chunks--;
    return set_damaged(reader, what, failure);
}

void chunk_close(struct chunk_reader *reader)
{
    if (reader->stream != NULL)
        (void)fclose(reader->stream);
    free(reader->bytes);
    *reader = (struct chunk_reader){0};
}
