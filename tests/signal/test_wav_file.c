/* WAV files: bit-exact, the same bytes every time, and whole or not at all. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/own_folder.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "src/signal/wav_file.h"
#include "tests/support/outcome.h"
#include "tests/support/test_support.h"

static void leave_two_files(void)
{
    (void)unlink("one.wav");
    (void)unlink("two.wav");
    cr_expect(count_entries(".", "") == 0, "temporary files were left");
    leave_folder();
}

TestSuite(wav_file, .init = enter_folder, .fini = leave_two_files);

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
    const char *const path = "one.wav";
    MUST(wav_write(path, sample, COUNT, 48000, &failure));
    size_t count = 0;
    int rate = 0;
    MUST(wav_read(path, &read, &count, &rate, &failure));
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
    const char *const one = "one.wav", *const two = "two.wav";
    MUST(wav_write(one, sample, 3, 48000, &failure));
    MUST(wav_write(two, sample, 3, 48000, &failure));
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
    const char *const path = "one.wav";
    MUST(wav_write(path, old, 2, 48000, &failure));

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
    MUST(wav_read(path, &read, &count, &rate, &failure));
    cr_assert(count == 2 && memcmp(read, old, sizeof old) == 0);
    free(read);
    free(sample);
}

Test(wav_file, a_folder_that_is_not_there_is_named)
{
    const float sample[1] = {0.0f};
    MUST_FAIL(wav_write("missing/one.wav", sample, 1, 48000, &failure), FAILURE_OUTPUT, "missing");
}

/* ---- sounds of any kind ---- */

