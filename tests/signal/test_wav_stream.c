/* WAV files that are written piece by piece. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "src/response/signal/wav_stream.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

TestSuite(wav_stream, .init = enter_folder, .fini = leave_folder);

static void write_pieces(const char *path, uint64_t announced, double *sample, size_t frames, size_t pieces)
{
    struct wav_stream stream = {0};
    struct whole_file file = {0};
    MUST(wav_stream_begin(&stream, path, announced, 2, 48000, &failure));
    for (size_t p = 0; p < pieces; p++)
        MUST(wav_stream_add(&stream, sample + 2 * p * frames, frames, &failure));
    cr_assert(exists(path) == false);
    MUST(wav_stream_end(&stream, &file, &failure));
    MUST(whole_file_commit(&file, &failure));
    wav_stream_abandon(&stream);
}

Test(wav_stream, samples_are_rounded_to_24_bits_and_clipped_and_the_caller_learns_what_was_written)
{
    enum { FRAMES = 5000, PIECES = 2 };
    static double sample[2 * PIECES * FRAMES], original[2 * PIECES * FRAMES];
    uint64_t seed = 1;
    for (size_t n = 0; n < 2 * PIECES * FRAMES; n++)
        original[n] = sample[n] = test_uniform(&seed, -1.2, 1.2);
    write_pieces("one.wav", PIECES * FRAMES, sample, FRAMES, PIECES);
    struct wav_sound sound = read_sound("one.wav");
    cr_assert(sound.frames == PIECES * FRAMES && sound.channels == 2);
    for (size_t n = 0; n < 2 * PIECES * FRAMES; n++) {
        const double inside = fmin(fmax(original[n], -1.0), 1.0 - 0x1p-23);
        cr_assert(test_at_most(fabs(sound.sample[n] - inside), 0x1p-24 * 1.0001));
        cr_assert(sound.sample[n] == (float)sample[n]);
    }
}

/* What RIFF's 32 bits cannot count needs RF64, and all else is plain. */
Test(wav_stream, only_what_is_longer_than_4_GB_is_RF64)
{
    static const uint64_t announced[2] = {700000000, 720000000};
    for (int large = 0; large < 2; large++) {
        double sample[2] = {0.5, -0.5};
        write_pieces("one.wav", announced[large], sample, 1, 1);
        char *head = read_text("one.wav");
        cr_assert(memcmp(head, large ? "RF64" : "RIFF", 4) == 0);
        cr_assert(unlink("one.wav") == 0);
    }
}
