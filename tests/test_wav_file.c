/* WAV files: bit-exact, the same bytes every time, and whole or not at all. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/wav_file.h"
#include "tests/test_support.h"

static char folder[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/transept-wav-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
}

static void remove_folder(void)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/one.wav", folder);
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/two.wav", folder);
    (void)unlink(path);
    cr_expect(rmdir(folder) == 0, "temporary files were left in %s", folder);
}

TestSuite(wav_file, .init = make_folder, .fini = remove_folder);

static size_t slurp(const char *path, unsigned char **bytes)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL);
    *bytes = malloc(1 << 20);
    const size_t count = fread(*bytes, 1, 1 << 20, file);
    (void)fclose(file);
    return count;
}

static uint32_t word(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

Test(wav_file, samples_come_back_bit_for_bit_also_beyond_full_scale)
{
    enum { COUNT = 10007 };
    float *sample = malloc(COUNT * sizeof *sample), *read = NULL;
    uint64_t seed = 11;
    for (int n = 0; n < COUNT; n++)
        sample[n] = (float)(test_uniform(&seed, -30.0, 30.0) * pow(10.0, test_uniform(&seed, -9.0, 0.0)));
    char path[128];
    (void)snprintf(path, sizeof path, "%s/one.wav", folder);
    struct failure failure = {0};
    cr_assert(wav_write(path, sample, COUNT, 48000, &failure) == 0, "%s", failure.sentence);
    size_t count = 0;
    int rate = 0;
    cr_assert(wav_read(path, &read, &count, &rate, &failure) == 0, "%s", failure.sentence);
    cr_assert(count == COUNT && rate == 48000);
    cr_assert(memcmp(sample, read, sizeof *sample * COUNT) == 0);
    free(sample);
    free(read);
}

/* A header read by its own definition (RIFF, WAVE_FORMAT_IEEE_FLOAT), not by the library that wrote it; and
 * nothing in the file may depend on when it was written. */
Test(wav_file, the_file_is_mono_float_at_its_rate_and_holds_no_time_stamp)
{
    const float sample[3] = {1.0f, -0.25f, 3.0f};
    char one[128], two[128];
    (void)snprintf(one, sizeof one, "%s/one.wav", folder);
    (void)snprintf(two, sizeof two, "%s/two.wav", folder);
    struct failure failure = {0};
    cr_assert(wav_write(one, sample, 3, 48000, &failure) == 0, "%s", failure.sentence);
    cr_assert(wav_write(two, sample, 3, 48000, &failure) == 0, "%s", failure.sentence);
    unsigned char *first = NULL, *second = NULL;
    const size_t count = slurp(one, &first);
    cr_assert(slurp(two, &second) == count);
    cr_assert(memcmp(first, second, count) == 0);
    cr_assert(memcmp(first, "RIFF", 4) == 0 && memcmp(first + 8, "WAVEfmt ", 8) == 0);
    cr_assert(first[20] == 3 && first[22] == 1 && word(first + 24) == 48000 && first[34] == 32);
    size_t at = 12;
    bool data_seen = false;
    while (at + 8 <= count) {
        cr_assert(memcmp(first + at, "PEAK", 4) != 0, "the PEAK chunk carries the time of writing");
        if (memcmp(first + at, "data", 4) == 0) {
            data_seen = true;
            cr_assert(word(first + at + 4) == 12 && memcmp(first + at + 8, sample, 12) == 0);
        }
        at += 8 + word(first + at + 4);
    }
    cr_assert(data_seen && at == count);
    free(first);
    free(second);
}

/* A limit on file size stands for a full disk: the write comes back short in both. */
Test(wav_file, a_full_disk_is_an_error_and_leaves_the_old_file)
{
    enum { COUNT = 100000 };
    float *sample = calloc(COUNT, sizeof *sample);
    const float old[2] = {0.5f, -0.5f};
    char path[128];
    (void)snprintf(path, sizeof path, "%s/one.wav", folder);
    struct failure failure = {0};
    cr_assert(wav_write(path, old, 2, 48000, &failure) == 0, "%s", failure.sentence);

    (void)signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small;
    cr_assert(getrlimit(RLIMIT_FSIZE, &before) == 0);
    small = before;
    small.rlim_cur = 100000;
    cr_assert(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const int code = wav_write(path, sample, COUNT, 48000, &failure);
    cr_assert(setrlimit(RLIMIT_FSIZE, &before) == 0);

    cr_assert(code == FAILURE_OUTPUT && failure.code == FAILURE_OUTPUT);
    cr_assert(strstr(failure.sentence, path) != NULL, "%s", failure.sentence);
    float *read = NULL;
    size_t count = 0;
    int rate = 0;
    cr_assert(wav_read(path, &read, &count, &rate, &failure) == 0, "%s", failure.sentence);
    cr_assert(count == 2 && memcmp(read, old, sizeof old) == 0);
    free(read);
    free(sample);
}

Test(wav_file, a_folder_that_is_not_there_is_named)
{
    struct failure failure = {0};
    const float sample[1] = {0.0f};
    char path[128];
    (void)snprintf(path, sizeof path, "%s/missing/one.wav", folder);
    cr_assert(wav_write(path, sample, 1, 48000, &failure) == FAILURE_OUTPUT);
    cr_assert(strstr(failure.sentence, "missing") != NULL, "%s", failure.sentence);
}