static void put_word(unsigned char *at, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

/* A RIFF header of 44 bytes, by its own definition: `data` bytes of samples follow. */
static void make_header(unsigned char header[44], int format, int channels, int bits, uint32_t data)
{
    memcpy(header, "RIFF....WAVEfmt ....................data", 40);
    put_word(header + 4, 36 + data, 4);
    put_word(header + 16, 16, 4);
    put_word(header + 20, (uint32_t)format, 2);
    put_word(header + 22, (uint32_t)channels, 2);
    put_word(header + 24, 44100, 4);
    put_word(header + 28, 44100U * (uint32_t)(channels * bits / 8), 4);
    put_word(header + 32, (uint32_t)(channels * bits / 8), 2);
    put_word(header + 34, (uint32_t)bits, 2);
    put_word(header + 40, data, 4);
}

/* `one.wav` from a header and what follows it. */
static const char *put_file(const unsigned char *header, size_t header_count, const void *data, size_t count)
{
    FILE *file = fopen("one.wav", "wb");
    cr_assert(file != NULL && fwrite(header, 1, header_count, file) == header_count);
    cr_assert(fwrite(data, 1, count, file) == count && fclose(file) == 0);
    return "one.wav";
}

Test(wav_file, whole_numbers_of_two_channels_are_read_as_parts_of_full_scale)
{
    unsigned char header[44];
    const int16_t data[6] = {-32768, 16384, 0, 1, 8192, -1};
    const float wanted[6] = {-1.0F, 0.5F, 0.0F, 1 / 32768.0F, 0.25F, -1 / 32768.0F};
    make_header(header, 1, 2, 16, sizeof data);
    struct wav_sound sound = {0};
    MUST(wav_sound_read(put_file(header, 44, data, sizeof data), &sound, &failure));
    cr_assert(sound.frames == 3 && sound.channels == 2 && sound.rate == 44100);
    cr_assert(memcmp(sound.sample, wanted, sizeof wanted) == 0);
    wav_sound_free(&sound);
    cr_assert(sound.sample == NULL);
}

Test(wav_file, many_channels_come_back_as_they_were_written)
{
    enum { FRAMES = 37, CHANNELS = 1024 };
    float *sample = malloc(sizeof *sample * FRAMES * CHANNELS);
    for (int n = 0; n < FRAMES * CHANNELS; n++)
        sample[n] = (float)n - 1000.5F;
    const char *const path = "one.wav";
    struct whole_file file = {0};
    cr_assert(wav_stage_channels(path, sample, FRAMES, CHANNELS, 96000, WAV_FLOAT32, &file, &failure) == 0 &&
                  whole_file_commit(&file, &failure) == 0,
              "%s", failure.sentence);
    struct wav_sound sound = {0};
    MUST(wav_sound_read(path, &sound, &failure));
    cr_assert(sound.frames == FRAMES && sound.channels == CHANNELS && sound.rate == 96000);
    cr_assert(memcmp(sound.sample, sample, sizeof *sample * FRAMES * CHANNELS) == 0);
    wav_sound_free(&sound);
    free(sample);
}

Test(wav_file, of_24_bits_the_nearest_is_taken_and_what_is_too_loud_is_clipped)
{
    const float sample[4] = {1.5F, -7.0F, 0.3F, -1e-7F};
    const char *const path = "one.wav";
    struct whole_file file = {0};
    cr_assert(wav_stage_channels(path, sample, 2, 2, 48000, WAV_PCM24, &file, &failure) == 0 &&
                  whole_file_commit(&file, &failure) == 0,
              "%s", failure.sentence);
    struct wav_sound sound = {0};
    MUST(wav_sound_read(path, &sound, &failure));
    const double step = 1.0 / 8388608.0;
    cr_assert(test_near(sound.sample[0], 1, 1.5 * step) && test_near(sound.sample[1], -1, 1.5 * step),
              "%g %g", sound.sample[0], sound.sample[1]);
    cr_assert(test_near(sound.sample[2], 0.3, 0.6 * step) && test_near(sound.sample[3], -step, 0.6 * step));
    wav_sound_free(&sound);
}

static void expect_refusal(const char *path, enum failure_code code, const char *word)
{
    struct wav_sound sound = {0};
    cr_expect(eq(int, wav_sound_read(path, &sound, &failure), (int)code), "%s", word);
    cr_expect(strstr(failure.sentence, path) != NULL && strstr(failure.sentence, word) != NULL, "%s: %s",
              word, failure.sentence);
    cr_expect(sound.sample == NULL && sound.frames == 0);
}

Test(wav_file, what_is_no_sound_is_refused_by_name)
{
    unsigned char header[44];
    const float nan_at_third[6] = {0, 1, 2, 3, 4, NAN}, infinite[1] = {INFINITY};
    expect_refusal("/nowhere/one.wav", FAILURE_INPUT, "No such file");
    expect_refusal(put_file((const unsigned char *)"no sound\n", 9, "", 0), FAILURE_INPUT, "WAV");
    expect_refusal(put_file((const unsigned char *)"", 0, "", 0), FAILURE_INPUT, "WAV");
    make_header(header, 3, 1, 32, 0);
    expect_refusal(put_file(header, 44, "", 0), FAILURE_INPUT, "no samples");
    make_header(header, 3, 2, 32, sizeof nan_at_third);
    expect_refusal(put_file(header, 44, nan_at_third, sizeof nan_at_third), FAILURE_INPUT,
                   "sample 2 of channel 2 is not finite");
    make_header(header, 3, 1, 32, sizeof infinite);
    expect_refusal(put_file(header, 44, infinite, sizeof infinite), FAILURE_INPUT, "not finite");
    /* An AU file of one sample: a sound, and no WAV. */
    static const unsigned char au[28] = {'.', 's', 'n', 'd', 0,    0,    0, 24, 0, 0, 0, 4, 0, 0,
                                         0,   3,   0,   0,   0xBB, 0x80, 0, 0,  0, 1, 1, 2, 3, 4};
    expect_refusal(put_file(au, sizeof au, "", 0), FAILURE_INPUT, "no WAV");
}

/* A header that promises more than there is must not make the program take it. */
Test(wav_file, a_file_cut_short_is_as_long_as_it_is)
{
    unsigned char header[44];
    const float data[2] = {0.25F, -0.5F};
    make_header(header, 3, 1, 32, 0x7FFFFF00U);
    struct wav_sound sound = {0};
    MUST(wav_sound_read(put_file(header, 44, data, sizeof data), &sound, &failure));
    cr_assert(sound.frames == 2 && memcmp(sound.sample, data, sizeof data) == 0);
    wav_sound_free(&sound);
}
