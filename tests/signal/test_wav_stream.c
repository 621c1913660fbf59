/* WAV files that are written piece by piece. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "src/signal/wav_file.h"
#include "src/signal/wav_stream.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(wav_stream, .init = enter_folder, .fini = leave_folder);

static void write_pieces(const char *path, uint64_t announced, double *sample, size_t frames, size_t pieces)
{
    struct wav_stream stream = {0};
    struct whole_file file = {0};
    MUST(wav_stream_begin(&stream, path, announced, 2, 48000, &failure));
    for (size_t p = 0; p < pieces; p++)
        MUST(wav_stream_add(&stream, sample + 2 * p * frames, frames, &failure));
    cr_assert(exists(path) == false);
    cr_assert(wav_stream_end(&stream, &file, &failure) == 0 && whole_file_commit(&file, &failure) == 0, "%s",
              failure.sentence);
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
    struct wav_sound sound = {0};
    MUST(wav_sound_read("one.wav", &sound, &failure));
    cr_assert(sound.frames == PIECES * FRAMES && sound.channels == 2);
    for (size_t n = 0; n < 2 * PIECES * FRAMES; n++) {
        const double inside = fmin(fmax(original[n], -1.0), 1.0 - 0x1p-23);
        cr_assert(test_at_most(fabs(sound.sample[n] - inside), 0x1p-24 * 1.0001));
        cr_assert(sound.sample[n] == (float)sample[n]);
    }
    wav_sound_free(&sound);
}

/* What RIFF's 32 bits cannot count needs RF64, and all else is plain. */
Test(wav_stream, only_what_is_longer_than_4_GB_is_RF64)
{
    double sample[2] = {0.5, -0.5};
    char *head = NULL;
    write_pieces("small.wav", 700000000, sample, 1, 1);
    head = read_text("small.wav");
    cr_assert(memcmp(head, "RIFF", 4) == 0);
    free(head);
    write_pieces("large.wav", 720000000, sample, 1, 1);
    head = read_text("large.wav");
    cr_assert(memcmp(head, "RF64", 4) == 0);
    free(head);
}
