/* Files of chunks: what is read is what was written, whatever happens to the file; or it is said to be
 * damaged. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "src/run/checkpoint/chunk_file.h"
#include "tests/support/outcome.h"
#include "tests/support/own_folder.h"

TestSuite(chunk_file, .init = enter_folder, .fini = leave_folder);

static const double numbers[5] = {1.0, -2.5, 3e300, 0.0, 5e-324};
static const char text[] = "seven!!"; /* with its end mark 8 bytes; 7 of them are written */

static void write_file(void)
{
    struct whole_file file = {0};
    MUST(whole_file_open(&file, "f", &failure));
    struct chunk_writer writer = {.file = &file};
    MUST(chunk_write(&writer, "numbers", numbers, sizeof numbers, &failure));
    MUST(chunk_write(&writer, "text", text, 7, &failure));
    MUST(chunk_write(&writer, "end", NULL, 0, &failure));
    MUST(whole_file_commit(&file, &failure));
}

/* 0 where all of it is as it was written. */
static int read_file(void)
{
    struct chunk_reader reader;
    MUST(chunk_open("f", &reader, &failure));
    int code = chunk_expect(&reader, "numbers", sizeof numbers, &failure);
    cr_assert(code != 0 || memcmp(reader.bytes, numbers, sizeof numbers) == 0);
    if (code == 0)
        code = chunk_expect(&reader, "text", 7, &failure);
    cr_assert(code != 0 || memcmp(reader.bytes, text, 7) == 0);
    if (code == 0)
        code = chunk_expect(&reader, "end", 0, &failure);
    chunk_close(&reader);
    return code;
}

static char *bytes_of(size_t *count)
{
    FILE *file = fopen("f", "rb");
    char *bytes = calloc(1, 4096);
    cr_assert(file != NULL && bytes != NULL);
    *count = fread(bytes, 1, 4096, file);
    (void)fclose(file);
    return bytes;
}

Test(chunk_file, what_is_read_is_what_was_written)
{
    size_t count;
    write_file();
    cr_assert(eq(int, read_file(), 0));
    free(bytes_of(&count));
    cr_assert(eq(sz, count, 3 * 56 + 40 + 8));
}

Test(chunk_file, every_bit_that_is_flipped_is_found)
{
    size_t count;
    write_file();
    char *bytes = bytes_of(&count);
    for (size_t bit = 0; bit < 8 * count; bit++) {
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << (bit % 8)));
        write_bytes("f", bytes, count);
        const int code = read_file();
        /* The byte behind the text fills its word, and says nothing. */
        const bool fills = bit / 8 == 56 + 40 + 56 + 7;
        cr_assert(code == (fills ? 0 : CHUNK_DAMAGED), "bit %zu: %d", bit, code);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << (bit % 8)));
    }
    free(bytes);
}

Test(chunk_file, every_length_it_is_cut_to_is_found_and_the_chunk_named)
{
    size_t count;
    write_file();
    char *bytes = bytes_of(&count);
    for (size_t length = 0; length < count; length++) {
        write_bytes("f", bytes, length);
        cr_assert(read_file() == CHUNK_DAMAGED, "%zu bytes", length);
        cr_assert(strstr(failure.sentence, "f is damaged: its chunk ") == failure.sentence);
        cr_assert(strstr(failure.sentence, " is cut off") != NULL, "%s", failure.sentence);
    }
    free(bytes);
}

/* Of another file of the same program: each of its chunks is whole. */
Test(chunk_file, chunks_that_change_places_are_found)
{
    size_t count;
    write_file();
    char *bytes = bytes_of(&count), other[4096];
    memcpy(other, bytes + 96, 64);
    memcpy(other + 64, bytes, 96);
    memcpy(other + 160, bytes + 160, 56);
    write_bytes("f", other, count);
    cr_assert(read_file() == CHUNK_DAMAGED);
    free(bytes);
}

Test(chunk_file, sums_see_words_that_change_places_and_every_length)
{
    const double swapped[] = {-2.5, 1.0, 3e300, 0.0, 5e-324};
    static const char zeros[64] = {0};
    cr_assert(chunk_sum(numbers, sizeof numbers) != chunk_sum(swapped, sizeof swapped));
    for (uint64_t n = 0; n < sizeof zeros; n++)
        cr_assert(chunk_sum(zeros, n) != chunk_sum(zeros, n + 1));
}
