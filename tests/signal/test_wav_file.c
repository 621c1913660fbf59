/* WAV files: bit-exact, the same bytes every time, and whole or not at all. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/own_folder.h"

#include <signal.h>
#include <sys/resource.h>

#include "geometry/base/regular_file.h"
#include "tests/support/sounds.h"

static void leave_two_files(void)
{
    (void)unlink("one.wav");
    (void)unlink("two.wav");
    cr_expect(count_entries(".", "") == 0, "temporary files were left");
    leave_folder();
}

TestSuite(wav_file, .init = enter_folder, .fini = leave_two_files);

static uint32_t word(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

Test(wav_file, samples_come_back_bit_for_bit_also_beyond_full_scale)
{
    static const struct {
        size_t frames;
        int channels, rate;
    } row[] = {{10007, 1, 48000}, {37, WAV_CHANNELS_MAX, 96000}};
    for (int i = 0; i < 2; i++) {
        const size_t count = row[i].frames * (size_t)row[i].channels;
        float *sample = malloc(count * sizeof *sample);
        uint64_t seed = 11;
        for (size_t n = 0; n < count; n++)
            sample[n] = (float)(test_uniform(&seed, -30.0, 30.0) * pow(10.0, test_uniform(&seed, -9.0, 0.0)));
        write_sound("one.wav", sample, row[i].frames, row[i].channels, row[i].rate);
        struct wav_sound sound = read_sound("one.wav");
        cr_assert(sound.frames == row[i].frames && sound.channels == row[i].channels &&
                  sound.rate == row[i].rate);
        cr_assert(memcmp(sample, sound.sample, sizeof *sample * count) == 0);
        wav_sound_free(&sound);
        cr_assert(sound.sample == NULL);
        free(sample);
    }
}

/* A header read by its own definition (RIFF, WAVE_FORMAT_IEEE_FLOAT), not by the library that wrote it; and
 * nothing in the file may depend on when it was written. */
Test(wav_file, the_file_is_mono_float_at_its_rate_and_holds_no_time_stamp)
{
    const float sample[3] = {1.0f, -0.25f, 3.0f};
    char *first = NULL, *second = NULL;
    size_t count = 0, other = 0;
    write_sound("one.wav", sample, 3, 1, 48000);
    write_sound("two.wav", sample, 3, 1, 48000);
    MUST(regular_file_read("one.wav", 1000, &first, &count, &failure));
    MUST(regular_file_read("two.wav", 1000, &second, &other, &failure));
    cr_assert(count == other && memcmp(first, second, count) == 0);
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
    struct whole_file file = {0};
    write_sound("one.wav", old, 2, 1, 48000);
    (void)signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small;
    cr_assert(getrlimit(RLIMIT_FSIZE, &before) == 0);
    small = before;
    small.rlim_cur = 100000;
    cr_assert(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const int code = wav_stage("one.wav", sample, COUNT, 1, 48000, WAV_FLOAT32, &file, &failure);
    cr_assert(setrlimit(RLIMIT_FSIZE, &before) == 0);

    MUST_FAIL(code, FAILURE_OUTPUT, "one.wav");
    struct wav_sound sound = read_sound("one.wav");
    cr_assert(sound.frames == 2 && memcmp(sound.sample, old, sizeof old) == 0);
    free(sample);
}

Test(wav_file, a_folder_that_is_not_there_is_named)
{
    const float sample[1] = {0.0f};
    struct whole_file file = {0};
    MUST_FAIL(wav_stage("missing/one.wav", sample, 1, 1, 48000, WAV_FLOAT32, &file, &failure), FAILURE_OUTPUT,
              "missing");
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
    struct wav_sound sound = read_sound(put_file(header, 44, data, sizeof data));
    cr_assert(sound.frames == 3 && sound.channels == 2 && sound.rate == 44100);
    cr_assert(memcmp(sound.sample, wanted, sizeof wanted) == 0);
}

Test(wav_file, samples_of_24_bits_are_rounded_and_clipped)
{
    const float sample[4] = {1.5F, -7.0F, 0.3F, -1e-7F};
    struct whole_file file = {0};
    MUST(wav_stage("one.wav", sample, 2, 2, 48000, WAV_PCM24, &file, &failure));
    MUST(whole_file_commit(&file, &failure));
    struct wav_sound sound = read_sound("one.wav");
    const double step = 1.0 / 8388608.0;
    cr_assert(test_near(sound.sample[0], 1, 1.5 * step) && test_near(sound.sample[1], -1, 1.5 * step),
              "%g %g", sound.sample[0], sound.sample[1]);
    cr_assert(test_near(sound.sample[2], 0.3, 0.6 * step) && test_near(sound.sample[3], -step, 0.6 * step));
}

static void expect_refusal(const char *path, const char *word)
{
    struct wav_sound sound = {0};
    MUST_FAIL(wav_sound_read(path, &sound, &failure), FAILURE_INPUT, word);
    cr_expect(strstr(failure.sentence, path) != NULL, "%s", failure.sentence);
    cr_expect(sound.sample == NULL && sound.frames == 0);
}

Test(wav_file, files_that_are_no_sound_are_refused_by_name)
{
    unsigned char header[44];
    const float nan_at_third[6] = {0, 1, 2, 3, 4, NAN}, infinite[1] = {INFINITY};
    expect_refusal("/nowhere/one.wav", "No such file");
    expect_refusal(put_file((const unsigned char *)"no sound\n", 9, "", 0), "WAV");
    expect_refusal(put_file((const unsigned char *)"", 0, "", 0), "WAV");
    make_header(header, 3, 1, 32, 0);
    expect_refusal(put_file(header, 44, "", 0), "no samples");
    make_header(header, 3, 2, 32, sizeof nan_at_third);
    expect_refusal(put_file(header, 44, nan_at_third, sizeof nan_at_third),
                   "sample 2 of channel 2 is not finite");
    make_header(header, 3, 1, 32, sizeof infinite);
    expect_refusal(put_file(header, 44, infinite, sizeof infinite), "not finite");
    /* An AU file of one sample: a sound, and no WAV. */
    static const unsigned char au[28] = {'.', 's', 'n', 'd', 0,    0,    0, 24, 0, 0, 0, 4, 0, 0,
                                         0,   3,   0,   0,   0xBB, 0x80, 0, 0,  0, 1, 1, 2, 3, 4};
    expect_refusal(put_file(au, sizeof au, "", 0), "no WAV");
}

/* A header that promises more than there is must not make the program take it. */
Test(wav_file, a_file_whose_length_nobody_knew_is_as_long_as_it_is)
{
    unsigned char header[44];
    const float data[2] = {0.25F, -0.5F};
    make_header(header, 3, 1, 32, 0x7FFFFF00U);
    struct wav_sound sound = read_sound(put_file(header, 44, data, sizeof data));
    cr_assert(sound.frames == 2 && memcmp(sound.sample, data, sizeof data) == 0);
}
