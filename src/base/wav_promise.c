#include "src/base/wav_promise.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNKNOWN    0xFFFFFFFFULL /* or, of RF64, in another chunk */
#define CHUNKS_MAX 10000         /* chunks before the sound; a file with more is invalid */

/* How chunks follow one another in a format. */
struct form {
    const char *begins, *holds; /* the first bytes, and those at `holds_at` */
    size_t holds_at, first;     /* first: of the first chunk */
    const char *sound;          /* the chunk of sound */
    size_t name_bytes, size_bytes;
    bool big_endian, counts_header; /* true if the size of a chunk includes its header */
    uint64_t multiple;              /* a chunk begins at one of these */
    uint64_t skipped;               /* at the start of the chunk of sound */
};

static const struct form forms[] = {
    {"RIFF", "WAVE", 8, 12, "data", 4, 4, false, false, 2, 0},
    {"RF64", "WAVE", 8, 12, "data", 4, 4, false, false, 2, 0},
    {"RIFX", "WAVE", 8, 12, "data", 4, 4, true, false, 2, 0},
    {"FORM", "AIF", 8, 12, "SSND", 4, 4, true, false, 2, 8}, /* offset and block size come first */
    {"riff", "wave", 24, 40, "data", 16, 8, false, true, 8, 0},
};

/* Sizes of programs that write into a pipe: all ones, or the largest signed number, rounded down by some
 * programs. */
static bool is_unknown(uint64_t size, size_t bytes)
{
    return bytes == 4 ? (size >= 0x7FFFF000 && size <= 0x80000000) || size >= 0xFFFFF000 : size > INT64_MAX;
}

static bool read_at(int descriptor, uint64_t at, unsigned char *to, size_t count)
{
    return pread(descriptor, to, count, (off_t)at) == (ssize_t)count;
}

static uint64_t read_number(const unsigned char *from, size_t bytes, bool big_endian)
{
    uint64_t value = 0;
    for (size_t b = 0; b < bytes; b++)
        value = value << 8 | from[big_endian ? b : bytes - 1 - b];
    return value;
}

static const struct form *find_form(int descriptor)
{
    unsigned char head[40];
    if (!read_at(descriptor, 0, head, sizeof head))
        return NULL;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        if (memcmp(head, forms[f].begins, strlen(forms[f].begins)) == 0 &&
            memcmp(head + forms[f].holds_at, forms[f].holds, strlen(forms[f].holds)) == 0)
            return &forms[f];
    return NULL;
}

static int refuse_file(const char *path, uint64_t promised, uint64_t there, struct failure *failure)
{
    return failure_fix(
        failure_set(failure, FAILURE_INPUT,
                    "%s: is cut off: its header states %llu bytes of sound, but the file has %llu", path,
                    (unsigned long long)promised, (unsigned long long)there),
        failure, "copy or export it again");
}

int wav_promise_check(int descriptor, const char *path, struct failure *failure)
{
    struct stat about;
    const struct form *form = find_form(descriptor);
    if (form == NULL || fstat(descriptor, &about) != 0)
        return 0;
    const uint64_t end = (uint64_t)about.st_size;
    const size_t header = form->name_bytes + form->size_bytes;
    unsigned char chunk[24], large[16];
    uint64_t at = form->first, large_size = 0; /* of RF64 */
    for (int c = 0; c < CHUNKS_MAX && read_at(descriptor, at, chunk, header); c++) {
        uint64_t size = read_number(chunk + form->name_bytes, form->size_bytes, form->big_endian);
        if (form->counts_header)
            size = size < header ? 0 : size - header;
        at += header;
        if (memcmp(chunk, "ds64", 4) == 0 && read_at(descriptor, at, large, sizeof large))
            large_size = read_number(large + 8, 8, false);
        if (memcmp(chunk, form->sound, 4) == 0) {
            const bool sized = size == UNKNOWN && large_size > 0;
            if (sized)
                size = large_size;
            const uint64_t there = end - at;
            return is_unknown(size, sized ? sizeof large_size : form->size_bytes) || size <= there ||
                           there < form->skipped
                       ? 0
                       : refuse_file(path, size - form->skipped, there - form->skipped, failure);
        }
        if (size > end - at)
            return 0; /* libsndfile has a message for a broken header */
        at = (at + size + form->multiple - 1) / form->multiple * form->multiple;
    }
    return 0;
}
