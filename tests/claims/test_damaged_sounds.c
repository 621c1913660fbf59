/* Sounds that are cut off, or whose numbers are near the end of float, through every command that reads one.
 */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

#include <sndfile.h>

#include "src/response/signal/wav_file.h"
#include "tests/support/outcome.h"

TestSuite(damaged_sounds, .init = enter_folder, .fini = leave_folder);

#define FRAMES 9600
#define KEMAR  "/usr/share/libmysofa/default.sofa" /* of Debian's libmysofa1 */

/* A pulse of that height, in every channel. */
static void write_pulse(const char *path, int format, int channels, float height)
{
    float frame[4] = {0};
    SF_INFO info = {.samplerate = 48000, .channels = channels, .format = format};
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    cr_assert(file != NULL, "%s", sf_strerror(NULL));
    for (int n = 0; n < FRAMES; n++) {
        for (int c = 0; c < channels; c++)
            frame[c] = n == 1000 ? height : 0;
        sf_writef_float(file, frame, 1);
    }
    sf_close(file);
}

static void cut(const char *path, off_t bytes)
{
    struct stat about;
    cr_assert(stat(path, &about) == 0 && truncate(path, about.st_size - bytes) == 0);
}

/* By everything that takes `path`, a file of one channel and of four. */
static void expect_refused(const char *words)
{
    REFUSED(words, "analyse", "one.wav", "--fmax", "4000");
    REFUSED(words, "auralise", "one.wav", "good.wav", "-o", "out.wav", "--fmax", "4000");
    if (exists(KEMAR))
        REFUSED(words, "binaural", "four.wav", "--head", KEMAR, "-o", "out.wav");
    cr_assert(not(exists("out.wav")));
}

Test(damaged_sounds, a_file_that_is_shorter_than_its_header_says_is_refused_with_both_numbers)
{
    write_pulse("good.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1, 0.5F);
    write_pulse("one.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1, 0.5F);
    write_pulse("four.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 4, 0.5F);
    cut("one.wav", 400);
    cut("four.wav", 400);
    expect_refused("is cut off: its header states ");
    expect_status(RUN("analyse", "one.wav", "--fmax", "4000"), 2);
    expect_words("err", "states 38400 bytes of sound, but the file has 38000");
    REFUSED("is cut off", "auralise", "good.wav", "one.wav", "-o", "out.wav", "--fmax", "4000");
}

Test(damaged_sounds, a_run_with_a_response_that_was_cut_off_is_refused_by_who_reads_it)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--quiet"), 0);
    cut("run/ir_S1_R1.wav", 4);
    REFUSED("is cut off", "analyse", "run");
    REFUSED("is cut off", "auralise", "run");
    REFUSED("is cut off", "modes", "run");
    /* A page has much besides, and says it there. */
    expect_status(RUN("report", "run"), 0);
    expect_words("run/report.html", "Not drawn, not heard: ir_S1_R1.wav: is cut off");
}

Test(damaged_sounds, other_file_formats_are_refused_too)
{
    static const int form[] = {
        SF_FORMAT_WAV | SF_FORMAT_PCM_16,   SF_FORMAT_WAV | SF_FORMAT_PCM_16 | SF_ENDIAN_BIG,
        SF_FORMAT_WAVEX | SF_FORMAT_PCM_24, SF_FORMAT_RF64 | SF_FORMAT_FLOAT,
        SF_FORMAT_W64 | SF_FORMAT_FLOAT,    SF_FORMAT_AIFF | SF_FORMAT_PCM_16,
        SF_FORMAT_FLAC | SF_FORMAT_PCM_16};
    write_pulse("good.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1, 0.5F);
    for (size_t f = 0; f < sizeof form / sizeof *form; f++) {
        const bool flac = (form[f] & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC;
        write_pulse("dry", form[f], 1, 0.5F);
        expect_status(RUN("auralise", "good.wav", "dry", "-o", "out.wav", "--fmax", "4000", "--force"), 0);
        cut("dry", 100);
        REFUSED(flac ? "dry: ends after " : "dry: is cut off: ", "auralise", "good.wav", "dry", "-o",
                "out.wav", "--fmax", "4000", "--force");
    }
}

/* What writes into a pipe cannot know the length. */
Test(damaged_sounds, a_length_that_was_not_known_is_no_promise)
{
    write_pulse("pipe.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1, 0.5F);
    FILE *file = fopen("pipe.wav", "r+b");
    char head[4096] = "";
    cr_assert(file != NULL && fread(head, 1, 200, file) == 200);
    long at = 0;
    while (memcmp(head + at, "data", 4) != 0)
        at++;
    fseek(file, at + 4, SEEK_SET);
    fwrite("\xff\xff\xff\xff", 1, 4, file);
    fclose(file);
    expect_status(RUN("analyse", "pipe.wav", "--fmax", "4000"), 0);
}

Test(damaged_sounds, a_file_of_a_kind_that_is_not_read_is_refused_by_its_name)
{
    write_bytes("new.wav", "BW64\xff\xff\xff\xffWAVEds64\x1c\0\0\0", 20);
    REFUSED("BW64", "analyse", "new.wav");
}

Test(damaged_sounds, samples_near_the_end_of_float_are_refused_and_none_is_written)
{
    write_pulse("good.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1, 0.5F);
    write_pulse("one.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1, 3e38F);
    write_pulse("four.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 4, 3e38F);
    expect_refused("sample 1000 of channel 1 is 3e+38");
    REFUSED("sample 1000 of channel 1 is 3e+38", "auralise", "good.wav", "one.wav", "-o", "out.wav", "--fmax",
            "4000");
    struct whole_file file = {0};
    const float sample[] = {0, 1, INFINITY, 2};
    MUST_FAIL(wav_stage("out.wav", sample, 2, 2, 48000, WAV_FLOAT32, &file, &failure), FAILURE_SIMULATION,
              "out.wav: is not written: sample 1 of channel 1 is not finite");
    cr_assert(count_entries(".", "out.wav") == 0 && count_entries(".", ".transept") == 0);
    /* What is loud and no more is taken. */
    write_pulse("loud.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1, 32768);
    expect_status(RUN("analyse", "loud.wav", "--fmax", "4000"), 0);
}

/* More than 4 GiB are promised, which a header of 32 bits cannot say. */
Test(damaged_sounds, a_large_one_that_was_cut_off_is_refused)
{
    static const unsigned char head[] =
        "RF64\xff\xff\xff\xffWAVEds64\x1c\0\0\0\x48\0\x10\0\1\0\0\0\0\0\x10\0\1\0\0\0\0\0\x08\x80\0\0\0\0\0\0"
        "\0\0fmt "
        "\x10\0\0\0\1\0\1\0\x80\xbb\0\0\0\x77\1\0\2\0\x10\0data\xff\xff\xff\xff";
    FILE *file = fopen("large.wav", "wb");
    cr_assert(file != NULL && fwrite(head, 1, sizeof head - 1, file) == sizeof head - 1);
    cr_assert(fclose(file) == 0 && truncate("large.wav", 100000) == 0);
    REFUSED("is cut off: its header states 4296015872 bytes", "analyse", "large.wav");
}
